//! Words that are none of the language: those of others for what CQL has, and those of chess for
//! what CQL describes.

/// A page of the cookbook, the title of a recipe, and the words that ask for it.
type Recipe = (&'static str, &'static str, &'static [&'static str]);

/// What chess has a word for and CQL has not. Words are in small letters, without blanks.
const RECIPES: &[Recipe] = &[
    ("tactics", "Knight fork", &["fork", "forks", "knightfork"]),
    ("tactics", "Pawn fork", &["pawnfork"]),
    ("tactics", "Skewer", &["skewer", "skewers"]),
    ("tactics", "Discovered attack", &["discoveredattack"]),
    (
        "tactics",
        "Discovered check",
        &["discoveredcheck", "discovered"],
    ),
    ("tactics", "Double check", &["doublecheck"]),
    (
        "tactics",
        "Overloaded piece",
        &["overload", "overloaded", "overloading"],
    ),
    ("tactics", "Removing the guard", &["removingtheguard"]),
    ("tactics", "Decoy into mate", &["decoy"]),
    ("tactics", "Deflection of the queen", &["deflection"]),
    ("tactics", "Interference", &["interference"]),
    (
        "tactics",
        "Zwischenzug",
        &["zwischenzug", "intermezzo", "inbetweenmove"],
    ),
    ("tactics", "Windmill", &["windmill"]),
    ("tactics", "Cross-check", &["crosscheck"]),
    ("tactics", "Desperado", &["desperado"]),
    ("tactics", "Greek gift", &["greekgift"]),
    (
        "tactics",
        "Exchange sacrifice",
        &["exchangesacrifice", "sacrifice", "sac"],
    ),
    (
        "tactics",
        "Queen sacrifice that is not mate at once",
        &["queensacrifice"],
    ),
    ("tactics", "Two queens hanging", &["hanging", "enprise"]),
    ("tactics", "Trapped piece", &["trapped"]),
    ("tactics", "Alekhine's gun", &["battery", "alekhinesgun"]),
    ("endgames", "Lucena's position", &["lucena"]),
    ("endgames", "Philidor's defense", &["philidor"]),
    ("endgames", "Wrong bishop", &["wrongbishop"]),
    (
        "endgames",
        "Opposite-colored bishops",
        &["oppositebishops", "oppositecoloredbishops"],
    ),
    ("endgames", "Underpromotion", &["underpromotion"]),
    ("endgames", "Opposition", &["opposition"]),
    ("endgames", "A zugzwang to look at", &["zugzwang"]),
    (
        "endgames",
        "Mutual zugzwang: the trébuchet",
        &["mutualzugzwang", "trebuchet"],
    ),
    ("endgames", "Fortress", &["fortress"]),
    ("endgames", "Outside passed pawn", &["outsidepassedpawn"]),
    ("mates", "Back rank", &["backrank", "backrankmate"]),
    ("mates", "Smothered mate", &["smothered", "smotheredmate"]),
    ("mates", "Epaulette mate", &["epaulette"]),
    ("openings", "A gambit", &["gambit"]),
    ("openings", "Both bishops in fianchetto", &["fianchetto"]),
    ("structures", "Isolated queen's pawn", &["isolani", "iqp"]),
    ("structures", "Hanging pawns", &["hangingpawns"]),
    (
        "structures",
        "Backward pawn",
        &["backwardpawn", "backwardpawns"],
    ),
    ("structures", "Hedgehog", &["hedgehog"]),
    ("structures", "Stonewall", &["stonewall"]),
    ("structures", "Minority attack", &["minorityattack"]),
    ("structures", "Pawn storm", &["pawnstorm"]),
    ("structures", "French chain", &["pawnchain"]),
    ("structures", "Tripled pawns", &["tripledpawns"]),
    ("structures", "Opposite castling", &["oppositecastling"]),
    (
        "structures",
        "Doubled rooks on an open file",
        &["openfile", "doubledrooks"],
    ),
    (
        "structures",
        "A wing without pawns",
        &["halfopenfile", "semiopenfile"],
    ),
    ("statistics", "Mobility", &["mobility"]),
    (
        "statistics",
        "Greatest imbalance that still won",
        &["imbalance"],
    ),
    ("studies", "Switchback", &["switchback"]),
    ("studies", "Excelsior", &["excelsior"]),
    ("studies", "Novotny", &["novotny"]),
    ("studies", "Domination", &["domination"]),
];

