//! State shared by threads, with a lock and a condition variable.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A state that one thread at a time reads or changes.
pub(super) struct Shared<T> {
    state: Mutex<T>,
    changed: Condvar,
}

impl<T> Shared<T> {
    pub(super) fn new(state: T) -> Shared<T> {
        Shared { state: Mutex::new(state), changed: Condvar::new() }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        // No panic under the lock leaves the state inconsistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Releases the state until another thread has announced a change.
    pub(super) fn wait<'g>(&self, state: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes all waiting threads.
    pub(super) fn announce(&self) {
        self.changed.notify_all();
    }

    /// Changes the state and wakes all waiting threads.
    pub(super) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.lock());
        self.announce();
    }
}
