//! The typed program: what every dialect is lowered to and what the evaluator runs.
//!
//! There is one arena per type of value, so that a filter of one type cannot stand where another
//! is needed. Transforms have been applied (an orbit is a list of its images), function calls are
//! bindings, names are slots, and misuse that the language only punishes when it is reached is a
//! node of its own. Programs are immutable and shared by all threads.

use board::{Color, SquareSet};
use syntax::Span;
use syntax::cql5::tree::Measure;
use syntax::tree::{
    Arithmetic, CommentLevel, Dictionary, DictionaryId, Relation, Repeat, SortId, SortVariable,
    Variable, VariableId,
};

use std::sync::Arc;

use crate::automaton::Automaton;
use crate::board_map::BoardMap;
use crate::limits::Limits;
use crate::pawns::PawnStructure;
use crate::regex::Regex;
use crate::similar::SimilarIndex;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub(crate) struct $name(pub(crate) u32);
        )*
    };
}

ids! {
    /// A filter asked only whether it matches.
    BoolId,
    /// A filter with a set of squares as its value.
    SetId,
    /// A filter with a number as its value.
    NumId,
    /// A filter with a string as its value.
    TextId,
    /// A filter with a position as its value.
    PosId,
    /// A dash with its operands.
    DashId,
    /// A path.
    PathId,
}

/// Constructs that exist for every type of value; `V` is the id type of the value.
#[derive(Debug, Clone)]
pub(crate) enum Flow<V> {
    /// `{ F… V }`: all conditions, then the value.
    Block(Box<[BoolId]>, V),
    /// `if C then V else V`
    If(BoolId, V, V),
    /// `P : V`
    At(PosId, V),
    /// A function call: bind hidden variables, then the body.
    Call(Box<[(VariableId, Value)]>, V),
    /// `D[k]`
    Lookup(DictionaryId, Value),
    /// The value of the target of a dash.
    Dash(DashId, V),
    /// The same, of the move that led here.
    CurrentMove(DashId, V),
    /// `sort`
    Sort(SortId, SortFilter<V>),
}

/// What a `sort` filter does with its argument.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SortFilter<V> {
    /// Keeps the least value.
    pub(crate) ascending: bool,
    /// The argument.
    pub(crate) body: V,
    /// Index among the `sort` filters, each of which keeps comments of its own.
    pub(crate) index: u32,
}

/// A filter of any type, where the type does not matter or is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Value {
    Bool(BoolId),
    Set(SetId),
    Num(NumId),
    Text(TextId),
    Pos(PosId),
}

/// Facts of the game record that are the same at every position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum GameText {
    Player(Color),
    Event,
    Site,
    Date,
    EventDate,
    Eco,
    /// Any other tag.
    Tag(Box<[u8]>),
    TagFen,
}

/// A number that may be known only at run time.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Bound {
    Constant(i32),
    Variable {
        id: VariableId,
        negated: bool,
        span: Span,
    },
}

/// A range, both ends included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Range {
    pub(crate) min: Bound,
    pub(crate) max: Bound,
}

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
    Patterns(Box<crate::opt::Patterns>),
    While(BoolId, BoolId),
    WhileMatch(TextId, Box<Regex>, BoolId),
    Loop(BoolId),
    Assert(BoolId, Span),
    /// `square all`, `piece all`
    ForAll(SquareLoop),
    DictionaryLoop(VariableId, DictionaryId, BoolId, Span),
    ConsumeDash(DashId),

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
    Check,
    Mate,
    Stalemate,
    Initial,
    Terminal,
    Mainline,
    Variation,
    VirtualMainline,
    Try,
    NullMove,
    EnPassant,
    Castle,
    ShortCastle,
    LongCastle,
    Primary,
    Secondary,
    /// Every square has one of the listed kinds; squares that may hold anything are left out.
    Fen(Box<[(SquareSet, u16)]>),

    // the game
    Result(syntax::token::GameResult),
    HasNag(u8),
    Hhdb(syntax::tree::HhdbFlag),
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
    Echo(Echo),
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

