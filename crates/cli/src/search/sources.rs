//! Reports inputs that cannot be read or contain no games.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flow::{FaultKind, GameFault, Output};
use syntax::parse::nearest;
use table::counted;

use crate::failure::Failure;
use crate::visible::visible_name;

/// Tracks the sources of a run while their results arrive.
#[derive(Default)]
pub(crate) struct SourceFaults {
    /// Source of the last results.
    current: Option<Arc<str>>,
    /// Number of games read from it.
    n_games: u64,
    /// Whether it has failed; then it is not also reported as empty.
    has_failed: bool,
    /// Message of the first failure, held back until another source is read or fails. If it is the
    /// only one, it becomes the error of the run.
    first: Option<String>,
    pub(crate) n_failed: u64,
    /// Number of those sources of which nothing could be read.
    n_unread: u64,
    /// Number of sources that could be read, at least in part.
    pub(crate) n_read: u64,
    n_empty: u64,
    /// Whether the source has bytes that are not UTF-8, and the number of such sources.
    is_not_utf8: bool,
    n_not_utf8: u64,
    /// Number of games of all sources, and of those that were left out.
    n_all: u64,
    n_left_out: u64,
    /// Whether these are some of the games of a run. Then all of them may be left out: the run has
    /// others.
    is_part: bool,
}

/// Number of files of a folder among which a misspelt name is looked for.
const MOST_FILES: usize = 10_000;

/// Number of sources without games, and of those that are not in UTF-8, that are reported one by one.
const MOST_NAMED: u64 = 10;

impl SourceFaults {
    /// Creates the tracker of a run, or of a part of one, which has other games.
    pub(crate) fn of_part(is_part: bool) -> SourceFaults {
        SourceFaults { is_part, ..SourceFaults::default() }
    }

    /// Records the source of a chunk, before anything is reported about its games. Returns the
    /// lines to print about earlier sources.
    pub(crate) fn begin<R>(&mut self, out: &Output<R>) -> String {
        let name = &out.origin.name;
        let is_new = match &self.current {
            Some(current) => !Arc::ptr_eq(current, name),
            None => true,
        };
        if !is_new {
            return String::new();
        }
        let text = self.leave();
        self.current = Some(name.clone());
        self.n_games = 0;
        (self.has_failed, self.is_not_utf8) = (false, false);
        text
    }

    /// Records the number of games of a chunk and the failure after them, if any. Returns the lines
    /// to print about the failure.
    pub(crate) fn end<R>(&mut self, out: &Output<R>) -> String {
        self.is_not_utf8 |= out.is_not_utf8;
        self.n_games += out.n_games;
        self.n_all += out.n_games;
        let is_left_out =
            |fault: &GameFault| matches!(fault.kind, FaultKind::Skipped | FaultKind::Variant);
        let games = out.faults.chunk_by(|a, b| a.number == b.number);
        let left_out = games.filter(|faults| faults.iter().any(is_left_out));
        self.n_left_out += left_out.count() as u64;
        let Some(failure) = &out.failure else {
            return String::new();
        };
        self.has_failed = true;
        self.n_failed += 1;
        let name = visible_name(&out.origin.name);
        if self.n_games > 0 {
            let games = counted(self.n_games, "game");
            return format!("{name}: {failure}; read the {games} before that\n");
        }
        self.n_unread += 1;
        let near = near_file(&out.origin.name);
        let text = format!("cannot read {name}: {failure}{near}");
        if self.n_failed == 1 && self.n_read == 0 {
            self.first = Some(text);
            return String::new();
        }
        self.held_back() + &text + "\n"
    }

    /// Ends the last source. Returns the lines to print about it. Fails if no source or no game could
    /// be read: a result without games would look like one, and may replace an earlier one.
    pub(crate) fn finish(&mut self) -> Result<String, Failure> {
        let text = self.leave();
        if self.n_all > 0 && self.n_left_out == self.n_all && !self.is_part {
            tell!("{text}");
            let games = counted(self.n_all, "game");
            return Err(Failure::Message(format!(
                "none of {games} could be searched: nothing is written"
            )));
        }
        if self.n_read > 0 || self.n_failed == 0 {
            return Ok(text);
        }
        Err(Failure::Message(match self.first.take() {
            Some(first) => first,
            None => {
                tell!("{text}");
                "none of the inputs can be read".to_owned()
            }
        }))
    }

    /// Returns the number of games that were left out.
    pub(crate) fn n_left_out(&self) -> u64 {
        self.n_left_out
    }

    fn held_back(&mut self) -> String {
        let first = self.first.take();
        first.map_or_else(String::new, |first| first + "\n")
    }

    /// Ends the current source. Returns the lines to print about it.
    fn leave(&mut self) -> String {
        let Some(name) = self.current.take() else {
            return String::new();
        };
        if self.has_failed && self.n_games == 0 {
            return String::new();
        }
        self.n_read += 1;
        let mut text = self.held_back();
        if self.is_not_utf8 {
            self.n_not_utf8 += 1;
            if self.n_not_utf8 <= MOST_NAMED {
                let (name, what) = (visible_name(&name), babson::NOT_UTF8);
                text += &format!("{name}: {what}; --encoding NAME sets another encoding\n");
            }
        }
        if self.n_games == 0 {
            self.n_empty += 1;
            if self.n_empty <= MOST_NAMED {
                let name = visible_name(&name);
                text += &format!("{name}: contains no games\n");
            }
        }
        text
    }

    /// Returns the final lines of the report; empty if there were no problems.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::new();
        for (n, what) in [(self.n_empty, "without games"), (self.n_not_utf8, "not in UTF-8")] {
            if n > MOST_NAMED {
                text += &format!("and {} more files {what}\n", n - MOST_NAMED);
            }
        }
        // A single one is the error with which the run ends.
        if self.n_unread > 0 && (self.n_unread > 1 || self.n_read > 0) {
            text += &format!("files that cannot be read: {}\n", self.n_unread);
        }
        if self.n_failed > self.n_unread {
            text += &format!("files not read to their end: {}\n", self.n_failed - self.n_unread);
        }
        text
    }
}
/// Returns the end of a message about a file that does not exist: the nearest name in its folder.
fn near_file(name: &str) -> String {
    let path = Path::new(name);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Short names are near to any other.
    let is_long = path.file_stem().is_some_and(|stem| stem.len() > 3);
    let word = path.file_name().and_then(OsStr::to_str).filter(|_| is_long && !path.exists());
    let files = || fs::read_dir(folder.unwrap_or(Path::new(".")));
    let (Some(word), Ok(files)) = (word, files()) else {
        return String::new();
    };
    let names =
        files.flatten().take(MOST_FILES).filter_map(|file| file.file_name().into_string().ok());
    let names: Vec<String> = names.collect();
    let near = nearest(word, names.iter().map(String::as_str));
    near.map_or_else(String::new, |near| {
        let near = folder.map_or_else(|| PathBuf::from(near), |folder| folder.join(near));
        format!("; did you mean {}?", visible_name(&near.display().to_string()))
    })
}
