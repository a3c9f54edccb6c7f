//! Runs games through worker threads and delivers results in the order of the sources.
//!
//! A source is cut at *likely* game boundaries, which any thread can find without knowing the text
//! before. Threads split their chunks into games at once. Then, in the order of the source, the
//! exact end of each chunk is compared with the start of the next one. If they differ, the next
//! chunk is split again together with the bytes left over. After that the number and line of every
//! game of the chunk are known, and any thread can evaluate it. So no thread waits for a shared
//! reader unless it has to, and the result equals that of a single pass, whatever the chunks and
//! threads are.
//!
//! Sources that can only be read in order (pipes, compressed files) are cut by the thread that
//! reads them; the rest of the work is the same. For sources with random access, the caller can
//! request pieces whose first game is known. The games of all pieces together are those of the
//! whole source.
//!
//! Games that are identified by number need no cutting and go through [`run_ranges`].
//!
//! This crate neither opens files nor prints: bytes come from [`GameSource`]s, and results go to
//! the caller's sink.
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
mod deadline;
mod error;
mod feed;
mod game_set;
mod memory;
mod output;
mod pace;
mod queue;
mod ranges;
mod shared;
mod source;
mod station;
#[cfg(test)]
mod tests;
mod threads;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use pgn::RawGame;

pub use cancel::Cancel;
pub use count::count_games;
pub use deadline::Deadline;
pub use error::{Interruption, ReadError, SourceError};
pub use game_set::GameSet;
pub use memory::{is_shortage, no_thread, resize};
pub use output::{FaultKind, GameFault, Origin, Output, Results};
pub use ranges::{RangeWorker, Ranges, run_ranges};
pub use source::{
    Bytes, GameSource, GameStart, Input, LineError, LineFormat, SourceFormat, SourceRange, Sources,
};
pub use threads::n_threads;

/// Evaluates games; one per thread.
pub trait Worker: Send {
    /// Results of the games of a chunk.
    type Results: Results;

    /// Evaluates one game and adds its results to `out`.
    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Self::Results>);

    /// Called for a game that is skipped because its end or its moves cannot be found. Its text is
    /// not available; its issues are recorded without this call.
    fn skipped(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Self::Results>) {
        let _ = (raw, number, out);
    }
}

/// Options of a run.
#[derive(Debug, Clone)]
pub struct RunOptions {
    /// Number of threads that evaluate games. With one, everything happens on the calling thread.
    pub threads: usize,
    /// Number of the first game to evaluate. Earlier games are only counted.
    pub first_game: u64,
    /// Number of the last game to evaluate. One more game is read, then reading stops.
    pub last_game: Option<u64>,
    /// Games to evaluate; `None` for all. The issues of other games are not reported.
    pub chosen: Option<Arc<GameSet>>,
    /// Largest number of bytes that a thread takes at once.
    pub chunk_bytes: usize,
    /// Longest time in which results wait for the rest of their chunk; with `None`, they always do.
    /// A slow query thus shows what it finds, and what it has found stays if the run is cancelled.
    pub patience: Option<Duration>,
    /// Number of bytes of all sources, if known. Small inputs use fewer threads.
    pub size: Option<u64>,
    /// Handle that cancels the run.
    pub cancel: Cancel,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions::new(Cancel::default())
    }
}

impl RunOptions {
    /// Evaluates every game on one thread, until `cancel` is cancelled.
    pub fn new(cancel: Cancel) -> RunOptions {
        RunOptions {
            threads: 1,
            first_game: 1,
            last_game: None,
            chosen: None,
            chunk_bytes: 512 << 10,
            // The engine of a page has no clock.
            patience: (!cfg!(target_family = "wasm")).then_some(pace::PATIENCE),
            size: None,
            cancel,
        }
    }

    /// Whether the calling thread works alone. A browser gives it no others, so that all code for them
    /// can be left out.
    fn is_alone(&self) -> bool {
        self.threads <= 1 || cfg!(target_family = "wasm")
    }

    /// Whether the game with this number is to be evaluated.
    fn wants(&self, number: u64) -> bool {
        number >= self.first_game
            && self.last_game.is_none_or(|last| number <= last)
            && self.chooses(number)
    }

    /// Whether the game with this number is one of those that were chosen.
    pub fn chooses(&self, number: u64) -> bool {
        self.chosen.as_ref().is_none_or(|chosen| chosen.has(number))
    }

    /// Whether reading stops before the game with number `next`.
    fn is_over(&self, next: u64) -> bool {
        self.last_game.is_some_and(|last| next > last.saturating_add(1))
    }
}

/// Totals of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Summary {
    /// Number of games read, evaluated or not.
    pub n_games: u64,
    /// Whether the run was cancelled.
    pub cancelled: bool,
}

/// Receives the results in the order of the sources.
pub type Sink<'a, R> = dyn FnMut(Output<R>) -> io::Result<()> + 'a;

/// Evaluates the games of `sources` and passes the results to `sink`, which is called on the
/// calling thread. Games are numbered through all sources.
///
/// Also returns the workers, in no particular order, for what they keep across games. If the
/// evaluation of a game panics, that is reported as an issue of the game, and the worker is
/// replaced. An error of reading is reported as the failure of its source ([`Output::failure`]).
///
/// # Errors
/// Those of the sink, and a thread that cannot be created.
pub fn run<'a, W: Worker>(
    sources: Box<Sources<'a>>,
    options: &RunOptions,
    make_worker: impl Fn() -> W + Sync,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<(Summary, Vec<W>)> {
    counted(options, sink, |sink| {
        if options.is_alone() {
            queue::run_alone(sources, options, &make_worker, sink)
        } else {
            queue::run(sources, options, &make_worker, sink)
        }
    })
}

/// Counts the games of a run that passes its results to `sink`.
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

/// Returns the message of a panic.
pub fn panic_message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no message").to_owned()
}
