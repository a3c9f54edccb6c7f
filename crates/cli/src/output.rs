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

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use engine::{Found, SortKey};
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
pub(crate) struct Spool {
    file: SpooledTempFile,
    games: Vec<Waiting>,
    n_bytes: u64,
}

struct Waiting {
    keys: Vec<SortKey>,
    start: u64,
    length: usize,
}

impl Spool {
    /// An empty one; what does not fit into memory goes to a file in `directory`.
    pub(crate) fn new(directory: &Path) -> Spool {
        Spool {
            file: tempfile::spooled_tempfile_in(SPOOL_IN_MEMORY, directory),
            games: Vec::new(),
            n_bytes: 0,
        }
    }

    /// Adds the games of a chunk.
    pub(crate) fn add(&mut self, found: Found) -> io::Result<()> {
        self.file.write_all(&found.text)?;
        for game in found.matches {
            self.games.push(Waiting {
                keys: game.sort_keys,
                start: self.n_bytes + game.text.start as u64,
                length: game.text.len(),
            });
        }
        self.n_bytes += found.text.len() as u64;
        Ok(())
    }

    pub(crate) fn n_games(&self) -> usize {
        self.games.len()
    }

    pub(crate) fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Adds a game that keeps its place.
    pub(crate) fn add_text(&mut self, text: &[u8]) -> io::Result<()> {
        self.file.write_all(text)?;
        self.games.push(Waiting {
            keys: Vec::new(),
            start: self.n_bytes,
            length: text.len(),
        });
        self.n_bytes += text.len() as u64;
        Ok(())
    }

    /// Writes all games in the order in which they came.
    pub(crate) fn copy(mut self, to: &mut dyn Write) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.file, to)?;
        Ok(())
    }

    /// Gives all games, sorted, to `each`; `ascending` holds the direction of each key.
    pub(crate) fn write_sorted(
        mut self,
        ascending: &[bool],
        each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        // Stable, so that games with equal keys stay in the order of the file.
        self.games
            .sort_by(|a, b| SortKey::compare(&a.keys, &b.keys, ascending));
        let mut text = Vec::new();
        for game in &self.games {
            text.resize(game.length, 0);
            self.file.seek(SeekFrom::Start(game.start))?;
            self.file.read_exact(&mut text)?;
            each(&text)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