/// Where the cookbook has a query for a word of chess.
pub(super) fn concept(name: &str) -> Option<String> {
    let plain = name.replace('_', "").to_ascii_lowercase();
    if let "repetition" | "threefold" | "threefoldrepetition" = plain.as_str() {
        let help = "there is no filter for that; `echo` and `find` compare positions: \
                    `find <-- {…}` looks back in the game";
        return Some(help.to_owned());
    }
    let (page, title, _) = RECIPES
        .iter()
        .find(|(_, _, words)| words.contains(&plain.as_str()))?;
    Some(format!(
        "there is no filter for that, but a query: \"{title}\" in the cookbook, docs/src/cookbook/{page}.md"
    ))
}

/// Words that others use, and what CQL has for them: the advice, and the text in their place
/// where it is the same thing.
pub(super) fn synonym(name: &str) -> Option<(&'static str, Option<&'static str>)> {
    let lower = name.to_ascii_lowercase();
    let (help, text) = match lower.as_str() {
        "checkmate" | "checkmated" | "ismate" | "is_mate" | "mated" => ("mate is `mate`", "mate"),
        "incheck" | "in_check" | "ischeck" | "is_check" => ("check is `check`", "check"),
        "isstalemate" | "is_stalemate" => ("stalemate is `stalemate`", "stalemate"),
        "castling" | "castles" | "castled" => ("castling is the filter `castle`", "castle"),
        "en_passant" | "enpassent" | "ep" => ("that is the filter `enpassant`", "enpassant"),
        "promotion" | "promotes" | "promoted" | "promoting" => {
            ("a promotion is a move with `=`: `--=Q`", "--=A")
        }
        "whitetomove" | "white_to_move" | "whites_turn" => ("White to move is `wtm`", "wtm"),
        "blacktomove" | "black_to_move" | "blacks_turn" => ("Black to move is `btm`", "btm"),
        "rating" => ("the rating is `elo`, `elo white` or `elo black`", "elo"),
        "and_" | "&&" => ("write `and`", "and"),
        "len" | "length" | "size" => ("`#F` is the number of squares or the length of F", "#"),
        "movenum" | "move_number" | "moveno" => ("write `movenumber`", "movenumber"),
        "nothing" | "empty" => ("`_` is the set of empty squares", "_"),
        _ => {
            let help = match lower.as_str() {
                "king" => "kings are `K` and `k`; both are `[Kk]`",
                "queen" | "queens" => "queens are `Q` (White) and `q` (Black); both are `[Qq]`",
                "rook" | "rooks" => "rooks are `R` (White) and `r` (Black); both are `[Rr]`",
                "bishop" | "bishops" => "bishops are `B` (White) and `b` (Black); both are `[Bb]`",
                "knight" | "knights" => "knights are `N` (White) and `n` (Black); both are `[Nn]`",
                "pawn" | "pawns" => "pawns are `P` (White) and `p` (Black); both are `[Pp]`",
                "for" | "foreach" | "each" | "every" | "some" | "exists" => {
                    "write `square x in S F` or `piece x in S F`"
                }
                "elif" | "elseif" => "write `else if`",
                "let" | "var" | "const" => "an assignment has no word before it: `x = 3`",
                "print" | "echo_" | "printf" | "log" => {
                    "`message(…)` prints to the screen, `comment(…)` into the game"
                }
                "return" => "the last filter between braces is the value of a function",
                "draw" | "drawn" => "a drawn game is `result 1/2-1/2`",
                "takes" | "captures_" => "captures are written `L[x]R`",
                "ischecked" | "attacked_by" => "write `X attacks Y`",
                "xor" => "write `{A not B} or {B not A}`",
                "opening" => "the opening is known by its code: `eco \"C65\"`",
                "pinned" | "pins" => "`pin` finds pins: `pin through N` are the pinned knights",
                _ => return None,
            };
            return Some((help, None));
        }
    };
    Some((help, Some(text)))
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
            for word in *words {
                let is_keyword = Keyword::ALL.iter().any(|keyword| keyword.text() == *word);
                assert!(!is_keyword, "{word} is a word of the language");
                assert!(
                    concept(word).is_some_and(|help| help.contains(title)),
                    "{word}"
                );
            }
        }
        assert_eq!(concept("mate"), None);
        assert_eq!(concept("Double_Check"), concept("doublecheck"));
    }
}
