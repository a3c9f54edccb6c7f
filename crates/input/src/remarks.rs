//! Remarks about inputs that have no faults, such as the number of deleted games.

use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Remarks about inputs, such as games that are marked as deleted and were skipped. They are added
/// while the games are read.
#[derive(Debug, Clone, Default)]
pub struct Remarks {
    /// Name of the input that is being read.
    name: Arc<str>,
    all: Arc<Mutex<Vec<String>>>,
    has_lines: Arc<AtomicBool>,
}

impl Remarks {
    /// Returns a handle for remarks about an input with this name.
    pub(super) fn about(&self, name: &str) -> Remarks {
        Remarks { name: name.into(), ..self.clone() }
    }

    /// Adds a remark, once if the input is read twice.
    pub(super) fn add(&self, text: &str) {
        let text = format!("{}: {text}", self.name);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if !all.contains(&text) {
            all.push(text);
        }
    }

    /// Notes that an input has a game in each line.
    pub(super) fn note_lines(&self) {
        self.has_lines.store(true, Ordering::Relaxed);
    }

    /// Whether an input that has been opened has a game in each line, such as one in EPD or JSON.
    pub fn has_lines(&self) -> bool {
        self.has_lines.load(Ordering::Relaxed)
    }

    /// Removes all remarks and returns them: lower case, no full stop, after the name of the input.
    pub fn take(&self) -> Vec<String> {
        mem::take(&mut *self.all.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
