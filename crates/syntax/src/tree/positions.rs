//! Filters about other positions, or about the current one under a transform.

use super::{Child, Color, Range, TransformFamily, VariableId};
use crate::designator::PieceSet;

/// `imagine … : F`.
#[derive(Debug, Clone)]
pub struct Imagine {
    /// The changes, in the order in which they are made.
    pub changes: Vec<Change>,
    /// The filter evaluated in the imagined position.
    pub body: Child,
}

/// A change to a position by `imagine`.
#[derive(Debug, Clone)]
pub enum Change {
    /// `place P on S`: the piece (a single bit) and the squares.
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
    /// Returns the squares that the change is about.
    pub fn squares(&self) -> Option<&Child> {
        match self {
            Change::Place(_, squares) | Change::Remove(squares) | Change::EnPassant(squares) => {
                Some(squares)
            }
            Change::Turn(_) | Change::Castling(_) => None,
        }
    }
}

/// `likeness("FEN" …)`.
#[derive(Debug, Clone)]
pub struct Likeness {
    /// The content of each square, a1 first: a single bit.
    pub board: [PieceSet; 64],
    /// Greatest number of points of each part, in the order of [`Likeness::PARTS`].
    pub weights: [u32; 4],
}

impl Likeness {
    /// Names of the parts that have points.
    pub const PARTS: [&str; 4] = ["pawns", "pieces", "kings", "material"];
}

/// `find …`.
#[derive(Debug, Clone)]
pub struct Find {
    /// Whether automatic comments are suppressed.
    pub quiet: bool,
    /// `all`
    pub all: bool,
    /// `<--`
    pub backward: bool,
    /// Required number of matching positions.
    pub range: Option<Range>,
    /// The filter that must match.
    pub body: Child,
}

/// `echo (S T) F`.
#[derive(Debug, Clone)]
pub struct Echo {
    /// Whether automatic comments are suppressed.
    pub quiet: bool,
    /// The variable bound to the current position.
    pub source: VariableId,
    /// The variable bound to the other position.
    pub target: VariableId,
    /// `in all`: whether the other position may be the current one.
    pub all: bool,
    /// The filter evaluated at the other position.
    pub body: Child,
}

/// `consecutivemoves (S T)`.
#[derive(Debug, Clone, Copy)]
pub struct Consecutive {
    /// Index among the filters with state.
    pub index: u32,
    /// Whether automatic comments are suppressed.
    pub quiet: bool,
    /// The required length.
    pub range: Option<Range>,
    /// The variable with the first position.
    pub source: VariableId,
    /// The variable with the second position.
    pub target: VariableId,
}

/// `flip F` or another transform.
#[derive(Debug, Clone)]
pub struct Transform {
    /// The kind of transform.
    pub family: TransformFamily,
    /// Required number of members that match.
    pub range: Option<Range>,
    /// The filter to transform.
    pub body: Child,
}
