//! Filters on moves, both played and legal ones.

use syntax::Span;
use syntax::tree::{LegalTarget, Unplayed};

use super::id::{BoolId, DashId, SetId, TextId};
use super::plan::TrialPrefilter;

/// A promotion operand.
pub type Promotion = syntax::tree::Promotion<TextId>;

/// A dash without its target's value.
#[derive(Debug, Clone)]
pub struct Dash {
    /// Whether the dash is written with `[x]`: the right operand is then captured.
    pub capture: bool,
    /// Squares from which the move starts.
    pub left: Option<SetId>,
    /// Squares to which the move goes, or on which it captures.
    pub right: Option<SetId>,
    /// Promotion that the move must make.
    pub promotion: Option<Promotion>,
    /// Condition that must match after the move (without the last filter if its value is used).
    pub target: Option<BoolId>,
    /// Whether the moves are not those of the game but are tried.
    pub is_tried: bool,
    /// Tests of the target of a tried dash on the bare position after a move.
    pub glance: Option<Box<TrialPrefilter>>,
}

/// `legal`, `pseudolegal` with a target that is evaluated after every such move, `reverse` with one
/// that is evaluated before it.
#[derive(Debug, Clone, Copy)]
pub struct TrialFilter {
    /// Kind of the moves.
    pub moves: Unplayed,
    /// Whether the target must match after all moves.
    pub all: bool,
    /// The dash with its operands and target.
    pub dash: DashId,
    /// Span for messages.
    pub span: Span,
    /// Number at which counting may stop: the count is only compared with a smaller one.
    pub limit: u32,
}

/// `legal`, `pseudolegal`.
#[derive(Debug, Clone)]
pub struct LegalDash {
    /// Whether moves that leave the king attacked count, too.
    pub pseudo: bool,
    /// Squares from which the move starts.
    pub left: Option<SetId>,
    /// Squares to which the move goes.
    pub right: Option<SetId>,
    /// Squares of the move that form the value.
    pub target: Option<LegalTarget>,
    /// Number at which counting may stop: the count is only compared with a smaller one.
    pub limit: u32,
}

/// Moves that `countmoves` counts.
#[derive(Debug, Clone)]
pub enum Countable {
    /// Moves of the game, from the current position.
    Played(DashId),
    /// The move of the game that led to the current position.
    PlayedFromParent(DashId),
    /// Moves that could be played.
    Legal(Box<LegalDash>),
    /// Moves that could be played, each with a target.
    Tried(TrialFilter),
}

/// `move …`.
pub type MoveFilter = syntax::tree::MoveFilter<SetId, BoolId>;
