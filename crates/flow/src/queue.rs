//! The queue of chunks in flight, and the threads that work on it.
//!
//! A chunk is cut from a source at a *likely* game boundary, then verified against the end of the
//! chunk before it, then evaluated, then delivered. [`Slot`] is the state of one chunk, and each
//! thread repeatedly takes the most useful [`ChunkTask`] there is: no thread is dedicated to reading.
//! Results leave the queue in the order of the sources, whatever order they are computed in.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::sync::Arc;

use pgn::Splitter;

use super::buffer::Buffer;
use super::cut::Chunk;
use super::error::{Interruption, ReadError, SourceError};
use super::feed::{AfterBytes, Feed, ReadState};
use super::output::{Origin, Output, Parts, Results};
use super::shared::Shared;
use super::source::{OpenSource, Sources};
use super::station::{GameBatch, WorkerSlot};
use super::{RunOptions, Sink, Worker, threads};

/// Maximum number of chunks in flight per thread: one being evaluated, one ready to be evaluated,
/// and one waiting to be delivered. More would only cost memory.
pub(super) const CHUNKS_PER_THREAD: usize = 3;

/// Runs everything on the calling thread.
pub(super) fn run_alone<'a, W: Worker, F: Fn() -> W>(
    sources: Box<Sources<'a>>,
    options: &RunOptions,
    make_worker: &F,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<Vec<W>> {
    let queue = Queue::new(sources, options);
    let mut station = WorkerSlot::new(make_worker, options);
    let mut deliver = || {
        while let Some(out) = queue.state.lock().next_output() {
            sink(out)?;
        }
        Ok(())
    };
    while let Some(task) = queue.next_task() {
        queue.perform(task, &mut station, &mut deliver)?;
    }
    Ok(vec![station.worker])
}

/// Runs on newly spawned threads; the calling thread delivers the results.
pub(super) fn run<'a, W: Worker, F: Fn() -> W + Sync>(
    sources: Box<Sources<'a>>,
    options: &RunOptions,
    make_worker: &F,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<Vec<W>> {
    let queue = Queue::new(sources, options);
    let useful = options.size.unwrap_or(u64::MAX);
    let useful = useful.div_ceil(options.smallest_portion());
    let n_threads = useful.clamp(1, options.threads as u64);
    threads::run(n_threads, &|| queue.work(make_worker), &|| queue.stop(), || queue.deliver(sink))
}

/// State of a chunk in flight.
enum Slot<'a, R> {
    /// A thread is reading the chunk and splitting it into games.
    Cutting,
    /// The chunk is split, but not yet verified to start at a game boundary.
    Cut(Chunk<'a>),
    /// The slot holds the error of a source that cannot be opened instead of a chunk.
    Unreadable(SourceError),
    /// The chunk is verified and waits for a thread to evaluate it.
    Ready(VerifiedChunk<'a>),
    /// A thread is evaluating the chunk, or has done so, and results wait to be delivered.
    Evaluated(Parts<R>),
    /// The chunk is discarded because the rest of its source cannot be read.
    Dropped,
}

/// A chunk with verified boundaries, so that the number and line of each game are known.
struct VerifiedChunk<'a> {
    chunk: Chunk<'a>,
    origin: Origin,
    first_game: u64,
    /// Number of line ends in the source before the chunk.
    lines: u64,
}

/// The shared state of all threads.
struct InFlight<'a, R> {
    /// The chunks in flight, in the order of the sources.
    slots: VecDeque<Slot<'a, R>>,
    /// Number of chunks delivered or dropped so far: the index of the first slot.
    head: usize,
    /// The unread rest of the sources; `None` while a thread is taking a portion from it.
    feed: Option<Feed<'a>>,
    /// Whether no further chunks will be added.
    is_fed: bool,
    /// Index of a source that could not be read further; its later chunks are discarded.
    abandoned: Option<usize>,
    /// Index of the first chunk that is not verified.
    unverified: usize,
    /// Totals of the verified chunks before that one.
    before: VerifiedPrefix,
    /// Buffers of finished chunks, for reuse.
    spare: Vec<Buffer>,
    /// Whether all threads should stop.
    stopped: bool,
}

