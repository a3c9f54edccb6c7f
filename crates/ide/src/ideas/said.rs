//! Words that several kinds of questions have in common: pieces, colors, numbers, results.

use syntax::parse::number_in_words;

/// Line of a query that needs no other explanation.
pub(super) const MEANT: &str = "what these words mean as a query";

/// Names of pieces, and their letters.
pub(super) const PIECES: [(&str, &str); 6] =
    [("king", "K"), ("queen", "Q"), ("rook", "R"), ("bishop", "B"), ("knight", "N"), ("pawn", "P")];

/// Returns the letter of pieces by their name.
pub(super) fn letter_of(name: &str) -> Option<&'static str> {
    let one = name.strip_suffix('s').unwrap_or(name);
    PIECES.iter().find(|(name, _)| *name == one).map(|(_, letter)| *letter)
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
    match word.to_lowercase().as_str() {
        "white" => Some(true),
        "black" => Some(false),
        _ => None,
    }
}

/// Returns what a verb says of its subject: 1 for a win, 0 for a draw, -1 for a loss.
pub(super) fn score_of(verb: &str) -> Option<i32> {
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

/// Returns the name of pieces by their letter.
pub(super) fn name_of(letter: &str) -> &'static str {
    PIECES.iter().find(|(_, own)| *own == letter).map_or("", |(name, _)| name)
}
