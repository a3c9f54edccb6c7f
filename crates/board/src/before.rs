//! Retracts moves: finds the moves, and the positions before them, that may have led to a position.
//!
//! A piece of the side that has moved goes back to an empty square, and a piece of the other side
//! may have stood on the square that it leaves. Whether such a move was possible is not derived but
//! tested: the position before must be [legal](Position::is_legal_position), and if its king was in
//! check, the move has answered the check.

use std::ops::ControlFlow;

use crate::attacks::{
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, rook_attacks,
};
use crate::castling::{CastlingRights, king_squares, rook_squares};
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::possible::is_clear;
use crate::set::SquareSet;
use crate::square::Square;

/// Roles of a captured piece, in the order of the visits.
const CAPTURED: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

const CONTINUE: ControlFlow<()> = ControlFlow::Continue(());

impl Position {
    /// Calls `visit` with each move that may have led here and the position in which it was made,
    /// until `visit` breaks.
    ///
    /// The position before is legal by the pieces on its board. It has the castling rights of this
    /// one and those that castling used up, no en passant square except before an en passant
    /// capture, and its clock is 0, because nothing more is known. Moves are ordered by the role of
    /// the piece that moved (pawns first, kings last), then by its square and the square it came
    /// from; between the same squares, the move without a capture comes first. Castling comes last.
    pub fn visit_predecessors(
        &self,
        mut visit: impl FnMut(Move, &Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.visit_before(
            |mv, before| if before.is_legal_position() { visit(mv, &before) } else { CONTINUE },
        )
    }

    /// As [`Position::visit_predecessors`], whether or not the position before is legal.
    pub(crate) fn visit_before(
        &self,
        mut offer: impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = !self.turn;
        let king = self.board.kings(mover).single();
        let is_left_in_check =
            king.is_some_and(|king| self.board.is_attacked(king, self.turn, self.board.occupied()));
        if is_left_in_check {
            return CONTINUE;
        }
        if let Some(double_step) = self.double_step_just_made() {
            return self.take_back(double_step, None, &mut offer);
        }
        for role in Role::ALL {
            for to in self.board.pieces(mover, role) {
                if !self.may_have_moved(role, to) {
                    continue;
                }
                if role == Role::Pawn {
                    self.pawn_backward(to, &mut offer)?;
                    continue;
                }
                for from in self.origins(role, to) {
                    self.with_captures(Move::normal(role, from, to), &mut offer)?;
                }
                if to.rank() == mover.promotion_rank() && role != Role::King {
                    self.promotion_backward(role, to, &mut offer)?;
                }
            }
        }
        self.castling_backward(&mut offer)
    }

    /// The double step that the en passant square implies.
    fn double_step_just_made(&self) -> Option<Move> {
        let passed = self.en_passant?;
        let back: i8 = if self.turn == Color::White { 1 } else { -1 };
        let (from, to) = (passed.offset(0, back)?, passed.offset(0, -back)?);
        let pawns = self.board.pieces(!self.turn, Role::Pawn);
        (pawns.contains(to) && to.rank().abs_diff(from.rank()) == 2)
            .then(|| Move::double_step(from, to))
    }

    /// Whether the piece may have moved: a king or rook with a castling right has not.
    fn may_have_moved(&self, role: Role, at: Square) -> bool {
        let mover = !self.turn;
        [true, false].into_iter().all(|king_side| {
            let home = match role {
                Role::King => king_squares(mover, king_side).0,
                _ => rook_squares(mover, king_side).0,
            };
            let is_kept = matches!(role, Role::King | Role::Rook) && home == at;
            !is_kept || !self.castling.has(mover, king_side)
        })
    }

    /// The empty squares that a piece may have come from.
    fn origins(&self, role: Role, to: Square) -> SquareSet {
        let occupied = self.board.occupied();
        let attacks = match role {
            Role::Pawn => SquareSet::EMPTY,
            Role::Knight => knight_attacks(to),
            Role::Bishop => bishop_attacks(to, occupied),
            Role::Rook => rook_attacks(to, occupied),
            Role::Queen => queen_attacks(to, occupied),
            Role::King => king_attacks(to),
        };
        attacks - occupied
    }

    fn pawn_backward(
        &self,
        to: Square,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = !self.turn;
        let (back, start) = match mover {
            Color::White => (-1i8, 1),
            Color::Black => (1, 6),
        };
        if to.rank() == start {
            return CONTINUE;
        }
        let empty = !self.board.occupied();
        let one = to.offset(0, back).filter(|&from| empty.contains(from));
        if let Some(from) = one {
            self.take_back(Move::normal(Role::Pawn, from, to), None, offer)?;
            let two = from.offset(0, back).filter(|&from| empty.contains(from));
            if let Some(first) = two.filter(|first| first.rank() == start) {
                // The position has no en passant square, so no pawn could have captured.
                let attackers =
                    pawn_attacks(mover, from) & self.board.pieces(self.turn, Role::Pawn);
                if attackers.is_empty() {
                    self.take_back(Move::double_step(first, to), None, offer)?;
                }
            }
        }
        for from in pawn_attacks(self.turn, to) & empty {
            if from.rank() == mover.home_rank() {
                continue;
            }
            for role in CAPTURED {
                self.take_back(Move::normal(Role::Pawn, from, to), Some(role), offer)?;
            }
            self.en_passant_backward(from, to, offer)?;
        }
        CONTINUE
    }

    fn en_passant_backward(
        &self,
        from: Square,
        to: Square,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = !self.turn;
        let (rank, back) = match mover {
            Color::White => (5, -1i8),
            Color::Black => (2, 1),
        };
        let (Some(victim), Some(start)) = (to.offset(0, back), to.offset(0, -back)) else {
            return CONTINUE;
        };
        let empty = !self.board.occupied();
        if to.rank() != rank || !(victim.set() | start.set()).is_subset(empty) {
            return CONTINUE;
        }
        let mv = Move::en_passant(from, to);
        let mut before = self.before(mv);
        before.board.put(victim, Piece::new(self.turn, Role::Pawn));
        before.en_passant = Some(to);
        offer(mv, before)
    }

    fn promotion_backward(
        &self,
        role: Role,
        to: Square,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let back: i8 = if self.turn == Color::Black { -1 } else { 1 };
        let empty = !self.board.occupied();
        if let Some(from) = to.offset(0, back).filter(|&from| empty.contains(from)) {
            self.take_back(Move::promoting(from, to, role), None, offer)?;
        }
        for from in pawn_attacks(self.turn, to) & empty {
            for captured in CAPTURED {
                self.take_back(Move::promoting(from, to, role), Some(captured), offer)?;
            }
        }
        CONTINUE
    }

    fn castling_backward(
        &self,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mover = !self.turn;
        let both = CastlingRights::from_bits(
            CastlingRights::right(mover, true).bits() | CastlingRights::right(mover, false).bits(),
        );
        if self.castling.bits() & both.bits() != 0 {
            return CONTINUE;
        }
        for king_side in [true, false] {
            let (king_from, king_to) = king_squares(mover, king_side);
            let (rook_from, rook_to) = rook_squares(mover, king_side);
            let stands = |role, sq: Square| self.board.pieces(mover, role).contains(sq);
            let left = king_from.set() | rook_from.set();
            if !stands(Role::King, king_to)
                || !stands(Role::Rook, rook_to)
                || left.intersects(self.board.occupied())
            {
                continue;
            }
            let mv = Move::castle(mover, king_side);
            let mut before = self.before(mv);
            before.board.clear(rook_to.set());
            before.board.put(rook_from, Piece::new(mover, Role::Rook));
            before.castling.insert(mover, king_side);
            let way = [king_from, rook_to];
            let is_attacked = way
                .into_iter()
                .any(|sq| before.board.is_attacked(sq, self.turn, before.board.occupied()));
            if !is_attacked && is_clear(&before.board, king_from, rook_from) {
                offer(mv, before)?;
            }
        }
        CONTINUE
    }

    /// Offers a move of a piece, first without and then with captures.
    fn with_captures(
        &self,
        mv: Move,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.take_back(mv, None, offer)?;
        CAPTURED.into_iter().try_for_each(|role| self.take_back(mv, Some(role), offer))
    }

    fn take_back(
        &self,
        mv: Move,
        captured: Option<Role>,
        offer: &mut impl FnMut(Move, Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut before = self.before(mv);
        if let Some(role) = captured {
            before.board.put(mv.to(), Piece::new(self.turn, role));
        }
        offer(mv, before)
    }

    /// The position with the piece back on the square it came from.
    fn before(&self, mv: Move) -> Position {
        let mover = !self.turn;
        let mut board = self.board;
        board.clear(mv.to().set());
        board.put(mv.from(), Piece::new(mover, mv.role()));
        Position {
            board,
            turn: mover,
            castling: self.castling,
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: self
                .fullmove_number
                .wrapping_sub(u16::from(mover == Color::Black))
                .max(1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use crate::testing::{played_position, position};
    use crate::{Move, MoveList, Position};

    fn predecessors(pos: &Position) -> Vec<(Move, Position)> {
        let mut all = Vec::new();
        let _ = pos.visit_predecessors(|mv, before| {
            all.push((mv, *before));
            ControlFlow::Continue(())
        });
        all
    }

    #[test]
    fn moves_backward() {
        for (fen, want) in [
            // the king's seven squares beside the other, uncaptures on a8
            ("k7/8/1K6/8/8/8/8/8 w - - 0 1", "b8a8"),
            ("k7/8/8/8/8/8/8/7K b - - 0 1", "g1h1 h2h1 g2h1"),
            // only castling leaves the rook's corner like this
            ("4k3/8/8/8/8/8/3PPPPP/5RKB b - - 0 1", ""),
            ("4k3/8/8/8/8/7P/3PPPP1/5RK1 b - - 0 1", "h2h3 f1e1"),
        ] {
            let pos = position(fen);
            let found = predecessors(&pos);
            for name in want.split_whitespace() {
                let is_found = found.iter().any(|(mv, before)| {
                    let text = |sq: crate::Square| sq.to_string();
                    let forward = text(mv.from()) + &text(mv.to());
                    let backward = text(mv.to()) + &text(mv.from());
                    before.play(*mv).board == pos.board && (forward == name || backward == name)
                });
                assert!(is_found, "{name} to {fen}");
            }
        }
    }

    #[test]
    fn an_en_passant_square_leaves_one_move() {
        let pos = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        let found = predecessors(&pos);
        assert_eq!(found.len(), 1);
        assert!(found[0].0.is_double_step());
    }

    #[test]
    fn nothing_leads_to_a_check_that_was_left() {
        let pos = position("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1");
        assert!(predecessors(&pos).is_empty());
    }

    proptest! {
        #[test]
        fn moves_forward_are_found_backward(pos in played_position(), choice: usize) {
            let mut moves = MoveList::new();
            pos.legal_moves(&mut moves);
            prop_assume!(!moves.is_empty());
            let mv = moves[choice % moves.len()];
            let after = pos.play(mv);
            let found = predecessors(&after);
            let is_found = found.iter().any(|(back, before)| *back == mv && before.board == pos.board);
            prop_assert!(is_found, "{} {:?}", pos.fen(), mv);
        }

        #[test]
        fn moves_backward_can_be_played(pos in played_position()) {
            for (mv, before) in predecessors(&pos) {
                prop_assert!(before.is_legal_position());
                prop_assert!(before.is_legal(mv), "{} {:?}", before.fen(), mv);
                let after = before.play(mv);
                prop_assert_eq!(after.board, pos.board, "{} {:?}", before.fen(), mv);
                prop_assert_eq!(after.turn, pos.turn);
            }
        }
    }
}