/// Totals of the verified chunks, from which the next chunk is numbered.
#[derive(Default)]
struct VerifiedPrefix {
    n_games: u64,
    /// Index of the source that the fields below refer to.
    source: usize,
    origin: Origin,
    lines: u64,
    /// State of the splitter after the last complete game.
    end: Splitter,
    /// Bytes after that state that did not form a complete game.
    left_over: Vec<u8>,
    /// Whether the next chunk has already been split again together with `left_over`.
    is_joined: bool,
}

/// A unit of work for one thread.
enum ChunkTask<'a> {
    /// Take the next portion of the sources and split it into a chunk.
    Feed {
        feed: Feed<'a>,
        progress: ReadState,
        buffer: Buffer,
    },
    /// Split a chunk again, starting with the bytes left over by the one before it.
    Join {
        index: usize,
        before: Splitter,
        left_over: Vec<u8>,
        chunk: Chunk<'a>,
    },
    Evaluate {
        index: usize,
        certain: VerifiedChunk<'a>,
    },
}

struct Queue<'a, 'o, R> {
    state: Shared<InFlight<'a, R>>,
    options: &'o RunOptions,
}

impl<'a, 'o, R: Results> Queue<'a, 'o, R> {
    fn new(sources: Box<Sources<'a>>, options: &'o RunOptions) -> Queue<'a, 'o, R> {
        Queue {
            state: Shared::new(InFlight {
                slots: VecDeque::new(),
                head: 0,
                feed: Some(Feed::new(sources)),
                is_fed: false,
                abandoned: None,
                unverified: 0,
                before: VerifiedPrefix::default(),
                spare: Vec::new(),
                stopped: false,
            }),
            options,
        }
    }

    fn stop(&self) {
        self.state.change(|state| state.stopped = true);
    }

    /// Performs tasks until there are none left. This is the body of every worker thread.
    fn work<W: Worker<Results = R>, F: Fn() -> W>(&self, make_worker: &F) -> W {
        let mut station = WorkerSlot::new(make_worker, self.options);
        while let Some(task) = self.next_task() {
            // The calling thread delivers them when it wakes.
            let performed = self.perform(task, &mut station, &mut || Ok(()));
            if performed.is_err() {
                break;
            }
        }
        station.worker
    }

    /// Performs a task. `deliver` is called when there are results.
    fn perform<W: Worker<Results = R>, F: Fn() -> W>(
        &self,
        task: ChunkTask<'a>,
        station: &mut WorkerSlot<'_, W, F>,
        deliver: &mut dyn FnMut() -> io::Result<()>,
    ) -> io::Result<()> {
        let (index, slot) = match task {
            ChunkTask::Feed { feed, progress, buffer } => match self.feed(feed, progress, buffer) {
                Some(done) => done,
                None => return deliver(),
            },
            ChunkTask::Join { index, before, left_over, chunk } => {
                (index, Slot::Cut(chunk.join(before, &left_over)))
            }
            ChunkTask::Evaluate { index, certain } => {
                let block = GameBatch {
                    bytes: certain.chunk.bytes(),
                    start: certain.chunk.start(),
                    format: &certain.chunk.source().format,
                    origin: &certain.origin,
                    first_game: certain.first_game,
                    lines: certain.lines,
                    line_before: certain.chunk.line_before(),
                };
                let mut pass_on = |out| {
                    self.state.change(|state| state.add(index, out, false));
                    deliver()
                };
                let games = certain.chunk.games();
                let Some(mut out) = station.block(&block, games, &mut pass_on)? else {
                    self.stop();
                    return Ok(());
                };
                out.n_bytes = certain.chunk.n_bytes();
                if let AfterBytes::Failed(error) = certain.chunk.follows() {
                    out.failure = Some(error.clone());
                }
                self.state.lock().spare.push(certain.chunk.into_buffer());
                self.state.change(|state| state.add(index, out, true));
                return deliver();
            }
        };
        self.state.change(|state| state.set(index, slot));
        deliver()
    }

    /// Takes the next portion of the sources, releases the feed to other threads, and then splits
    /// the portion. Returns `None` if the sources are exhausted.
    fn feed(
        &self,
        mut feed: Feed<'a>,
        progress: ReadState,
        buffer: Buffer,
    ) -> Option<(usize, Slot<'a, R>)> {
        let portion = feed.next(self.options, progress, buffer);
        let mut state = self.state.lock();
        let portion = portion.filter(|_| !state.is_fed);
        let index = state.head + state.slots.len();
        if portion.is_some() {
            state.slots.push_back(Slot::Cutting);
            state.feed = Some(feed);
        } else {
            state.is_fed = true;
        }
        drop(state);
        self.state.announce();
        Some((
            index,
            match portion? {
                Ok(portion) => Slot::Cut(Chunk::of_portion(portion, 4 * self.options.chunk_bytes)),
                Err(unreadable) => Slot::Unreadable(unreadable),
            },
        ))
    }

