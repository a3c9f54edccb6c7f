//! Lock of a folder, so that only one run at a time writes into it.
//!
//! A run locks a file in the folder and writes its process number into it. The system releases the
//! lock when the process ends, in whatever way, so no lock is ever left over, but the file may be.
//! Only the process that created the file writes into it: an existing file may be a second name of
//! any file of the user.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

/// Number of attempts while other runs come and go.
const MOST_TRIES: u32 = 100;

/// Number of bytes in which a process number fits.
const LONGEST_NUMBER: u64 = 16;

/// Keeps other runs from writing into a folder. The file stays there, as a sign that the run was
/// interrupted, unless [`FolderLock::remove`] is called.
#[derive(Debug)]
pub struct FolderLock {
    path: PathBuf,
    file: File,
    is_new: bool,
    is_held: bool,
    was_left: bool,
}

/// Reason why a folder cannot be locked.
#[derive(Debug)]
#[non_exhaustive]
pub enum LockError {
    /// Another run holds the lock.
    Busy {
        /// The folder.
        folder: PathBuf,
        /// Number of the other process, if it is known.
        process: Option<u32>,
        /// Activity of the other run.
        doing: String,
    },
    /// Something that is not an ordinary file has the name of the lock file.
    NoFile(PathBuf),
    /// The lock file cannot be written.
    Failed(io::Error),
}

impl Display for LockError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            LockError::Busy { folder, process, doing } => {
                write!(f, "{}: another run", folder.display())?;
                if let Some(number) = process {
                    write!(f, " (process {number})")?;
                }
                write!(f, " {doing}")
            }
            LockError::NoFile(path) => write!(
                f,
                "{}: the lock of the folder needs this name, but it is not a regular file: remove \
                 it first",
                path.display()
            ),
            LockError::Failed(error) => error.fmt(f),
        }
    }
}

impl Error for LockError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            LockError::Failed(error) => Some(error),
            LockError::Busy { .. } | LockError::NoFile(_) => None,
        }
    }
}

impl FolderLock {
    /// Name of the lock file.
    pub const NAME: &str = "lock.tmp";

    /// Locks a folder; `doing` says what a run that holds the lock does, for the message.
    ///
    /// # Errors
    /// Another run holds the lock, the lock file cannot be written, or something that is not an
    /// ordinary file has its name.
    pub fn take(folder: &Path, doing: &str) -> Result<FolderLock, LockError> {
        let path = folder.join(FolderLock::NAME);
        let mut was_left = false;
        for _ in 0..MOST_TRIES {
            let Some((mut file, is_new)) = opened(&path)? else {
                continue;
            };
            let is_held = match file.try_lock() {
                Ok(()) => true,
                Err(TryLockError::WouldBlock) => {
                    return Err(busy(folder, process_in(&file), doing));
                }
                // Some file systems have no locks.
                Err(TryLockError::Error(_)) => false,
            };
            if is_held && !is_at(&file, &path) {
                continue;
            }
            if is_new {
                let number = process::id().to_string();
                file.write_all(number.as_bytes()).map_err(LockError::Failed)?;
            } else {
                // Without a number, its run has not begun to write, and perhaps not to lock.
                was_left |= process_in(&file).is_some();
            }
            if is_held && !is_new {
                // It is replaced by a file of this run.
                fs::remove_file(&path).map_err(LockError::Failed)?;
                continue;
            }
            return Ok(FolderLock { path, file, is_new, is_held, was_left });
        }
        Err(busy(folder, None, doing))
    }

    /// Whether other runs are kept out: some file systems have no locks.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.is_held
    }

    /// Whether an interrupted run had left its lock file.
    #[must_use]
    pub fn was_left(&self) -> bool {
        self.was_left
    }

    /// Removes the file while it is held, and releases the lock.
    pub fn remove(self) {
        if self.is_new && is_at(&self.file, &self.path) {
            // An error does no harm: the next run replaces the file.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Creates the lock file, or opens that of another run. Returns whether it is new; `None` if the
/// other run has just removed it.
fn opened(path: &Path) -> Result<Option<(File, bool)>, LockError> {
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true);
    match options.clone().create_new(true).open(path) {
        Ok(file) => return Ok(Some((file, true))),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(LockError::Failed(error)),
    }
    let file = fs::symlink_metadata(path)
        .and_then(|found| if found.is_file() { options.open(path).map(Some) } else { Ok(None) });
    match file {
        Ok(Some(file)) => Ok(Some((file, false))),
        Ok(None) => Err(LockError::NoFile(path.to_owned())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LockError::Failed(error)),
    }
}

/// Returns the process number in a lock file; `None` if it has none or cannot be read.
fn process_in(file: &File) -> Option<u32> {
    let mut text = String::new();
    file.take(LONGEST_NUMBER).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

/// Whether an open file still has this name. Another run may have removed or replaced it.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let known = |found: fs::Metadata| (found.dev(), found.ino());
        let (own, there) = (file.metadata(), fs::symlink_metadata(path));
        own.is_ok_and(|own| there.is_ok_and(|there| known(own) == known(there)))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

fn busy(folder: &Path, process: Option<u32>, doing: &str) -> LockError {
    LockError::Busy { folder: folder.to_owned(), process, doing: doing.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(folder: &Path) -> Result<FolderLock, LockError> {
        FolderLock::take(folder, "is testing")
    }

    #[test]
    fn only_the_file_of_an_interrupted_run_counts_as_left() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join(FolderLock::NAME);
        let first = take(place.path()).expect("locked");
        assert!(first.is_held() && !first.was_left());
        match take(place.path()) {
            Err(error @ LockError::Busy { .. }) => {
                let expected = format!("another run (process {}) is testing", process::id());
                assert!(error.to_string().ends_with(&expected), "{error}");
            }
            other => panic!("{other:?}"),
        }
        drop(first);
        let second = take(place.path()).expect("locked");
        assert!(second.was_left(), "an interrupted run leaves it");
        second.remove();
        assert!(!path.exists());
        assert!(!take(place.path()).expect("locked").was_left());
        // A run has created the file, and neither locked it nor written its number.
        for text in ["", "not a number", "99999999999999999999999"] {
            fs::write(&path, text).expect("written");
            let lock = take(place.path()).expect("locked");
            assert!(!lock.was_left(), "{text}");
            lock.remove();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_lock_that_was_removed_locks_nothing() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join(FolderLock::NAME);
        let first = take(place.path()).expect("locked");
        fs::remove_file(&path).expect("removed");
        let second = take(place.path()).expect("locked");
        assert!(!second.was_left());
        // The file of the second run is not that of the first.
        first.remove();
        assert!(is_at(&second.file, &path));
        assert!(take(place.path()).is_err(), "it is held");
    }
}
