//! The tree of a CQL 6 query.
//!
//! CQL's grammar depends on types (an operator is taken only where the type of its left operand
//! admits it), so the parser types while it parses: every [`Filter`] carries its static type,
//! names are resolved to [`VariableId`]s and [`DictionaryId`]s, and function calls are expanded.
//! Transforms are *not* applied here; that is part of lowering.

use crate::builtin::{Binary, Constant, Nullary, Unary};
use crate::designator::{Designator, PieceSet};
use crate::span::Span;
use crate::token::GameResult;

/// The static type of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Matches or does not.
    Boolean,
    /// A set of squares; never fails, may be empty.
    Set,
    /// A signed 32-bit number, or no value.
    Numeric,
    /// A string of bytes, or no value.
    String,
    /// A position of the current game, or no value.
    Position,
}

/// A whole query: header, filters, and the names that they share.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// What `cql( … )` says.
    pub header: Header,
    /// The filters, all of which must match; filters of the command line come first, as one block.
    pub filters: Vec<Filter>,
    /// Expressions that are evaluated where the query matches, in the order in which they are
    /// given; several filters of one text stand as a block.
    pub values: Vec<Filter>,
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// All dictionaries, by [`DictionaryId`].
    pub dictionaries: Vec<Dictionary>,
    /// The sort variables in creation order (inner `sort` before outer), by [`SortId`].
    pub sorts: Vec<SortVariable>,
    /// Number of `path` filters, each of which has an index of its own.
    pub n_paths: u32,
    /// Number of other filters that keep state per game (`line`, `consecutivemoves`).
    pub n_trackers: u32,
    /// Whether a filter is present that needs the file system (`readfile`, `writefile`).
    pub uses_files: bool,
    /// The first place that `rotate45` could not turn: a designator with squares, `light`, `dark`
    /// or `fen "BOARD"` outside of `notransform`. For options that transform the whole query.
    pub fixed_squares: Option<Span>,
}

/// The parameters of `cql( … )`.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// `input FILE`.
    pub input: Option<(String, Span)>,
    /// `output FILE`.
    pub output: Option<(String, Span)>,
    /// `variations`.
    pub variations: bool,
    /// `gamenumber RANGE`.
    pub gamenumber: Option<(i32, i32)>,
    /// `matchcount RANGE` or `sort matchcount RANGE`.
    pub matchcount: Option<(i32, i32)>,
    /// `sort matchcount RANGE`.
    pub sort_matchcount: bool,
    /// `result R`, in order; all must hold.
    pub results: Vec<GameResult>,
    /// `matchstring "S"`.
    pub matchstring: Option<Vec<u8>>,
    /// The first of `quiet` and `silent`.
    pub level: Option<CommentLevel>,
}

/// How much is written into the comments of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CommentLevel {
    /// Nothing.
    Silent,
    /// What the user asks for, no automatic texts.
    Quiet,
    /// Everything.
    #[default]
    Normal,
}

/// Index of a variable in [`Query::variables`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// Index of a dictionary in [`Query::dictionaries`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DictionaryId(pub u32);

/// Index of a sort variable in [`Query::sorts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SortId(pub u32);

/// What a variable holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A set of squares.
    Set,
    /// A number.
    Numeric,
    /// A string.
    String,
    /// A position.
    Position,
    /// The identity of a piece; read as the set of its square.
    Piece,
}

impl VariableKind {
    /// The type of a filter that reads such a variable.
    pub const fn ty(self) -> Type {
        match self {
            VariableKind::Set | VariableKind::Piece => Type::Set,
            VariableKind::Numeric => Type::Numeric,
            VariableKind::String => Type::String,
            VariableKind::Position => Type::Position,
        }
    }
}

/// A variable of the query.
#[derive(Debug, Clone)]
pub struct Variable {
    /// As written; hidden variables of function arguments have a name no user can write.
    pub name: String,
    /// What it holds.
    pub kind: VariableKind,
    /// Kept from game to game and printed at the end (`quiet`: not printed).
    pub persistent: Option<Persistence>,
    /// Saved and restored along the branches of a path.
    pub atomic: bool,
}

/// What `persistent` was followed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// Printed after the run.
    Shown,
    /// `persistent quiet`.
    Quiet,
}

