//! Finds the query for pieces in words: pieces against pieces, so many of a side, and their squares.

use syntax::parse::AGAINST;

use super::question_words::{is_square, parts, plain_letters, without, without_articles};
use super::vocabulary::{amount, is_white, letter_of, men_of, understood};

/// Returns the query for the pieces of both sides in words, as in `rook and two pawns against rook`.
pub fn material(words: &str) -> Option<String> {
    // as in `R+P vs R`
    let is_opposed = words.split(' ').any(|word| AGAINST.contains(&word));
    if let Some(men) = syntax::parse::sides(words).filter(|_| is_opposed) {
        return Some(of_men(&men));
    }
    let mut sides = [const { String::new() }; 2];
    let (mut at, mut n, mut has_pawn, mut is_first_white) = (0, None, false, None);
    let words = plain_letters(words).replace("bishop pair", "two bishops");
    for word in words.split(|c: char| !c.is_alphanumeric()) {
        match word {
            "" | "a" | "an" | "the" | "and" | "endgame" | "endgames" | "ending" | "endings" => {}
            _ if AGAINST.contains(&word) && at == 0 && n.is_none() => at = 1,
            "white" | "black" => {
                let is_white = (word == "white") == (at == 0);
                if is_first_white.replace(is_white).is_some_and(|before| before != is_white) {
                    return None;
                }
            }
            _ => {
                let number = amount(word);
                if let Some(number @ 1..=8) = number.filter(|_| n.is_none()) {
                    n = Some(number);
                    continue;
                }
                let letter = letter_of(word)?;
                let n = n.take();
                if word.ends_with('s') == (n.unwrap_or(1) == 1) {
                    return None;
                }
                has_pawn |= letter == "P";
                sides[at] += &letter.repeat(n.unwrap_or(1));
            }
        }
    }
    let has_all = n.is_none() && sides.iter().all(|men| !men.is_empty());
    // A side with its king alone is written so, and then the king of the other one, too.
    if has_all && let Some(query) = of_sets(&sides, has_pawn, is_first_white) {
        return Some(query);
    }
    let are_whole = has_pawn || sides.iter().any(|men| men.contains('K'));
    let king = if are_whole { "K" } else { "" };
    let [mut white, mut black] = sides.map(|men| format!("{king}{}", men.replacen('K', "", 1)));
    if is_first_white == Some(false) {
        std::mem::swap(&mut white, &mut black);
    }
    let men = has_all.then(|| syntax::parse::sides(&format!("{white} v {black}")))??;
    Some(if is_first_white.is_some() { format!("material \"{men}\"") } else { of_men(&men) })
}

/// Returns the query for the pieces of two sides beside which there may be others: any pawns beside
/// pieces of a color, and any pieces beside pawns alone.
fn of_sets(sides: &[String; 2], has_pawn: bool, is_first_white: Option<bool>) -> Option<String> {
    let are_pawns = sides.iter().all(|men| men.bytes().all(|man| man == b'P'));
    let has_king = sides.iter().any(|men| men.contains('K'));
    if has_king || has_pawn != are_pawns || !are_pawns && is_first_white.is_none() {
        return None;
    }
    let of_side = |men: &str, is_white: bool| {
        let roles = if are_pawns { "P" } else { "QRBN" };
        let (there, gone): (String, String) = roles.chars().partition(|role| men.contains(*role));
        let number = |role: char| format!("{role} == {}", men.matches(role).count());
        let mut all: Vec<String> = there.chars().map(number).collect();
        all.extend((gone.len() > 1).then(|| format!("[{gone}] == 0")));
        all.extend((gone.len() == 1).then(|| format!("{gone} == 0")));
        let all = all.join(" ");
        if is_white { all } else { all.to_lowercase() }
    };
    let is_white = is_first_white.unwrap_or(true);
    let query = format!("{} {}", of_side(&sides[0], is_white), of_side(&sides[1], !is_white));
    let is_either = is_first_white.is_none() && sides[0] != sides[1];
    Some(if is_either { format!("flipcolor {{{query}}}") } else { query })
}

