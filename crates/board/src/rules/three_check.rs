//! Three-check: the normal game, in which the third check wins, too. Five-check needs five checks.

use super::{Ending, Extra, Rules, Situation, winner};

/// Number of checks that win.
pub(super) const fn checks_that_win(rules: Rules) -> u8 {
    match rules {
        Rules::FiveCheck => 5,
        _ => 3,
    }
}

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
