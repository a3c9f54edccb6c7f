//! Conditions on pawns alone.

use board::{Color, SquareSet};
use syntax::builtin::PawnStructure;
use syntax::tree::Relation;

/// A condition on the pawns.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnCondition {
    /// The set is not empty.
    NotEmpty(PawnSet),
    /// Two numbers are in this relation.
    Compare(Relation, PawnNumber, PawnNumber),
}

/// A number that depends on the pawns alone.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnNumber {
    /// A constant.
    Constant(i32),
    /// The number of squares in a set.
    Count(PawnSet),
}

/// A set of squares that depends on the pawns alone.
#[derive(Debug, Clone, PartialEq)]
pub enum PawnSet {
    /// The pawns of a structure; if there is a color, only those of this color.
    Structure(PawnStructure, Option<Color>),
    /// A constant.
    Constant(SquareSet),
    /// The pawns of a color on some squares.
    Pawns(Color, SquareSet),
    /// The squares in at least one of the sets.
    Union(Box<[PawnSet]>),
    /// The squares in both sets.
    Intersect(Box<[PawnSet; 2]>),
    /// The squares that are not in the set.
    Complement(Box<PawnSet>),
}
