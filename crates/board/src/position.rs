//! A position: a board with turn, castling rights, en passant square and clocks.
//!
//! It has 72 bytes and is copied rather than undone: a game is an array of positions.

use std::hint::select_unpredictable;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::set::SquareSet;
use crate::square::Square;

/// A position. Nothing about it needs to be legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Placement of the pieces.
    pub board: Board,
    /// Side to move.
    pub turn: Color,
    /// Castling rights, as read or left over; they promise nothing about the board.
    pub castling: CastlingRights,
    /// Square passed over by a double step just made, or the square that the FEN names. Whether a
    /// capture on it is possible is decided when moves are made.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move. Like the move number it wraps at 65,536.
    pub halfmove_clock: u16,
    /// Number of the full move.
    pub fullmove_number: u16,
}

impl Position {
    /// The normal start of a game.
    pub const START: Position = Position {
        board: Board::START,
        turn: Color::White,
        castling: CastlingRights::ALL,
        en_passant: None,
        halfmove_clock: 0,
        fullmove_number: 1,
    };

    /// A board with a side to move, without rights or history.
    #[must_use]
    pub const fn new(board: Board, turn: Color) -> Position {
        Position { board, turn, castling: CastlingRights::NONE, ..Position::START }
    }

    /// Pieces of the side to move.
    #[inline]
    #[must_use]
    pub const fn us(&self) -> SquareSet {
        self.board.color(self.turn)
    }

    /// Pieces of the side not to move.
    #[inline]
    #[must_use]
    pub fn them(&self) -> SquareSet {
        self.board.color(!self.turn)
    }

    /// Whether a king of the side to move is attacked.
    #[inline]
    #[must_use]
    pub fn is_check(&self) -> bool {
        let (kings, occupied) = (self.board.kings(self.turn), self.board.occupied());
        let is_attacked = |king| self.board.is_attacked(king, !self.turn, occupied);
        // There is mostly one king; outside of a loop, the values of the test stay in registers.
        let of_first = kings.first().is_some_and(is_attacked);
        of_first || kings.is_several() && self.is_check_of_several()
    }

