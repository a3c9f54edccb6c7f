//! Words that do not belong to the language: those of other programs with an equivalent in CQL, and
//! terms of chess that CQL can describe.

use crate::designator::PieceSet;
use crate::library::Theme;
use crate::parse::error::{are_swapped, distance, is_slip, nearest};
use crate::parse::parser::Parser;

/// A page of the cookbook, the title of a recipe, and the words that it answers, with blanks between.
type Recipe = (&'static str, &'static str, &'static str);

/// Answer to a term of chess or a word of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The recipe of the cookbook with this title.
    Recipe(&'static str),
    /// Advice, with the text in CQL if it has exactly the same meaning.
    Advice(&'static str, Option<&'static str>),
}

/// Returns the terms that the parser answers. Those of an answer are in lower case, with blanks
/// between them.
pub fn terms() -> impl Iterator<Item = (&'static str, Answer)> {
    let recipes = RECIPES.iter().map(|(_, title, words)| (*words, Answer::Recipe(title)));
    recipes.chain(SYNONYMS.iter().map(|(words, help, cql)| (*words, Answer::Advice(help, *cql))))
}

/// Terms of chess without a word in CQL. They are in lower case, without blanks.
const RECIPES: &[Recipe] = crate::rows! {
    "tactics", "Knight fork", "fork forks knightfork";
    "tactics", "Pawn fork", "pawnfork";
    "tactics", "Skewer", "skewer skewers";
    "tactics", "Discovered attack", "discoveredattack";
    "tactics", "Discovered check", "discoveredcheck discovered";
    "tactics", "Double check", "doublecheck";
    "tactics", "Overloaded piece", "overload overloaded overloading";
    "tactics", "Removing the guard", "removingtheguard";
    "tactics", "Decoy into mate", "decoy";
    "tactics", "Deflection of the queen", "deflection";
    "tactics", "Interference", "interference";
    "tactics", "Zwischenzug", "zwischenzug intermezzo inbetweenmove";
    "tactics", "Windmill", "windmill";
    "tactics", "Cross-check", "crosscheck";
    "tactics", "Desperado", "desperado";
    "tactics", "Greek gift", "greekgift";
    "tactics", "Exchange sacrifice", "exchangesacrifice exchangesac sacrifice sac";
    "tactics", "Queen sacrifice that is not mate at once", "queensacrifice";
    "tactics", "Two queens hanging", "enprise";
    "tactics", "Trapped piece", "trapped";
    "tactics", "Rook lift", "rooklift";
    "tactics", "Alekhine's gun", "alekhinesgun";
    "endgames", "Lucena's position", "lucena";
    "endgames", "Philidor's defense", "philidor";
    "endgames", "Wrong bishop", "wrongbishop";
    "endgames", "Opposite-colored bishops",
        "oppositecoloredbishops oppositecolouredbishops";
    "endgames", "Underpromotion", "underpromotion";
    "endgames", "Opposition", "opposition";
    "endgames", "A zugzwang to look at", "zugzwang";
    "endgames", "Mutual zugzwang: the trébuchet", "mutualzugzwang trebuchet";
    "endgames", "Fortress", "fortress";
    "endgames", "Outside passed pawn", "outsidepassedpawn";
    "mates", "Back rank", "backrank backrankmate";
    "mates", "Smothered mate", "smothered smotheredmate";
    "mates", "Epaulette mate", "epaulette";
    "mates", "Mate in two", "matein2 mateintwo";
    "mates", "The king hunted across the board", "kinghunt";
    "metadata", "Lost on time", "lostontime losesontime timeforfeit flagged flag flagfall timeout";
    "openings", "A gambit", "gambit";
    "openings", "Knight maneuver of the Ruy Lopez",
        "maneuver manoeuvre knightmaneuver knightmanoeuvre";
    "openings", "Both bishops in fianchetto", "fianchetto";
    "structures", "Isolated queen's pawn", "isolani iqp isolatedqueenpawn isolatedqueenspawn";
    "structures", "Hanging pawns", "hangingpawns";
    "structures", "Backward pawn", "backwardpawn backwardpawns";
    "structures", "Protected passed pawn", "protectedpassedpawn protectedpassedpawns";
    "structures", "Hedgehog", "hedgehog";
    "structures", "Stonewall", "stonewall";
    "structures", "Minority attack", "minorityattack";
    "structures", "Pawn storm", "pawnstorm";
    "structures", "French chain", "pawnchain";
    "structures", "Tripled pawns", "tripledpawns";
    "structures", "Opposite castling",
        "oppositecastling oppositesidecastling oppositesidescastling";
    "structures", "Knight on an outpost", "outpost outposts knightoutpost";
    "structures", "Doubled rooks on an open file", "openfile doubledrooks";
    "structures", "A wing without pawns", "halfopenfile semiopenfile";
    "statistics", "En passant refused", "enpassantrefused";
    "statistics", "Mobility", "mobility";
    "statistics", "Queens exchanged early",
        "queentrade queentrades queenexchange queensexchanged tradequeens";
    "statistics", "Greatest imbalance that still won", "imbalance";
    "studies", "Switchback", "switchback";
    "studies", "March of the king", "kingwalk kingmarch kingswalk";
    "studies", "Excelsior", "excelsior";
    "studies", "Novotny", "novotny";
    "studies", "Clearance along a line", "bristol";
    "studies", "Domination", "domination";
};

/// Whether a word is one of those with blanks between.
pub(in crate::parse) fn has(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

impl Parser<'_> {
    /// Whether the token is a name in a list of words with blanks between, in any letters.
    pub(super) fn is_one_of(&self, at: usize, words: &str) -> bool {
        self.name_at(at).is_some_and(|name| has(words, &name.to_ascii_lowercase()))
    }
}

/// Returns the reference to the cookbook's query for a term of chess, or to its theme.
pub(super) fn concept(name: &str) -> Option<String> {
    let plain = name.replace('_', "").to_ascii_lowercase();
    let recipe = RECIPES.iter().find(|(_, _, words)| has(words, &plain));
    let recipe = recipe.map(|(_, title, _)| {
        format!("a query: \"{title}\" in the cookbook (`cql cookbook {}`)", plain_title(title))
    });
    let theme = Theme::named(&plain).map(|_| format!("a theme: `theme(\"{plain}\")`"));
    let found: Vec<String> = recipe.into_iter().chain(theme).collect();
    let found = (!found.is_empty()).then(|| found.join(", and "))?;
    Some(format!("there is no filter for that, but {found}"))
}

/// Returns the reference for the term of chess that a name misspells: `skewr`.
pub(super) fn near_concept(name: &str) -> Option<String> {
    let words = RECIPES.iter().flat_map(|(_, _, words)| words.split(' '));
    let near = nearest(name, words).filter(|near| is_slip(name, near))?;
    Some(format!("did you mean `{near}`? {}", concept(near)?))
}

/// Returns a title in words that no shell must quote.
pub fn plain_title(title: &str) -> String {
    let letters = title.chars().filter(|c| c.is_alphanumeric() || " -".contains(*c));
    letters.collect::<String>().to_lowercase()
}

/// Words of others with blanks between, the help, and the replacement if it has exactly the same
/// meaning.
type Synonym = (&'static str, &'static str, Option<&'static str>);

/// Words of other programs and of chess players, with the CQL for each. They are in lower case;
/// several words are joined without blanks.
const SYNONYMS: &[Synonym] = crate::rows! {
    "checkmate checkmated ismate ischeckmate mated", "mate is `mate`", Some("mate");
    "checks checking",
        "`check` is true where the king of the side to move is attacked; `A -> k` are the white pieces that give check",
        None;
    "materialbalance materialdifference materialcount balance",
        "`power A` is the material of White in pawns, `power A - power a` the difference", None;
    "similar similarity alike like",
        "`likeness(\"FEN\")` is how much a position is like another, from 0 to 100; `cql like` searches for the most similar ones",
        None;
    "mirror mirrored reflect reflection",
        "`flipvertical {F}` is F or its mirror image, with the a-file and the h-file exchanged; `flipcolor {F}` exchanges colors",
        None;
    "clk timeleft", "the time left, in seconds, is `clock`", Some("clock");
    "emt timeused", "the time used for a move, in seconds, is `elapsed`", Some("elapsed");
    "time",
        "`clock` is the time left, `elapsed` the time used for a move, both in seconds: `clock < 30`",
        None;
    "second seconds secs minute minutes",
        "times are in seconds, without a word after the number: `clock < 30`", None;
    "whitemates", "White has mated where there is `btm mate`", Some("{btm mate}");
    "blackmates", "Black has mated where there is `wtm mate`", Some("{wtm mate}");
    "lastposition finalposition", "the last position of a game is where `terminal` is true",
        Some("terminal");
    "lastmove prevmove previousmove lastplayed",
        "the move that led here is `previous`: `previous Q--f7`", Some("previous");
    "moved moves", "`Q--` is a move of a queen from here, `previous Q--` the one that led here",
        None;
    "nevermoved nevermoves unmoved notmoved hasnotmoved",
        "`not find <-- previous K--` holds until the white king moves; a piece stands before the dash",
        None;
    "never", "`not find F` holds where F holds nowhere from here on, `not find <-- F` where it has not held so far",
        None;
    "incheck ischeck", "check is `check`", Some("check");
    "isstalemate", "stalemate is `stalemate`", Some("stalemate");
    "castling castles castled", "castling is the filter `castle`", Some("castle");
    "castleshort castlesshort shortcastle shortcastling castlekingside castleskingside \
         kingsidecastling castlingkingside castlingshort",
        "castling on the king's side is `o-o`", Some("o-o");
    "castlelong castleslong longcastle longcastling castlequeenside castlesqueenside \
         queensidecastling castlingqueenside castlinglong",
        "castling on the queen's side is `o-o-o`", Some("o-o-o");
    "en_passant enpassent ep", "that is the filter `enpassant`", Some("enpassant");
    "promotion promotes promoted promoting",
        "a promotion is a move with `=`: `--=A` to any piece, `--=N` to a knight", Some("--=A");
    "above exceeds", "write `>`", Some(">");
    "below", "write `<`", Some("<");
    "winner loser",
        "the result is a condition, and so is the player: `player white \"Tal\" result 1-0`", None;
    "whitetomove whitesturn whitemoves", "White to move is `wtm`",
        Some("wtm");
    "blacktomove blacksturn blackmoves", "Black to move is `btm`",
        Some("btm");
    "whitewins whitewon winswhite wonwhite wonbywhite blackloses blacklost",
        "White has won where there is `result 1-0`", Some("result 1-0");
    "blackwins blackwon winsblack wonblack wonbyblack whiteloses whitelost",
        "Black has won where there is `result 0-1`", Some("result 0-1");
    "isdraw", "a drawn game is `result 1/2-1/2`; positions are `stalemate`, `{repetition >= 2}` and others",
        None;
    "draw drawn gamedrawn drawngame", "a drawn game is `result 1/2-1/2`",
        Some("result 1/2-1/2");
    "rating", "the rating is `elo`, `elo white` or `elo black`", Some("elo");
    "whiteelo whiterating elowhite ratingwhite", "the rating of White is `elo white`",
        Some("elo white");
    "blackelo blackrating eloblack ratingblack", "the rating of Black is `elo black`",
        Some("elo black");
    "rookendgame rookending rookendgames", "an ending of rooks is `endgame \"rook\"`",
        Some("endgame \"rook\"");
    "queenendgame queenending queenendgames", "an ending of queens is `endgame \"queen\"`",
        Some("endgame \"queen\"");
    "bishopendgame bishopending bishopendgames", "an ending of bishops is `endgame \"bishop\"`",
        Some("endgame \"bishop\"");
    "knightendgame knightending knightendgames", "an ending of knights is `endgame \"knight\"`",
        Some("endgame \"knight\"");
    "pawnendgame pawnending pawnendgames", "an ending of pawns is `endgame \"pawn\"`",
        Some("endgame \"pawn\"");
    "oppositebishops oppositebishopsendgame oppositebishopsending oppositebishopending \
         oppositecolorbishops oppositecolorbishopsending oppositecolorbishopsendgame \
         oppositecoloredbishopsending oppositecoloredbishopsendgame", "each side has one bishop, on squares of different colors: `endgame \"opposite-bishops\"`",
        Some("endgame \"opposite-bishops\"");
    "orderby sortby order", "`sort` puts games in order, the greatest value first: `sort elo`", None;
    "center centre", "squares are written by files and ranks: `d-e4-5` is the center, `Kd-e4-5` a king there",
        None;
    "open", "a file is open without pawns on it: `not [Pp]a1-8`; openings have their names: \
             `opening \"Open Game\"`", None;
    "endgames ending endings",
        "endings are known by their pieces: `endgame \"rook\"`; the last phase is `phase \"endgame\"`",
        None;
    "middlegame middlegames", "the middlegame is `phase \"middlegame\"`",
        Some("phase \"middlegame\"");
    "vs versus against",
        "both sides are conditions: `R r not [QqBbNn]`, by number `R==1 r==1`, or `material \"KRPKR\"`",
        None;
    "bishoppair twobishops pairofbishops",
        "White's pair of bishops is a condition: two of them, against at most one; `flipcolor {…}` is for either side", Some("{B>=2 b<=1}");
    "and_ &&", "write `and`", Some("and");
    "len length size", "`#F` is the number of squares or the length of F", Some("#");
    "movenum move_number moveno", "write `movenumber`", Some("movenumber");
    "nothing empty", "`_` is the set of empty squares", Some("_");
    "king kings roi konig rey", "kings are `K` and `k`; both are `[Kk]`", None;
    "queen queens dame dames reine", "queens are `Q` (White) and `q` (Black); both are `[Qq]`",
        None;
    "rook rooks tour turm torre", "rooks are `R` (White) and `r` (Black); both are `[Rr]`", None;
    "bishop bishops fou laufer alfil", "bishops are `B` (White) and `b` (Black); both are `[Bb]`",
        None;
    "knight knights cavalier springer caballo",
        "knights are `N` (White) and `n` (Black); both are `[Nn]`", None;
    "pawn pawns pion pions bauer peon", "pawns are `P` (White) and `p` (Black); both are `[Pp]`",
        None;
    "for foreach each every some exists", "write `square x in S F` or `piece x in S F`", None;
    "elif elseif", "write `else if`", None;
    "let var const", "an assignment has no word before it: `x = 3`", None;
    "print echo_ printf log", "`message(…)` prints to the screen, `comment(…)` into the game", None;
    "return", "the last filter between braces is the value of a function", None;
    "takes captures_ captured taken capturing",
        "a capture is a move with `[x]`: `R[x]n`; `[x]Ra1` takes the rook on a1 next, and \
         `previous [x]` led here",
        None;
    "ischecked attacked_by", "write `X attacks Y`", None;
    "piecesat pieceat pieceon pieceson squareat",
        "the pieces on a square are written with it: `[Aa]d4`, `Nd4` for a white knight, and `pieceid d4` \
         tells which piece it is",
        None;
    "glyph glyphs annotation", "`nag` is the number of the first sign of the move: `nag == 3` for `!!`; \
         `originalcomment \"!!\"` finds the sign among all", None;
    "nor", "neither of two is `not F not G`", None;
    "when", "filters beside each other hold in the same position: `mate wtm`", None;
    "xor", "write `{A not B} or {B not A}`", None;
    "round", "no filter reads the round; `--columns` shows tags such as \"Round\"", None;
    "openingname nameofopening", "the name of the opening is `opening`",
        Some("opening");
    "hangs ishanging", "what hangs is `hanging`", Some("hanging");
    "threefold threefoldrepetition repeated repetitions",
        "`repetition` is how often the position occurred before: two times are a threefold repetition",
        Some("{repetition >= 2}");
    "syzygy tablebases wdl",
        "`tablebase` is the result in Syzygy tables, from -2 for a loss to 2 for a win",
        Some("tablebase");
    "elodifference ratingdifference ratingdiff elodiff",
        "`elo white - elo black` is the difference of the ratings, `abs (elo white - elo black)` that of \
         either color", None;
    "averageelo averagerating meanelo avgelo eloaverage avgrating meanrating",
        "more than 2600 on average is `elo white + elo black > 5200`", None;
    "resignation resigned resigns",
        "a decisive game that ends without mate is \
         `terminal not mate {result 1-0 or result 0-1}`; the tag \"Termination\" says in some files whether time ran out",
        None;
    "dtm distancetomate",
        "Syzygy tables have no distance to mate; `dtz` is the one to the next capture or pawn move",
        None;
    "pieces men piececount",
        "`[Aa]` are all pieces of both sides, `A` those of White; `[Aa] == 10` counts them", None;
    "pinned pins", "`pin` finds pins: `pin through N` are the pinned knights", None;
};

/// Names of tags without a filter of their own. A test of `compiler` compares them with
/// `pgn::FREQUENT_TAGS`, of which this crate knows nothing.
const TAGS: &str = "Annotator BlackFideId BlackRatingDiff BlackTeam BlackTitle EventType Mode \
    Opening PlyCount SetUp Source SourceTitle Termination TimeControl UTCDate UTCTime Variation WhiteFideId \
    WhiteRatingDiff WhiteTeam WhiteTitle";

/// Returns the tag with this name, in any letters, also as `time_control`.
pub(in crate::parse) fn tag(name: &str) -> Option<&'static str> {
    // In small letters, these are rather a misspelled `move`, and the setup of an opening.
    let is_other = |tag: &str| matches!(tag, "Mode" | "SetUp") && name == tag.to_ascii_lowercase();
    let plain = name.replace('_', "");
    TAGS.split(' ').find(|tag| tag.eq_ignore_ascii_case(&plain) && !is_other(tag))
}

/// Returns the meanings of a color whose word is not written in small letters.
pub(in crate::parse) fn side(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "white" => Some(
            "`wtm` is White to move, `A` are White's pieces, `result 1-0` is White's win; \
             `player white` and `elo white` ask for the player",
        ),
        "black" => Some(
            "`btm` is Black to move, `a` are Black's pieces, `result 0-1` is Black's win; \
             `player black` and `elo black` ask for the player",
        ),
        _ => None,
    }
}

