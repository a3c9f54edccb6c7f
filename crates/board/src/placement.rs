//! Operations that one board and [several side by side](crate::LaneBoards) share, so that each
//! condition is written once for both.

use std::ops::{BitAnd, BitOr, Not, Sub};

use crate::board::Board;
use crate::lanes::{LANES, LaneSet, lanes_where};
use crate::piece::{Color, Piece, Role};
use crate::set::SquareSet;

/// A set of squares of a board, or one of each of several boards.
pub trait Squares:
    Copy
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Sub<Output = Self>
    + Not<Output = Self>
    + PartialEq
{
    /// A number for each board.
    type Number: Copy;

    /// An answer for each board.
    type Answer: Copy + BitAnd<Output = Self::Answer> + BitOr<Output = Self::Answer>;

    /// Returns the set that has these squares on each board.
    fn of(squares: SquareSet) -> Self;

    /// Whether no board has a square in the set.
    fn is_empty(self) -> bool;

    /// Whether a board has a square in the set.
    fn has_some(self) -> Self::Answer;

    /// Number of squares of a board.
    fn count(self) -> Self::Number;

    /// Applies a function to the sets of each board.
    #[must_use]
    fn zip(self, other: Self, f: impl Fn(SquareSet, SquareSet) -> SquareSet) -> Self;

    /// Returns this number for each board.
    fn number(n: i32) -> Self::Number;

    /// Applies a function to the numbers of each board.
    fn combine(
        left: Self::Number,
        right: Self::Number,
        f: impl Fn(i32, i32) -> i32,
    ) -> Self::Number;

    /// Asks something about the numbers of each board.
    fn compare(
        left: Self::Number,
        right: Self::Number,
        f: impl Fn(i32, i32) -> bool,
    ) -> Self::Answer;
}

/// The pieces of a board, or of several.
pub trait Placement {
    /// A set of squares.
    type Set: Squares;

    /// Squares of the pieces of one role.
    fn role(&self, role: Role) -> Self::Set;

    /// Squares of the pieces of one color.
    fn color(&self, color: Color) -> Self::Set;

    /// Squares of the pieces of one color and role.
    #[inline]
    fn pieces_of(&self, piece: Piece) -> Self::Set {
        self.role(piece.role) & self.color(piece.color)
    }

    /// Squares of all pieces.
    #[inline]
    fn occupied(&self) -> Self::Set {
        self.color(Color::White) | self.color(Color::Black)
    }
}

impl Squares for SquareSet {
    type Number = i32;
    type Answer = bool;

    #[inline]
    fn of(squares: SquareSet) -> SquareSet {
        squares
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.is_empty()
    }

    #[inline]
    fn has_some(self) -> bool {
        !self.is_empty()
    }

    #[inline]
    fn count(self) -> i32 {
        self.len() as i32
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(SquareSet, SquareSet) -> SquareSet) -> SquareSet {
        f(self, other)
    }

    #[inline]
    fn number(n: i32) -> i32 {
        n
    }

    #[inline(always)]
    fn combine(left: i32, right: i32, f: impl Fn(i32, i32) -> i32) -> i32 {
        f(left, right)
    }

    #[inline(always)]
    fn compare(left: i32, right: i32, f: impl Fn(i32, i32) -> bool) -> bool {
        f(left, right)
    }
}

impl Squares for LaneSet {
    type Number = [i32; LANES];
    type Answer = u8;

    #[inline]
    fn of(squares: SquareSet) -> LaneSet {
        LaneSet::all(squares)
    }

    #[inline]
    fn is_empty(self) -> bool {
        self.is_empty()
    }

    #[inline]
    fn has_some(self) -> u8 {
        self.lanes()
    }

    #[inline]
    fn count(self) -> [i32; LANES] {
        self.0.map(|set| set.count_ones() as i32)
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(SquareSet, SquareSet) -> SquareSet) -> LaneSet {
        self.zip(other, f)
    }

    #[inline]
    fn number(n: i32) -> [i32; LANES] {
        [n; LANES]
    }

    #[inline(always)]
    fn combine(
        left: [i32; LANES],
        right: [i32; LANES],
        f: impl Fn(i32, i32) -> i32,
    ) -> [i32; LANES] {
        std::array::from_fn(|lane| f(left[lane], right[lane]))
    }

    #[inline(always)]
    fn compare(left: [i32; LANES], right: [i32; LANES], f: impl Fn(i32, i32) -> bool) -> u8 {
        lanes_where(|lane| f(left[lane], right[lane]))
    }
}

impl Placement for Board {
    type Set = SquareSet;

    #[inline]
    fn role(&self, role: Role) -> SquareSet {
        self.role(role)
    }

    #[inline]
    fn color(&self, color: Color) -> SquareSet {
        self.color(color)
    }
}
