//! Decides whether a query is evaluated on further games.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use compiler::program::Program;
use flow::Cancel;

/// State of a query that the workers of a run share. It stops the query for one of two reasons: it
/// takes too many steps on each of the first games, so it would hardly end on others; or enough has
/// been found.
///
/// The first games depend on the input alone, so the point where a query is given up does, too.
#[derive(Debug, Default)]
pub struct QueryRun {
    /// The first games on which the query takes too many steps, one bit each.
    endless: AtomicU32,
    is_ended: AtomicBool,
    has_succeeded: AtomicBool,
    has_failed: AtomicBool,
    cancel: Cancel,
}

/// The reason for giving up a query: it takes too many steps on each of the first games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManySteps;

impl Display for TooManySteps {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(
            "the query takes too many steps on each of the first games; it may never end, or need \
             a greater limit",
        )
    }
}

impl Error for TooManySteps {}

/// Number of first games that decide whether a query takes too many steps.
const N_FIRST: u32 = 10;

/// Bits of all the first games.
const ALL_FIRST: u32 = (1 << N_FIRST) - 1;

impl QueryRun {
    /// Creates the state of a run that `cancel` cancels, also in the middle of a game.
    pub fn new(cancel: &Cancel) -> QueryRun {
        QueryRun { cancel: cancel.clone(), ..QueryRun::default() }
    }

    /// Returns the handle that cancels the run.
    pub(super) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Whether the query takes too many steps on each of the first games.
    pub fn is_endless(&self) -> bool {
        self.endless.load(Ordering::Relaxed) == ALL_FIRST
    }

    /// Checks whether a run goes on after game `number`. A query is given up at the last of the
    /// first games, for any number of threads.
    ///
    /// # Errors
    /// Returns [`TooManySteps`] if the query takes too many steps on each of the first games.
    pub fn check_after(&self, program: &Program, number: u64) -> Result<(), TooManySteps> {
        if self.is_endless() && number >= QueryRun::last_of_first(program) {
            Err(TooManySteps)
        } else {
            Ok(())
        }
    }

    /// Returns the number of the last of the first games, which decide whether a program is given
    /// up.
    pub fn last_of_first(program: &Program) -> u64 {
        let (first, _) = program.game_numbers();
        first.saturating_add(u64::from(N_FIRST) - 1)
    }

    /// Ends the evaluation: further games are not needed.
    pub fn end(&self) {
        self.is_ended.store(true, Ordering::Relaxed);
    }

    /// Whether the query failed on all games on which it was evaluated, one or more. An exceeded
    /// limit does not count as a failure.
    pub fn has_only_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) && !self.has_succeeded.load(Ordering::Relaxed)
    }

    /// Whether further games are not evaluated.
    pub(super) fn is_over(&self) -> bool {
        self.is_endless() || self.is_ended.load(Ordering::Relaxed)
    }

    /// Records that the query could be evaluated on a game.
    pub(super) fn succeed(&self) {
        note(&self.has_succeeded);
    }

    /// Records that the query failed on a game, because it cannot be evaluated there.
    pub(super) fn fail(&self) {
        note(&self.has_failed);
    }

    /// Records that the query takes too many steps on game `index`, counted from 0.
    pub(super) fn exceed(&self, index: u64) {
        if index < u64::from(N_FIRST) {
            self.endless.fetch_or(1 << index, Ordering::Relaxed);
        }
    }
}

fn note(fact: &AtomicBool) {
    // The fact is nearly always known, and then a load alone avoids contention between processors.
    if !fact.load(Ordering::Relaxed) {
        fact.store(true, Ordering::Relaxed);
    }
}