/// Returns the CQL for a word of others: the help, and the replacement if it has exactly the same
/// meaning.
pub(crate) fn synonym(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let lower = name.to_ascii_lowercase();
    let row = |word: &str| SYNONYMS.iter().find(|(words, ..)| has(words, word));
    // as in `white_elo`
    let row = row(&lower).or_else(|| row(&lower.replace('_', "")))?;
    Some((row.1, row.2))
}

/// Returns the CQL for several joined words, even if they are misspelled where that may be.
pub(in crate::parse) fn phrase(
    joined: &str,
    may_be_misspelled: bool,
) -> Option<(&'static str, Option<&'static str>)> {
    /// Minimum length of a misspelled word; shorter ones resemble too many others.
    const LONG: usize = 8;
    synonym(joined).or_else(|| {
        let words = SYNONYMS.iter().flat_map(|(words, ..)| words.split(' '));
        let words = words.filter(|word| word.len() >= LONG);
        let near = nearest(joined, words).filter(|_| may_be_misspelled && joined.len() >= LONG)?;
        // Two other letters are two other words: `white mates`.
        let is_near = are_swapped(joined, near) || joined.len() != near.len();
        synonym(near).filter(|_| is_near || distance(joined, near) == 1)
    })
}

/// Whether a word compares a text with the string after it in other languages:
/// `player contains "Tal"`.
pub(super) fn is_comparing(name: &str) -> bool {
    const WORDS: &str = "contains contain includes include is like ilike equals has matches";
    has(WORDS, &name.to_ascii_lowercase()) || is_of_patterns(name) || is_of_ends(name)
}

