//! Filters with a number as their value.

use board::Color;
use syntax::Span;
use syntax::builtin::{
    NumberSource, NumberToNumber, PositionsToNumber, SetToNumber, TextToNumber, TextsToNumber,
};
use syntax::tree::{Arithmetic, Award, Consecutive, DictionaryId, Range, Relation, VariableId};

use super::flow::Flow;
use super::id::{BoolId, NumId, PathId, PosId, SetId, TextId};
use super::moves::{Countable, MoveFilter};
use super::path::{Echo, Find, Line};
use super::set::Ray;

/// A number, or no value.
#[derive(Debug, Clone)]
pub(crate) enum NumFilter {
    Constant(i32),
    Variable(VariableId, Span),
    Arithmetic(Arithmetic, NumId, NumId),
    Relation(Relation, NumId, NumId),
    Cardinality(SetId),
    /// Pairs of a man of the first set and a square of the second that he attacks.
    AttackPairs(SetId, SetId),
    /// Pairs of a square and a direction in which a ray starts there.
    RayCount(Box<Ray>),
    Source(NumberSource),
    OfSet(SetToNumber, SetId),
    OfNumber(NumberToNumber, NumId),
    OfText(TextToNumber, TextId),
    OfTexts(TextsToNumber, TextId, TextId),
    OfPositions(PositionsToNumber, PosId, PosId),
    PieceIdOf(VariableId, Span),
    Length(TextId),
    DictionarySize(DictionaryId),
    Extremum {
        max: bool,
        items: Box<[NumId]>,
    },
    AsciiCode(TextId),
    GroupIndex(u8, Span),
    Elo(Option<Color>),
    PathCount {
        inside: bool,
    },
    PathCountUnfocused {
        inside: bool,
    },
    HhdbEgDiagram,
    HhdbAward(Award),
    /// Number of images that match, if in the range.
    OrbitCount(Box<[BoolId]>, Range, Span),
    /// Greatest value of the images.
    OrbitMax(Box<[NumId]>),
    CountMoves(Countable),
    CountMove(Box<MoveFilter>),
    Path(PathId),
    Line(Box<Line>),
    Find(Find),
    Echo(Echo<NumId>),
    ConsecutiveMoves(Consecutive, Span),
    Flow(Flow<NumId>),
}
