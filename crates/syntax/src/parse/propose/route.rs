//! Proposes the way of a piece over several squares, which others write as one: `Nb1-d2-f1`.

use crate::builtin::Keyword;
use crate::parse::mend::{Mend, Proposal, is_designator};
use crate::parse::parser::Parser;
use crate::san::{San, Side, is_step};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};

/// Returns the CQL for a piece that goes from square to square.
pub(crate) fn way<'s>(first: &str, squares: impl IntoIterator<Item = &'s str>) -> String {
    let moves: Vec<String> = squares.into_iter().map(|square| format!("--{square}")).collect();
    format!("piece x in {first} {{path focus x {}}}", moves.join(" "))
}

impl Parser<'_> {
    /// Returns a proposal for a piece at the token `first` and two squares or more, with signs
    /// between them, and the token after the last square: `Nb1-d2-f1`, also after `path`.
    pub(in crate::parse) fn mend_of_way(&self, first: usize) -> Option<Proposal> {
        let TokenKind::Designator(set) = self.kind_at(first)? else {
            return None;
        };
        let (squares, end) = self.squares_with_signs(first + 1);
        if squares.len() < 2 {
            return None;
        }
        // as in `a2-a4-a5`
        let any = if set.has_pieces { "" } else { "[Aa]" };
        let start = format!("{any}{}", self.whole_text_at(first));
        let text = way(&start, squares.iter().map(String::as_str));
        let help = format!("a piece goes from square to square in a `path`: `{text}`");
        let path = self.just_after(first, Keyword::Path);
        let is_whole = path.is_some() && self.kind_at(end).is_none();
        if is_whole || !self.path_top {
            return self.propose(help, path.unwrap_or(first), end - 1, text);
        }
        Some((Mend::advice(help), end))
    }

    /// Returns squares from the token `at`, each after a sign, and the token after the last one.
    fn squares_with_signs(&self, at: usize) -> (Vec<String>, usize) {
        let (mut squares, mut end) = (Vec::new(), at);
        while matches!(self.symbol_at(end), Some(Symbol::Minus | Symbol::Dash | Symbol::Arrow))
            && self.is_glued_at(end)
            && self.squares_at(end + 1).is_some()
        {
            squares.push(self.whole_text_at(end + 1));
            end += 2;
        }
        (squares, end)
    }

    /// Returns a proposal for a move and squares with signs after it, as in `Nbd2-f1-g3`, whose
    /// first name is the token before the next one, and the token after the last square.
    pub(super) fn mend_of_way_after(&self, name: &str, span: Span) -> Option<Proposal> {
        let san = San::read(name).filter(|san| !san.capture && san.piece.is_some())?;
        let first = self.pos.checked_sub(1).filter(|&at| self.span_at(at) == span)?;
        let (squares, end) = self.squares_with_signs(first + 1);
        if squares.is_empty() {
            return None;
        }
        let start = san.cql(Side::White);
        let (from, to) = start.split_once("--")?;
        let squares = squares.iter().map(String::as_str);
        let whole = self.tokens(first, end - 1);
        // as in `Sb1-d2`, whose piece has the letter of another language
        let is_from = san.file.is_none() && san.rank.is_none();
        if is_from && end == first + 3 {
            let text = format!("{from}{to}--{}", squares.collect::<String>());
            return Some((Mend::edit(format!("a move is written `{text}`"), whole, text), end));
        }
        let text = if is_from {
            way(&format!("{from}{to}"), squares)
        } else {
            way(from, std::iter::once(to).chain(squares))
        };
        let help = format!("a piece goes from square to square in a `path`: `{text}`");
        Some((if self.path_top { Mend::advice(help) } else { Mend::edit(help, whole, text) }, end))
    }
}