/// Whether a word compares a text with the regular expression after it in other languages.
pub(super) fn is_of_patterns(name: &str) -> bool {
    has("regexp regex rlike matching", &name.to_ascii_lowercase())
}

/// Whether a word compares the beginning or the end of a text in other languages.
pub(super) fn is_of_ends(name: &str) -> bool {
    let plain = name.to_ascii_lowercase().replace('_', "");
    has("startswith beginswith endswith", &plain)
}

/// Words between two sides or players.
pub const AGAINST: [&str; 4] = ["against", "versus", "vs", "v"];

/// Whether a word stands between two sides or players.
pub(super) fn is_against(word: &str) -> bool {
    AGAINST.contains(&&*word.to_ascii_lowercase())
}

/// Words that sentences have and queries do not, and that carry nothing of the question.
const LITTLE: &str = "an are by did do does game games give has have how is list longer many me more \
    most much my of on played player's players please search shorter show than that the there want \
    was were what when where which who whose with without";

/// Other words of English sentences.
const OF_SENTENCES: &str = "a any as at be but can could for from had her his its it no off one our \
    out put set she should so some their them they this those to two up us we will would you";

/// Whether a word carries little of a question.
pub(super) fn is_little(word: &str) -> bool {
    has(LITTLE, &word.to_lowercase())
}

