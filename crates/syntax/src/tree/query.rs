//! A query as a whole: its header, and the names that its filters share.

use super::{Filter, Type};
use crate::span::Span;
use crate::token::GameResult;

/// A whole query: header, filters, and the names that they share.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The parameters of `cql( … )`.
    pub header: Header,
    /// The filters; a position matches if all of them do. Filters of options come first, as one
    /// block.
    pub filters: Vec<Filter>,
    /// Expressions that are evaluated where the query matches, in the order of the options; several
    /// filters of one text form a block.
    pub values: Vec<Filter>,
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// All dictionaries, by [`DictionaryId`].
    pub dictionaries: Vec<Dictionary>,
    /// The sort variables in creation order (inner `sort` before outer), by [`SortId`].
    pub sorts: Vec<SortVariable>,
    /// Number of `path` filters; each has an index.
    pub n_paths: u32,
    /// Number of other filters with state for each game (`line`, `consecutivemoves`).
    pub n_trackers: u32,
    /// Whether a filter needs the file system (`readfile`, `writefile`).
    pub uses_files: bool,
    /// The first span where a value is kept from game to game, or a file is used.
    pub shared: Option<Span>,
    /// Span of the first `sort`.
    pub sorted: Option<Span>,
    /// The first span that `rotate45` cannot rotate: a designator with squares, `light`, `dark` or
    /// `fen "BOARD"` outside of `notransform`. For options that transform the whole query.
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
    /// `result R`, in order; all of them must hold.
    pub results: Vec<GameResult>,
    /// `matchstring "S"`.
    pub matchstring: Option<Vec<u8>>,
    /// The first of `quiet` and `silent`.
    pub level: Option<CommentLevel>,
}

/// Amount of text written into the comments of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum CommentLevel {
    /// Nothing.
    Silent,
    /// Only comments that the query requests, no automatic ones.
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

/// Kind of the value of a variable.
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
    /// Returns the kind of variable for values of a type.
    pub const fn of(ty: Type) -> Option<VariableKind> {
        Some(match ty {
            Type::Boolean => return None,
            Type::Set => VariableKind::Set,
            Type::Numeric => VariableKind::Numeric,
            Type::String => VariableKind::String,
            Type::Position => VariableKind::Position,
        })
    }

    /// Returns the type of a filter that reads such a variable.
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
    /// The name as written; hidden variables of function arguments have names that cannot be
    /// written.
    pub name: String,
    /// Kind of its value.
    pub kind: VariableKind,
    /// Whether the value is kept from game to game, and printed at the end.
    pub persistent: Option<Persistence>,
    /// Whether the value is saved and restored along the branches of a path.
    pub atomic: bool,
}

/// Whether a persistent variable is printed after the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Persistence {
    /// The value is printed.
    Shown,
    /// The value is not printed (`persistent quiet`).
    Quiet,
}

/// A dictionary of the query.
#[derive(Debug, Clone)]
pub struct Dictionary {
    /// The name as written.
    pub name: String,
    /// Whether the dictionary is emptied at the start of each game.
    pub local: bool,
    /// Type of the keys; the first use in the text determines it.
    pub key: Option<Type>,
    /// Type of the values; the first assignment determines it.
    pub value: Option<Type>,
}

/// A sort variable; filters with the same label share one.
#[derive(Debug, Clone)]
pub struct SortVariable {
    /// The label, or `<sort-id-K>`.
    pub label: Vec<u8>,
    /// Order of the games; the first filter with this label determines it.
    pub ascending: bool,
    /// Whether the value is omitted from the first comment.
    pub quiet: bool,
    /// Numeric or String; a set counts as its number of squares.
    pub ty: Type,
}
