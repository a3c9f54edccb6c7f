//! Finds the queries for a move in the notation of games, and for a piece, by its letter, on a square.

use super::codes::of_codes;
use super::idea::{Idea, of_query};
use super::question_words::{is_square, parts};
use super::vocabulary::{color_of, letter_of, men_of, name_of};

/// Returns the queries for codes of openings and for moves in the notation of games. `E4` may be meant as
/// either.
pub fn of_notation(words: &str) -> Vec<Idea> {
    let mut found = of_codes(words);
    let is_code = !found.is_empty();
    found.extend(of_move(&if is_code { words.to_lowercase() } else { words.to_owned() }));
    found
}

/// Returns the queries for a move in the notation of games, such as `Nf3` and `exd5+`: for the move
/// by either side, and before it for the piece on the square if the word says no more. A letter and
/// a square that are apart are a piece on a square: `K is on e1`.
pub(super) fn of_move(words: &str) -> Vec<Idea> {
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
    let (name, side) = (name_of(&large)?, color_of(letter == large));
    let line = format!("a {side} {name} stands on {square}");
    is_square(square).then(|| (format!("{letter}{square}"), line))
}

/// Returns the condition for a move of a side in the notation of games: `currentmove p--h5`.
pub(super) fn of_side(word: &str, is_white: bool) -> Option<String> {
    let moved = parsed_move(word)?.pop()?.title;
    let (men, how) = moved.strip_prefix("currentmove [")?.split_once(']')?;
    Some(format!("currentmove {}{how}", men_of(Some(is_white), men.get(..1)?)))
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
    let named = front.get(..1).and_then(name_of).filter(|name| *name != "pawn");
    let (from, name) = named.map_or((front, "pawn"), |name| (&front[1..], name));
    let letter = letter_of(name)?;
    let from = match *from.as_bytes() {
        [] => String::new(),
        [b'a'..=b'h'] => format!("{from}1-8"),
        [b'1'..=b'8'] => format!("a-h{from}"),
        [b'a'..=b'h', b'1'..=b'8'] => from.to_owned(),
        _ => return None,
    };
    let men = men_of(None, letter);
    let query = format!("currentmove {men}{from}{sign}{to}{promotion}{ends}");
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
