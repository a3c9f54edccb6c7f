//! What must not stay if the program is ended where it is.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Files with a name that is not their own yet.
static FILES: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// How many files have taken their names.
static WRITTEN: AtomicU64 = AtomicU64::new(0);

fn files() -> MutexGuard<'static, Vec<PathBuf>> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes a file that must not stay: whoever ends the program knows of it as soon as it is there.
pub(crate) fn make<T>(
    make: impl FnOnce() -> io::Result<T>,
    path: impl FnOnce(&T) -> &Path,
) -> io::Result<T> {
    let mut files = files();
    let made = make()?;
    files.push(path(&made).to_owned());
    Ok(made)
}

/// A file is complete, or gone.
pub(crate) fn forget(file: &Path) {
    files().retain(|other| other != file);
}

/// Gives files their names. Whoever ends the program waits until that is done. `put` says which file
/// has another name now.
pub(crate) fn put<T>(put: impl FnOnce(&mut dyn FnMut(&Path)) -> T) -> T {
    let mut files = files();
    put(&mut |file| {
        files.retain(|other| other != file);
        WRITTEN.fetch_add(1, Ordering::Relaxed);
    })
}

/// A file without a name has one now.
pub(crate) fn count() {
    WRITTEN.fetch_add(1, Ordering::Relaxed);
}

/// How many files this process has written: each is complete.
#[must_use]
pub fn n_written() -> u64 {
    WRITTEN.load(Ordering::Relaxed)
}

/// Removes everything that is unfinished, for a program that is about to end. After this no file is
/// begun with a name, and none takes its own: who tries waits for the end.
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
