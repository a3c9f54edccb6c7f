//! What threads work on together: a state that one has at a time, and that others wait for.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A state that is locked while somebody looks at it or changes it.
pub(super) struct Shared<T> {
    state: Mutex<T>,
    changed: Condvar,
}

impl<T> Shared<T> {
    pub(super) fn new(state: T) -> Shared<T> {
        Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, T> {
        // What may panic under the lock leaves the state whole.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets others have the state until one of them has announced a change.
    pub(super) fn wait<'g>(&self, state: MutexGuard<'g, T>) -> MutexGuard<'g, T> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Wakes all who wait.
    pub(super) fn announce(&self) {
        self.changed.notify_all();
    }

    /// Changes the state and says so.
    pub(super) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut self.lock());
        self.announce();
    }
}
