//! Loops over squares, rays and pins, moves, paths and lines.

use super::{Child, Filter, Range, VariableId};

/// What a `square`/`piece` loop binds and visits.
#[derive(Debug, Clone)]
pub struct SquareLoop {
    /// The loop variable: a Set variable, or a Piece variable for `piece`.
    pub variable: VariableId,
    /// `piece` form: skips empty squares.
    pub piece: bool,
    /// `all` form: Boolean, must match for each.
    pub all: bool,
    /// What is iterated over.
    pub domain: Child,
    /// What must match.
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
    /// What it yields.
    pub value: PinPart,
}

/// `ray …`, `xray …`, chains of arrows; `S` is or refers to a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Ray<S = Filter> {
    /// Starts at line pieces only, in the directions in which they move.
    pub attack: bool,
    /// Allowed (file, rank) steps; all eight for attack rays.
    pub steps: Vec<(i8, i8)>,
    /// In the order of evaluation: first point to last.
    pub operands: Vec<S>,
    /// Yields the first squares of the rays rather than the last.
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
    /// `[x]`: only captures.
    pub capture: bool,
    /// Where the piece comes from; absent: anywhere.
    pub left: Option<Child>,
    /// Where it goes (for captures: what is taken); absent: anywhere.
    pub right: Option<Child>,
    /// What it becomes.
    pub promotion: Option<Promotion>,
    /// What must match after the move, in order; empty where none was written.
    pub target: Vec<Filter>,
}

/// The targets that say what kind of move `legal` and `pseudolegal` mean; all others are asked
/// behind the move, see [`TriedDash`].
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
    /// `pseudolegal`: moves that leave the own king attacked count, too.
    pub pseudo: bool,
    /// Where the piece comes from.
    pub left: Option<Child>,
    /// Where it goes.
    pub right: Option<Child>,
    /// Special moves only.
    pub target: Option<LegalTarget>,
}

/// Moves that were not played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unplayed {
    /// `legal`: moves that could be played.
    Legal,
    /// `pseudolegal`: the same, and those that leave the own king attacked.
    Pseudolegal,
    /// `reverse`: moves that could have led here.
    Reverse,
}

impl Unplayed {
    /// The word.
    pub const fn word(self) -> &'static str {
        match self {
            Unplayed::Legal => "legal",
            Unplayed::Pseudolegal => "pseudolegal",
            Unplayed::Reverse => "reverse",
        }
    }
}

/// `legal D`, `pseudolegal D` with a target that is asked behind every such move, and `reverse D`
/// with one that is asked before it.
#[derive(Debug, Clone)]
pub struct TriedDash {
    /// Which moves.
    pub moves: Unplayed,
    /// `legal all D`: the target must match behind every move.
    pub all: bool,
    /// The moves and the target, which is never empty but with `reverse`.
    pub dash: Dash,
}

/// What `countmoves` counts.
#[derive(Debug, Clone)]
pub enum Countable {
    /// Moves of the game from here.
    Played(Box<Dash>),
    /// `currentmove countmoves D`: all moves of the parent (a quirk of the reference).
    PlayedFromParent(Box<Dash>),
    /// Generated moves.
    Legal(LegalDash),
    /// Generated moves behind which something matches.
    Tried(Box<TriedDash>),
}

/// Whose moves a `move` filter looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum MoveMode {
    Next,
    Previous,
    Legal,
    Pseudolegal,
}

/// What a `move` filter yields.
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
    /// Whose moves.
    pub mode: MoveMode,
    /// What it yields.
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

/// Any move that follows.
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

/// How often a constituent of a path or line is repeated; `?` is 0–1, `*` 0–100000, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Repeat {
    Optional,
    Star,
    Plus,
    Times { min: u32, max: u32 },
}

impl Repeat {
    /// Whether no time at all is enough.
    pub const fn allows_none(self) -> bool {
        matches!(
            self,
            Repeat::Optional | Repeat::Star | Repeat::Times { min: 0, .. }
        )
    }
}

/// A part of a `path`.
#[derive(Debug, Clone)]
pub enum Constituent {
    /// Must match at the position reached.
    Filter(Filter),
    /// A move, and the filters that must match behind it.
    Dash {
        /// The move; it has no target.
        dash: Dash,
        /// What must match behind it.
        filters: Vec<Filter>,
        /// The suffix.
        repeat: Option<Repeat>,
    },
    /// `( … )`
    Group {
        /// What stands inside.
        members: Vec<Constituent>,
        /// The suffix.
        repeat: Option<Repeat>,
    },
}

/// The words that a `path` may have, whatever it is made of.
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

/// A part of a `line`; `F` is or refers to a filter.
#[derive(Debug, Clone)]
pub struct LineConstituent<F = Filter> {
    /// What must match.
    pub item: LineItem<F>,
    /// The suffixes, innermost first.
    pub repeats: Vec<Repeat>,
}

/// A filter or a group of a `line`.
#[derive(Debug, Clone)]
pub enum LineItem<F = Filter> {
    /// Consumes one position.
    Filter(F),
    /// `( lc arrow lc … )`
    Group(Vec<LineConstituent<F>>),
}

impl<F> LineConstituent<F> {
    /// Whether it can match no positions at all.
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

    /// The same of what `of` makes of each filter, in the order of the text.
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

/// The words that a `line` may have, and where its arrows point.
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
    /// Index among the filters that keep state.
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
