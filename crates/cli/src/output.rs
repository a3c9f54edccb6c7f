//! Writes the matching games.
//!
//! Results are written to a file that gets its name when the run is complete. It replaces no file
//! that is read, and only games and earlier results (crate `output`). Games that must be sorted, or
//! counted before they are written, wait in a temporary file. The formats are those of the crate
//! `table`.

mod arguments;
mod by_tags;
mod destination;
mod screen;

use std::path::Path;

use babson::{Spill, texts_in};
use tempfile::SpooledTempFile;

pub(crate) use ::output::{
    NewFile, Originals, Replace, Rules, directory, put_together, replace_file,
};
pub(crate) use arguments::{ByName, OutputArgs, Progress, player_name};
pub(crate) use by_tags::Template;
pub(crate) use destination::{Destination, OutputTarget};
pub(crate) use screen::{ScreenWriter, aligned, cut, drawn, known, last_move, players, year};

const BUFFER: usize = 256 << 10;

/// Temporary storage of games until all are known.
pub(crate) type Spool = Spill<SpooledTempFile>;

/// Creates a spool. Games that do not fit into memory go to a file in `directory`.
pub(crate) fn spool(directory: &Path) -> Spool {
    Spill::new(texts_in(directory))
}

#[cfg(test)]
mod tests;
