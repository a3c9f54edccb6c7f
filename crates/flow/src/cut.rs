//! Cutting a source: where a chunk probably begins, and which games it holds.

use std::io;
use std::sync::Arc;

use memchr::memchr;
use pgn::{RawGame, Splitter};

use super::Input;
use super::buffer::Buffer;
use super::feed::{End, Piece, PieceBytes};
use super::source::{Format, LineFormat, Opened};

/// How far a likely boundary is looked for. Where there is none, the cut is made anyway and put
/// right when the chunks are joined.
const LOOKAHEAD: usize = 128 << 10;

/// Bytes of a line that is a game; the same as of any other game.
pub(super) const LONGEST_LINE: usize = pgn::GAME_LIMIT;

/// Bytes behind a boundary that show it to be one.
const CONTEXT: usize = 16;

/// Consecutive bytes of a source, split into games.
pub(super) struct Chunk<'a> {
    source: Arc<Opened<'a>>,
    /// Where it begins in the source.
    start: u64,
    buffer: Buffer,
    /// Where it begins in the buffer.
    begin: usize,
    /// What follows.
    follows: End,
    /// The games without their texts, and how long these are.
    games: Vec<(RawGame<'static>, usize)>,
    /// The line of the first byte, as the splitter counts.
    first_line: u64,
    /// The splitter behind the last whole game.
    end: Splitter,
}

impl<'a> Chunk<'a> {
    /// Splits the bytes of `buffer` from `begin` on, where `splitter` stands. If that is only a
    /// guess, the games are too.
    fn new(
        source: Arc<Opened<'a>>,
        splitter: Splitter,
        buffer: Buffer,
        begin: usize,
        follows: End,
    ) -> Chunk<'a> {
        let mut chunk = Chunk {
            source,
            start: splitter.offset(),
            buffer,
            begin,
            follows,
            games: Vec::new(),
            first_line: splitter.line(),
            end: splitter,
        };
        let bytes = &chunk.buffer.as_slice()[begin..];
        let is_last = chunk.follows == End::Last;
        match &chunk.source.format {
            Format::Pgn => {
                for game in chunk.end.split(bytes, is_last) {
                    chunk.games.push((game.with_text(&[]), game.text.len()));
                }
            }
            Format::Lines(format) => {
                split_lines(&**format, &mut chunk.end, bytes, is_last, &mut chunk.games);
            }
        }
        chunk
    }

    /// Makes a chunk of a piece, reading it if that is left to do: from the first likely boundary
    /// in it to the first one behind it.
    pub(super) fn of_piece(piece: Piece<'a>, lookahead: usize) -> Chunk<'a> {
        let source = piece.source;
        match piece.bytes {
            PieceBytes::Read { start, buffer, end } => {
                Chunk::new(source, splitter_at(start), buffer, 0, end)
            }
            PieceBytes::Range {
                input,
                from,
                to,
                mut buffer,
            } => {
                buffer.clear();
                let cutter = Cutter {
                    input: &*input,
                    format: &source.format,
                    from,
                    lookahead,
                };
                match cutter.read(to, &mut buffer) {
                    Ok((start, end)) => {
                        buffer.truncate((end - from) as usize);
                        let begin = (start - from) as usize;
                        let follows = if to == input.size() {
                            End::Last
                        } else {
                            End::Open
                        };
                        Chunk::new(source, splitter_at(start), buffer, begin, follows)
                    }
                    Err(error) => {
                        // What could be read is still worth having, if it is known to begin here.
                        let end = End::Failed(error.to_string());
                        let start = cutter.start(&mut buffer).unwrap_or(from);
                        let begin = ((start - from) as usize).min(buffer.len());
                        Chunk::new(source, splitter_at(start), buffer, begin, end)
                    }
                }
            }
        }
    }

    /// Splits again as what follows `before`, whose last bytes it could not use.
    pub(super) fn join(self, before: Splitter, left_over: &[u8]) -> Chunk<'a> {
        let mut joined = Buffer::default();
        joined.extend(left_over);
        joined.extend(self.bytes());
        Chunk::new(self.source, before, joined, 0, self.follows)
    }

    pub(super) fn source(&self) -> &Arc<Opened<'a>> {
        &self.source
    }

    /// What follows in the source.
    pub(super) fn follows(&self) -> &End {
        &self.follows
    }

    /// Where it begins in the source.
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

