//! Filters with a position as their value.

use board::{CastlingRights, Color, Piece};
use syntax::Span;
use syntax::builtin::{NumberToPosition, PositionSource, PositionsToPosition};
use syntax::tree::{Relation, VariableId};

use super::flow::Flow;
use super::id::{NumId, PathId, PosId, SetId};
use super::path::{Find, Line};

/// A position of the game tree, or no value.
#[derive(Debug, Clone)]
pub(crate) enum PosFilter {
    Source(PositionSource),
    PathStart { inside: bool },
    PathLastPosition { inside: bool },
    Variable(VariableId, Span),
    Child(NumId),
    OfNumber(NumberToPosition, NumId),
    OfPositions(PositionsToPosition, PosId, PosId),
    Relation(Relation, PosId, PosId),
    Find(Find),
    Path(PathId),
    Line(Box<Line>),
    Flow(Flow<PosId>),
}

/// What `imagine` makes of a position.
#[derive(Debug, Clone)]
pub(crate) struct Imagine {
    /// In the order in which they are made.
    pub(crate) changes: Box<[Change]>,
    pub(crate) span: Span,
}

/// A change of a position.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change {
    Place(Piece, SetId),
    Remove(SetId),
    /// To a color, or to the other one.
    Turn(Option<Color>),
    Castling(CastlingRights),
    EnPassant(SetId),
}
