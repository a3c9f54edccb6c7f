//! Where the games go that match.
//!
//! Results are written to a file that takes its name when the run is complete, and replaces nothing
//! that is read and nothing but games and earlier results (the crate `output`). Games that must be sorted, or counted before they are written, wait in a temporary
//! file of their own. What is written as what is not known here but to the crate `table`.

mod arguments;
mod by_tags;
mod destination;
mod order;

use std::path::Path;

use table::Waiting;
use tempfile::SpooledTempFile;

pub(crate) use ::output::{
    NewFile, Originals, Replace, Rules, directory, n_written, put_together, replace_file,
};
pub(crate) use arguments::{ByName, OutputArgs, Progress};
pub(crate) use by_tags::Template;
pub(crate) use destination::{Destination, Place};
pub(crate) use order::{Kept, cut_behind, forget_behind};

/// Games waiting to be sorted stay in memory up to this size.
const SPOOL_IN_MEMORY: usize = 8 << 20;

const BUFFER: usize = 256 << 10;

/// Games that wait until all are known.
pub(crate) type Spool = Waiting<SpooledTempFile>;

/// Nobody waits; what does not fit into memory goes to a file in `directory`.
pub(crate) fn spool(directory: &Path) -> Spool {
    Waiting::new(tempfile::spooled_tempfile_in(SPOOL_IN_MEMORY, directory))
}

#[cfg(test)]
mod tests;
