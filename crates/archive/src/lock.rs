//! One run at a time makes an archive.
//!
//! Whoever makes it has locked a file in its folder, with the number of its process in it. The
//! system unlocks it when the process ends, in whatever way, so a lock is never left over.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::error::Error;
use crate::manifest;
use crate::plan::is_free;

/// The name of the file.
const NAME: &str = "lock.tmp";

/// Keeps others from making an archive at the same time.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    /// Locked as long as it is open.
    file: Option<File>,
}

impl Lock {
    /// Locks a folder that is to become an archive, or to be one that is brought up to date. There
    /// is no lock where something else is, which is left alone.
    ///
    /// # Errors
    /// Somebody else is at it, or nothing can be written there.
    pub fn take(folder: &Path) -> Result<Option<Lock>, Error> {
        if !folder.join(manifest::NAME).exists() && !is_free(folder) {
            return Ok(None);
        }
        let path = folder.join(NAME);
        let failed = |error| Error::of_file(&path, &error);
        let own = process::id().to_string();
        fs::create_dir_all(folder).map_err(failed)?;
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path).map_err(failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut other = String::new();
                    // Where a locked file cannot be read, nobody is named.
                    let _ = file.read_to_string(&mut other);
                    return Err(busy(folder, other.trim()));
                }
                // There are file systems without locks.
                Err(TryLockError::Error(_)) => return Ok(None),
            }
            let write = |file: &mut File| {
                file.set_len(0)?;
                file.write_all(own.as_bytes())
            };
            write(&mut file).map_err(failed)?;
            // The one before may have removed it in between.
            if path.exists() {
                return Ok(Some(Lock {
                    folder: folder.to_owned(),
                    file: Some(file),
                }));
            }
        }
    }
}

fn busy(folder: &Path, other: &str) -> Error {
    let folder = folder.display();
    let process = match other.parse::<u32>() {
        Ok(number) => format!(" (process {number})"),
        Err(_) => String::new(),
    };
    Error::Unreadable(format!(
        "{folder}: another run{process} is making this archive now"
    ))
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Without the file, the archive is what it would be without the lock; with it, too.
        let _ = fs::remove_file(self.folder.join(NAME));
        self.file = None;
        // If nothing came of it, the folder that was made for it goes again.
        let _ = fs::remove_dir(&self.folder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_locked_once() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("g.cqa");
        let lock = Lock::take(&folder).expect("nobody else is there");
        assert!(lock.is_some());
        let refused = Lock::take(&folder).expect_err("it is locked").to_string();
        let own = format!("(process {}) is making this archive now", process::id());
        assert!(refused.contains(&own), "{refused}");
        drop(lock);
        assert!(!folder.exists());
    }

    #[test]
    fn what_the_dead_leave_behind_is_no_lock() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        fs::write(folder.join(NAME), "1").expect("written");
        fs::write(folder.join(manifest::NAME), "{}").expect("written");
        drop(Lock::take(folder).expect("a lock"));
        assert!(!folder.join(NAME).exists() && folder.exists());
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