/// `hhdb prize` and its like.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Award {
    pub(crate) kind: syntax::tree::AwardKind,
    pub(crate) special: bool,
    pub(crate) max: bool,
    pub(crate) sort: Option<[SortId; 3]>,
}

/// `square x in S F`, `piece x in S F`.
#[derive(Debug, Clone)]
pub(crate) struct SquareLoop {
    pub(crate) variable: VariableId,
    pub(crate) piece: bool,
    pub(crate) domain: SetId,
    pub(crate) body: BoolId,
    /// The body as a condition on all squares at once, if it is one.
    pub(crate) condition: Option<Box<crate::opt::SquareCondition>>,
    /// The body fails, unnoticed, for all squares but these of the moves that follow.
    pub(crate) by_move: Option<crate::opt::MoveEnd>,
    pub(crate) span: Span,
}

/// Squares of the position, or computed ones. Never fails; may be empty.
#[derive(Debug, Clone)]
pub(crate) enum SetFilter {
    Constant(SquareSet),
    /// A designator with several kinds: bit 0–5 white pawn … king, 6–11 black, 12 empty.
    Pieces {
        kinds: u16,
        squares: SquareSet,
    },
    /// A designator with one kind of piece, the commonest case.
    Piece(board::Piece, SquareSet),
    /// A designator `A…` or `a…`.
    Color(Color, SquareSet),
    Variable(VariableId, Span),
    PieceVariable(VariableId, Span),
    Union(SetId, SetId),
    Intersect(SetId, SetId),
    Complement(SetId),
    Attacks(SetId, SetId),
    AttackedBy(SetId, SetId),
    Ray(Box<Ray>),
    Between(SetId, SetId),
    Pin(Box<Pin>),
    Direction(Box<[(i8, i8)]>, Range, SetId, Span),
    MakeSquare(NumId, NumId),
    MakeSquareFromText(TextId),
    From {
        /// In the scope of a dash (contextual castling).
        scoped: bool,
    },
    To {
        scoped: bool,
    },
    EnPassantSquare,
    PawnStructure(PawnStructure),
    PureMate,
    ModelMate,
    IdealMate,
    PureStalemate,
    ModelStalemate,
    IdealStalemate,
    Loop(SquareLoop),
    /// Union of the images.
    Orbit(Box<[SetId]>),
    SameContent(PosId, PosId),
    Legal(Box<LegalDash>),
    Move(Box<MoveFilter>),
    Flow(Flow<SetId>),
}

/// `ray`, `xray`, chains of arrows.
#[derive(Debug, Clone)]
pub(crate) struct Ray {
    pub(crate) attack: bool,
    pub(crate) steps: Box<[(i8, i8)]>,
    pub(crate) operands: Box<[SetId]>,
    /// Yields the first squares rather than the last.
    pub(crate) first: bool,
}

/// `pin`.
#[derive(Debug, Clone)]
pub(crate) struct Pin {
    pub(crate) from: Option<SetId>,
    pub(crate) through: Option<SetId>,
    pub(crate) to: Option<SetId>,
    pub(crate) value: syntax::tree::PinPart,
}

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

/// A string of bytes, or no value.
#[derive(Debug, Clone)]
pub(crate) enum TextFilter {
    Constant(Box<[u8]>),
    Variable(VariableId, Span),
    Game(GameText),
    Players,
    Fen,
    OriginalComment,
    Hhdb(syntax::tree::HhdbText),
    Concatenate(TextId, TextId),
    Substring(TextId, Slice),
    Match(TextId, Box<Regex>),
    Group(u8, Span),
    Str(Box<[Item]>),
    Uppercase(TextId),
    Lowercase(TextId),
    AsciiCharacter(NumId),
    PieceName { colored: bool, operand: SetId },
    ReadFile(TextId, Span),
    Relation(Relation, TextId, TextId),
    Extremum { max: bool, items: Box<[TextId]> },
    Flow(Flow<TextId>),
}

