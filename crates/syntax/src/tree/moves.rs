//! Loops over squares, rays and pins, moves, paths and lines.

use super::{Child, Filter, Range, VariableId};

/// A `square` or `piece` loop.
#[derive(Debug, Clone)]
pub struct SquareLoop {
    /// The loop variable: a Set variable, or a Piece variable for `piece`.
    pub variable: VariableId,
    /// Whether this is a `piece` loop, which skips empty squares.
    pub piece: bool,
    /// Whether the body must match for all squares (`all`); the loop is then Boolean.
    pub all: bool,
    /// The squares to iterate over.
    pub domain: Child,
    /// The filter that must match.
    pub body: Child,
}

/// `from`, `through` or `to` of `pin`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PinPart {
    From,
    Through,
    To,
}

/// `pin …`; `S` refers to a set.
#[derive(Debug, Clone)]
pub struct Pin<S = Child> {
    /// `from S`
    pub from: Option<S>,
    /// `through S`
    pub through: Option<S>,
    /// `to S`
    pub to: Option<S>,
    /// The part whose square is the value.
    pub value: PinPart,
}

/// `ray …`, `xray …`, chains of arrows; `S` is a set or refers to one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ray<S = Filter> {
    /// Whether rays start only at line pieces, in the directions in which they move.
    pub attack: bool,
    /// Allowed (file, rank) steps; all eight for attack rays.
    pub steps: Vec<(i8, i8)>,
    /// The points of the ray, from first to last, which is the order of evaluation.
    pub operands: Vec<S>,
    /// Whether the value is the first squares of the rays rather than the last ones.
    pub first: bool,
}

/// A promotion operand of a dash; `T` refers to a string.
#[derive(Debug, Clone, Copy)]
pub enum Promotion<T = Child> {
    /// `=.`, `=A`: any promotion.
    Any,
    /// A designator without squares; bit 0 pawn … bit 5 king (colors do not matter).
    Roles(u8),
    /// A String filter, evaluated before the move.
    Text(T),
}

/// `LEFT -- RIGHT = PROMOTION ( TARGET )`.
#[derive(Debug, Clone)]
pub struct Dash {
    /// `[x]`: whether only captures count.
    pub capture: bool,
    /// Origin of the piece; `None` for all squares.
    pub left: Option<Child>,
    /// Destination of the piece, or the captured piece for captures; `None` for all squares.
    pub right: Option<Child>,
    /// Promotion of the piece.
    pub promotion: Option<Promotion>,
    /// Filters that must match after the move, in order; empty if none were written.
    pub target: Vec<Filter>,
}

/// Targets that determine the kind of move for `legal` and `pseudolegal`. All other targets are
/// evaluated after the move, see [`TriedDash`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum LegalTarget {
    Castle,
    ShortCastle,
    LongCastle,
    EnPassant,
}

/// `legal LEFT -- RIGHT ( TARGET )`, `pseudolegal …`.
#[derive(Debug, Clone)]
pub struct LegalDash {
    /// `pseudolegal`: whether moves that leave the own king attacked count, too.
    pub pseudo: bool,
    /// Origin of the piece.
    pub left: Option<Child>,
    /// Destination of the piece.
    pub right: Option<Child>,
    /// The kind of special move, if only one kind counts.
    pub target: Option<LegalTarget>,
}

/// Moves that were not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unplayed {
    /// `legal`: moves that could be played.
    Legal,
    /// `pseudolegal`: these, and moves that leave the own king attacked.
    Pseudolegal,
    /// `reverse`: moves that could have led here.
    Reverse,
}

impl Unplayed {
    /// Returns the word.
    pub const fn word(self) -> &'static str {
        match self {
            Unplayed::Legal => "legal",
            Unplayed::Pseudolegal => "pseudolegal",
            Unplayed::Reverse => "reverse",
        }
    }
}

/// `legal D` or `pseudolegal D` with a target that is evaluated after every such move, or
/// `reverse D` with a target that is evaluated before it.
#[derive(Debug, Clone)]
pub struct TriedDash {
    /// The kind of moves.
    pub moves: Unplayed,
    /// `legal all D`: whether the target must match after every move.
    pub all: bool,
    /// The moves and the target. Only for `reverse` may the target be empty.
    pub dash: Dash,
}

/// Moves that `countmoves` counts.
#[derive(Debug, Clone)]
pub enum Countable {
    /// Moves of the game from here.
    Played(Box<Dash>),
    /// `currentmove countmoves D`: all moves of the parent (a quirk of the reference).
    PlayedFromParent(Box<Dash>),
    /// Generated moves.
    Legal(LegalDash),
    /// Generated moves after which a target matches.
    Tried(Box<TriedDash>),
}

/// The moves that a `move` filter considers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveMode {
    Next,
    Previous,
    Legal,
    Pseudolegal,
}

/// Value of a `move` filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveValue {
    Match,
    From,
    To,
    Capture,
    Count,
}

/// `move …` of CQL 6.0 and 6.1; `S` refers to a set, `C` to a condition.
#[derive(Debug, Clone)]
pub struct MoveFilter<S = Child, C = Child> {
    /// The moves to consider.
    pub mode: MoveMode,
    /// The value.
    pub value: MoveValue,
    /// `from S`
    pub from: Option<S>,
    /// `to S`
    pub to: Option<S>,
    /// `capture S`
    pub capture: Option<S>,
    /// `promote PD`: bit 0 pawn … bit 5 king
    pub promote: Option<u8>,
    /// `enpassant`
    pub en_passant: bool,
    /// `enpassantsquare S`
    pub en_passant_square: Option<S>,
    /// `castle`, `o-o`, `o-o-o`
    pub castle: Option<LegalTarget>,
    /// `null`
    pub null: bool,
    /// `primary`
    pub primary: bool,
    /// `secondary`
    pub secondary: bool,
    /// The trailing `comment(…)`, evaluated after each matching move.
    pub comment: Option<C>,
}

