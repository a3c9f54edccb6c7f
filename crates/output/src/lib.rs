//! Writes files for the user, for every part of the program.
//!
//! A file gets its name when it is complete, so that it is whole or missing (`new_file`); several
//! files that belong together get their names together (`together`). A new file never replaces a
//! file that the run reads ([`Originals`]), and unless it is forced it replaces only games and
//! earlier results (`earlier`). Unfinished files are recorded, so that a program that ends early
//! removes them (`unfinished`).
//!
//! ```
//! use output::{NewFile, Originals, Replace, Rules};
//! use std::io::Write;
//!
//! let directory = tempfile::tempdir()?;
//! let games = directory.path().join("games.pgn");
//! std::fs::write(&games, "[Event \"x\"]\n\n1. e4 *\n")?;
//! let mut read = Originals::default();
//! read.add(&games);
//! let rules = Rules::new(Replace::Results(None), &read);
//! assert!(NewFile::create(&games, rules).is_err());
//! let mut file = NewFile::create(&directory.path().join("found.pgn"), rules)?;
//! file.write_all(b"[Event \"y\"]\n\n*\n")?;
//! file.finish()?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod earlier;
mod new_file;
mod together;
mod unfinished;

use std::io;
use std::path::{Path, PathBuf};

pub use earlier::{Replace, check};
pub use input::Originals;
pub use new_file::NewFile;
pub use together::{Held, put_together};
pub use unfinished::{abandon, n_written};

/// Conditions for writing a new file.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'a> {
    /// Existing files that it may replace.
    pub replace: Replace<'a>,
    /// Inputs, which it never replaces. They are empty for a program that changes a file in place.
    pub originals: &'a Originals,
    /// Whether missing directories are created together with the file.
    pub make_directories: bool,
}

impl<'a> Rules<'a> {
    /// Creates rules under which the directory of the file must exist.
    #[must_use]
    pub fn new(replace: Replace<'a>, originals: &'a Originals) -> Rules<'a> {
        Rules { replace, originals, make_directories: false }
    }

    /// Refuses a target that must not be written, before anything is written.
    ///
    /// # Errors
    /// The target is `-` or an input, it is among the inputs and is no earlier result, it belongs to
    /// an archive, or it holds something that must not be replaced.
    pub fn check(&self, target: &Path) -> io::Result<()> {
        refuse_stdout(target)?;
        self.originals.refuse(target)?;
        if is_in_archive(target) {
            let message = "it would become part of an archive: give another name";
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        let is_forced = self.replace == Replace::Anything;
        if !is_forced && self.originals.leaves_out(target) && !earlier::is_of_search(target)? {
            let message = format!(
                "the output would overwrite the input: {} is in a directory that is read and does \
                 not look like an earlier result; give another name, or --force to skip it as \
                 input and replace it",
                target.display()
            );
            return Err(io::Error::new(io::ErrorKind::AlreadyExists, message));
        }
        earlier::check(target, self.replace)
    }
}

/// Refuses the name that stands for standard output.
fn refuse_stdout(target: &Path) -> io::Result<()> {
    if target == Path::new("-") {
        let message = "it stands for standard output, which does not get this: give the name of a \
                       file (./- is a file of this name)";
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    Ok(())
}

/// Whether a file would be in the folder of an archive; all files there belong to the archive.
fn is_in_archive(target: &Path) -> bool {
    let folder = directory(target);
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    folder.extension().is_some_and(|extension| extension == "cqa")
        && folder.join("manifest.json").is_file()
}

/// Returns the directory of a file.
#[must_use]
pub fn directory(file: &Path) -> &Path {
    match file.parent() {
        // Temporary files of an upload are local.
        _ if remote::is_address(file) => Path::new("."),
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Returns the nearest existing directory above a file.
fn nearest_directory(file: &Path) -> PathBuf {
    let above = directory(file).ancestors();
    let mut above = above.filter(|directory| !directory.as_os_str().is_empty());
    let nearest = above.find(|directory| directory.is_dir());
    nearest.unwrap_or(Path::new(".")).to_owned()
}
