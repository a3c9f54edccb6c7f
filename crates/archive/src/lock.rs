//! Lock of an archive's folder, so that only one run at a time builds it.
//!
//! The builder locks a file in the folder and writes its process number into it. The system
//! releases the lock when the process ends, in whatever way, so no lock is ever left over. Only the
//! process that created the file writes into it: an existing file may be a second name of any file
//! of the user.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process;

use crate::error::Error;
use crate::manifest::{self, Manifest};
use crate::plan::is_free;

/// Name of the lock file.
pub(crate) const NAME: &str = "lock.tmp";

/// Keeps other runs from building the archive at the same time.
#[derive(Debug)]
pub struct Lock {
    folder: PathBuf,
    /// The lock file, locked as long as it is open.
    file: Option<File>,
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
        let path = folder.join(NAME);
        let failed = |error| Error::of_file(&path, &error);
        fs::create_dir_all(folder).map_err(failed)?;
        loop {
            let mut options = OpenOptions::new();
            let options = options.read(true).write(true);
            let (mut file, is_new) = match options.clone().create_new(true).open(&path) {
                Ok(file) => (file, true),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    match fs::symlink_metadata(&path) {
                        Ok(found) if found.is_file() => {}
                        Ok(_) => return Err(in_the_way(&path)),
                        // The other run has just finished.
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        Err(error) => return Err(failed(error)),
                    }
                    match options.open(&path) {
                        Ok(file) => (file, false),
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        Err(error) => return Err(failed(error)),
                    }
                }
                Err(error) => return Err(failed(error)),
            };
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut other = String::new();
                    // The message names no process if the locked file cannot be read.
                    let _ = file.read_to_string(&mut other);
                    return Err(busy(folder, other.trim()));
                }
                // Some file systems have no locks.
                Err(TryLockError::Error(_)) => {
                    if is_new {
                        let _ = fs::remove_file(&path);
                    }
                    return Ok(None);
                }
            }
            if !is_at(&file, &path) {
                continue;
            }
            if !is_new {
                // A run that was killed has left the file. It is replaced by a new one.
                fs::remove_file(&path).map_err(failed)?;
                continue;
            }
            let own = process::id().to_string();
            file.write_all(own.as_bytes()).map_err(failed)?;
            let lock = Lock { folder: folder.to_owned(), file: Some(file) };
            Manifest::tidy(folder)?;
            return Ok(Some(lock));
        }
    }
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

fn in_the_way(path: &Path) -> Error {
    let name = path.display();
    Error::Unreadable(format!(
        "{name}: the lock of the folder needs this name, but it is not a regular file: remove it \
         first"
    ))
}

fn busy(folder: &Path, other: &str) -> Error {
    let folder = folder.display();
    let process = match other.parse::<u32>() {
        Ok(number) => format!(" (process {number})"),
        Err(_) => String::new(),
    };
    Error::Unreadable(format!("{folder}: another run{process} is building this archive"))
}

impl Drop for Lock {
    fn drop(&mut self) {
        let path = self.folder.join(NAME);
        if self.file.as_ref().is_some_and(|file| is_at(file, &path)) {
            // An error does no harm: a remaining lock file is replaced by the next run.
            let _ = fs::remove_file(path);
        }
        self.file = None;
        // Removes the folder if it is empty, that is, if it was created for an archive that was not
        // built.
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
        let own = format!("(process {}) is building this archive", process::id());
        assert!(refused.contains(&own), "{refused}");
        drop(lock);
        assert!(!folder.exists());
    }

    #[test]
    fn what_the_dead_leave_behind_is_no_lock() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path();
        fs::write(folder.join(NAME), "1").expect("written");
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
        let lock = folder.join(NAME);
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
