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
//! Sources that can only be read in order (pipes, compressed files) are cut by whoever reads what
//! comes next; from there on nothing is different. Of sources that can be read anywhere, pieces may
//! be asked for whose first game is known: the games of all pieces are those of the whole.
//!
//! Games that need no cutting, since they are told by their numbers, go through [`run_ranges`].
//!
//! Nothing here opens files or prints: bytes come from [`GameSource`]s, results go to the caller's
//! sink.
//!
//! ```
//! use flow::{GameSource, Output, Results, RunOptions, Worker, run};
//!
//! /// Finds the longest game.
//! struct Longest;
//!
//! #[derive(Default)]
//! struct Length(usize);
//!
//! impl Results for Length {}
//!
//! impl Worker for Longest {
//!     type Results = Length;
//!
//!     fn game(&mut self, raw: &pgn::RawGame<'_>, _number: u64, out: &mut Output<Length>) {
//!         out.results.0 = out.results.0.max(raw.text.len());
//!     }
//! }
//!
//! let games = GameSource::pgn("games", b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n1.e4 *\n".as_slice());
//! let options = RunOptions { threads: 2, ..RunOptions::default() };
//! let mut longest = 0;
//! let mut sink = |out: Output<Length>| {
//!     longest = longest.max(out.results.0);
//!     Ok(())
//! };
//! let (summary, _) = run(games.alone(), &options, || Longest, &mut sink)?;
//! assert_eq!((summary.n_games, longest), (2, 19));
//! # Ok::<(), std::io::Error>(())
//! ```

mod buffer;
mod cancel;
mod count;
mod cut;
mod feed;
mod memory;
mod output;
mod queue;
mod ranges;
mod shared;
mod source;
mod station;
#[cfg(test)]
mod tests;
mod threads;

use std::io;

use pgn::RawGame;

pub use cancel::Cancel;
pub use count::count_games;
pub use memory::{is_shortage, no_thread, resize};
pub use output::{FaultKind, GameFault, Origin, Output, Results};
pub use ranges::{RangeWorker, Ranges, run_ranges};
pub use source::{Bytes, Format, GameSource, Input, LineFormat, Piece, Place, Sources, Unreadable};

/// What is done with each game; one for each thread.
pub trait Worker: Send {
    /// What it makes of the games of a chunk.
    type Results: Results;

    /// Evaluates one game and adds what comes of it.
    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Self::Results>);

    /// Is told of a game that is left out since its end or its moves cannot be found: its text is
    /// not at hand, but its faults are, which are noted without this.
    fn skipped(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Self::Results>) {
        let _ = (raw, number, out);
    }
}

/// How to run.
#[derive(Debug, Clone)]
pub struct RunOptions {
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
    /// With it anyone can end the run early.
    pub cancel: Cancel,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions::new(Cancel::default())
    }
}

impl RunOptions {
    /// Every game, on one thread, until it is cancelled.
    pub fn new(cancel: Cancel) -> RunOptions {
        RunOptions {
            threads: 1,
            first_game: 1,
            last_game: None,
            chunk_bytes: 512 << 10,
            size: None,
            cancel,
        }
    }

    /// Whether the game of this number is to be evaluated.
    fn wants(&self, number: u64) -> bool {
        number >= self.first_game && self.last_game.is_none_or(|last| number <= last)
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
    /// Whether it was ended early.
    pub cancelled: bool,
}

/// Receives the results in the order of the sources.
pub type Sink<'a, R> = dyn FnMut(Output<R>) -> io::Result<()> + 'a;

/// Evaluates the games of `sources` and gives the results to `sink`, which is called on the
/// calling thread. Games are numbered through all sources.
///
/// The result holds the workers too, in no particular order, for what they keep across games.
/// A game whose evaluation panics is reported as a fault of that game, and its worker replaced;
/// what cannot be read, as the failure of its source ([`Output::failure`]).
///
/// # Errors
/// Those of the sink, and threads that cannot be made.
pub fn run<'a, W: Worker>(
    sources: Box<Sources<'a>>,
    options: &RunOptions,
    make_worker: impl Fn() -> W + Sync,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<(Summary, Vec<W>)> {
    counted(options, sink, |sink| match options.threads {
        0 | 1 => queue::run_alone(sources, options, &make_worker, sink),
        _ => queue::run(sources, options, &make_worker, sink),
    })
}

/// Sums up a run that gives its results to `sink`.
fn counted<R, W>(
    options: &RunOptions,
    sink: &mut Sink<'_, R>,
    run: impl FnOnce(&mut Sink<'_, R>) -> io::Result<W>,
) -> io::Result<(Summary, W)> {
    let mut n_games = 0;
    let workers = run(&mut |out| {
        n_games += out.n_games;
        sink(out)
    })?;
    let cancelled = options.cancel.is_cancelled();
    Ok((Summary { n_games, cancelled }, workers))
}

/// What a panic said.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
