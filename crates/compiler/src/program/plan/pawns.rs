//! Conditions on pawns alone.

use board::{Color, SquareSet};
use syntax::builtin::PawnStructure;
use syntax::tree::Relation;

/// A condition on the pawns.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnCondition {
    /// The set is not empty.
    NotEmpty(PawnSet),
    /// Two numbers compare so.
    Compare(Relation, PawnNumber, PawnNumber),
}

/// A number that depends on the pawns alone.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnNumber {
    /// The same everywhere.
    Constant(i32),
    /// The squares of a set.
    Count(PawnSet),
}

/// A set of squares that depends on the pawns alone.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnSet {
    /// The pawns of a structure.
    Structure(PawnStructure),
    /// The same everywhere.
    Constant(SquareSet),
    /// The pawns of a color on some squares.
    Pawns(Color, SquareSet),
    /// The squares of one of the sets.
    Union(Box<[PawnSet]>),
    /// The squares of both sets.
    Intersect(Box<[PawnSet; 2]>),
    /// The other squares.
    Complement(Box<PawnSet>),
}
