//! Finds the query that words mean as a whole.

use syntax::Diagnostic;

use super::compose::composed;
use super::events::{
    of_capture, of_castling, of_count, of_mate, of_number, of_promotion, of_unmoved,
};
use super::idea::{Idea, of_query};
use super::moves::of_notation;
use super::pieces::{material, of_either_place, of_pawnless, of_pawns, of_places, of_sides};
use super::question_words::{plain_letters, without_articles};
use super::vocabulary::understood;
use crate::sample::{is_query, parse_sample};
use crate::{Document, Settings};

/// Returns the query that several words mean, if one correction of the parser replaces all of them:
/// `[Pp] == 3` for `exactly three pawns`.
pub fn mended(words: &str) -> Option<String> {
    let sample = parse_sample(words);
    let [diagnostic] = sample.diagnostics.as_slice() else {
        return None;
    };
    let edit = diagnostic.edit.as_ref()?;
    let n_bytes = (edit.span.end - edit.span.start) as usize;
    let is_whole = words.contains(' ') && n_bytes == words.len();
    (is_whole && is_query(&edit.text)).then(|| edit.text.clone())
}

/// Returns the query that is meant by an assignment to a variable that nothing uses: `repetition >= 2`
/// for `repetition = 3`.
pub fn meant_by_assignment(words: &str) -> Option<String> {
    let settings = Settings { header_is_optional: true, ..Settings::default() };
    let document = Document::new(words, settings);
    let [Diagnostic { code: "W0201", edit: Some(edit), .. }] = document.diagnostics() else {
        return None;
    };
    let mut meant = words.to_owned();
    meant.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    is_query(&meant).then_some(meant)
}

/// Reads words in small letters as a whole.
type Reader<T> = fn(&str) -> Option<T>;

/// Readers of the query that words mean, and of what it finds.
const WITH_LINES: [Reader<(String, String)>; 4] = [of_unmoved, of_count, of_pawns, of_sides];

/// Readers of a query that says itself what it finds.
const ALONE: [Reader<String>; 9] = [
    of_pawnless,
    material,
    of_places,
    of_promotion,
    of_either_place,
    of_mate,
    of_capture,
    of_number,
    of_castling,
];

/// Returns the queries that words mean as a whole.
pub(super) fn meant(words: &str) -> Vec<Idea> {
    let found = of_notation(words);
    if !found.is_empty() {
        return found;
    }
    let plain = plain_letters(words);
    let found = as_a_whole(words, &plain);
    let mut starts = ["games with ", "games where ", "positions with ", "positions where "].iter();
    let bare = starts.find_map(|start| plain.strip_prefix(start)).unwrap_or(&plain);
    let bare = without_articles(bare).join(" ");
    // The words of a question may be those of one without an article or its start: `a pawn on a7`.
    if found.is_empty() && bare.len() < plain.len() { as_a_whole(&bare, &bare) } else { found }
}

