//! What is asked of moves, played and legal ones.

use syntax::Span;
use syntax::tree::{LegalTarget, Unplayed};

use super::id::{BoolId, DashId, SetId, TextId};

/// A promotion operand.
pub(crate) type Promotion = syntax::tree::Promotion<TextId>;

/// A dash without its target's value.
#[derive(Debug, Clone)]
pub(crate) struct Dash {
    pub(crate) capture: bool,
    pub(crate) left: Option<SetId>,
    pub(crate) right: Option<SetId>,
    pub(crate) promotion: Option<Promotion>,
    /// What must match after the move (without the last filter where its value is wanted).
    pub(crate) target: Option<BoolId>,
    /// The target cannot match where the side to move is not in check, and nothing is noticed of
    /// its not being evaluated there.
    pub(crate) asks_for_check: bool,
}

/// `legal`, `pseudolegal` with a target that is evaluated behind every such move, `reverse` with
/// one that is evaluated before it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tried {
    pub(crate) moves: Unplayed,
    /// The target must match behind all moves.
    pub(crate) all: bool,
    pub(crate) dash: DashId,
    pub(crate) span: Span,
}

/// `legal`, `pseudolegal`.
#[derive(Debug, Clone)]
pub(crate) struct LegalDash {
    pub(crate) pseudo: bool,
    pub(crate) left: Option<SetId>,
    pub(crate) right: Option<SetId>,
    pub(crate) target: Option<LegalTarget>,
    /// Counting may stop there: the number is only compared with a smaller one.
    pub(crate) limit: u32,
}

/// What `countmoves` counts.
#[derive(Debug, Clone)]
pub(crate) enum Countable {
    Played(DashId),
    PlayedFromParent(DashId),
    Legal(Box<LegalDash>),
    Tried(Tried),
}

/// `move …`.
pub(crate) type MoveFilter = syntax::tree::MoveFilter<SetId, BoolId>;
