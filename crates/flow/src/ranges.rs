//! Games that are told by their numbers, such as those of an archive: ranges of them through
//! worker threads, results in order.
//!
//! There is nothing to cut and nothing to be made certain of, so each range is evaluated by whoever
//! takes it.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::output::{FaultKind, Origin, Output, Results};
use super::queue::CHUNKS_PER_THREAD;
use super::shared::Shared;
use super::{RunOptions, Sink, Summary, counted, panic_message, threads};

/// What is done with ranges of games; one for each thread. Games are numbered through all sources.
pub trait RangeWorker: Send {
    /// What it makes of the games of a range.
    type Results: Results;

    /// Begins with a range, and says which of its games are to be evaluated, in ascending order.
    /// Where it cannot be had, [`Output::failure`] says why.
    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Self::Results>) -> Vec<u64>;

    /// Evaluates a game of the range and adds what comes of it. Fails as [`RangeWorker::begin`]
    /// does.
    fn game(&mut self, number: u64, out: &mut Output<Self::Results>);

    /// Is told of a game of the range that is not to be evaluated, since its number is not wanted,
    /// although [`RangeWorker::begin`] says so: its faults are told all the same.
    fn passed(&mut self, number: u64, out: &mut Output<Self::Results>) {
        let _ = (number, out);
    }
}

/// Ranges of games in order.
pub type Ranges<'a> = dyn Iterator<Item = Range<u64>> + Send + 'a;

/// Evaluates the games of `ranges`, which come from one place, and gives the results to `sink`,
/// which is called on the calling thread: one for each range, in order, up to the first that
/// [fails](Output::failure).
///
/// The result holds the workers too, in no particular order. A game whose evaluation panics is
/// reported as a fault of that game, and its worker replaced.
///
/// # Errors
/// Those of the sink, and threads that cannot be made.
pub fn run_ranges<'a, W: RangeWorker>(
    origin: &Origin,
    ranges: Box<Ranges<'a>>,
    options: &RunOptions,
    make_worker: impl Fn() -> W + Sync,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<(Summary, Vec<W>)> {
    let queue = Queue {
        state: Shared::new(InFlight {
            ranges,
            slots: VecDeque::new(),
            head: 0,
            is_fed: false,
            stopped: false,
        }),
        origin,
        options,
    };
    counted(options, sink, |sink| match options.threads {
        0 | 1 => Ok(vec![queue.run_alone(&make_worker, sink)?]),
        n => threads::run(
            n as u64,
            &|| queue.work(&make_worker),
            &|| queue.stop(),
            || queue.deliver(sink),
        ),
    })
}

struct InFlight<'a, R> {
    ranges: Box<Ranges<'a>>,
    /// What came of the ranges that were given out, as far as it is there.
    slots: VecDeque<Option<Output<R>>>,
    /// How many ranges came before the first of them.
    head: usize,
    /// There are no further ranges, or none are wanted.
    is_fed: bool,
    /// Nothing more is to be done.
    stopped: bool,
}

struct Queue<'a, 'o, R> {
    state: Shared<InFlight<'a, R>>,
    origin: &'o Origin,
    options: &'o RunOptions,
}

