//! Finds the query that words mean as a whole: pieces against pieces, pieces of one side, a move.

use syntax::Diagnostic;
use syntax::parse::number_in_words;

use super::composed::{composed, of_player};
use super::{Idea, is_square, of_query, parts, plain_letters};
use crate::sample::{is_query, parse_sample};
use crate::{Document, Settings};

/// Line of a query that needs no other explanation.
pub(super) const MEANT: &str = "what these words mean as a query";

/// Names of pieces, and their letters.
const PIECES: [(&str, &str); 6] =
    [("king", "K"), ("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N"), ("pawn", "P")];

/// Returns the query for the pieces of both sides in words, as in `rook and two pawns against rook`.
pub fn material(words: &str) -> Option<String> {
    let mut sides = [const { String::new() }; 2];
    let (mut at, mut n, mut has_pawn, mut is_first_white) = (0, None, false, None);
    for word in plain_letters(words).split(|c: char| !c.is_alphanumeric()) {
        match word {
            "" | "a" | "an" | "the" | "and" | "endgame" | "endgames" | "ending" | "endings" => {}
            "against" | "versus" | "vs" | "v" if at == 0 && n.is_none() => at = 1,
            "white" | "black" => {
                let is_white = (word == "white") == (at == 0);
                if is_first_white.replace(is_white).is_some_and(|before| before != is_white) {
                    return None;
                }
            }
            _ => {
                let number = number_in_words(word).or_else(|| word.parse().ok());
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

/// Returns the query for pieces against pieces without pawns.
fn of_pawnless(words: &str) -> Option<String> {
    let words = plain_letters(words);
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

/// Returns the query for a number of pieces in words, as in `white has two queens` and `neither side
/// has a rook`, and what it finds.
fn of_sides(words: &str) -> Option<(String, &'static str)> {
    let (mut side, mut number, mut letter) = (None, None, None);
    let words = plain_letters(words);
    for word in parts(&words) {
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
        "board" => so_many(&format!("[{letter}{}]", letter.to_lowercase()))?,
        "neither" => format!("not {{{white}}} not {{{black}}}"),
        _ => format!("{white} {black}"),
    };
    let n_at_first = match letter {
        "K" | "Q" => 1,
        "P" => 8,
        _ => 2,
    };
    let is_denied = side == Some("neither") || number == Some(0);
    let line = if number? <= n_at_first && !is_denied {
        "what these words mean as a query; the first position of a game has it, so write \
         `movenumber > 20` before it to ask for later ones"
    } else {
        MEANT
    };
    Some((query, line))
}

/// Returns the query for the same pieces on several squares, as in `pawns on c4 and e4`.
fn of_places(words: &str) -> Option<String> {
    let words = plain_letters(words);
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
fn of_either_place(words: &str) -> Option<String> {
    let words = plain_letters(words);
    let (men, squares) = words.split_once(" on ")?;
    let squares: Vec<&str> = parts(squares).collect();
    let is_right = squares.iter().enumerate().all(|(at, word)| match at % 2 {
        0 => is_square(word),
        _ => *word == "or",
    });
    let (side, men) = match men.split_once(' ') {
        Some((side @ ("white" | "black"), men)) => (side, men),
        _ => ("", men),
    };
    let letters = letters_of(men)?;
    let letters = match side {
        "white" => letters,
        "black" => letters.to_lowercase(),
        _ => letters.clone() + &letters.to_lowercase(),
    };
    let squares: Vec<&str> = squares.into_iter().step_by(2).collect();
    (is_right && squares.len() > 1).then(|| format!("[{letters}][{}]", squares.join(",")))
}

/// Returns the letters of pieces in words with `or` between them.
fn letters_of(words: &str) -> Option<String> {
    let words = words.split(' ').filter(|word| !matches!(*word, "a" | "an" | "the"));
    let words: Vec<&str> = words.collect();
    let are_parted = words.iter().skip(1).step_by(2).all(|word| *word == "or");
    let letters: Option<String> = words.iter().step_by(2).map(|word| letter_of(word)).collect();
    letters.filter(|letters| are_parted && words.len() % 2 == 1 && !letters.is_empty())
}

/// Returns the query for pawns of a kind on a file or a rank, as in `doubled pawns on the c-file` and
/// `passed pawn on the 6th rank`, and what it finds.
fn of_pawns(words: &str) -> Option<(String, &'static str)> {
    let words = plain_letters(words);
    let mut words: Vec<&str> =
        parts(&words).filter(|word| !matches!(*word, "a" | "the" | "on" | "in")).collect();
    let side = ["white", "black"].into_iter().find(|side| words.first() == Some(side));
    words.drain(..usize::from(side.is_some()));
    let [kind @ ("passed" | "doubled" | "isolated"), "pawn" | "pawns", place, line] = words[..]
    else {
        return None;
    };
    let is_file = |place: &str| matches!(place.as_bytes(), [b'a'..=b'h']);
    let rank = RANKS.iter().position(|names| names.contains(&place)).map(|at| at + 2);
    let (white, black, finds) = match (line, rank) {
        ("file", _) if is_file(place) => {
            (format!("P{place}1-8"), format!("p{place}1-8"), "such pawns on this file")
        }
        ("rank", Some(rank)) => (
            format!("Pa-h{rank}"),
            format!("pa-h{}", 9 - rank),
            "such pawns on this rank, as their side counts: for Black, the second is rank 7",
        ),
        _ => return None,
    };
    let men = match side {
        Some("white") => white,
        Some(_) => black,
        None => format!("({white} | {black})"),
    };
    Some((format!("{kind}pawns & {men}"), finds))
}

/// Names of the ranks on which pawns stand.
const RANKS: [[&str; 3]; 6] = [
    ["second", "2nd", "2"],
    ["third", "3rd", "3"],
    ["fourth", "4th", "4"],
    ["fifth", "5th", "5"],
    ["sixth", "6th", "6"],
    ["seventh", "7th", "7"],
];

/// Returns the query for games in which the sides castle as two clauses say: `black castles queenside
/// and white kingside`.
fn of_castling(words: &str) -> Option<String> {
    let words = plain_letters(words);
    let words: Vec<&str> =
        parts(&words).filter(|word| !matches!(*word, "but" | "while" | "the")).collect();
    let mut moves = Vec::new();
    let mut clauses = words.split(|word| *word == "and");
    for clause in clauses.by_ref() {
        let (side, rest) = match clause {
            ["white", rest @ ..] => ("btm", rest),
            ["black", rest @ ..] => ("wtm", rest),
            _ => return None,
        };
        let rest = match rest {
            ["castle" | "castles" | "castled" | "castling", rest @ ..] => rest,
            _ if moves.is_empty() => return None,
            rest => rest,
        };
        let castling = match rest {
            ["kingside" | "short"] | ["king", "side"] => "o-o",
            ["queenside" | "long"] | ["queen", "side"] => "o-o-o",
            [] => "castle",
            _ => return None,
        };
        moves.push((side, castling));
    }
    let [(one, _), (other, _)] = moves[..] else {
        return None;
    };
    let found = moves.iter().map(|(side, castling)| format!("find {{{side} {castling}}}"));
    (one != other).then(|| format!("initial {}", found.collect::<Vec<_>>().join(" ")))
}

/// Returns the query for mates with one of several kinds of pieces, or not with them, as in `mate by
/// queen or rook` and `mate not by queen`.
fn of_mate(words: &str) -> Option<String> {
    let words = plain_letters(words).replace("checkmate", "mate");
    let denied = ["mate not by ", "mate not with "].iter().find_map(|by| words.strip_prefix(by));
    let named = ["mate by ", "mate with "].iter().find_map(|by| words.strip_prefix(by));
    let named = named.or(words.strip_suffix(" mate"));
    let letters = letters_of(denied.or(named)?)?;
    if denied.is_none() && letters.len() == 1 {
        return None;
    }
    let not = if denied.is_some() { "not " } else { "" };
    Some(format!("mate {not}currentmove [{letters}{}]--", letters.to_lowercase()))
}

/// Events of a game that a question counts: their names for one and for several, and their conditions.
const EVENTS: &[(&str, &str, &str)] = &[
    ("promotion", "promotions", "{currentmove --=.}"),
    ("underpromotion", "underpromotions", "{currentmove --=[RBN]}"),
    ("check", "checks", "check"),
    ("capture", "captures", "{currentmove [x]}"),
    ("castling", "castlings", "castle"),
];

/// Returns the query for a number of events in a game or of pieces on the board, as in `two promotions`
/// and `fewer than 8 pieces`, and what it finds. Events are at least so many, unless words say
/// otherwise.
fn of_count(words: &str) -> Option<(String, String)> {
    let words = plain_letters(words);
    let mut words: Vec<&str> = parts(&words).filter(|word| *word != "the").collect();
    let (sign, said) = match words[..] {
        ["exactly" | "just" | "only", ..] => ("==", words.drain(..1).count()),
        ["at", "least", ..] => (">=", words.drain(..2).count()),
        ["at", "most", ..] => ("<=", words.drain(..2).count()),
        ["more", "than", ..] => (">", words.drain(..2).count()),
        ["fewer" | "less", "than", ..] => ("<", words.drain(..2).count()),
        [_, "or", "more", ..] => (">=", words.drain(1..3).count()),
        [_, "or", "fewer" | "less", ..] => ("<=", words.drain(1..3).count()),
        [.., "or", "more"] => (">=", words.drain(words.len() - 2..).count()),
        _ => (">=", 0),
    };
    let n = words.first().and_then(|word| amount(word))?;
    let range = match sign {
        "==" => format!("exactly {n}"),
        ">=" => format!("at least {n}"),
        "<=" => format!("at most {n}"),
        ">" => format!("more than {n}"),
        _ => format!("fewer than {n}"),
    };
    match words[1..] {
        ["piece" | "pieces" | "men", ref rest @ ..]
            if said > 0 && matches!(rest, [] | ["left"] | ["on", "board"]) =>
        {
            let line = format!("{range} men on the board, kings and pawns included");
            Some((format!("[Aa] {sign} {n}"), line))
        }
        [event, ref rest @ ..] if matches!(rest, [] | ["in", "a" | "one", "game"]) => {
            let (_, several, holds) =
                EVENTS.iter().find(|(one, several, _)| [one, several].contains(&&event))?;
            let is_few = n == 0 || said == 0 && n < 2;
            let more = if said == 0 {
                format!("; `exactly {n} {several}` asks for no more than these")
            } else {
                String::new()
            };
            let line = format!("{range} {several} in the game, by both sides together{more}");
            (!is_few).then(|| (format!("initial find count {holds} {sign} {n}"), line))
        }
        _ => None,
    }
}

/// Returns the query for so many queens, for the most moves of a kind of piece, for one
/// that is given up, or for one that is never taken.
fn of_number(words: &str) -> Option<String> {
    let words = plain_letters(words);
    let words: Vec<&str> =
        parts(&words).filter(|word| !matches!(*word, "a" | "an" | "the")).collect();
    match words[..] {
        ["no", "capture" | "captures", "in" | "for", number, "move" | "moves"] => {
            let n = 2 * amount(number).filter(|n| (1..=200).contains(n))?;
            Some(format!("path quiet nestban (-- {{not currentmove [x]}}){{{n},}}"))
        }
        [number, "queens"] => Some(format!("[Qq] >= {}", amount(number).filter(|n| *n > 2)?)),
        ["most", name, "moves"] => {
            let letter = letter_of(name)?;
            let small = letter.to_lowercase();
            Some(format!(
                "terminal sort \"moves\" {{find <-- all {{currentmove [{letter}{small}]--}}}}"
            ))
        }
        ["sacrifice", "of", name] => {
            let letter = letter_of(name).filter(|letter| matches!(*letter, "B" | "N"))?;
            let letters = format!("{letter}{}", letter.to_lowercase());
            Some(format!("import \"themes\" currentmove [{letters}]-- sacrifice()"))
        }
        ["no", name, "was" | "is", "taken" | "captured"] => {
            let letter = letter_of(name).filter(|letter| *letter != "K")?;
            Some(format!("initial not find {{currentmove [x][{letter}{}]}}", letter.to_lowercase()))
        }
        _ => None,
    }
}

/// Returns the query for a promotion to a piece, as in `promotion to a bishop`.
fn of_promotion(words: &str) -> Option<String> {
    let words = plain_letters(words);
    let mut words = parts(&words).filter(|word| !matches!(*word, "a" | "pawn" | "becomes"));
    let (first, to) = (words.next()?, words.next()?);
    let Some(name) = words.next() else {
        // as in `knight promotion`
        let letter = letter_of(first).filter(|letter| !matches!(*letter, "K" | "P"))?;
        return to.starts_with("promot").then(|| format!("currentmove --={letter}"));
    };
    let letter = letter_of(name).filter(|letter| !matches!(*letter, "K" | "P"))?;
    let promotes = |word: &str| word.trim_start_matches("under").starts_with("promot");
    let is_whole = promotes(first) && to == "to" && words.next().is_none();
    is_whole.then(|| format!("currentmove --={letter}"))
}

/// Returns the query for games that a side or a player won, lost or drew, as in `Carlsen lost with
/// Black` and `White won in 2021`.
fn of_result(words: &str) -> Option<String> {
    let words: Vec<&str> = parts(words).collect();
    let at = words.iter().position(|word| score_of(word).is_some())?;
    let score = score_of(words[at])?;
    let subject = &words[..at];
    let mut rest = words[at + 1..].iter().peekable();
    let (mut side, mut other, mut year) = (None, Vec::new(), String::new());
    while let Some(&word) = rest.next() {
        match (word, rest.next()?) {
            ("with" | "as", &of) if side.is_none() => side = Some(is_white(of)?),
            ("against", &name) => {
                other.push(name);
                while let Some(&name) = rest.next_if(|word| word.starts_with(char::is_uppercase)) {
                    other.push(name);
                }
            }
            (when, &number) => {
                let _: u32 = number.parse().ok().filter(|year| (1400..=2100).contains(year))?;
                let sign = match when {
                    "in" => "==",
                    "since" => ">=",
                    "after" => ">",
                    "before" => "<",
                    _ => return None,
                };
                year += &format!(" year {sign} {number}");
            }
        }
    }
    let own = match *subject {
        [own] => is_white(own),
        _ => None,
    };
    let names = if own.is_some() { &[] } else { subject };
    let are_names = |names: &[&str]| names.iter().all(|name| name.starts_with(char::is_uppercase));
    let is_clear = own.is_some() != (side.is_some() || !names.is_empty());
    if !is_clear || names.is_empty() && own.is_none() || !are_names(names) || !are_names(&other) {
        return None;
    }
    let side = own.or(side);
    let player = |is_white: bool, names: &[&str]| match names {
        [] => String::new(),
        names => {
            let color = if is_white { "white" } else { "black" };
            of_player(color, &names.join(" ")) + " "
        }
    };
    let own = side.unwrap_or(true);
    let players = player(own, names) + &player(!own, &other);
    let of_one = format!("{players}result {}", result_of(own, score));
    let query = match side {
        Some(_) => format!("initial {of_one}"),
        None => format!("initial flipcolor {{{of_one}}}"),
    };
    Some(query + &year)
}

/// Returns whether a word is White's color, if it is one.
fn is_white(word: &str) -> Option<bool> {
    match word.to_lowercase().as_str() {
        "white" => Some(true),
        "black" => Some(false),
        _ => None,
    }
}

/// Returns what a verb says of its subject: 1 for a win, 0 for a draw, -1 for a loss.
fn score_of(verb: &str) -> Option<i32> {
    match verb {
        "won" | "wins" => Some(1),
        "drew" => Some(0),
        "lost" | "loses" => Some(-1),
        _ => None,
    }
}

/// Returns the result of a game with this score for a side.
pub(super) fn result_of(is_white: bool, score: i32) -> &'static str {
    match (is_white, score) {
        (_, 0) => "1/2-1/2",
        (true, 1) | (false, -1) => "1-0",
        _ => "0-1",
    }
}

/// Returns the number that a word before pieces means.
fn amount(word: &str) -> Option<usize> {
    match word {
        "no" => Some(0),
        "a" | "an" => Some(1),
        _ => number_in_words(word).or_else(|| word.parse().ok()),
    }
}

/// Returns the query for pieces that make no move, as in `the king never moved`, and what it finds.
fn of_unmoved(words: &str) -> Option<(String, String)> {
    let (mut side, mut letter, mut is_denied, mut moves) = (None, None, false, false);
    let mut is_plural = false;
    let words = plain_letters(words).replace("didn't", "not");
    for word in parts(&words) {
        match word {
            "a" | "an" | "the" | "both" | "has" | "have" | "had" | "did" | "is" | "games"
            | "with" => {}
            "white" | "black" if side.is_none() => side = Some(word),
            "never" | "not" => is_denied = true,
            "move" | "moves" | "moved" => moves = true,
            "unmoved" => (is_denied, moves) = (true, true),
            _ if letter.is_none() => {
                (letter, is_plural) = (Some(letter_of(word)?), word.ends_with('s'))
            }
            _ => return None,
        }
    }
    let letter = letter.filter(|_| is_denied && moves)?;
    let small = letter.to_lowercase();
    let unmoved = |set: &str| {
        let all = if is_plural { "all " } else { "" };
        format!("piece {all}x in {set} {{not find {{currentmove x--}}}}")
    };
    let query = match side {
        Some("white") => format!("initial {}", unmoved(letter)),
        Some(_) => format!("initial {}", unmoved(&small)),
        None if is_plural => format!("initial flipcolor {{{}}}", unmoved(letter)),
        None => format!("initial {}", unmoved(&format!("[{letter}{small}]"))),
    };
    let name = PIECES.iter().find(|(_, own)| *own == letter).map_or("", |(name, _)| name);
    let who = match (side, is_plural) {
        (None, false) => format!("a {name}"),
        (Some(side), false) => format!("a {side} {name}"),
        (None, true) => format!("all {name}s of a side"),
        (Some(side), true) => format!("all {side} {name}s"),
    };
    let makes = if is_plural { "make" } else { "makes" };
    Some((
        query,
        format!(
            "{who} {makes} no move in the whole game, taken or not; castling is a move of king and \
             rook"
        ),
    ))
}

/// Returns the letter of pieces by their name.
pub(super) fn letter_of(name: &str) -> Option<&'static str> {
    let one = name.strip_suffix('s').unwrap_or(name);
    PIECES.iter().find(|(name, _)| *name == one).map(|(_, letter)| *letter)
}

/// Returns the queries for a move in the notation of games, such as `Nf3` and `exd5+`: for the move
/// by either side, and before it for the piece on the square if the word says no more. A letter and
/// a square that are apart are a piece on a square: `K is on e1`.
pub fn of_move(words: &str) -> Vec<Idea> {
    let apart = of_letter(words).map(|(query, line)| vec![of_query(&query, &line)]);
    apart.or_else(|| parsed_move(words)).unwrap_or_default()
}

/// Returns the query for a piece, by its letter, on a square, and what it finds.
fn of_letter(words: &str) -> Option<(String, String)> {
    let is_little =
        |word: &&str| matches!(*word, "there" | "is" | "on" | "at" | "stands" | "the" | "square");
    let words: Vec<&str> = parts(words).filter(|word| !is_little(word)).collect();
    let [letter, square] = words[..] else { return None };
    let large = letter.to_uppercase();
    let (name, _) = PIECES.iter().find(|(_, own)| *own == large)?;
    let side = if letter == large { "white" } else { "black" };
    let line = format!("a {side} {name} stands on {square}");
    is_square(square).then(|| (format!("{letter}{square}"), line))
}

fn parsed_move(word: &str) -> Option<Vec<Idea>> {
    let (rest, ends, how) = match word.as_bytes().last()? {
        b'+' => (&word[..word.len() - 1], " check", " with check"),
        b'#' => (&word[..word.len() - 1], " mate", " and mates"),
        _ => (word, "", ""),
    };
    let (rest, promotion) = match rest.split_once('=') {
        Some((rest, role @ ("Q" | "R" | "B" | "N"))) => (rest, format!("={role}")),
        Some(_) => return None,
        None => (rest, String::new()),
    };
    let (front, to) = rest.split_at_checked(rest.len().checked_sub(2)?)?;
    let [b'a'..=b'h', b'1'..=b'8'] = to.as_bytes() else { return None };
    let (front, sign, does) = match front.strip_suffix('x') {
        Some(front) => (front, "[x]", "takes on"),
        None => (front, "--", "moves to"),
    };
    let named = PIECES.iter().find(|(_, letter)| front.starts_with(letter) && *letter != "P");
    let (from, &(name, letter)) = match named {
        Some(named) => (&front[1..], named),
        None => (front, &PIECES[5]),
    };
    let from = match *from.as_bytes() {
        [] => String::new(),
        [b'a'..=b'h'] => format!("{from}1-8"),
        [b'1'..=b'8'] => format!("a-h{from}"),
        [b'a'..=b'h', b'1'..=b'8'] => from.to_owned(),
        _ => return None,
    };
    let small = letter.to_lowercase();
    let query = format!("currentmove [{letter}{small}]{from}{sign}{to}{promotion}{ends}");
    let becomes = if promotion.is_empty() { "" } else { " and promotes" };
    let line = format!("a {name} {does} {to}{becomes}{how}, whoever plays it");
    let moved = of_query(&query, &line);
    let says_more = [from.as_str(), &promotion, ends].iter().any(|part| !part.is_empty());
    if says_more || sign == "[x]" {
        return Some(vec![moved]);
    }
    let stands = of_query(&format!("{letter}{to}"), &format!("a white {name} stands on {to}"));
    Some(vec![stands, moved])
}

/// Returns the queries that words mean as a whole.
pub(super) fn meant(words: &str) -> Vec<Idea> {
    let moves = of_move(words);
    if !moves.is_empty() {
        return moves;
    }
    if let Some((query, line)) = of_unmoved(words).or_else(|| of_count(words)) {
        return vec![of_query(&query, &line)];
    }
    if let Some((query, line)) = of_pawns(words) {
        return vec![of_query(&query, line)];
    }
    let query = of_pawnless(words).or_else(|| material(words));
    let query = query.map(|men| (men, MEANT)).or_else(|| of_sides(words));
    let query = query.or_else(|| {
        let query = of_places(words).or_else(|| of_promotion(words));
        let query = query.or_else(|| of_either_place(words)).or_else(|| of_mate(words));
        let query = query.or_else(|| of_number(words)).or_else(|| of_result(words));
        let query = query.or_else(|| of_castling(words));
        // A game of two players is found once: by its first position.
        let query = query.or_else(|| mended(words).filter(|_| composed(words).is_none()));
        Some((query?, MEANT))
    });
    match query {
        Some((query, line)) => vec![of_query(&query, line)],
        None => composed(words).into_iter().collect(),
    }
}

#[cfg(test)]
mod tests {
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
            ("doubled pawns on c file", Some("doubledpawns & (Pc1-8 | pc1-8)")),
            ("white doubled pawns on the c-file", Some("doubledpawns & Pc1-8")),
            ("passed pawn on 6th rank", Some("passedpawns & (Pa-h6 | pa-h3)")),
            ("black isolated pawns on the fourth rank", Some("isolatedpawns & pa-h5")),
            ("passed pawn on 9th rank", None),
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
            ("sacrifice of a knight", "import \"themes\" currentmove [Nn]-- sacrifice()"),
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
                "initial flipcolor {player white ~~ \"Carlsen, M|Magnus Carlsen\" player black \"Anand\" \
                 result 1-0} year == 2013",
            ),
            ("White lost against Tal", "initial player black \"Tal\" result 0-1"),
            ("black won in 2021", "initial result 0-1 year == 2021"),
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
        ] {
            assert!(meant(words).is_empty(), "{words}");
        }
    }
}
