//! Words that several kinds of questions have in common: pieces, colors, numbers, signs, results.

use syntax::parse::{PIECES, SIGNS, SIGNS_OF_VALUES, number_in_words, opposite};

use crate::in_words::sentence;

/// Returns the line of a query that needs no other explanation: how the words are understood.
pub(super) fn understood(query: &str) -> String {
    // `initial` only finds a game once.
    let condition = query.strip_prefix("initial ").unwrap_or(query);
    match sentence(condition) {
        Some(sentence) => format!("understood as: {sentence}"),
        None => "a query for these words; `cql explain` says what it finds".to_owned(),
    }
}

/// Returns the sign of the words at the beginning that compare a number, and how many they are: 2 for
/// `at most` and, with the opposite sign, 3 for `not shorter than`.
pub(super) fn compared<W: AsRef<str>>(words: &[W]) -> Option<(&'static str, usize)> {
    let is_not = words.first().is_some_and(|word| matches!(word.as_ref(), "not" | "no"));
    let words = &words[usize::from(is_not)..];
    let begin = |said: &str| {
        let n = said.split(' ').count();
        let are_equal = said.split(' ').zip(words).all(|(said, word)| said == word.as_ref());
        (are_equal && n <= words.len()).then_some(n)
    };
    let mut signs = SIGNS.iter().chain(SIGNS_OF_VALUES);
    let (sign, n) = signs.find_map(|(said, sign)| Some((*sign, begin(said)?)))?;
    // `not exactly` compares nothing.
    let other = || opposite(sign).filter(|_| sign != "==");
    Some((if is_not { other()? } else { sign }, n + usize::from(is_not)))
}

/// Returns the letter of pieces by their name.
pub(super) fn letter_of(name: &str) -> Option<&'static str> {
    let one = name.strip_suffix('s').unwrap_or(name);
    PIECES.iter().find(|(name, _)| *name == one).map(|(_, both)| &both[1..2])
}

/// Returns the letter of pieces that are no kings and no pawns, by their name.
pub(super) fn letter_of_piece(name: &str) -> Option<&'static str> {
    letter_of(name).filter(|letter| !matches!(*letter, "K" | "P"))
}

/// Returns the name of pieces by their letter, which is a capital one.
pub(super) fn name_of(letter: &str) -> Option<&'static str> {
    PIECES.iter().find(|(_, both)| both[1..2] == *letter).map(|(name, _)| *name)
}

/// Returns the set of pieces with these letters that a side has, or both: `N`, `n` and `[Nn]`.
pub(super) fn men_of(is_white: Option<bool>, letters: &str) -> String {
    let small = letters.to_lowercase();
    match is_white {
        Some(is_white) => {
            let letters = if is_white { letters } else { &small };
            if letters.len() == 1 { letters.to_owned() } else { format!("[{letters}]") }
        }
        None => format!("[{letters}{small}]"),
    }
}

/// Returns the number that a word before pieces means.
pub(super) fn amount(word: &str) -> Option<usize> {
    match word {
        "no" => Some(0),
        "a" | "an" => Some(1),
        _ => number_in_words(word).or_else(|| word.parse().ok()),
    }
}

/// Returns whether a word is White's color, if it is one.
pub(super) fn is_white(word: &str) -> Option<bool> {
    match word {
        "white" => Some(true),
        "black" => Some(false),
        _ => None,
    }
}

/// Returns the name of a color.
pub(super) fn color_of(is_white: bool) -> &'static str {
    if is_white { "white" } else { "black" }
}

/// Returns the result of a game with this score for a side: 1 for a win, 0 for a draw, -1 for a loss.
pub(super) fn result_of(is_white: bool, score: i32) -> &'static str {
    match (is_white, score) {
        (_, 0) => "1/2-1/2",
        (true, 1) | (false, -1) => "1-0",
        _ => "0-1",
    }
}
