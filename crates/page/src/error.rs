//! The errors of requests.

use std::fmt::{self, Display, Formatter};
use std::io;

use babson::SearchError;
use table::TableError;

/// Reason why a request has no answer, or a pass over games no end.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The query has an error: the line or column it is in, and a message.
    Query(String),
    /// The query reads this file, which is not permitted here.
    Reads(String),
    /// The conditions of the query cannot be counted one by one.
    NoConditions,
    /// There is no format with this file extension.
    UnknownFormat(String),
    /// The table does not fit the query.
    Table(TableError),
    /// The games cannot be searched.
    Search(SearchError),
    /// The games cannot be read, or their receiver is gone.
    Io(io::Error),
    /// The file of an export cannot be written.
    Unwritable(io::Error),
    /// The export was cancelled.
    Stopped,
    /// The game is no longer where it was.
    Gone,
    /// The game cannot be read, or the query fails on it.
    Faulty,
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Query(message) => f.write_str(message),
            Error::Reads(name) => write!(
                f,
                "similarposition: the query may not read {name} here; search with `cql` in a \
                 terminal"
            ),
            Error::NoConditions => {
                f.write_str("the conditions of the query cannot be counted one by one")
            }
            Error::UnknownFormat(name) => write!(f, "there is no format `{name}`"),
            Error::Table(error) => error.fmt(f),
            Error::Search(error) => error.fmt(f),
            Error::Io(error) => error.fmt(f),
            Error::Unwritable(error) => write!(f, "the file cannot be written: {error}"),
            Error::Stopped => f.write_str("the export was stopped"),
            Error::Gone => f.write_str("the game has moved; the file has changed since the search"),
            Error::Faulty => f.write_str("the game cannot be read, or the query fails on it"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Table(error) => Some(error),
            Error::Search(error) => Some(error),
            Error::Io(error) | Error::Unwritable(error) => Some(error),
            _ => None,
        }
    }
}

impl From<TableError> for Error {
    fn from(error: TableError) -> Error {
        Error::Table(error)
    }
}

impl From<SearchError> for Error {
    fn from(error: SearchError) -> Error {
        Error::Search(error)
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Io(error)
    }
}
