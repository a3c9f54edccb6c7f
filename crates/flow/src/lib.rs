//! Games through worker threads, results in the order of the sources.
//!
//! A source is cut at *likely* game boundaries, which any thread can find without knowing what
//! came before. Threads split their chunks into games at once; then, in the order of the source,
//! each chunk's exact end is held against the start of the next one. Where they differ, the next
//! chunk is split again with what was left over. After that the number and line of every game of
//! the chunk are known, and any thread can evaluate it. So no thread waits for a shared reader
//! where there need be none, and the result is the one a single pass would give, whatever the
//! chunks and the threads are.
//!
//! Sources that can only be read in order (pipes, compressed files) are cut by whoever reads the
//! next piece; from there on nothing is different.
//!
//! Nothing here opens files or prints: bytes come from [`GameSource`]s, results go to the caller's
//! sink.

mod buffer;
mod count;
mod cut;
mod feed;
mod output;
mod queue;
mod source;
#[cfg(test)]
mod tests;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use pgn::RawGame;

pub use count::count_games;
use cut::LONGEST_LINE;
pub use output::{ChunkOutput, FaultKind, GameFault, Mark, Match, Origin, SortKey};
pub use source::{Bytes, Format, GameSource, Input, LineFormat, Sources, Unreadable};

/// What is done with each game; one for each thread.
pub trait Worker: Send {
    /// Evaluates one game and appends what comes of it.
    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut ChunkOutput);

    /// Is told of a game that is left out since its end or its moves cannot be found: its text is
    /// not at hand, but its faults are, which are noted without this.
    fn skipped(&mut self, raw: &RawGame<'_>, out: &mut ChunkOutput) {
        let _ = (raw, out);
    }
}

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions<'a> {
    /// How many threads evaluate games; with one, everything happens on the calling thread.
    pub threads: usize,
    /// The number of the first game to evaluate; those before are only counted.
    pub first_game: u64,
    /// The number of the last game to evaluate; one more is read, then reading stops.
    pub last_game: Option<u64>,
    /// The greatest number of bytes that a thread takes at once.
    pub chunk_bytes: usize,
    /// How many bytes the sources have, if that is known: little is not given to many threads.
    pub size: Option<u64>,
    /// Set by anyone to end the run early.
    pub cancel: &'a AtomicBool,
}

impl<'a> RunOptions<'a> {
    /// Every game, on one thread, until `cancel` is set.
    pub fn new(cancel: &'a AtomicBool) -> RunOptions<'a> {
        RunOptions {
            threads: 1,
            first_game: 1,
            last_game: None,
            chunk_bytes: 512 << 10,
            size: None,
            cancel,
        }
    }

    /// Whether reading has come to its end when the next game would have number `next`.
    fn is_over(&self, next: u64) -> bool {
        self.last_game.is_some_and(|last| next > last + 1)
    }
}

/// What a run came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Games read, evaluated or not.
    pub n_games: u64,
    /// Games that match.
    pub n_matches: u64,
    /// Positions of the games whose moves were read. Like all counts here, the same for any
    /// number of threads.
    pub n_positions: u64,
    /// Positions that match, in the games that match.
    pub n_matching_positions: u64,
    /// Whether it was ended early.
    pub cancelled: bool,
}

/// Receives the results in the order of the sources.
pub type Sink<'a> = dyn FnMut(ChunkOutput) -> io::Result<()> + 'a;

/// Evaluates the games of `sources` and gives the results to `sink`, which is called on the
/// calling thread. Games are numbered through all sources.
///
/// The result holds the workers too, in no particular order, for what they keep across games.
/// A game whose evaluation panics is reported as a fault of that game, and its worker replaced;
/// what cannot be read, as the failure of its source ([`ChunkOutput::failure`]).
///
/// # Errors
/// Those of the sink, and threads that cannot be made.
pub fn run<'a, W: Worker>(
    sources: Box<Sources<'a>>,
    options: &RunOptions<'_>,
    make_worker: impl Fn() -> W + Sync,
    sink: &mut Sink<'_>,
) -> io::Result<(Summary, Vec<W>)> {
    let mut summary = Summary::default();
    let mut count = |out: ChunkOutput| {
        summary.n_games += out.n_games;
        summary.n_matches += out.matches.len() as u64;
        summary.n_positions += out.n_positions;
        summary.n_matching_positions += out.n_matching_positions;
        sink(out)
    };
    let workers = if options.threads <= 1 {
        queue::run_alone(sources, options, &make_worker, &mut count)?
    } else {
        queue::run(sources, options, &make_worker, &mut count)?
    };
    summary.cancelled = options.cancel.load(Ordering::Relaxed);
    Ok((summary, workers))
}

