//! The sources one after the other, in portions. One thread at a time has the feed; what is done
//! here is the part of the work that must be done in order.

use std::io::Read;
use std::sync::Arc;
use std::vec;

use memchr::{memchr, memrchr};

use super::RunOptions;
use super::buffer::Buffer;
use super::cut::CONTEXT;
use super::source::{Bytes, Format, GameSource, Input, Opened, Piece, Place, Sources, Unreadable};

/// Portions are not made smaller than this to give every thread work.
pub(super) const SMALLEST_PORTION: usize = 32 << 10;

/// How much of the end of a portion is searched at first for a place to cut it.
const TAIL: usize = 4 << 10;

/// Consecutive bytes of a source.
pub(super) struct Portion<'a> {
    pub(super) source: Arc<Opened<'a>>,
    pub(super) bytes: PortionBytes<'a>,
}

pub(super) enum PortionBytes<'a> {
    /// To be read from a nominal place to another by whoever has it.
    Range {
        input: Arc<dyn Input + 'a>,
        from: u64,
        to: u64,
        /// What begins there, if that is certain: a piece.
        place: Option<Place>,
        /// Where the piece ends that it belongs to.
        end: u64,
        buffer: Buffer,
    },
    /// Read already, and cut where a game seems to begin.
    Read {
        start: u64,
        /// What begins there, if that is certain.
        place: Option<Place>,
        buffer: Buffer,
        end: End,
    },
}

/// What follows consecutive bytes of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum End {
    /// More of the source.
    Open,
    /// Nothing: the source ends there.
    Last,
    /// Nothing that could be read, and why.
    Failed(String),
}

/// The sources, and how far they have been given out.
pub(super) struct Feed<'a> {
    sources: Box<Sources<'a>>,
    current: Option<Current<'a>>,
    n_opened: usize,
    /// Bytes that were given out, of all sources that can be read anywhere.
    given: u64,
}

struct Current<'a> {
    source: Arc<Opened<'a>>,
    rest: Rest<'a>,
}

/// What has not been given out of a source.
enum Rest<'a> {
    Anywhere {
        input: Arc<dyn Input + 'a>,
        /// What is not given out of the current piece …
        next: u64,
        end: u64,
        /// … and where it begins, if all of it is.
        place: Option<Place>,
        /// Those behind it.
        pieces: vec::IntoIter<Piece>,
    },
    InOrder {
        reader: Box<dyn Read + Send + 'a>,
        /// Where `kept` stands in the source.
        offset: u64,
        /// Where the source begins, until that is given out.
        place: Option<Place>,
        /// What was read behind the last portion.
        kept: Vec<u8>,
    },
}

impl<'a> Feed<'a> {
    pub(super) fn new(sources: Box<Sources<'a>>) -> Feed<'a> {
        Feed {
            sources,
            current: None,
            n_opened: 0,
            given: 0,
        }
    }

    /// The next portion, in `buffer` if it is read here. Not to be called again when there is none.
    pub(super) fn next(
        &mut self,
        options: &RunOptions,
        progress: Progress,
        mut buffer: Buffer,
    ) -> Option<Result<Portion<'a>, Unreadable>> {
        self.current
            .take_if(|current| Some(current.source.index) == progress.abandoned);
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
            Rest::Anywhere {
                input,
                next,
                end,
                place,
                pieces,
            } => {
                // Smaller and smaller towards the end, so that all threads finish together.
                let left = options.size.map(|all| all.saturating_sub(self.given));
                let share = left.unwrap_or(u64::MAX) / (4 * options.threads.max(1) as u64);
                let n = share.clamp(options.smallest_portion(), options.largest_portion());
                let (from, to) = (*next, (*next).saturating_add(n).min(*end));
                *next = to;
                self.given += to - from;
                let input = input.clone();
                let bytes = PortionBytes::Range {
                    input,
                    from,
                    to,
                    place: place.take(),
                    end: *end,
                    buffer,
                };
                let ends_piece = to == *end;
                let following = ends_piece.then(|| pieces.next()).flatten();
                let is_over = ends_piece && following.is_none();
                if let Some(piece) = following {
                    (*next, *end) = (piece.start.offset, piece.end);
                    *place = Some(piece.start);
                }
                (bytes, is_over)
            }
            Rest::InOrder {
                reader,
                offset,
                place,
                kept,
            } => {
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
                let is_over = end != End::Open;
                let bytes = PortionBytes::Read {
                    start,
                    place: place.take(),
                    buffer,
                    end,
                };
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
                let whole = Piece {
                    start: Place::START,
                    end: input.size(),
                };
                Rest::pieces(input, vec![whole])
            }
            Bytes::Pieces(input, pieces) => Rest::pieces(input, pieces),
            Bytes::InOrder(reader) => Rest::InOrder {
                reader,
                offset: source.start.offset,
                place: Some(source.start),
                kept: Vec::new(),
            },
        };
        let source = Arc::new(Opened {
            index,
            name: source.name,
            format: source.format,
            games_before: source.games_before,
        });
        Current { source, rest }
    }
}

