//! Tells when results are to be passed on, although their chunk is not finished.

use std::time::{Duration, Instant};

/// Longest time in which results of a slow query wait for the rest of their chunk.
pub(super) const PATIENCE: Duration = Duration::from_millis(200);

/// Time below which games are quick: the clock is not read after each of them.
const QUICK: Duration = Duration::from_millis(1);

/// Number of games after which the clock is not read, if those before were quick.
const UNTIMED: u32 = 63;

/// The clock of a chunk.
pub(super) struct Pace {
    times: Option<Times>,
}

struct Times {
    patience: Duration,
    /// When results were passed on last.
    passed: Instant,
    /// When the clock was read last.
    read: Instant,
    /// Number of games until it is read again.
    untimed: u32,
}

impl Pace {
    /// Starts the clock; without a patience, results are never due.
    pub(super) fn new(patience: Option<Duration>) -> Pace {
        let times = patience.map(|patience| {
            let now = Instant::now();
            Times { patience, passed: now, read: now, untimed: 0 }
        });
        Pace { times }
    }

    /// Whether the results are to be passed on after this game.
    pub(super) fn is_due(&mut self) -> bool {
        let Some(times) = &mut self.times else {
            return false;
        };
        if times.untimed > 0 {
            times.untimed -= 1;
            return false;
        }
        let now = Instant::now();
        times.untimed = if now - times.read < QUICK { UNTIMED } else { 0 };
        times.read = now;
        let is_due = now - times.passed >= times.patience;
        if is_due {
            times.passed = now;
        }
        is_due
    }
}
