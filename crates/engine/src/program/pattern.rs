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
