//! Moves, packed into four bytes.
//!
//! A move knows the role that moves and the role that arrives, so that playing it needs no look at
//! the origin, and its kind, so that castling, en passant and double steps need no recognition. It
//! does not store what it captures: see [`Move::captured_square`].

use std::fmt;
use std::num::NonZeroU32;

use crate::board::Board;
use crate::castling::{king_squares, rook_squares};
use crate::piece::{Color, Role};
use crate::square::Square;

/// Kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum MoveKind {
    /// Anything without its own kind, captures and promotions included.
    Normal = 0,
    /// A pawn moving two squares.
    DoubleStep = 1,
    /// A pawn capturing a pawn that has passed it.
    EnPassant = 2,
    /// Castling, written as the king's move to the c- or g-file.
    Castle = 3,
    /// Passing the turn, written as the king staying where it is.
    Null = 4,
    /// Putting a piece from the hand on an empty square, which counts as origin and destination.
    Drop = 5,
}

/// A move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(NonZeroU32);

/// A reusable list of moves.
pub type MoveList = Vec<Move>;

// Bits 0–5 origin, 6–11 destination, 12–14 moving role, 15–17 arriving role, 18–20 kind. Castling
// of Chess960 has the file of the rook in bits 21–23 and bit 24 set. Bit 31 is always set, so that
// `Option<Move>` needs no fifth byte.
const TO: u32 = 6;
const ROLE: u32 = 12;
const PLACED: u32 = 15;
const KIND: u32 = 18;
const ROOK_FILE: u32 = 21;
const SHUFFLED: u32 = 1 << 24;
const MARK: u32 = 1 << 31;

impl Move {
    #[inline(always)]
    const fn pack(role: Role, placed: Role, from: Square, to: Square, kind: MoveKind) -> Move {
        let bits = from.index() as u32
            | (to.index() as u32) << TO
            | (role as u32) << ROLE
            | (placed as u32) << PLACED
            | (kind as u32) << KIND;
        Move::from_bits(bits)
    }

    #[inline(always)]
    const fn from_bits(bits: u32) -> Move {
        Move(NonZeroU32::new(MARK | bits).expect("the mark is set"))
    }

    #[inline(always)]
    const fn bits(self) -> u32 {
        self.0.get() ^ MARK
    }

    /// Makes an ordinary move of a piece.
    #[inline]
    #[must_use]
    pub const fn normal(role: Role, from: Square, to: Square) -> Move {
        Move::pack(role, role, from, to, MoveKind::Normal)
    }

    /// Makes a pawn's double step.
    #[inline]
    #[must_use]
    pub const fn double_step(from: Square, to: Square) -> Move {
        Move::pack(Role::Pawn, Role::Pawn, from, to, MoveKind::DoubleStep)
    }

    /// Makes a pawn's step, single or double.
    #[inline]
    pub(crate) const fn pawn_step(from: Square, to: Square, is_double: bool) -> Move {
        let step = Move::normal(Role::Pawn, from, to);
        Move::from_bits(step.bits() | (is_double as u32) << KIND)
    }

    /// Makes a pawn move that promotes, capturing or not.
    #[inline]
    #[must_use]
    pub const fn promoting(from: Square, to: Square, role: Role) -> Move {
        Move::pack(Role::Pawn, role, from, to, MoveKind::Normal)
    }

