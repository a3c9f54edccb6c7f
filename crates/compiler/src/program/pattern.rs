//! The parts of paths and lines, from which their automata are made.

use syntax::tree::Repeat;

use super::id::{BoolId, DashId};

/// A part of a path.
#[derive(Debug, Clone)]
pub enum Constituent {
    /// A filter that takes no move.
    Filter(BoolId),
    /// A move with the filters that must match behind it (in the dash's target).
    Dash(DashId, Option<Repeat>),
    /// Several parts in parentheses.
    Group(Box<[Constituent]>, Option<Repeat>),
}

/// A part of a line.
pub type LineConstituent = syntax::tree::LineConstituent<Taken>;

/// A filter of a line.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// What the position must match.
    pub filter: BoolId,
    /// Holds a `move` filter that is to see one child at a time.
    pub linearize: bool,
}
