//! Parts of filters other than filters: colors, texts, relations, ranges.

use super::{Child, Filter, SortId, VariableId};
use crate::span::Span;

/// One of the colors; `white`, `black`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Color {
    White,
    Black,
}

/// Filters without operands that yield a string.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TextSource {
    /// `player white`, `player black`
    Player(Color),
    /// `player`: both names; transforms do not change it.
    Players,
    Event,
    Site,
    Date,
    EventDate,
    Eco,
    /// `tag "Name"` for a tag other than those above; `tag "White"` is `Player(White)`.
    Tag(Vec<u8>),
    /// `tag "FEN"`
    TagFen,
    /// `fen` without a string
    Fen,
    /// `originalcomment`, `hascomment`
    OriginalComment,
    CurrentTransform,
    Hhdb(HhdbText),
}

/// String-valued `hhdb` keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum HhdbText {
    Composer,
    Diagram,
    FirstComment,
    Gbr,
    GbrMaterial,
    GbrPieces,
    GbrPawns,
    GbrKings,
    Stipulation,
    Search,
}

/// Boolean `hhdb` keys; the award forms are [`FilterKind::HhdbAward`](super::FilterKind::HhdbAward).
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum HhdbFlag {
    /// A flag in the Black tag: the text looked for, such as `(c)` or `AN`.
    Black(&'static str),
    /// A mark in the comment of the current position: `<cook`, `<eg>`, `<main>`, …
    Mark(&'static str),
    Cooked,
    Sound,
    Unsound,
    Dual,
    Mainline,
    Variation,
}

/// The kinds of awards of studies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AwardKind {
    Any,
    Prize,
    HonorableMention,
    Commendation,
}

/// `hhdb prize` or another award.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// The kind of award.
    pub kind: AwardKind,
    /// Whether only special awards count.
    pub special: bool,
    /// Whether the value is the second rank.
    pub max: bool,
    /// The sort variables for category, rank and second rank, if the filter also sorts the output.
    pub sort: Option<[SortId; 3]>,
}

/// Distance of two positions of a game from their last common ancestor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `lcasource`: the distance of the source.
    Source,
    /// `lcatarget`: the distance of the target.
    Target,
    /// `lcamax`: the greater of both distances.
    Max,
    /// `lcasum`: the sum of both distances.
    Sum,
    /// `lcasubstring`: the longest sequence of moves that the ways to both positions have in
    /// common.
    Substring,
}

/// Binary arithmetic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Arithmetic {
    /// The operator in ASCII.
    pub const fn text(self) -> &'static str {
        match self {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => "*",
            Arithmetic::Divide => "/",
            Arithmetic::Modulo => "%",
        }
    }
}

/// Relational operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Relation {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    /// `[<]` and the following ones are for positions only.
    Ancestor,
    AncestorEqual,
    Descendant,
    DescendantEqual,
}

impl Relation {
    /// The operator in ASCII.
    pub const fn text(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterEqual => ">=",
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Ancestor => "[<]",
            Relation::AncestorEqual => "[<=]",
            Relation::Descendant => "[>]",
            Relation::DescendantEqual => "[>=]",
        }
    }
}

/// Whether `left op right` holds; the ancestor operators are for positions only.
#[inline]
pub fn holds<T: Ord + ?Sized>(op: Relation, left: &T, right: &T) -> bool {
    match op {
        Relation::Less => left < right,
        Relation::LessEqual => left <= right,
        Relation::Greater => left > right,
        Relation::GreaterEqual => left >= right,
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
        Relation::Ancestor
        | Relation::AncestorEqual
        | Relation::Descendant
        | Relation::DescendantEqual => false,
    }
}

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A number in the text.
    Constant(i32),
    /// The value of a numeric variable, which is negated if `negated`.
    Variable {
        /// The variable.
        id: VariableId,
        /// Whether a minus sign precedes it.
        negated: bool,
    },
}

/// A range of numbers, both ends included. `count` is −100000 … 100000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub min: Bound,
    /// The greatest number.
    pub max: Bound,
}

impl Range {
    /// The range for `count`.
    pub const COUNT: Range = Range::constant(-100_000, 100_000);

    /// Creates the range from `min` to `max`.
    pub const fn constant(min: i32, max: i32) -> Range {
        Range { min: Bound::Constant(min), max: Bound::Constant(max) }
    }
}

/// An assignment operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `=?`: assigns only a nonempty set.
    SetNonEmpty,
    /// `+=` `-=` `*=` `/=` `%=`; on strings `+=` appends.
    Arithmetic(Arithmetic),
    /// `|=`
    Union,
    /// `&=`
    Intersect,
}

/// A regular expression.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// The text as written in the query, and its span.
    Literal(Vec<u8>, Span),
    /// The value of a string filter.
    Computed(Child),
}

impl Pattern {
    /// Returns the filter that computes the expression, if there is one.
    pub fn filter(&self) -> Option<&Filter> {
        match self {
            Pattern::Literal(..) => None,
            Pattern::Computed(filter) => Some(filter),
        }
    }
}

/// A question to an engine, and a limit for its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EngineQuestion {
    /// The value that is wanted.
    pub value: EngineValue,
    /// Limit of the search.
    pub limit: EngineLimit,
    /// Number of lines that the engine computes (`multipv`).
    pub n_lines: u32,
    /// The line of the value, the best one being 1 (`line`).
    pub line: u32,
}

impl EngineQuestion {
    /// Returns the question about the best line, the only one.
    pub fn new(value: EngineValue, limit: EngineLimit) -> EngineQuestion {
        EngineQuestion { value, limit, n_lines: 1, line: 1 }
    }
}

/// The value that an engine computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineValue {
    /// The score in centipawns.
    Score,
    /// `mate`: the number of moves to mate.
    Mate,
    /// `bestmove`: the best move as text.
    BestMove,
    /// `from`: the origin of the best move.
    From,
    /// `to`: the destination of the best move.
    To,
    /// `pv`: the line as text.
    Pv,
    /// `wdl win`: White's chance to win, in thousandths.
    Win,
    /// `wdl draw`: the chance of a draw, in thousandths.
    Draw,
    /// `wdl loss`: White's chance to lose, in thousandths.
    Loss,
}

impl EngineValue {
    /// Whether the value is a chance.
    pub fn is_chance(self) -> bool {
        matches!(self, EngineValue::Win | EngineValue::Draw | EngineValue::Loss)
    }
}

/// Limit for the search of an engine. Queries have only those in units that give reproducible
/// results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineLimit {
    /// Maximum depth.
    Depth(u32),
    /// Number of positions.
    Nodes(u32),
    /// Time in milliseconds, which no query can set.
    Time(u32),
}

impl std::fmt::Display for EngineLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineLimit::Depth(depth) => write!(f, "depth {depth}"),
            EngineLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
            EngineLimit::Time(time) => write!(f, "movetime {time}"),
        }
    }
}
