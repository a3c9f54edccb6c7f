//! The files that a run reads. No output of the run may replace one of them.

use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::{Error, ReadAs};
use super::identity::{Identity, is_hard_link};

/// The files that a run reads, whatever their names, including the file of standard input and those
/// found in directories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Originals {
    /// Existing files, each with one of its names.
    files: HashMap<Identity, PathBuf>,
    /// Files in directories that are not read because the run writes them.
    left_out: HashSet<Identity>,
    /// Addresses, and names of missing files whose text is stored elsewhere.
    names: HashSet<PathBuf>,
}

/// Name of standard input in messages.
const STDIN: &str = "standard input";

impl Originals {
    /// Creates the set from existing files, each with one of its names.
    pub(crate) fn of(files: HashMap<Identity, PathBuf>) -> Originals {
        Originals { files, ..Originals::default() }
    }

    /// Adds a file or address. A missing file is not added.
    pub fn add(&mut self, path: &Path) {
        if remote::is_address(path) {
            self.names.insert(path.to_owned());
        } else if let Some(identity) = file(path) {
            self.add_file(identity, path);
        }
    }

    /// Adds all files in a folder, such as those of an archive.
    pub fn add_folder(&mut self, folder: &Path) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.for_each(|entry| self.add(&entry.path()));
    }

    /// Adds a missing file whose text is stored elsewhere, so that no output creates it.
    pub(crate) fn add_absent(&mut self, path: &Path) {
        self.names.insert(full(path));
    }

    pub(crate) fn add_file(&mut self, identity: Identity, path: &Path) {
        let name = || path.to_owned();
        self.files.entry(identity).or_insert_with(name);
    }

    /// Adds the file of standard input, if it is one.
    pub fn add_stdin(&mut self) {
        if let Some(identity) = Identity::of_stream(&io::stdin()) {
            self.add_file(identity, Path::new(STDIN));
        }
    }

    /// Removes a file of a directory that is not read because the run writes it.
    pub(crate) fn leave_out(&mut self, path: &Path) {
        if let Some(identity) = file(path) {
            self.files.remove(&identity);
            self.left_out.insert(identity);
        }
    }

    /// Whether a target is among the files to read but was skipped for being an output. It should
    /// be an older output.
    #[must_use]
    pub fn leaves_out(&self, target: &Path) -> bool {
        !self.left_out.is_empty()
            && file(target).is_some_and(|identity| self.left_out.contains(&identity))
    }

    /// Adds all files of another set.
    pub fn append(&mut self, others: Originals) {
        for (identity, path) in others.files {
            self.add_file(identity, &path);
        }
        self.left_out.extend(others.left_out);
        self.names.extend(others.names);
    }

    /// Fails if the target is a file that is read, whether by another name, through a link, or as a
    /// hard link.
    ///
    /// # Errors
    /// The target is one of these files.
    pub fn refuse(&self, target: &Path) -> Result<(), Error> {
        let refused = |read| Err(Error::Overwrites { target: target.to_owned(), read });
        if remote::is_address(target) {
            return if self.names.contains(target) { refused(ReadAs::Itself) } else { Ok(()) };
        }
        if let Some(read) = file(target).and_then(|identity| self.files.get(&identity)) {
            return refused(match () {
                () if read == Path::new(STDIN) => ReadAs::Stdin,
                () if is_hard_link(read, target) => ReadAs::HardLink(read.clone()),
                () => ReadAs::Itself,
            });
        }
        if !self.names.is_empty() && self.names.contains(&full(target)) {
            refused(ReadAs::Archived)
        } else {
            Ok(())
        }
    }

    /// Fails if standard output is a file that is read. The run would never end, or the shell has
    /// already emptied the file.
    ///
    /// # Errors
    /// Standard output is one of these files.
    pub fn refuse_stdout(&self) -> Result<(), Error> {
        let identity = Identity::of_stream(&io::stdout());
        match identity.and_then(|identity| self.files.get(&identity)) {
            None => Ok(()),
            Some(read) => Err(Error::OverwritesByStdout(read.clone())),
        }
    }
}

/// Returns the identity of an ordinary file. Pipes and devices hold nothing that could be lost.
fn file(path: &Path) -> Option<Identity> {
    let metadata = fs::metadata(path).ok()?;
    Identity::of(path, &metadata).filter(|_| metadata.is_file())
}

/// Returns a normalized path for a file that may be missing.
fn full(path: &Path) -> PathBuf {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_owned());
    let name = path.file_name().map_or_else(OsString::new, OsString::from);
    parent.join(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Inputs, ReadOptions};
    use flow::Cancel;

    fn of(names: &[&Path], outputs: &[&Path]) -> Originals {
        let names: Vec<PathBuf> = names.iter().map(|name| name.to_path_buf()).collect();
        let outputs = outputs.iter().copied();
        let inputs = Inputs::find(&names, ReadOptions::default(), outputs, &Cancel::default());
        inputs.expect("not cancelled").originals()
    }

    #[test]
    fn what_is_read_is_kept_by_any_name() {
        let dir = tempfile::tempdir().expect("a directory");
        let at = |name: &str| dir.path().join(name);
        fs::create_dir(at("games")).expect("made");
        for name in ["a.pgn", "games/b.pgn", "games/c.pgn", "other.pgn"] {
            fs::write(at(name), "[Event \"x\"]\n\n*\n").expect("written");
        }
        let (a, games) = (at("a.pgn"), at("games"));
        let read = of(&[&a, &games], &[]);
        let is_kept = |read: &Originals, name: &str| read.refuse(&at(name)).is_err();
        for name in ["a.pgn", "games/../a.pgn", "games/b.pgn", "games/c.pgn"] {
            assert!(is_kept(&read, name), "{name}");
        }
        assert!(!is_kept(&read, "other.pgn") && !is_kept(&read, "new.pgn"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("games/b.pgn"), at("link.pgn")).expect("linked");
            assert!(is_kept(&read, "link.pgn"));
        }
        fs::hard_link(at("a.pgn"), at("hard.pgn")).expect("linked");
        if cfg!(unix) {
            let error = read.refuse(&at("hard.pgn")).expect_err("kept").to_string();
            assert!(error.contains("a hard link to"), "{error}");
        }
        // In a directory the output is an older result, unless it is also named.
        let out = at("games/c.pgn");
        let read = of(&[&games], &[&out]);
        assert!(!is_kept(&read, "games/c.pgn") && read.leaves_out(&out));
        assert!(!read.leaves_out(&at("games/b.pgn")));
        assert!(is_kept(&of(&[&games], &[&out]), "games/b.pgn"));
        assert!(is_kept(&of(&[&games, &out], &[&out]), "games/c.pgn"));
        assert!(is_kept(&of(&[&out, &games], &[&out]), "games/c.pgn"));
    }

    #[test]
    fn what_is_not_there_is_kept_by_its_place() {
        let dir = tempfile::tempdir().expect("a directory");
        let mut read = Originals::default();
        read.add_absent(&dir.path().join("gone.pgn"));
        read.add(&dir.path().join("nothing.pgn"));
        read.add(Path::new("s3://games/a.pgn"));
        assert!(read.refuse(&dir.path().join("./gone.pgn")).is_err());
        assert!(read.refuse(&dir.path().join("nothing.pgn")).is_ok());
        assert!(read.refuse(Path::new("s3://games/a.pgn")).is_err());
        assert!(read.refuse(Path::new("s3://games/b.pgn")).is_ok());
    }
}
