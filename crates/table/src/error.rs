//! Errors of creating a table.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use super::column::TAG;

/// Reason why a table cannot be created.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableError {
    /// No column has this name.
    UnknownColumn {
        /// Name that the user gave.
        name: String,
        /// Similar name.
        near: Option<String>,
        /// All names.
        known: Vec<String>,
    },
    /// The name could be that of a tag, but is probably misspelled.
    UnlikelyTag {
        /// Name that the user gave.
        name: String,
        /// Column or tag with a similar name.
        meant: &'static str,
    },
    /// The column of this name belongs to positions, but the rows are games.
    PositionColumn(String),
    /// The choice of columns has this name more than once.
    Twice(String),
    /// Counts have no column with this name, by which they could be ordered or which cells could
    /// show.
    UnknownFigure {
        /// Name that the user gave.
        name: String,
        /// All names.
        known: Vec<String>,
    },
    /// The results of several queries need a format with columns.
    NoColumns,
    /// The rows of several queries do not fit together: the column of this name has more than one
    /// type.
    MixedTypes(String),
}

impl Display for TableError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            TableError::UnknownColumn { name, near, known } => {
                write!(f, "there is no column '{name}'")?;
                if let Some(near) = near {
                    write!(f, "; did you mean '{near}'?")?;
                }
                write!(f, "; use {}, or a tag of games by its name (White)", known.join(", "))
            }
            TableError::UnlikelyTag { name, meant } => write!(
                f,
                "there is no column '{name}'; did you mean '{meant}'? For a tag of exactly this \
                 name, write '{TAG}{name}'"
            ),
            TableError::PositionColumn(name) => {
                write!(f, "the column '{name}' belongs to positions, but the rows are games")
            }
            TableError::Twice(name) => {
                write!(f, "the column '{name}' is named twice; readers need names that differ")
            }
            TableError::UnknownFigure { name, known } => {
                write!(f, "counts have no column '{name}'; use {}", known.join(", "))
            }
            TableError::NoColumns => {
                f.write_str("the results of several queries in one file must be a table")
            }
            TableError::MixedTypes(name) => write!(
                f,
                "the column '{name}' has different types in two queries, which parquet does not \
                 allow; choose other columns, or csv"
            ),
        }
    }
}

impl Error for TableError {}
