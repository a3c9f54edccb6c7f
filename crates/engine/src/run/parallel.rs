//! Several threads, each cutting, joining or evaluating whatever chunk comes next.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::sync::atomic::Ordering;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use pgn::Splitter;

use super::buffer::Buffer;
use super::cut::Chunk;
use super::output::ChunkOutput;
use super::{Block, Evaluator, Input, RunOptions, Sink, Worker};

/// Chunks in flight for each thread: one in work, one ready, one waiting for its turn to be
/// written. More would only cost memory.
const CHUNKS_PER_THREAD: usize = 3;

/// Chunks are not made smaller than this to give every thread work.
const SMALLEST_CHUNK: usize = 32 << 10;

/// The stack of a thread: evaluation recurses as deep as queries are nested.
const STACK_BYTES: usize = 16 << 20;

pub(super) fn run<W: Worker, F: Fn() -> W + Sync>(
    input: &dyn Input,
    options: &RunOptions<'_>,
    make_worker: &F,
    sink: &mut Sink<'_>,
) -> io::Result<Vec<W>> {
    let queue = Queue {
        state: Mutex::new(State::default()),
        changed: Condvar::new(),
        input,
        options,
        size: input.size(),
    };
    let n_threads = queue.size.div_ceil(queue.smallest_chunk());
    let n_threads = n_threads.clamp(1, options.threads as u64);
    thread::scope(|scope| {
        let mut threads = Vec::new();
        for _ in 0..n_threads {
            let queue = &queue;
            let thread = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || queue.work(make_worker));
            match thread {
                Ok(thread) => threads.push(thread),
                // Fewer threads do as well, none do not.
                Err(_) if !threads.is_empty() => break,
                Err(error) => return Err(error),
            }
        }
        let delivered = queue.deliver(sink);
        queue.lock().stopped = true;
        queue.changed.notify_all();
        let mut workers = Vec::new();
        for thread in threads {
            workers.push(
                thread
                    .join()
                    .map_err(|_| io::Error::other("a worker thread died"))?,
            );
        }
        delivered.map(|()| workers)
    })
}

/// Where a chunk in flight stands.
enum Slot {
    /// A thread reads and splits it.
    Cutting,
    /// It is split, but it is not known yet whether it began where a game begins.
    Cut(Chunk),
    /// Its games are certain.
    Ready {
        chunk: Chunk,
        first_game: u64,
        lines: u64,
    },
    /// A thread evaluates it.
    Evaluating,
    /// It waits for its turn to be delivered.
    Done(ChunkOutput),
}

#[derive(Default)]
struct State {
    /// The chunks in flight, in the order of the file.
    slots: VecDeque<Slot>,
    /// Index of the first of them in the file.
    head: usize,
    /// Nominal start of the next chunk to be cut.
    next: u64,
    /// Index of the first chunk that is not certain.
    unverified: usize,
    /// What lies before that chunk.
    before: Before,
    /// Memory of chunks that are done.
    spare: Vec<Buffer>,
    /// Nothing more is to be done.
    stopped: bool,
    error: Option<io::Error>,
}

/// What the certain chunks come to.
#[derive(Default)]
struct Before {
    n_games: u64,
    lines: u64,
    end: Splitter,
    /// Bytes from there on that the last of them could not use.
    left_over: Vec<u8>,
    /// The chunk behind has been joined to them.
    is_joined: bool,
}

enum Task {
    Cut {
        index: usize,
        from: u64,
        to: u64,
        buffer: Buffer,
    },
    Join {
        index: usize,
        before: Splitter,
        left_over: Vec<u8>,
        chunk: Chunk,
    },
    Evaluate {
        index: usize,
        chunk: Chunk,
        first_game: u64,
        lines: u64,
    },
}

struct Queue<'a> {
    state: Mutex<State>,
    changed: Condvar,
    input: &'a dyn Input,
    options: &'a RunOptions<'a>,
    size: u64,
}

