//! Stores the texts of games until all are found, to sort or count them.

use std::io::{self, Read, Seek, SeekFrom, Write};

use engine::{QueryResults, SortKey};

/// Bytes of texts that stay in memory.
#[cfg(feature = "files")]
const IN_MEMORY: usize = 8 << 20;

/// Creates a store for texts. Those that do not fit into memory go to a file in `folder` without a
/// name, which the system removes with the last handle.
#[cfg(feature = "files")]
pub fn texts_in(folder: &std::path::Path) -> tempfile::SpooledTempFile {
    tempfile::spooled_tempfile_in(IN_MEMORY, folder)
}

/// Games that wait. Their sort keys are in memory, their texts in `F`, such as a temporary file.
pub struct Spill<F> {
    texts: F,
    games: Vec<Game>,
    n_bytes: u64,
}

struct Game {
    keys: Vec<SortKey>,
    start: u64,
    length: usize,
}

impl<F: Read + Write + Seek> Spill<F> {
    /// Creates an empty store; `texts` must be empty.
    pub fn new(texts: F) -> Spill<F> {
        Spill { texts, games: Vec::new(), n_bytes: 0 }
    }

    /// Adds the games of a chunk.
    ///
    /// # Errors
    /// A text cannot be written.
    pub fn add(&mut self, found: QueryResults) -> io::Result<()> {
        self.texts.write_all(&found.text)?;
        for game in found.matches {
            self.games.push(Game {
                keys: game.sort_keys,
                start: self.n_bytes + game.text.start as u64,
                length: game.text.len(),
            });
        }
        self.n_bytes += found.text.len() as u64;
        Ok(())
    }

    /// Adds a game without sort keys.
    ///
    /// # Errors
    /// The text cannot be written.
    pub fn add_text(&mut self, text: &[u8]) -> io::Result<()> {
        self.texts.write_all(text)?;
        self.games.push(Game { keys: Vec::new(), start: self.n_bytes, length: text.len() });
        self.n_bytes += text.len() as u64;
        Ok(())
    }

    /// Returns the number of games.
    pub fn n_games(&self) -> usize {
        self.games.len()
    }

    /// Returns the size of their texts, in bytes.
    pub fn n_bytes(&self) -> u64 {
        self.n_bytes
    }

    /// Writes all games in the order in which they came.
    ///
    /// # Errors
    /// A text cannot be read, or `to` cannot be written.
    pub fn copy(mut self, to: &mut dyn Write) -> io::Result<()> {
        self.texts.seek(SeekFrom::Start(0))?;
        io::copy(&mut self.texts, to)?;
        Ok(())
    }

    /// Passes all games, sorted, to `each`; `ascending` holds the direction of each key.
    ///
    /// # Errors
    /// Those of `each`, and texts that cannot be read.
    pub fn write_sorted(
        mut self,
        ascending: &[bool],
        each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        // Games with equal keys keep their order.
        self.games.sort_unstable_by(|a, b| {
            SortKey::compare(&a.keys, &b.keys, ascending).then(a.start.cmp(&b.start))
        });
        let mut text = Vec::new();
        for game in &self.games {
            text.resize(game.length, 0);
            self.texts.seek(SeekFrom::Start(game.start))?;
            self.texts.read_exact(&mut text)?;
            each(&text)?;
        }
        Ok(())
    }
}
