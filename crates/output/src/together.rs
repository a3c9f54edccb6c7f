//! Files that belong together and appear together.
//!
//! Each file waits under a temporary name, complete and closed, so that their number is not
//! limited. When all are complete, they get their names one after the other. A full disk can no
//! longer interrupt that, and a signal waits for its end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::{PathPersistError, TempPath};

use crate::{directory, unfinished};

/// Complete file that waits for the others.
pub struct Held {
    /// Temporary name of the file; `None` if it had its name from the beginning.
    temporary: Option<TempPath>,
    target: PathBuf,
    make_directories: bool,
}

impl Held {
    pub(crate) fn new(
        temporary: Option<TempPath>,
        target: PathBuf,
        make_directories: bool,
    ) -> Held {
        Held { temporary, target, make_directories }
    }

    /// Gives the file its name, replacing another. `is_put` receives the temporary name it had.
    fn put(&mut self, is_put: &mut dyn FnMut(&Path)) -> io::Result<()> {
        self.put_by(TempPath::persist, is_put)
    }

    /// Gives the file its name unless another file has it.
    pub(crate) fn put_new(&mut self, is_put: &mut dyn FnMut(&Path)) -> io::Result<()> {
        self.put_by(TempPath::persist_noclobber, is_put)
    }

    fn put_by(
        &mut self,
        persist: fn(TempPath, PathBuf) -> Result<(), PathPersistError>,
        is_put: &mut dyn FnMut(&Path),
    ) -> io::Result<()> {
        let Some(temporary) = self.temporary.take() else {
            return Ok(());
        };
        if self.make_directories {
            fs::create_dir_all(directory(&self.target))?;
        }
        let name = temporary.to_path_buf();
        persist(temporary, self.target.clone()).map_err(|error| {
            self.temporary = Some(error.path);
            error.error
        })?;
        is_put(&name);
        Ok(())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            unfinished::forget(temporary);
        }
    }
}

/// Gives all files their names and returns the number of files.
///
/// # Errors
/// A file cannot get its name. The message tells how many others have theirs already.
pub fn put_together(mut files: Vec<Held>) -> io::Result<usize> {
    let n_files = files.len();
    unfinished::put(|is_put| {
        for (n_written, file) in files.iter_mut().enumerate() {
            file.put(is_put).map_err(|error| {
                let name = file.target.display();
                let message = format!(
                    "{name}: {error}; {n_written} of {n_files} files were written and are complete"
                );
                io::Error::new(error.kind(), message)
            })?;
        }
        Ok(n_files)
    })
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::{NewFile, Originals, Replace, Rules};

    fn hold(target: &Path, text: &str) -> io::Result<Held> {
        let originals = Originals::default();
        let rules =
            Rules { make_directories: true, ..Rules::new(Replace::Results(None), &originals) };
        let mut file = NewFile::create(target, rules)?;
        file.write_all(text.as_bytes())?;
        file.hold()
    }

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn all_appear_or_none() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::write(at("b.pgn"), "[Event \"old\"]").expect("written");
        let held = ["a.pgn", "b.pgn", "new/c.pgn"].map(|name| hold(&at(name), name));
        let held: Vec<Held> = held.map(|held| held.expect("complete")).into();
        let visible = |names: Vec<String>| -> Vec<String> {
            let seen = names.into_iter().filter(|name| !name.starts_with('.'));
            seen.collect()
        };
        assert_eq!(visible(names(dir.path())), ["b.pgn"]);
        assert_eq!(put_together(held).expect("put"), 3);
        assert_eq!(names(dir.path()), ["a.pgn", "b.pgn", "new"]);
        assert_eq!(fs::read(at("b.pgn")).expect("read"), b"b.pgn");
        assert_eq!(fs::read(at("new/c.pgn")).expect("read"), b"new/c.pgn");
    }

    #[test]
    fn nothing_is_left_of_those_that_are_given_up() {
        let dir = tempfile::tempdir().expect("a directory");
        let held = hold(&dir.path().join("new/a.pgn"), "a").expect("complete");
        assert_eq!(names(dir.path()).len(), 1);
        drop(held);
        assert!(names(dir.path()).is_empty());
    }

    #[test]
    fn the_first_one_stays() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("job.json");
        let finish = |text: &str| {
            let none = Originals::default();
            let rules = Rules::new(Replace::Anything, &none);
            let mut file = NewFile::create(&target, rules).expect("created");
            file.write_all(text.as_bytes()).expect("written");
            file.finish_new().expect("complete")
        };
        assert_eq!([finish("a"), finish("b")], [true, false]);
        assert_eq!(fs::read(&target).expect("read"), b"a");
        assert_eq!(names(dir.path()), ["job.json"]);
    }

    #[test]
    fn a_message_says_which_are_there() {
        let dir = tempfile::tempdir().expect("a directory");
        let held = ["a.pgn", "b.pgn", "c.pgn"].map(|name| hold(&dir.path().join(name), name));
        let held: Vec<Held> = held.map(|held| held.expect("complete")).into();
        // Another process creates a directory of this name meanwhile.
        fs::create_dir(dir.path().join("b.pgn")).expect("made");
        let error = put_together(held).expect_err("no file").to_string();
        assert!(error.contains("1 of 3 files were written"), "{error}");
        assert_eq!(names(dir.path()), ["a.pgn", "b.pgn"]);
    }
}
