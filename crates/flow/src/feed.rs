//! Supplies the sources one after the other, in portions.
//!
//! One thread at a time holds the feed. It does only the part of the work that must be done in
//! order.

use std::io::Read;
use std::sync::Arc;
use std::vec;

use memchr::{memchr, memrchr};

use super::RunOptions;
use super::buffer::Buffer;
use super::cut::CONTEXT;
use super::error::{ReadError, SourceError};
use super::source::{
    Bytes, GameSource, GameStart, Input, OpenSource, SourceFormat, SourceRange, Sources,
};

/// Smallest size of a portion in bytes, even if some threads then get no work.
pub(super) const SMALLEST_PORTION: usize = 32 << 10;

/// Number of bytes at the end of a portion that are searched first for a place to cut.
const TAIL: usize = 4 << 10;

/// Consecutive bytes of a source.
pub(super) struct Portion<'a> {
    pub(super) source: Arc<OpenSource<'a>>,
    pub(super) bytes: PortionBytes<'a>,
}

pub(super) enum PortionBytes<'a> {
    /// Nominal range of bytes, which the receiving thread reads.
    Range {
        input: Arc<dyn Input + 'a>,
        from: u64,
        to: u64,
        /// Place of the first game, if the portion begins a piece.
        place: Option<GameStart>,
        /// End offset of the piece.
        end: u64,
        buffer: Buffer,
    },
    /// Bytes that are already read, and cut where a game seems to begin.
    Read {
        start: u64,
        /// Place of the first game, if the portion begins the source.
        place: Option<GameStart>,
        buffer: Buffer,
        end: AfterBytes,
    },
}

/// State of a source after some consecutive bytes.
#[derive(Debug, Clone)]
pub(super) enum AfterBytes {
    /// The source continues.
    Open,
    /// The source ends.
    Last,
    /// The source cannot be read further, for this reason.
    Failed(ReadError),
}

/// The sources, and the state of supplying them.
pub(super) struct Feed<'a> {
    sources: Box<Sources<'a>>,
    current: Option<Current<'a>>,
    n_opened: usize,
    /// Number of bytes supplied so far from sources with random access.
    given: u64,
}

struct Current<'a> {
    source: Arc<OpenSource<'a>>,
    rest: RemainingBytes<'a>,
}

/// Rest of a source that has not been supplied yet.
enum RemainingBytes<'a> {
    Anywhere {
        input: Arc<dyn Input + 'a>,
        /// Rest of the current piece …
        next: u64,
        end: u64,
        /// … and the place of its first game, if nothing of it has been supplied.
        place: Option<GameStart>,
        /// Following pieces.
        pieces: vec::IntoIter<SourceRange>,
    },
    InOrder {
        reader: Box<dyn Read + Send + 'a>,
        /// Offset of `kept` in the source.
        offset: u64,
        /// Place of the first game, until the first portion is supplied.
        place: Option<GameStart>,
        /// Bytes read after the last portion.
        kept: Vec<u8>,
    },
}

impl<'a> Feed<'a> {
    pub(super) fn new(sources: Box<Sources<'a>>) -> Feed<'a> {
        Feed { sources, current: None, n_opened: 0, given: 0 }
    }

    /// Returns the next portion, in `buffer` if it is read here. Must not be called again after
    /// `None`.
    pub(super) fn next(
        &mut self,
        options: &RunOptions,
        progress: ReadState,
        mut buffer: Buffer,
    ) -> Option<Result<Portion<'a>, SourceError>> {
        self.current.take_if(|current| Some(current.source.index) == progress.abandoned);
        let current = match &mut self.current {
            Some(current) => current,
            none => match self.sources.next()? {
                Ok(source) => {
                    self.n_opened += 1;
                    none.insert(Current::new(source, self.n_opened))
                }
                Err(unreadable) => return Some(Err(unreadable)),
            },
        };
        let source = current.source.clone();
        let (bytes, is_over) = match &mut current.rest {
            RemainingBytes::Anywhere { input, next, end, place, pieces } => {
                // Portions get smaller towards the end, so that all threads finish together.
                let left = options.size.map(|all| all.saturating_sub(self.given));
                let share = left.unwrap_or(u64::MAX) / (4 * options.threads.max(1) as u64);
                let n = share.clamp(options.smallest_portion(), options.largest_portion());
                let (from, to) = (*next, (*next).saturating_add(n).min(*end));
                *next = to;
                self.given += to - from;
                let input = input.clone();
                let bytes =
                    PortionBytes::Range { input, from, to, place: place.take(), end: *end, buffer };
                let ends_piece = to == *end;
                let following = ends_piece.then(|| pieces.next()).flatten();
                let is_over = ends_piece && following.is_none();
                if let Some(piece) = following {
                    (*next, *end) = (piece.start.offset, piece.end);
                    *place = Some(piece.start);
                }
                (bytes, is_over)
            }
            RemainingBytes::InOrder { reader, offset, place, kept } => {
                buffer.clear();
                buffer.extend(kept);
                kept.clear();
                let start = *offset;
                let wanted = Wanted {
                    most: options.chunk_bytes.max(buffer.len() + 1),
                    least: progress.least(),
                };
                let (end, cut) = wanted.read(&mut **reader, &source.format, &mut buffer);
                kept.extend_from_slice(&buffer.as_slice()[cut..]);
                buffer.truncate(cut);
                *offset += cut as u64;
                let is_over = !matches!(end, AfterBytes::Open);
                let bytes = PortionBytes::Read { start, place: place.take(), buffer, end };
                (bytes, is_over)
            }
        };
        if is_over {
            self.current = None;
        }
        Some(Ok(Portion { source, bytes }))
    }
}

