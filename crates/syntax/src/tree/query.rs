//! A query as a whole: its header, and the names that its filters share.

use super::{Filter, Type};
use crate::span::Span;
use crate::token::GameResult;

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
    /// The first place where something is kept from game to game, or a file is used.
    pub shared: Option<Span>,
    /// The first `sort`.
    pub sorted: Option<Span>,
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
