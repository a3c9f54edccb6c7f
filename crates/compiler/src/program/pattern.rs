//! Constituents of paths and lines, from which their automata are made.

use syntax::tree::Repeat;

use super::id::{BoolId, DashId};

/// A constituent of a path.
#[derive(Debug, Clone)]
pub enum Constituent {
    /// A filter that takes no move.
    Filter(BoolId),
    /// A move with the filters that must match after it (in the dash's target).
    Dash(DashId, Option<Repeat>),
    /// Several constituents in parentheses.
    Group(Box<[Constituent]>, Option<Repeat>),
}

/// A constituent of a line.
pub type LineConstituent = syntax::tree::LineConstituent<Taken>;

/// A filter of a line.
#[derive(Debug, Clone, Copy)]
pub struct Taken {
    /// Condition on the position.
    pub filter: BoolId,
    /// Whether it contains a `move` filter that must see one child at a time.
    pub linearize: bool,
}
