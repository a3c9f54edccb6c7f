//! Errors of writing and reading shards.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use crate::manifest::VERSION;

/// Error of writing or reading shards.
///
/// Messages are in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// The bytes differ from those that were written; the text describes the difference.
    Damaged(String),
    /// The version of the manifest is unknown.
    Version(u64),
    /// A file cannot be read or written, or the input or the folder is not suitable.
    Failed(String),
    /// The caller cancelled the work.
    Cancelled,
}

impl Error {
    /// Creates the error of a file from an I/O error.
    pub(crate) fn of_file(path: &Path, error: &io::Error) -> Error {
        Error::Failed(format!("{}: {error}", remote::shown(path)))
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Damaged(what) | Error::Failed(what) => f.write_str(what),
            Error::Version(version) => write!(
                f,
                "the manifest is in version {version}, this program reads version {VERSION}: \
                 split the games again, or use the program that split them"
            ),
            Error::Cancelled => f.write_str("it was ended early"),
        }
    }
}

impl std::error::Error for Error {}
