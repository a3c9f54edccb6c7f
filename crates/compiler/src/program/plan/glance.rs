//! What is told of the target behind a move that is tried from the bare position there, before
//! anything is made ready to evaluate filters in it.

use board::Color;

use super::screen::{Screen, Test};

/// Necessary conditions of a target that is evaluated in an imagined position.
#[derive(Debug, Clone)]
pub struct Glance {
    /// Conditions on the board and the side to move.
    pub screen: Screen,
    /// What must be the matter with the king of the side to move.
    pub king: Option<KingState>,
    /// The target matches wherever all this holds.
    pub is_exact: bool,
}

/// What may be the matter with the king of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KingState {
    /// It is in check.
    Check,
    /// It is mated.
    Mate,
    /// It is not in check, and there is no move.
    Stalemate,
}

impl Glance {
    /// Whether the target cannot match where the side to move is not in check.
    pub fn asks_for_check(&self) -> bool {
        matches!(self.king, Some(KingState::Check | KingState::Mate))
    }

    /// Whether the target cannot match where this side is to move.
    pub fn excludes_turn(&self, turn: Color) -> bool {
        let mut tests = self.screen.tests.iter();
        tests.any(|test| matches!(test, Test::Turn(wanted) if *wanted != turn))
    }
}
