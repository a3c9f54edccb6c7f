//! Filters that look at other positions, or at this one as a transform shows it.

use super::{Child, Color, Range, TransformFamily, VariableId};
use crate::designator::PieceSet;

/// `imagine … : F`.
#[derive(Debug, Clone)]
pub struct Imagine {
    /// In the order in which they are made.
    pub changes: Vec<Change>,
    /// Evaluated in the position that is imagined.
    pub body: Child,
}

/// What `imagine` changes in a position.
#[derive(Debug, Clone)]
pub enum Change {
    /// `place P on S`: the man, one bit, and the squares.
    Place(PieceSet, Child),
    /// `remove S`
    Remove(Child),
    /// `sidetomove white`, `sidetomove black`; `sidetomove flip` has no color.
    Turn(Option<Color>),
    /// `castling "KQkq"`: 1 for K, 2 for Q, 4 for k, 8 for q.
    Castling(u8),
    /// `enpassant S`
    EnPassant(Child),
}

impl Change {
    /// The squares that it is about.
    pub fn squares(&self) -> Option<&Child> {
        match self {
            Change::Place(_, squares) | Change::Remove(squares) | Change::EnPassant(squares) => {
                Some(squares)
            }
            Change::Turn(_) | Change::Castling(_) => None,
        }
    }
}

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