/// A dictionary of the query.
#[derive(Debug, Clone)]
pub struct Dictionary {
    /// As written.
    pub name: String,
    /// Emptied at the start of each game.
    pub local: bool,
    /// Type of the keys, fixed by the first textual use.
    pub key: Option<Type>,
    /// Type of the values, fixed by the first assignment.
    pub value: Option<Type>,
}

/// A sort variable; filters with the same label share one.
#[derive(Debug, Clone)]
pub struct SortVariable {
    /// The label, or `<sort-id-K>`.
    pub label: Vec<u8>,
    /// Direction in which games are ordered: that of the first filter with this label.
    pub ascending: bool,
    /// Not shown in the first comment.
    pub quiet: bool,
    /// Numeric or String (Set arguments count as numbers).
    pub ty: Type,
}

/// A filter with its type.
#[derive(Debug, Clone)]
pub struct Filter {
    /// What it is.
    pub kind: FilterKind,
    /// Its static type.
    pub ty: Type,
    /// Where it stands.
    pub span: Span,
}

/// A boxed filter.
pub type Child = Box<Filter>;

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

/// Boolean `hhdb` keys; the award forms are [`FilterKind::HhdbAward`].
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

/// The basic and compound directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum DirectionName {
    Up,
    Down,
    Left,
    Right,
    NorthEast,
    NorthWest,
    SouthEast,
    SouthWest,
    Vertical,
    Horizontal,
    Orthogonal,
    Diagonal,
    MainDiagonal,
    OffDiagonal,
    AnyDirection,
}

impl DirectionName {
    /// The (file, rank) steps that the name stands for.
    pub const fn steps(self) -> &'static [(i8, i8)] {
        match self {
            DirectionName::Up => &[(0, 1)],
            DirectionName::Down => &[(0, -1)],
            DirectionName::Left => &[(-1, 0)],
            DirectionName::Right => &[(1, 0)],
            DirectionName::NorthEast => &[(1, 1)],
            DirectionName::NorthWest => &[(-1, 1)],
            DirectionName::SouthEast => &[(1, -1)],
            DirectionName::SouthWest => &[(-1, -1)],
            DirectionName::Vertical => &[(0, 1), (0, -1)],
            DirectionName::Horizontal => &[(-1, 0), (1, 0)],
            DirectionName::Orthogonal => &[(0, 1), (0, -1), (-1, 0), (1, 0)],
            DirectionName::Diagonal => &[(1, 1), (-1, 1), (1, -1), (-1, -1)],
            DirectionName::MainDiagonal => &[(1, 1), (-1, -1)],
            DirectionName::OffDiagonal => &[(-1, 1), (1, -1)],
            DirectionName::AnyDirection => &[
                (0, 1),
                (0, -1),
                (-1, 0),
                (1, 0),
                (1, 1),
                (-1, 1),
                (1, -1),
                (-1, -1),
            ],
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
    pub const COUNT: Range = Range {
        min: Bound::Constant(-100_000),
        max: Bound::Constant(100_000),
    };
}

/// The families of transforms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum TransformFamily {
    /// `flip`, `flipdihedral`, `dihedral`
    Flip,
    FlipColor,
    FlipHorizontal,
    FlipVertical,
    Rotate90,
    Rotate45,
    Shift,
    ShiftHorizontal,
    ShiftVertical,
    ReverseColor,
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

/// A promotion operand of a dash.
#[derive(Debug, Clone)]
pub enum Promotion {
    /// `=.`, `=A`: any promotion.
    Any,
    /// A designator without squares; bit 0 pawn … bit 5 king (colors do not matter).
    Roles(u8),
    /// A String filter, evaluated before the move.
    Text(Child),
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

/// The only targets that `legal` and `pseudolegal` allow.
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

/// What `countmoves` counts.
#[derive(Debug, Clone)]
pub enum Countable {
    /// Moves of the game from here.
    Played(Dash),
    /// `currentmove countmoves D`: all moves of the parent (a quirk of the reference).
    PlayedFromParent(Dash),
    /// Generated moves.
    Legal(LegalDash),
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

/// How often a constituent of a path or line is repeated; `?` is 0–1, `*` 0–100000, and so on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Repeat {
    Optional,
    Star,
    Plus,
    Times { min: u32, max: u32 },
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

/// `path …`.
#[derive(Debug, Clone)]
pub struct Path {
    /// Index among the `path` filters of the query.
    pub index: u32,
    /// `focus S`, `focus capture S`
    pub focus: Option<Child>,
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
    /// `max E`
    pub max: Option<Child>,
    /// `piecepath`
    pub piecepath: bool,
    /// `verbose`
    pub verbose: bool,
    /// `quiet`
    pub quiet: bool,
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

/// A part of a `line`.
#[derive(Debug, Clone)]
pub struct LineConstituent {
    /// What must match.
    pub item: LineItem,
    /// The suffixes, innermost first.
    pub repeats: Vec<Repeat>,
}

/// A filter or a group of a `line`.
#[derive(Debug, Clone)]
pub enum LineItem {
    /// Consumes one position.
    Filter(Filter),
    /// `( lc arrow lc … )`
    Group(Vec<LineConstituent>),
}

/// `line …` of CQL 6.0 and 6.1.
#[derive(Debug, Clone)]
pub struct Line {
    /// Index among the filters that keep state.
    pub index: u32,
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
    /// `lastposition`
    pub lastposition: bool,
    /// Range of the value.
    pub range: Option<Range>,
    /// The constituents between the arrows.
    pub constituents: Vec<LineConstituent>,
}

/// Every filter of CQL 6.2.
#[derive(Debug, Clone)]
pub enum FilterKind {
    // ---- constants and names
    /// A number literal (a minus sign belongs to it).
    Number(i32),
    /// A string literal.
    Text(Vec<u8>),
    /// A piece designator.
    Designator(Designator),
    /// A regular word without operands.
    Nullary(Nullary),
    /// A regular word with one operand.
    Unary(Unary, Child),
    /// A regular word with two operands.
    Binary(Binary, Child, Child),
    /// A string without operands.
    TextSource(TextSource),
    /// `.`
    AllSquares,
    /// `[]`
    NoSquares,
    /// A variable read.
    Variable(VariableId),
    /// The name of a dictionary alone; always matches.
    Dictionary(DictionaryId),

