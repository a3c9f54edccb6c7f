//! Counts legal moves and tests for mate and stalemate, without a list of moves.
//!
//! Free pawns are counted together by masks, other pieces by the size of their sets of
//! destinations. The test for any legal move first tries steps that need no test of lines.

use std::ops::ControlFlow;

use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, reach, rook_attacks};
use crate::legal::{Safety, step};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

impl Position {
    /// Number of legal moves, each promotion counted.
    #[must_use]
    pub fn count_legal(&self) -> u32 {
        let last = SquareSet::rank(self.turn.promotion_rank());
        self.count(last, u32::MAX)
    }

    /// Number of pairs of origin and destination among the legal moves: a promotion counts once.
    #[must_use]
    pub fn count_legal_pairs(&self) -> u32 {
        self.count(SquareSet::EMPTY, u32::MAX)
    }

    /// As [`Position::count_legal_pairs`], but stops where more moves would make no difference:
    /// a number not below `limit` says only that there are at least `limit`.
    #[must_use]
    pub fn count_legal_pairs_up_to(&self, limit: u32) -> u32 {
        self.count(SquareSet::EMPTY, limit)
    }

    /// Number of legal moves; counting stops soon after the limit is reached. Pawn moves to one of
    /// the squares `promoting` count four times.
    #[inline]
    fn count(&self, promoting: SquareSet, limit: u32) -> u32 {
        let Some(safety) = Safety::new(self) else {
            let mut count = 0;
            let _ = self.visit_legal(|role, _, targets| {
                let promotions =
                    if role == Role::Pawn { targets & promoting } else { SquareSet::EMPTY };
                count += targets.len() + 3 * promotions.len();
                ControlFlow::Continue(())
            });
            return count;
        };
        // The king comes last: its moves cost most, and with a limit they are seldom needed.
        let mut count = if safety.answers.is_empty() {
            0
        } else {
            self.count_without_king(&safety, promoting, limit)
        };
        if count < limit {
            count += safety.king_targets(self).len();
            if safety.checkers.is_empty() && !self.castling.is_empty() {
                count += self.castling_targets().len();
            }
        }
        count
    }

    fn count_without_king(&self, safety: &Safety, promoting: SquareSet, limit: u32) -> u32 {
        let mut count = self.count_pawn_moves(safety, promoting);
        if count >= limit {
            return count;
        }
        let us = self.us();
        let targets = self.enterable() & safety.answers;
        let occupied = self.board.occupied();
        for from in (us & self.board.role(Role::Knight)) - safety.pinned {
            count += (knight_attacks(from) & targets).len();
        }
        if count >= limit {
            return count;
        }
        // The two kinds of lines apart: a queen is both sliders, and their moves are disjoint.
        for from in us & self.board.diagonal_sliders() {
            count += safety.filter(from, bishop_attacks(from, occupied) & targets).len();
        }
        for from in us & self.board.straight_sliders() {
            count += safety.filter(from, rook_attacks(from, occupied) & targets).len();
        }
        count
    }

    /// Counts free pawns all at once, pinned ones and en passant one by one.
    fn count_pawn_moves(&self, safety: &Safety, promoting: SquareSet) -> u32 {
        let color = self.turn;
        let pawns = self.board.pieces(color, Role::Pawn);
        let empty = !self.board.occupied();
        let victims = self.them() - self.board.role(Role::King);
        let count_all = |targets: SquareSet| targets.len() + 3 * (targets & promoting).len();

        let free = pawns - safety.pinned;
        let pushed = step(color, free) & empty;
        let start = SquareSet::rank(if color == Color::White { 1 } else { 6 });
        let twice = step(color, step(color, free & start) & empty) & empty;
        // Two pawns may capture on one square, so each side is counted apart.
        let left = step(color, free.shift_left()) & victims;
        let right = step(color, free.shift_right()) & victims;
        let mut count = count_all(pushed & safety.answers)
            + (twice & safety.answers).len()
            + count_all(left & safety.answers)
            + count_all(right & safety.answers);
        for from in pawns & safety.pinned {
            count += count_all(safety.filter(from, self.pawn_targets(from)));
        }
        if let Some(to) = self.en_passant {
            let en_passant = self.en_passant_pawns().into_iter();
            count +=
                en_passant.filter(|&from| self.is_safe(Move::en_passant(from, to))).count() as u32;
        }
        count
    }

    /// Whether the side to move has any legal move.
    #[must_use]
    pub fn has_legal_move(&self) -> bool {
        self.has_free_step() || self.visit_legal(|_, _, _| ControlFlow::Break(())).is_break()
    }

    /// Whether a pawn or knight that is surely not pinned can move, in a position without check.
    /// One nearly always can, and the test looks at no line.
    fn has_free_step(&self) -> bool {
        let Some(king) = self.board.kings(self.turn).single() else {
            return false;
        };
        let us = self.us() - reach(Role::Queen, king);
        let steps = step(self.turn, us & self.board.role(Role::Pawn)) - self.board.occupied();
        let knights = us & self.board.role(Role::Knight);
        let enterable = self.enterable();
        let can_step = !steps.is_empty()
            || knights.into_iter().any(|from| knight_attacks(from).intersects(enterable));
        can_step && !self.is_check()
    }

    /// Whether there are surely at least `n` legal moves, if the side to move is not in check. Counts
    /// only moves of pieces on no line with the king, which cannot be pinned. Most positions have
    /// enough of them.
    #[inline]
    #[must_use]
    pub fn has_free_moves(&self, n: u32) -> bool {
        let Some(king) = self.board.kings(self.turn).single() else {
            return false;
        };
        let us = self.us() - reach(Role::Queen, king);
        let steps = step(self.turn, us & self.board.role(Role::Pawn)) - self.board.occupied();
        let mut count = steps.len();
        if count >= n {
            return true;
        }
        let enterable = self.enterable();
        for from in us & self.board.role(Role::Knight) {
            count += (knight_attacks(from) & enterable).len();
        }
        if count >= n {
            return true;
        }
        let occupied = self.board.occupied();
        for from in us & self.board.straight_sliders() {
            count += (rook_attacks(from, occupied) & enterable).len();
        }
        for from in us & self.board.diagonal_sliders() {
            count += (bishop_attacks(from, occupied) & enterable).len();
        }
        count >= n
    }

    /// Whether the side to move is in check and has no legal move.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.is_check() && !self.has_answer_to_check()
    }

    /// Whether a side to move that is in check has a legal move. Mostly the king has a step, which
    /// is found without looking at the other pieces.
    #[must_use]
    pub fn has_answer_to_check(&self) -> bool {
        let Some(king) = self.board.kings(self.turn).single() else {
            return self.has_legal_move();
        };
        self.step_of_king(king).is_some()
            || self.visit_legal_from(!king.set(), |_, _, _| ControlFlow::Break(())).is_break()
    }

    /// The first square to which the king of the side to move, on this square, can step.
    #[inline]
    pub(crate) fn step_of_king(&self, king: Square) -> Option<Square> {
        let (them, occupied) = (self.them(), self.board.occupied() - king.set());
        let is_safe = |&to: &Square| {
            let (turn, them) = (self.turn, them - to.set());
            !self.board.is_attacked_by(to, turn, them, occupied)
        };
        (king_attacks(king) & self.enterable()).into_iter().find(is_safe)
    }

    /// Whether the side to move is not in check and has no legal move.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.has_legal_move() && !self.is_check()
    }
}