/// Returns the queries that words, also in small letters, mean as a whole.
fn as_a_whole(words: &str, plain: &str) -> Vec<Idea> {
    if let Some((query, line)) = WITH_LINES.iter().find_map(|read| read(plain)) {
        return vec![of_query(&query, &line)];
    }
    let composed = || composed(words);
    // A game of two players is found once: by its first position.
    let mended = || mended(words).filter(|_| composed().is_empty());
    match ALONE.iter().find_map(|read| read(plain)).or_else(mended) {
        Some(query) => vec![of_query(&query, &understood(&query))],
        None => composed(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pieces::{of_men, of_pawns};
    use super::*;

    #[test]
    fn words_that_mean_a_query_are_mended() {
        let check = |words: &str, expected: Option<&str>| {
            assert_eq!(mended(words).as_deref(), expected, "{words}");
        };
        check("exactly three pawns", Some("[Pp] == 3"));
        check("bishop on h6", Some("[Bb]h6"));
        check("white bishop on h6", Some("Bh6"));
        check("QQ v QRR", Some("material \"QQ:QRR\""));
        check("smothered mate", None);
        check("checkmate", None);
        check("nosuchword on h6", None);
        assert_eq!(meant_by_assignment("repetition = 3").as_deref(), Some("repetition >= 2"));
        assert_eq!(meant_by_assignment("x = 3"), None);
    }

    #[test]
    fn pawns_of_a_kind_have_files_and_ranks() {
        for (words, expected) in [
            ("doubled pawns on c file", Some("doubledpawns & [Pp]c1-8")),
            ("white doubled pawns on the c-file", Some("doubledpawns & Pc1-8")),
            ("passed pawn on 6th rank", Some("passedpawns & (Pa-h6 | pa-h3)")),
            ("black isolated pawns on the fourth rank", Some("isolatedpawns & pa-h5")),
            ("passed pawn on 9th rank", None),
            ("passed pawn on the a-file", Some("passedpawns & [Pp]a1-8")),
            ("pawn on the first rank", None),
            ("isolated pawns", None),
            ("doubled rooks on c file", None),
        ] {
            let found = of_pawns(words).map(|(query, _)| query);
            assert_eq!(found.as_deref(), expected, "{words}");
            assert!(found.is_none_or(|query| is_query(&query)), "{words}");
        }
    }

    #[test]
    fn both_sides_castle_as_two_clauses_say() {
        for (words, expected) in [
            (
                "black castles queenside and white kingside",
                Some("initial find {wtm o-o-o} find {btm o-o}"),
            ),
            (
                "white castled short and black castled long",
                Some("initial find {btm o-o} find {wtm o-o-o}"),
            ),
            ("white castles kingside", None),
            ("white castles and white kingside", None),
        ] {
            assert_eq!(of_castling(words).as_deref(), expected, "{words}");
        }
    }

    #[test]
    fn pieces_of_both_sides_are_a_material() {
        for (words, expected) in [
            ("two queens against queen and two rooks", Some("QQ:QRR")),
            ("two rooks versus a queen", Some("RR:Q")),
            ("queen and rook v two rooks", Some("QR:RR")),
            ("bishop and knight against king", Some("KBNK")),
            ("rook against pawn", Some("KRKP")),
            ("Two knights vs pawn endgame", Some("KNNKP")),
            ("king and pawn against king", Some("KPK")),
            ("good bishop against bad bishop", None),
            ("bishops against knights", None),
            ("rook and four pawns against rook and three", None),
            ("two rooks", None),
            ("against", None),
            ("", None),
        ] {
            assert_eq!(material(words), expected.map(of_men), "{words}");
        }
    }

    #[test]
    fn pieces_of_one_side_are_those_of_its_color() {
        for (words, expected) in [
            ("rook and pawn against rook", "flipcolor material \"KRPKR\""),
            ("rook and pawn against rook and pawn", "material \"KRPKRP\""),
            ("white rook and pawn against black rook", "material \"KRPKR\""),
            ("white queen against rook", "Q == 1 [RBN] == 0 r == 1 [qbn] == 0"),
            ("queen against two rooks white", "q == 1 [rbn] == 0 R == 2 [QBN] == 0"),
            ("two black bishops against two knights", "b == 2 [qrn] == 0 N == 2 [QRB] == 0"),
            ("white rook against black queen", "R == 1 [QBN] == 0 q == 1 [rbn] == 0"),
            ("white queen and rook against rook", "Q == 1 R == 1 [BN] == 0 r == 1 [qbn] == 0"),
            ("four black pawns against three white pawns", "p == 4 P == 3"),
            ("four pawns against three pawns", "flipcolor {P == 4 p == 3}"),
            ("rook vs bishop without pawns", "flipcolor material \"KRKB\""),
            ("queen against rook without pawns", "flipcolor material \"KQKR\""),
            ("games without pawns", "[Pp] == 0"),
            ("bishop on b2 or g2", "[Bb][b2,g2]"),
            ("black knight or bishop on e4 or d4", "[nb][e4,d4]"),
            ("knight or bishop mate", "mate currentmove [NBnb]--"),
            ("checkmate by a queen or a rook", "mate currentmove [QRqr]--"),
            ("mate not by queen", "mate not currentmove [Qq]--"),
            ("white mates with a pawn", "btm mate currentmove P--"),
            ("pawn mate by black", "wtm mate currentmove p--"),
            ("black mates with a knight", "wtm mate currentmove n--"),
            ("mate by a white rook", "btm mate currentmove R--"),
            ("the queen gives mate", "mate currentmove [Qq]--"),
            ("queen mates on h7", "mate currentmove [Qq]--h7"),
            ("white gives check with a bishop", "btm check currentmove B--"),
            ("the black queen gives check", "wtm check currentmove q--"),
            ("bishop takes knight on f6", "currentmove [Bb][x][Nn]f6"),
            ("the white queen takes a black queen", "currentmove Q[x]q"),
            ("white captures on d5", "currentmove A[x]d5"),
            ("a pawn on a7", "[Pp]a7"),
            ("the white king on g1", "Kg1"),
            ("black has an isolated pawn", "isolatedpawns & p"),
            ("white has a passed pawn on d6", "passedpawns & Pd6"),
            ("white pawn on the 7th rank", "Pa-h7"),
            ("pawn on the seventh rank", "(Pa-h7 | pa-h2)"),
            ("a black rook on the a-file", "ra1-8"),
            ("five promotions", "initial find count {currentmove --=.} >= 5"),
            ("at least two promotions", "initial find count {currentmove --=.} >= 2"),
            ("two or more promotions", "initial find count {currentmove --=.} >= 2"),
            ("two promotions or more", "initial find count {currentmove --=.} >= 2"),
            ("exactly two promotions", "initial find count {currentmove --=.} == 2"),
            ("exactly one promotion", "initial find count {currentmove --=.} == 1"),
            ("at most two underpromotions", "initial find count {currentmove --=[RBN]} <= 2"),
            ("three checks in a game", "initial find count check >= 3"),
            ("more than 10 checks", "initial find count check > 10"),
            ("fewer than 8 pieces", "[Aa] < 8"),
            ("more than 20 men on the board", "[Aa] > 20"),
            ("no captures in 20 moves", "path quiet nestban (-- {not currentmove [x]}){40,}"),
            ("knight promotion", "currentmove --=N"),
            ("K e1", "Ke1"),
            ("K is on e1", "Ke1"),
            ("there is K on e1", "Ke1"),
            ("n on d4", "nd4"),
            ("four queens", "[Qq] >= 4"),
            ("underpromotion to knight", "currentmove --=N"),
            ("sacrifice of a knight", "theme(\"sacrifice\") parent:{currentmove [x][Nn]}"),
            ("mate with a knight on f7", "mate [Nn]f7"),
            ("one queen", "[Qq] == 1"),
            ("pawn storm g4 h4", "initial flipcolor {find P--g4 find P--h4}"),
            ("queen trapped", "theme(\"trappedpiece\") currentmove [x][Qq]"),
            ("trapped bishop", "theme(\"trappedpiece\") currentmove [x][Bb]"),
            ("no pawn was taken", "initial not find {currentmove [x][Pp]}"),
            ("black rook and pawn against white rook", "material \"KRKRP\""),
            ("two rooks against a queen", "material \"RR:Q\""),
            ("two white queens", "Q >= 2"),
            ("black has two rooks", "r >= 2"),
            ("white knight on e5", "Ne5"),
            ("black pawn on c4", "pc4"),
            ("knight on e5", "[Nn]e5"),
            ("both sides have two bishops", "B >= 2 b >= 2"),
            ("either side has two queens", "flipcolor {Q >= 2}"),
            ("neither side has a rook", "not {R} not {r}"),
            ("white has no queen", "Q == 0"),
            ("five queens on the board", "[Qq] >= 5"),
            ("pawns on c4 and e4", "{Pc4 Pe4} or {pc4 pe4}"),
            ("white pawns on c4, d4 and e4", "Pc4 Pd4 Pe4"),
            ("promotion to a bishop", "currentmove --=B"),
            ("Carlsen lost with white", "initial player white \"Carlsen\" result 0-1"),
            (
                "Magnus Carlsen won against Anand in 2013",
                "initial year == 2013 flipcolor {player white ~~ \"Carlsen, M|Magnus,? Carlsen\" \
                 player black \"Anand\" result 1-0}",
            ),
            ("White lost against Tal", "initial player black \"Tal\" result 0-1"),
            ("black won in 2021", "initial year == 2021 result 0-1"),
            ("rook never moved", "initial piece x in [Rr] {not find {currentmove x--}}"),
            ("the white king has not moved", "initial piece x in K {not find {currentmove x--}}"),
            (
                "both rooks never moved",
                "initial flipcolor {piece all x in R {not find {currentmove x--}}}",
            ),
            ("Nf3", "Nf3"),
            ("e4", "Pe4"),
            ("exd5", "currentmove [Pp]e1-8[x]d5"),
            ("Nbd7", "currentmove [Nn]b1-8--d7"),
            ("e8=Q+", "currentmove [Pp]--e8=Q check"),
            ("Bxh7+", "currentmove [Bb][x]h7 check"),
            ("Nxf7", "currentmove [Nn][x]f7"),
            ("Qh7#", "currentmove [Qq]--h7 mate"),
        ] {
            assert_eq!(meant(words).first().expect("a query").title, expected, "{words}");
        }
        assert_eq!(meant("Nf3")[1].title, "currentmove [Nn]--f3");
        for words in [
            "two queens",
            "white queens",
            "rook moved",
            "white bishop against white knight",
            "knight or bishop",
            "white wins with black",
            "ex+",
            "+",
            "éx+",
            "e8=K",
            "A e1",
            "K e9",
            "one promotion",
            "three pieces",
            "black king mated by a knight",
            "bishop and knight mate",
            "takes on d5",
            "queen takes",
        ] {
            assert!(meant(words).is_empty(), "{words}: {:?}", meant(words));
        }
    }
}
