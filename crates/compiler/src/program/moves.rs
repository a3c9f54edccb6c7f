//! What is asked of moves, played and legal ones.

use syntax::Span;
use syntax::tree::{LegalTarget, Unplayed};

use super::id::{BoolId, DashId, SetId, TextId};
use super::plan::Glance;

/// A promotion operand.
pub type Promotion = syntax::tree::Promotion<TextId>;

/// A dash without its target's value.
#[derive(Debug, Clone)]
pub struct Dash {
    /// Written with `[x]`: the right operand is what is captured.
    pub capture: bool,
    /// What moves, or where from.
    pub left: Option<SetId>,
    /// Where to, or what is captured.
    pub right: Option<SetId>,
    /// What a pawn promotes to.
    pub promotion: Option<Promotion>,
    /// What must match after the move (without the last filter where its value is wanted).
    pub target: Option<BoolId>,
    /// The moves are not those of the game, but such as are tried.
    pub is_tried: bool,
    /// What of the target of a dash that is tried can be told from the bare position behind a move.
    pub glance: Option<Box<Glance>>,
}

/// `legal`, `pseudolegal` with a target that is evaluated behind every such move, `reverse` with
/// one that is evaluated before it.
#[derive(Debug, Clone, Copy)]
pub struct Tried {
    /// Which moves.
    pub moves: Unplayed,
    /// The target must match behind all moves.
    pub all: bool,
    /// The dash, whose target is not among its own.
    pub dash: DashId,
    /// For messages.
    pub span: Span,
    /// Counting may stop there: the number is only compared with a smaller one.
    pub limit: u32,
}

/// `legal`, `pseudolegal`.
#[derive(Debug, Clone)]
pub struct LegalDash {
    /// Moves that leave the king attacked count, too.
    pub pseudo: bool,
    /// What moves, or where from.
    pub left: Option<SetId>,
    /// Where to.
    pub right: Option<SetId>,
    /// Which of the squares of the move are the value.
    pub target: Option<LegalTarget>,
    /// Counting may stop there: the number is only compared with a smaller one.
    pub limit: u32,
}

/// What `countmoves` counts.
#[derive(Debug, Clone)]
pub enum Countable {
    /// Moves of the game, from the current position.
    Played(DashId),
    /// The move of the game that led to the current position.
    PlayedFromParent(DashId),
    /// Moves that could be played.
    Legal(Box<LegalDash>),
    /// Moves that could be played, each with a target.
    Tried(Tried),
}

/// `move …`.
pub type MoveFilter = syntax::tree::MoveFilter<SetId, BoolId>;
