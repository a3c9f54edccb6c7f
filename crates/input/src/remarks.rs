//! Remarks about inputs that have no faults, such as the number of deleted games.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

/// Remarks about inputs, such as games that are marked as deleted and were skipped. They are added
/// while the games are read.
#[derive(Debug, Clone, Default)]
pub struct Remarks {
    /// Name of the input that is being read.
    name: Arc<str>,
    all: Arc<Mutex<Vec<String>>>,
}

impl Remarks {
    /// Returns a handle for remarks about an input with this name.
    pub(super) fn about(&self, name: &str) -> Remarks {
        Remarks { name: name.into(), all: self.all.clone() }
    }

    /// Adds a remark, once if the input is read twice.
    pub(super) fn add(&self, text: &str) {
        let text = format!("{}: {text}", self.name);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&text) {
            all.push(text);
        }
    }

    /// Removes all remarks and returns them: lower case, no full stop, after the name of the input.
    pub fn take(&self) -> Vec<String> {
        mem::take(&mut *self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