/// Returns the condition for what stands on the board, in words that need no other ones.
pub(super) fn on_board(words: &str) -> Option<String> {
    let bare = without_articles(words).join(" ");
    let of_pawns = of_pawns(words).map(|(query, _)| query);
    let found = of_pawns.or_else(|| of_pawnless(words)).or_else(|| material(words));
    let found = found.or_else(|| Some(of_sides(words)?.0));
    found.or_else(|| of_places(&bare)).or_else(|| of_either_place(&bare))
}

/// Returns the query for pieces against pieces without pawns.
pub(super) fn of_pawnless(words: &str) -> Option<String> {
    let mut ends = ["without pawns", "without any pawns", "no pawns", "without a pawn"].iter();
    let men = ends.find_map(|end| words.strip_suffix(end))?;
    let men = men.trim_end_matches([' ', ',']);
    let men = men.strip_suffix(" with").or(men.strip_suffix(" and")).unwrap_or(men);
    match men {
        "" | "games" | "game" | "positions" | "position" => Some("[Pp] == 0".to_owned()),
        _ if men.contains("pawn") => None,
        _ => material(&format!("king and {men}")),
    }
}

/// Returns the query for pieces of which either side may have the first ones: a `:` says so, too.
pub fn of_men(men: &str) -> String {
    let (white, black) = men.as_bytes().split_at(men.len() / 2);
    let is_symmetrical = white == black;
    let flip = if men.contains(':') || is_symmetrical { "" } else { "flipcolor " };
    format!("{flip}material \"{men}\"")
}

/// Returns the query for a number of pieces in words, as in `white has two queens` and `neither side
/// has a rook`, and what it finds.
pub(super) fn of_sides(words: &str) -> Option<(String, String)> {
    let (mut side, mut number, mut letter) = (None, None, None);
    for word in parts(words) {
        match word {
            "white" | "black" | "both" | "each" | "either" | "neither" if side.is_none() => {
                side = Some(word);
            }
            "board" if side.is_none() => side = Some(word),
            "has" | "have" | "with" | "side" | "sides" | "players" | "colors" | "on" | "the" => {}
            _ if number.is_none() => number = Some(amount(word)?),
            _ if letter.is_none() => letter = Some(letter_of(word)?),
            _ => return None,
        }
    }
    let letter = letter?;
    let so_many = |letter: &str| match number? {
        0 => Some(format!("{letter} == 0")),
        1 => Some(letter.to_owned()),
        n => Some(format!("{letter} >= {n}")),
    };
    let (white, black) = (so_many(letter)?, so_many(&letter.to_lowercase())?);
    let query = match side? {
        "white" => white,
        "black" => black,
        "either" => format!("flipcolor {{{white}}}"),
        "board" => so_many(&men_of(None, letter))?,
        "neither" => format!("not {{{white}}} not {{{black}}}"),
        _ => format!("{white} {black}"),
    };
    let n_at_first = match letter {
        "K" | "Q" => 1,
        "P" => 8,
        _ => 2,
    };
    let is_denied = side == Some("neither") || number == Some(0);
    let mut line = understood(&query);
    if number? <= n_at_first && !is_denied {
        line += "; the first position of a game has it, so write `movenumber > 20` before it to ask \
                 for later ones";
    }
    Some((query, line))
}

/// Returns the query for the same pieces on several squares, as in `pawns on c4 and e4`.
pub(super) fn of_places(words: &str) -> Option<String> {
    let mut words = words.to_owned();
    for said in ["pawn structure with ", "pawn structure ", "pawn skeleton "] {
        words = words.replace(said, "white pawns on ");
    }
    let (men, squares) = words.split_once(" on ")?;
    let men: Vec<&str> = parts(men).collect();
    let squares: Vec<&str> = parts(squares).filter(|word| *word != "and").collect();
    let (side, name) = match men[..] {
        [side @ ("white" | "black"), name] => (Some(side), name),
        [name] => (None, name),
        _ => return None,
    };
    let letter = letter_of(name).filter(|_| squares.len() > 1)?;
    let all_on = |letter: &str| {
        let on = squares.iter().map(|square| format!("{letter}{square}"));
        on.collect::<Vec<_>>().join(" ")
    };
    let (white, black) = (all_on(letter), all_on(&letter.to_lowercase()));
    Some(match side {
        Some("white") => white,
        Some(_) => black,
        None => format!("{{{white}}} or {{{black}}}"),
    })
    .filter(|_| squares.iter().all(|square| is_square(square)))
}

