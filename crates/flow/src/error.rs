//! Reasons why games cannot be read.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::sync::Arc;

/// Reason why a source cannot be read, or not further: lower case, no full stop.
///
/// Any error can become one; [`cause`](ReadError::cause) returns it. It is an [`io::Error`] of the
/// system, an [`Interruption`], or an enum of the crate that opens the source.
#[derive(Debug, Clone)]
pub struct ReadError(Shared);

/// The error itself, as one that clones share.
#[derive(Debug, Clone)]
struct Shared(Arc<dyn Error + Send + Sync>);

impl ReadError {
    /// Returns the error itself; of an [`io::Error`] with an error in it, that one, without the place
    /// in the bytes.
    #[must_use]
    pub fn cause(&self) -> &(dyn Error + Send + Sync + 'static) {
        let mut error = &*self.0.0;
        loop {
            error = if let Some(within) = error.downcast_ref().and_then(io::Error::get_ref) {
                within
            } else if let Some(Shared(shared)) = error.downcast_ref() {
                &**shared
            } else if let Some(AtByte(_, within)) = error.downcast_ref() {
                within
            } else {
                return error;
            };
        }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for ReadError {
    fn from(error: E) -> ReadError {
        ReadError(Shared(Arc::new(error)))
    }
}

impl From<ReadError> for io::Error {
    fn from(error: ReadError) -> io::Error {
        let kind = error.0.0.downcast_ref().map_or(io::ErrorKind::Other, io::Error::kind);
        io::Error::new(kind, error.0)
    }
}

/// Errors with the same message are equal.
impl PartialEq for ReadError {
    fn eq(&self, other: &ReadError) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for ReadError {}

impl Display for ReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Display for Shared {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl Error for Shared {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// Error of reading the byte with this offset.
#[derive(Debug)]
pub(super) struct AtByte(pub(super) u64, pub(super) io::Error);

impl Display for AtByte {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.0, self.1)
    }
}

impl Error for AtByte {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.1)
    }
}

/// A source that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceError {
    /// Name for messages.
    pub name: Arc<str>,
    /// Reason.
    pub error: ReadError,
}

impl Display for SourceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.name, self.error)
    }
}

impl Error for SourceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(self.error.cause())
    }
}

/// Reason why reading games stops that is not an error of the system.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Interruption {
    /// The source had other bytes when it was read again.
    Changed,
    /// The run was cancelled.
    Cancelled,
    /// The code that reads the games panicked with this message.
    Panicked(String),
    /// A thread that evaluates games ended early.
    LostWorker,
    /// The thread that reads the source ended early.
    LostReader,
}

impl Display for Interruption {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Interruption::Changed => "the file changed while it was read",
            Interruption::Cancelled => "interrupted",
            Interruption::Panicked(message) => message,
            Interruption::LostWorker => "a worker thread failed",
            Interruption::LostReader => "the thread that reads it failed",
        })
    }
}

impl Error for Interruption {}

impl From<Interruption> for io::Error {
    fn from(error: Interruption) -> io::Error {
        io::Error::other(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Input;
    use crate::buffer::Buffer;

    /// Changes whenever it is read.
    struct Broken;

    impl Input for Broken {
        fn size(&self) -> u64 {
            100
        }
        fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<usize> {
            Err(Interruption::Changed.into())
        }
    }

    #[test]
    fn an_error_within_an_io_error_is_the_cause() {
        let wrapped = ReadError::from(io::Error::from(Interruption::Changed));
        assert_eq!(wrapped.cause().downcast_ref(), Some(&Interruption::Changed));
        assert_eq!(wrapped.to_string(), Interruption::Changed.to_string());
        let missing = ReadError::from(io::Error::from(io::ErrorKind::NotFound));
        let cause = missing.cause().downcast_ref().map(io::Error::kind);
        assert_eq!(cause, Some(io::ErrorKind::NotFound));
        let back = io::Error::from(missing);
        assert_eq!(back.kind(), io::ErrorKind::NotFound);
        let again = ReadError::from(io::Error::from(wrapped.clone()));
        assert_eq!(again.cause().downcast_ref(), Some(&Interruption::Changed));
        let at_byte = Buffer::default().read(&Broken, 7, 1).expect_err("it is broken");
        let at_byte = ReadError::from(at_byte);
        assert_eq!(at_byte.to_string(), "at byte 7: the file changed while it was read");
        assert_eq!(at_byte.cause().downcast_ref(), Some(&Interruption::Changed));
        let error = SourceError { name: "a.pgn".into(), error: wrapped };
        assert!(error.source().is_some_and(|cause| cause.is::<Interruption>()));
    }
}
