//! Filters that match or do not.

use board::{Color, SquareSet};
use syntax::Span;
use syntax::builtin::Predicate;
use syntax::library::Theme;
use syntax::token::GameResult;
use syntax::tree::{Arithmetic, Award, DictionaryId, HhdbFlag, Relation, VariableId};

use super::game::GameText;
use super::id::{BoolId, DashId, NumId, PathId, PosId, SetId, TextId, Value};
use super::moves::{MoveFilter, TrialFilter};
use super::path::{Echo, Find, LineFilter};
use super::plan::Patterns;
use super::position::Imagine;
use super::relation::{LaterPosition, PositionRelation, Similar, WholeGame};
use super::set::SquareLoop;
use super::text::{Pattern, PrintItem, Slice};

/// A filter that matches or does not.
#[derive(Debug, Clone)]
pub enum BoolFilter {
    /// A filter that always matches or never does.
    Constant(bool),
    /// A misuse on which the reference stops when it is reached.
    Misuse(Span, &'static str),
    /// The set is not empty.
    NonEmpty(SetId),
    /// The number has a value.
    HasNumber(NumId),
    /// The text has a value.
    HasText(TextId),
    /// The position has a value.
    HasPosition(PosId),
    /// Evaluated, but never matches (`uppercase` as a condition); drops its comments.
    Never(TextId),

    /// All conditions, in order; drops the comments of all if one does not match.
    All(Box<[BoolId]>),
    /// The first condition that matches; drops the comments of all if none does.
    Any(Box<[BoolId]>),
    /// The filter does not match.
    Not(BoolId),
    /// `if`
    If(BoolId, BoolId, Option<BoolId>),
    /// `P:F`
    At(PosId, BoolId),
    /// A call of a function: the values of its parameters, and its body.
    Call(Box<[(VariableId, Value)]>, BoolId),
    /// A theme of the library, on the board as it is, and the filter that it means.
    Theme(Theme, BoolId),
    /// Matches if an image does; every image is evaluated.
    Orbit(Box<[BoolId]>),
    /// An orbit of piece patterns.
    Patterns(Box<Patterns>),
    /// `while`
    While(BoolId, BoolId),
    /// `while (S ~~ "pattern")`
    WhileMatch(TextId, Pattern, BoolId),
    /// `loop`
    Loop(BoolId),
    /// `assert`; an evaluation error if the filter does not match.
    Assert(BoolId, Span),
    /// `square all`, `piece all`
    ForAll(SquareLoop),
    /// `string s in D F`
    DictionaryLoop(VariableId, DictionaryId, BoolId, Span),
    /// `consumedash`
    ConsumeDash(DashId),
    /// Matches if a dash over moves that are not played does.
    Tried(TrialFilter),
    /// Matches if the filter matches in an imagined position.
    Imagine(Box<Imagine>, BoolId),

    // relations
    /// Two numbers are in this relation.
    CompareNumbers(Relation, NumId, NumId),
    /// The number of squares in a set is in this relation to a constant.
    CompareCount(Relation, SetId, i32),
    /// Two texts are in this relation.
    CompareTexts(Relation, TextId, TextId),
    /// Two sets are equal.
    SetsEqual(SetId, SetId),
    /// `!=` on sets, the negation of their equality.
    SetsDiffer(SetId, SetId),
    /// The negation of the equality of two numbers.
    NumbersDiffer(NumId, NumId),
    /// The negation of the equality of two texts.
    TextsDiffer(TextId, TextId),
    /// Two values are equal: sets, numbers, texts or positions.
    Same(Value, Value),
    /// The squares of the first set are in the second.
    Subset(SetId, SetId),
    /// The first text occurs in the second.
    Substring(TextId, TextId),
    /// A literal occurs in a fact of the game.
    GameTextContains(Box<[u8]>, GameText),
    /// `ancestor(P Q)`
    IsAncestor(PosId, PosId),

    // the position
    /// The side to move.
    Turn(Color),
    /// A word without operands.
    Predicate(Predicate),
    /// Every square has one of the listed piece types; squares that may hold anything are left out.
    Fen(Box<[(SquareSet, u16)]>),

    // the game
    /// The result of the game.
    Result(GameResult),
    /// The position has this NAG.
    HasNag(u8),
    /// A flag of a problem in the Harold van der Heijden database.
    Hhdb(HhdbFlag),
    /// An award in that database.
    HhdbAward(Award),

    // state and output
    /// `x = E`
    Assign(VariableId, Value),
    /// `x = S`, which matches only if the set is not empty.
    AssignNonEmpty(VariableId, SetId),
    /// `x op= E` on numbers, strings (`+=`) and sets.
    Update(VariableId, Update, Span),
    /// `piece x = S`, of one piece.
    AssignPiece(VariableId, SetId),
    /// `x[…] = S`, on strings.
    AssignSlice(VariableId, Slice, TextId, Span),
    /// `unbind x`
    Unbind(VariableId),
    /// `unbind D`
    UnbindDictionary(DictionaryId),
    /// `unbind D[K]`
    UnbindEntry(DictionaryId, Value),
    /// `isbound x`
    IsBound(VariableId),
    /// `D[K] = E`
    AssignEntry(DictionaryId, Value, Value),
    /// `K in D`
    HasEntry(DictionaryId, Value),
    /// `comment`
    Comment(Box<[PrintItem]>),
    /// `message`
    Message {
        /// Whether nothing goes to the comments of the game.
        quiet: bool,
        /// Items that the message prints.
        items: Box<[PrintItem]>,
    },
    /// `removecomment`
    RemoveComment,
    /// `settag`
    SetTag(Box<[u8]>, TextId),
    /// `removetag`
    RemoveTag(Box<[u8]>),
    /// `writefile`
    WriteFile(TextId, TextId, Span),

    // moves and paths
    /// `currentmove`: the move that led here is one of the dash.
    CurrentMove(DashId),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `path`
    Path(PathId),
    /// `line`
    Line(Box<LineFilter>),
    /// `find`
    Find(Find),
    /// `echo`
    Echo(Echo<BoolId>),
    /// `similarposition`
    SimilarPosition(Box<Similar>),
    /// The relations of CQL 5, to other positions.
    Relation(Box<PositionRelation>),
    /// The relation of the classic language, to later positions.
    LaterPosition(Box<LaterPosition>),
    /// Conditions of the classic language on the whole game.
    WholeGame(Box<WholeGame>),
}

/// The right side of `x op= E`.
#[derive(Debug, Clone, Copy)]
pub enum Update {
    /// `+=` and its like on numbers.
    Arithmetic(Arithmetic, NumId),
    /// `+=` on strings.
    Append(TextId),
    /// `|=`
    Union(SetId),
    /// `&=`
    Intersect(SetId),
}
