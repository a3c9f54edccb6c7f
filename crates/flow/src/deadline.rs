//! Cancels a run at a point in time.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Instant;

use crate::Cancel;
use crate::memory::no_thread;

/// Cancels a handle at a point in time, unless it is dropped before.
#[derive(Debug)]
pub struct Deadline {
    /// Its end stops the thread that waits.
    _is_wanted: Sender<()>,
}

impl Deadline {
    /// Starts a thread that cancels `cancel` at `end`.
    ///
    /// # Errors
    /// The thread cannot be created.
    pub fn new(cancel: &Cancel, end: Instant) -> io::Result<Deadline> {
        let (sender, receiver) = mpsc::channel();
        let cancel = cancel.clone();
        let wait = move || {
            let left = end.saturating_duration_since(Instant::now());
            if receiver.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                cancel.cancel();
            }
        };
        let thread = thread::Builder::new().name("deadline".to_owned()).spawn(wait);
        thread.map_err(|error| no_thread(&error))?;
        Ok(Deadline { _is_wanted: sender })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_cancelled_in_time_or_not_at_all() {
        let (soon, never) = (Cancel::default(), Cancel::default());
        let kept = Deadline::new(&soon, Instant::now()).expect("a thread");
        drop(Deadline::new(&never, Instant::now() + std::time::Duration::from_secs(3600)));
        while !soon.is_cancelled() {
            thread::yield_now();
        }
        drop(kept);
        assert!(!never.is_cancelled());
    }
}