    /// Returns the most useful task: verifying chunks comes first, then evaluating, then reading
    /// more. Blocks while nothing can be done, and returns `None` when the run is over.
    fn next_task(&self) -> Option<ChunkTask<'a>> {
        let mut state = self.state.lock();
        loop {
            state.stopped |= self.options.cancel.is_cancelled();
            if state.stopped {
                drop(state);
                self.state.announce();
                return None;
            }
            let join = state.verify(self.options);
            if state.has_output() {
                self.state.announce();
            }
            let task = join
                .or_else(|| state.ready())
                .or_else(|| state.take_feed(CHUNKS_PER_THREAD * self.options.threads.max(1)));
            if task.is_some() {
                return task;
            }
            if state.is_fed && state.unverified == state.head + state.slots.len() {
                // Other threads hold all remaining chunks.
                return None;
            }
            state = self.state.wait(state);
        }
    }

    /// Passes the results to the sink in the order of the sources.
    fn deliver(&self, sink: &mut Sink<'_, R>) -> io::Result<()> {
        let mut state = self.state.lock();
        loop {
            if let Some(out) = state.next_output() {
                drop(state);
                self.state.announce();
                sink(out)?;
                state = self.state.lock();
            } else if state.stopped || (state.slots.is_empty() && state.is_fed) {
                return Ok(());
            } else {
                state = self.state.wait(state);
            }
        }
    }
}

impl<'a, R: Results> InFlight<'a, R> {
    /// Stores the outcome of a task, unless the chunk has been dropped in the meantime.
    fn set(&mut self, index: usize, slot: Slot<'a, R>) {
        if let Some(place) = self.slots.get_mut(index - self.head) {
            *place = slot;
        }
    }

    /// Adds results of a chunk, unless it has been dropped in the meantime.
    fn add(&mut self, index: usize, out: Output<R>, is_last: bool) {
        if let Some(Slot::Evaluated(parts)) = self.slots.get_mut(index - self.head) {
            parts.add(out, is_last);
        }
    }

    /// Whether results of the first chunk can be delivered, or it can be dropped.
    fn has_output(&self) -> bool {
        match self.slots.front() {
            Some(Slot::Evaluated(parts)) => !parts.is_empty(),
            Some(Slot::Dropped) => true,
            _ => false,
        }
    }

    /// Removes and returns the first results, if they are available.
    fn next_output(&mut self) -> Option<Output<R>> {
        loop {
            let (out, is_over) = match self.slots.front_mut()? {
                Slot::Evaluated(parts) => (parts.next(), parts.is_over()),
                Slot::Dropped => (None, true),
                _ => (None, false),
            };
            if is_over {
                self.slots.pop_front();
                self.head += 1;
            }
            if out.is_some() || !is_over {
                return out;
            }
        }
    }

    /// Verifies chunks in order, up to the first one that is still being cut. Returns a task if a
    /// chunk did not start at a game boundary and must be split again.
    fn verify(&mut self, options: &RunOptions) -> Option<ChunkTask<'a>> {
        loop {
            let index = self.unverified;
            let slot = self.slots.get_mut(index - self.head)?;
            match mem::replace(slot, Slot::Cutting) {
                Slot::Cut(chunk) => {
                    let outcome = self.before.verify(chunk, self.abandoned);
                    *slot = match outcome {
                        VerifyOutcome::Slot(slot) => slot,
                        VerifyOutcome::Broken(slot, source) => {
                            self.abandoned = Some(source);
                            slot
                        }
                        VerifyOutcome::Join { before, left_over, chunk } => {
                            return Some(ChunkTask::Join { index, before, left_over, chunk });
                        }
                    };
                }
                Slot::Unreadable(unreadable) => *slot = self.before.unreadable(unreadable),
                other => {
                    *slot = other;
                    return None;
                }
            }
            self.unverified += 1;
            if options.is_over(self.before.n_games + 1) {
                self.slots.truncate(self.unverified - self.head);
                self.feed = None;
                self.is_fed = true;
            }
        }
    }

    /// Returns a task for the first chunk that is ready to be evaluated.
    fn ready(&mut self) -> Option<ChunkTask<'a>> {
        let i = self.slots.iter().position(|slot| matches!(slot, Slot::Ready(_)))?;
        match mem::replace(&mut self.slots[i], Slot::Evaluated(Parts::none())) {
            Slot::Ready(certain) => Some(ChunkTask::Evaluate { index: self.head + i, certain }),
            _ => None,
        }
    }

    /// Returns a task that reads the next chunk, unless `most` chunks are in flight or another
    /// thread holds the feed.
    fn take_feed(&mut self, most: usize) -> Option<ChunkTask<'a>> {
        if self.slots.len() >= most {
            return None;
        }
        Some(ChunkTask::Feed {
            feed: self.feed.take()?,
            progress: ReadState {
                abandoned: self.abandoned,
                left_over: self.before.left_over.len(),
            },
            buffer: self.spare.pop().unwrap_or_default(),
        })
    }
}

