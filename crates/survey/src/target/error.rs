//! Errors of the position in which games are counted.

use std::error::Error;
use std::fmt::{self, Display, Formatter, Write as _};
use std::ops::Range;

use board::FenError;
use openings::CodeRange;

/// Maximum number of moves that a message lists.
const LISTED: usize = 12;

/// Reason why a text gives no position.
///
/// The message has several lines, in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetError {
    /// The text is malformed as a FEN.
    #[non_exhaustive]
    Fen {
        /// The text.
        text: String,
        /// Its first error.
        error: FenError,
    },
    /// A move is not possible.
    Impossible {
        /// The move.
        place: MovePlace,
        /// Similar moves that are possible, or else all; empty if there are none.
        possible: Vec<String>,
    },
    /// No opening has this name.
    Opening {
        /// The name.
        text: String,
        /// The nearest part of a name.
        nearest: Option<String>,
    },
    /// These are codes of openings.
    Codes(CodeRange),
    /// A word means several moves.
    Ambiguous {
        /// The word.
        place: MovePlace,
        /// These moves.
        meant: Vec<String>,
    },
}

impl TargetError {
    /// Creates the error about a text that is malformed as a FEN.
    #[must_use]
    pub fn fen(text: &str, error: FenError) -> TargetError {
        TargetError::Fen { text: text.to_owned(), error }
    }
}

/// A move among the moves to a position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MovePlace {
    /// Text of all moves.
    pub(super) text: String,
    /// Bytes of this move in the text.
    pub(super) range: Range<usize>,
    /// The move before.
    pub(super) after: Option<String>,
}

impl MovePlace {
    /// Returns the move as it is written.
    #[must_use]
    pub fn word(&self) -> &str {
        &self.text[self.range.clone()]
    }

    fn marked(&self, what: &str) -> String {
        let note = match &self.after {
            None => "at the start".to_owned(),
            Some(last) => format!("after {last}"),
        };
        marked(&self.text, self.range.start, self.range.len(), what, &note)
    }
}

impl Display for TargetError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&match self {
            TargetError::Fen { text, error } => no_fen(text, *error),
            TargetError::Opening { text, nearest } => {
                let what = format!("no opening is called '{text}'");
                match nearest {
                    Some(nearest) => format!("{what}: did you mean '{nearest}'?"),
                    None => what,
                }
            }
            TargetError::Codes(codes) => format!(
                "{codes} is not one position: choose the games of these openings with \
                 -cql '{}'",
                codes.filter()
            ),
            TargetError::Impossible { place, possible } if possible.is_empty() => {
                place.marked("there are no moves here")
            }
            TargetError::Impossible { place, possible } => {
                let (word, possible) = (place.word(), list(possible));
                place.marked(&format!("'{word}' is not possible here; possible: {possible}"))
            }
            TargetError::Ambiguous { place, meant } => {
                place.marked(&format!("'{}' is ambiguous: {}", place.word(), list(meant)))
            }
        })
    }
}

impl Error for TargetError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            TargetError::Fen { error, .. } => Some(error),
            TargetError::Impossible { .. }
            | TargetError::Ambiguous { .. }
            | TargetError::Codes(_)
            | TargetError::Opening { .. } => None,
        }
    }
}

/// Joins names with commas, only the first ones if there are many.
fn list(names: &[String]) -> String {
    let mut text = names[..names.len().min(LISTED)].join(", ");
    if names.len() > LISTED {
        let _ = write!(text, " and {} more", names.len() - LISTED);
    }
    text
}

/// Formats an error about a part of a text, with a mark below it.
fn marked(text: &str, at: usize, length: usize, what: &str, note: &str) -> String {
    let before = text[..at].chars().count();
    let width = text[at..at + length].chars().count().max(1);
    let mark = "^".repeat(width);
    format!("{what}\n  {text}\n  {:before$}{mark} {note}", "")
}

/// Formats an error about a FEN, with the expected content of the field.
fn no_fen(text: &str, error: FenError) -> String {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let place = |number: usize| match fields.get(number) {
        Some(field) => (field.as_ptr() as usize - text.as_ptr() as usize, field.len()),
        None => (text.len(), 0),
    };
    let (number, expected) = match error {
        FenError::Sign(_) => (0, "letters pnbrqk and PNBRQK, digits 1 to 8"),
        FenError::Rank { .. } | FenError::Ranks(_) | FenError::Length(_) => {
            (0, "eight ranks of eight squares, / between them")
        }
        FenError::Kings => (0, "one K and one k"),
        FenError::Pieces => (0, "at most 16 pieces a side"),
        FenError::Turn => (1, "w or b"),
        FenError::Castling => (2, "letters of KQkq, or -"),
        FenError::EnPassant => (3, "a square such as e3, or -"),
    };
    let (mut at, mut length) = place(number);
    if let FenError::Sign(sign) = error {
        let found = fields[0].bytes().position(|byte| byte == sign);
        (at, length) = (at + found.unwrap_or(0), 1);
        while !text.is_char_boundary(at + length) {
            length += 1;
        }
    }
    if let FenError::Rank { rank, .. } = error
        && let Some(found) = fields[0].split('/').nth(usize::from(8_u8.saturating_sub(rank)))
    {
        (at, length) = (found.as_ptr() as usize - text.as_ptr() as usize, found.len());
    }
    let what = format!("this is not a FEN: {error}");
    marked(text, at, length, &what, &format!("expected: {expected}"))
}
