//! State of the server.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use flow::Cancel;

use crate::analyst::Analyst;
use crate::download::Downloads;
use crate::library::{Library, SearchedFiles};
use crate::workspace::Workspace;

/// State shared by all requests.
pub(crate) struct App {
    pub(crate) token: String,
    pub(crate) port: u16,
    pub(crate) threads: usize,
    /// Engine that the user has named.
    pub(crate) engine: Option<Arc<dyn Analyst>>,
    pub(crate) library: Mutex<Library>,
    pub(crate) searched: Mutex<SearchedFiles>,
    pub(crate) downloads: Mutex<Downloads>,
    pub(crate) workspace: Mutex<Workspace>,
    /// Folder for files dropped on the page and for exported results.
    pub(crate) folder: PathBuf,
    /// File that leads to the page, and the time of its removal.
    pub(crate) door: Mutex<Option<(PathBuf, Instant)>>,
    /// Cancellations of all running work, for the end of the server.
    pub(crate) running: Mutex<Vec<Cancel>>,
}

impl App {
    /// Returns a new cancellation; it is also triggered when the server ends.
    pub(crate) fn cancel(&self) -> Cancel {
        let cancel = Cancel::default();
        let mut running = lock(&self.running);
        running.retain(|other| !other.is_cancelled());
        running.push(cancel.clone());
        cancel
    }

    /// Returns the folder for temporary files, in which that of the server is.
    pub(crate) fn temporary(&self) -> &Path {
        self.folder.parent().unwrap_or(&self.folder)
    }

    /// Returns the number of searches that are running.
    pub(crate) fn n_running(&self) -> usize {
        let running = lock(&self.running);
        running.iter().filter(|one| !one.is_cancelled()).count()
    }

    /// Removes the file that leads to the page.
    pub(crate) fn close_door(&self) {
        if let Some((door, _)) = lock(&self.door).take() {
            let _ = std::fs::remove_file(door);
        }
    }

    /// Removes the file if the page was not opened in time.
    pub(crate) fn close_door_in_time(&self) {
        let is_late = lock(&self.door).as_ref().is_some_and(|(_, until)| *until < Instant::now());
        if is_late {
            self.close_door();
        }
    }

    /// Cancels all running work.
    pub(crate) fn end(&self) {
        lock(&self.running).iter().for_each(Cancel::cancel);
    }
}

/// Locks a mutex, even after a panic: no update is left half done.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
