//! Castling rights and the squares castling needs.
//!
//! Rights are bookkeeping only. [`castling_path_clear`] tests whether castling is possible on the
//! board: king and rook at home, nothing between, no attacked square on the king's way. It reads no
//! rights, because PGN readers accept castling without the right, and queries derive the right from
//! the moves of the game.

use crate::attacks::between;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::setup::{outermost_rook, sides};
use crate::square::Square;

/// Set of the four castling rights.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right.
    pub const NONE: CastlingRights = CastlingRights(0);
    /// All four rights.
    pub const ALL: CastlingRights = CastlingRights(15);

    /// The single right of a color and side.
    #[inline]
    #[must_use]
    pub const fn right(color: Color, king_side: bool) -> CastlingRights {
        CastlingRights((if king_side { 1 } else { 2 }) << (color.index() * 2))
    }

    /// The rights as bits: 1 for K, 2 for Q, 4 for k, 8 for q.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The rights with these bits; higher bits are ignored.
    #[inline]
    #[must_use]
    pub const fn from_bits(bits: u8) -> CastlingRights {
        CastlingRights(bits & 15)
    }

    /// Whether no right is left.
    #[inline]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a color may castle to a side.
    #[inline]
    #[must_use]
    pub const fn has(self, color: Color, king_side: bool) -> bool {
        self.0 & CastlingRights::right(color, king_side).0 != 0
    }

    /// Adds a right.
    #[inline]
    pub const fn insert(&mut self, color: Color, king_side: bool) {
        self.0 |= CastlingRights::right(color, king_side).0;
    }

    /// Removes a right.
    #[inline]
    pub const fn remove(&mut self, color: Color, king_side: bool) {
        self.0 &= !CastlingRights::right(color, king_side).0;
    }

    /// The rights left after a move that leaves or enters these two squares.
    #[inline(always)]
    pub(crate) fn after(self, from: Square, to: Square) -> CastlingRights {
        CastlingRights(self.0 & KEPT[from.index()] & KEPT[to.index()])
    }
}

/// Rights that survive a move touching a square.
static KEPT: [u8; 64] = {
    let mut kept = [15; 64];
    let mut c = 0;
    while c < 2 {
        let color = Color::ALL[c];
        let king = CastlingRights::right(color, true).0 | CastlingRights::right(color, false).0;
        kept[home(color, 4).index()] = 15 & !king;
        kept[home(color, 7).index()] = 15 & !CastlingRights::right(color, true).0;
        kept[home(color, 0).index()] = 15 & !CastlingRights::right(color, false).0;
        c += 1;
    }
    kept
};

/// The square on a file of a color's home rank.
const fn home(color: Color, file: u8) -> Square {
    Square::from_coords(file, color.home_rank())
}

/// Origin and destination of the king.
#[inline]
pub(crate) const fn king_squares(color: Color, king_side: bool) -> (Square, Square) {
    (home(color, 4), home(color, if king_side { 6 } else { 2 }))
}

/// Origin and destination of the rook.
#[inline]
pub(crate) const fn rook_squares(color: Color, king_side: bool) -> (Square, Square) {
    if king_side { (home(color, 7), home(color, 5)) } else { (home(color, 0), home(color, 3)) }
}

/// Whether king and rook of a castling are at home.
pub(crate) fn partners_at_home(pos: &Position, color: Color, king_side: bool) -> bool {
    let board = &pos.board;
    let (king, _) = king_squares(color, king_side);
    let (rook, _) = rook_squares(color, king_side);
    board.kings(color).contains(king) && board.pieces(color, Role::Rook).contains(rook)
}

impl Position {
    /// The rights whose king and rook stand at home.
    #[must_use]
    pub fn castling_at_home(&self) -> CastlingRights {
        self.castling_where(|color, king_side| partners_at_home(self, color, king_side))
    }

    /// The rights that the pieces allow, in Chess960 too: on the home rank stand the king and, on
    /// this side of it, a rook.
    #[must_use]
    pub fn possible_castling(&self) -> CastlingRights {
        self.castling_where(|color, side| outermost_rook(&self.board, color, side).is_some())
    }