/// Whether a word is one of English sentences, which is no misspelled word of the language.
pub(in crate::parse) fn is_of_sentences(name: &str) -> bool {
    is_little(name) || has(OF_SENTENCES, &name.to_lowercase())
}

/// Names of the pieces, and the sets of those of both sides.
pub const PIECES: [(&str, &str); 6] = [
    ("king", "[Kk]"),
    ("queen", "[Qq]"),
    ("rook", "[Rr]"),
    ("bishop", "[Bb]"),
    ("knight", "[Nn]"),
    ("pawn", "[Pp]"),
];

/// Returns the set of the pieces of both sides that an English word names: `[Qq]`.
pub(crate) fn men(name: &str) -> Option<&'static str> {
    let lower = name.to_ascii_lowercase();
    let one = lower.strip_suffix('s').unwrap_or(&lower);
    PIECES.iter().find(|(name, _)| *name == one).map(|(_, both)| *both)
}

/// Whether a word is one for promotions, as others write them.
pub(crate) fn is_promotion(word: &str) -> bool {
    synonym(word).is_some_and(|(_, text)| text == Some("--=A"))
}

/// Letters of the pieces to which pawns are promoted.
const PROMOTED: &str = "QRBN";

/// Returns the letter of the piece to which a pawn is promoted, from its English word or its letter.
pub(in crate::parse) fn promotion(word: &str) -> Option<&str> {
    let letter = men(word).map_or(word, |both| &both[1..2]);
    (letter.len() == 1 && PROMOTED.contains(letter)).then_some(letter)
}