/// Outcome of verifying the next chunk.
enum VerifyOutcome<'a, R> {
    /// The new state of the chunk.
    Slot(Slot<'a, R>),
    /// The new state of the chunk; the source with this index is not read any further.
    Broken(Slot<'a, R>, usize),
    /// The chunk must be split again.
    Join { before: Splitter, left_over: Vec<u8>, chunk: Chunk<'a> },
}

impl VerifiedPrefix {
    /// Checks that a chunk continues the verified ones, and adds it to the totals if it does.
    fn verify<'a, R: Results>(
        &mut self,
        chunk: Chunk<'a>,
        abandoned: Option<usize>,
    ) -> VerifyOutcome<'a, R> {
        let source: Arc<OpenSource<'a>> = chunk.source().clone();
        if abandoned == Some(source.index) {
            return VerifyOutcome::Slot(Slot::Dropped);
        }
        if self.source != source.index {
            let games_before = source.games_before.unwrap_or(self.n_games);
            *self = VerifiedPrefix {
                n_games: games_before,
                source: source.index,
                origin: Origin { name: source.name.clone(), games_before },
                ..VerifiedPrefix::default()
            };
        }
        if let Some(place) = chunk.place() {
            self.n_games = self.origin.games_before + place.game - 1;
            self.lines = place.line - 1;
        } else if !self.is_joined {
            if chunk.start() != self.end.offset() + self.left_over.len() as u64 {
                let error = match chunk.follows() {
                    AfterBytes::Failed(error) => error.clone(),
                    _ => Interruption::Changed.into(),
                };
                return VerifyOutcome::Broken(self.failure(error), source.index);
            }
            if !self.left_over.is_empty() || !self.end.is_between_games() {
                self.is_joined = true;
                return VerifyOutcome::Join {
                    before: self.end.clone(),
                    left_over: mem::take(&mut self.left_over),
                    chunk,
                };
            }
        }
        let first_game = self.n_games + 1;
        let lines = self.lines;
        self.n_games += chunk.n_games() as u64;
        self.lines += chunk.n_lines();
        self.end = chunk.end().clone();
        self.left_over.clear();
        self.left_over.extend_from_slice(chunk.rest());
        self.is_joined = false;
        let is_broken = matches!(chunk.follows(), AfterBytes::Failed(_));
        let slot =
            Slot::Ready(VerifiedChunk { chunk, origin: self.origin.clone(), first_game, lines });
        if is_broken {
            VerifyOutcome::Broken(slot, source.index)
        } else {
            VerifyOutcome::Slot(slot)
        }
    }

    /// Returns an empty result that reports why the rest of the source cannot be read.
    fn failure<'a, R: Results>(&self, error: ReadError) -> Slot<'a, R> {
        let mut out = Output::new(self.n_games + 1);
        out.origin = self.origin.clone();
        out.failure = Some(error);
        Slot::Evaluated(Parts::whole(out))
    }

    /// Returns an empty result that reports why a source cannot be opened.
    fn unreadable<'a, R: Results>(&self, unreadable: SourceError) -> Slot<'a, R> {
        let mut out = Output::new(self.n_games + 1);
        out.origin = Origin { name: unreadable.name, games_before: self.n_games };
        out.failure = Some(unreadable.error);
        Slot::Evaluated(Parts::whole(out))
    }
}
