//! Filters that match or do not.

use board::{Color, SquareSet};
use ecma_regex::Regex;
use syntax::Span;
use syntax::builtin::Predicate;
use syntax::token::GameResult;
use syntax::tree::{Arithmetic, Award, DictionaryId, HhdbFlag, Relation, VariableId};

use super::game::GameText;
use super::id::{BoolId, DashId, NumId, PathId, PosId, SetId, TextId, Value};
use super::moves::{MoveFilter, Tried};
use super::path::{Echo, Find, Line};
use super::plan::Patterns;
use super::position::Imagine;
use super::relation::{LaterPosition, PositionRelation, Similar, WholeGame};
use super::set::SquareLoop;
use super::text::{Item, Slice};

/// Whether it matches.
#[derive(Debug, Clone)]
pub(crate) enum BoolFilter {
    Constant(bool),
    /// A misuse that the reference punishes when it is reached.
    Misuse(Span, &'static str),
    NonEmpty(SetId),
    HasNumber(NumId),
    HasText(TextId),
    HasPosition(PosId),
    /// Evaluated, but never matches (`uppercase` as a condition); drops its comments.
    Never(TextId),

    /// All match, in order; drops the comments of all when one does not.
    All(Box<[BoolId]>),
    /// The first that matches; drops the comments of all when none does.
    Any(Box<[BoolId]>),
    Not(BoolId),
    If(BoolId, BoolId, Option<BoolId>),
    At(PosId, BoolId),
    Call(Box<[(VariableId, Value)]>, BoolId),
    /// Every image is evaluated; matches if one does.
    Orbit(Box<[BoolId]>),
    /// An orbit of piece patterns.
    Patterns(Box<Patterns>),
    While(BoolId, BoolId),
    WhileMatch(TextId, Box<Regex>, BoolId),
    Loop(BoolId),
    Assert(BoolId, Span),
    /// `square all`, `piece all`
    ForAll(SquareLoop),
    DictionaryLoop(VariableId, DictionaryId, BoolId, Span),
    ConsumeDash(DashId),
    Tried(Tried),
    Imagine(Box<Imagine>, BoolId),

    // relations
    CompareNumbers(Relation, NumId, NumId),
    /// A number of squares against a constant.
    CompareCount(Relation, SetId, i32),
    CompareTexts(Relation, TextId, TextId),
    SetsEqual(SetId, SetId),
    /// `!=` as the negation that it is.
    SetsDiffer(SetId, SetId),
    NumbersDiffer(NumId, NumId),
    TextsDiffer(TextId, TextId),
    Same(Value, Value),
    Subset(SetId, SetId),
    Substring(TextId, TextId),
    /// A literal occurs in a fact of the game.
    GameTextContains(Box<[u8]>, GameText),
    /// `ancestor(P Q)`
    IsAncestor(PosId, PosId),

    // the position
    Turn(Color),
    Predicate(Predicate),
    /// Every square has one of the listed kinds; squares that may hold anything are left out.
    Fen(Box<[(SquareSet, u16)]>),

    // the game
    Result(GameResult),
    HasNag(u8),
    Hhdb(HhdbFlag),
    HhdbAward(Award),

    // state and output
    Assign(VariableId, Value),
    AssignNonEmpty(VariableId, SetId),
    /// `x op= E` on numbers, strings (`+=`) and sets.
    Update(VariableId, Update, Span),
    AssignPiece(VariableId, SetId),
    AssignSlice(VariableId, Slice, TextId, Span),
    Unbind(VariableId),
    UnbindDictionary(DictionaryId),
    UnbindEntry(DictionaryId, Value),
    IsBound(VariableId),
    AssignEntry(DictionaryId, Value, Value),
    HasEntry(DictionaryId, Value),
    Comment(Box<[Item]>),
    Message {
        quiet: bool,
        items: Box<[Item]>,
    },
    RemoveComment,
    SetTag(Box<[u8]>, TextId),
    WriteFile(TextId, TextId, Span),

    // moves and paths
    CurrentMove(DashId),
    Move(Box<MoveFilter>),
    Path(PathId),
    Line(Box<Line>),
    Find(Find),
    Echo(Echo<BoolId>),
    SimilarPosition(Box<Similar>),
    Relation(Box<PositionRelation>),
    LaterPosition(Box<LaterPosition>),
    WholeGame(Box<WholeGame>),
}

/// The right side of `x op= E`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Update {
    Arithmetic(Arithmetic, NumId),
    Append(TextId),
    Union(SetId),
    Intersect(SetId),
}