/// Returns the help and the CQL for a name that is a piece and squares in another form: `ND5`,
/// `d5N`, `wKe1`, `Nb1d2`, `Pd4a2b3`.
pub(super) fn piece_and_squares(name: &str) -> Option<(String, String)> {
    let lower = name.get(1..).filter(|_| name.is_ascii())?.to_ascii_lowercase();
    let in_small = format!("{}{lower}", &name[..1]);
    if in_small != name && is_designator(&in_small) {
        return Some(("squares are written in small letters".into(), in_small));
    }
    if let Some((color @ ("w" | "b"), man)) = name.split_at_checked(1)
        && man.starts_with(|c: char| c.is_ascii_uppercase())
        && is_designator(man)
    {
        let small = format!("{}{}", man[..1].to_ascii_lowercase(), &man[1..]);
        let text = if color == "w" { man.to_owned() } else { small };
        let help = "White's pieces have capital letters, and Black's have small ones";
        return Some((format!("{help}: `{text}`"), text));
    }
    if let Some((square, piece)) = name.split_at_checked(2)
        && piece.len() == 1
        && is_designator(square)
    {
        let text = format!("{piece}{square}");
        return is_designator(&text).then(|| (format!("the piece stands first: `{text}`"), text));
    }
    let squares: Vec<&str> = (0..lower.len() / 2).map(|at| &lower[2 * at..2 * at + 2]).collect();
    if lower != name[1..] || lower.len() % 2 == 1 || squares.len() < 2 {
        return None;
    }
    let on = |square: &&str| is_designator(square) && is_designator(&name[..1]);
    if !squares.iter().all(on) {
        return None;
    }
    if squares
        .windows(2)
        .all(|pair| is_step(name.as_bytes()[0], pair[0].as_bytes(), pair[1].as_bytes()))
    {
        let start = format!("{}{}", &name[..1], squares[0]);
        return Some(match squares[..] {
            [_, to] => {
                let text = format!("{start}--{to}");
                (format!("a move is written `{text}`"), text)
            }
            _ => {
                let text = way(&start, squares[1..].iter().copied());
                (format!("a piece goes from square to square in a `path`: `{text}`"), text)
            }
        });
    }
    Some(one_on_each(&name[..1], &squares))
}

/// Returns the help and the CQL for pieces, or empty squares, on each of several squares.
pub(super) fn one_on_each(pieces: &str, squares: &[&str]) -> (String, String) {
    let each: Vec<String> = squares.iter().map(|one| format!("{pieces}{one}")).collect();
    let (each, squares) = (each.join(" "), squares.join(","));
    let what = if pieces == "_" { "each to be empty" } else { "one on each" };
    (format!("`{each}` asks for {what}, `{pieces}[{squares}]` for any of them"), each)
}

/// Returns the seconds of a time such as `0:30` or `1:30:00`.
pub(in crate::parse) fn seconds(time: &str) -> Option<u32> {
    let parts: Option<Vec<u32>> = time.split(':').map(|part| part.parse().ok()).collect();
    let parts = parts.filter(|parts| (2..=3).contains(&parts.len()))?;
    let mut parts = parts.into_iter();
    parts.try_fold(0_u32, |all, part| all.checked_mul(60)?.checked_add(part))
}

#[cfg(test)]
mod tests {
    use crate::parse::tests::dump::parse_body;