/// Returns the query for pieces of some kinds on one of several squares, as in `bishop on b2 or g2`.
pub(super) fn of_either_place(words: &str) -> Option<String> {
    let (men, squares) = words.split_once(" on ")?;
    let squares: Vec<&str> = parts(squares).collect();
    let is_right = squares.iter().enumerate().all(|(at, word)| match at % 2 {
        0 => is_square(word),
        _ => *word == "or",
    });
    let side = men.split_once(' ').and_then(|(side, men)| Some((is_white(side)?, men)));
    let men = men_of(side.map(|side| side.0), &letters_of(side.map_or(men, |side| side.1))?);
    let squares: Vec<&str> = squares.into_iter().step_by(2).collect();
    (is_right && squares.len() > 1).then(|| format!("{men}[{}]", squares.join(",")))
}

/// Returns the letters of pieces in words with `or` between them.
pub(super) fn letters_of(words: &str) -> Option<String> {
    let words = without("a an the", words);
    let are_parted = words.iter().skip(1).step_by(2).all(|word| *word == "or");
    let letters: Option<String> = words.iter().step_by(2).map(|word| letter_of(word)).collect();
    letters.filter(|letters| are_parted && words.len() % 2 == 1 && !letters.is_empty())
}

/// Returns the query for pieces, or for pawns of a kind, on a file, on a rank or on a square, and what
/// it finds: `doubled pawns on the c-file`, `white has a passed pawn on d6`, `rook on the 6th rank`.
pub(super) fn of_pawns(words: &str) -> Option<(String, String)> {
    let words = plain_letters(words);
    let mut words = without_articles(&words);
    words.retain(|word| !matches!(*word, "on" | "in" | "has" | "have"));
    let side = words.first().and_then(|word| is_white(word));
    words.drain(..usize::from(side.is_some()));
    let kinds = ["passed", "doubled", "isolated", "connected"];
    let kind = kinds.into_iter().find(|kind| words.first() == Some(kind));
    words.drain(..usize::from(kind.is_some()));
    let letter = letter_of(words.first()?).filter(|letter| kind.is_none() || *letter == "P")?;
    let rank = |place: &str| RANKS.iter().position(|names| names.contains(&place)).map(|at| at + 1);
    let of = |place: &str| men_of(side, letter) + place;
    let (men, of_rank) = match words[1..] {
        // A word of the language has all pawns of a kind.
        [] if side.is_some() && kind.is_some() => (of(""), ""),
        [square] if is_square(square) => (of(square), ""),
        [file, "file"] if matches!(file.as_bytes(), [b'a'..=b'h']) => {
            (of(&format!("{file}1-8")), "")
        }
        [place, "rank"] | ["rank", place] => {
            let rank = rank(place).filter(|rank| letter != "P" || (2..=7).contains(rank))?;
            let [white, black] = [(true, rank), (false, 9 - rank)]
                .map(|(is_white, rank)| format!("{}a-h{rank}", men_of(Some(is_white), letter)));
            let men = match side {
                Some(is_white) => {
                    if is_white {
                        white
                    } else {
                        black
                    }
                }
                None => format!("({white} | {black})"),
            };
            (men, "; the ranks are those of a side: for Black, the second is rank 7")
        }
        _ => return None,
    };
    let query = kind.map_or_else(|| men.clone(), |kind| format!("{kind}pawns & {men}"));
    let line = understood(&query) + of_rank;
    Some((query, line))
}

/// Names of the ranks.
const RANKS: [[&str; 3]; 8] = [
    ["first", "1st", "1"],
    ["second", "2nd", "2"],
    ["third", "3rd", "3"],
    ["fourth", "4th", "4"],
    ["fifth", "5th", "5"],
    ["sixth", "6th", "6"],
    ["seventh", "7th", "7"],
    ["eighth", "8th", "8"],
];
