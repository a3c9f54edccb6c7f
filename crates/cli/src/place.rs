//! Reads files by path or by address.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::interrupt;

/// Largest object, in bytes, that is read into memory from an address.
const LARGEST: u64 = 1 << 32;

/// Returns the name as an address, or `None` if it is a path.
pub(crate) fn address(name: &Path) -> Option<&str> {
    name.to_str().filter(|_| remote::is_address(name))
}

/// Whether the file exists; `false` if the address cannot be queried.
pub(crate) fn exists(name: &Path) -> bool {
    match address(name) {
        Some(address) => remote::exists(address, interrupt::cancel()).unwrap_or(false),
        None => name.exists(),
    }
}

/// Reads the whole file.
pub(crate) fn read(name: &Path) -> io::Result<Vec<u8>> {
    match address(name) {
        Some(address) => remote::read(address, LARGEST, interrupt::cancel()),
        None => fs::read(name),
    }
}

/// Opens the file for reading from start to end.
pub(crate) fn open(name: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match address(name) {
        None => Box::new(File::open(name)?),
        Some(address) => match remote::open(address, interrupt::cancel())? {
            remote::RemoteBytes::Anywhere(object) => Box::new(remote::reader(object, 0)),
            remote::RemoteBytes::InOrder(stream) => stream,
        },
    })
}

/// Creates a folder with its parents. Does nothing for an address: object storage has no folders.
pub(crate) fn make_folder(name: &Path) -> io::Result<()> {
    if remote::is_address(name) { Ok(()) } else { fs::create_dir_all(name) }
}
