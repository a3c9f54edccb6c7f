//! The sources one after the other, in pieces. One thread at a time has the feed; what is done
//! here is the part of the work that must be done in order.

use std::io::Read;
use std::sync::Arc;

use memchr::memrchr;

use super::RunOptions;
use super::buffer::Buffer;
use super::source::{Bytes, Format, GameSource, Opened, Sources, Unreadable};

/// Pieces are not made smaller than this to give every thread work.
pub(super) const SMALLEST_PIECE: usize = 32 << 10;

/// How much of the end of a piece is searched at first for a place to cut it.
const TAIL: usize = 4 << 10;

/// Consecutive bytes of a source.
pub(super) struct Piece<'a> {
    pub(super) source: Arc<Opened<'a>>,
    pub(super) bytes: PieceBytes<'a>,
}

pub(super) enum PieceBytes<'a> {
    /// To be read from a nominal place to another by whoever has the piece.
    Range {
        input: Arc<dyn super::Input + 'a>,
        from: u64,
        to: u64,
        buffer: Buffer,
    },
    /// Read already, and cut where a game seems to begin.
    Read {
        start: u64,
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
        input: Arc<dyn super::Input + 'a>,
        next: u64,
        size: u64,
    },
    InOrder {
        reader: Box<dyn Read + Send + 'a>,
        /// Where `kept` stands in the source.
        offset: u64,
        /// What was read behind the last piece.
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

    /// The next piece, in `buffer` if it is read here; of the source `abandoned` nothing more is
    /// wanted. Not to be called again when there is none.
    pub(super) fn next(
        &mut self,
        options: &RunOptions,
        abandoned: Option<usize>,
        mut buffer: Buffer,
    ) -> Option<Result<Piece<'a>, Unreadable>> {
        self.current
            .take_if(|current| Some(current.source.index) == abandoned);
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
            Rest::Anywhere { input, next, size } => {
                // Smaller and smaller towards the end, so that all threads finish together.
                let left = options.size.map(|all| all.saturating_sub(self.given));
                let share = left.unwrap_or(u64::MAX) / (4 * options.threads.max(1) as u64);
                let piece = share.clamp(options.smallest_piece(), options.largest_piece());
                let (from, to) = (*next, (*next).saturating_add(piece).min(*size));
                *next = to;
                self.given += to - from;
                let input = input.clone();
                let is_over = to == *size;
                let bytes = PieceBytes::Range {
                    input,
                    from,
                    to,
                    buffer,
                };
                (bytes, is_over)
            }
            Rest::InOrder {
                reader,
                offset,
                kept,
            } => {
                buffer.clear();
                buffer.extend(kept);
                kept.clear();
                let wanted = options.chunk_bytes.saturating_sub(buffer.len()).max(1);
                let start = *offset;
                let end = match buffer.fill(reader, wanted) {
                    Ok(n) if n < wanted => End::Last,
                    Ok(_) => End::Open,
                    Err(error) => End::Failed(error.to_string()),
                };
                if end == End::Open {
                    let cut = last_boundary(&source.format, buffer.as_slice());
                    kept.extend_from_slice(&buffer.as_slice()[cut..]);
                    buffer.truncate(cut);
                    *offset += cut as u64;
                }
                let is_over = end != End::Open;
                (PieceBytes::Read { start, buffer, end }, is_over)
            }
        };
        if is_over {
            self.current = None;
        }
        Some(Ok(Piece { source, bytes }))
    }
}

impl<'a> Current<'a> {
    fn new(source: GameSource<'a>, index: usize) -> Current<'a> {
        let rest = match source.bytes {
            Bytes::Anywhere(input) => Rest::Anywhere {
                next: 0,
                size: input.size(),
                input,
            },
            Bytes::InOrder(reader) => Rest::InOrder {
                reader,
                offset: 0,
                kept: Vec::new(),
            },
        };
        let source = Arc::new(Opened {
            index,
            name: source.name,
            format: source.format,
        });
        Current { source, rest }
    }
}

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
    fn largest_piece(&self) -> u64 {
        self.chunk_bytes.max(1) as u64
    }

    /// The size that pieces do not go below, unless the source ends.
    pub(super) fn smallest_piece(&self) -> u64 {
        self.largest_piece().min(SMALLEST_PIECE as u64)
    }
}
