//! Where the games go that match.
//!
//! Results are written to a file that takes its name when the run is complete: an output file is
//! whole or it is not there (`new_file`), and replaces nothing but games and earlier results
//! (`earlier`). Games that must be sorted, or counted before they are written, wait in a temporary
//! file of their own. What is written as what is not known here but to the crate `table`.

mod arguments;
mod by_tags;
mod destination;
mod earlier;
mod new_file;
mod order;

use std::io::{self, Write};
use std::path::Path;

use table::Waiting;
use tempfile::SpooledTempFile;

pub(crate) use arguments::{ByName, OutputArgs, Progress};
pub(crate) use by_tags::Template;
pub(crate) use destination::{Destination, Place, refuse_input};
pub(crate) use earlier::{Replace, check as check_replaced};
pub(crate) use input::is_same_file;
pub(crate) use new_file::NewFile;
pub(crate) use order::{cut_behind, forget_behind};

/// Games waiting to be sorted stay in memory up to this size.
const SPOOL_IN_MEMORY: usize = 8 << 20;

const BUFFER: usize = 256 << 10;

/// The directory that a file is in.
pub(crate) fn directory(file: &Path) -> &Path {
    match file.parent() {
        // What waits for it waits here.
        _ if remote::is_address(file) => Path::new("."),
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Writes a whole file at once, or nothing.
pub(crate) fn replace_file(target: &Path, text: &[u8], replace: Replace<'_>) -> io::Result<()> {
    let mut file = NewFile::create(target, replace)?;
    file.write_all(text)?;
    file.finish()
}

/// Games that wait until all are known.
pub(crate) type Spool = Waiting<SpooledTempFile>;

/// Nobody waits; what does not fit into memory goes to a file in `directory`.
pub(crate) fn spool(directory: &Path) -> Spool {
    Waiting::new(tempfile::spooled_tempfile_in(SPOOL_IN_MEMORY, directory))
}

#[cfg(test)]
mod tests;
