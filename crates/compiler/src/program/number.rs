//! Filters with a number as their value.

use board::{Color, Likeness};
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
use super::path::{Echo, Find, LineFilter};
use super::set::Ray;

/// A value of a tablebase, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TableValue {
    /// 2 for a win, 1 for a win that the fifty-move rule draws, 0 for a draw, and their negatives.
    Wdl,
    /// Number of half-moves to a capture or pawn move that keeps the result, negative if the side to
    /// move loses, and 0 for a draw.
    Dtz,
}

/// A number, or no value.
#[derive(Debug, Clone)]
pub enum NumFilter {
    /// A constant.
    Constant(i32),
    /// The value of a variable; an evaluation error if it has none.
    Variable(VariableId, Span),
    /// `+`, `-` and their like.
    Arithmetic(Arithmetic, NumId, NumId),
    /// The left number, if the two are in this relation.
    Relation(Relation, NumId, NumId),
    /// `#S`
    Cardinality(SetId),
    /// Number of pairs of a piece of the first set and a square of the second that it attacks.
    AttackPairs(SetId, SetId),
    /// Number of pairs of a square and a direction in which a ray starts there.
    RayCount(Box<Ray>),
    /// A word without operands.
    Source(NumberSource),
    /// A word followed by a set.
    OfSet(SetToNumber, SetId),
    /// A word followed by a number.
    OfNumber(NumberToNumber, NumId),
    /// A word followed by a text.
    OfText(TextToNumber, TextId),
    /// A word followed by two texts.
    OfTexts(TextsToNumber, TextId, TextId),
    /// A word followed by two positions.
    OfPositions(PositionsToNumber, PosId, PosId),
    /// `pieceid` of a variable.
    PieceIdOf(VariableId, Span),
    /// `#` of a text.
    Length(TextId),
    /// `#` of a dictionary.
    DictionarySize(DictionaryId),
    /// `max`, `min`
    Extremum {
        /// Whether the greatest operand is the value, else the least.
        max: bool,
        /// The operands.
        items: Box<[NumId]>,
    },
    /// `ascii` of a text.
    AsciiCode(TextId),
    /// Index at which a group of the last match begins.
    GroupIndex(Group, Span),
    /// The rating of a player, or the greater one of both.
    Elo(Option<Color>),
    /// `pathcount`
    PathCount {
        /// Whether the filter is evaluated inside of the path.
        inside: bool,
    },
    /// `pathcountunfocused`
    PathCountUnfocused {
        /// Whether the filter is evaluated inside of the path.
        inside: bool,
    },
    /// The number of a diagram in the Harold van der Heijden database.
    HhdbEgDiagram,
    /// `engine`, `engine mate`
    Engine(EngineQuestion, Span),
    /// `tablebase`, `dtz`
    Tablebase(TableValue, Span),
    /// The rank of an award in that database.
    HhdbAward(Award),
    /// `likeness`
    Likeness(Box<Likeness>),
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
    Line(Box<LineFilter>),
    /// The number of positions that are found.
    Find(Find),
    /// The value of the best pair of positions.
    Echo(Echo<NumId>),
    /// `consecutivemoves`
    ConsecutiveMoves(Consecutive, Span),
    /// Blocks and their like.
    Flow(Flow<NumId>),
}
