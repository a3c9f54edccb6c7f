//! One square of the board.
//!
//! The index counts files first: a1 = 0, b1 = 1, …, h8 = 63, so that bit n of a
//! [`SquareSet`] is the square with index n.

use std::fmt;

use crate::piece::Color;
use crate::set::SquareSet;

/// A square, numbered a1 = 0, b1 = 1, …, h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

macro_rules! name_squares {
    ($($name:ident = $index:literal),* $(,)?) => {
        #[allow(missing_docs)]
        impl Square {
            $(pub const $name: Square = Square($index);)*
        }
    };
}

name_squares! {
    A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
    A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
}

impl Square {
    /// All squares in index order.
    pub const ALL: [Square; 64] = {
        let mut all = [Square(0); 64];
        let mut index = 0;
        while index < 64 {
            all[index as usize] = Square(index);
            index += 1;
        }
        all
    };

    /// Makes the square with an index of 0–63; higher bits are ignored.
    #[inline]
    #[must_use]
    pub const fn new(index: u8) -> Square {
        debug_assert!(index < 64);
        Square(index & 63)
    }

    /// Makes a square from its file and rank, both 0–7.
    #[inline]
    #[must_use]
    pub const fn from_coords(file: u8, rank: u8) -> Square {
        debug_assert!(file < 8 && rank < 8);
        Square((rank << 3 | file) & 63)
    }

    /// Reads a square written like `e4`: exactly two bytes, lower case.
    #[must_use]
    pub const fn parse(bytes: &[u8]) -> Option<Square> {
        match *bytes {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => {
                Some(Square::from_coords(file - b'a', rank - b'1'))
            }
            _ => None,
        }
    }

    /// Index of the square, 0–63.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the constructors guarantee, so that
        // tables of 64 entries are read without a bounds check.
        (self.0 & 63) as usize
    }

    /// Index of the square as a byte, for packing.
    #[inline]
    #[must_use]
    pub const fn as_u8(self) -> u8 {
        self.0 & 63
    }

    /// File of the square, 0 (a) to 7 (h).
    #[inline]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Rank of the square, 0 (first) to 7 (eighth).
    #[inline]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.as_u8() >> 3
    }

    /// The set holding only this square.
    #[inline]
    #[must_use]
    pub const fn set(self) -> SquareSet {
        SquareSet(1 << self.index())
    }

    /// The square `df` files to the right and `dr` ranks up, if it is on the board.
    #[inline]
    #[must_use]
    pub const fn offset(self, df: i8, dr: i8) -> Option<Square> {
        let file = self.file() as i16 + df as i16;
        let rank = self.rank() as i16 + dr as i16;
        if file & !7 == 0 && rank & !7 == 0 {
            Some(Square::from_coords(file as u8, rank as u8))
        } else {
            None
        }
    }

    /// The square on the same file and the mirrored rank (a1 ↔ a8).
    #[inline]
    #[must_use]
    pub const fn flip_rank(self) -> Square {
        Square(self.as_u8() ^ 56)
    }

    /// The next square toward a color's home rank, which the square must not be on.
    #[inline]
    pub(crate) const fn toward_home(self, color: Color) -> Square {
        match color {
            Color::White => Square(self.0.wrapping_sub(8) & 63),
            Color::Black => Square((self.0 + 8) & 63),
        }
    }

    /// Whether the square is a light one (h1 is light, a1 is dark).
    #[inline]
    #[must_use]
    pub const fn is_light(self) -> bool {
        SquareSet::LIGHT.contains(self)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = char::from(b'a' + self.file());
        let rank = char::from(b'1' + self.rank());
        write!(f, "{file}{rank}")
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_coordinates_agree() {
        for (index, &sq) in Square::ALL.iter().enumerate() {
            assert_eq!(sq.index(), index);
            assert_eq!(Square::parse(sq.to_string().as_bytes()), Some(sq));
            assert_eq!(Square::from_coords(sq.file(), sq.rank()), sq);
            assert_eq!(sq.is_light(), (sq.file() + sq.rank()) % 2 == 1);
        }
        assert_eq!(Square::parse(b"e4").map(Square::index), Some(28));
        for wrong in ["", "e", "e9", "e0", "i1", "E4", "e44", "`1"] {
            assert_eq!(Square::parse(wrong.as_bytes()), None, "{wrong}");
        }
    }

    #[test]
    fn offset_stops_at_the_edge() {
        let check = |from: &str, df, dr, want: Option<&str>| {
            let from = Square::parse(from.as_bytes()).unwrap();
            let got = from.offset(df, dr).map(|sq| sq.to_string());
            assert_eq!(got.as_deref(), want, "{from} {df} {dr}");
        };
        check("e4", 1, 1, Some("f5"));
        check("a1", -1, 0, None);
        check("h8", 0, 1, None);
        check("a1", 7, 7, Some("h8"));
        check("e4", 127, 127, None);
        check("e4", -128, -128, None);
    }
}
