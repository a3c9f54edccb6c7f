//! Paths, lines, and the other filters that look along a game.

use syntax::Span;
use syntax::tree::{LineFlags, PathFlags, Range, VariableId};

use super::id::{BoolId, NumId, SetId};
use crate::automaton::Automaton;

/// `path`.
#[derive(Debug, Clone)]
pub struct Path {
    /// Index among the paths of the query. Images of a transform share it unless they ban
    /// positions.
    pub index: u32,
    /// Parameters of the path.
    pub flags: PathFlags,
    /// Squares of the piece that is followed.
    pub focus: Option<SetId>,
    /// `max`: the result is the path with the greatest value.
    pub max: Option<NumId>,
    /// `title`
    pub title: Option<Box<[u8]>>,
    /// Range of the number of positions.
    pub range: Option<Range>,
    /// The constituents.
    pub automaton: Automaton,
    /// Variables that get their old values back if the path does not match.
    pub atomic: Box<[VariableId]>,
    /// Span for messages.
    pub span: Span,
}

/// `line`.
#[derive(Debug, Clone)]
pub struct LineFilter {
    /// Index among the filters that keep state.
    pub index: u32,
    /// Parameters of the line.
    pub flags: LineFlags,
    /// Range of the number of positions.
    pub range: Option<Range>,
    /// Whether the line of no positions matches, with the value 0, if nothing else does.
    pub may_be_empty: bool,
    /// The constituents.
    pub automaton: Automaton,
    /// Span for messages.
    pub span: Span,
}

/// `find`.
#[derive(Debug, Clone, Copy)]
pub struct Find {
    /// Whether the filter adds no comments of its own.
    pub quiet: bool,
    /// Whether the filter looks back.
    pub backward: bool,
    /// Range of the number of positions, present for `all` (1 and more) and if it is given: the
    /// filter counts.
    pub range: Option<Range>,
    /// Greatest number of moves from here.
    pub depth: Option<u32>,
    /// Condition that must match at the position.
    pub body: BoolId,
    /// Span for messages.
    pub span: Span,
    /// Index of its finder, if the body need not be evaluated at each position.
    pub finder: Option<u32>,
}

/// `echo`; `B` is the id type of its body, a condition or a number.
#[derive(Debug, Clone, Copy)]
pub struct Echo<B> {
    /// Whether the filter adds no comments of its own.
    pub quiet: bool,
    /// Variable that holds the first position.
    pub source: VariableId,
    /// Variable that holds the second position.
    pub target: VariableId,
    /// `echo in all`
    pub all: bool,
    /// The condition that must match, or the value.
    pub body: B,
    /// Whether the echo is directly or indirectly under `sort`: a condition then leaves no
    /// comments, a number those of the best target.
    pub under_sort: bool,
    /// Span for messages.
    pub span: Span,
    /// Index of its plan, if there is one.
    pub plan: Option<u32>,
}