    // ---- composition
    /// `{ F… }`; with one member only around a lone variable.
    Block(Vec<Filter>),
    /// `F or G or …`
    Or(Vec<Filter>),
    /// `F and G and …`
    And(Vec<Filter>),
    /// `not F`
    Not(Child),
    /// `L == R` and its like. `!=` is `Relation::NotEqual`; Set operands against numbers have
    /// been wrapped in `FilterKind::Cardinality`.
    Relation {
        /// Which.
        op: Relation,
        /// Left operand.
        left: Child,
        /// Right operand.
        right: Child,
    },
    /// `equal(F G)`
    Equal(Child, Child),
    /// `S in T` on Sets (subset) or Strings (substring).
    In(Child, Child),
    /// `if C then F else G`
    If {
        /// The test.
        test: Child,
        /// If it matches.
        then: Child,
        /// If not.
        otherwise: Option<Child>,
    },
    /// `while (C) F`
    While(Child, Child),
    /// `while (S ~~ "re") F`
    WhileMatch {
        /// The string searched.
        subject: Child,
        /// The regular expression and where it stands.
        pattern: (Vec<u8>, Span),
        /// Evaluated for every match.
        body: Child,
    },
    /// `loop F`
    Loop(Child),
    /// `assert F`
    Assert(Child),
    /// `square x in S F`, `piece all x in S F` …
    SquareLoop(SquareLoop),
    /// `x [element] D F`, `string k in D F`
    DictionaryLoop {
        /// Bound to each key.
        variable: VariableId,
        /// Iterated over.
        dictionary: DictionaryId,
        /// Evaluated for each key.
        body: Child,
    },
    /// A function definition; always matches.
    FunctionDefinition,
    /// A call, expanded: hidden variables are bound to the arguments, then the body is evaluated.
    Call {
        /// Hidden variables and the arguments passed by value.
        arguments: Vec<(VariableId, Filter)>,
        /// The expanded body.
        body: Child,
    },

    // ---- variables
    /// `x = E` and its like.
    Assign {
        /// The variable.
        variable: VariableId,
        /// How.
        op: AssignOp,
        /// The value.
        value: Child,
    },
    /// `piece x = S`
    AssignPiece(VariableId, Child),
    /// `v[i] = S`, `v[i:j] = S`
    AssignSlice {
        /// A String variable.
        variable: VariableId,
        /// What is replaced.
        slice: Slice,
        /// By what.
        value: Child,
    },
    /// `unbind x`
    Unbind(VariableId),
    /// `unbind D`
    UnbindDictionary(DictionaryId),
    /// `unbind D[k]`
    UnbindEntry(DictionaryId, Child),
    /// `isbound x`; `None`: no such variable, or a function. Dictionaries have become `true`.
    IsBound(Option<VariableId>),
    /// `D[k]`
    Lookup(DictionaryId, Child),
    /// `D[k] = v`
    AssignEntry(DictionaryId, Child, Child),
    /// `dictionary D` as a filter; always matches.
    DictionaryDeclaration(DictionaryId),

