//! Filters with a position as their value.

use board::{CastlingRights, Color, Piece};
use syntax::Span;
use syntax::builtin::{NumberToPosition, PositionSource, PositionsToPosition};
use syntax::tree::{Relation, VariableId};

use super::flow::Flow;
use super::id::{NumId, PathId, PosId, SetId};
use super::path::{Find, LineFilter};

/// A position of the game tree, or no value.
#[derive(Debug, Clone)]
pub enum PosFilter {
    /// A word without operands.
    Source(PositionSource),
    /// `pathstart`
    PathStart {
        /// Whether the filter is evaluated inside of the path.
        inside: bool,
    },
    /// `pathlastposition`
    PathLastPosition {
        /// Whether the filter is evaluated inside of the path.
        inside: bool,
    },
    /// The value of a variable; an evaluation error if it has none.
    Variable(VariableId, Span),
    /// `child`
    Child(NumId),
    /// A word followed by a number.
    OfNumber(NumberToPosition, NumId),
    /// A word followed by two positions.
    OfPositions(PositionsToPosition, PosId, PosId),
    /// The left position, if the two are in this relation.
    Relation(Relation, PosId, PosId),
    /// The position that is found.
    Find(Find),
    /// The last position of a path.
    Path(PathId),
    /// The last position of a line.
    Line(Box<LineFilter>),
    /// Blocks and their like.
    Flow(Flow<PosId>),
}

/// Changes that `imagine` makes to a position.
#[derive(Debug, Clone)]
pub struct Imagine {
    /// The changes, in the order in which they are made.
    pub changes: Box<[Change]>,
    /// Span for messages.
    pub span: Span,
}

/// A change of a position.
#[derive(Debug, Clone, Copy)]
pub enum Change {
    /// `place`
    Place(Piece, SetId),
    /// `remove`
    Remove(SetId),
    /// Sets the side to move to a color, or to the other one.
    Turn(Option<Color>),
    /// `castling`
    Castling(CastlingRights),
    /// `enpassant`
    EnPassant(SetId),
}