/// What `S[…]` selects.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Slice {
    Index(NumId),
    Range(Option<NumId>, Option<NumId>),
}

/// A position of the game tree, or no value.
#[derive(Debug, Clone)]
pub(crate) enum PosFilter {
    Current,
    Initial,
    Parent,
    PathStart { inside: bool },
    PathLastPosition { inside: bool },
    Variable(VariableId, Span),
    Child(NumId),
    ById(NumId),
    Lca(PosId, PosId),
    Relation(Relation, PosId, PosId),
    Find(Find),
    Path(PathId),
    Line(Box<Line>),
    Flow(Flow<PosId>),
}

/// What `comment`, `message`, `str` print.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Literal(Box<[u8]>),
    Bool(BoolId),
    Set(SetId),
    Num(NumId),
    Text(TextId),
    Pos(PosId),
    /// A variable by itself: may be unbound.
    Variable(VariableId),
    Dictionary(DictionaryId),
}

/// A promotion operand.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Promotion {
    Any,
    /// Bit 0 pawn … bit 5 king.
    Roles(u8),
    /// Evaluated before the move.
    Text(TextId),
}

/// A dash without its target's value.
#[derive(Debug, Clone)]
pub(crate) struct Dash {
    pub(crate) capture: bool,
    pub(crate) left: Option<SetId>,
    pub(crate) right: Option<SetId>,
    pub(crate) promotion: Option<Promotion>,
    /// What must match after the move (without the last filter where its value is wanted).
    pub(crate) target: Option<BoolId>,
}

/// `legal`, `pseudolegal`.
#[derive(Debug, Clone)]
pub(crate) struct LegalDash {
    pub(crate) pseudo: bool,
    pub(crate) left: Option<SetId>,
    pub(crate) right: Option<SetId>,
    pub(crate) target: Option<syntax::tree::LegalTarget>,
    /// Counting may stop there: the number is only compared with a smaller one.
    pub(crate) limit: u32,
}

/// What `countmoves` counts.
#[derive(Debug, Clone)]
pub(crate) enum Countable {
    Played(DashId),
    PlayedFromParent(DashId),
    Legal(Box<LegalDash>),
}

/// `move …`.
#[derive(Debug, Clone)]
pub(crate) struct MoveFilter {
    pub(crate) mode: syntax::tree::MoveMode,
    pub(crate) value: syntax::tree::MoveValue,
    pub(crate) from: Option<SetId>,
    pub(crate) to: Option<SetId>,
    pub(crate) capture: Option<SetId>,
    pub(crate) promote: Option<u8>,
    pub(crate) en_passant: bool,
    pub(crate) en_passant_square: Option<SetId>,
    pub(crate) castle: Option<syntax::tree::LegalTarget>,
    pub(crate) null: bool,
    pub(crate) primary: bool,
    pub(crate) secondary: bool,
    pub(crate) comment: Option<BoolId>,
}

/// A part of a path.
#[derive(Debug, Clone)]
pub(crate) enum Constituent {
    Filter(BoolId),
    /// A move with the filters that must match behind it (in the dash's target).
    Dash(DashId, Option<Repeat>),
    Group(Box<[Constituent]>, Option<Repeat>),
}

/// `path`.
#[derive(Debug, Clone)]
pub(crate) struct Path {
    /// Index among the paths of the query. Images of a transform share it unless they ban
    /// positions.
    pub(crate) index: u32,
    pub(crate) focus: Option<SetId>,
    pub(crate) focus_capture: bool,
    pub(crate) single_color: bool,
    pub(crate) primary: bool,
    pub(crate) nestban: bool,
    pub(crate) firstmatch: bool,
    pub(crate) keepallbest: bool,
    pub(crate) max: Option<NumId>,
    pub(crate) piecepath: bool,
    pub(crate) verbose: bool,
    pub(crate) quiet: bool,
    pub(crate) title: Option<Box<[u8]>>,
    pub(crate) range: Option<Range>,
    /// The constituents.
    pub(crate) automaton: Automaton,
    pub(crate) atomic: Box<[VariableId]>,
    pub(crate) span: Span,
}

