//! Names of players, events, sites and rounds.

use std::io::{self, BufReader, Read};

use flow::Input;

use super::super::bytes::{append, varint};
use super::super::error::Error;
use super::super::file::CountedInput;
use super::Version;

/// Kinds of names, in the order of the files.
#[derive(Debug, Clone, Copy)]
pub(super) enum NameType {
    Player,
    Event,
    Site,
    Round,
}

/// Number of bytes that all names may take. Databases of ten million games need a tenth.
const MOST: usize = if cfg!(test) { 1 << 20 } else { 256 << 20 };

/// Names, in memory.
#[derive(Default)]
pub(super) struct Names {
    text: Vec<u8>,
    /// Place and length of each name, by kind and number.
    places: [Vec<(u32, u32)>; 4],
}

impl Names {
    pub(super) fn read(version: Version, file: CountedInput) -> io::Result<Names> {
        let size = file.size();
        let mut reader = BufReader::new(file.reader());
        let mut names = Names::default();
        let outcome = match version {
            Version::Four => names.read_version_4(&mut reader, size),
            Version::Five => names.read_version_5(&mut reader, size),
        };
        outcome.map_err(|error| match error.kind() {
            io::ErrorKind::UnexpectedEof => damaged("they are cut off"),
            _ => error,
        })?;
        Ok(names)
    }

    /// Returns a name; `None` if there is none with this number.
    pub(super) fn get(&self, kind: NameType, id: u32) -> Option<&[u8]> {
        let &(start, len) = self.places[kind as usize].get(id as usize)?;
        self.text.get(start as usize..)?.get(..len as usize)
    }

    /// Reads sorted names, each without the beginning that it shares with the name before it.
    fn read_version_4(&mut self, from: &mut impl Read, size: u64) -> io::Result<()> {
        let mut header = [0; 36];
        from.read_exact(&mut header)?;
        if !header.starts_with(b"Scid.sn\0") {
            return Err(damaged("the file does not begin with `Scid.sn`"));
        }
        let number =
            |at: usize| u32::from_be_bytes([0, header[at], header[at + 1], header[at + 2]]);
        for kind in 0..4 {
            let (n_names, most_frequent) = (number(12 + 3 * kind), number(24 + 3 * kind));
            // Each has at least its number, its frequency and its length.
            if u64::from(n_names) > size / 4 {
                return Err(damaged("their number is greater than the file can hold"));
            }
            let id_bytes = if n_names < 1 << 16 { 2 } else { 3 };
            let frequency_bytes = match most_frequent {
                0..=0xff => 1,
                0x100..=0xffff => 2,
                _ => 3,
            };
            self.places[kind] = vec![(0, 0); n_names as usize];
            let mut before = 0..0;
            for i in 0..n_names {
                let id = integer(from, id_bytes)?;
                integer(from, frequency_bytes)?;
                let len = integer(from, 1)? as usize;
                let shared = if i == 0 { 0 } else { integer(from, 1)? as usize };
                if shared > len || shared > before.len() {
                    return Err(damaged("a name shares more with the one before it than this has"));
                }
                let start = self.room(len)?;
                self.text.extend_from_within(before.start..before.start + shared);
                append(from, (len - shared) as u64, &mut self.text)?;
                before = start..self.text.len();
                let place = self.places[kind].get_mut(id as usize);
                *place.ok_or_else(|| damaged("the number of a name is too great"))? =
                    (start as u32, len as u32);
            }
        }
        Ok(())
    }

    /// Reads names, each after its kind and length, and facts about the database, which are skipped.
    fn read_version_5(&mut self, from: &mut impl Read, size: u64) -> io::Result<()> {
        let mut from = from.take(size);
        while from.limit() > 0 {
            let head = varint(&mut from, 35)?;
            let head = head.ok_or_else(|| damaged("the length of a name is too great"))?;
            let (kind, len) = ((head & 7) as usize, head >> 3);
            if len > from.limit() {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let start = self.room(usize::try_from(len).unwrap_or(usize::MAX))?;
            append(&mut from, len, &mut self.text)?;
            match kind {
                0..4 => self.places[kind].push((start as u32, len as u32)),
                4 => self.text.truncate(start),
                _ => return Err(damaged("a name is of an unknown kind")),
            }
        }
        Ok(())
    }

    /// Returns the place of the next name, of `n` bytes.
    fn room(&self, n: usize) -> io::Result<usize> {
        if n > MOST - self.text.len().min(MOST) {
            return Err(damaged("they take more than 256 MiB"));
        }
        Ok(self.text.len())
    }
}

/// Reads a number of `n` bytes, the most significant one first.
fn integer(from: &mut impl Read, n: usize) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes[4 - n..])?;
    Ok(u32::from_be_bytes(bytes))
}

fn damaged(what: &'static str) -> io::Error {
    Error::ScidNames(what).into()
}
