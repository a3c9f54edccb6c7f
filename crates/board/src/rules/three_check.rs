//! Three-check: the normal game, in which the third check wins, too. Five-check needs five checks.

use super::kind::{Ending, Extra, winner};
use super::situation::Situation;

/// Counts the check that the last move gave.
pub(super) fn count(next: &mut Situation) {
    if next.position.is_check() {
        let left = &mut next.extra.checks_left[(!next.position.turn).index()];
        *left = left.saturating_sub(1);
    }
}

pub(super) fn goal(extra: &Extra) -> Option<Ending> {
    winner(|color| extra.checks_left[color.index()] == 0)
}
