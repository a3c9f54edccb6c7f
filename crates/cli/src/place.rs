//! Files by their names, and what has an address in place of one.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use crate::interrupt;

/// What is read into memory may have so many bytes, if it comes from elsewhere.
const LARGEST: u64 = 1 << 32;

/// The address that a name is.
pub(crate) fn address(name: &Path) -> Option<&str> {
    name.to_str().filter(|_| remote::is_address(name))
}

/// Whether there is something. What cannot be asked for is not there.
pub(crate) fn exists(name: &Path) -> bool {
    match address(name) {
        Some(address) => remote::exists(address, interrupt::cancel()).unwrap_or(false),
        None => name.exists(),
    }
}

/// All of it.
pub(crate) fn read(name: &Path) -> io::Result<Vec<u8>> {
    match address(name) {
        Some(address) => remote::read(address, LARGEST, interrupt::cancel()),
        None => fs::read(name),
    }
}

/// What is read in order.
pub(crate) fn open(name: &Path) -> io::Result<Box<dyn Read>> {
    Ok(match address(name) {
        None => Box::new(File::open(name)?),
        Some(address) => match remote::open(address, interrupt::cancel())? {
            remote::Opened::Anywhere(object) => Box::new(remote::reader(object, 0)),
            remote::Opened::InOrder(stream) => stream,
        },
    })
}

/// Makes a folder, unless that needs none: in object storage there are only names.
pub(crate) fn make_folder(name: &Path) -> io::Result<()> {
    match remote::is_address(name) {
        true => Ok(()),
        false => fs::create_dir_all(name),
    }
}