impl Queue<'_> {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock; if it did, the state would still be whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'a>(&self, state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn smallest_chunk(&self) -> u64 {
        SMALLEST_CHUNK.min(self.options.chunk_bytes.max(1)) as u64
    }

    /// What every worker thread does.
    fn work<W: Worker, F: Fn() -> W>(&self, make_worker: &F) -> W {
        let _stop = StopOnPanic(self);
        let mut evaluator = Evaluator::new(make_worker, self.options);
        while let Some(task) = self.next_task() {
            let (index, result) = match task {
                Task::Cut {
                    index,
                    from,
                    to,
                    buffer,
                } => {
                    let lookahead = 4 * self.options.chunk_bytes;
                    let chunk = Chunk::read(self.input, from, to, lookahead, buffer);
                    (index, chunk.map(Slot::Cut))
                }
                Task::Join {
                    index,
                    before,
                    left_over,
                    chunk,
                } => (index, Ok(Slot::Cut(chunk.join(before, &left_over)))),
                Task::Evaluate {
                    index,
                    chunk,
                    first_game,
                    lines,
                } => {
                    let block = Block {
                        bytes: chunk.bytes(),
                        start: chunk.start(),
                        first_game,
                        lines,
                        line_before: chunk.line_before(),
                    };
                    let Some(mut out) = evaluator.block(&block, chunk.games()) else {
                        self.stop();
                        break;
                    };
                    out.end = chunk.end().offset();
                    self.lock().spare.push(chunk.into_buffer());
                    (index, Ok(Slot::Done(out)))
                }
            };
            let mut state = self.lock();
            match result {
                Ok(slot) => state.set(index, slot),
                Err(error) => {
                    state.error.get_or_insert(error);
                    state.stopped = true;
                }
            }
            drop(state);
            self.changed.notify_all();
        }
        evaluator.worker
    }

    fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    /// The most useful thing to do, in this order: what makes chunks certain, what makes results,
    /// what makes more chunks. Nothing when the run is over.
    fn next_task(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            state.stopped |= self.options.cancel.load(Ordering::Relaxed);
            if state.stopped {
                drop(state);
                self.changed.notify_all();
                return None;
            }
            let task = match state.verify(self.options, self.size) {
                Ok(task) => task
                    .or_else(|| state.ready())
                    .or_else(|| self.next_chunk(&mut state)),
                Err(error) => {
                    state.error = Some(error);
                    state.stopped = true;
                    continue;
                }
            };
            if task.is_some() {
                return task;
            }
            if state.next == self.size && state.unverified == state.head + state.slots.len() {
                // Everything that is left is in some thread's hands.
                return None;
            }
            state = self.wait(state);
        }
    }

    /// Takes the next chunk of the file, if not too many are in flight.
    fn next_chunk(&self, state: &mut State) -> Option<Task> {
        let threads = self.options.threads;
        if state.next == self.size || state.slots.len() >= CHUNKS_PER_THREAD * threads {
            return None;
        }
        let largest = self.options.chunk_bytes.max(1) as u64;
        let smallest = self.smallest_chunk();
        // Smaller and smaller towards the end, so that all threads finish at the same time.
        let share = (self.size - state.next) / (4 * threads as u64);
        let from = state.next;
        let to = self.size.min(from + share.clamp(smallest, largest));
        let index = state.head + state.slots.len();
        state.slots.push_back(Slot::Cutting);
        state.next = to;
        Some(Task::Cut {
            index,
            from,
            to,
            buffer: state.spare.pop().unwrap_or_default(),
        })
    }

    /// Gives the results to the sink in the order of the file.
    fn deliver(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let mut state = self.lock();
        loop {
            if let Some(error) = state.error.take() {
                return Err(error);
            }
            if let Some(Slot::Done(_)) = state.slots.front() {
                let Some(Slot::Done(out)) = state.slots.pop_front() else {
                    continue;
                };
                state.head += 1;
                drop(state);
                self.changed.notify_all();
                sink(out)?;
                state = self.lock();
            } else if state.stopped || (state.slots.is_empty() && state.next == self.size) {
                return Ok(());
            } else {
                state = self.wait(state);
            }
        }
    }
}

/// Ends the run when a worker thread dies, lest the others wait for it forever.
struct StopOnPanic<'a>(&'a Queue<'a>);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

impl State {
    /// Puts the outcome of a task in its place, unless the chunk is no longer wanted.
    fn set(&mut self, index: usize, slot: Slot) {
        if let Some(place) = self.slots.get_mut(index - self.head) {
            *place = slot;
        }
    }

    /// Makes chunks certain as far as they are cut. A chunk that did not begin where a game begins
    /// must be split again.
    fn verify(&mut self, options: &RunOptions<'_>, size: u64) -> io::Result<Option<Task>> {
        loop {
            let index = self.unverified;
            let Some(slot @ Slot::Cut(_)) = self.slots.get_mut(index - self.head) else {
                return Ok(None);
            };
            let Slot::Cut(chunk) = mem::replace(slot, Slot::Cutting) else {
                return Ok(None);
            };
            let before = &mut self.before;
            if !before.is_joined {
                if chunk.start() != before.end.offset() + before.left_over.len() as u64 {
                    return Err(io::Error::other("the file changed while it was read"));
                }
                if !before.left_over.is_empty() || !before.end.is_between_games() {
                    before.is_joined = true;
                    return Ok(Some(Task::Join {
                        index,
                        before: before.end.clone(),
                        left_over: mem::take(&mut before.left_over),
                        chunk,
                    }));
                }
            }
            let first_game = before.n_games + 1;
            let lines = before.lines;
            *before = Before {
                n_games: before.n_games + chunk.n_games() as u64,
                lines: lines + chunk.n_lines(),
                end: chunk.end().clone(),
                left_over: chunk.rest().to_vec(),
                is_joined: false,
            };
            *slot = Slot::Ready {
                chunk,
                first_game,
                lines,
            };
            self.unverified += 1;
            if options.is_over(self.before.n_games + 1) {
                self.slots.truncate(self.unverified - self.head);
                self.next = size;
            }
        }
    }

    /// The first chunk that can be evaluated.
    fn ready(&mut self) -> Option<Task> {
        let i = self
            .slots
            .iter()
            .position(|slot| matches!(slot, Slot::Ready { .. }))?;
        match mem::replace(&mut self.slots[i], Slot::Evaluating) {
            Slot::Ready {
                chunk,
                first_game,
                lines,
            } => Some(Task::Evaluate {
                index: self.head + i,
                chunk,
                first_game,
                lines,
            }),
            _ => None,
        }
    }
}