/// Returns the letter of the piece to which a pawn is promoted, from the pieces of a designator.
pub(crate) fn promoted(pieces: PieceSet) -> Option<char> {
    let is_one = |letter: &u8| {
        PieceSet::from_letter(*letter).is_some_and(|one| one.roles() == pieces.roles())
    };
    PROMOTED.bytes().find(is_one).map(char::from)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;
    use crate::builtin::Keyword;

    #[test]
    fn recipes_are_in_the_cookbook() {
        let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/cookbook");
        for (page, title, words) in RECIPES {
            let text = fs::read_to_string(book.join(format!("{page}.md"))).expect("a page");
            let heading = format!("\n## {title}\n");
            assert!(text.contains(&heading), "{page}: {title}");
            for word in words.split(' ') {
                let is_keyword = Keyword::ALL.iter().any(|keyword| keyword.text() == word);
                assert!(!is_keyword, "{word} is a word of the language");
                assert!(concept(word).is_some_and(|help| help.contains(title)), "{word}");
            }
        }
        // `last position` means something else than the word, which is used in paths only.
        let is_apart = |word: &&str| *word != "lastposition";
        for word in SYNONYMS.iter().flat_map(|(words, ..)| words.split(' ')).filter(is_apart) {
            let keyword = Keyword::from_text(word);
            assert_eq!(keyword, None, "{word} is a word of the language");
        }
        let help = |joined| phrase(joined, true).map(|(help, _)| help).unwrap_or_default();
        assert!(help("nevermoved").contains("`not find <-- previous K--`"));
        assert!(help("never").contains("`not find F`"));
        assert_eq!(concept("mate"), None);
        assert_eq!(concept("Double_Check"), concept("doublecheck"));
        assert!(concept("windmill").is_some_and(|help| help.contains("`theme(\"windmill\")`")));
    }
}