/// A part of a line.
#[derive(Debug, Clone)]
pub(crate) struct LineConstituent {
    pub(crate) item: LineItem,
    pub(crate) repeats: Box<[Repeat]>,
}

/// A filter or a group of a line.
#[derive(Debug, Clone)]
pub(crate) enum LineItem {
    Filter {
        filter: BoolId,
        /// Holds a `move` filter that is to see one child at a time.
        linearize: bool,
    },
    Group(Box<[LineConstituent]>),
}

/// `line`.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) index: u32,
    pub(crate) forward: bool,
    pub(crate) single_color: bool,
    pub(crate) primary: bool,
    pub(crate) secondary: bool,
    pub(crate) quiet: bool,
    pub(crate) nestban: bool,
    pub(crate) firstmatch: bool,
    pub(crate) range: Option<Range>,
    /// Where nothing else matches, the line of no positions does, with the value 0.
    pub(crate) may_be_empty: bool,
    /// The constituents.
    pub(crate) automaton: Automaton,
    pub(crate) span: Span,
}

/// `find`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Find {
    pub(crate) quiet: bool,
    pub(crate) backward: bool,
    /// Present for `all` (1 and more) and with a range: counts.
    pub(crate) range: Option<Range>,
    /// Greatest number of moves from here.
    pub(crate) depth: Option<u32>,
    pub(crate) body: BoolId,
    pub(crate) span: Span,
    /// How it looks for positions, where it need not ask the body at each.
    pub(crate) finder: Option<u32>,
}

/// `echo` with a Boolean body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Echo {
    pub(crate) quiet: bool,
    pub(crate) source: VariableId,
    pub(crate) target: VariableId,
    pub(crate) all: bool,
    pub(crate) body: BoolId,
    /// Directly or indirectly under `sort`: leaves no comments.
    pub(crate) under_sort: bool,
    pub(crate) span: Span,
    /// Index of its plan, if there is one.
    pub(crate) plan: Option<u32>,
}

/// `echo` with a numeric body.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EchoValue {
    pub(crate) quiet: bool,
    pub(crate) source: VariableId,
    pub(crate) target: VariableId,
    pub(crate) all: bool,
    pub(crate) body: NumId,
    /// Directly or indirectly under `sort`: keeps only the comments of the best target.
    pub(crate) under_sort: bool,
    pub(crate) span: Span,
    /// Index of its plan, if there is one.
    pub(crate) plan: Option<u32>,
}

/// `consecutivemoves`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Consecutive {
    pub(crate) index: u32,
    pub(crate) quiet: bool,
    pub(crate) range: Option<Range>,
    pub(crate) source: VariableId,
    pub(crate) target: VariableId,
    pub(crate) span: Span,
}

/// `similarposition`.
#[derive(Debug, Clone)]
pub(crate) struct Similar {
    /// The variable by which games are sorted, unless they are not.
    pub(crate) sort: Option<SortId>,
    /// Not only equal positions.
    pub(crate) transforms: bool,
    pub(crate) file: Box<[u8]>,
    pub(crate) span: Span,
}

/// Some other position of the game, the target, is related to the current one, the source.
#[derive(Debug, Clone)]
pub(crate) struct PositionRelation {
    /// Index among the filters that keep state.
    pub(crate) index: u32,
    pub(crate) quiet: bool,
    /// All targets are looked at, because something is done at each of them.
    pub(crate) exhaustive: bool,
    /// What must match at the target.
    pub(crate) target: BoolId,
    /// That is the same whatever the source, and does nothing: asked once for every position.
    pub(crate) target_is_fixed: bool,
    pub(crate) parameters: Box<[RelationParameter]>,
}

