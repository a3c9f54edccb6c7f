//! Errors that neither the system nor a server reports.

use std::fmt::{self, Display, Formatter};
use std::io;

/// Reason why the bytes at an address are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// There are more bytes than this maximum.
    TooLarge(u64),
    /// The object was changed while it was read.
    Changed,
    /// A block has fewer bytes than the server has announced.
    Short,
    /// The connection was lost after this many bytes, also in further attempts.
    Lost(u64),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::TooLarge(most) => write!(f, "it has more than {most} bytes"),
            Error::Changed => f.write_str("it was changed while it was read: start again"),
            Error::Short => f.write_str("it has fewer bytes than expected"),
            Error::Lost(at) => write!(f, "the connection was lost after byte {at}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::other(error)
    }
}
