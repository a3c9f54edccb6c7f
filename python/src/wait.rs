//! Waiting for a search while the interpreter does other things, hears Ctrl-C, and is told how far
//! the search has come.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flow::Cancel;
use input::{Inputs, Meter};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often somebody who waits looks whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often it is told how far a search has come.
const NEWS: Duration = Duration::from_millis(200);

/// Does what may wait for somebody else, while other threads of Python go on. Ctrl-C cancels it.
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

/// How far a search has come.
#[derive(Default)]
pub(crate) struct Counters {
    games: AtomicU64,
    matches: AtomicU64,
    /// What counts the bytes that are read, and how many there are, if that is known.
    bytes: OnceLock<(Meter, Option<u64>)>,
}

impl Counters {
    /// Reading begins.
    pub(crate) fn begin(&self, inputs: &Inputs) {
        let _ = self.bytes.set((inputs.meter(), inputs.size()));
    }

    /// So many games have been read, and so many of them match.
    pub(crate) fn set(&self, games: u64, matches: u64) {
        self.games.store(games, Ordering::Relaxed);
        self.matches.store(matches, Ordering::Relaxed);
    }

    /// The part of the bytes that have been read, if it is known.
    fn fraction(&self) -> Option<f64> {
        let (meter, size) = self.bytes.get()?;
        let size = (*size)?;
        Some((meter.read() as f64 / size.max(1) as f64).min(1.0))
    }
}

/// Somebody who wants to know how far a search has come: a function of Python.
pub(crate) struct Watch {
    tell: Option<Py<PyAny>>,
    counters: Arc<Counters>,
    last: Instant,
}

impl Watch {
    pub(crate) fn new(tell: Option<Py<PyAny>>) -> Watch {
        Watch {
            tell,
            counters: Arc::default(),
            last: Instant::now(),
        }
    }

    /// What the search counts in.
    pub(crate) fn counters(&self) -> Arc<Counters> {
        self.counters.clone()
    }

    /// Lets Python's handlers of signals run, and tells how far the search has come if it is time.
    /// The error is that of a handler, such as KeyboardInterrupt, or of who was told.
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
            tell.call1(py, (games, matches, counters.fraction()))
                .map(drop)
        })
    }
}

/// A search in a thread of its own, and what comes of it. When this is dropped, the search ends.
pub(crate) struct Running<T> {
    results: Option<Receiver<T>>,
    thread: Option<JoinHandle<()>>,
    watch: Watch,
    cancel: Cancel,
}

impl<T: Send + 'static> Running<T> {
    /// Starts a thread that sends its results, which wait if nobody takes them.
    pub(crate) fn start(
        cancel: Cancel,
        results: Receiver<T>,
        watch: Watch,
        search: impl FnOnce() + Send + 'static,
    ) -> PyResult<Running<T>> {
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(search)?;
        Ok(Running {
            results: Some(results),
            thread: Some(thread),
            watch,
            cancel,
        })
    }

    /// The next result; none at the end. Meanwhile the interpreter is looked after if it `may_look`.
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
                self.watch
                    .look(false)
                    .inspect_err(|_| self.cancel.cancel())?;
            }
            if let Some(result) = result {
                return Ok(result);
            }
        }
    }

    /// Tells how far the search has come in the end.
    pub(crate) fn tell_end(&mut self) -> PyResult<()> {
        self.watch.look(true)
    }
}

impl<T> Drop for Running<T> {
    fn drop(&mut self) {
        self.cancel.cancel();
        // Now the search cannot wait for somebody to take its results.
        drop(self.results.take());
        if let Some(thread) = self.thread.take() {
            // It has no way to panic but a defect, which is none of the caller's.
            let _ = thread.join();
        }
    }
}
