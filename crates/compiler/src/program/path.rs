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
    /// Its words.
    pub flags: PathFlags,
    /// The squares of the man that is followed.
    pub focus: Option<SetId>,
    /// `max`: the path with the greatest value is the one.
    pub max: Option<NumId>,
    /// `title`
    pub title: Option<Box<[u8]>>,
    /// How many positions there may be.
    pub range: Option<Range>,
    /// The constituents.
    pub automaton: Automaton,
    /// Variables that get their values back where the path does not match.
    pub atomic: Box<[VariableId]>,
    /// For messages.
    pub span: Span,
}

/// `line`.
#[derive(Debug, Clone)]
pub struct Line {
    /// Index among the filters that keep state.
    pub index: u32,
    /// Its words.
    pub flags: LineFlags,
    /// How many positions there may be.
    pub range: Option<Range>,
    /// Where nothing else matches, the line of no positions does, with the value 0.
    pub may_be_empty: bool,
    /// The constituents.
    pub automaton: Automaton,
    /// For messages.
    pub span: Span,
}

/// `find`.
#[derive(Debug, Clone, Copy)]
pub struct Find {
    /// Adds no comments of its own.
    pub quiet: bool,
    /// Looks back.
    pub backward: bool,
    /// Present for `all` (1 and more) and with a range: counts.
    pub range: Option<Range>,
    /// Greatest number of moves from here.
    pub depth: Option<u32>,
    /// What must match there.
    pub body: BoolId,
    /// For messages.
    pub span: Span,
    /// How it looks for positions, where it need not ask the body at each.
    pub finder: Option<u32>,
}

/// `echo`; `B` is the id type of its body, a condition or a number.
#[derive(Debug, Clone, Copy)]
pub struct Echo<B> {
    /// Adds no comments of its own.
    pub quiet: bool,
    /// Holds the first position.
    pub source: VariableId,
    /// Holds the second position.
    pub target: VariableId,
    /// `echo in all`
    pub all: bool,
    /// What must match, and the value.
    pub body: B,
    /// Directly or indirectly under `sort`: a condition leaves no comments, a number those of the
    /// best target.
    pub under_sort: bool,
    /// For messages.
    pub span: Span,
    /// Index of its plan, if there is one.
    pub plan: Option<u32>,
}
