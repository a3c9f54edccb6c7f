//! Ctrl-C and requests to terminate.
//!
//! The first one ends the run after the games that are being evaluated. If it does not end, the
//! second one ends the program; the files that were being written are removed in both cases.

use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The exit status of an interrupted run.
pub(crate) const STATUS: u8 = 130;

static CANCEL: AtomicBool = AtomicBool::new(false);
static TO_REMOVE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Set when the user has asked to stop.
pub(crate) fn cancel_flag() -> &'static AtomicBool {
    &CANCEL
}

/// Begins to listen. Without it the program can still be ended, only less tidily.
pub(crate) fn listen() {
    let _ = ctrlc::set_handler(|| {
        if CANCEL.swap(true, Ordering::Relaxed) {
            let mut files = TO_REMOVE.lock().unwrap_or_else(PoisonError::into_inner);
            for file in files.drain(..) {
                let _ = std::fs::remove_file(file);
            }
            process::exit(i32::from(STATUS));
        }
    });
}

/// Says that a file must not stay if the program is ended at once.
pub(crate) fn remove_if_ended(file: &Path) {
    let mut files = TO_REMOVE.lock().unwrap_or_else(PoisonError::into_inner);
    files.push(file.to_owned());
}

/// Says that a file is complete, or gone.
pub(crate) fn forget(file: &Path) {
    let mut files = TO_REMOVE.lock().unwrap_or_else(PoisonError::into_inner);
    files.retain(|other| other != file);
}