    // ---- numbers
    /// `A + B` and its like on numbers.
    Arithmetic(Arithmetic, Child, Child),
    /// `- E`
    Negate(Child),
    /// `elo`, `elo white`, `elo black`
    Elo(Option<Color>),
    /// `hhdb egdiagram`
    HhdbEgDiagram,
    /// `#S`
    Cardinality(Child),
    /// `pieceid v` of a piece variable
    PieceIdOf(VariableId),
    /// `#STRING`
    Length(Child),
    /// `#D`
    DictionarySize(DictionaryId),
    /// `max( … )`, `min( … )` on numbers or strings
    Extremum {
        /// `max`
        max: bool,
        /// At least two.
        items: Vec<Filter>,
    },
    /// `ascii S` of a String
    AsciiCode(Child),
    /// `\-3`
    GroupIndex(u8),
    /// `hhdb prize` and its like
    HhdbAward(Award),

    // ---- sets
    /// `S | T`
    Union(Child, Child),
    /// `S & T`
    Intersect(Child, Child),
    /// `~S`
    Complement(Child),
    /// `P & Q` on positions: squares with the same content
    SameContent(Child, Child),
    /// `X attacks Y`, `X -> Y`
    Attacks(Child, Child),
    /// `X attackedby Y`, `X <- Y`
    AttackedBy(Child, Child),
    /// `ray …`, `xray …`, chains of arrows
    Ray {
        /// Starts at line pieces only, in the directions in which they move.
        attack: bool,
        /// Allowed (file, rank) steps; all eight for attack rays.
        steps: Vec<(i8, i8)>,
        /// In the order of evaluation: first point to last.
        operands: Vec<Filter>,
        /// Yields the first squares of the rays rather than the last.
        first: bool,
    },
    /// `pin …`
    Pin {
        /// `from S`
        from: Option<Child>,
        /// `through S`
        through: Option<Child>,
        /// `to S`
        to: Option<Child>,
        /// What it yields.
        value: PinPart,
    },
    /// `up 1 2 S` and its like
    Direction {
        /// Where to.
        direction: DirectionName,
        /// Number of steps; `None`: 1–7.
        range: Option<Range>,
        /// From where.
        operand: Child,
    },
    /// `light S`, `dark S`
    SquareColor {
        /// `light`
        light: bool,
        /// Of which squares.
        operand: Child,
    },
    /// `makesquare(f r)`
    MakeSquare(Child, Child),
    /// `makesquare S`
    MakeSquareFromText(Child),

    // ---- strings
    /// `S + T` on strings
    Concatenate(Child, Child),
    /// `S[i]`, `S[i:j]`
    Substring(Child, Slice),
    /// `S ~~ "re"`
    Match {
        /// The string searched.
        subject: Child,
        /// The regular expression and where it stands.
        pattern: (Vec<u8>, Span),
    },
    /// `\3`
    Group(u8),
    /// `str( … )`
    Str(Vec<Filter>),
    /// `ascii N` of a number
    AsciiCharacter(Child),
    /// `readfile S`
    ReadFile(Child),

    // ---- positions
    /// `P : F`
    At(Child, Child),
    /// `child(E)`; `child` is `child(0)`
    ChildPosition(Child),
    /// `find …`
    Find {
        /// No automatic comments.
        quiet: bool,
        /// `all`
        all: bool,
        /// `<--`
        backward: bool,
        /// How many must be found.
        range: Option<Range>,
        /// What must match.
        body: Child,
    },
    /// `echo (S T) F`
    Echo {
        /// No automatic comments.
        quiet: bool,
        /// Bound to the current position.
        source: VariableId,
        /// Bound to the other position.
        target: VariableId,
        /// `in all`: the other position may be the current one.
        all: bool,
        /// Evaluated at the other position.
        body: Child,
    },
    /// `consecutivemoves (S T)`
    ConsecutiveMoves {
        /// Index among the filters that keep state.
        index: u32,
        /// No automatic comments.
        quiet: bool,
        /// Required length.
        range: Option<Range>,
        /// First position.
        source: VariableId,
        /// Second position.
        target: VariableId,
    },
    /// `similarposition …`
    SimilarPosition {
        /// `nosort`
        nosort: bool,
        /// `notransform`
        notransform: bool,
        /// The PGN file and where its name stands.
        file: (Vec<u8>, Span),
    },

