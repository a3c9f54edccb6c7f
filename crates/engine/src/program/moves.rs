//! What is asked of moves, played and legal ones.

use syntax::tree::LegalTarget;

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
}

/// `move …`.
pub(crate) type MoveFilter = syntax::tree::MoveFilter<SetId, BoolId>;