impl<'a, R: Results> Queue<'a, '_, R> {
    fn stop(&self) {
        self.state.change(|state| state.stopped = true);
    }

    /// Everything on the calling thread.
    fn run_alone<W: RangeWorker<Results = R>, F: Fn() -> W>(
        &self,
        make_worker: &F,
        sink: &mut Sink<'_, R>,
    ) -> io::Result<W> {
        let mut worker = make_worker();
        while let Some((_, games)) = self.next_range() {
            let Some(out) = self.evaluate(&mut worker, make_worker, games) else {
                break;
            };
            let mut state = self.state.lock();
            state.slots.clear();
            state.stopped = out.failure.is_some();
            drop(state);
            sink(out)?;
        }
        Ok(worker)
    }

    /// What every worker thread does.
    fn work<W: RangeWorker<Results = R>, F: Fn() -> W>(&self, make_worker: &F) -> W {
        let mut worker = make_worker();
        while let Some((index, games)) = self.next_range() {
            match self.evaluate(&mut worker, make_worker, games) {
                Some(out) => {
                    let mut state = self.state.lock();
                    let place = index - state.head;
                    state.slots[place] = Some(out);
                }
                None => self.state.lock().stopped = true,
            }
            self.state.announce();
        }
        worker
    }

    /// The next range with its index, if not too many are in flight. Nothing when the run is over.
    fn next_range(&self) -> Option<(usize, Range<u64>)> {
        let mut state = self.state.lock();
        while !state.stopped && !state.is_fed && !self.options.cancel.is_cancelled() {
            if state.slots.len() >= CHUNKS_PER_THREAD * self.options.threads.max(1) {
                state = self.state.wait(state);
                continue;
            }
            let wanted = |games: &Range<u64>| !self.options.is_over(games.start);
            let Some(mut games) = state.ranges.next().filter(wanted) else {
                state.is_fed = true;
                break;
            };
            if let Some(last) = self.options.last_game {
                games.end = games.end.min(last + 2);
            }
            state.slots.push_back(None);
            return Some((state.head + state.slots.len() - 1, games));
        }
        state.stopped |= self.options.cancel.is_cancelled();
        drop(state);
        self.state.announce();
        None
    }

    /// Gives the results to the sink in order.
    fn deliver(&self, sink: &mut Sink<'_, R>) -> io::Result<()> {
        let mut state = self.state.lock();
        loop {
            if let Some(out) = state.slots.front_mut().and_then(Option::take) {
                let is_last = out.failure.is_some();
                state.slots.pop_front();
                state.head += 1;
                state.stopped |= is_last;
                drop(state);
                self.state.announce();
                sink(out)?;
                if is_last {
                    return Ok(());
                }
                state = self.state.lock();
            } else if state.stopped || (state.slots.is_empty() && state.is_fed) {
                return Ok(());
            } else {
                state = self.state.wait(state);
            }
        }
    }

    /// Evaluates the games of a range. Returns nothing when the run is cancelled on the way.
    fn evaluate<W: RangeWorker<Results = R>, F: Fn() -> W>(
        &self,
        worker: &mut W,
        make_worker: &F,
        games: Range<u64>,
    ) -> Option<Output<R>> {
        let options = self.options;
        let mut out = Output::new(games.start);
        out.origin = self.origin.clone();
        out.n_games = games.end.saturating_sub(games.start);
        let chosen = begin(worker, make_worker, &games, &mut out);
        let mut reached = games.start;
        for number in chosen {
            if options.cancel.is_cancelled() {
                return None;
            }
            if out.failure.is_some() {
                break;
            }
            reached = number;
            if !games.contains(&number) {
                continue;
            }
            if !options.wants(number) {
                worker.passed(number, &mut out);
                continue;
            }
            let n_faults = out.faults.len();
            let result = catch_unwind(AssertUnwindSafe(|| worker.game(number, &mut out)));
            if let Err(panic) = result {
                out.faults.truncate(n_faults);
                out.results.forget(number);
                out.fault_at(number, 0, FaultKind::Internal, panic_message(&*panic));
                *worker = make_worker();
                // What this notes has been noted.
                let mut again = Output::new(games.start);
                begin(worker, make_worker, &games, &mut again);
                out.failure = again.failure;
            }
        }
        if out.failure.is_some() {
            out.n_games = reached - games.start;
        }
        Some(out)
    }
}

/// Has a worker begin with a range; if it panics, the range cannot be had.
fn begin<W: RangeWorker>(
    worker: &mut W,
    make_worker: &impl Fn() -> W,
    games: &Range<u64>,
    out: &mut Output<W::Results>,
) -> Vec<u64> {
    let begun = catch_unwind(AssertUnwindSafe(|| worker.begin(games, out)));
    begun.unwrap_or_else(|panic| {
        out.failure = Some(panic_message(&*panic));
        *worker = make_worker();
        Vec::new()
    })
}

#[cfg(test)]
mod tests;