/// Any following move.
impl<S, C> Default for MoveFilter<S, C> {
    fn default() -> MoveFilter<S, C> {
        MoveFilter {
            mode: MoveMode::Next,
            value: MoveValue::Match,
            from: None,
            to: None,
            capture: None,
            promote: None,
            en_passant: false,
            en_passant_square: None,
            castle: None,
            null: false,
            primary: false,
            secondary: false,
            comment: None,
        }
    }
}

/// Repetition of a constituent of a path or line; `?` is 0–1, `*` 0–100000, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Repeat {
    Optional,
    Star,
    Plus,
    Times { min: u32, max: u32 },
}

impl Repeat {
    /// Whether zero repetitions are allowed.
    pub const fn allows_none(self) -> bool {
        matches!(self, Repeat::Optional | Repeat::Star | Repeat::Times { min: 0, .. })
    }
}

/// A part of a `path`.
#[derive(Debug, Clone)]
pub enum Constituent {
    /// A filter that must match at the position reached.
    Filter(Filter),
    /// A move, and the filters that must match after it.
    Dash {
        /// The move; it has no target.
        dash: Dash,
        /// The filters that must match after the move.
        filters: Vec<Filter>,
        /// The suffix.
        repeat: Option<Repeat>,
    },
    /// `( … )`
    Group {
        /// The constituents in the parentheses.
        members: Vec<Constituent>,
        /// The suffix.
        repeat: Option<Repeat>,
    },
}

/// Words of a `path` that do not depend on its constituents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PathFlags {
    /// `focus capture`
    pub focus_capture: bool,
    /// `singlecolor`
    pub single_color: bool,
    /// `primary`
    pub primary: bool,
    /// `nestban`
    pub nestban: bool,
    /// `firstmatch`
    pub firstmatch: bool,
    /// `keepallbest`
    pub keepallbest: bool,
    /// `piecepath`
    pub piecepath: bool,
    /// `verbose`
    pub verbose: bool,
    /// `quiet`
    pub quiet: bool,
}

/// `path …`.
#[derive(Debug, Clone, Default)]
pub struct Path {
    /// Index among the `path` filters of the query.
    pub index: u32,
    /// Its words.
    pub flags: PathFlags,
    /// `focus S`, `focus capture S`
    pub focus: Option<Child>,
    /// `max E`
    pub max: Option<Child>,
    /// `title "S"`
    pub title: Option<Vec<u8>>,
    /// `lastposition`
    pub lastposition: bool,
    /// The range of the count (or of the `max` value).
    pub range: Option<Range>,
    /// The moves and filters.
    pub constituents: Vec<Constituent>,
    /// Variables that are saved and restored along branches.
    pub atomic: Vec<VariableId>,
}

/// A part of a `line`; `F` is a filter or refers to one.
#[derive(Debug, Clone)]
pub struct LineConstituent<F = Filter> {
    /// The filter or group that must match.
    pub item: LineItem<F>,
    /// The suffixes, innermost first.
    pub repeats: Vec<Repeat>,
}

/// A filter or a group of a `line`.
#[derive(Debug, Clone)]
pub enum LineItem<F = Filter> {
    /// A filter, which consumes one position.
    Filter(F),
    /// `( lc arrow lc … )`
    Group(Vec<LineConstituent<F>>),
}

impl<F> LineConstituent<F> {
    /// Whether the constituent can match zero positions.
    pub fn may_be_empty(&self) -> bool {
        self.repeats.iter().any(|repeat| repeat.allows_none())
            || match &self.item {
                LineItem::Filter(_) => false,
                LineItem::Group(members) => members.iter().all(LineConstituent::may_be_empty),
            }
    }

    /// Visits the filters, in the order of the text.
    pub(crate) fn for_each<'a>(&'a self, visit: &mut dyn FnMut(&'a F)) {
        match &self.item {
            LineItem::Filter(filter) => visit(filter),
            LineItem::Group(members) => members.iter().for_each(|c| c.for_each(visit)),
        }
    }

    /// Returns the constituent with each filter replaced by the result of `of`, in the order of the
    /// text.
    pub fn map<G>(&self, of: &mut dyn FnMut(&F) -> G) -> LineConstituent<G> {
        LineConstituent {
            item: match &self.item {
                LineItem::Filter(filter) => LineItem::Filter(of(filter)),
                LineItem::Group(members) => {
                    LineItem::Group(members.iter().map(|member| member.map(of)).collect())
                }
            },
            repeats: self.repeats.clone(),
        }
    }
}

/// Words of a `line`, and the direction of its arrows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LineFlags {
    /// `-->` rather than `<--`.
    pub forward: bool,
    /// `singlecolor`
    pub single_color: bool,
    /// `primary`
    pub primary: bool,
    /// `secondary`
    pub secondary: bool,
    /// `quiet`
    pub quiet: bool,
    /// `nestban`
    pub nestban: bool,
    /// `firstmatch`
    pub firstmatch: bool,
}

/// `line …` of CQL 6.0 and 6.1.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// Index among the filters with state.
    pub index: u32,
    /// Its words.
    pub flags: LineFlags,
    /// `lastposition`
    pub lastposition: bool,
    /// Range of the value.
    pub range: Option<Range>,
    /// The constituents between the arrows.
    pub constituents: Vec<LineConstituent>,
}