    // ---- moves
    /// `L--R=P(T)`, `L[x]R=P(T)`
    Dash(Dash),
    /// `currentmove D`
    CurrentMove(Dash),
    /// `legal D`, `pseudolegal D`
    Legal(LegalDash),
    /// `countmoves D`
    CountMoves(Countable),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `path …`
    Path(Box<Path>),
    /// `line …`
    Line(Box<Line>),

    // ---- transforms
    /// `flip F` and its like
    Transform {
        /// Which.
        family: TransformFamily,
        /// Counts the members that match.
        range: Option<Range>,
        /// What is transformed.
        body: Child,
    },
    /// `notransform F`
    NoTransform(Child),

    // ---- game data and output
    /// `fen "BOARD"`: one designator per square, a1 first
    FenPattern(Box<[PieceSet; 64]>),
    /// `result R`
    Result(GameResult),
    /// `F "text"`: the text occurs in the string
    Contains(Vec<u8>, Child),
    /// `originalcomment "!"`: the position carries that NAG
    HasNag(u8),
    /// `settag("Name" S)`
    SetTag(Vec<u8>, Child),
    /// A Boolean `hhdb` key
    HhdbFlag(HhdbFlag),
    /// `removecomment`
    RemoveComment,
    /// `comment( … )`, `/// …`
    Comment(Vec<Filter>),
    /// `message( … )`
    Message {
        /// Without game number and position.
        quiet: bool,
        /// What is printed.
        items: Vec<Filter>,
    },
    /// `writefile(NAME TEXT)`
    WriteFile(Child, Child),
    /// `sort …`
    Sort {
        /// The variable.
        variable: SortId,
        /// Keeps the least value (this filter's own direction).
        ascending: bool,
        /// Numeric, String, or a Set wrapped in `FilterKind::Cardinality`.
        body: Child,
    },
}

/// What `S[…]` selects; `N` refers to a number.
#[derive(Debug, Clone, Copy)]
pub enum Slice<N = Child> {
    /// `[i]`
    Index(N),
    /// `[i:j]`
    Range(Option<N>, Option<N>),
}

impl FilterKind {
    /// `true`
    pub(crate) const TRUE: FilterKind = FilterKind::Nullary(Nullary::Constant(Constant::True));
}

impl Filter {
    /// Visits the filters directly below this one, in the order of the text.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        use FilterKind as K;
        match &self.kind {
            K::Number(_)
            | K::Text(_)
            | K::Designator(_)
            | K::Nullary(_)
            | K::AllSquares
            | K::NoSquares
            | K::Elo(_)
            | K::HhdbEgDiagram
            | K::RemoveComment
            | K::TextSource(_)
            | K::Variable(_)
            | K::Dictionary(_)
            | K::FunctionDefinition
            | K::Unbind(_)
            | K::UnbindDictionary(_)
            | K::IsBound(_)
            | K::DictionaryDeclaration(_)
            | K::PieceIdOf(_)
            | K::DictionarySize(_)
            | K::GroupIndex(_)
            | K::HhdbAward(_)
            | K::Group(_)
            | K::ConsecutiveMoves { .. }
            | K::SimilarPosition { .. }
            | K::FenPattern(_)
            | K::Result(_)
            | K::HasNag(_)
            | K::HhdbFlag(_) => {}
            K::Block(items)
            | K::Or(items)
            | K::And(items)
            | K::Extremum { items, .. }
            | K::Str(items)
            | K::Comment(items)
            | K::Message { items, .. }
            | K::Ray {
                operands: items, ..
            } => items.iter().for_each(visit),
            K::Not(a)
            | K::Loop(a)
            | K::Assert(a)
            | K::AssignPiece(_, a)
            | K::UnbindEntry(_, a)
            | K::Lookup(_, a)
            | K::Negate(a)
            | K::Unary(_, a)
            | K::Cardinality(a)
            | K::Length(a)
            | K::AsciiCode(a)
            | K::Complement(a)
            | K::MakeSquareFromText(a)
            | K::Match { subject: a, .. }
            | K::AsciiCharacter(a)
            | K::ReadFile(a)
            | K::ChildPosition(a)
            | K::NoTransform(a)
            | K::Contains(_, a)
            | K::SetTag(_, a)
            | K::DictionaryLoop { body: a, .. }
            | K::Assign { value: a, .. }
            | K::Direction { operand: a, .. }
            | K::SquareColor { operand: a, .. }
            | K::Find { body: a, .. }
            | K::Echo { body: a, .. }
            | K::Transform { body: a, .. }
            | K::Sort { body: a, .. } => visit(a),
            K::Relation { left, right, .. } => {
                visit(left);
                visit(right);
            }
            K::Equal(a, b)
            | K::In(a, b)
            | K::While(a, b)
            | K::AssignEntry(_, a, b)
            | K::Arithmetic(_, a, b)
            | K::Binary(_, a, b)
            | K::Union(a, b)
            | K::Intersect(a, b)
            | K::SameContent(a, b)
            | K::Attacks(a, b)
            | K::AttackedBy(a, b)
            | K::MakeSquare(a, b)
            | K::Concatenate(a, b)
            | K::At(a, b)
            | K::WriteFile(a, b) => {
                visit(a);
                visit(b);
            }
            K::WhileMatch { subject, body, .. } => {
                visit(subject);
                visit(body);
            }
            K::If {
                test,
                then,
                otherwise,
            } => {
                visit(test);
                visit(then);
                otherwise.iter().for_each(|f| visit(f));
            }
            K::SquareLoop(SquareLoop { domain, body, .. }) => {
                visit(domain);
                visit(body);
            }
            K::Call { arguments, body } => {
                arguments.iter().for_each(|(_, f)| visit(f));
                visit(body);
            }
            K::AssignSlice { slice, value, .. } => {
                slice.for_each_child(visit);
                visit(value);
            }
            K::Substring(text, slice) => {
                visit(text);
                slice.for_each_child(visit);
            }
            K::Pin {
                from, through, to, ..
            } => [from, through, to]
                .into_iter()
                .flatten()
                .for_each(|f| visit(f)),
            K::Dash(dash) | K::CurrentMove(dash) => dash.for_each_child(visit),
            K::Legal(dash) => dash.for_each_child(visit),
            K::CountMoves(Countable::Legal(dash)) => dash.for_each_child(visit),
            K::CountMoves(Countable::Played(dash) | Countable::PlayedFromParent(dash)) => {
                dash.for_each_child(visit);
            }
            K::Move(filter) => [
                &filter.from,
                &filter.to,
                &filter.capture,
                &filter.en_passant_square,
                &filter.comment,
            ]
            .into_iter()
            .flatten()
            .for_each(|f| visit(f)),
            K::Path(path) => {
                [&path.focus, &path.max]
                    .into_iter()
                    .flatten()
                    .for_each(|f| visit(f));
                path.constituents
                    .iter()
                    .for_each(|c| c.for_each_child(visit));
            }
            K::Line(line) => line
                .constituents
                .iter()
                .for_each(|c| c.for_each_child(visit)),
        }
    }
}

impl Slice {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        match self {
            Slice::Index(index) => visit(index),
            Slice::Range(left, right) => [left, right].into_iter().flatten().for_each(|f| visit(f)),
        }
    }
}

impl Dash {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        [&self.left, &self.right]
            .into_iter()
            .flatten()
            .for_each(|f| visit(f));
        if let Some(Promotion::Text(text)) = &self.promotion {
            visit(text);
        }
        self.target.iter().for_each(visit);
    }
}

impl LegalDash {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        [&self.left, &self.right]
            .into_iter()
            .flatten()
            .for_each(|f| visit(f));
    }
}

impl Constituent {
    pub(crate) fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        match self {
            Constituent::Filter(filter) => visit(filter),
            Constituent::Dash { dash, filters, .. } => {
                dash.for_each_child(visit);
                filters.iter().for_each(visit);
            }
            Constituent::Group { members, .. } => {
                members.iter().for_each(|c| c.for_each_child(visit));
            }
        }
    }
}

impl LineConstituent {
    fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        match &self.item {
            LineItem::Filter(filter) => visit(filter),
            LineItem::Group(members) => members.iter().for_each(|c| c.for_each_child(visit)),
        }
    }
}