    /// Makes an en passant capture; `to` is the empty square the captured pawn has passed.
    #[inline]
    #[must_use]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(Role::Pawn, Role::Pawn, from, to, MoveKind::EnPassant)
    }

    /// Makes a castling move.
    #[inline]
    #[must_use]
    pub const fn castle(color: Color, king_side: bool) -> Move {
        let (from, to) = king_squares(color, king_side);
        Move::pack(Role::King, Role::King, from, to, MoveKind::Castle)
    }

    /// Makes a castling move of Chess960: king and rook may come from any file, and the king may
    /// even stay where it is.
    #[must_use]
    pub const fn castle_from(king: Square, rook: Square) -> Move {
        let king_side = rook.file() > king.file();
        let to = Square::from_coords(if king_side { 6 } else { 2 }, king.rank());
        let castling = Move::pack(Role::King, Role::King, king, to, MoveKind::Castle);
        Move::from_bits(castling.bits() | (rook.file() as u32) << ROOK_FILE | SHUFFLED)
    }

    /// A copy of the move between other squares.
    #[inline(always)]
    #[must_use]
    pub const fn between(self, from: Square, to: Square) -> Move {
        let squares = from.index() as u32 | (to.index() as u32) << TO;
        Move::from_bits(self.bits() >> ROLE << ROLE | squares)
    }

    /// Makes a null move of the king on a square.
    #[inline]
    #[must_use]
    pub const fn null(king: Square) -> Move {
        Move::pack(Role::King, Role::King, king, king, MoveKind::Null)
    }

    /// Makes a drop of Crazyhouse.
    #[inline]
    #[must_use]
    pub const fn drop(role: Role, to: Square) -> Move {
        Move::pack(role, role, to, to, MoveKind::Drop)
    }

    /// Square the piece leaves; for castling the king's, for a drop that of the piece.
    #[inline]
    #[must_use]
    pub const fn from(self) -> Square {
        Square::new((self.bits() & 63) as u8)
    }

    /// Square the piece reaches; for castling the king's.
    #[inline]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::new((self.bits() >> TO & 63) as u8)
    }

    /// Role of the piece that moves (the pawn for a promotion).
    #[inline]
    #[must_use]
    pub const fn role(self) -> Role {
        Role::from_index((self.bits() >> ROLE & 7) as u8)
    }

    /// Index of the role of the piece that moves; the compiler sees that it is below 8.
    #[inline(always)]
    pub(crate) const fn role_index(self) -> usize {
        (self.bits() >> ROLE & 7) as usize
    }

    /// Role that stands on the destination afterward.
    #[inline]
    #[must_use]
    pub const fn placed_role(self) -> Role {
        Role::from_index((self.bits() >> PLACED & 7) as u8)
    }

    /// Index of the role that stands on the destination afterward; the compiler sees that it is
    /// below 8.
    #[inline(always)]
    pub(crate) const fn placed_index(self) -> usize {
        (self.bits() >> PLACED & 7) as usize
    }

    /// Role a pawn is promoted to.
    #[inline]
    #[must_use]
    pub const fn promotion(self) -> Option<Role> {
        if (self.bits() >> ROLE ^ self.bits() >> PLACED) & 7 != 0 {
            Some(self.placed_role())
        } else {
            None
        }
    }

    /// Kind of the move.
    #[inline]
    #[must_use]
    pub const fn kind(self) -> MoveKind {
        match self.bits() >> KIND & 7 {
            0 => MoveKind::Normal,
            1 => MoveKind::DoubleStep,
            2 => MoveKind::EnPassant,
            3 => MoveKind::Castle,
            5 => MoveKind::Drop,
            _ => MoveKind::Null,
        }
    }

    /// Whether the move is other than a piece going from origin to destination: en passant,
    /// castling, a null move or a drop.
    #[inline(always)]
    #[must_use]
    pub const fn is_irregular(self) -> bool {
        self.bits() >> KIND >= MoveKind::EnPassant as u32
    }

    /// Whether the move is an en passant capture.
    #[inline]
    #[must_use]
    pub const fn is_en_passant(self) -> bool {
        self.bits() >> KIND == MoveKind::EnPassant as u32
    }

    /// Whether the move is castling.
    #[inline]
    #[must_use]
    pub const fn is_castle(self) -> bool {
        self.bits() >> KIND & 7 == MoveKind::Castle as u32
    }

    /// Whether the move passes the turn.
    #[inline]
    #[must_use]
    pub const fn is_null(self) -> bool {
        self.bits() >> KIND == MoveKind::Null as u32
    }

    /// Whether the move puts a piece from the hand on the board.
    #[inline]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.bits() >> KIND == MoveKind::Drop as u32
    }

    /// Whether a pawn moves two squares.
    #[inline]
    #[must_use]
    pub const fn is_double_step(self) -> bool {
        self.bits() >> KIND == MoveKind::DoubleStep as u32
    }

    /// Square of the piece that this move captures on the board before it: the destination, or for
    /// en passant the square of the pawn that has passed; `None` if nothing is captured.
    #[inline]
    #[must_use]
    pub fn captured_square(self, board: &Board) -> Option<Square> {
        match self.kind() {
            MoveKind::EnPassant => Some(self.en_passant_victim()),
            MoveKind::Castle | MoveKind::Null | MoveKind::Drop => None,
            MoveKind::Normal | MoveKind::DoubleStep => {
                board.occupied().contains(self.to()).then_some(self.to())
            }
        }
    }

    /// For an en passant capture: the destination's file on the origin's rank.
    #[inline]
    pub(crate) const fn en_passant_victim(self) -> Square {
        Square::from_coords(self.to().file(), self.from().rank())
    }

    /// For castling: origin and destination of the rook.
    #[inline]
    #[must_use]
    pub const fn rook_from_to(self) -> Option<(Square, Square)> {
        if !self.is_castle() {
            return None;
        }
        if self.bits() & SHUFFLED != 0 {
            let rank = self.from().rank();
            let from = Square::from_coords((self.bits() >> ROOK_FILE & 7) as u8, rank);
            let to = Square::from_coords(if self.to().file() == 6 { 5 } else { 3 }, rank);
            return Some((from, to));
        }
        let color = if self.to().rank() == 0 { Color::White } else { Color::Black };
        Some(rook_squares(color, self.to().file() == 6))
    }
}

