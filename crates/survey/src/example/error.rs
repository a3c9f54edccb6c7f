//! Reasons why a text or a game gives no passage.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use board::Square;

use super::LONGEST;

/// Reason why a game has no such passage.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PassageError {
    /// The text is not a passage.
    Unknown(String),
    /// The passage ends before it begins.
    Empty,
    /// The game has other rules.
    OtherRules,
    /// The game has no moves.
    NoMoves,
    /// The game does not have the move with this number.
    NoSuchMove {
        /// The number with its dots.
        number: String,
        /// The first and the last move of the game.
        moves: [String; 2],
    },
    /// An illegal move ends the game before the passage does.
    Illegal {
        /// The last move before it.
        last: String,
    },
    /// The passage has this number of half-moves.
    TooLong(usize),
    /// No piece is on the square at the start of the passage.
    NoPiece(Square),
}

impl Display for PassageError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            PassageError::Unknown(text) => write!(
                f,
                "'{text}' is not a passage: give the numbers of its moves, such as 18-24, 18...-24. \
                 or 18, and the number of the game by itself"
            ),
            PassageError::Empty => f.write_str("the passage is empty: it ends before it begins"),
            PassageError::OtherRules => f.write_str("the game has other rules than chess"),
            PassageError::NoMoves => f.write_str("the game has no moves"),
            PassageError::NoSuchMove { number, moves: [first, last] } => {
                write!(f, "the game has no move {number}: it goes from {first} to {last}")
            }
            PassageError::Illegal { last } => {
                write!(f, "an illegal move follows {last}, before the passage ends")
            }
            PassageError::TooLong(n) => {
                write!(f, "the passage has {n} half-moves, more than {LONGEST}")
            }
            PassageError::NoPiece(square) => {
                write!(f, "no piece stands on {square} at the start of the passage")
            }
        }
    }
}

impl Error for PassageError {}
