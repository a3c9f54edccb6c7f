//! Sets of squares as 64-bit masks.
//!
//! Bit n is the square with index n. Set operations are the bit operators, `-` is
//! difference, iteration goes from a1 to h8.

use std::fmt;
use std::ops::{
    BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign,
};

use crate::square::Square;

/// A set of squares; bit n stands for the square with index n.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct SquareSet(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;

impl SquareSet {
    /// No square.
    pub const EMPTY: SquareSet = SquareSet(0);
    /// All 64 squares.
    pub const ALL: SquareSet = SquareSet(!0);
    /// The light squares (h1 and so on).
    pub const LIGHT: SquareSet = SquareSet(0x55AA_55AA_55AA_55AA);
    /// The dark squares (a1 and so on).
    pub const DARK: SquareSet = SquareSet(!SquareSet::LIGHT.0);

    /// All squares of a file, 0 (a) to 7 (h).
    #[inline]
    #[must_use]
    pub const fn file(file: u8) -> SquareSet {
        SquareSet(FILE_A << (file & 7))
    }

    /// All squares of a rank, 0 (first) to 7 (eighth).
    #[inline]
    #[must_use]
    pub const fn rank(rank: u8) -> SquareSet {
        SquareSet(0xFF << ((rank & 7) * 8))
    }

    /// Whether the square is in the set.
    #[inline]
    #[must_use]
    pub const fn contains(self, sq: Square) -> bool {
        self.0 >> sq.index() & 1 != 0
    }

    /// Adds a square.
    #[inline]
    pub const fn insert(&mut self, sq: Square) {
        self.0 |= sq.set().0;
    }

    /// Removes a square.
    #[inline]
    pub const fn remove(&mut self, sq: Square) {
        self.0 &= !sq.set().0;
    }

    /// Number of squares in the set.
    #[inline]
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no square.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has two or more squares; cheaper than counting.
    #[inline]
    #[must_use]
    pub const fn is_several(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the two sets share a square.
    #[inline]
    #[must_use]
    pub const fn intersects(self, other: SquareSet) -> bool {
        self.0 & other.0 != 0
    }

    /// The square with the lowest index.
    #[inline]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(self.0.trailing_zeros() as u8 & 63)) }
    }

    /// The square with the highest index.
    #[inline]
    #[must_use]
    pub const fn last(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::new(63 - self.0.leading_zeros() as u8)) }
    }

    /// The only square, if there is exactly one.
    #[inline]
    #[must_use]
    pub const fn single(self) -> Option<Square> {
        if self.is_several() { None } else { self.first() }
    }

    /// Whether every square of this set is in the other.
    #[inline]
    #[must_use]
    pub const fn is_subset(self, other: SquareSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Every square moved one rank up; the eighth rank leaves the board.
    #[inline]
    #[must_use]
    pub const fn shift_up(self) -> SquareSet {
        SquareSet(self.0 << 8)
    }

    /// Every square moved one rank down; the first rank leaves the board.
    #[inline]
    #[must_use]
    pub const fn shift_down(self) -> SquareSet {
        SquareSet(self.0 >> 8)
    }

    /// Every square moved one file to the right; the h-file leaves the board.
    #[inline]
    #[must_use]
    pub const fn shift_right(self) -> SquareSet {
        SquareSet((self.0 & !FILE_H) << 1)
    }

    /// Every square moved one file to the left; the a-file leaves the board.
    #[inline]
    #[must_use]
    pub const fn shift_left(self) -> SquareSet {
        SquareSet((self.0 & !FILE_A) >> 1)
    }
}

