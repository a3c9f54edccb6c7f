//! The tree of a CQL 6 query.
//!
//! CQL's grammar depends on types: an operator is only accepted if the type of its left operand
//! allows it. So the parser determines types while it parses. Every [`Filter`] has its static type,
//! names are resolved to [`VariableId`]s and [`DictionaryId`]s, and function calls are expanded.
//! Transforms are *not* applied here, but during lowering.

mod directions;
mod moves;
mod parts;
mod positions;
mod query;
mod walk;

use crate::builtin::{Binary, Constant, Nullary, Unary, WordRow};
use crate::designator::{Designator, PieceSet};
use crate::library::Theme;
use crate::span::Span;
use crate::token::{GameResult, Group};

pub use directions::*;
pub use moves::*;
pub use parts::*;
pub use positions::*;
pub use query::*;

pub use crate::types::Type;

/// A filter with its type.
#[derive(Debug, Clone)]
pub struct Filter {
    /// Kind of the filter.
    pub kind: FilterKind,
    /// Its static type.
    pub ty: Type,
    /// Span of the filter.
    pub span: Span,
}

/// A boxed filter.
pub type Child = Box<Filter>;

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
    /// A dictionary name on its own; always matches.
    Dictionary(DictionaryId),

    // ---- composition
    /// `{ F… }`; has a single member only if that is a variable.
    Block(Vec<Filter>),
    /// `F or G or …`
    Or(Vec<Filter>),
    /// `F and G and …`
    And(Vec<Filter>),
    /// `not F`
    Not(Child),
    /// `L == R` or another comparison. `!=` is `Relation::NotEqual`; a set compared with a number
    /// is wrapped in `FilterKind::Cardinality`.
    Relation {
        /// The operator.
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
    If(Child, Child, Option<Child>),
    /// `while (C) F`
    While(Child, Child),
    /// `while (S ~~ "re") F`
    WhileMatch {
        /// The string searched.
        subject: Child,
        /// The regular expression.
        pattern: Box<Pattern>,
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
        /// The variable that each key is assigned to.
        variable: VariableId,
        /// The dictionary to iterate over.
        dictionary: DictionaryId,
        /// The filter evaluated for each key.
        body: Child,
    },
    /// A function definition; always matches.
    FunctionDefinition,
    /// An expanded call: hidden variables are bound to the arguments, then the body is evaluated.
    Call {
        /// Hidden variables and the arguments passed by value.
        arguments: Vec<(VariableId, Filter)>,
        /// The expanded body.
        body: Child,
    },

    // ---- variables
    /// `x = E` or another assignment.
    Assign {
        /// The variable.
        variable: VariableId,
        /// The operator.
        op: AssignOp,
        /// The value.
        value: Child,
    },
    /// `piece x = S`
    AssignPiece(VariableId, Child),
    /// `v[i] = S`, `v[i:j] = S`
    AssignSlice {
        /// The string variable.
        variable: VariableId,
        /// The part to replace.
        slice: Slice,
        /// The new text.
        value: Child,
    },
    /// `unbind x`
    Unbind(VariableId),
    /// `unbind D`
    UnbindDictionary(DictionaryId),
    /// `unbind D[k]`
    UnbindEntry(DictionaryId, Child),
    /// `isbound x`; `None` if there is no such variable, or it is a function. For a dictionary, the
    /// filter is `true`.
    IsBound(Option<VariableId>),
    /// `D[k]`
    Lookup(DictionaryId, Child),
    /// `D[k] = v`
    AssignEntry(DictionaryId, Child, Child),
    /// `dictionary D` as a filter; always matches.
    DictionaryDeclaration(DictionaryId),

    // ---- numbers
    /// `A + B` or another operation on numbers.
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
        /// The operands, two or more.
        items: Vec<Filter>,
    },
    /// `ascii S` of a String
    AsciiCode(Child),
    /// `\-3`, `\-{name}`
    GroupIndex(Group),
    /// `hhdb prize` or another award.
    HhdbAward(Award),
    /// `likeness("FEN" …)`
    Likeness(Box<Likeness>),

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
    Ray(Box<Ray>),
    /// `pin …`
    Pin(Pin),
    /// `up 1 2 S` or another direction.
    Direction {
        /// The direction.
        direction: DirectionName,
        /// Number of steps; `None`: 1–7.
        range: Option<Range>,
        /// The squares to start from.
        operand: Child,
    },
    /// `light S`, `dark S`
    SquareColor {
        /// `light`
        light: bool,
        /// The squares to choose from.
        operand: Child,
    },
    /// `makesquare(f r)`
    MakeSquare(Child, Child),
    /// `makesquare S`
    MakeSquareFromText(Child),
    /// `fenset "BOARD"`: as `fen "BOARD"`
    FenSet(Box<[PieceSet; 64]>),

    // ---- strings
    /// `S + T` on strings
    Concatenate(Child, Child),
    /// `S[i]`, `S[i:j]`
    Substring(Child, Slice),
    /// `S ~~ "re"`
    Match {
        /// The string searched.
        subject: Child,
        /// The regular expression.
        pattern: Box<Pattern>,
    },
    /// `replace(S "re" T)`
    Replace {
        /// The string searched.
        subject: Child,
        /// The regular expression.
        pattern: Box<Pattern>,
        /// The text that replaces every match.
        with: Child,
    },
    /// `\3`, `\{name}`
    Group(Group),
    /// `str( … )`
    Str(Vec<Filter>),
    /// `ascii N` of a number
    AsciiCharacter(Child),
    /// `readfile S`
    ReadFile(Child),
    /// `commandpipe("NAME" F…)`
    CommandPipe {
        /// Name of the program on the command line.
        name: String,
        /// The filters whose values are sent to it.
        items: Vec<Filter>,
    },
    /// `engine (depth 12)` or another question: a number, a string or a set
    Engine(EngineQuestion),

    // ---- positions
    /// `P : F`
    At(Child, Child),
    /// `imagine … : F`
    Imagine(Imagine),
    /// `child(E)`; `child` is `child(0)`
    ChildPosition(Child),
    /// `find …`
    Find(Find),
    /// `echo (S T) F`
    Echo(Echo),
    /// `consecutivemoves (S T)`
    ConsecutiveMoves(Consecutive),
    /// `similarposition …`
    SimilarPosition {
        /// `nosort`
        nosort: bool,
        /// `notransform`
        notransform: bool,
        /// The PGN file and the span of its name.
        file: (Vec<u8>, Span),
    },

    // ---- moves
    /// `L--R=P(T)`, `L[x]R=P(T)`
    Dash(Box<Dash>),
    /// `currentmove D`
    CurrentMove(Box<Dash>),
    /// `legal D`, `pseudolegal D`
    Legal(LegalDash),
    /// `legal D(T)`, `legal all D(T)`, `reverse D(T)`
    Tried(Box<TriedDash>),
    /// `countmoves D`
    CountMoves(Countable),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `path …`
    Path(Box<Path>),
    /// `line …`
    Line(Box<Line>),

    // ---- transforms
    /// `flip F` or another transform.
    Transform(Transform),
    /// `notransform F`
    NoTransform(Child),

    // ---- game data and output
    /// `fen "BOARD"`: one designator per square, a1 first
    FenPattern(Box<[PieceSet; 64]>),
    /// `material "KRPKR"`, `endgame "rook"`, `phase "opening"`, `theme("fork")`: a condition with a
    /// name
    Classed {
        /// The claim in English.
        says: String,
        /// The theme, if it is one.
        theme: Option<Theme>,
        /// The condition, made of other filters.
        means: Child,
    },
    /// `result R`
    Result(GameResult),
    /// `F "text"`: the text occurs in the string
    Contains(Vec<u8>, Child),
    /// `originalcomment "!"`: the position carries that NAG
    HasNag(u8),
    /// `settag("Name" S)`
    SetTag(Vec<u8>, Child),
    /// `removetag "Name"`
    RemoveTag(Vec<u8>),
    /// A Boolean `hhdb` key
    HhdbFlag(HhdbFlag),
    /// `removecomment`
    RemoveComment,
    /// `comment( … )`, `/// …`
    Comment(Vec<Filter>),
    /// `message( … )`
    Message {
        /// Whether game number and position are omitted.
        quiet: bool,
        /// The filters whose values are printed.
        items: Vec<Filter>,
    },
    /// `writefile(NAME TEXT)`
    WriteFile(Child, Child),
    /// `sort …`
    Sort {
        /// The sort variable.
        variable: SortId,
        /// Whether the least value is kept (the direction of this filter).
        ascending: bool,
        /// Numeric, String, or a Set wrapped in `FilterKind::Cardinality`.
        body: Child,
    },
}

/// The part that `S[…]` selects; `N` refers to a number.
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

    /// Returns the row of the word, if it is a regular one.
    pub const fn row(&self) -> Option<&'static WordRow> {
        match self {
            FilterKind::Nullary(word) => Some(word.row()),
            FilterKind::Unary(word, _) => Some(word.row()),
            FilterKind::Binary(word, ..) => Some(word.row()),
            _ => None,
        }
    }
}
