//! The games of a file one after the other, for the subcommands that look at games themselves.
//!
//! One pass on one thread, in the memory of a block and the longest game.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::Ordering;

use engine::run::Input;
use pgn::{RawGame, Splitter};

use crate::failure::{Failure, context};
use crate::interrupt;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;

/// Bytes that show how a file is encoded, and how its lines end.
const SAMPLE: usize = 1 << 16;

/// A file of games whose bytes are those of the file, but for lines that end with CR alone.
pub(super) struct GameFile {
    pub(super) name: String,
    games: Games,
    has_old_line_ends: bool,
}

/// The bytes of a file, or what came from a pipe.
enum Games {
    File(File, u64),
    Memory(Vec<u8>),
}

impl Games {
    fn open(path: &Path) -> io::Result<Games> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            return Ok(Games::File(file, metadata.len()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Games::Memory(bytes))
    }

    fn from_stdin() -> io::Result<Games> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(Games::Memory(bytes))
    }
}

impl Input for Games {
    fn size(&self) -> u64 {
        match self {
            Games::File(_, size) => *size,
            Games::Memory(bytes) => bytes.as_slice().size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Games::File(file, _) => std::os::unix::fs::FileExt::read_at(file, buffer, offset),
            #[cfg(windows)]
            Games::File(file, _) => std::os::windows::fs::FileExt::seek_read(file, buffer, offset),
            Games::Memory(bytes) => bytes.as_slice().read_at(offset, buffer),
        }
    }
}

impl GameFile {
    /// Opens a file, or standard input where the name is `-`.
    pub(super) fn open(path: &Path) -> Result<GameFile, Failure> {
        let is_stdin = path == Path::new("-");
        let name = match is_stdin {
            true => "standard input".to_owned(),
            false => path.display().to_string(),
        };
        let games = match is_stdin {
            true => Games::from_stdin(),
            false => Games::open(path),
        };
        let cannot_read = |error: io::Error| context(format!("cannot read {name}"), &error);
        let games = games.map_err(cannot_read)?;
        let mut sample = vec![0; SAMPLE];
        let n = read_full(&games, 0, &mut sample).map_err(cannot_read)?;
        let sample = &sample[..n];
        if let Some(what) = not_text(sample) {
            return Err(Failure::Message(format!("cannot read {name}: {what}")));
        }
        let has_old_line_ends = sample.contains(&b'\r') && !sample.contains(&b'\n');
        Ok(GameFile {
            name,
            games,
            has_old_line_ends,
        })
    }

    /// Whether lines end with CR alone, which is read as LF here and nowhere else.
    pub(super) fn has_old_line_ends(&self) -> bool {
        self.has_old_line_ends
    }

    /// How many bytes there are.
    pub(super) fn size(&self) -> u64 {
        self.games.size()
    }

    /// Fills a buffer from a place on, as far as there are bytes.
    pub(super) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<usize, Failure> {
        let n = read_full(&self.games, offset, buffer)
            .map_err(|error| context(format!("cannot read {}", self.name), &error))?;
        if self.has_old_line_ends {
            let returns = buffer[..n].iter_mut().filter(|byte| **byte == b'\r');
            returns.for_each(|byte| *byte = b'\n');
        }
        Ok(n)
    }

    /// The column of a byte, from 1, as far as its line is not too long to look for.
    pub(super) fn column(&self, offset: u64) -> Result<usize, Failure> {
        let start = offset.saturating_sub(SAMPLE as u64);
        let mut before = vec![0; (offset - start) as usize];
        let n = self.read(start, &mut before)?;
        let in_line = before[..n].iter().rev().take_while(|b| **b != b'\n');
        Ok(in_line.count() + 1)
    }

    /// Gives every game with its number and the line it begins in, both from 1.
    pub(super) fn each(
        &self,
        see: &mut dyn FnMut(&RawGame<'_>, u64, u64) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let mut splitter = Splitter::default();
        let mut buffer: Vec<u8> = Vec::new();
        let mut number = 0;
        loop {
            let start = splitter.offset();
            let kept = buffer.len();
            buffer.resize(kept + BLOCK, 0);
            let n = self.read(start + kept as u64, &mut buffer[kept..])?;
            buffer.truncate(kept + n);
            let is_last = n < BLOCK;
            let (mut line, mut counted) = (splitter.line(), 0);
            for raw in splitter.split(&buffer, is_last) {
                if interrupt::cancel_flag().load(Ordering::Relaxed) {
                    return Err(Failure::Interrupted);
                }
                let at = (raw.offset - start) as usize;
                line += line_ends(&buffer[counted..at]);
                counted = at;
                number += 1;
                see(&raw, number, line)?;
            }
            if is_last {
                return Ok(());
            }
            buffer.drain(..(splitter.offset() - start) as usize);
        }
    }
}

pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}

fn read_full(input: &dyn Input, mut offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < buffer.len() {
        match input.read_at(offset, &mut buffer[done..]) {
            Ok(0) => break,
            Ok(n) => {
                done += n;
                offset += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}

/// Why these bytes are the beginning of no text that can be read.
fn not_text(sample: &[u8]) -> Option<String> {
    let nul_at = |odd: usize| {
        let pairs = sample.chunks_exact(2).take(32);
        let n = pairs.clone().count();
        n >= 4 && pairs.filter(|pair| pair[odd] == 0).count() * 4 >= n * 3
    };
    let packed = match sample {
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Some("zstd"),
        [0x1F, 0x8B, ..] => Some("gzip"),
        [b'B', b'Z', b'h', ..] => Some("bzip2"),
        [b'P', b'K', 3, 4, ..] => Some("zip"),
        _ => None,
    };
    if let Some(packed) = packed {
        return Some(format!("it is packed with {packed}; unpack it first"));
    }
    let encoding = match sample {
        [0xFF, 0xFE, ..] => "UTF-16LE",
        [0xFE, 0xFF, ..] => "UTF-16BE",
        _ if nul_at(1) && !nul_at(0) => "UTF-16LE",
        _ if nul_at(0) && !nul_at(1) => "UTF-16BE",
        _ => return None,
    };
    Some(format!(
        "it is encoded in {encoding}; convert it, for instance with \
         `iconv -f {encoding} -t UTF-8`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_are_told_by_their_first_bytes() {
        let check = |sample: &[u8], want: Option<&str>| {
            let got = not_text(sample);
            assert_eq!(got.is_some(), want.is_some(), "{sample:?}");
            if let (Some(got), Some(want)) = (got, want) {
                assert!(got.contains(want), "{got}");
            }
        };
        check(b"", None);
        check(b"[Event \"x\"]\n", None);
        check(b"\xEF\xBB\xBF[Event", None);
        check(b"[Event \"\0\0\"]\n", None);
        check(b"\x1F\x8B\x08", Some("gzip"));
        check(b"\xFF\xFE[\0E\0", Some("UTF-16LE"));
        check(b"\xFE\xFF\0[\0E", Some("UTF-16BE"));
        check(b"[\0E\0v\0e\0n\0t\0", Some("UTF-16LE"));
        check(b"\0[\0E\0v\0e\0n\0t", Some("UTF-16BE"));
    }
}
