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

use std::io::{self, Write as _};
use std::path::Path;

use babson::{Spill, texts_in};
use table::OutputFormat;
use tempfile::SpooledTempFile;

use crate::failure::{Failure, context};

pub(crate) use ::output::{NewFile, Originals, Replace, Rules, directory, put_together};
pub(crate) use arguments::{ByName, OutputArgs, ProgressDisplay, one_of, player_name};
pub(crate) use by_tags::Template;
pub(crate) use destination::{Destination, OutputTarget};
pub(crate) use screen::{ScreenWriter, aligned, drawn, known, last_move, players, year};

const BUFFER: usize = 256 << 10;

/// Temporary storage of games until all are known.
pub(crate) type Spool = Spill<SpooledTempFile>;

/// Creates a spool. Games that do not fit into memory go to a file in `directory`.
pub(crate) fn spool(directory: &Path) -> Spool {
    Spill::new(texts_in(directory))
}

/// Creates the file of a subcommand that writes one format, `None` for one that searches do not
/// write. Without `force`, only games and earlier results are replaced.
///
/// # Errors
/// The file is one of `originals`, its name is that of another format, or it cannot be
/// written.
pub(crate) fn create(
    target: &Path,
    format: Option<OutputFormat>,
    originals: &Originals,
    force: bool,
) -> Result<NewFile, Failure> {
    create_like(target, format, None, originals, force)
}

/// Creates a file like [`create`]. It may also replace a file whose first line is this one.
///
/// # Errors
/// Those of [`create`].
pub(crate) fn create_like(
    target: &Path,
    format: Option<OutputFormat>,
    first_line: Option<&str>,
    originals: &Originals,
    force: bool,
) -> Result<NewFile, Failure> {
    refuse_name(target, format)?;
    let file = NewFile::create(target, Rules::new(Replace::results(force, first_line), originals))
        .map_err(|error| context(format!("cannot write {}", target.display()), &error))?;
    tell_replaced(&file, target);
    Ok(file)
}

/// Refuses a file whose name is that of another format.
///
/// # Errors
/// The name is that of another format.
pub(crate) fn refuse_name(target: &Path, format: Option<OutputFormat>) -> Result<(), Failure> {
    match OutputFormat::of_name(target).filter(|other| Some(*other) != format) {
        None => Ok(()),
        Some(other) => Err(Failure::Message(format!(
            "cannot write {}: its name is that of a {} file, which would not be written",
            target.display(),
            other.name()
        ))),
    }
}

/// Writes a whole file at once, or nothing.
///
/// # Errors
/// The rules forbid it, or it cannot be written.
pub(crate) fn replace_file(target: &Path, text: &[u8], rules: Rules<'_>) -> io::Result<()> {
    let mut file = NewFile::create(target, rules)?;
    tell_replaced(&file, target);
    file.write_all(text)?;
    file.finish()
}

/// Tells the user that a new file replaces games that may be the user's own.
pub(crate) fn tell_replaced(file: &NewFile, target: &Path) {
    file.warning(target).iter().for_each(|warning| tell_line!("{warning}"));
}

#[cfg(test)]
mod tests;
