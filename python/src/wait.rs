//! Waiting for a search without holding the interpreter, with Ctrl-C and progress handled
//! meanwhile.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flow::Cancel;
use input::{Inputs, Meter};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Time between two checks for signals while waiting.
const PATIENCE: Duration = Duration::from_millis(50);

/// Time between two reports of progress.
const NEWS: Duration = Duration::from_millis(200);

/// Runs a function that may block, without holding the interpreter. Ctrl-C cancels it.
pub(crate) fn detached<T: Send>(cancel: &Cancel, does: impl FnOnce() -> T + Send) -> PyResult<T> {
    let wait = |done: Receiver<T>| loop {
        match done.recv_timeout(PATIENCE) {
            Ok(done) => return Ok(done),
            Err(RecvTimeoutError::Timeout) => {
                Python::attach(|py| py.check_signals()).inspect_err(|_| cancel.cancel())?
            }
            Err(RecvTimeoutError::Disconnected) => {
                return Err(PyRuntimeError::new_err("it has failed"));
            }
        }
    };
    let both = || {
        thread::scope(|scope| {
            let (sender, done) = sync_channel(1);
            scope.spawn(move || sender.send(does()));
            wait(done)
        })
    };
    Python::attach(|py| py.detach(both))
}

/// Runs a function in a thread of its own, with Ctrl-C and progress handled meanwhile. Ctrl-C
/// cancels it.
pub(crate) fn in_thread<T: Send + 'static>(
    py: Python<'_>,
    cancel: Cancel,
    progress: Option<Py<PyAny>>,
    does: impl FnOnce(&Counters) -> T + Send + 'static,
) -> PyResult<T> {
    let watch = Watch::new(progress);
    let counters = watch.counters();
    let (sender, receiver) = sync_channel(1);
    let send = move || {
        // A send error only means that the receiver has been dropped.
        let _ = sender.send(does(&counters));
    };
    py.detach(|| {
        let mut running = Running::start(cancel, receiver, watch, send)?;
        let done = running.next(true)?;
        let done = done.ok_or_else(|| PyRuntimeError::new_err("it has failed"))?;
        running.tell_end()?;
        Ok(done)
    })
}

/// Progress of a search.
#[derive(Default)]
pub(crate) struct Counters {
    games: AtomicU64,
    matches: AtomicU64,
    /// Meter of the bytes read, and their total number, if known.
    bytes: OnceLock<(Meter, Option<u64>)>,
    /// Number of bytes that were read before this pass.
    bytes_before: AtomicU64,
}

impl Counters {
    /// Starts a pass over these inputs. They are the same in each pass.
    pub(crate) fn begin(&self, inputs: &Inputs) {
        let (meter, _) = self.bytes.get_or_init(|| (inputs.meter(), inputs.size()));
        self.bytes_before.store(meter.read(), Ordering::Relaxed);
        self.set(0, 0);
    }

    /// Sets the number of games read, and of those that match.
    pub(crate) fn set(&self, games: u64, matches: u64) {
        self.games.store(games, Ordering::Relaxed);
        self.matches.store(matches, Ordering::Relaxed);
    }

    /// Fraction of the bytes that have been read, if known.
    fn fraction(&self) -> Option<f64> {
        let (meter, size) = self.bytes.get()?;
        let size = (*size)?;
        let read = meter.read().saturating_sub(self.bytes_before.load(Ordering::Relaxed));
        Some((read as f64 / size.max(1) as f64).min(1.0))
    }
}

/// Reports the progress of a search to a Python function.
pub(crate) struct Watch {
    tell: Option<Py<PyAny>>,
    counters: Arc<Counters>,
    last: Instant,
}

impl Watch {
    pub(crate) fn new(tell: Option<Py<PyAny>>) -> Watch {
        Watch { tell, counters: Arc::default(), last: Instant::now() }
    }

    /// Returns the counters that the search updates.
    pub(crate) fn counters(&self) -> Arc<Counters> {
        self.counters.clone()
    }

    /// Runs Python's signal handlers, and reports progress if it is due. Returns the exception of a
    /// handler, such as KeyboardInterrupt, or of the function.
    fn look(&mut self, is_over: bool) -> PyResult<()> {
        Python::attach(|py| {
            py.check_signals()?;
            let Some(tell) = self.tell.as_ref() else {
                return Ok(());
            };
            if self.last.elapsed() < NEWS && !is_over {
                return Ok(());
            }
            self.last = Instant::now();
            let counters = &self.counters;
            let games = counters.games.load(Ordering::Relaxed);
            let matches = counters.matches.load(Ordering::Relaxed);
            tell.call1(py, (games, matches, counters.fraction())).map(drop)
        })
    }
}

/// A search in a thread of its own, and its results. Dropping it cancels the search.
pub(crate) struct Running<T> {
    results: Option<Receiver<T>>,
    thread: Option<JoinHandle<()>>,
    watch: Watch,
    cancel: Cancel,
}

impl<T: Send + 'static> Running<T> {
    /// Starts the thread of a search, whose results arrive through `results`.
    pub(crate) fn start(
        cancel: Cancel,
        results: Receiver<T>,
        watch: Watch,
        search: impl FnOnce() + Send + 'static,
    ) -> PyResult<Running<T>> {
        let thread = thread::Builder::new().name("search".to_owned()).spawn(search)?;
        Ok(Running { results: Some(results), thread: Some(thread), watch, cancel })
    }

    /// Returns the next result, or `None` at the end. Handles signals and progress meanwhile, if it
    /// `may_look`.
    pub(crate) fn next(&mut self, may_look: bool) -> PyResult<Option<T>> {
        let Some(results) = &self.results else {
            return Ok(None);
        };
        let mut since = Instant::now();
        loop {
            let result = match results.recv_timeout(PATIENCE) {
                Ok(result) => Some(Some(result)),
                Err(RecvTimeoutError::Disconnected) => Some(None),
                Err(RecvTimeoutError::Timeout) => None,
            };
            let is_news = self.watch.tell.is_some() && self.watch.last.elapsed() >= NEWS;
            if may_look && (is_news || since.elapsed() >= PATIENCE) {
                since = Instant::now();
                self.watch.look(false).inspect_err(|_| self.cancel.cancel())?;
            }
            if let Some(result) = result {
                return Ok(result);
            }
        }
    }

    /// Reports the final progress.
    pub(crate) fn tell_end(&mut self) -> PyResult<()> {
        self.watch.look(true)
    }
}

impl<T> Running<T> {
    /// Cancels the search, and waits for its end.
    pub(crate) fn close(&mut self) {
        self.cancel.cancel();
        // Without a receiver, the search cannot block on sending.
        drop(self.results.take());
        if let Some(thread) = self.thread.take() {
            // A panic would be a bug of the search, and a destructor must not panic itself.
            let _ = thread.join();
        }
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.close();
    }
}
