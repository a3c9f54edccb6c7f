//! Reads and writes games and results at addresses: in object storage (`s3://`, `gs://`, `az://`)
//! and, for reading only, on web servers (`https://`).
//!
//! Objects are read by requests for byte ranges ([`Object`]), several at a time, and a bounded
//! number of them ahead of a sequential reader. So an object allows random access as a file does,
//! and after a lost connection only the missing bytes are requested again. An object that is
//! written becomes visible when it is complete, or not at all ([`Upload`]).
//!
//! Without the feature `client`, every address is an error that says so. The rest of the workspace
//! does not depend on whether the feature is enabled.
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
mod error;

use std::io::{self, Read};
use std::sync::Arc;

use flow::{Cancel, Input};

#[cfg(not(feature = "client"))]
pub use absent::{Object, Upload, Version, create_new, list, open, read_changed, upload};
pub use address::{is_address, is_of_several, join, shown};
#[cfg(feature = "client")]
pub use client::{Object, Upload, Version, create_new, list, open, read_changed, upload};
pub use error::Error;

/// An object in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteFile {
    /// Address of the object.
    pub address: String,
    /// Size in bytes, if the server reports it.
    pub size: Option<u64>,
}

/// The ways in which an address can be read.
pub enum RemoteBytes {
    /// With random access.
    Anywhere(Arc<Object>),
    /// Once and in order, because the server does not support ranges.
    InOrder(Box<dyn Read + Send>),
}

/// Reads all bytes, at most `most`.
///
/// # Errors
/// The object cannot be read, or is larger.
pub fn read(address: &str, most: u64, cancel: &Cancel) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match open(address, cancel)? {
        RemoteBytes::Anywhere(object) => {
            reader(object, 0).take(most.saturating_add(1)).read_to_end(&mut bytes)?
        }
        RemoteBytes::InOrder(stream) => {
            stream.take(most.saturating_add(1)).read_to_end(&mut bytes)?
        }
    };
    if bytes.len() as u64 > most { Err(Error::TooLarge(most).into()) } else { Ok(bytes) }
}

/// Whether an object exists at an address.
///
/// # Errors
/// The server cannot be asked.
pub fn exists(address: &str, cancel: &Cancel) -> io::Result<bool> {
    match open(address, cancel) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns a reader of an object from `offset` to its end.
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
