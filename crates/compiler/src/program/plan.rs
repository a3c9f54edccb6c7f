//! What the optimizer notes down for the evaluator: how filters can be answered with less work.
//!
//! Why each is right stands in the pass of [`crate::opt`] that makes it.

mod board;
mod gap;
mod glance;
mod patterns;
mod pawns;
mod screen;

use syntax::tree::Relation;

use super::id::{BoolId, NumId, SetId};

pub use board::{BoardChoice, BoardCondition, BoardSet};
pub use gap::{Gap, MAX_WAYS, SoughtMove, Squares, Way};
pub use glance::{Glance, KingState};
pub use patterns::{Patterns, Requirement};
pub use pawns::{PawnCondition, PawnNumber, PawnSet};
pub use screen::{Finder, Men, MoveTest, Screen, Sum, Test};

/// Which squares of a move a loop may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveEnd {
    /// Where it starts.
    From,
    /// Where it ends.
    To,
    /// What it captures.
    Captured,
}

/// What the body of a loop asks of its square.
#[derive(Debug, Clone)]
pub enum SquareCondition {
    /// A condition that does not look at the square.
    Fixed(BoolId),
    /// The square is in the set.
    In(SetId),
    /// A man of the set attacks it.
    AttackedBy(SetId),
    /// The man on it attacks a square of the set.
    Attacks(SetId),
    /// The number of men of the set that attack it compares so with a number.
    AttackedSoOften(SetId, Relation, i32),
    /// All of these hold.
    All(Box<[SquareCondition]>),
    /// One of these holds.
    Any(Box<[SquareCondition]>),
    /// It does not hold.
    Not(Box<SquareCondition>),
}

/// What an echo can know before it evaluates its body.
#[derive(Debug, Clone, Default)]
pub struct EchoPlan {
    /// Must match at the second position.
    pub target: Vec<BoolId>,
    /// What these ask of it at the least.
    pub screen: Screen,
    /// Must match at the first position.
    pub source: Vec<BoolId>,
    /// What both positions must have in common.
    pub keys: Vec<EchoKey>,
    /// The second position must have the greater id.
    pub ascending: bool,
    /// The second position must have the smaller id.
    pub descending: bool,
    /// So many moves must lead from one to the other.
    pub distance: u32,
}

/// Something at the second position, and something at the first that must be equal to it. Each is
/// evaluated where its position is the current one.
#[derive(Debug, Clone, Copy)]
pub enum EchoKey {
    /// Sets of squares.
    Sets(SetId, SetId),
    /// Numbers.
    Numbers(NumId, NumId),
    /// The sides to move, of which the second must be the other one.
    OtherTurn,
    /// Where all men stand.
    Board,
}
