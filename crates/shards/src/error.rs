//! What keeps shards from being written or read.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use crate::manifest::VERSION;

/// What keeps shards from being written or read.
///
/// Messages are in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// Bytes are not those that were written: what is wrong with them.
    Damaged(String),
    /// The manifest is in a version that is not known here.
    Version(u64),
    /// The system, or the games, do not permit it.
    Failed(String),
    /// The caller does not want it any more.
    Cancelled,
}

impl Error {
    /// What the system says of a file.
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
                "the manifest is in version {version}, and version {VERSION} is read here: split \
                 the games again, or take the program that has split them"
            ),
            Error::Cancelled => f.write_str("it was ended early"),
        }
    }
}

impl std::error::Error for Error {}
