//! The chunks in flight, and threads that each cut, join or evaluate whatever comes next.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::sync::Arc;

use pgn::Splitter;

use super::buffer::Buffer;
use super::cut::Chunk;
use super::feed::{End, Feed, Progress};
use super::output::{Origin, Output, Results};
use super::shared::Shared;
use super::source::{Opened, Sources, Unreadable};
use super::station::{Block, Station};
use super::{RunOptions, Sink, Worker, threads};

/// Chunks in flight for each thread: one in work, one ready, one waiting for its turn to be
/// written. More would only cost memory.
pub(super) const CHUNKS_PER_THREAD: usize = 3;

/// Everything on the calling thread.
pub(super) fn run_alone<'a, W: Worker, F: Fn() -> W>(
    sources: Box<Sources<'a>>,
    options: &RunOptions,
    make_worker: &F,
    sink: &mut Sink<'_, W::Results>,
) -> io::Result<Vec<W>> {
    let queue = Queue::new(sources, options);
    let mut station = Station::new(make_worker, options);
    while let Some(task) = queue.next_task() {
        queue.perform(task, &mut station);
        while let Some(out) = queue.state.lock().next_output() {
            sink(out)?;
        }
    }
    Ok(vec![station.worker])
}

/// On threads that are made for it.
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
    threads::run(
        n_threads,
        &|| queue.work(make_worker),
        &|| queue.stop(),
        || queue.deliver(sink),
    )
}

/// Where a chunk in flight stands.
enum Slot<'a, R> {
    /// A thread reads and splits it.
    Cutting,
    /// It is split, but it is not known yet whether it began where a game begins.
    Cut(Chunk<'a>),
    /// In its place stands a source that cannot be opened.
    Unreadable(Unreadable),
    /// Its games are certain.
    Ready(Certain<'a>),
    /// A thread evaluates it.
    Evaluating,
    /// It waits for its turn to be delivered.
    Done(Output<R>),
    /// Nothing came of it.
    Dropped,
}

/// A chunk whose games are certain.
struct Certain<'a> {
    chunk: Chunk<'a>,
    origin: Origin,
    first_game: u64,
    /// Line ends before it.
    lines: u64,
}

struct InFlight<'a, R> {
    /// The chunks in flight, in the order of the sources.
    slots: VecDeque<Slot<'a, R>>,
    /// How many chunks came before the first of them.
    head: usize,
    /// Where further chunks come from, unless a thread has it.
    feed: Option<Feed<'a>>,
    /// No further chunks are wanted, or there are none.
    is_fed: bool,
    /// The source of which nothing more is wanted.
    abandoned: Option<usize>,
    /// Index of the first chunk that is not certain.
    unverified: usize,
    /// What lies before that chunk.
    before: Before,
    /// Memory of chunks that are done.
    spare: Vec<Buffer>,
    /// Nothing more is to be done.
    stopped: bool,
}

/// What the certain chunks come to.
#[derive(Default)]
struct Before {
    n_games: u64,
    /// The source that the rest is about.
    source: usize,
    origin: Origin,
    lines: u64,
    end: Splitter,
    /// Bytes from there on that the last of them could not use.
    left_over: Vec<u8>,
    /// The chunk behind has been joined to them.
    is_joined: bool,
}

