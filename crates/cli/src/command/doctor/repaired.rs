//! The file in which everything is put right.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::command::games::Window;
use crate::failure::{Failure, context};
use crate::output::{NewFile, Rules};

/// A new file that takes what there is from the old ones, in order, but for what is replaced.
pub(super) struct Repaired {
    file: NewFile,
    target: PathBuf,
    /// Where in the old file the part begins that is not in the new one yet.
    copied: u64,
    /// What was written last must not touch what follows, be it a result or a tag.
    needs_space: bool,
    is_empty: bool,
}

impl Repaired {
    pub(super) fn create(target: &Path, rules: Rules<'_>) -> Result<Repaired, Failure> {
        let file = NewFile::create(target, rules)
            .map_err(|error| context(format!("cannot write {}", target.display()), &error))?;
        Ok(Repaired {
            file,
            target: target.to_owned(),
            copied: 0,
            needs_space: false,
            is_empty: true,
        })
    }

    /// What follows comes from another file.
    pub(super) fn begin(&mut self) -> Result<(), Failure> {
        self.copied = 0;
        match self.is_empty {
            true => Ok(()),
            false => self.write(b"\n\n"),
        }
    }

    /// Copies what comes before a place and is not in the new file yet.
    pub(super) fn copy_to(&mut self, window: &Window, end: u64) -> Result<(), Failure> {
        if self.copied == 0 && !self.is_empty && window.get(0, 3) == b"\xef\xbb\xbf" {
            // A byte order mark means something only where a file begins.
            self.copied = 3;
        }
        if self.copied < end {
            let bytes = window.get(self.copied, end);
            self.copied = end;
            self.write(bytes)?;
        }
        Ok(())
    }

    /// Puts a text in place of what was there up to `end`.
    pub(super) fn replace(&mut self, text: &[u8], end: u64) -> Result<(), Failure> {
        self.write(text)?;
        self.needs_space = !text.ends_with(b"\n");
        self.copied = end;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let Some(first) = bytes.first() else {
            return Ok(());
        };
        let separator: &[u8] = match self.needs_space && !first.is_ascii_whitespace() {
            true => b"\n",
            false => b"",
        };
        self.needs_space = false;
        self.is_empty = false;
        self.file
            .write_all(separator)
            .and_then(|()| self.file.write_all(bytes))
            .map_err(|error| cannot_write(&self.target, &error))
    }

    /// Puts the new file in its place, and says where.
    pub(super) fn finish(self) -> Result<PathBuf, Failure> {
        self.file
            .finish()
            .map_err(|error| cannot_write(&self.target, &error))?;
        Ok(self.target)
    }
}

fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    context(format!("cannot write {}", target.display()), error)
}
