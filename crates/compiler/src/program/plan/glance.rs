//! Tests of the target of a tried move on the bare position after it, before anything is prepared
//! to evaluate filters there.

use board::Color;

use super::screen::{PositionScreen, Test};

/// Necessary conditions of a target that is evaluated in an imagined position.
#[derive(Debug, Clone)]
pub struct TrialPrefilter {
    /// Conditions on the board and the side to move.
    pub screen: PositionScreen,
    /// State in which the king of the side to move must be.
    pub king: Option<KingState>,
    /// Whether the target matches wherever all these conditions hold.
    pub is_exact: bool,
}

/// State of the king of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KingState {
    /// It is in check.
    Check,
    /// It is mated.
    Mate,
    /// It is not in check, and there is no move.
    Stalemate,
}

impl TrialPrefilter {
    /// Whether the target cannot match unless the side to move is in check.
    pub fn asks_for_check(&self) -> bool {
        matches!(self.king, Some(KingState::Check | KingState::Mate))
    }

    /// Whether the target cannot match if this side is to move.
    pub fn excludes_turn(&self, turn: Color) -> bool {
        let mut tests = self.screen.tests.iter();
        tests.any(|test| matches!(test, Test::Turn(wanted) if *wanted != turn))
    }
}
