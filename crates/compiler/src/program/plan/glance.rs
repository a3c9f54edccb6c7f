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
    /// The target itself, if the dash admits every move and the target tries further moves, and
    /// bare positions decide it.
    pub bare: Option<BareCondition>,
}

/// A condition that a bare position decides, though moves may have to be tried on it: the whole
/// question for a mate in several moves is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BareCondition {
    /// The state of the king of the side to move.
    King(KingState),
    /// The side to move.
    Turn(Color),
    /// The condition does not hold.
    Not(Box<BareCondition>),
    /// All conditions hold.
    All(Box<[BareCondition]>),
    /// At least one condition holds.
    Any(Box<[BareCondition]>),
    /// The condition holds after a legal move.
    AfterOne(Box<BareCondition>),
    /// The condition holds after all legal moves.
    AfterAll(Box<BareCondition>),
}

impl BareCondition {
    /// Whether moves are tried.
    pub fn tries_moves(&self) -> bool {
        match self {
            BareCondition::King(_) | BareCondition::Turn(_) => false,
            BareCondition::Not(item) => item.tries_moves(),
            BareCondition::All(items) | BareCondition::Any(items) => {
                items.iter().any(BareCondition::tries_moves)
            }
            BareCondition::AfterOne(_) | BareCondition::AfterAll(_) => true,
        }
    }

    /// Whether the condition holds only if the side to move is in check.
    pub fn asks_for_check(&self) -> bool {
        match self {
            BareCondition::King(KingState::Check | KingState::Mate) => true,
            BareCondition::All(items) => items.iter().any(BareCondition::asks_for_check),
            _ => false,
        }
    }

    /// Whether the condition holds only if the side to move is mated.
    pub fn asks_for_mate(&self) -> bool {
        match self {
            BareCondition::King(state) => *state == KingState::Mate,
            BareCondition::All(items) => items.iter().any(BareCondition::asks_for_mate),
            _ => false,
        }
    }

    /// Whether the condition holds only if every move can be answered by mate.
    pub fn asks_for_mate_against_all(&self) -> bool {
        match self {
            BareCondition::AfterAll(reply) => {
                matches!(&**reply, BareCondition::AfterOne(next) if next.asks_for_mate())
            }
            BareCondition::All(items) => items.iter().any(BareCondition::asks_for_mate_against_all),
            _ => false,
        }
    }
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

    /// Whether the target cannot match unless the side to move is mated.
    pub fn asks_for_mate(&self) -> bool {
        self.king == Some(KingState::Mate)
    }

    /// Whether the target cannot match if this side is to move.
    pub fn excludes_turn(&self, turn: Color) -> bool {
        let mut tests = self.screen.tests.iter();
        tests.any(|test| matches!(test, Test::Turn(wanted) if *wanted != turn))
    }
}
