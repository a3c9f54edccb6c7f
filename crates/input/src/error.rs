//! The errors that callers of the crate receive.

use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::PathBuf;

use super::format::InputFormat;

/// Reason why an option or a file is refused.
///
/// Messages are in lower case, without a full stop. As an [`io::Error`] it keeps its message, and
/// an output that is read has the kind [`io::ErrorKind::AlreadyExists`].
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// No encoding has this name.
    UnknownEncoding(String),
    /// No format has this name.
    UnknownFormat(String),
    /// The file of a part does not have the size that it had when it was cut.
    Changed(PathBuf),
    /// The size of the file of a part cannot be determined.
    Unreadable(PathBuf, io::Error),
    /// The output is a file that is read, whether by another name, through a link, or as a hard
    /// link.
    Overwrites {
        /// The output.
        target: PathBuf,
        /// Way in which the run reads it.
        read: ReadAs,
    },
    /// Standard output is this file, which is read.
    OverwritesByStdout(PathBuf),
}

/// Way in which a run reads the file that an output would replace.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadAs {
    /// Under the same name, through a link or by another spelling.
    Itself,
    /// As standard input.
    Stdin,
    /// As this file, of which the output is a hard link.
    HardLink(PathBuf),
    /// As text of an archive; the file itself is missing.
    Archived,
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownEncoding(name) => write!(
                f,
                "unknown encoding '{name}': use auto, utf-8, utf-16le, utf-16be, windows-1250 to \
                 windows-1258, iso-8859-1 to iso-8859-16, koi8-r, macintosh, gb18030, big5, \
                 shift_jis, euc-kr or another one of the Encoding Standard"
            ),
            Error::UnknownFormat(_) => write!(f, "the formats are {}", InputFormat::names(", ")),
            Error::Changed(path) => {
                write!(f, "{} has changed since it was cut", remote::shown(path))
            }
            Error::Unreadable(path, error) => {
                write!(f, "cannot read {}: {error}", remote::shown(path))
            }
            Error::Overwrites { target, read } => {
                write!(f, "the output would overwrite the input: {}", remote::shown(target))?;
                match read {
                    ReadAs::Itself => Ok(()),
                    ReadAs::Stdin => f.write_str(", which is read on standard input"),
                    ReadAs::HardLink(read) => {
                        write!(f, ", which is a hard link to {}", read.display())
                    }
                    ReadAs::Archived => f.write_str(", whose text is read from its archive"),
                }
            }
            Error::OverwritesByStdout(read) => {
                let name = read.display();
                write!(f, "standard output is the input: {name}; give another file")
            }
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Unreadable(_, error) => Some(error),
            Error::UnknownEncoding(_)
            | Error::UnknownFormat(_)
            | Error::Changed(_)
            | Error::Overwrites { .. }
            | Error::OverwritesByStdout(_) => None,
        }
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        let kind = match &error {
            Error::UnknownEncoding(_) | Error::UnknownFormat(_) => io::ErrorKind::InvalidInput,
            Error::Changed(_) => io::ErrorKind::Other,
            Error::Unreadable(_, error) => error.kind(),
            Error::Overwrites { .. } | Error::OverwritesByStdout(_) => io::ErrorKind::AlreadyExists,
        };
        io::Error::new(kind, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_io_error_keeps_kind_and_message() {
        let check = |error: Error, kind: io::ErrorKind, message: &str| {
            let error = io::Error::from(error);
            assert_eq!((error.kind(), error.to_string().as_str()), (kind, message));
        };
        let overwrites = |read| Error::Overwrites { target: "out.pgn".into(), read };
        let refused = |read, message: &str| {
            let message = format!("the output would overwrite the input: out.pgn{message}");
            check(overwrites(read), io::ErrorKind::AlreadyExists, &message);
        };
        refused(ReadAs::Itself, "");
        refused(ReadAs::Stdin, ", which is read on standard input");
        refused(ReadAs::HardLink("a.pgn".into()), ", which is a hard link to a.pgn");
        refused(ReadAs::Archived, ", whose text is read from its archive");
        let message = "standard output is the input: a.pgn; give another file";
        check(Error::OverwritesByStdout("a.pgn".into()), io::ErrorKind::AlreadyExists, message);
        let message = "a.pgn has changed since it was cut";
        check(Error::Changed("a.pgn".into()), io::ErrorKind::Other, message);
        let gone = io::Error::new(io::ErrorKind::NotFound, "gone");
        let message = "cannot read a.pgn: gone";
        check(Error::Unreadable("a.pgn".into(), gone), io::ErrorKind::NotFound, message);
    }
}