enum Task<'a> {
    /// Get the next portion of the sources, and cut it.
    Feed {
        feed: Feed<'a>,
        progress: Progress,
        buffer: Buffer,
    },
    Join {
        index: usize,
        before: Splitter,
        left_over: Vec<u8>,
        chunk: Chunk<'a>,
    },
    Evaluate {
        index: usize,
        certain: Certain<'a>,
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
                before: Before::default(),
                spare: Vec::new(),
                stopped: false,
            }),
            options,
        }
    }

    fn stop(&self) {
        self.state.change(|state| state.stopped = true);
    }

    /// What every worker thread does.
    fn work<W: Worker<Results = R>, F: Fn() -> W>(&self, make_worker: &F) -> W {
        let mut station = Station::new(make_worker, self.options);
        while let Some(task) = self.next_task() {
            self.perform(task, &mut station);
        }
        station.worker
    }

    fn perform<W: Worker<Results = R>, F: Fn() -> W>(
        &self,
        task: Task<'a>,
        station: &mut Station<'_, W, F>,
    ) {
        let (index, slot) = match task {
            Task::Feed {
                feed,
                progress,
                buffer,
            } => match self.feed(feed, progress, buffer) {
                Some(done) => done,
                None => return,
            },
            Task::Join {
                index,
                before,
                left_over,
                chunk,
            } => (index, Slot::Cut(chunk.join(before, &left_over))),
            Task::Evaluate { index, certain } => {
                let block = Block {
                    bytes: certain.chunk.bytes(),
                    start: certain.chunk.start(),
                    format: &certain.chunk.source().format,
                    origin: &certain.origin,
                    first_game: certain.first_game,
                    lines: certain.lines,
                    line_before: certain.chunk.line_before(),
                };
                let Some(mut out) = station.block(&block, certain.chunk.games()) else {
                    self.stop();
                    return;
                };
                out.n_bytes = certain.chunk.n_bytes();
                if let End::Failed(message) = certain.chunk.follows() {
                    out.failure = Some(message.clone());
                }
                self.state.lock().spare.push(certain.chunk.into_buffer());
                (index, Slot::Done(out))
            }
        };
        self.state.change(|state| state.set(index, slot));
    }

    /// Takes the next portion of the sources, lets others have the feed again, and cuts it.
    fn feed(
        &self,
        mut feed: Feed<'a>,
        progress: Progress,
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

    /// The most useful thing to do, in this order: what makes chunks certain, what makes results,
    /// what makes more chunks. Nothing when the run is over.
    fn next_task(&self) -> Option<Task<'a>> {
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
                // Everything that is left is in some thread's hands.
                return None;
            }
            state = self.state.wait(state);
        }
    }

    /// Gives the results to the sink in the order of the sources.
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
    /// Puts the outcome of a task in its place, unless the chunk is no longer wanted.
    fn set(&mut self, index: usize, slot: Slot<'a, R>) {
        if let Some(place) = self.slots.get_mut(index - self.head) {
            *place = slot;
        }
    }

    /// Whether the next chunk has come to its end.
    fn has_output(&self) -> bool {
        matches!(self.slots.front(), Some(Slot::Done(_) | Slot::Dropped))
    }

    /// The next result, if it is there.
    fn next_output(&mut self) -> Option<Output<R>> {
        while self.has_output() {
            self.head += 1;
            if let Some(Slot::Done(out)) = self.slots.pop_front() {
                return Some(out);
            }
        }
        None
    }

    /// Makes chunks certain as far as they are cut. A chunk that did not begin where a game begins
    /// must be split again.
    fn verify(&mut self, options: &RunOptions) -> Option<Task<'a>> {
        loop {
            let index = self.unverified;
            let slot = self.slots.get_mut(index - self.head)?;
            match mem::replace(slot, Slot::Cutting) {
                Slot::Cut(chunk) => {
                    let outcome = self.before.verify(chunk, self.abandoned);
                    *slot = match outcome {
                        Verified::Slot(slot) => slot,
                        Verified::Broken(slot, source) => {
                            self.abandoned = Some(source);
                            slot
                        }
                        Verified::Join {
                            before,
                            left_over,
                            chunk,
                        } => {
                            return Some(Task::Join {
                                index,
                                before,
                                left_over,
                                chunk,
                            });
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

    /// The first chunk that can be evaluated.
    fn ready(&mut self) -> Option<Task<'a>> {
        let i = self
            .slots
            .iter()
            .position(|slot| matches!(slot, Slot::Ready(_)))?;
        match mem::replace(&mut self.slots[i], Slot::Evaluating) {
            Slot::Ready(certain) => Some(Task::Evaluate {
                index: self.head + i,
                certain,
            }),
            _ => None,
        }
    }

    /// The way to the next chunk, if not too many are in flight.
    fn take_feed(&mut self, most: usize) -> Option<Task<'a>> {
        if self.slots.len() >= most {
            return None;
        }
        Some(Task::Feed {
            feed: self.feed.take()?,
            progress: Progress {
                abandoned: self.abandoned,
                left_over: self.before.left_over.len(),
            },
            buffer: self.spare.pop().unwrap_or_default(),
        })
    }
}

/// What becomes of a chunk that follows the certain ones.
enum Verified<'a, R> {
    Slot(Slot<'a, R>),
    /// The same, and the source is not to be read any further.
    Broken(Slot<'a, R>, usize),
    /// It must be split again.
    Join {
        before: Splitter,
        left_over: Vec<u8>,
        chunk: Chunk<'a>,
    },
}

impl Before {
    fn verify<'a, R: Results>(
        &mut self,
        chunk: Chunk<'a>,
        abandoned: Option<usize>,
    ) -> Verified<'a, R> {
        let source: Arc<Opened<'a>> = chunk.source().clone();
        if abandoned == Some(source.index) {
            return Verified::Slot(Slot::Dropped);
        }
        if self.source != source.index {
            let games_before = source.games_before.unwrap_or(self.n_games);
            *self = Before {
                n_games: games_before,
                source: source.index,
                origin: Origin {
                    name: source.name.clone(),
                    games_before,
                },
                ..Before::default()
            };
        }
        if let Some(place) = chunk.place() {
            self.n_games = self.origin.games_before + place.game - 1;
            self.lines = place.line - 1;
        } else if !self.is_joined {
            if chunk.start() != self.end.offset() + self.left_over.len() as u64 {
                let message = match chunk.follows() {
                    End::Failed(message) => message,
                    _ => "the file changed while it was read",
                };
                return Verified::Broken(self.failure(message), source.index);
            }
            if !self.left_over.is_empty() || !self.end.is_between_games() {
                self.is_joined = true;
                return Verified::Join {
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
        let is_broken = matches!(chunk.follows(), End::Failed(_));
        let slot = Slot::Ready(Certain {
            chunk,
            origin: self.origin.clone(),
            first_game,
            lines,
        });
        match is_broken {
            true => Verified::Broken(slot, source.index),
            false => Verified::Slot(slot),
        }
    }

    /// Stands for the rest of a source that cannot be read.
    fn failure<'a, R: Results>(&self, message: &str) -> Slot<'a, R> {
        let mut out = Output::new(self.n_games + 1);
        out.origin = self.origin.clone();
        out.failure = Some(message.to_owned());
        Slot::Done(out)
    }

    /// Stands for a source that cannot be opened.
    fn unreadable<'a, R: Results>(&self, unreadable: Unreadable) -> Slot<'a, R> {
        let mut out = Output::new(self.n_games + 1);
        out.origin = Origin {
            name: unreadable.name,
            games_before: self.n_games,
        };
        out.failure = Some(unreadable.message);
        Slot::Done(out)
    }
}
