//! Threads that do the same work until there is none, while the caller takes what they make.

use std::io;
use std::thread;

use crate::memory::no_thread;

/// The stack of a thread: evaluation recurses as deep as queries are nested.
const STACK_BYTES: usize = 16 << 20;

/// Has `n` threads do their `work` while the calling one delivers what comes of it. `stop` ends the
/// work of all, be it that everything is delivered, or that one of them dies.
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
            let thread = thread::Builder::new()
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, || {
                    let _stop = StopOnPanic(stop);
                    work()
                });
            match thread {
                Ok(thread) => threads.push(thread),
                // Fewer threads do as well, none do not.
                Err(_) if !threads.is_empty() => break,
                Err(error) => return Err(no_thread(&error)),
            }
        }
        let delivered = deliver();
        stop();
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

/// Ends the run when a thread of it dies, lest the others wait for it forever.
struct StopOnPanic<'s, F: Fn()>(&'s F);

impl<F: Fn()> Drop for StopOnPanic<'_, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}
