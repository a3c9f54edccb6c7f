//! Errors of writing and reading shards.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::{Path, PathBuf};

use archive::LockError;
use flow::SourceError;

use crate::manifest::VERSION;

/// Error of writing or reading shards.
///
/// Messages are in lower case, without a full stop.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The bytes differ from those that were written; the text describes the difference.
    Damaged(String),
    /// The version of the manifest is unknown.
    Version(u64),
    /// A file or folder cannot be read or written.
    File(PathBuf, io::Error),
    /// A source or a shard cannot be read.
    Source(SourceError),
    /// The source with this name is not PGN.
    NotPgn(String),
    /// The input with this name cannot be divided in place.
    Indivisible(String),
    /// The file with this name has members.
    Members(String),
    /// There is no shard with this number.
    NoShard(usize),
    /// The shard that is described so is missing.
    Missing(String),
    /// The folder also holds the file with this name.
    OtherFiles(PathBuf, String),
    /// The folder holds shards.
    HasShards(PathBuf),
    /// The folder cannot be locked.
    Locked(LockError),
    /// The manifest cannot be written as JSON.
    Json(serde_json::Error),
    /// The caller cancelled the work.
    Cancelled,
}

impl Error {
    /// Creates the error of a file from an I/O error.
    pub(crate) fn of_file(path: &Path, error: io::Error) -> Error {
        Error::File(path.to_owned(), error)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Damaged(what) => f.write_str(what),
            Error::Version(version) => write!(
                f,
                "the manifest is in version {version}, this program reads version {VERSION}: \
                 split the games again, or use the program that split them"
            ),
            Error::File(path, error) => write!(f, "{}: {error}", remote::shown(path)),
            Error::Source(error) => error.fmt(f),
            Error::NotPgn(name) => {
                write!(f, "{name} is not PGN: only games in PGN can be cut into shards")
            }
            Error::Indivisible(name) => {
                write!(f, "{name} cannot be divided in place: cut it into shards with `cql split`")
            }
            Error::Members(name) => write!(
                f,
                "{name} has members, which cannot be divided in place: cut them into shards with \
                 `cql split`"
            ),
            Error::NoShard(number) => write!(f, "there is no shard {number}"),
            Error::Missing(what) => write!(f, "{what} is missing"),
            Error::OtherFiles(folder, name) => {
                let folder = folder.display();
                write!(f, "{folder}: the folder holds other files ({name}): give a new folder")
            }
            Error::HasShards(folder) => {
                write!(f, "{}: the folder holds shards: --force replaces them", folder.display())
            }
            Error::Locked(error) => error.fmt(f),
            Error::Json(error) => error.fmt(f),
            Error::Cancelled => f.write_str("it was ended early"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::File(_, error) => Some(error),
            Error::Source(error) => Some(error),
            Error::Locked(error) => Some(error),
            Error::Json(error) => Some(error),
            _ => None,
        }
    }
}
