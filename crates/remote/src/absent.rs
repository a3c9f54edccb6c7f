//! A program that was built without the client.

use std::convert::Infallible;
use std::io::{self, Write};

use flow::{Cancel, Input};

use crate::{Found, Opened};

fn absent<T>() -> io::Result<T> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "this program was built without access to object storage and web servers: take one that was \
         released, or build it with `--features object-storage`",
    ))
}

/// Bytes behind an address. There are none.
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

/// Something on its way to an address. There is nothing.
#[derive(Debug)]
pub struct Upload(Infallible);

impl Upload {
    /// Puts it in its place.
    ///
    /// # Errors
    /// None.
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

/// Opens what is behind an address.
///
/// # Errors
/// Always.
pub fn open(_: &str, _: &Cancel) -> io::Result<Opened> {
    absent()
}

/// Finds what addresses there are.
///
/// # Errors
/// Always.
pub fn list(_: &str, _: &Cancel) -> io::Result<Vec<Found>> {
    absent()
}

/// Begins to write to an address.
///
/// # Errors
/// Always.
pub fn upload(_: &str, _: &Cancel) -> io::Result<Upload> {
    absent()
}

/// Writes what is not there yet.
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
        for error in [opened, upload(address, &Cancel::default()).err()] {
            let message = error.expect("an error").to_string();
            assert!(message.contains("--features object-storage"), "{message}");
        }
    }
}
