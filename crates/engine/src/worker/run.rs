//! Whether a query is still to be evaluated.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use compiler::program::Program;

/// How a query fares in a run, which its workers tell each other: not to go on when it takes too
/// many steps on each of the first games, for then it will not end on others either, and not when
/// enough was found.
///
/// Which games are the first depends on the input alone, so the end of a run does, too.
#[derive(Debug, Default)]
pub struct QueryRun {
    /// The first games, a bit for each, on which it takes too many steps.
    endless: AtomicU32,
    is_ended: AtomicBool,
    has_succeeded: AtomicBool,
    has_failed: AtomicBool,
}

/// Why a query is given up: it takes too many steps on each of the first games.
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

/// So many games decide whether a query takes too many steps.
const N_FIRST: u32 = 10;

/// All of them.
const ALL_FIRST: u32 = (1 << N_FIRST) - 1;

impl QueryRun {
    /// Whether the query takes too many steps on each of the first games.
    pub fn is_endless(&self) -> bool {
        self.endless.load(Ordering::Relaxed) == ALL_FIRST
    }

    /// Whether a run goes on after game `number`. A query is given up where the last of the first
    /// games stands, which is the same place whatever the number of threads.
    ///
    /// # Errors
    /// [`TooManySteps`] if the query takes too many steps on each of the first games.
    pub fn check_after(&self, program: &Program, number: u64) -> Result<(), TooManySteps> {
        match self.is_endless() && number >= QueryRun::last_of_first(program) {
            true => Err(TooManySteps),
            false => Ok(()),
        }
    }

    /// The number of the last of the games that decide whether a program is given up.
    pub fn last_of_first(program: &Program) -> u64 {
        let (first, _) = program.game_numbers();
        first.saturating_add(u64::from(N_FIRST) - 1)
    }

    /// Says that what further games come to is of no interest: they are not evaluated.
    pub fn end(&self) {
        self.is_ended.store(true, Ordering::Relaxed);
    }

    /// Whether the query failed on all games that it was evaluated on, one or more. Limits do not
    /// count as failures.
    pub fn has_only_failed(&self) -> bool {
        self.has_failed.load(Ordering::Relaxed) && !self.has_succeeded.load(Ordering::Relaxed)
    }

    /// Whether further games are not evaluated.
    pub(super) fn is_over(&self) -> bool {
        self.is_endless() || self.is_ended.load(Ordering::Relaxed)
    }

    /// Notes that the query could be evaluated on a game.
    pub(super) fn succeed(&self) {
        note(&self.has_succeeded);
    }

    /// Notes that the query failed on a game: what it says cannot be evaluated there.
    pub(super) fn fail(&self) {
        note(&self.has_failed);
    }

    /// Notes that the query takes too many steps on game `index`, from 0.
    pub(super) fn exceed(&self, index: u64) {
        if index < u64::from(N_FIRST) {
            self.endless.fetch_or(1 << index, Ordering::Relaxed);
        }
    }
}

fn note(fact: &AtomicBool) {
    // Nearly always known, and then nothing is to be shared between processors.
    if !fact.load(Ordering::Relaxed) {
        fact.store(true, Ordering::Relaxed);
    }
}
