//! Colors, roles and pieces.
//!
//! A [`Role`] is a piece type without color, a [`Piece`] has a color.

use std::ops::{Index, IndexMut, Not};

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Color {
    /// White, who moves up the board.
    White = 0,
    /// Black, who moves down the board.
    Black = 1,
}

impl Color {
    /// Both colors, White first.
    pub const ALL: [Color; 2] = [Color::White, Color::Black];

    /// 0 for White, 1 for Black.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Rank (0–7) on which the color's pieces start.
    #[inline]
    #[must_use]
    pub const fn home_rank(self) -> u8 {
        match self {
            Color::White => 0,
            Color::Black => 7,
        }
    }

    /// Rank (0–7) on which the color's pawns promote.
    #[inline]
    #[must_use]
    pub const fn promotion_rank(self) -> u8 {
        7 - self.home_rank()
    }
}

impl Not for Color {
    type Output = Color;
    #[inline]
    fn not(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }
}

/// Piece type, without color.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl Role {
    /// All roles, from pawn to king.
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// 0 (pawn) to 5 (king).
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role with an index of 0–5; larger numbers give the king.
    #[inline]
    #[must_use]
    pub(crate) const fn from_index(index: u8) -> Role {
        match index {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            _ => Role::King,
        }
    }

    /// Upper-case letter of the role in FEN and SAN (`P` for the pawn).
    #[inline]
    #[must_use]
    pub const fn letter(self) -> u8 {
        b"PNBRQK"[self.index()]
    }

    /// The role written with this upper-case letter.
    #[inline]
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        Some(match letter {
            b'P' => Role::Pawn,
            b'N' => Role::Knight,
            b'B' => Role::Bishop,
            b'R' => Role::Rook,
            b'Q' => Role::Queen,
            b'K' => Role::King,
            _ => return None,
        })
    }
}

/// A colored piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Color of the piece.
    pub color: Color,
    /// Role of the piece.
    pub role: Role,
}

impl Piece {
    /// All twelve pieces, the white ones first.
    pub const ALL: [Piece; 12] = {
        let mut all = [Piece { color: Color::White, role: Role::Pawn }; 12];
        let mut i = 0;
        while i < 12 {
            all[i] = Piece { color: Color::ALL[i / 6], role: Role::ALL[i % 6] };
            i += 1;
        }
        all
    };

    /// Makes a piece.
    #[inline]
    #[must_use]
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece { color, role }
    }

    /// Index of the piece in [`Piece::ALL`].
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.color.index() * 6 + self.role.index()
    }

    /// Letter of the piece in FEN: upper case for White.
    #[must_use]
    pub const fn letter(self) -> u8 {
        match self.color {
            Color::White => self.role.letter(),
            Color::Black => self.role.letter().to_ascii_lowercase(),
        }
    }

    /// The piece with this FEN letter.
    #[must_use]
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match Role::from_letter(letter.to_ascii_uppercase()) {
            Some(role) => Some(Piece { color, role }),
            None => None,
        }
    }
}

/// One value for each color, indexed by [`Color`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByColor<T>(pub [T; 2]);

impl<T> Index<Color> for ByColor<T> {
    type Output = T;
    #[inline]
    fn index(&self, color: Color) -> &T {
        &self.0[color.index()]
    }
}

impl<T> IndexMut<Color> for ByColor<T> {
    #[inline]
    fn index_mut(&mut self, color: Color) -> &mut T {
        &mut self.0[color.index()]
    }
}

/// One value for each role, indexed by [`Role`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ByRole<T>(pub [T; 6]);

impl<T> Index<Role> for ByRole<T> {
    type Output = T;
    #[inline]
    fn index(&self, role: Role) -> &T {
        &self.0[role.index()]
    }
}

impl<T> IndexMut<Role> for ByRole<T> {
    #[inline]
    fn index_mut(&mut self, role: Role) -> &mut T {
        &mut self.0[role.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip() {
        for (i, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), i);
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            assert_eq!(Role::from_index(piece.role as u8), piece.role);
        }
        let letters: String = Piece::ALL.iter().map(|p| char::from(p.letter())).collect();
        assert_eq!(letters, "PNBRQKpnbrqk");
        assert_eq!(Piece::from_letter(b'x'), None);
        assert_eq!(Role::from_letter(b'n'), None);
    }

    #[test]
    fn colors_swap() {
        assert_eq!(!Color::White, Color::Black);
        assert_eq!(!!Color::White, Color::White);
        assert_eq!(Color::White.promotion_rank(), 7);
    }
}
