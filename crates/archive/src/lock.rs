//! Lock of an archive's folder, so that only one run at a time builds it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::folder_lock::{FolderLock, LockError};
use crate::manifest::{self, Manifest};
use crate::plan::is_free;

/// Keeps other runs from building the archive at the same time.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    lock: Option<FolderLock>,
}

impl Lock {
    /// Locks a folder that is to become an archive or to be updated, and cleans up after an
    /// interrupted run. Returns `None` without touching the folder if it contains something else,
    /// and also if the file system has no locks.
    ///
    /// # Errors
    /// Another run holds the lock, the lock file cannot be written, or something that is not an
    /// ordinary file has its name.
    pub fn take(folder: &Path) -> Result<Option<Lock>, Error> {
        if !folder.join(manifest::NAME).exists() && !is_free(folder) {
            return Ok(None);
        }
        let failed = |error| Error::of_file(&folder.join(FolderLock::NAME), error);
        fs::create_dir_all(folder).map_err(failed)?;
        let lock = FolderLock::take(folder, "is building this archive");
        let lock = lock.map_err(|error| match error {
            LockError::Failed(error) => failed(error),
            refused => Error::unreadable("", refused),
        })?;
        if !lock.is_held() {
            lock.remove();
            return Ok(None);
        }
        let lock = Lock { folder: folder.to_owned(), lock: Some(lock) };
        Manifest::tidy(folder)?;
        Ok(Some(lock))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(lock) = self.lock.take() {
            lock.remove();
        }
        // Removes the folder if it is empty, that is, if it was created for an archive that was not
        // built.
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use std::process;

    use super::*;

    #[test]
    fn a_folder_is_locked_once() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("g.cqa");
        let lock = Lock::take(&folder).expect("nobody else is there");
        assert!(lock.is_some());
        let refused = Lock::take(&folder).expect_err("it is locked").to_string();
        let own = format!("(process {}) is building this archive", process::id());
        assert!(refused.contains(&own), "{refused}");
        drop(lock);
        assert!(!folder.exists());
    }

    #[test]
    fn what_the_dead_leave_behind_is_no_lock() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        fs::write(folder.join(FolderLock::NAME), "1").expect("written");
        fs::write(folder.join("unfinished-a1b2c3.tmp"), "1").expect("written");
        fs::write(folder.join(manifest::NAME), "{}").expect("written");
        drop(Lock::take(folder).expect("a lock"));
        let names = fs::read_dir(folder).expect("a folder").count();
        assert_eq!(names, 1, "the manifest");
    }

    /// Both kinds of links give the lock file a second name.
    #[cfg(unix)]
    #[test]
    fn no_file_of_the_user_becomes_the_lock() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, precious) = (place.path().join("g.cqa"), place.path().join("precious.txt"));
        fs::create_dir(&folder).expect("a folder");
        fs::write(&precious, "precious").expect("written");
        fs::write(folder.join(manifest::NAME), "{}").expect("written");
        let lock = folder.join(FolderLock::NAME);
        std::os::unix::fs::symlink(&precious, &lock).expect("a link");
        let refused = Lock::take(&folder).expect_err("a link").to_string();
        assert!(refused.contains("lock.tmp: the lock of the folder needs this name"), "{refused}");
        fs::remove_file(&lock).expect("removed");
        fs::hard_link(&precious, &lock).expect("a link");
        drop(Lock::take(&folder).expect("a lock"));
        assert_eq!(fs::read(&precious).expect("a file"), b"precious");
    }

    #[test]
    fn what_is_no_archive_is_left_alone() {
        let place = tempfile::tempdir().expect("a folder");
        fs::write(place.path().join("thesis.txt"), "mine").expect("written");
        assert!(Lock::take(place.path()).expect("nothing to do").is_none());
        let names = fs::read_dir(place.path()).expect("a folder").count();
        assert_eq!(names, 1);
    }
}
