//! Filters with a number as their value.

use board::Color;
use syntax::Span;
use syntax::tree::{Arithmetic, DictionaryId, Relation, VariableId};

use super::flow::Flow;
use super::game::Award;
use super::id::{BoolId, NumId, PathId, PosId, SetId, TextId};
use super::moves::{Countable, MoveFilter};
use super::path::{Consecutive, EchoValue, Find, Line};
use super::range::Range;
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
    Power(SetId),
    Type(SetId),
    ColorType(SetId),
    File(SetId),
    Rank(SetId),
    PieceId(SetId),
    PieceIdOf(VariableId, Span),
    Length(TextId),
    DictionarySize(DictionaryId),
    Abs(NumId),
    Sqrt(NumId),
    Extremum {
        max: bool,
        items: Box<[NumId]>,
    },
    Int(TextId),
    AsciiCode(TextId),
    IndexOf(TextId, TextId),
    GroupIndex(u8, Span),
    Distance(PosId, PosId),
    Ply,
    MoveNumber,
    Depth,
    PositionId,
    SideToMove,
    Year,
    Elo(Option<Color>),
    GameNumber,
    LastGameNumber,
    PathCount {
        inside: bool,
    },
    PathCountUnfocused {
        inside: bool,
    },
    HhdbEgDiagram,
    HhdbAward(Award),
    /// Number of images that match, if in the range.
    OrbitCount(Box<[BoolId]>, Range),
    /// Greatest value of the images.
    OrbitMax(Box<[NumId]>),
    CountMoves(Countable),
    CountMove(Box<MoveFilter>),
    Path(PathId),
    Line(Box<Line>),
    Find(Find),
    Echo(EchoValue),
    ConsecutiveMoves(Consecutive),
    Flow(Flow<NumId>),
}
