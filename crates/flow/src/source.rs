//! Sources of games: their bytes and the format of the bytes.
//!
//! Sources with random access let threads read independently of each other. Other sources (pipes,
//! compressed files) are read in order. The result is the same.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

use crate::error::SourceError;

/// Bytes with random access, readable by several threads at once.
pub trait Input: Send + Sync {
    /// Number of bytes.
    fn size(&self) -> u64;

    /// Reads bytes from `offset` on. Returns their number, which may be smaller than requested in
    /// the cases in which [`std::io::Read::read`] may return less.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Reads bytes from `offset` on until the buffer is full or the input ends. Returns their
    /// number.
    fn fill_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut done = 0;
        while done < buffer.len() {
            match self.read_at(offset + done as u64, &mut buffer[done..]) {
                Ok(0) => break,
                Ok(n) => done += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }

    /// Announces which bytes will be read soon, so that an input over a network can request them
    /// all at once.
    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        let _ = ranges;
    }
}

impl Input for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest =
            usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// A source of games: a file, a member of a compressed file, or a stream.
pub struct GameSource<'a> {
    /// Name for messages.
    pub name: Arc<str>,
    /// Bytes of the source.
    pub bytes: Bytes<'a>,
    /// Format of the bytes.
    pub format: SourceFormat<'a>,
    /// Number of games before those of this source; `None` to count those of the earlier sources.
    pub games_before: Option<u64>,
    /// Place at which bytes in order begin. It differs from the start if they continue something
    /// that was cut.
    pub start: GameStart,
}

impl<'a> GameSource<'a> {
    /// Creates a source of all games of some bytes.
    pub fn new(
        name: impl Into<Arc<str>>,
        bytes: Bytes<'a>,
        format: SourceFormat<'a>,
    ) -> GameSource<'a> {
        GameSource { name: name.into(), bytes, format, games_before: None, start: GameStart::START }
    }

    /// Creates a source of PGN with random access.
    pub fn pgn(name: impl Into<Arc<str>>, input: impl Input + 'a) -> GameSource<'a> {
        GameSource::new(name, Bytes::Anywhere(Arc::new(input)), SourceFormat::Pgn)
    }

    /// Returns this source as the only one of a run.
    pub fn alone(self) -> Box<Sources<'a>> {
        Box::new(std::iter::once(Ok(self)))
    }
}

/// Bytes of a source.
pub enum Bytes<'a> {
    /// Bytes that several threads can read at once.
    Anywhere(Arc<dyn Input + 'a>),
    /// Only the games in these pieces are wanted. The pieces are in ascending order.
    Pieces(Arc<dyn Input + 'a>, Vec<SourceRange>),
    /// Bytes that are read in order.
    InOrder(Box<dyn Read + Send + 'a>),
}

impl<'a> Bytes<'a> {
    /// Returns a reader of all bytes in order, including those outside of the pieces.
    #[must_use]
    pub fn into_reader(self) -> Box<dyn Read + Send + 'a> {
        match self {
            Bytes::InOrder(reader) => reader,
            Bytes::Anywhere(input) | Bytes::Pieces(input, _) => {
                Box::new(InOrder { input, offset: 0 })
            }
        }
    }
}

/// Reads an input with random access from its first byte to its last.
struct InOrder<'a> {
    input: Arc<dyn Input + 'a>,
    offset: u64,
}

impl Read for InOrder<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read_at(self.offset, buffer)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Consecutive games of a source.
///
/// A game belongs to the piece that contains its first byte, even if it ends later. So adjacent
/// pieces together have exactly the games of their bytes, wherever they meet, if each of them
/// starts at the first game that the one before it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceRange {
    /// Place of the first game.
    pub start: GameStart,
    /// Offset before which all games of the piece begin.
    pub end: u64,
}

impl SourceRange {
    /// Returns the range of consecutive games of a source: from game number `game`, which begins at
    /// `first`, to the game that begins at `last`. Preceding text does not affect where a game
    /// begins and ends, except that text before the first game of a source may belong to it.
    #[must_use]
    pub fn of_games(game: u64, first: u64, last: u64) -> SourceRange {
        let offset = if game == 1 { 0 } else { first };
        SourceRange { start: GameStart { offset, game, line: 1 }, end: last.saturating_add(1) }
    }
}

/// Place of a game in its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameStart {
    /// Byte offset, from 0.
    pub offset: u64,
    /// Number of the game in its source, from 1.
    pub game: u64,
    /// Line, from 1.
    pub line: u64,
}

impl Default for GameStart {
    fn default() -> GameStart {
        GameStart::START
    }
}

impl GameStart {
    /// Place of the first game, including the text before it.
    pub const START: GameStart = GameStart { offset: 0, game: 1, line: 1 };
}

/// Format of the bytes of a source.
#[derive(Clone)]
pub enum SourceFormat<'a> {
    /// PGN.
    Pgn,
    /// One game per line.
    Lines(Arc<dyn LineFormat + 'a>),
}

/// Reason why a line of a format is left out; the format has an enum of them.
pub type LineError = Box<dyn std::error::Error + Send + Sync>;

/// A format whose lines are games. The meaning of a line depends only on its text and on whether it
/// is the first one.
pub trait LineFormat: Send + Sync {
    /// Whether a line, given without its end, holds a game, even a malformed one.
    fn is_game(&self, line: &[u8], is_first: bool) -> bool;

    /// Appends the game of a line as PGN.
    ///
    /// # Errors
    /// The line is malformed. The message of the error becomes that of the game.
    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), LineError>;
}

/// Sources of a run in order. Each is opened when its turn comes.
pub type Sources<'a> = dyn Iterator<Item = Result<GameSource<'a>, SourceError>> + Send + 'a;

/// A source that is being read.
pub(super) struct OpenSource<'a> {
    /// Index among the sources.
    pub(super) index: usize,
    pub(super) name: Arc<str>,
    pub(super) format: SourceFormat<'a>,
    pub(super) games_before: Option<u64>,
}