/// A worker and how to get another one.
struct Station<'a, W, F> {
    worker: W,
    make_worker: &'a F,
    options: &'a RunOptions<'a>,
    /// A game that was made of a line.
    pgn: Vec<u8>,
}

impl<'a, W: Worker, F: Fn() -> W> Station<'a, W, F> {
    fn new(make_worker: &'a F, options: &'a RunOptions<'a>) -> Self {
        Station {
            worker: make_worker(),
            make_worker,
            options,
            pgn: Vec::new(),
        }
    }

    /// Evaluates the games of a block. Returns nothing when the run is cancelled on the way.
    fn block<'g>(
        &mut self,
        block: &Block<'_>,
        games: impl Iterator<Item = RawGame<'g>>,
    ) -> Option<ChunkOutput> {
        let options = self.options;
        let mut out = ChunkOutput::new(block.first_game);
        out.origin = block.origin.clone();
        let mut number = block.first_game;
        let mut lines = Lines::of(block);
        for raw in games {
            if options.cancel.load(Ordering::Relaxed) {
                return None;
            }
            out.n_games += 1;
            if !raw.faults.is_empty() {
                out.pgn_faults(&raw, number, |line| block.lines + line - block.line_before);
            }
            let wanted =
                number >= options.first_game && options.last_game.is_none_or(|last| number <= last);
            if wanted && raw.is_skipped() {
                self.worker.skipped(&raw, &mut out);
            } else if wanted {
                match block.format {
                    Format::Pgn => self.game(&raw, number, &mut out),
                    Format::Lines(format) => self.line(&**format, &raw, number, &mut out),
                }
                let of_queries = out.queries.iter_mut().flat_map(|part| {
                    let faults = part.faults.iter_mut().rev();
                    faults.take_while(|fault| fault.number == number)
                });
                let of_game = out.faults.iter_mut().rev();
                let of_game = of_game.take_while(|fault| fault.number == number);
                for fault in of_game.chain(of_queries) {
                    if fault.line == 0 && fault.kind != FaultKind::Variant {
                        fault.line = lines.line_of(fault.offset);
                    }
                }
            }
            number += 1;
            if options.is_over(number) {
                break;
            }
        }
        for part in &mut out.queries {
            part.n_games = out.n_games;
        }
        Some(out)
    }

    /// Evaluates the game that a line stands for.
    fn line(
        &mut self,
        format: &dyn LineFormat,
        line: &RawGame<'_>,
        number: u64,
        out: &mut ChunkOutput,
    ) {
        if line.text.len() >= LONGEST_LINE {
            let message = format!("the line has more than {LONGEST_LINE} bytes, it is left out");
            out.fault(line, number, FaultKind::Skipped, message);
            return;
        }
        let mut pgn = std::mem::take(&mut self.pgn);
        pgn.clear();
        match format.write_pgn(line.text, &mut pgn) {
            Ok(()) => {
                let mut raw = RawGame::of(&pgn);
                raw.offset = line.offset;
                self.game(&raw, number, out);
            }
            Err(message) => out.fault(line, number, FaultKind::Skipped, message),
        }
        self.pgn = pgn;
    }

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut ChunkOutput) {
        let before = out.mark();
        let worker = &mut self.worker;
        let result = catch_unwind(AssertUnwindSafe(|| worker.game(raw, number, out)));
        if let Err(panic) = result {
            out.rewind(before);
            out.fault(raw, number, FaultKind::Internal, panic_message(&*panic));
            self.worker = (self.make_worker)();
        } else {
            out.end_game(number, before);
        }
    }
}

/// Bytes of a source whose games are evaluated together.
struct Block<'a> {
    bytes: &'a [u8],
    /// Where they begin in the source.
    start: u64,
    format: &'a Format<'a>,
    origin: &'a Origin,
    /// The number of the first game.
    first_game: u64,
    /// Line ends before them.
    lines: u64,
    /// The line before them, as the splitter counts.
    line_before: u64,
}

/// Counts lines, for one place behind the other.
struct Lines<'a> {
    bytes: &'a [u8],
    start: u64,
    /// How far they are counted, and how many there are before that.
    at: usize,
    n: u64,
}

impl<'a> Lines<'a> {
    fn of(block: &Block<'a>) -> Lines<'a> {
        Lines {
            bytes: block.bytes,
            start: block.start,
            at: 0,
            n: block.lines,
        }
    }

    /// The line of a byte of the source.
    fn line_of(&mut self, offset: u64) -> u64 {
        let to = ((offset - self.start) as usize).min(self.bytes.len());
        let n_ends = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        match self.bytes.get(self.at..to) {
            Some(between) => self.n += n_ends(between),
            None => self.n -= n_ends(&self.bytes[to..self.at]),
        }
        self.at = to;
        self.n + 1
    }
}

/// What a panic said.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
