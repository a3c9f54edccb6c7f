//! When nothing more is to be expected of a query.

use std::sync::atomic::{AtomicU32, Ordering};

/// Whether it makes sense to go on: not when the query takes too many steps on each of the first
/// games, for then it will not end on others either, and not when enough was found. Shared by the
/// workers of a run.
///
/// Which games are the first depends on the input alone, so the end of a run does, too.
#[derive(Debug, Default)]
pub struct Hope(AtomicU32);

impl Hope {
    /// So many games decide.
    const N_GAMES: u32 = 10;

    /// All of them.
    const LOST: u32 = (1 << Hope::N_GAMES) - 1;

    /// Enough was found.
    const SATISFIED: u32 = 1 << Hope::N_GAMES;

    /// The query could be evaluated on a game.
    pub(super) const SUCCEEDED: u32 = 2 << Hope::N_GAMES;

    /// The query failed on a game: what it says cannot be evaluated there.
    pub(super) const FAILED: u32 = 4 << Hope::N_GAMES;

    /// Whether there is none.
    pub fn is_lost(&self) -> bool {
        self.0.load(Ordering::Relaxed) & Hope::LOST == Hope::LOST
    }

    /// Says that what further games come to is of no interest: they are not evaluated.
    pub fn satisfy(&self) {
        self.0.fetch_or(Hope::SATISFIED, Ordering::Relaxed);
    }

    /// Whether the query failed on all games that it was evaluated on, one or more. Limits do not
    /// count as failures.
    pub fn has_only_failed(&self) -> bool {
        let ended = self.0.load(Ordering::Relaxed) & (Hope::SUCCEEDED | Hope::FAILED);
        ended == Hope::FAILED
    }

    /// Notes how evaluating the query on a game ended.
    pub(super) fn note(&self, end: u32) {
        // nearly always known, and then nothing is to be shared between processors
        if self.0.load(Ordering::Relaxed) & end == 0 {
            self.0.fetch_or(end, Ordering::Relaxed);
        }
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_lost() || self.0.load(Ordering::Relaxed) & Hope::SATISFIED != 0
    }

    /// Notes that game `index`, from 0, takes too many steps.
    pub(super) fn lose(&self, index: u64) {
        if index < u64::from(Hope::N_GAMES) {
            self.0.fetch_or(1 << index, Ordering::Relaxed);
        }
    }
}
