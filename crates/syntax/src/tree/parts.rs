//! What filters are made of besides other filters: colors, texts, relations, ranges.

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
    /// `player`: both names (transforms do not touch it)
    Players,
    Event,
    Site,
    Date,
    EventDate,
    Eco,
    /// `tag "Name"` of another name than those above; `tag "White"` is `Player(White)`.
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

/// `hhdb prize` and its like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Award {
    /// Which kind.
    pub kind: AwardKind,
    /// Special awards only.
    pub special: bool,
    /// The second rank.
    pub max: bool,
    /// Where the filter also sorts the output: the sort variables for category, rank and second
    /// rank.
    pub sort: Option<[SortId; 3]>,
}

/// How far two positions of a game are from their last common ancestor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// `lcasource`: of the source.
    Source,
    /// `lcatarget`: of the target.
    Target,
    /// `lcamax`: the greater of the two.
    Max,
    /// `lcasum`: of both together.
    Sum,
    /// `lcasubstring`: the longest run of moves that both ways have in common.
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
    /// `[<]` and its like, between positions only.
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

/// One end of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// A number in the text.
    Constant(i32),
    /// A Numeric variable read at run time, times −1 if `negated`.
    Variable {
        /// The variable.
        id: VariableId,
        /// Whether a minus sign stood before it.
        negated: bool,
    },
}

/// A range of numbers, both ends included. `count` is −100000 … 100000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Least.
    pub min: Bound,
    /// Greatest.
    pub max: Bound,
}

impl Range {
    /// What `count` stands for.
    pub const COUNT: Range = Range::constant(-100_000, 100_000);

    /// The numbers from `min` to `max`.
    pub const fn constant(min: i32, max: i32) -> Range {
        Range {
            min: Bound::Constant(min),
            max: Bound::Constant(max),
        }
    }
}

/// How a value is assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AssignOp {
    /// `=`
    Set,
    /// `=?`: only a nonempty Set.
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
    /// As it stands in the query, and where.
    Literal(Vec<u8>, Span),
    /// The value of a string filter.
    Computed(Child),
}

impl Pattern {
    /// The filter that makes it, if one does.
    pub fn filter(&self) -> Option<&Filter> {
        match self {
            Pattern::Literal(..) => None,
            Pattern::Computed(filter) => Some(filter),
        }
    }
}

/// What `engine` is asked, and how long it may think.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub struct EngineQuestion {
    pub value: EngineValue,
    pub limit: EngineLimit,
}

/// What `engine` is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineValue {
    /// The score in centipawns
    Score,
    /// `mate`: in how many moves
    Mate,
    /// `bestmove`: the best move as text
    BestMove,
    /// `from`: where the best move comes from
    From,
    /// `to`: where the best move goes
    To,
}

/// How long an engine may think, so that it always comes to the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EngineLimit {
    /// To this depth
    Depth(u32),
    /// Over so many positions
    Nodes(u32),
}

impl std::fmt::Display for EngineLimit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            EngineLimit::Depth(depth) => write!(f, "depth {depth}"),
            EngineLimit::Nodes(nodes) => write!(f, "nodes {nodes}"),
        }
    }
}
