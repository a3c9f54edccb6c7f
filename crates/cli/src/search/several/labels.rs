//! `--tag-puzzles`: writes a table of puzzles with a column for the names of the matching queries.
//!
//! The games of the pass are the lines of the table, so it is read again in order. Lines are copied
//! unchanged, with the new value at the end.

use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use engine::QueryResults;
use flow::{Format, GameSource, LineFormat};
use input::Inputs;

use crate::failure::{Failure, context};
use crate::output::{NewFile, Replace, Rules};

/// Name of the added column.
const COLUMN: &str = "CqlThemes";

/// Largest number of queries, the bits of a `u128`.
pub(super) const MOST_QUERIES: usize = 128;

/// The queries that match in each game.
pub(super) struct Labels {
    names: Vec<String>,
    /// For each game, a bit for each query that matches.
    games: Vec<u128>,
}

impl Labels {
    /// # Errors
    /// There are too many queries.
    pub(super) fn new(names: Vec<String>) -> Result<Labels, Failure> {
        if names.len() > MOST_QUERIES {
            return Err(Failure::Message(format!(
                "--tag-puzzles accepts at most {MOST_QUERIES} queries, not {}",
                names.len()
            )));
        }
        Ok(Labels { names, games: Vec::new() })
    }

    /// Records the matches of a chunk.
    pub(super) fn add(&mut self, found: &[QueryResults]) {
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

    /// Writes the table.
    ///
    /// # Errors
    /// An input is not a table of puzzles or cannot be read, or the table cannot be written.
    pub(super) fn write(&self, inputs: &Inputs, target: &Path, force: bool) -> Result<(), Failure> {
        let mut table: Option<(Vec<u8>, NewFile)> = None;
        let mut index = 0;
        let originals = inputs.originals();
        let failed =
            |error: io::Error| context(format!("cannot write {}", target.display()), &error);
        for source in inputs.sources() {
            let source = source.map_err(|error| Failure::Message(error.to_string()))?;
            let (name, mut lines, format) = open(source)?;
            let unreadable = |error: io::Error| context(format!("cannot read {name}"), &error);
            let mut line = Vec::new();
            let mut is_first = true;
            while read_line(&mut lines, &mut line).map_err(unreadable)? {
                let is_game = format.is_game(&line, is_first);
                if is_first {
                    match &table {
                        Some((head, _)) if *head == line => {}
                        Some(_) => {
                            return Err(Failure::Message(format!(
                                "--tag-puzzles: the columns of {name} differ from those of the \
                                 first table"
                            )));
                        }
                        None => {
                            let head = format!("{},{COLUMN}", String::from_utf8_lossy(&line));
                            let replace = Replace::results(force, Some(&head));
                            let rules = Rules::new(replace, &originals);
                            let mut file = NewFile::create(target, rules).map_err(failed)?;
                            write_line(&mut file, &line, COLUMN).map_err(failed)?;
                            table = Some((line.clone(), file));
                        }
                    }
                } else if is_game && let Some((_, file)) = &mut table {
                    write_line(file, &line, &self.of(index)).map_err(failed)?;
                }
                index += usize::from(is_game);
                is_first = false;
            }
        }
        match table {
            Some((_, file)) => file.finish().map_err(failed),
            None => Err(no_puzzles("what was searched")),
        }
    }
}

/// Opens a table of puzzles. Returns its name, its lines and its format.
fn open(
    source: GameSource<'_>,
) -> Result<(String, impl BufRead + use<'_>, std::sync::Arc<dyn LineFormat + '_>), Failure> {
    let name = source.name.to_string();
    let Format::Lines(format) = source.format else {
        return Err(no_puzzles(&name));
    };
    let mut lines = BufReader::new(source.bytes.into_reader());
    let head = lines.fill_buf().map_err(|error| context(format!("cannot read {name}"), &error))?;
    let line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let is_table = line.windows(8).any(|part| part == b"PuzzleId");
    if is_table { Ok((name, lines, format)) } else { Err(no_puzzles(&name)) }
}

fn no_puzzles(name: &str) -> Failure {
    Failure::Message(format!(
        "--tag-puzzles needs a table of Lichess puzzles, and {name} is not one"
    ))
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

fn write_line(to: &mut impl Write, line: &[u8], more: &str) -> io::Result<()> {
    to.write_all(line)?;
    to.write_all(b",")?;
    to.write_all(more.as_bytes())?;
    to.write_all(b"\n")
}
