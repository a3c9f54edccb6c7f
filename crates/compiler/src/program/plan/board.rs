//! Conditions on who attacks what, told from the board alone.

use board::{Piece, SquareSet};
use syntax::tree::{PinPart, Relation};

/// A condition on the board.
#[derive(Debug, Clone, PartialEq)]
pub enum BoardCondition {
    /// The set is not empty.
    NotEmpty(BoardSet),
    /// The number of its squares compares so with a number.
    Count(Relation, BoardSet, i32),
}

/// A set of squares that depends on the board alone.
#[derive(Debug, Clone, PartialEq)]
pub enum BoardSet {
    /// The same everywhere.
    Constant(SquareSet),
    /// A piece of this color and role on some squares.
    Piece(Piece, SquareSet),
    /// Men of some kinds on some squares.
    Kinds(u16, SquareSet),
    /// The squares of one of the sets.
    Union(Box<[BoardSet]>),
    /// The squares of both sets.
    Intersect(Box<[BoardSet; 2]>),
    /// The other squares.
    Complement(Box<BoardSet>),
    /// The squares of the first set from which the second is attacked.
    Attackers(Box<[BoardSet; 2]>),
    /// The squares of the first set that the second attacks.
    Attacked(Box<[BoardSet; 2]>),
    /// The squares of a set for which something holds.
    Chosen(Box<BoardSet>, Box<BoardChoice>),
    /// A part of the pins by the first set of the second against the third.
    Pins(Box<[BoardSet; 3]>, PinPart),
}

/// What is asked of a square, as in [`SquareCondition`](super::SquareCondition).
#[derive(Debug, Clone, PartialEq)]
pub enum BoardChoice {
    /// The square is in the set.
    In(BoardSet),
    /// A man of the set attacks it.
    AttackedBy(BoardSet),
    /// The man on it attacks a square of the set.
    Attacks(BoardSet),
    /// The number of men of the set that attack it compares so with a number.
    AttackedSoOften(BoardSet, Relation, i32),
    /// All of these hold.
    All(Box<[BoardChoice]>),
    /// One of these holds.
    Any(Box<[BoardChoice]>),
    /// It does not hold.
    Not(Box<BoardChoice>),
}