macro_rules! operators {
    ($($trait:ident $fn:ident $assign:ident $assign_fn:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $trait for SquareSet {
            type Output = SquareSet;
            #[inline]
            fn $fn(self, other: SquareSet) -> SquareSet {
                let ($a, $b) = (self.0, other.0);
                SquareSet($value)
            }
        }
        impl $assign for SquareSet {
            #[inline]
            fn $assign_fn(&mut self, other: SquareSet) {
                *self = $trait::$fn(*self, other);
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for SquareSet {
    type Output = SquareSet;
    #[inline]
    fn not(self) -> SquareSet {
        SquareSet(!self.0)
    }
}

/// Iterator over the squares of a set, from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let first = SquareSet(self.0).first()?;
        self.0 &= self.0.wrapping_sub(1);
        Some(first)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let n = self.0.count_ones() as usize;
        (n, Some(n))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for SquareSet {
    type Item = Square;
    type IntoIter = Squares;
    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

impl FromIterator<Square> for SquareSet {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> SquareSet {
        squares.into_iter().fold(SquareSet::EMPTY, |set, sq| set | sq.set())
    }
}

impl From<Square> for SquareSet {
    #[inline]
    fn from(sq: Square) -> SquareSet {
        sq.set()
    }
}

/// Draws the set as a board picture: eight lines from the eighth rank down, `X` for members.
impl fmt::Debug for SquareSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..8).rev() {
            writeln!(f)?;
            for file in 0..8 {
                let member = self.contains(Square::from_coords(file, rank));
                f.write_str(if member { " X" } else { " ." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Reads a board picture: 64 signs `X` or `.`, from a8 to h1, blanks ignored.
    pub(crate) fn picture(text: &str) -> SquareSet {
        let signs: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        assert_eq!(signs.len(), 64, "a picture has 64 squares");
        Square::ALL.into_iter().filter(|sq| signs[sq.flip_rank().index()] == 'X').collect()
    }

    #[test]
    fn picture_and_debug_are_inverse() {
        let set = SquareSet(0x8000_0000_1000_0003);
        assert_eq!(picture(&format!("{set:?}")), set);
        assert_eq!(SquareSet::file(0) & SquareSet::rank(7), Square::A8.set());
        assert!(SquareSet::DARK.contains(Square::A1));
    }

    #[test]
    fn shifts_drop_what_leaves_the_board() {
        let edge = picture(
            "X X X X X X X X
             X . . . . . . X
             X . . . . . . X
             X . . . . . . X
             X . . . . . . X
             X . . . . . . X
             X . . . . . . X
             X X X X X X X X",
        );
        assert_eq!(edge.shift_up().len(), 28 - 8);
        assert_eq!(edge.shift_right() & SquareSet::file(0), SquareSet::EMPTY);
        assert_eq!(edge.shift_left() & SquareSet::file(7), SquareSet::EMPTY);
        assert_eq!(edge.shift_down() & SquareSet::rank(7), SquareSet::EMPTY);
    }

    proptest! {
        #[test]
        fn set_algebra(a: u64, b: u64, c: u64) {
            let (a, b, c) = (SquareSet(a), SquareSet(b), SquareSet(c));
            prop_assert_eq!(!(a | b), !a & !b);
            prop_assert_eq!(a & (b | c), (a & b) | (a & c));
            prop_assert_eq!(a - b, a & !b);
            prop_assert_eq!(a ^ b, (a - b) | (b - a));
            prop_assert_eq!((a | b).len() + (a & b).len(), a.len() + b.len());
            prop_assert_eq!((a & b).is_subset(a), true);
            prop_assert_eq!(a.intersects(b), !(a & b).is_empty());
            prop_assert_eq!(a.is_several(), a.len() > 1);
        }

        #[test]
        fn iteration_is_ordered_and_complete(bits: u64) {
            let set = SquareSet(bits);
            let squares: Vec<Square> = set.into_iter().collect();
            prop_assert!(squares.is_sorted());
            prop_assert_eq!(squares.len() as u32, set.len());
            prop_assert_eq!(squares.iter().copied().collect::<SquareSet>(), set);
            prop_assert_eq!(set.first(), squares.first().copied());
            prop_assert_eq!(set.last(), squares.last().copied());
            prop_assert_eq!(set.single(), (squares.len() == 1).then(|| squares[0]));
        }

        #[test]
        fn shifts_move_every_square(bits: u64) {
            let set = SquareSet(bits);
            let moved = |df, dr| set.into_iter().filter_map(|sq| sq.offset(df, dr)).collect();
            let up: SquareSet = moved(0, 1);
            let down: SquareSet = moved(0, -1);
            let right: SquareSet = moved(1, 0);
            let left: SquareSet = moved(-1, 0);
            prop_assert_eq!(set.shift_up(), up);
            prop_assert_eq!(set.shift_down(), down);
            prop_assert_eq!(set.shift_right(), right);
            prop_assert_eq!(set.shift_left(), left);
        }
    }
}