    #[cold]
    #[inline(never)]
    fn is_check_of_several(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// Enemy pieces that attack a king of the side to move.
    #[must_use]
    pub fn checkers(&self) -> SquareSet {
        let (kings, occupied) = (self.board.kings(self.turn), self.board.occupied());
        kings.into_iter().fold(SquareSet::EMPTY, |set, king| {
            set | self.board.attackers_to(king, occupied) & self.them()
        })
    }

    /// Pieces of the side to move that alone stand between an own king and an enemy slider.
    #[must_use]
    pub fn pinned(&self) -> SquareSet {
        let kings = self.board.kings(self.turn);
        kings.into_iter().fold(SquareSet::EMPTY, |set, king| set | self.pinned_to(king))
    }

    /// Pieces of the side to move pinned to one king.
    #[inline]
    pub(crate) fn pinned_to(&self, king: Square) -> SquareSet {
        self.board.shields(king, self.them()) & self.us()
    }

    /// The position after a move.
    ///
    /// The move is not checked: one that is not pseudolegal here leads to some other position.
    // Always inline: written field by field and then copied, the result would be read back in
    // larger pieces than it was written in, and wait for the writes.
    #[inline(always)]
    #[must_use]
    pub fn play(&self, mv: Move) -> Position {
        let us = self.turn;
        let (from, to) = (mv.from(), mv.to());
        // A null move has equal squares and touches none.
        let touched = from.set() ^ to.set();
        let filled = to.set() & touched;
        // No branches and no addresses taken: all of the position stays in registers, and the
        // array of positions of a game is written, not read, while the game is replayed.
        let [white, black] = self.board.colors;
        let them = if us == Color::White { black } else { white };
        let keeps_clock = (mv.role() != Role::Pawn) & !them.contains(to);
        let mut board = self.board.relocated(us, mv.placed_index(), touched, filled);
        let mut castling = self.castling.after(from, to);
        if mv.is_irregular() {
            let (role_index, cleared, filled) = second_change(mv);
            board = board.relocated(us, role_index, cleared, filled);
            if !mv.is_castle() {
                castling = self.castling;
            }
        }
        Position {
            board,
            turn: !us,
            castling,
            // Origin and destination differ by 16; the square between is their mean.
            en_passant: mv.is_double_step().then_some(Square::new((from.as_u8() + to.as_u8()) / 2)),
            halfmove_clock: select_unpredictable(
                keeps_clock,
                self.halfmove_clock.wrapping_add(1),
                0,
            ),
            fullmove_number: self.fullmove_number.wrapping_add(us as u16),
        }
    }

    /// Plays a move; see [`Position::play`].
    #[inline]
    pub fn play_mut(&mut self, mv: Move) {
        *self = self.play(mv);
    }
}

/// Returns the change of the board besides the moved piece: the index of the role of a piece that
/// is put (the rook, except for drops), the squares emptied, and the squares on which the piece is
/// put.
#[cold]
#[inline(never)]
fn second_change(mv: Move) -> (usize, SquareSet, SquareSet) {
    let to = mv.to().set();
    let (cleared, filled) = match mv.rook_from_to() {
        // In Chess960 the king may have come to stand where the rook was.
        Some((from, rook_to)) => (from.set() - to, rook_to.set()),
        None if mv.is_en_passant() => (mv.en_passant_victim().set(), SquareSet::EMPTY),
        None if mv.is_drop() => return (mv.placed_index(), to, to),
        None => (SquareSet::EMPTY, SquareSet::EMPTY),
    };
    (Role::Rook.index(), cleared, filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_position;

    #[test]
    fn a_position_is_small() {
        assert_eq!(size_of::<Position>(), 72);
    }

    #[test]
    fn checkers_and_pins_of_all_kings() {
        let check = |fen: &str, checkers: &[&str], pinned: &[&str]| {
            let pos = parse_position(fen.as_bytes()).unwrap();
            let set = |names: &[&str]| -> SquareSet {
                let parse = |name: &&str| Square::parse(name.as_bytes()).unwrap();
                names.iter().map(parse).collect()
            };
            assert_eq!(pos.checkers(), set(checkers), "{fen}");
            assert_eq!(pos.pinned(), set(pinned), "{fen}");
            assert_eq!(pos.is_check(), !checkers.is_empty(), "{fen}");
        };
        check("4k3/8/8/8/8/5n2/8/4K2r w - - 0 1", &["f3", "h1"], &[]);
        check("4r3/8/8/8/7b/8/4NP2/4K3 w - - 0 1", &[], &["e2", "f2"]);
        // Two shields pin neither; an enemy shield is not pinned; a bishop pins no file.
        check("4r3/8/4P3/8/7b/6p1/4NP2/4K3 w - - 0 1", &[], &[]);
        check("4b3/8/8/8/8/8/4N3/4K3 w - - 0 1", &[], &[]);
        // Only the side to move is tested.
        check("4k3/8/8/8/8/8/8/4K2r b - - 0 1", &[], &[]);
        check("4r3/8/8/r2N3K/8/8/4N3/4K3 w - - 0 1", &[], &["d5", "e2"]);
        check("4r3/8/8/8/8/8/4N3/8 w - - 0 1", &[], &[]);
    }

    #[test]
    fn a_game_keeps_its_books() {
        let mut pos = Position::START;
        for (text, want) in [
            ("e2e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
            ("a7a6", "rnbqkbnr/1ppppppp/p7/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"),
            ("e4e5", "rnbqkbnr/1ppppppp/p7/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2"),
            ("d7d5", "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"),
            ("e5d6", "rnbqkbnr/1pp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 3"),
            ("a8a7", "1nbqkbnr/rpp1pppp/p2P4/8/8/8/PPPP1PPP/RNBQKBNR w KQk - 1 4"),
            ("g1f3", "1nbqkbnr/rpp1pppp/p2P4/8/8/5N2/PPPP1PPP/RNBQKB1R b KQk - 2 4"),
            ("e7d6", "1nbqkbnr/rpp2ppp/p2p4/8/8/5N2/PPPP1PPP/RNBQKB1R w KQk - 0 5"),
            ("f1b5", "1nbqkbnr/rpp2ppp/p2p4/1B6/8/5N2/PPPP1PPP/RNBQK2R b KQk - 1 5"),
            ("e8e7", "1nbq1bnr/rpp1kppp/p2p4/1B6/8/5N2/PPPP1PPP/RNBQK2R w KQ - 2 6"),
            ("e1g1", "1nbq1bnr/rpp1kppp/p2p4/1B6/8/5N2/PPPP1PPP/RNBQ1RK1 b - - 3 6"),
        ] {
            let (from, to) = text.as_bytes().split_at(2);
            let (from, to) = (Square::parse(from).unwrap(), Square::parse(to).unwrap());
            pos.play_mut(crate::resolve_coordinate(&pos, from, to, None).unwrap());
            assert_eq!(pos.fen(), want, "{text}");
        }
    }
}
