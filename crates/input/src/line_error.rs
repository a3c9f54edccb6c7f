//! Reasons why a line of a format with one game per line is left out.

use std::error;
use std::fmt::{self, Display, Formatter};

use board::FenError;

/// Reason why a line is no game. Messages are in lower case, without a full stop.
#[derive(Debug)]
#[non_exhaustive]
pub enum LineError {
    /// The line is not a position.
    NotAPosition(FenError),
    /// A word after a position is not the name of an operation of EPD.
    NotAnOperation(String),
    /// The value of this operation of EPD has no closing quote.
    OpenQuote(String),
    /// The line of a table of puzzles ends before a column.
    MissingColumn {
        /// Number of columns of the line.
        n_columns: usize,
        /// Name of the column.
        name: &'static str,
        /// Number of the column, from 1.
        number: usize,
    },
    /// The FEN of a puzzle is not a position.
    PuzzleFen(FenError),
    /// The move with this number is illegal, or not in UCI notation.
    NotAMove(usize, String),
    /// The line is not JSON.
    NotJson(serde_json::Error),
    /// The object is no game.
    ForeignObject,
    /// This is not the name of a tag.
    NotATag(String),
    /// The move with this number is not in standard algebraic notation.
    NotSan(usize, String),
}

impl Display for LineError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LineError::NotAPosition(error) => write!(f, "not a position: {error}"),
            LineError::NotAnOperation(name) => write!(
                f,
                "'{name}' is not an operation of EPD: expected a name such as bm or id after the \
                 position"
            ),
            LineError::OpenQuote(name) => write!(f, "the value of {name} has no closing quote"),
            LineError::MissingColumn { n_columns, name, number } => {
                write!(f, "the line has {n_columns} columns, and {name} is column {number}")
            }
            LineError::PuzzleFen(error) => write!(f, "the FEN is not a position: {error}"),
            LineError::NotAMove(number, word) => {
                write!(f, "move {number} ({word}) is not legal, or not written as in f2g3 or e7e8q")
            }
            LineError::NotJson(error) => write!(f, "the line is not JSON: {error}"),
            LineError::ForeignObject => f.write_str(
                "neither a game of Lichess (with `players`) nor one of Chess.com (with `url` and \
                 `pgn`) nor one of a search (with a list of `moves`)",
            ),
            LineError::NotATag(name) => write!(f, "'{name}' is not the name of a tag"),
            LineError::NotSan(number, word) => {
                write!(f, "move {number} ({word}) is not written as in Nf3")
            }
        }
    }
}

impl error::Error for LineError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            LineError::NotAPosition(error) | LineError::PuzzleFen(error) => Some(error),
            LineError::NotJson(error) => Some(error),
            _ => None,
        }
    }
}
