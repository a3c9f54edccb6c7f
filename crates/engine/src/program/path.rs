//! Paths, lines, and the other filters that look along a game.

use syntax::Span;
use syntax::tree::{Range, VariableId};

use super::id::{BoolId, NumId, SetId};
use crate::automaton::Automaton;

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

/// `echo`; `B` is the id type of its body, a condition or a number.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Echo<B> {
    pub(crate) quiet: bool,
    pub(crate) source: VariableId,
    pub(crate) target: VariableId,
    pub(crate) all: bool,
    pub(crate) body: B,
    /// Directly or indirectly under `sort`: a condition leaves no comments, a number those of the
    /// best target.
    pub(crate) under_sort: bool,
    pub(crate) span: Span,
    /// Index of its plan, if there is one.
    pub(crate) plan: Option<u32>,
}