    #[test]
    fn forms_of_others_are_mended() {
        let mut wrong = Vec::new();
        for (query, help, mended) in [
            ("Nb1-d2-f1-g3", "square to square", "piece x in Nb1 {path focus x --d2 --f1 --g3}"),
            ("path Nb1--d2--f1", "square to square", "piece x in Nb1 {path focus x --d2 --f1}"),
            ("path Nb1--d2--f1 check", "square to square", ""),
            ("Nb1d2f1g3", "square to square", "piece x in Nb1 {path focus x --d2 --f1 --g3}"),
            ("Nb1d2", "a move is written", "Nb1--d2"),
            ("Nb1--d2--f1", "square to square", "piece x in Nb1 {path focus x --d2 --f1}"),
            ("N-d2-f1 check", "square to square", "piece x in N {path focus x --d2 --f1} check"),
            ("Nb1-d2 Nd2-f1", "square to square", "piece x in Nb1 {path focus x --d2 --f1}"),
            ("Nbd2-f1-g3", "square to square", "piece x in Nb1-8 {path focus x --d2 --f1 --g3}"),
            ("Ta1-d1-d8", "square to square", "piece x in Ra1 {path focus x --d1 --d8}"),
            ("Sb1-d2-f1-g3", "square to square", "piece x in Nb1 {path focus x --d2 --f1 --g3}"),
            ("Sbd2-f1", "square to square", "piece x in Nb1-8 {path focus x --d2 --f1}"),
            ("Lf1-b5", "a move is written", "Bf1--b5"),
            ("path Dd1-h5 check", "a move is written", "path Qd1--h5 check"),
            ("a2-a4-a5", "square to square", "piece x in [Aa]a2 {path focus x --a4 --a5}"),
            ("e2-e4 e7-e5", "parts of a `path`", "path Pe2--e4 pe7--e5"),
            ("e2e4", "a move is written", "Pe2--e4"),
            ("e4xd5", "a move is written", "Pe4[x]d5"),
            ("d5xe4", "a move is written", "pd5[x]e4"),
            ("e2-e4", "a move of a pawn", "Pe2--e4"),
            ("not e7-e5 check", "a move of a pawn", "not pe7--e5 check"),
            ("path e2-e4", "a move of a pawn", "path Pe2--e4"),
            ("g1-f3", "a move is written", "g1--f3"),
            ("e5xd6 e.p.", "a capture en passant", "Pe5--d6(enpassant)"),
            ("not Nb1-c3", "a move is written", "not Nb1--c3"),
            ("mate or Ng1-f3 check", "a move is written", "mate or Ng1--f3 check"),
            ("find not Ra1-d1", "a move is written", "find not Ra1--d1"),
            ("not Pa2-c2", "a range each", "not Pa-c2"),
            ("Pa2-c2", "a range each", "Pa-c2"),
            ("_e4-h4", "a range each", "_e-h4"),
            ("Pa2-a4", "a move is written", "Pa2--a4"),
            ("Nb1-d2", "a move is written", "Nb1--d2"),
            ("1.e4 e5", "begin so", "san \"1.e4 e5\""),
            ("1.e4", "begin so", "san \"1.e4\""),
            ("1. e4 e5 1-0", "begin so", "san \"1.e4 e5\" result 1-0"),
            ("1. e4 e5 1/2-1/2", "begin so", "san \"1.e4 e5\" result 1/2-1/2"),
            ("1. e4 e5 1-0 or mate", "begin so", "{san \"1.e4 e5\" result 1-0} or mate"),
            ("1. e4 e5 *", "begin so", "san \"1.e4 e5\""),
            ("Nxe5 dxe5 0-1", "parts of a `path`", "{path N[x]e5 pd6[x]e5} result 0-1"),
            (
                "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
                "parts of a `path`",
                "path P--e4 p--e5 Q--h5 n--c6 B--c4 n--f6 Q[x]f7(mate)",
            ),
            ("Qd1 Qh5 Qxf7", "parts of a `path`", ""),
            ("12.Nf3 e5", "parts of a `path`", "path movenumber == 12 N--f3 p--e5"),
            ("1...Nf6", "parts of a `path`", "path movenumber == 1 n--f6"),
            ("Nf3!", "by Black `n--f3`", "N--f3"),
            ("Nf3!?", "by Black `n--f3`", "N--f3"),
            ("Nf3! Nc6", "path san", ""),
            ("R+4 v R+3", "both sides", "material \"KRPPPPKRPPP\""),
            ("R+2 v R", "both sides", "material \"KRPPKR\""),
            ("bishop pair", "White's", "{B>=2 b<=1}"),
            ("NxN", "by Black `n[x]N`", "N[x]n"),
            ("PxP", "by Black `p[x]P`", "P[x]p"),
            ("Nxe5", "by Black `n[x]e5`", "N[x]e5"),
            ("no Q or q", "neither", "not {Q or q}"),
            ("without Q q", "write `not Q not q`", "not Q not q"),
            ("no Q Rd1", "write `not Q`", "not Q Rd1"),
            ("date >= 1999.07", "double quotes", "date >= \"1999.07\""),
            ("opposite bishops", "on squares of different colors", "endgame \"opposite-bishops\""),
            ("order by elo", "`sort elo`", ""),
            ("K in center", "a king there", ""),
            ("Qd8=Q", "`P--d8=Q`", ""),
            ("not castled", "`initial not find castle`", ""),
            ("abs(eval) < .5", "hundredths of a pawn", "abs(eval) < 50"),
            ("eval > +1.5", "hundredths of a pawn", "eval > 150"),
            ("eval white > .5", "hundredths of a pawn", "eval white > 50"),
            ("eval 0.5", "`eval > 50`", ""),
            ("flipcolor Pe4,d4", "one on each", "flipcolor {Pe4 Pd4}"),
            ("shift Pe4,d4", "one on each", "shift {Pe4 Pd4}"),
            ("not empty d4,e4", "none of them", "not _[d4,e4]"),
            ("find empty d4,e4", "asks for each", "find {_d4 _e4}"),
            (
                "find Nbd2 Nf1 Ng3",
                "square to square",
                "find piece x in Nb1-8 {path focus x --d2 --f1 --g3}",
            ),
            (
                "flipcolor Bxh7+ Kxh7 Ng5+",
                "parts of a `path`",
                "flipcolor {path B[x]h7(check) k[x]h7 N--g5(check)}",
            ),
            ("Nb1d2 Nd2f1", "square to square", "piece x in Nb1 {path focus x --d2 --f1}"),
            ("Nbd2 Nf1 Ng3", "square to square", "piece x in Nb1-8 {path focus x --d2 --f1 --g3}"),
            ("Nbd7 Nc5", "moves of both sides are `path Nb1-8--d7 n--c5`", ""),
            ("path Nbd2 Nf1 Ng3", "square to square", ""),
            ("Qxf7+ Kd8", "`path Q[x]f7(check) k--d8`", ""),
            ("Rxc3 bxc3", "`flipcolor {…}` is for either side", "path R[x]c3 pb4[x]c3"),
            ("position after \"1.e4 e5\"", "`cql help 1.e4 e5`", "san \"1.e4 e5\""),
            ("after 1.e4 e5 check", "`cql help 1.e4 e5`", ""),
            ("after e4 Nf6 exd5", "`cql help", "san \"1.e4 Nf6 2.exd5\""),
            ("eval < .5", "hundredths of a pawn", "eval < 50"),
            ("eval > -.5", "hundredths of a pawn", "eval > -50"),
            ("SetUp == \"1\"", "`tag \"SetUp\" == \"1\"`", "tag \"SetUp\" == \"1\""),
            ("Mode == \"OTB\"", "`tag \"Mode\" == \"OTB\"`", "tag \"Mode\" == \"OTB\""),
            ("mode", "did you mean `move`", ""),
            ("Board != \"1\"", "`tag \"Board\"`", "tag \"Board\" != \"1\""),
            ("Result == \"1-0\"", "what is meant is `result 1-0`", "result 1-0"),
            ("White == \"Tal\"", "`player white \"Tal\"`", "player white \"Tal\""),
            ("Pd4a2b3", "`P[d4,a2,b3]` for any", "Pd4 Pa2 Pb3"),
            ("Pa2,b3", "`P[a2,b3]` for any", "Pa2 Pb3"),
            ("not Pa2,b3", "`P[a2,b3]` for any", "not {Pa2 Pb3}"),
            ("Pa2,b3 or Pa3", "`P[a2,b3]` for any", "{Pa2 Pb3} or Pa3"),
            ("Pa3 or Pa2,b3 check", "`P[a2,b3]` for any", "Pa3 or {Pa2 Pb3} check"),
            ("not check, mate", "`not {check mate}` not both", ""),
            ("check, not mate", "by blanks", "check not mate"),
            ("not check, not mate", "by blanks", "not check not mate"),
            ("#Pa2,b3 > 1", "a list in brackets", "#P[a2,b3] > 1"),
            ("Kg1,h1 check", "a list in brackets", "K[g1,h1] check"),
            ("empty[d4,e4]", "`_[d4,e4]` for any", "_d4 _e4"),
            ("empty d4, e4 check", "`_[d4,e4]` for any", "_d4 _e4 check"),
            ("empty d4-5 check", "`_d4-5` for any", "_d4 _d5 check"),
            ("a1-8 is empty", "`_a1-8` for any", "_a1-8 == 8"),
            ("empty e4", "the set of empty squares", "_e4"),
            ("material RPvR", "both sides", "material \"KRPKR\""),
            ("material R+P v R check", "both sides", "material \"KRPKR\" check"),
            ("material krpkr", "both sides", "material \"KRPKR\""),
            ("san 1.e4 e5", "in double quotes", "san \"1.e4 e5\""),
            ("wtm san e4 e5 check", "in double quotes", "wtm san \"1.e4 e5\" check"),
            ("path san Nf3 Nc6", "in double quotes", "path san \"Nf3 Nc6\""),
            ("KRPPKR", "`flipcolor {material \"KRPPKR\"}`", "material \"KRPPKR\""),
            ("KRKR", "a condition: `material \"KRKR\"`", "material \"KRKR\""),
            ("RP:R", "either color", "material \"KRPKR\""),
            ("R+2P v R", "either color", "material \"KRPPKR\""),
            ("R + 2P vs R check", "either color", "material \"KRPPKR\" check"),
            ("R and P vs R", "either color", "material \"KRPKR\""),
            ("R and P v R check", "either color", "material \"KRPKR\" check"),
            ("N and B vs R", "are a condition", "material \"NB:R\""),
            ("R with P vs R", "either color", "material \"KRPKR\""),
            ("check and R and P vs R", "either color", "check and material \"KRPKR\""),
            ("R vs R and P", "both sides", "material \"KRKRP\""),
            ("B+N v nothing", "are a condition", "material \"BN:\""),
            ("B v N check", "are a condition", "material \"B:N\" check"),
            ("wtm 3P v 2P", "either color", "wtm material \"KPPPKPP\""),
            ("ND5 check", "small letters", "Nd5 check"),
            ("d5N", "the piece stands first", "Nd5"),
            ("d5=N", "without a sign: `Nd5`", "Nd5"),
            ("d5 = N check", "without a sign: `Nd5`", "Nd5 check"),
            ("e8=Q", "`P--e8=Q`", "P--e8=Q"),
            ("Pe7-e8=Q", "a move is written", "Pe7--e8=Q"),
            ("P--e9=Q", "there is no such square", ""),
            ("clock < 0:30", "in seconds: `30`", "clock < 30"),
            ("clock < 1:30:00 check", "in seconds: `5400`", "clock < 5400 check"),
            ("clock < \"0:30\"", "in seconds: `30`", "clock < 30"),
            ("clock < 30 seconds", "without a word", ""),
            ("eval < 1,5", "numbers have no fraction", ""),
            ("date > 2020-01-31", "dates are texts", "date > \"2020.01.31\""),
            ("2020-1 <= date", "dates are texts", "\"2020.01\" <= date"),
            ("date > 2020", "`year` is a number", "year > 2020"),
            ("date > 2020-13", "`year` is a number", ""),
            ("result = 1-0", "`result 1-0`", "result 1-0"),
            ("result = white", "`result 1-0`", "result 1-0"),
            ("result == draw", "`result 1/2-1/2`", "result 1/2-1/2"),
            ("result = won", "others are found", ""),
            ("result =", "`result 1/2-1/2`", "result 1/2-1/2"),
            ("clk < 30", "`clock`", "clock < 30"),
            ("emt < 30", "`elapsed`", "elapsed < 30"),
            ("time < 30", "`clock` is the time left", ""),
            ("like \"x\"", "`likeness(\"FEN\")`", ""),
            ("mirror {Ka1}", "`flipvertical", ""),
            ("O-O-O check", "`Ke1--c1` that of White", "o-o-o check"),
            ("O-O", "`Ke1--g1` that of White", "o-o"),
            ("Q-R", "both sides are `material \"Q:R\"`", ""),
            ("Q-Rd8", "a move is written", "Q--Rd8"),
            ("R+P-R", "both sides", "material \"KRPKR\""),
            ("KRP-KR check", "both sides", "material \"KRPKR\" check"),
            ("mate in 3", "finds where it was played", "path --{5} mate"),
            ("#2", "`cql cookbook mate in two` proves it", "path --{3} mate"),
            ("wtm and #3 btm", "finds where it was played", "wtm and {path --{5} mate} btm"),
            ("#2 > 1", "", ""),
            ("# 2", "", ""),
            ("wKe1", "capital letters", "Ke1"),
            ("bPd5", "capital letters", "pd5"),
            ("bQ", "capital letters", "q"),
            ("white_elo > 2400", "`elo white`", "elo white > 2400"),
            ("2400 < BlackRating", "`elo black`", "2400 < elo black"),
            ("time_control", "`tag \"TimeControl\"`", "tag \"TimeControl\""),
            ("checkmate in 3", "finds where it was played", "path --{5} mate"),
            ("mated in 2", "`path --{4} mate` with one of the loser", ""),
            ("mate in three moves wtm", "finds where it was played", "{path --{5} mate} wtm"),
            ("not checkmate in two", "`cql cookbook mate in two` proves it", "not path --{3} mate"),
            ("exd6 e.p.", "a capture en passant", "Pe5--d6(enpassant)"),
            ("find dxe3 ep check", "a capture en passant", "find pd4--e3(enpassant) check"),
            ("the", "must be assigned before", ""),
            ("can mate", "must be assigned before", ""),
            ("promote e8", "`currentmove P--=Q`", ""),
        ] {
            let (mut text, parsed) = parse_body(query);
            let [only] = &parsed.diagnostics[..] else {
                wrong.push(format!("{query}: {:?}", parsed.diagnostics));
                continue;
            };
            let found = only.help.as_deref().unwrap_or_default();
            let mut expected = String::new();
            if let Some(edit) = &only.edit {
                let place = edit.span.start as usize..edit.span.end as usize;
                text.replace_range(place, &edit.text);
                expected = text.replacen("cql() ", "", 1);
            }
            if !found.contains(help) || expected != mended {
                wrong.push(format!("{query}: {found}: {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
