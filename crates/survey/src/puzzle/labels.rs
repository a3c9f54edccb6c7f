//! Writes a table of puzzles with a column for the names of the queries that match in each.
//!
//! The games of a search are the lines of the table, so it is read again in order. Lines are copied
//! unchanged, with the new value at the end.

use std::fmt::{self, Display, Formatter};
use std::io::{self, BufRead, BufReader, Write};
use std::sync::Arc;

use engine::QueryResults;
use flow::{GameSource, LineFormat, SourceError, SourceFormat};
use input::Inputs;

/// Name of the added column.
const COLUMN: &str = "CqlThemes";

/// Largest number of queries, the bits of a `u128`.
const MOST_QUERIES: usize = 128;

/// Reason why there is no table.
#[derive(Debug)]
#[non_exhaustive]
pub enum LabelError {
    /// There are more queries than a table can have names of: their number.
    TooMany(usize),
    /// An input cannot be opened.
    Unreadable(SourceError),
    /// An input with this name cannot be read to its end.
    Cut(String, io::Error),
    /// An input with this name is no table of puzzles.
    NoPuzzles(String),
    /// The columns of an input with this name differ from those of the first.
    OtherColumns(String),
    /// The table cannot be written.
    Unwritable(io::Error),
}

impl Display for LabelError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LabelError::TooMany(n) => {
                write!(f, "puzzles are tagged with at most {MOST_QUERIES} queries, not {n}")
            }
            LabelError::Unreadable(error) => error.fmt(f),
            LabelError::Cut(name, error) => write!(f, "cannot read {name}: {error}"),
            LabelError::NoPuzzles(name) => {
                write!(f, "{name} is not a table of Lichess puzzles")
            }
            LabelError::OtherColumns(name) => {
                write!(f, "the columns of {name} differ from those of the first table")
            }
            LabelError::Unwritable(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            LabelError::Cut(_, error) | LabelError::Unwritable(error) => Some(error),
            LabelError::Unreadable(error) => error.source(),
            LabelError::TooMany(_) | LabelError::NoPuzzles(_) | LabelError::OtherColumns(_) => None,
        }
    }
}

/// The queries that match in each game.
#[derive(Debug)]
pub struct Labels {
    names: Vec<String>,
    /// For each game, a bit for each query that matches.
    games: Vec<u128>,
}

impl Labels {
    /// Begins with the names of the queries.
    ///
    /// # Errors
    /// There are too many queries.
    pub fn new(names: Vec<String>) -> Result<Labels, LabelError> {
        match names.len() {
            0..=MOST_QUERIES => Ok(Labels { names, games: Vec::new() }),
            n => Err(LabelError::TooMany(n)),
        }
    }

    /// Records the matches of a chunk.
    pub fn add(&mut self, found: &[QueryResults]) {
        for (query, found) in found.iter().enumerate() {
            for game in &found.matches {
                let Ok(index) = usize::try_from(game.number - 1) else {
                    continue;
                };
                if self.games.len() <= index {
                    self.games.resize(index + 1, 0);
                }
                self.games[index] |= 1 << query;
            }
        }
    }

    /// Returns the names of the queries that match in a game, separated by blanks.
    fn of(&self, index: usize) -> String {
        let set = self.games.get(index).copied().unwrap_or_default();
        let names = self.names.iter().enumerate();
        let names = names.filter(|(query, _)| set >> query & 1 == 1);
        let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
        names.join(" ")
    }

    /// Writes the tables of the inputs as one. `create` receives the first line of the new table.
    ///
    /// # Errors
    /// An input is not a table of puzzles or cannot be read, or the table cannot be written.
    pub fn write<W: Write>(
        &self,
        inputs: &Inputs,
        mut create: impl FnMut(&str) -> io::Result<W>,
    ) -> Result<W, LabelError> {
        let mut table: Option<(Vec<u8>, W)> = None;
        let mut index = 0;
        for source in inputs.sources() {
            let source = source.map_err(LabelError::Unreadable)?;
            let (name, mut lines, format) = open(source)?;
            let cut = |error| LabelError::Cut(name.clone(), error);
            let mut line = Vec::new();
            let mut is_first = true;
            while read_line(&mut lines, &mut line).map_err(cut)? {
                let is_game = format.is_game(&line, is_first);
                if is_first {
                    match &table {
                        Some((head, _)) if *head == line => {}
                        Some(_) => return Err(LabelError::OtherColumns(name)),
                        None => {
                            let head = format!("{},{COLUMN}", String::from_utf8_lossy(&line));
                            let mut file = create(&head).map_err(LabelError::Unwritable)?;
                            write_line(&mut file, &line, COLUMN)?;
                            table = Some((line.clone(), file));
                        }
                    }
                } else if is_game && let Some((_, file)) = &mut table {
                    write_line(file, &line, &self.of(index))?;
                }
                index += usize::from(is_game);
                is_first = false;
            }
        }
        match table {
            Some((_, file)) => Ok(file),
            None => Err(LabelError::NoPuzzles("what was searched".to_owned())),
        }
    }
}

/// Opens a table of puzzles. Returns its name, its lines and its format.
fn open(
    source: GameSource<'_>,
) -> Result<(String, impl BufRead + use<'_>, Arc<dyn LineFormat + '_>), LabelError> {
    let name = source.name.to_string();
    let SourceFormat::Lines(format) = source.format else {
        return Err(LabelError::NoPuzzles(name));
    };
    let mut lines = BufReader::new(source.bytes.into_reader());
    let head = lines.fill_buf().map_err(|error| LabelError::Cut(name.clone(), error))?;
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_table = line.windows(8).any(|part| part == b"PuzzleId");
    if is_table { Ok((name, lines, format)) } else { Err(LabelError::NoPuzzles(name)) }
}

/// Reads a line without its end. Returns whether there was one.
fn read_line(from: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let n = from.read_until(b'\n', line)?;
    while line.last().is_some_and(|byte| b"\r\n".contains(byte)) {
        line.pop();
    }
    Ok(n > 0)
}

fn write_line(to: &mut impl Write, line: &[u8], more: &str) -> Result<(), LabelError> {
    let parts = [line, b",", more.as_bytes(), b"\n"];
    parts.into_iter().try_for_each(|part| to.write_all(part)).map_err(LabelError::Unwritable)
}
