//! Conditions on attacks and pins that are tested on the board alone.

use board::{Piece, RayKind, SquareSet};
use syntax::builtin::PawnStructure;
use syntax::tree::{PinPart, Relation};

use super::MoveEnd;

/// A condition on the board.
#[derive(Debug, Clone, PartialEq)]
pub enum BoardCondition {
    /// The set is not empty.
    NotEmpty(BoardSet),
    /// The number of squares in the set is in this relation to a number.
    Count(Relation, BoardSet, i32),
    /// The number of pairs of a piece of the first set and a square of the second that it attacks is
    /// in this relation to a number.
    Pairs(Relation, Box<[BoardSet; 2]>, i32),
}

/// A set of squares that depends on the board alone.
#[derive(Debug, Clone, PartialEq)]
pub enum BoardSet {
    /// A constant.
    Constant(SquareSet),
    /// A piece of this color and role on some squares.
    Piece(Piece, SquareSet),
    /// Pieces of some types on some squares.
    Kinds(u16, SquareSet),
    /// The squares in at least one of the sets.
    Union(Box<[BoardSet]>),
    /// The squares in both sets.
    Intersect(Box<[BoardSet; 2]>),
    /// The squares that are not in the set.
    Complement(Box<BoardSet>),
    /// The squares of the first set from which the second is attacked.
    Attackers(Box<[BoardSet; 2]>),
    /// The squares of the first set that the second attacks.
    Attacked(Box<[BoardSet; 2]>),
    /// The squares of a set that satisfy a condition.
    Chosen(Box<BoardSet>, Box<BoardChoice>),
    /// A part of the pins by the first set of the second against the third.
    Pins(Box<[BoardSet; 3]>, PinPart),
    /// The first or the last squares of rays through some points. All but the first and the last are
    /// occupied.
    Rays(RayKind, Box<[BoardSet]>),
    /// The pawns of a structure.
    Structure(PawnStructure),
    /// The squares that are one of these steps from a square of the set.
    Shifted(Box<[(i8, i8)]>, Box<BoardSet>),
    /// The square where the move that led here starts or ends, or more squares. Only in conditions
    /// that are [tested side by side](super::super::Program::wide_screen).
    Played(MoveEnd),
}

/// Largest number of points of [`BoardSet::Rays`].
pub const MAX_POINTS: usize = 8;

/// A condition on a square, as in [`SquareCondition`](super::SquareCondition).
#[derive(Debug, Clone, PartialEq)]
pub enum BoardChoice {
    /// The square is in the set.
    In(BoardSet),
    /// A piece of the set attacks the square.
    AttackedBy(BoardSet),
    /// The piece on the square attacks a square of the set.
    Attacks(BoardSet),
    /// The number of pieces of the set that attack the square is in this relation to a number.
    AttackedSoOften(BoardSet, Relation, i32),
    /// All of these hold.
    All(Box<[BoardChoice]>),
    /// One of these holds.
    Any(Box<[BoardChoice]>),
    /// The condition does not hold.
    Not(Box<BoardChoice>),
    /// The condition holds for a square that is one of these steps away.
    Shifted(Box<[(i8, i8)]>, Box<BoardChoice>),
}
