//! What keeps an archive from being read or written.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use crate::manifest::OLDEST;

/// What keeps an archive from being read or written.
///
/// Messages are in lower case, without a full stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Error {
    /// There is no archive.
    Missing,
    /// Bytes are not those that were written: what is wrong with them.
    Damaged(String),
    /// It is in a version of the format that is not known here.
    Version(u64),
    /// What the system says.
    Unreadable(String),
}

impl Error {
    /// What the system says of a file.
    pub(crate) fn of_file(path: &Path, error: &io::Error) -> Error {
        Error::Unreadable(format!("{}: {error}", remote::shown(path)))
    }

    /// A buffer for what is read, of so many bytes.
    pub(crate) fn room(length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        match flow::resize(&mut bytes, length) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Error::Unreadable(error.to_string())),
        }
    }

    /// The same with the name of the file that it is about.
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
                "it is in version {version} of the format, which is not read any more: remove it, \
                 and make it again"
            ),
            Error::Version(version) => write!(
                f,
                "it is in version {version} of the format, which is not known here: a newer \
                 program has made it"
            ),
            Error::Unreadable(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}
