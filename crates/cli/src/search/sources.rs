//! Reports inputs that cannot be read or contain no games.

use std::sync::Arc;

use flow::Output;

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
    /// Number of sources that could be read, at least in part.
    pub(crate) n_read: u64,
    n_empty: u64,
}

/// Number of sources without games that are reported one by one.
const EMPTY_NAMED: u64 = 10;

impl SourceFaults {
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
        self.has_failed = false;
        text
    }

    /// Records the number of games of a chunk and the failure after them, if any. Returns the lines
    /// to print about the failure.
    pub(crate) fn end<R>(&mut self, out: &Output<R>) -> String {
        self.n_games += out.n_games;
        let Some(failure) = &out.failure else {
            return String::new();
        };
        self.has_failed = true;
        self.n_failed += 1;
        let name = visible_name(&out.origin.name);
        if self.n_games > 0 {
            let n = self.n_games;
            let games = if n == 1 { "game" } else { "games" };
            return format!("{name}: {failure}; read the {n} {games} before that\n");
        }
        let text = format!("cannot read {name}: {failure}");
        if self.n_failed == 1 && self.n_read == 0 {
            self.first = Some(text);
            return String::new();
        }
        self.held_back() + &text + "\n"
    }

    /// Ends the last source. Returns the lines to print about it; fails if no source could be read.
    pub(crate) fn finish(&mut self) -> Result<String, Failure> {
        let text = self.leave();
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
        if self.n_games == 0 {
            self.n_empty += 1;
            if self.n_empty <= EMPTY_NAMED {
                let name = visible_name(&name);
                text += &format!("{name}: contains no games\n");
            }
        }
        text
    }

    /// Returns the final lines of the report; empty if there were no problems.
    pub(crate) fn summary(&self) -> String {
        let mut text = String::new();
        if self.n_empty > EMPTY_NAMED {
            let more = self.n_empty - EMPTY_NAMED;
            text += &format!("and {more} more files without games\n");
        }
        if self.n_failed > 0 {
            text += &format!("files not read to their end: {}\n", self.n_failed);
        }
        text
    }
}
