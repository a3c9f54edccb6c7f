//! Where games come from: sources of bytes, and what the bytes mean.
//!
//! Some sources can be read anywhere, so that threads need not wait for each other; the others
//! (pipes, compressed files) come in order. Neither changes the result.

use std::fmt::{self, Display, Formatter};
use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;

/// Bytes that can be read anywhere, by several threads at once.
pub trait Input: Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Reads bytes from `offset` on; the result is how many, less than asked for only as
    /// [`std::io::Read::read`] does.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Is told which bytes are going to be read soon, for those who have to ask somebody for them
    /// and can do so at once.
    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        let _ = ranges;
    }
}

impl Input for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..))
            .unwrap_or_default();
        let n = rest.len().min(buffer.len());
        buffer[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// Something that holds games: a file, a member of an archive, what comes through a pipe.
pub struct GameSource<'a> {
    /// As messages name it.
    pub name: Arc<str>,
    /// The bytes.
    pub bytes: Bytes<'a>,
    /// What they mean.
    pub format: Format<'a>,
    /// How many games come before those of this source; if that is not known, as many as the
    /// sources before it have given.
    pub games_before: Option<u64>,
    /// Where its bytes begin if they come in order: somewhere else than at the start if they are
    /// the continuation of something that was cut.
    pub start: Place,
}

impl<'a> GameSource<'a> {
    /// All games of some bytes.
    pub fn new(name: impl Into<Arc<str>>, bytes: Bytes<'a>, format: Format<'a>) -> GameSource<'a> {
        GameSource {
            name: name.into(),
            bytes,
            format,
            games_before: None,
            start: Place::START,
        }
    }

    /// PGN that can be read anywhere.
    pub fn pgn(name: impl Into<Arc<str>>, input: impl Input + 'a) -> GameSource<'a> {
        GameSource::new(name, Bytes::Anywhere(Arc::new(input)), Format::Pgn)
    }

    /// The only source of a run.
    pub fn alone(self) -> Box<Sources<'a>> {
        Box::new(std::iter::once(Ok(self)))
    }
}

/// The bytes of a source.
pub enum Bytes<'a> {
    /// They can be read by several threads at once.
    Anywhere(Arc<dyn Input + 'a>),
    /// Only the games in these pieces are wanted, which stand in the order of the bytes.
    Pieces(Arc<dyn Input + 'a>, Vec<Piece>),
    /// They come one after the other.
    InOrder(Box<dyn Read + Send + 'a>),
}

impl<'a> Bytes<'a> {
    /// All bytes from the first to the last, those outside of the pieces among them.
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

/// Bytes that can be read anywhere, from the first to the last.
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
/// A game belongs to the piece that its first byte lies in, however far it goes. So pieces that
/// follow each other have the games of their bytes together, wherever they meet, if each of them
/// starts where the first game begins that the one before it does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Where the first game begins.
    pub start: Place,
    /// The byte before which all games begin.
    pub end: u64,
}

/// Where a game of a source begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The byte, from 0.
    pub offset: u64,
    /// The number of the game in its source, from 1.
    pub game: u64,
    /// The line, from 1.
    pub line: u64,
}

impl Default for Place {
    fn default() -> Place {
        Place::START
    }
}

impl Place {
    /// Where the first game begins, or what stands before it.
    pub const START: Place = Place {
        offset: 0,
        game: 1,
        line: 1,
    };
}

/// What the bytes of a source mean.
#[derive(Clone)]
pub enum Format<'a> {
    /// Games as PGN.
    Pgn,
    /// A game in each line.
    Lines(Arc<dyn LineFormat + 'a>),
}

/// A format whose lines are games. Nothing but the line, and whether it is the first one, decides
/// what a line is.
pub trait LineFormat: Send + Sync {
    /// Whether a line holds a game, be it a faulty one. Lines come without their ends.
    fn is_game(&self, line: &[u8], is_first: bool) -> bool;

    /// Appends the game of a line as PGN, or says what is wrong with it.
    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), String>;
}

/// A source that cannot be opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// As messages name it.
    pub name: Arc<str>,
    /// Why not: lower case, no full stop.
    pub message: String,
}

impl Display for Unreadable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read {}: {}", self.name, self.message)
    }
}

/// The sources of a run in order, each opened when its turn comes.
pub type Sources<'a> = dyn Iterator<Item = Result<GameSource<'a>, Unreadable>> + Send + 'a;

/// A source that is being read.
pub(super) struct Opened<'a> {
    /// Its place among the sources.
    pub(super) index: usize,
    pub(super) name: Arc<str>,
    pub(super) format: Format<'a>,
    pub(super) games_before: Option<u64>,
}
