//! Filters with a position as their value.

use syntax::Span;
use syntax::builtin::{NumberToPosition, PositionSource, PositionsToPosition};
use syntax::tree::{Relation, VariableId};

use super::flow::Flow;
use super::id::{NumId, PathId, PosId};
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
