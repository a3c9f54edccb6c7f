//! Replacement for the client in programs built without it.

use std::convert::Infallible;
use std::io::{self, Write};

use flow::{Cancel, Input};

use crate::{RemoteBytes, RemoteFile};

fn absent<T>() -> io::Result<T> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this program was built without access to object storage and web servers: use a released \
         program, or build it with `--features object-storage`",
    ))
}

/// Bytes at an address. No value of this type exists.
#[derive(Debug)]
pub struct Object(Infallible);

impl Input for Object {
    fn size(&self) -> u64 {
        match self.0 {}
    }

    fn read_at(&self, _: u64, _: &mut [u8]) -> io::Result<usize> {
        match self.0 {}
    }
}

/// An upload to an address. No value of this type exists.
#[derive(Debug)]
pub struct Upload(Infallible);

impl Upload {
    /// Completes the upload.
    ///
    /// # Errors
    /// Never called.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {}
    }
}

impl Write for Upload {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        match self.0 {}
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.0 {}
    }
}

/// Opens an address.
///
/// # Errors
/// Always.
pub fn open(_: &str, _: &Cancel) -> io::Result<RemoteBytes> {
    absent()
}

/// Version of an object that was read last. There is none.
#[derive(Debug, Clone, Default)]
pub struct Version(());

/// Reads an address if it has changed.
///
/// # Errors
/// Always.
pub fn read_changed(_: &str, _: &mut Version, _: &Cancel) -> io::Result<Option<Vec<u8>>> {
    absent()
}

/// Lists addresses.
///
/// # Errors
/// Always.
pub fn list(_: &str, _: &Cancel) -> io::Result<Vec<RemoteFile>> {
    absent()
}

/// Starts an upload.
///
/// # Errors
/// Always.
pub fn upload(_: &str, _: &Cancel) -> io::Result<Upload> {
    absent()
}

/// Creates an object that does not exist yet.
///
/// # Errors
/// Always.
pub fn create_new(_: &str, _: &[u8]) -> io::Result<bool> {
    absent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_errors_that_say_what_to_do() {
        let address = "s3://bucket/a.pgn";
        let opened = open(address, &Cancel::default()).err();
        let watched = read_changed(address, &mut Version::default(), &Cancel::default()).err();
        for error in [opened, watched, upload(address, &Cancel::default()).err()] {
            let message = error.expect("an error").to_string();
            assert!(message.contains("--features object-storage"), "{message}");
        }
    }
}