impl<'a> Rest<'a> {
    /// Pieces of bytes that can be read anywhere, one of them at least.
    fn pieces(input: Arc<dyn Input + 'a>, mut pieces: Vec<Piece>) -> Rest<'a> {
        let size = input.size();
        pieces.retain_mut(|piece| {
            piece.end = piece.end.min(size);
            piece.start.offset < piece.end
        });
        let mut pieces = pieces.into_iter();
        let nothing = Piece {
            start: Place::START,
            end: 0,
        };
        let Piece { start, end } = pieces.next().unwrap_or(nothing);
        Rest::Anywhere {
            input,
            next: start.offset,
            end,
            place: Some(start),
            pieces,
        }
    }
}

/// How far the run has come, for those who read on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// The source of which nothing more is wanted.
    pub(super) abandoned: Option<usize>,
    /// How many bytes have been read of a game that is not complete.
    pub(super) left_over: usize,
}

impl Progress {
    /// What makes it worth to look at a game again that is not complete: it is split from its
    /// beginning, and who writes in small pieces must not make that quadratic.
    fn least(&self) -> usize {
        match self.left_over {
            ..=LONG_GAME => 0,
            long => long / 8,
        }
    }
}

/// A game may have so many bytes and be looked at each time that something comes.
const LONG_GAME: usize = 64 << 10;

/// How many bytes are read of a source in order.
struct Wanted {
    most: usize,
    /// No fewer than these are handed on because no more comes now.
    least: usize,
}

impl Wanted {
    /// Adds what comes next to what was kept of a source, and says where it is cut: when there is
    /// enough, where a game seems to begin, and behind all of it when no more comes now and a game
    /// may be complete. Whoever writes into a pipe may pause.
    fn read(
        &self,
        reader: &mut dyn Read,
        format: &Format<'_>,
        buffer: &mut Buffer,
    ) -> (End, usize) {
        loop {
            let (before, wanted) = (buffer.len(), self.most - buffer.len());
            let read = buffer.read_some(reader, wanted);
            let bytes = buffer.as_slice();
            let is_handed_on =
                || bytes.len() >= self.least && may_be_complete(format, bytes, before);
            match read {
                Ok(0) => return (End::Last, bytes.len()),
                Ok(n) if n == wanted => return (End::Open, cut(format, bytes)),
                Ok(_) if is_handed_on() => return (End::Open, bytes.len()),
                Ok(_) => {}
                Err(error) => return (End::Failed(error.to_string()), bytes.len()),
            }
        }
    }
}

/// Where bytes are cut that others follow: what is kept for later must not be a game that is
/// complete, since nobody knows when they come.
fn cut(format: &Format<'_>, bytes: &[u8]) -> usize {
    match format {
        Format::Pgn if ends_game(bytes) => bytes.len(),
        _ => last_boundary(format, bytes),
    }
}

/// Whether a game may have been completed by the bytes from `from` on; no others are looked at
/// again.
fn may_be_complete(format: &Format<'_>, bytes: &[u8], from: usize) -> bool {
    match format {
        Format::Lines(_) => memchr(b'\n', &bytes[from..]).is_some(),
        Format::Pgn => {
            let near = from.saturating_sub(CONTEXT).max(1);
            ends_game(bytes) || pgn::likely_boundary(bytes, near).is_some()
        }
    }
}

/// Whether bytes end behind a result.
fn ends_game(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_end();
    text.len() < bytes.len() && RESULTS.iter().any(|result| text.ends_with(result))
}

/// How games end.
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];

/// The last place, or nearly so, where a game seems to begin; the end if there is none.
fn last_boundary(format: &Format<'_>, bytes: &[u8]) -> usize {
    match format {
        Format::Lines(_) => memrchr(b'\n', bytes).map_or(bytes.len(), |newline| newline + 1),
        Format::Pgn => {
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

    /// The size that portions do not go below, unless the source ends.
    pub(super) fn smallest_portion(&self) -> u64 {
        self.largest_portion().min(SMALLEST_PORTION as u64)
    }
}