impl<'a> Current<'a> {
    fn new(source: GameSource<'a>, index: usize) -> Current<'a> {
        let rest = match source.bytes {
            Bytes::Anywhere(input) => {
                let whole = SourceRange { start: GameStart::START, end: input.size() };
                RemainingBytes::pieces(input, vec![whole])
            }
            Bytes::Pieces(input, pieces) => RemainingBytes::pieces(input, pieces),
            Bytes::InOrder(reader) => RemainingBytes::InOrder {
                reader,
                offset: source.start.offset,
                place: Some(source.start),
                kept: Vec::new(),
            },
        };
        let source = Arc::new(OpenSource {
            index,
            name: source.name,
            format: source.format,
            games_before: source.games_before,
        });
        Current { source, rest }
    }
}

impl<'a> RemainingBytes<'a> {
    /// Returns the rest of an input with at least one piece, even if it is empty.
    fn pieces(input: Arc<dyn Input + 'a>, mut pieces: Vec<SourceRange>) -> RemainingBytes<'a> {
        let size = input.size();
        pieces.retain_mut(|piece| {
            piece.end = piece.end.min(size);
            piece.start.offset < piece.end
        });
        let mut pieces = pieces.into_iter();
        let nothing = SourceRange { start: GameStart::START, end: 0 };
        let SourceRange { start, end } = pieces.next().unwrap_or(nothing);
        RemainingBytes::Anywhere { input, next: start.offset, end, place: Some(start), pieces }
    }
}

/// Progress of the run, which determines how to read on.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReadState {
    /// Index of a source that is not read any further.
    pub(super) abandoned: Option<usize>,
    /// Number of bytes read of an incomplete game.
    pub(super) left_over: usize,
}

impl ReadState {
    /// Returns the number of new bytes that justify splitting an incomplete game again. Each
    /// attempt starts at the beginning of the game, so small writes into a pipe would otherwise
    /// cost quadratic time.
    fn least(&self) -> usize {
        match self.left_over {
            ..=LONG_GAME => 0,
            long => long / 8,
        }
    }
}

/// Size in bytes up to which an incomplete game is split again on every read.
const LONG_GAME: usize = 64 << 10;

/// Most bytes of a source in order that are read at once. A pipe gives no more, and memory for more
/// would be cleared for each short line that a writer sends.
const PIECE: usize = 64 << 10;

/// Sizes for reading a source in order, in bytes.
struct Wanted {
    most: usize,
    /// Least number of bytes that are passed on just because no more are available now.
    least: usize,
}

impl Wanted {
    /// Appends bytes from a source. Returns where to cut them: once there are `most` bytes,
    /// where a game seems to begin; before that, after all of them, if no more are available now
    /// and a game may be complete. The writer of a pipe may pause at any time.
    fn read(
        &self,
        reader: &mut dyn Read,
        format: &SourceFormat<'_>,
        buffer: &mut Buffer,
    ) -> (AfterBytes, usize) {
        loop {
            let before = buffer.len();
            let wanted = (self.most - before).min(PIECE);
            let read = buffer.read_some(reader, wanted);
            let bytes = buffer.as_slice();
            let is_handed_on =
                || bytes.len() >= self.least && may_be_complete(format, bytes, before);
            match read {
                Ok(0) => return (AfterBytes::Last, bytes.len()),
                Ok(_) if bytes.len() == self.most => return (AfterBytes::Open, cut(format, bytes)),
                // There may be more at once.
                Ok(n) if n == wanted => {}
                Ok(_) if is_handed_on() => return (AfterBytes::Open, bytes.len()),
                Ok(_) => {}
                Err(error) => return (AfterBytes::Failed(error.into()), bytes.len()),
            }
        }
    }
}

/// Returns where to cut bytes if more follow. The rest, which is kept for later, must not contain a
/// complete game, because the next bytes may come much later.
fn cut(format: &SourceFormat<'_>, bytes: &[u8]) -> usize {
    match format {
        SourceFormat::Pgn if ends_game(bytes) => bytes.len(),
        _ => last_boundary(format, bytes),
    }
}

/// Whether a game may have been completed by the bytes from `from` on. Earlier bytes are not
/// searched again.
fn may_be_complete(format: &SourceFormat<'_>, bytes: &[u8], from: usize) -> bool {
    match format {
        SourceFormat::Lines(_) => memchr(b'\n', &bytes[from..]).is_some(),
        SourceFormat::Pgn => {
            let near = from.saturating_sub(CONTEXT).max(1);
            ends_game(bytes) || pgn::likely_boundary(bytes, near).is_some()
        }
    }
}

/// Whether the bytes end with a result and white space.
fn ends_game(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    text.len() < bytes.len() && RESULTS.iter().any(|result| text.ends_with(result))
}

/// Results that end a game.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// Returns the last offset, or nearly the last, at which a game seems to begin; the end if there is
/// none.
fn last_boundary(format: &SourceFormat<'_>, bytes: &[u8]) -> usize {
    match format {
        SourceFormat::Lines(_) => memrchr(b'\n', bytes).map_or(bytes.len(), |newline| newline + 1),
        SourceFormat::Pgn => {
            let mut tail = TAIL;
            loop {
                let from = bytes.len().saturating_sub(tail).max(1);
                if let Some(place) = pgn::likely_boundary(bytes, from) {
                    return place;
                }
                if from == 1 {
                    return bytes.len();
                }
                tail *= 4;
            }
        }
    }
}

impl RunOptions {
    fn largest_portion(&self) -> u64 {
        self.chunk_bytes.max(1) as u64
    }

    /// Smallest size of a portion, unless the source ends.
    pub(super) fn smallest_portion(&self) -> u64 {
        self.largest_portion().min(SMALLEST_PORTION as u64)
    }
}
