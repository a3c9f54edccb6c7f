//! The errors of requests.

use std::fmt::{self, Display, Formatter};
use std::io;

use babson::SearchError;
use table::TableError;

/// Says of a file that it was there.
pub(crate) const NO_LONGER_THERE: &str = "no longer there: it was removed, renamed or moved";

/// Describes why a file cannot be read or written. The name of a file that only the program knows is left out
/// when there is no room for it.
#[must_use]
pub fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

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
    /// The file of the game, at this path, is not there.
    NoFile(String),
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
            Error::Search(SearchError::Failed(error)) => f.write_str(&why(error)),
            Error::Search(error) => error.fmt(f),
            Error::Io(error) => f.write_str(&why(error)),
            Error::Unwritable(error) => write!(f, "the file cannot be written: {}", why(error)),
            Error::Stopped => f.write_str("the export was stopped"),
            Error::Gone => f.write_str("the game has moved; the file has changed since the search"),
            Error::NoFile(path) => {
                let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
                write!(f, "{name} is {NO_LONGER_THERE}")
            }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_called_so() {
        let full = || io::Error::from(io::ErrorKind::StorageFull);
        assert_eq!(Error::Io(full()).to_string(), "the disk is full");
        assert_eq!(Error::Search(SearchError::Failed(full())).to_string(), "the disk is full");
        let message = "the file cannot be written: the disk is full";
        assert_eq!(Error::Unwritable(full()).to_string(), message);
        assert_eq!(why(&io::Error::other("no such place")), "no such place");
    }
}
