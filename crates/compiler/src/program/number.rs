//! Filters with a number as their value.

use board::Color;
use syntax::Span;
use syntax::builtin::{
    NumberSource, NumberToNumber, PositionsToNumber, SetToNumber, TextToNumber, TextsToNumber,
};
use syntax::token::Group;
use syntax::tree::{
    Arithmetic, Award, Consecutive, DictionaryId, EngineQuestion, Range, Relation, VariableId,
};

use super::flow::Flow;
use super::id::{BoolId, NumId, PathId, PosId, SetId, TextId};
use super::moves::{Countable, MoveFilter};
use super::path::{Echo, Find, Line};
use super::set::Ray;

/// A number, or no value.
#[derive(Debug, Clone)]
pub enum NumFilter {
    /// The same everywhere.
    Constant(i32),
    /// The value of a variable; a fault where it has none.
    Variable(VariableId, Span),
    /// `+`, `-` and their like.
    Arithmetic(Arithmetic, NumId, NumId),
    /// The left number, where the two compare so.
    Relation(Relation, NumId, NumId),
    /// `#S`
    Cardinality(SetId),
    /// Pairs of a man of the first set and a square of the second that he attacks.
    AttackPairs(SetId, SetId),
    /// Pairs of a square and a direction in which a ray starts there.
    RayCount(Box<Ray>),
    /// A word without operands.
    Source(NumberSource),
    /// A word with a set behind it.
    OfSet(SetToNumber, SetId),
    /// A word with a number behind it.
    OfNumber(NumberToNumber, NumId),
    /// A word with a text behind it.
    OfText(TextToNumber, TextId),
    /// A word with two texts behind it.
    OfTexts(TextsToNumber, TextId, TextId),
    /// A word with two positions behind it.
    OfPositions(PositionsToNumber, PosId, PosId),
    /// `pieceid` of a variable.
    PieceIdOf(VariableId, Span),
    /// `#` of a text.
    Length(TextId),
    /// `#` of a dictionary.
    DictionarySize(DictionaryId),
    /// `max`, `min`
    Extremum {
        /// The greatest, else the least.
        max: bool,
        /// Of these.
        items: Box<[NumId]>,
    },
    /// `ascii` of a text.
    AsciiCode(TextId),
    /// Where a group of the last match begins.
    GroupIndex(Group, Span),
    /// The rating of a player, or the greater one of both.
    Elo(Option<Color>),
    /// `pathcount`
    PathCount {
        /// Asked inside of the path.
        inside: bool,
    },
    /// `pathcountunfocused`
    PathCountUnfocused {
        /// Asked inside of the path.
        inside: bool,
    },
    /// The number of a diagram in the Harold van der Heijden database.
    HhdbEgDiagram,
    /// `engine`, `engine mate`
    Engine(EngineQuestion, Span),
    /// The rank of an award in that database.
    HhdbAward(Award),
    /// Number of images that match, if in the range.
    OrbitCount(Box<[BoolId]>, Range, Span),
    /// Greatest value of the images.
    OrbitMax(Box<[NumId]>),
    /// `countmoves`
    CountMoves(Countable),
    /// `move count`
    CountMove(Box<MoveFilter>),
    /// The length of a path.
    Path(PathId),
    /// The length of a line.
    Line(Box<Line>),
    /// The number of positions that are found.
    Find(Find),
    /// The value of the best pair of positions.
    Echo(Echo<NumId>),
    /// `consecutivemoves`
    ConsecutiveMoves(Consecutive, Span),
    /// Blocks and their like.
    Flow(Flow<NumId>),
}
