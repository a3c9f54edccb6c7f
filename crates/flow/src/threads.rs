//! Runs threads that share work until there is none left, while the caller delivers their results.

use std::io;
use std::thread;

use crate::error::Interruption;
use crate::memory::no_thread;

/// Stack size of a thread: evaluation recurses as deep as queries are nested.
const STACK_BYTES: usize = 16 << 20;

/// Returns the number of threads that `wanted` stands for: 0 is one for each processor.
pub fn n_threads(wanted: usize) -> usize {
    match wanted {
        0 => thread::available_parallelism().map_or(1, usize::from),
        wanted => wanted,
    }
}

/// Runs `work` on `n` threads while the calling thread runs `deliver`. `stop` ends the work of all
/// threads: after the delivery, or when a thread panics.
pub(super) fn run<W: Send>(
    n: u64,
    work: &(impl Fn() -> W + Sync),
    stop: &(impl Fn() + Sync),
    deliver: impl FnOnce() -> io::Result<()>,
) -> io::Result<Vec<W>> {
    thread::scope(|scope| {
        // A sink may panic, too.
        let _stop = StopOnPanic(stop);
        let mut threads = Vec::new();
        for _ in 0..n {
            let thread = thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, || {
                let _stop = StopOnPanic(stop);
                work()
            });
            match thread {
                Ok(thread) => threads.push(thread),
                // Fewer threads suffice, but at least one is needed.
                Err(_) if !threads.is_empty() => break,
                Err(error) => return Err(no_thread(&error)),
            }
        }
        let delivered = deliver();
        stop();
        let mut workers = Vec::new();
        for thread in threads {
            workers.push(thread.join().map_err(|_| Interruption::LostWorker)?);
        }
        delivered.map(|()| workers)
    })
}

/// Ends the run when one of its threads panics, so that the others do not wait for it forever.
struct StopOnPanic<'s, F: Fn()>(&'s F);

impl<F: Fn()> Drop for StopOnPanic<'_, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}