/// How source and target are related.
#[derive(Debug, Clone)]
pub(crate) enum RelationParameter {
    Squares(SquareComparison),
    /// The same side is to move, or the other.
    SameTurn(bool),
    /// The target comes before the source.
    Ancestor,
    /// The target comes behind the source.
    Descendant,
    /// How far they are from their last common ancestor.
    Distance {
        measure: Measure,
        range: (i32, i32),
        sort: Option<SortId>,
    },
}

/// Counts the squares on which two positions have the same content and those on which not.
#[derive(Debug, Clone)]
pub(crate) struct SquareComparison {
    /// The squares compared, as the source sees them …
    pub(crate) source: SetId,
    /// … and as the target sees them.
    pub(crate) target: SetId,
    /// The target is compared as one of these maps carries it; in place where there is none.
    pub(crate) maps: Box<[BoardMap]>,
    pub(crate) matches: (i32, i32),
    pub(crate) mismatches: (i32, i32),
}

/// Which positions of a game are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    Everything,
    MainLine,
    Variations,
}

/// A range that is known when compiling, both ends included.
pub(crate) type Counts = std::ops::RangeInclusive<i32>;

/// A later position of the game resembles the current one, square by square, perhaps after it has
/// been moved about on the board.
#[derive(Debug, Clone)]
pub(crate) struct LaterPosition {
    /// Where the later position stands.
    pub(crate) region: Region,
    /// Whether the same side is to move there; either where nothing is said.
    pub(crate) same_side: Option<bool>,
    /// The squares that are compared; all where nothing is said.
    pub(crate) squares: Option<SetId>,
    pub(crate) shift: bool,
    pub(crate) flip: bool,
    /// Number of squares with different content, before the later position is moved.
    pub(crate) different: Option<Counts>,
    /// Number of squares with the same man, before the later position is moved.
    pub(crate) same: Option<Counts>,
    /// The men that the later position lacks.
    pub(crate) missing: CountedMen,
    /// The men that it has on squares that are empty here.
    pub(crate) new: CountedMen,
}

/// Men of these kinds on these squares, in this number; no others.
#[derive(Debug, Clone)]
pub(crate) struct CountedMen {
    /// Bit 0–5 white pawn … king, 6–11 black.
    pub(crate) kinds: u16,
    pub(crate) squares: SquareSet,
    pub(crate) count: Counts,
}

/// Conditions that must each match somewhere in the game, in any order, for some choice of men.
/// Matches at the positions where one of them does.
#[derive(Debug, Clone)]
pub(crate) struct WholeGame {
    /// The men that are chosen, all different.
    pub(crate) men: Box<[ChosenMan]>,
    pub(crate) conditions: Box<[Somewhere]>,
}

/// A man who goes through the whole game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChosenMan {
    /// Holds him.
    pub(crate) variable: VariableId,
    /// What he is at some time (bit 0–5 white pawn … king, 6–11 black).
    pub(crate) kinds: u16,
}

/// What must match somewhere in the game.
#[derive(Debug, Clone)]
pub(crate) struct Somewhere {
    pub(crate) region: Region,
    pub(crate) condition: BoolId,
    /// How many of the chosen men must be known: it looks at none behind.
    pub(crate) n_men: usize,
    /// In how many positions it must match; at least one where nothing is said.
    pub(crate) count: Option<Counts>,
    /// One of these must match in so many positions; only where such a one does can
    /// `condition` match.
    pub(crate) images: Option<CountedImages>,
    pub(crate) marking: Marking,
}

/// Images of a condition under transforms, each counted by itself.
#[derive(Debug, Clone)]
pub(crate) struct CountedImages {
    pub(crate) images: Box<[BoolId]>,
    pub(crate) count: Counts,
    /// Positions count where that is not so.
    pub(crate) negated: bool,
}

/// Which of the positions that match carry the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marking {
    All,
    First,
    None,
}

/// An expression with its name.
#[derive(Debug, Clone)]
pub(crate) struct NamedValue {
    pub(crate) name: String,
    pub(crate) value: Value,
}

