//! Games and results that have an address in place of a name: in object storage (`s3://`, `gs://`,
//! `az://`), and, to be read, on web servers (`https://`).
//!
//! Everything is asked for in ranges of bytes ([`Object`]), several at the same time and a bounded
//! number of them ahead of whoever reads in order. So what can be read anywhere on a disk can be
//! read anywhere here, a connection that breaks costs the bytes that were on their way, and nothing
//! but those is asked for again. What is written is there when it is complete, or not at all
//! ([`Upload`]).
//!
//! Without the feature `client`, what is behind addresses cannot be had: each of them is an error
//! that says so. The rest of the workspace need not know which of both is the case.
//!
//! ```
//! use std::path::Path;
//!
//! assert!(remote::is_address(Path::new("s3://bucket/games.pgn.zst")));
//! assert!(!remote::is_address(Path::new("games.pgn.zst")));
//! let signed = Path::new("https://example.org/games.pgn?signature=secret");
//! assert_eq!(remote::shown(signed), "https://example.org/games.pgn");
//! ```

#[cfg(not(feature = "client"))]
mod absent;
mod address;
#[cfg(feature = "client")]
mod client;

use std::io::{self, Read};
use std::sync::Arc;

use flow::{Cancel, Input};

#[cfg(not(feature = "client"))]
pub use absent::{Object, Upload, create_new, list, open, upload};
pub use address::{is_address, is_of_several, join, shown};
#[cfg(feature = "client")]
pub use client::{Object, Upload, create_new, list, open, upload};

/// Something behind an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it is.
    pub address: String,
    /// How many bytes it has, if that is said.
    pub size: Option<u64>,
}

/// How what is behind an address can be read.
pub enum Opened {
    /// Anywhere.
    Anywhere(Arc<Object>),
    /// Once and in order: the server knows no ranges.
    InOrder(Box<dyn Read + Send>),
}

/// Reads all of what has no more than so many bytes.
///
/// # Errors
/// It cannot be read, or has more.
pub fn read(address: &str, most: u64, cancel: &Cancel) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match open(address, cancel)? {
        Opened::Anywhere(object) => reader(object, 0)
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?,
        Opened::InOrder(stream) => stream
            .take(most.saturating_add(1))
            .read_to_end(&mut bytes)?,
    };
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Whether there is something behind an address.
///
/// # Errors
/// Nobody says so.
pub fn exists(address: &str, cancel: &Cancel) -> io::Result<bool> {
    match open(address, cancel) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The bytes of an object from a place on to the last.
pub fn reader(object: Arc<Object>, offset: u64) -> impl Read + Send {
    InOrder { object, offset }
}

struct InOrder {
    object: Arc<Object>,
    offset: u64,
}

impl Read for InOrder {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.object.read_at(self.offset, buffer)?;
        self.offset += n as u64;
        Ok(n)
    }
}