/// Writes the coordinates, for castling those of the king, in Chess960 from the king to the rook; a
/// promotion has a lower-case letter, a null move is `--`, a drop is `N@f3`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_null() {
            return f.write_str("--");
        }
        if self.is_drop() {
            return write!(f, "{}@{}", char::from(self.role().letter()), self.to());
        }
        if self.bits() & SHUFFLED != 0
            && let Some((rook, _)) = self.rook_from_to()
        {
            return write!(f, "{}{rook}", self.from());
        }
        write!(f, "{}{}", self.from(), self.to())?;
        match self.promotion() {
            Some(role) => write!(f, "{}", char::from(role.letter().to_ascii_lowercase())),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self} ({:?} {:?})", self.role(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sq(name: &str) -> Square {
        Square::parse(name.as_bytes()).unwrap()
    }

    #[test]
    fn moves_between_other_squares() {
        let (from, to) = (sq("b7"), sq("a8"));
        let check = |mv: Move, want: Move| assert_eq!(mv.between(from, to), want);
        let (e2, e4) = (sq("e2"), sq("e4"));
        check(Move::normal(Role::King, e2, e4), Move::normal(Role::King, from, to));
        check(Move::double_step(e2, e4), Move::double_step(from, to));
        check(Move::en_passant(e2, e4), Move::en_passant(from, to));
        let [rook, queen] = [Role::Rook, Role::Queen];
        check(Move::promoting(e2, e4, rook), Move::promoting(from, to, rook));
        assert_ne!(
            Move::promoting(e2, e4, queen).between(from, to),
            Move::promoting(from, to, rook)
        );
    }

    #[test]
    fn parts_come_back() {
        let check = |mv: Move, text: &str, role, placed, kind| {
            assert_eq!(mv.to_string(), text);
            assert_eq!((mv.role(), mv.placed_role(), mv.kind()), (role, placed, kind), "{text}");
            assert_eq!(mv.promotion(), (role != placed).then_some(placed));
            assert_eq!(mv.is_irregular(), kind >= MoveKind::EnPassant);
        };
        use Role::{King, Knight, Pawn, Queen};
        let (e7, e8) = (sq("e7"), sq("e8"));
        check(Move::normal(Knight, sq("g1"), sq("f3")), "g1f3", Knight, Knight, MoveKind::Normal);
        check(Move::promoting(e7, e8, Queen), "e7e8q", Pawn, Queen, MoveKind::Normal);
        check(Move::double_step(e7, sq("e5")), "e7e5", Pawn, Pawn, MoveKind::DoubleStep);
        check(Move::en_passant(sq("e5"), sq("d6")), "e5d6", Pawn, Pawn, MoveKind::EnPassant);
        check(Move::castle(Color::White, true), "e1g1", King, King, MoveKind::Castle);
        check(Move::null(e8), "--", King, King, MoveKind::Null);
        check(Move::drop(Pawn, e7), "P@e7", Pawn, Pawn, MoveKind::Drop);
        assert_eq!(size_of::<Option<Move>>(), 4);
    }

    #[test]
    fn side_squares() {
        let ep = Move::en_passant(sq("e4"), sq("d3"));
        assert_eq!(ep.captured_square(&Board::EMPTY), Some(sq("d4")));
        let take = Move::normal(Role::Rook, sq("a1"), sq("a7"));
        assert_eq!(take.captured_square(&Board::START), Some(sq("a7")));
        assert_eq!(take.captured_square(&Board::EMPTY), None);
        assert_eq!(Move::null(Square::E1).captured_square(&Board::START), None);
        let rook = |color, side| Move::castle(color, side).rook_from_to();
        assert_eq!(rook(Color::White, true), Some((sq("h1"), sq("f1"))));
        assert_eq!(rook(Color::White, false), Some((sq("a1"), sq("d1"))));
        assert_eq!(rook(Color::Black, true), Some((sq("h8"), sq("f8"))));
        assert_eq!(rook(Color::Black, false), Some((sq("a8"), sq("d8"))));
        assert_eq!(take.rook_from_to(), None);
    }

    #[test]
    fn castling_from_other_squares() {
        let check = |king: &str, rook: &str, king_to: &str, rook_to: &str| {
            let mv = Move::castle_from(sq(king), sq(rook));
            assert_eq!((mv.from(), mv.to()), (sq(king), sq(king_to)));
            assert_eq!(mv.rook_from_to(), Some((sq(rook), sq(rook_to))));
            assert_eq!((mv.kind(), mv.promotion()), (MoveKind::Castle, None));
            assert!(mv.is_castle() && mv.is_irregular() && !mv.is_null());
            assert_eq!(mv.to_string(), format!("{king}{rook}"));
        };
        check("e1", "h1", "g1", "f1");
        check("g1", "h1", "g1", "f1");
        check("f8", "g8", "g8", "f8");
        check("b8", "a8", "c8", "d8");
        check("c1", "b1", "c1", "d1");
        check("e1", "f1", "g1", "f1");
    }
}