/// A compiled query.
#[derive(Debug)]
pub struct Program {
    pub(crate) bools: Vec<BoolFilter>,
    pub(crate) sets: Vec<SetFilter>,
    pub(crate) nums: Vec<NumFilter>,
    pub(crate) texts: Vec<TextFilter>,
    pub(crate) positions: Vec<PosFilter>,
    pub(crate) dashes: Vec<Dash>,
    pub(crate) paths: Vec<Path>,
    pub(crate) places: Places,
    /// What must match at a position.
    pub(crate) root: BoolId,
    /// What is evaluated where the query matches.
    pub(crate) values: Vec<NamedValue>,
    /// What must match at the first position, or no position of the game can match; tested
    /// before a move is read. Every one is the same at all positions and has no side effect.
    pub(crate) guard: Vec<BoolId>,
    /// Conditions without which `root` does not match at a position.
    pub(crate) screen: crate::opt::Screen,
    /// By the number in `Find::finder`.
    pub(crate) finders: Vec<crate::opt::Finder>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) dictionaries: Vec<Dictionary>,
    pub(crate) sorts: Vec<SortVariable>,
    /// What echoes can know before they evaluate their bodies.
    pub(crate) echo_plans: Vec<crate::opt::EchoPlan>,
    pub(crate) n_sort_filters: u32,
    pub(crate) n_paths: u32,
    pub(crate) n_trackers: u32,
    pub(crate) uses_files: bool,
    pub(crate) settings: Settings,
    /// By `SourceId`.
    pub(crate) sources: Vec<SourceText>,
    /// The file of `similarposition`, and its contents once it is loaded.
    pub(crate) similar_file: Option<(Vec<u8>, Span)>,
    pub(crate) similar: Option<Arc<SimilarIndex>>,
}

/// Where filters stand in the query, for messages about limits: any filter may meet one. Filters
/// that the optimizer adds have no place.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// By [`BoolId`].
    pub(crate) bools: Vec<Span>,
    /// By [`TextId`].
    pub(crate) texts: Vec<Span>,
}

/// A text that was compiled, for messages.
#[derive(Debug, Clone)]
pub(crate) struct SourceText {
    pub(crate) name: String,
    pub(crate) text: Vec<u8>,
}

impl Program {
    /// The message of a fault with its place in the query.
    pub(crate) fn locate(&self, fault: &crate::eval::Fault) -> String {
        let message = &fault.message;
        match self.sources.get(usize::from(fault.span.source.0)) {
            Some(source) if fault.span.end > 0 => {
                let start = fault.span.start as usize;
                let (line, column) = syntax::span::line_and_column(&source.text, start);
                format!("{}:{line}:{column}: {message}", source.name)
            }
            _ => message.clone(),
        }
    }
}

/// What the header and the command line say about the run.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Searches variations, too.
    pub variations: bool,
    /// How much is written into comments.
    pub level: CommentLevel,
    /// The marker of matching positions; empty: none.
    pub matchstring: Vec<u8>,
    /// Only games with a number in the range.
    pub gamenumber: Option<(i32, i32)>,
    /// Required number of matching positions.
    pub matchcount: Option<(i32, i32)>,
    /// Sorts by the number of matching positions as the last key.
    pub sort_matchcount: bool,
    /// That key is the first instead.
    pub matchcount_first: bool,
    /// Required results, all of them.
    pub results: Vec<syntax::token::GameResult>,
    /// A regular expression that one of the players' names must match.
    pub player: Option<Regex>,
    /// Required year of the Date tag.
    pub year: Option<(i32, i32)>,
    /// No `Game number N`.
    pub no_header: bool,
    /// `removecomment` does nothing.
    pub no_removecomment: bool,
    /// `settag` does nothing.
    pub no_settag: bool,
    /// Keeps all comments of `sort` arguments.
    pub no_sort_comments: bool,
    /// Merges equal texts of one position.
    pub unique_comments: bool,
    /// Comments are kept even if the enclosing filter fails later.
    pub always_comment: bool,
    /// Size of the buffer of the text of one game.
    pub output_buffer: usize,
    /// How much the query may take.
    pub limits: Limits,
}
