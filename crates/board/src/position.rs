//! A board with what a position has besides: turn, castling rights, en passant, clocks.
//!
//! 72 bytes, copied rather than undone: a game is an array of positions.

use std::hint::select_unpredictable;

use crate::attacks::{between, reach};
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::set::SquareSet;
use crate::square::Square;

/// A position. Nothing about it needs to be legal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position {
    /// Where the pieces stand.
    pub board: Board,
    /// Side to move.
    pub turn: Color,
    /// Castling rights, as read or left over; they promise nothing about the board.
    pub castling: CastlingRights,
    /// Square passed over by a double step just made, or whatever the FEN said. Whether a
    /// capture on it is possible is decided when moves are made.
    pub en_passant: Option<Square>,
    /// Half-moves since the last capture or pawn move.
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
        Position {
            board,
            turn,
            castling: CastlingRights::NONE,
            ..Position::START
        }
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
        kings
            .into_iter()
            .any(|king| self.board.is_attacked(king, !self.turn, occupied))
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
        kings
            .into_iter()
            .fold(SquareSet::EMPTY, |set, king| set | self.pinned_to(king))
    }

    /// Pieces of the side to move pinned to one king.
    #[inline]
    pub(crate) fn pinned_to(&self, king: Square) -> SquareSet {
        let (board, occupied) = (&self.board, self.board.occupied());
        let snipers = (board.diagonal_sliders() & reach(Role::Bishop, king)
            | board.straight_sliders() & reach(Role::Rook, king))
            & self.them();
        let mut pinned = SquareSet::EMPTY;
        for sniper in snipers {
            let shields = between(king, sniper) & occupied;
            if !shields.is_several() {
                pinned |= shields;
            }
        }
        pinned & self.us()
    }

    /// The position after a move.
    ///
    /// The move is believed: one that is not pseudolegal here leads to some other position.
    #[inline]
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
            let (cleared, filled) = second_change(mv);
            board = board.relocated(us, Role::Rook.index(), cleared, filled);
            if mv.is_null() {
                castling = self.castling;
            }
        }
        Position {
            board,
            turn: !us,
            castling,
            // Origin and destination differ by 16; the square between is their mean.
            en_passant: mv
                .is_double_step()
                .then_some(Square::new((from.as_u8() + to.as_u8()) / 2)),
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

/// What a move does besides moving its piece: the squares it empties and those it puts a rook on.
#[cold]
#[inline(never)]
fn second_change(mv: Move) -> (SquareSet, SquareSet) {
    match mv.rook_from_to() {
        Some((from, to)) => (from.set(), to.set()),
        None if mv.is_en_passant() => (mv.en_passant_victim().set(), SquareSet::EMPTY),
        None => (SquareSet::EMPTY, SquareSet::EMPTY),
    }
}
