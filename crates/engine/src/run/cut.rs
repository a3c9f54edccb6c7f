//! Cutting the file: where a chunk probably begins, and which games it holds.

use std::io;

use pgn::{RawGame, Splitter};

use super::Input;
use super::buffer::Buffer;

/// How far a likely boundary is looked for. Where there is none, the cut is made anyway and put
/// right when the chunks are joined.
const LOOKAHEAD: usize = 128 << 10;

/// Bytes behind a boundary that show it to be one.
const CONTEXT: usize = 16;

/// Consecutive bytes of the file, split into games.
#[derive(Debug)]
pub(super) struct Chunk {
    /// Where it begins in the file.
    start: u64,
    buffer: Buffer,
    /// Where it begins in the buffer.
    begin: usize,
    is_last: bool,
    /// The games without their texts, and how long these are.
    games: Vec<(RawGame<'static>, usize)>,
    /// The line of the first byte, as the splitter counts.
    first_line: u64,
    /// The splitter behind the last whole game.
    end: Splitter,
}

impl Chunk {
    /// Splits the bytes of `buffer` from `begin` on, where `splitter` stands. If that is only a
    /// guess, the games are too.
    fn new(splitter: Splitter, buffer: Buffer, begin: usize, is_last: bool) -> Chunk {
        let mut chunk = Chunk {
            start: splitter.offset(),
            buffer,
            begin,
            is_last,
            games: Vec::new(),
            first_line: splitter.line(),
            end: splitter,
        };
        let bytes = &chunk.buffer.as_slice()[begin..];
        for game in chunk.end.split(bytes, is_last) {
            chunk.games.push((game.with_text(&[]), game.text.len()));
        }
        chunk
    }

    /// Reads the chunk whose nominal place is from `from` to `to`: from the first likely boundary
    /// in it to the first one behind it.
    pub(super) fn read(
        input: &dyn Input,
        from: u64,
        to: u64,
        lookahead: usize,
        mut buffer: Buffer,
    ) -> io::Result<Chunk> {
        let size = input.size();
        let n = (to - from) as usize;
        buffer.clear();
        if buffer.read(input, from, n)? < n {
            return Err(changed());
        }
        let splitter = if from == 0 {
            Splitter::default()
        } else {
            let start = boundary(input, &mut buffer, from, from, lookahead)?;
            Splitter::starting_at(start, 1)
        };
        let end = if to == size {
            size
        } else {
            boundary(input, &mut buffer, from, to, lookahead)?
        };
        buffer.truncate((end - from) as usize);
        let begin = (splitter.offset() - from) as usize;
        Ok(Chunk::new(splitter, buffer, begin, to == size))
    }

    /// Splits again as what follows `before`, whose last bytes it could not use.
    pub(super) fn join(self, before: Splitter, left_over: &[u8]) -> Chunk {
        let mut joined = Buffer::default();
        joined.extend(left_over);
        joined.extend(self.bytes());
        Chunk::new(before, joined, 0, self.is_last)
    }

    /// Where it begins in the file.
    pub(super) fn start(&self) -> u64 {
        self.start
    }

    /// The splitter behind the last whole game.
    pub(super) fn end(&self) -> &Splitter {
        &self.end
    }

    pub(super) fn n_games(&self) -> usize {
        self.games.len()
    }

    /// Line ends before [`Chunk::end`].
    pub(super) fn n_lines(&self) -> u64 {
        self.end.line() - self.first_line
    }

    /// The line before the first one, as the splitter counts.
    pub(super) fn line_before(&self) -> u64 {
        self.first_line - 1
    }

    pub(super) fn games(&self) -> impl Iterator<Item = RawGame<'_>> {
        self.games.iter().map(|(game, length)| {
            let start = (game.offset - self.start) as usize;
            game.with_text(&self.bytes()[start..start + length])
        })
    }

    /// The bytes behind the last whole game.
    pub(super) fn rest(&self) -> &[u8] {
        &self.bytes()[(self.end.offset() - self.start) as usize..]
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer.as_slice()[self.begin..]
    }

    /// Its memory, for another chunk.
    pub(super) fn into_buffer(self) -> Buffer {
        self.buffer
    }
}

/// The place of the first likely boundary behind `nominal`. It depends on nothing but the bytes
/// from `nominal` on, so that the chunks on both sides of it agree, and a later `nominal` never
/// gives an earlier place. `buffer` holds the bytes from `from` on; more are read as they are
/// needed.
fn boundary(
    input: &dyn Input,
    buffer: &mut Buffer,
    from: u64,
    nominal: u64,
    lookahead: usize,
) -> io::Result<u64> {
    let size = input.size();
    let begin = (nominal - from) as usize;
    let lookahead = (size - nominal).min(lookahead.min(LOOKAHEAD) as u64) as usize;
    let most = (size - nominal).min((lookahead + CONTEXT) as u64) as usize;
    let mut step = 4 << 10;
    loop {
        let bytes = &buffer.as_slice()[begin..];
        let seen = bytes.len().min(most);
        // The first byte is left out: what stands before it is not known on the other side.
        if let Some(place) = pgn::likely_boundary(&bytes[..seen], 1) {
            return Ok(nominal + place.min(lookahead) as u64);
        }
        if seen == most {
            return Ok(nominal + lookahead as u64);
        }
        let wanted = (most - seen).min(step);
        if buffer.read(input, nominal + seen as u64, wanted)? < wanted {
            return Err(changed());
        }
        step *= 2;
    }
}

fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "the file became shorter while it was read",
    )
}
