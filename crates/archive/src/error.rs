//! Errors of reading and writing archives.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use flow::ReadError;

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
    /// The file, address or folder with this name, which may be empty, cannot be read or written.
    /// The cause is a [`Refusal`], or comes from the system.
    Unreadable(String, ReadError),
}

/// Reason why something is not read or written although the system permits it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The folder has other contents than an archive.
    NoArchive,
    /// The archive keeps the text of this file, since it has the only copy.
    KeepsOnlyText(String),
    /// The archive is not built again, since it has the only text of this file.
    OnlyText(String),
    /// The archive is not built again, since it has the only complete text of a file.
    OnlyCompleteText {
        /// Name of the file.
        file: String,
        /// Size that it had.
        before: u64,
        /// Size that it has.
        now: u64,
        /// Folder of the archive.
        folder: String,
    },
    /// The file was changed while it was read.
    Changed,
    /// The file has become longer since it was archived.
    Grown,
    /// The file has other contents than when it was archived.
    Replaced,
    /// The file, whose text the archive does not store, is no longer there.
    Gone,
    /// The archive, or one of its files, has been changed since it was cut.
    ChangedSinceCut,
    /// The name of the file is not UTF-8.
    NameNotUtf8,
    /// The file cannot be read again.
    NotRegular,
    /// The games are not in files.
    NotFiles,
    /// The games are at an address.
    RemoteGames,
    /// The archive does not have a text that it should store.
    NoText,
    /// An older version of the program built the archive and read games differently.
    Old,
    /// The themes that the archive keeps cannot be read.
    UnreadableThemes(Box<Error>),
    /// The archive would keep themes that no search reads, since its games cannot be read
    /// separately.
    ThemesNeverRead,
    /// The query for the theme with this name has an error.
    ThemeInError(String),
    /// A text cannot be decompressed for want of memory.
    NoMemory,
    /// The program has not stored the game with this number.
    Defect(u64),
    /// The caller ended the work.
    Ended,
}

impl Display for Refusal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::NoArchive => "it exists and is not an archive",
            Refusal::KeepsOnlyText(file) => {
                return write!(f, "it keeps the text of {file}, since it has the only copy");
            }
            Refusal::OnlyText(file) => {
                return write!(
                    f,
                    "it has the only copy of the text of {file}, so it is not built again"
                );
            }
            Refusal::OnlyCompleteText { file, before, now, folder } => {
                return write!(
                    f,
                    "it has the only complete text of {file}, which was cut from {before} bytes to \
                     {now}, so it is not built again: restore the file, or give up the text with \
                     `cql index {folder} --drop-text`"
                );
            }
            Refusal::Changed => "it was changed while it was read",
            Refusal::Grown => "the file has grown",
            Refusal::Replaced => "the file was replaced",
            Refusal::Gone => {
                "the file is gone, and the archive does not store its text: put it back, or build an \
                 archive of games that are there (`cql index GAMES --self-contained` stores their text)"
            }
            Refusal::ChangedSinceCut => {
                "it, or one of its files, has been changed since it was cut"
            }
            Refusal::NameNotUtf8 => "its name is not UTF-8, rename it first",
            Refusal::NotRegular => "it is not a regular file and cannot be read again later",
            Refusal::NotFiles => {
                "an archive needs files that can be read again later, not standard input or a pipe"
            }
            Refusal::RemoteGames => {
                "an archive can be built only from local files: copy it here first; a \
                 self-contained archive can be searched at an address"
            }
            Refusal::NoText => {
                "it is missing, but the archive should store it: build the archive again"
            }
            Refusal::Old => {
                "an older version of the program built it and read games differently: build it \
                 again with `cql index`"
            }
            Refusal::UnreadableThemes(error) => {
                return write!(
                    f,
                    "{error}: keep the themes again with --themes, or remove them with \
                     --drop-themes"
                );
            }
            Refusal::ThemesNeverRead => {
                "themes are kept only of plain PGN, whose games can be read one by one: unpack the files"
            }
            Refusal::ThemeInError(name) => {
                return write!(f, "the theme {name} does not compile");
            }
            Refusal::NoMemory => "not enough memory to unpack its text",
            Refusal::Defect(number) => {
                return write!(
                    f,
                    "game {number} could not be read, which is a defect of this program"
                );
            }
            Refusal::Ended => "it was ended early",
        })
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Refusal::UnreadableThemes(error) => Some(&**error),
            _ => None,
        }
    }
}

impl Error {
    /// Creates the error of something with a name.
    pub fn unreadable(name: impl Into<String>, error: impl Into<ReadError>) -> Error {
        Error::Unreadable(name.into(), error.into())
    }

    /// Returns the error that ended a run: one of these that its sink returned, or that of a thread.
    pub fn of_run(error: io::Error) -> Error {
        error.downcast().unwrap_or_else(|error| Error::unreadable("", error))
    }

    /// Creates the error of a file.
    pub(crate) fn of_file(path: &Path, error: impl Into<ReadError>) -> Error {
        Error::unreadable(remote::shown(path), error)
    }

    /// Returns a buffer of `length` bytes for reading, or an error if memory is short.
    pub(crate) fn room(length: usize) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        flow::resize(&mut bytes, length).map_err(|error| Error::unreadable("", error))?;
        Ok(bytes)
    }

    /// Adds the name of the file to the message.
    pub(crate) fn in_file(self, name: &str) -> Error {
        match self {
            Error::Damaged(what) => Error::Damaged(format!("{name}: {what}")),
            Error::Unreadable(of, error) if of.is_empty() => Error::unreadable(name, error),
            Error::Unreadable(of, error) => Error::unreadable(format!("{name}: {of}"), error),
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
            Error::Unreadable(name, error) if name.is_empty() => error.fmt(f),
            Error::Unreadable(name, error) => write!(f, "{name}: {error}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Unreadable(_, error) => Some(error.cause()),
            Error::Missing | Error::Damaged(_) | Error::Version(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn an_error_keeps_its_names_and_its_cause() {
        let error = Error::unreadable("a.pgn", Refusal::Changed).in_file("00001");
        assert_eq!(error.to_string(), "00001: a.pgn: it was changed while it was read");
        let cause = error.source().and_then(|cause| cause.downcast_ref());
        assert_eq!(cause, Some(&Refusal::Changed));
        let nameless = Error::unreadable("", Refusal::NoMemory);
        assert_eq!(nameless.to_string(), Refusal::NoMemory.to_string());
        assert_eq!(nameless.in_file("a").to_string(), format!("a: {}", Refusal::NoMemory));
        assert_eq!(Error::of_run(io::Error::other(Error::Version(7))), Error::Version(7));
        assert_eq!(Error::of_run(io::Error::other("no thread")).to_string(), "no thread");
    }
}