/// The splitter of a chunk that begins at `start`.
fn splitter_at(start: u64) -> Splitter {
    match start {
        0 => Splitter::default(),
        _ => Splitter::starting_at(start, 1),
    }
}

/// Finds the lines that are games, and leaves `end` behind the last whole line.
fn split_lines(
    format: &dyn LineFormat,
    end: &mut Splitter,
    bytes: &[u8],
    is_last: bool,
    games: &mut Vec<(RawGame<'static>, usize)>,
) {
    let start = end.offset();
    let (mut at, mut line) = (0, end.line());
    while at < bytes.len() {
        let most = bytes.len().min(at + LONGEST_LINE);
        let (length, next) = match memchr(b'\n', &bytes[at..most]) {
            Some(length) => (length, at + length + 1),
            // What follows counts as a line of its own, so that no line has to be kept whole.
            None if most == at + LONGEST_LINE => (LONGEST_LINE, most),
            None if is_last => (bytes.len() - at, bytes.len()),
            None => break,
        };
        let text = &bytes[at..at + length];
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if format.is_game(text, start + at as u64 == 0) {
            let mut game = RawGame::of(&[]);
            game.offset = start + at as u64;
            games.push((game, text.len()));
        }
        line += u64::from(next > at + length);
        at = next;
    }
    *end = Splitter::starting_at(start + at as u64, line);
}

/// Reads a piece from `from` on of bytes that can be read anywhere.
struct Cutter<'i> {
    input: &'i dyn Input,
    format: &'i Format<'i>,
    from: u64,
    lookahead: usize,
}

impl Cutter<'_> {
    /// Reads the piece whose nominal end is `to`, and says where it begins and ends.
    fn read(&self, to: u64, buffer: &mut Buffer) -> io::Result<(u64, u64)> {
        let n = (to - self.from) as usize;
        if buffer.read(self.input, self.from, n)? < n {
            return Err(changed());
        }
        let start = self.start(buffer)?;
        let end = if to == self.input.size() {
            to
        } else {
            self.boundary(to, buffer)?
        };
        Ok((start, end))
    }

    /// Where the first game begins.
    fn start(&self, buffer: &mut Buffer) -> io::Result<u64> {
        match self.from {
            0 => Ok(0),
            from => self.boundary(from, buffer),
        }
    }

    /// The place of the first likely boundary behind `nominal`. It depends on nothing but the
    /// bytes from `nominal` on, so that the chunks on both sides of it agree, and a later
    /// `nominal` never gives an earlier place. `buffer` holds the bytes from `from` on; more are
    /// read as they are needed.
    fn boundary(&self, nominal: u64, buffer: &mut Buffer) -> io::Result<u64> {
        let size = self.input.size();
        let begin = (nominal - self.from) as usize;
        let lookahead = self.lookahead.min(LOOKAHEAD) as u64;
        let lookahead = (size - nominal).min(lookahead) as usize;
        let most = (size - nominal).min((lookahead + CONTEXT) as u64) as usize;
        let mut step = 4 << 10;
        loop {
            let bytes = &buffer.as_slice()[begin..];
            let seen = bytes.len().min(most);
            // The first byte is left out: what stands before it is not known on the other side.
            let found = match self.format {
                Format::Pgn => pgn::likely_boundary(&bytes[..seen], 1),
                Format::Lines(_) => memchr(b'\n', &bytes[..seen]).map(|newline| newline + 1),
            };
            if let Some(place) = found {
                return Ok(nominal + place.min(lookahead) as u64);
            }
            if seen == most {
                return Ok(nominal + lookahead as u64);
            }
            let wanted = (most - seen).min(step);
            if buffer.read(self.input, nominal + seen as u64, wanted)? < wanted {
                return Err(changed());
            }
            step *= 2;
        }
    }
}

fn changed() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "the file became shorter while it was read",
    )
}