    fn castling_where(&self, is_kept: impl Fn(Color, bool) -> bool) -> CastlingRights {
        let mut rights = self.castling;
        for (color, king_side) in sides().filter(|&(color, side)| !is_kept(color, side)) {
            rights.remove(color, king_side);
        }
        rights
    }
}

/// Whether a color could castle if it had the right: king on e1 or e8 and own rook in the corner,
/// empty squares between them, and the king neither attacked nor passing or reaching an attacked
/// square. With several own kings the others must not be attacked afterward either.
#[must_use]
pub fn castling_path_clear(pos: &Position, color: Color, king_side: bool) -> bool {
    if !partners_at_home(pos, color, king_side) {
        return false;
    }
    let (king, king_to) = king_squares(color, king_side);
    let (rook, rook_to) = rook_squares(color, king_side);
    let occupied = pos.board.occupied();
    if between(king, rook).intersects(occupied) {
        return false;
    }
    // The king does not shield the squares it passes: an attack along the rank hits it at once.
    let way = between(king, king_to) | king.set() | king_to.set();
    if way.into_iter().any(|sq| pos.board.is_attacked(sq, !color, occupied)) {
        return false;
    }
    let others = pos.board.kings(color) - king.set();
    if others.is_empty() {
        return true;
    }
    let mut after = pos.board;
    after.clear(king.set() | rook.set());
    after.put(king_to, Piece::new(color, Role::King));
    after.put(rook_to, Piece::new(color, Role::Rook));
    !others.into_iter().any(|sq| after.is_attacked(sq, !color, after.occupied()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_board;

    fn check(board: &str, want: &str) {
        let pos = Position { board: parse_board(board.as_bytes()).unwrap(), ..Position::START };
        let sides = [('K', Color::White, true), ('Q', Color::White, false)]
            .into_iter()
            .chain([('k', Color::Black, true), ('q', Color::Black, false)]);
        let got: String = sides
            .filter(|&(_, color, king_side)| castling_path_clear(&pos, color, king_side))
            .map(|(letter, ..)| letter)
            .collect();
        assert_eq!(got, want, "{board}");
    }

    #[test]
    fn path() {
        check("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq");
        check("r3k2r/8/8/8/8/8/8/RN2K1NR", "kq");
        // An attack on b1 does not matter, one on c1, d1 or e1 does.
        check("1r2k3/8/8/8/8/8/8/R3K2R", "KQ");
        check("2r1k3/8/8/8/8/8/8/R3K2R", "K");
        check("3rk3/8/8/8/8/8/8/R3K2R", "K");
        check("4k3/4r3/8/8/8/8/8/R3K2R", "");
        check("4k3/8/8/8/8/8/6p1/R3K2R", "Q");
        check("4k3/8/8/8/8/8/8/r3K2R", "");
        check("4k3/8/8/8/8/8/8/b3K2R", "K");
        check("8/8/8/8/8/8/8/R2K3R", "");
        // A second white king on c4: the rook leaving a1 opens nothing, the one on c8 attacks it.
        check("2r5/8/8/8/2K5/8/8/4K2R", "");
        check("7r/8/8/8/2K5/8/8/4K2R", "K");
    }

    #[test]
    fn rights_need_a_king_and_a_rook() {
        for (board, want) in [
            ("r3k2r/8/8/8/8/8/8/R3K2R", "KQkq"),
            ("4k3/8/8/8/8/8/8/4K2R", "K"),
            ("4k3/8/8/8/8/8/8/8", "-"),
            ("r3k3/8/4K3/8/8/8/8/R6R", "q"),
            // A start of Chess960.
            ("rkr5/8/8/8/8/8/8/1RKR4", "KQkq"),
        ] {
            let pos = Position { board: parse_board(board.as_bytes()).unwrap(), ..Position::START };
            assert_eq!(pos.possible_castling().to_string(), want, "{board}");
        }
    }

    #[test]
    fn rights() {
        let mut rights = CastlingRights::ALL;
        rights.remove(Color::White, true);
        assert_eq!(rights.bits(), 14);
        assert_eq!(rights.after(Square::E8, Square::E1).bits(), 0);
        assert_eq!(CastlingRights::ALL.after(Square::A8, Square::H1).bits(), 6);
        rights.insert(Color::White, true);
        assert_eq!(rights, CastlingRights::ALL);
    }
}
