//! Filters that look at other positions, or at this one as a transform shows it.

use super::{Child, Range, TransformFamily, VariableId};

/// `find …`.
#[derive(Debug, Clone)]
pub struct Find {
    /// No automatic comments.
    pub quiet: bool,
    /// `all`
    pub all: bool,
    /// `<--`
    pub backward: bool,
    /// How many must be found.
    pub range: Option<Range>,
    /// What must match.
    pub body: Child,
}

/// `echo (S T) F`.
#[derive(Debug, Clone)]
pub struct Echo {
    /// No automatic comments.
    pub quiet: bool,
    /// Bound to the current position.
    pub source: VariableId,
    /// Bound to the other position.
    pub target: VariableId,
    /// `in all`: the other position may be the current one.
    pub all: bool,
    /// Evaluated at the other position.
    pub body: Child,
}

/// `consecutivemoves (S T)`.
#[derive(Debug, Clone, Copy)]
pub struct Consecutive {
    /// Index among the filters that keep state.
    pub index: u32,
    /// No automatic comments.
    pub quiet: bool,
    /// Required length.
    pub range: Option<Range>,
    /// First position.
    pub source: VariableId,
    /// Second position.
    pub target: VariableId,
}

/// `flip F` and its like.
#[derive(Debug, Clone)]
pub struct Transform {
    /// Which.
    pub family: TransformFamily,
    /// Counts the members that match.
    pub range: Option<Range>,
    /// What is transformed.
    pub body: Child,
}
