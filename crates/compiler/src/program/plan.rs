//! The evaluation plan: notes of the optimizer on how the evaluator can do less work.
//!
//! The pass of `opt` that makes a note also explains why it is right.

mod board;
mod game;
mod gap;
mod glance;
mod material;
mod patterns;
mod pawns;
mod screen;
mod tags;

use syntax::tree::{Relation, VariableId};

use super::id::{BoolId, NumId, PosId, SetId};

pub use board::{BoardChoice, BoardCondition, BoardSet, MAX_POINTS};
pub use game::{
    ChainMove, GameConditions, GameFact, GameTest, Image, Images, MoveChain, Recurrence,
    Unscreened, UnscreenedReason,
};
pub use gap::{Gap, MAX_WAYS, MoveSquares, Needs, SoughtMove, Squares};
pub use glance::{BareCondition, KingState, TrialPrefilter};
pub use material::MaterialSum;
pub use patterns::{Patterns, Requirement};
pub use pawns::{PawnCondition, PawnNumber, PawnSet};
pub use screen::{FindPlan, MoveCounter, MoveLink, MoveTest, PieceMask, PositionScreen, Sum, Test};
pub use tags::{TagCondition, TagNumber, TagText};

/// A number by which games are ranked: the greatest of some likenesses, each less a penalty.
#[derive(Debug, Clone, Default)]
pub struct Ranking {
    /// The likenesses with their penalties.
    pub images: Vec<(NumId, i32)>,
}

/// Squares of a move that a loop may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveEnd {
    /// The square where the move starts.
    From,
    /// The square where the move ends.
    To,
    /// The square of the captured piece.
    Captured,
}

/// Condition of the body of a loop on its square.
#[derive(Debug, Clone)]
pub enum SquareCondition {
    /// A condition that does not look at the square.
    Fixed(BoolId),
    /// The square is in the set.
    In(SetId),
    /// A piece of the set attacks the square.
    AttackedBy(SetId),
    /// The piece on the square attacks a square of the set.
    Attacks(SetId),
    /// The number of pieces of the set that attack the square is in this relation to a number.
    AttackedSoOften(SetId, Relation, i32),
    /// The set holds the square and nothing else.
    Is(SetId),
    /// The pieces of the first set that attack the square are the second set.
    AttackersAre(SetId, SetId),
    /// Squares lie between the square and others.
    Between(Between),
    /// The condition holds for a square that is one of these steps away.
    Shifted(Box<[(i8, i8)]>, Box<SquareCondition>),
    /// The condition holds at another position.
    At(PosId, Box<SquareCondition>),
    /// Enough other squares are in a relation to the square.
    Others(Box<OtherSquares>),
    /// All of these hold.
    All(Box<[SquareCondition]>),
    /// One of these holds.
    Any(Box<[SquareCondition]>),
    /// The condition does not hold.
    Not(Box<SquareCondition>),
}

/// A condition on the squares between the square of a loop and the squares of a set.
#[derive(Debug, Clone, Copy)]
pub struct Between {
    /// The set at the other end.
    pub end: SetId,
    /// The squares of interest.
    pub squares: SetId,
    /// Whether all of these must lie between, not only one.
    pub all: bool,
}

/// A loop inside of a loop, with the two exchanged: the condition of the inner loop is tested on
/// all squares of the outer one at once, for one square of the inner loop after the other.
#[derive(Debug, Clone)]
pub struct OtherSquares {
    /// The variable of the inner loop.
    pub variable: VariableId,
    /// The squares of the inner loop.
    pub domain: SetId,
    /// A condition on the square of the inner loop alone.
    pub other: SquareCondition,
    /// A condition on the square of the outer loop, for a square of the inner one.
    pub related: Option<SquareCondition>,
    /// The smallest number of squares of the inner loop.
    pub least: usize,
}

/// Facts that an echo can test before it evaluates its body.
#[derive(Debug, Clone, Default)]
pub struct EchoPlan {
    /// Conditions that must match at the second position.
    pub target: Vec<BoolId>,
    /// The screen of these conditions.
    pub screen: PositionScreen,
    /// Conditions that must match at the first position.
    pub source: Vec<BoolId>,
    /// Values that both positions must have in common.
    pub keys: Vec<EchoKey>,
    /// Whether a value at the first position reads the variable of that position.
    pub keys_read_source: bool,
    /// The second position must have the greater id.
    pub ascending: bool,
    /// The second position must have the smaller id.
    pub descending: bool,
    /// Minimum number of moves between the two positions.
    pub distance: u32,
    /// Evaluating the body leaves no trace but its value.
    pub is_traceless: bool,
}

/// A value at the second position and one at the first that must be equal. Each is evaluated where
/// its position is the current one.
#[derive(Debug, Clone, Copy)]
pub enum EchoKey {
    /// Sets of squares.
    Sets(SetId, SetId),
    /// Numbers.
    Numbers(NumId, NumId),
    /// The sides to move, which must differ.
    OtherTurn,
    /// The squares of all pieces.
    Board,
}
