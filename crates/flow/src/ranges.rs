//! Runs ranges of games through worker threads and delivers results in order.
//!
//! Games are identified by number, as those of an archive are. Nothing has to be cut or verified,
//! so any thread evaluates the next range.

use std::collections::VecDeque;
use std::io;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::error::Interruption;
use super::output::{FaultKind, Origin, Output, Parts, Results};
use super::pace::Pace;
use super::queue::CHUNKS_PER_THREAD;
use super::shared::Shared;
use super::{RunOptions, Sink, Summary, counted, panic_message, threads};

/// Evaluates ranges of games; one per thread. Games are numbered through all sources.
pub trait RangeWorker: Send {
    /// Results of the games of a range.
    type Results: Results;

    /// Starts a range. Returns the numbers of its games to evaluate, in ascending order. Sets
    /// [`Output::failure`] if the range cannot be read.
    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Self::Results>) -> Vec<u64>;

    /// Evaluates a game of the range and adds its results to `out`. Fails as [`RangeWorker::begin`]
    /// does.
    fn game(&mut self, number: u64, out: &mut Output<Self::Results>);

    /// Called instead of [`RangeWorker::game`] for a game whose number is outside the options of
    /// the run. Issues of such games are reported all the same.
    fn passed(&mut self, number: u64, out: &mut Output<Self::Results>) {
        let _ = (number, out);
    }
}

/// Ranges of games, in order.
pub type Ranges<'a> = dyn Iterator<Item = Range<u64>> + Send + 'a;

/// Evaluates the games of `ranges`, which have one origin. Passes the results to `sink`, which is
/// called on the calling thread: one output for each range, or several if it takes longer than
/// [`RunOptions::patience`], in order, up to the first that [fails](Output::failure).
///
/// Also returns the workers, in no particular order. If the evaluation of a game panics, that is
/// reported as an issue of the game, and the worker is replaced.
///
/// # Errors
/// Those of the sink, and a thread that cannot be created.
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
    counted(options, sink, |sink| {
        if options.is_alone() {
            return Ok(vec![queue.run_alone(&make_worker, sink)?]);
        }
        let n_threads = options.threads as u64;
        threads::run(n_threads, &|| queue.work(&make_worker), &|| queue.stop(), || {
            queue.deliver(sink)
        })
    })
}

struct InFlight<'a, R> {
    ranges: Box<Ranges<'a>>,
    /// Outputs of the ranges in work.
    slots: VecDeque<Parts<R>>,
    /// Number of ranges delivered so far: the index of the first slot.
    head: usize,
    /// Whether no further ranges will be added.
    is_fed: bool,
    /// Whether all threads should stop.
    stopped: bool,
}

impl<R> InFlight<'_, R> {
    /// Adds an output of a range.
    fn add(&mut self, index: usize, out: Output<R>, is_last: bool) {
        let place = index - self.head;
        self.slots[place].add(out, is_last);
    }

    /// Removes and returns the first output, if it is ready.
    fn next_output(&mut self) -> Option<Output<R>> {
        let first = self.slots.front_mut()?;
        let out = first.next();
        if first.is_over() {
            self.slots.pop_front();
            self.head += 1;
        }
        out
    }
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

    /// Runs everything on the calling thread.
    fn run_alone<W: RangeWorker<Results = R>, F: Fn() -> W>(
        &self,
        make_worker: &F,
        sink: &mut Sink<'_, R>,
    ) -> io::Result<W> {
        let mut worker = make_worker();
        while let Some((_, games)) = self.next_range() {
            let Some(out) = self.evaluate(&mut worker, make_worker, games, sink)? else {
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

    /// Evaluates ranges until there are none left. This is the body of every worker thread.
    fn work<W: RangeWorker<Results = R>, F: Fn() -> W>(&self, make_worker: &F) -> W {
        let mut worker = make_worker();
        while let Some((index, games)) = self.next_range() {
            let mut pass_on = |out| {
                self.state.change(|state| state.add(index, out, false));
                Ok(())
            };
            let evaluated = self.evaluate(&mut worker, make_worker, games, &mut pass_on);
            match evaluated.ok().flatten() {
                Some(out) => self.state.change(|state| state.add(index, out, true)),
                None => self.stop(),
            }
        }
        worker
    }

    /// Returns the next range with its index, waiting while too many are in flight. Returns `None`
    /// when the run is over.
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
                games.end = games.end.min(last.saturating_add(2));
            }
            state.slots.push_back(Parts::none());
            return Some((state.head + state.slots.len() - 1, games));
        }
        state.stopped |= self.options.cancel.is_cancelled();
        drop(state);
        self.state.announce();
        None
    }

    /// Passes the outputs to the sink in order.
    fn deliver(&self, sink: &mut Sink<'_, R>) -> io::Result<()> {
        let mut state = self.state.lock();
        loop {
            if let Some(out) = state.next_output() {
                let is_last = out.failure.is_some();
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

    /// Evaluates the games of a range. `pass_on` receives results that have waited long enough; the
    /// rest is returned, or `None` if the run is cancelled. Fails as `pass_on` does.
    fn evaluate<W: RangeWorker<Results = R>, F: Fn() -> W>(
        &self,
        worker: &mut W,
        make_worker: &F,
        games: Range<u64>,
        pass_on: &mut Sink<'_, R>,
    ) -> io::Result<Option<Output<R>>> {
        let options = self.options;
        let mut pace = Pace::new(options.patience);
        let mut out = Output::new(games.start);
        out.origin = self.origin.clone();
        out.n_games = games.end.saturating_sub(games.start);
        let chosen = begin(worker, make_worker, &games, &mut out);
        let mut reached = games.start;
        for number in chosen {
            if options.cancel.is_cancelled() {
                return Ok(None);
            }
            if out.failure.is_some() {
                break;
            }
            reached = number;
            if !games.contains(&number) || !options.chooses(number) {
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
                // Issues are already recorded, so only a failure is taken from this call.
                let mut again = Output::new(games.start);
                begin(worker, make_worker, &games, &mut again);
                out.failure = again.failure;
            } else if out.failure.is_some() {
                // The game is not among those that were read, though part of it may have been.
                out.faults.truncate(n_faults);
                out.results.forget(number);
            }
            if out.failure.is_none() && pace.is_due() && !options.cancel.is_cancelled() {
                pass_on(out.take_before(number + 1))?;
            }
        }
        if out.failure.is_some() {
            out.n_games = reached - out.first_game;
        }
        // The last game may have been left unfinished.
        Ok((!options.cancel.is_cancelled()).then_some(out))
    }
}

/// Starts a range with a worker. If the worker panics, it is replaced and the range fails.
fn begin<W: RangeWorker>(
    worker: &mut W,
    make_worker: &impl Fn() -> W,
    games: &Range<u64>,
    out: &mut Output<W::Results>,
) -> Vec<u64> {
    let begun = catch_unwind(AssertUnwindSafe(|| worker.begin(games, out)));
    begun.unwrap_or_else(|panic| {
        out.failure = Some(Interruption::Panicked(panic_message(&*panic)).into());
        *worker = make_worker();
        Vec::new()
    })
}

#[cfg(test)]
mod tests;
