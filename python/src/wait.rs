//! Waiting for a search while the interpreter does other things, and hears Ctrl-C.

use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use flow::Cancel;
use pyo3::prelude::*;

/// How often somebody who waits looks whether the user wants to stop.
const PATIENCE: Duration = Duration::from_millis(50);

/// A search in a thread of its own, and what comes of it. When this is dropped, the search ends.
pub(crate) struct Running<T> {
    results: Option<Receiver<T>>,
    thread: Option<JoinHandle<()>>,
    cancel: Cancel,
}

impl<T: Send + 'static> Running<T> {
    /// Starts a thread that sends its results, which wait if nobody takes them.
    pub(crate) fn start(
        cancel: Cancel,
        results: Receiver<T>,
        search: impl FnOnce() + Send + 'static,
    ) -> PyResult<Running<T>> {
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(search)?;
        Ok(Running {
            results: Some(results),
            thread: Some(thread),
            cancel,
        })
    }

    /// The next result; none at the end. `look` is asked now and then whether to go on.
    pub(crate) fn next<E>(&self, mut look: impl FnMut() -> Result<(), E>) -> Result<Option<T>, E> {
        let Some(results) = &self.results else {
            return Ok(None);
        };
        loop {
            match results.recv_timeout(PATIENCE) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = look() {
                        self.cancel.cancel();
                        return Err(error);
                    }
                }
            }
        }
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

/// Lets Python's handlers of signals run; the error is that of one, such as KeyboardInterrupt.
pub(crate) fn check_signals() -> PyResult<()> {
    Python::attach(|py| py.check_signals())
}
