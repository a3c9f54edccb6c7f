//! Records the unfinished files, which are removed if the program ends early.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Files that still have a temporary name.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Number of files that have got their names.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Creates a file and records it as unfinished. The list is locked meanwhile, so that [`abandon`]
/// misses no file.
pub(crate) fn make<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<T> {
    let mut files = files();
    let made = make()?;
    files.push(path(&made).to_owned());
    Ok(made)
}

/// Removes a file from the list: it is complete, or gone.
pub(crate) fn forget(file: &Path) {
    files().retain(|other| other != file);
}

/// Gives files their names; [`abandon`] waits until that is done. `put` reports each temporary name
/// that is no longer in use.
pub(crate) fn put<T>(put: impl FnOnce(&mut dyn FnMut(&Path)) -> T) -> T {
    let mut files = files();
    put(&mut |file| {
        files.retain(|other| other != file);
        WRITTEN.fetch_add(1, Ordering::Relaxed);
    })
}

/// Counts a file that had no name and now has one.
pub(crate) fn count() {
    WRITTEN.fetch_add(1, Ordering::Relaxed);
}

/// Returns the number of files that this process has completed.
#[must_use]
pub fn n_written() -> u64 {
    WRITTEN.load(Ordering::Relaxed)
}

/// Removes all unfinished files, for a program that is about to end. Later attempts to create a
/// temporary file or to give a file its name wait until the process ends.
pub fn abandon() {
    static DONE: OnceLock<()> = OnceLock::new();
    DONE.get_or_init(|| {
        let files = files();
        for file in files.iter() {
            let _ = std::fs::remove_file(file);
        }
        std::mem::forget(files);
    });
}
