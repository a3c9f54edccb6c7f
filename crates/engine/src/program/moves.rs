//! What is asked of moves, played and legal ones.

use syntax::tree::{LegalTarget, MoveMode, MoveValue};

use super::id::{BoolId, DashId, SetId, TextId};

/// A promotion operand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Promotion {
    Any,
    /// Bit 0 pawn … bit 5 king.
    Roles(u8),
    /// Evaluated before the move.
    Text(TextId),
}

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
#[derive(Debug, Clone)]
pub(crate) struct MoveFilter {
    pub(crate) mode: MoveMode,
    pub(crate) value: MoveValue,
    pub(crate) from: Option<SetId>,
    pub(crate) to: Option<SetId>,
    pub(crate) capture: Option<SetId>,
    pub(crate) promote: Option<u8>,
    pub(crate) en_passant: bool,
    pub(crate) en_passant_square: Option<SetId>,
    pub(crate) castle: Option<LegalTarget>,
    pub(crate) null: bool,
    pub(crate) primary: bool,
    pub(crate) secondary: bool,
    pub(crate) comment: Option<BoolId>,
}
