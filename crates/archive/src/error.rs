//! Errors of reading and writing archives.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use crate::version::OLDEST;

/// Reason why an archive cannot be read or written.
///
/// Messages are in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The folder has no archive.
    Missing,
    /// Bytes differ from those that were written; the text describes what is wrong.
    Damaged(String),
    /// The archive has this unknown version of the format.
    Version(u64),
    /// A file or address cannot be read or written; the message usually comes from the system.
    Unreadable(String),
}

impl Error {
    /// An I/O error with the path of its file.
    pub(crate) fn of_file(path: &Path, error: &io::Error) -> Error {
        Error::Unreadable(format!("{}: {error}", remote::shown(path)))
    }

    /// Returns a buffer of `length` bytes for reading, or an error if memory is short.
    pub(crate) fn room(length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        match flow::resize(&mut bytes, length) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Error::Unreadable(error.to_string())),
        }
    }

    /// Adds the name of the file to the message.
    pub(crate) fn in_file(self, name: &str) -> Error {
        match self {
            Error::Damaged(what) => Error::Damaged(format!("{name}: {what}")),
            Error::Unreadable(what) => Error::Unreadable(format!("{name}: {what}")),
            other => other,
        }
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Missing => f.write_str("there is no archive"),
            Error::Damaged(what) => write!(f, "it is damaged: {what}"),
            Error::Version(version) if *version < OLDEST => write!(
                f,
                "its format version {version} is no longer supported: remove it and build it again"
            ),
            Error::Version(version) => write!(
                f,
                "its format version {version} is unknown: a newer version of the program built it"
            ),
            Error::Unreadable(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}
