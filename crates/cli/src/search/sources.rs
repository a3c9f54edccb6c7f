//! What is wrong with files as a whole: they cannot be read, or hold no games.

use std::sync::Arc;

use flow::Output;

use crate::failure::Failure;
use crate::visible::visible_name;

/// The sources of a run, as their results come in.
#[derive(Default)]
pub(crate) struct SourceFaults {
    /// The source that the last results came from.
    current: Option<Arc<str>>,
    /// How many games it gave.
    n_games: u64,
    /// It has failed, so that nobody needs to be told that it is empty.
    has_failed: bool,
    /// The first failure. It is held back until something else comes: if it is all that there
    /// is, it ends the run.
    first: Option<String>,
    pub(crate) n_failed: u64,
    /// Sources that could be read, to their end or not.
    pub(crate) n_read: u64,
    n_empty: u64,
}

/// Sources without games that are named one by one.
const EMPTY_NAMED: u64 = 10;

impl SourceFaults {
    /// Takes note of where results come from, before anything is said of them.
    pub(crate) fn begin<R>(&mut self, out: &Output<R>) -> String {
        self.enter(&out.origin.name)
    }

    /// Takes note of a source that is read to its end, and has so many games.
    pub(crate) fn see_whole(&mut self, name: &Arc<str>, n_games: u64) -> String {
        let text = self.enter(name);
        self.n_games += n_games;
        text
    }

    fn enter(&mut self, name: &Arc<str>) -> String {
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

    /// Takes note of the results themselves, and of what follows them.
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
            return format!("{name}: {failure}; the {n} {games} before that were read\n");
        }
        let text = format!("cannot read {name}: {failure}");
        if self.n_failed == 1 && self.n_read == 0 {
            self.first = Some(text);
            return String::new();
        }
        self.held_back() + &text + "\n"
    }

    /// What is to be said of the last source; a failure if it was the only one and gave nothing.
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

    /// The current source is done.
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
                text += &format!("{name}: there are no games in it\n");
            }
        }
        text
    }

    /// The lines that end the report; empty if nothing was wrong.
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
