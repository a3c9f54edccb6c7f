//! The parts of paths and lines, from which their automata are made.

use syntax::tree::Repeat;

use super::id::{BoolId, DashId};

/// A part of a path.
#[derive(Debug, Clone)]
pub(crate) enum Constituent {
    Filter(BoolId),
    /// A move with the filters that must match behind it (in the dash's target).
    Dash(DashId, Option<Repeat>),
    Group(Box<[Constituent]>, Option<Repeat>),
}

/// A part of a line.
pub(crate) type LineConstituent = syntax::tree::LineConstituent<Taken>;

/// A filter of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) filter: BoolId,
    /// Holds a `move` filter that is to see one child at a time.
    pub(crate) linearize: bool,
}
