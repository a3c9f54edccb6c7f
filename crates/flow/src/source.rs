//! Where games come from: sources of bytes, and what the bytes mean.
//!
//! Some sources can be read anywhere, so that threads need not wait for each other; the others
//! (pipes, compressed files) come in order. Neither changes the result.

use std::io::{self, Read};
use std::sync::Arc;

/// Bytes that can be read anywhere, by several threads at once.
pub trait Input: Send + Sync {
    /// How many bytes there are.
    fn size(&self) -> u64;

    /// Reads bytes from `offset` on; the result is how many, less than asked for only as
    /// [`std::io::Read::read`] does.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;
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
}

impl<'a> GameSource<'a> {
    /// PGN that can be read anywhere.
    pub fn pgn(name: impl Into<Arc<str>>, input: impl Input + 'a) -> GameSource<'a> {
        GameSource {
            name: name.into(),
            bytes: Bytes::Anywhere(Arc::new(input)),
            format: Format::Pgn,
        }
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
    /// They come one after the other.
    InOrder(Box<dyn Read + Send + 'a>),
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

/// The sources of a run in order, each opened when its turn comes.
pub type Sources<'a> = dyn Iterator<Item = Result<GameSource<'a>, Unreadable>> + Send + 'a;

/// A source that is being read.
pub(super) struct Opened<'a> {
    /// Its place among the sources.
    pub(super) index: usize,
    pub(super) name: Arc<str>,
    pub(super) format: Format<'a>,
}
