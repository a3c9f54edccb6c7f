//! A board with what a position has besides: turn, castling rights, en passant, clocks.
//!
//! 72 bytes, copied rather than undone: a game is an array of positions.

use crate::attacks::{between, diagonals, orthogonals};
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::{Move, MoveKind};
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
        let snipers = (board.diagonal_sliders() & diagonals(king)
            | board.straight_sliders() & orthogonals(king))
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
        let mut next = *self;
        next.play_mut(mv);
        next
    }

    /// Plays a move; see [`Position::play`].
    #[inline]
    pub fn play_mut(&mut self, mv: Move) {
        let us = self.turn;
        let (from, to, role) = (mv.from(), mv.to(), mv.role());
        let resets_clock = role == Role::Pawn || self.them().contains(to);
        self.halfmove_clock = if resets_clock {
            0
        } else {
            self.halfmove_clock.saturating_add(1)
        };
        self.fullmove_number = self.fullmove_number.saturating_add(us as u16);
        self.turn = !us;
        self.en_passant = None;
        if mv.is_irregular() {
            self.play_irregular(us, mv);
            return;
        }
        self.castling = self.castling.after(from, to);
        if mv.is_double_step() {
            // Origin and destination differ by 16; the square between is their mean.
            self.en_passant = Some(Square::new((from.as_u8() + to.as_u8()) / 2));
        }
        let touched = from.set() | to.set();
        self.board.relocate(us, mv.placed_role(), touched, to.set());
    }

    #[cold]
    fn play_irregular(&mut self, us: Color, mv: Move) {
        let (from, to) = (mv.from().set(), mv.to().set());
        match mv.kind() {
            MoveKind::EnPassant => {
                let cleared = from | to | mv.en_passant_victim().set();
                self.board.relocate(us, Role::Pawn, cleared, to);
            }
            MoveKind::Castle => {
                self.castling = self.castling.after(mv.from(), mv.to());
                self.board.relocate(us, Role::King, from | to, to);
                if let Some((rook_from, rook_to)) = mv.rook_from_to() {
                    let touched = rook_from.set() | rook_to.set();
                    self.board.relocate(us, Role::Rook, touched, rook_to.set());
                }
            }
            // A null move moves nothing: no rights are lost, and without a king its square may
            // even be empty.
            MoveKind::Null | MoveKind::Normal | MoveKind::DoubleStep => {}
        }
    }
}
