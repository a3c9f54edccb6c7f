//! Databases of Scid: an index with a record for each game, and two files beside it with the names
//! and the moves. Each game becomes PGN. The formats were learned from public descriptions and from
//! files that Scid wrote.

mod game;
mod index;
mod names;

use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use flow::{Input, ReadError};

use super::content;
use super::converted::GameConverter;
use super::error::Error;
use super::file::{CountedInput, FileReader};
use game::write_pgn;
use index::{Entry, HEADER, RECORD_5};
use names::Names;

/// First bytes of an index of version 4 or earlier.
const MAGIC: &[u8] = b"Scid.si\0";

/// Versions of the format, which share the encoding of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Version {
    Four,
    Five,
}

impl Version {
    /// Returns the version of an index with this name and beginning. Indexes of version 5 have no
    /// signature.
    pub(super) fn of(path: &Path, head: &[u8]) -> Option<Version> {
        let ending = path.extension().unwrap_or_default();
        if head.starts_with(MAGIC) {
            Some(Version::Four)
        } else {
            let is_five = ending.eq_ignore_ascii_case("si5") && content::is_binary(head);
            is_five.then_some(Version::Five)
        }
    }
}

/// Whether a file has the name of an index.
pub(super) fn is_named(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ["si4", "si5"].iter().any(|index| ending.eq_ignore_ascii_case(index))
}

/// Returns the files with the names and the moves of an index. The case of the letters is kept.
pub(super) fn companions(index: &Path) -> [PathBuf; 2] {
    let ending = index.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let beside = |letter: char| match ending.split_at_checked(1) {
        Some((s @ ("s" | "S"), rest)) if rest.starts_with(['i', 'I']) => {
            let is_upper = rest.starts_with('I');
            let letter = if is_upper { letter.to_ascii_uppercase() } else { letter };
            format!("{s}{letter}{}", &rest[1..])
        }
        _ => format!("s{letter}4"),
    };
    ['n', 'g'].map(|letter| index.with_extension(beside(letter)))
}

/// Opens a database. The meter counts the bytes of the index.
pub(super) fn open(
    path: &Path,
    index: CountedInput,
    version: Version,
) -> Result<Database, ReadError> {
    let size = index.size();
    let mut index = BufReader::new(index.reader());
    let n_games = match version {
        Version::Four => {
            let mut header = [0; HEADER];
            index.read_exact(&mut header).map_err(|_| Error::ScidCutOff(None))?;
            index::n_games(&header)?
        }
        Version::Five => size.div_ceil(RECORD_5 as u64),
    };
    let [names, games] = companions(path);
    let missing: Vec<String> = [&names, &games]
        .into_iter()
        .filter(|path| !path.exists())
        .map(|path| path.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    if !missing.is_empty() {
        return Err(Error::ScidAlone(missing).into());
    }
    let names = Names::read(version, open_file(&names)?)?;
    Ok(Database {
        version,
        index,
        n_games,
        n_read: 0,
        n_cut: 0,
        names,
        games: open_file(&games)?,
        blob: Vec::new(),
    })
}

/// Opens a file beside the index.
fn open_file(path: &Path) -> Result<CountedInput, Error> {
    CountedInput::uncounted(path).map_err(|error| Error::Beside(path.to_owned(), error))
}

/// A database that is being read.
pub(super) struct Database {
    version: Version,
    index: BufReader<FileReader>,
    n_games: u64,
    n_read: u64,
    /// Number of games whose moves are not all in their file.
    n_cut: u64,
    names: Names,
    games: CountedInput,
    /// Moves and tags of a game as they are stored.
    blob: Vec<u8>,
}

impl GameConverter for Database {
    fn write_next(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool> {
        if self.n_read == self.n_games {
            return match self.index.read(&mut [0])? {
                0 if self.n_cut == 0 => Ok(false),
                // Games may be in any order in their file, so this is reported after the last one.
                0 => Err(Error::ScidMoves { at: self.games.size(), n_games: self.n_cut }.into()),
                _ => Err(Error::ScidRecords(self.n_games).into()),
            };
        }
        let entry = Entry::read(self.version, &mut self.index).map_err(|error| {
            if error.kind() == io::ErrorKind::UnexpectedEof {
                Error::ScidCutOff(Some(self.n_read)).into()
            } else {
                error
            }
        })?;
        self.n_read += 1;
        self.blob.resize(entry.length as usize, 0);
        let len = self.games.fill_at(entry.offset, &mut self.blob)?;
        self.n_cut += u64::from(len < self.blob.len());
        self.blob.truncate(len);
        write_pgn(&entry, &self.names, &self.blob, pgn);
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
