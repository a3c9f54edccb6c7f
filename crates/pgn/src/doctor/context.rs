//! The state between two games of a file.

use super::gap::Gap;
use crate::values::GameResult;

/// State of a file before a game, as far as it decides how the game is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Context {
    /// The result of the game before, if there is one.
    pub(super) result: Option<GameResult>,
    /// Whether that result is in a variation.
    pub(super) in_variation: bool,
    /// Number of the move that would come next in the game before.
    pub(super) due: Option<i64>,
    /// The white space since the game before, as far as it is known.
    pub(super) gap: Gap,
}

impl Context {
    /// Whether the game before ends within a variation, so that the next one may continue it.
    #[must_use]
    pub fn is_open(self) -> bool {
        self.in_variation
    }

    /// Returns this state for a file in which the game before has been repaired, with the state after
    /// its repair.
    #[must_use]
    pub fn after(self, before: Context) -> Context {
        Context { gap: self.gap, ..before }
    }
}
