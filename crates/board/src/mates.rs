//! Leaves out checks that are no mate, before they are given.
//!
//! After most checks the king has a step that it had before, so a few masks of the position answer
//! them all: the steps, and the squares that a piece may not leave without opening a line.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::attacks::{attacks_of, bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::checks::Checks;
use crate::legal::step;
use crate::moves::Move;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The steps of a king that is not in check, and not to move.
#[derive(Debug, Clone)]
pub struct KingSteps {
    /// The squares next to the king.
    near: SquareSet,
    /// Those among them that the king may enter.
    free: SquareSet,
    /// The squares that at least one piece attacks, and two.
    attacked: [SquareSet; 2],
    /// The squares that sliders attack, also through the king: a piece that leaves one of them may
    /// open a line.
    lines: SquareSet,
    /// The sliders along diagonals, and along files and ranks.
    sliders: [SquareSet; 2],
    /// The occupied squares without that of the king.
    occupied: SquareSet,
    /// The side that gives check.
    us: Color,
}

impl KingSteps {
    /// Returns the steps of the king that the side to move may check.
    #[must_use]
    pub fn new(position: &Position, checks: &Checks) -> KingSteps {
        let (board, us, men) = (&position.board, position.turn, position.us());
        let occupied = board.occupied() - checks.king.set();
        let mut attacked = [SquareSet::EMPTY; 2];
        let mut attack = |squares: SquareSet| {
            attacked[1] |= attacked[0] & squares;
            attacked[0] |= squares;
        };
        let sliders = [board.diagonal_sliders() & men, board.straight_sliders() & men];
        let mut lines = SquareSet::EMPTY;
        for from in sliders[0] {
            let squares = bishop_attacks(from, occupied);
            lines |= squares;
            attack(squares);
        }
        for from in sliders[1] {
            let squares = rook_attacks(from, occupied);
            lines |= squares;
            attack(squares);
        }
        for from in board.role(Role::Knight) & men {
            attack(knight_attacks(from));
        }
        for from in board.kings(us) {
            attack(king_attacks(from));
        }
        let pawns = step(us, board.pieces(us, Role::Pawn));
        attack(pawns.shift_left());
        attack(pawns.shift_right());
        let near = king_attacks(checks.king);
        let free = near - position.them() - board.role(Role::King) - attacked[0];
        KingSteps { near, free, attacked, lines, sliders, occupied, us }
    }

    /// Returns steps that the king surely has after a move that may give check.
    #[inline]
    #[must_use]
    pub fn after(&self, mv: Move) -> SquareSet {
        if mv.is_irregular() || mv.promotion().is_some() {
            return SquareSet::EMPTY;
        }
        let (from, to, role) = (mv.from(), mv.to(), mv.role());
        // The piece itself attacks the square, unless a pawn is pushed there.
        let is_pushed = role == Role::Pawn && from.file() == to.file();
        let guarded = self.attacked[usize::from(!is_pushed)];
        let captured = (to.set() & self.near) - guarded;
        let occupied = (self.occupied - from.set()) | to.set();
        let attacks = attacks_of(Piece { color: self.us, role }, to, occupied);
        let steps = (self.free - attacks - to.set()) | captured;
        if !self.lines.contains(from) {
            return steps;
        }
        let [diagonal, straight] = self.sliders.map(|sliders| sliders - from.set());
        let is_open = |&to: &Square| {
            (bishop_attacks(to, occupied) & diagonal | rook_attacks(to, occupied) & straight)
                .is_empty()
        };
        steps.into_iter().filter(is_open).collect()
    }
}

impl Position {
    /// Visits the positions after the legal moves that may mate, in the order of
    /// [`Position::visit_checks_from`].
    #[inline]
    pub fn visit_possible_mates(
        &self,
        checks: &Checks,
        mut visit: impl FnMut(Position) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut steps = None;
        self.visit_checks_from(checks, SquareSet::ALL, |role, from, targets| {
            // Most positions have no check, and need no steps.
            let steps = steps.get_or_insert_with(|| KingSteps::new(self, checks));
            self.moves_to(role, from, targets).try_for_each(|mv| {
                let is_answered = !steps.after(mv).is_empty();
                match if is_answered { None } else { self.play_safely(mv) } {
                    Some(next) => visit(next),
                    None => Continue(()),
                }
            })
        })
    }

    /// Whether a legal move mates.
    pub(crate) fn has_mate(&self, checks: &Checks) -> bool {
        let visit = |next: Position| if next.is_mate() { Break(()) } else { Continue(()) };
        self.visit_possible_mates(checks, visit).is_break()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveList;
    use crate::testing::{no_mate_is_left_out, position};

    /// Mates are found as by trying all moves, and steps of the king are possible.
    fn check(pos: &Position) {
        let Some(checks) = Checks::new(pos) else {
            return;
        };
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        let mates = moves.iter().any(|&mv| pos.play(mv).is_mate());
        assert_eq!(pos.has_mate(&checks), mates, "{}", pos.fen());
        let steps = KingSteps::new(pos, &checks);
        let mut answers = MoveList::new();
        for &mv in &moves {
            pos.play(mv).legal_moves(&mut answers);
            for to in steps.after(mv) {
                let is_step = |answer: &Move| (answer.from(), answer.to()) == (checks.king, to);
                assert!(answers.iter().any(is_step), "{mv} {to} {}", pos.fen());
            }
        }
    }

    #[test]
    fn a_step_that_a_discovered_line_takes_is_none() {
        for (fen, is_mate) in [
            ("6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1", true),
            ("6k1/5pp1/8/8/8/8/8/3R2K1 w - - 0 1", false),
            ("7k/7p/8/6N1/8/8/8/6RK w - - 0 1", true),
        ] {
            let pos = position(fen);
            let checks = Checks::new(&pos).expect("no check yet");
            assert_eq!(pos.has_mate(&checks), is_mate, "{fen}");
            check(&pos);
        }
    }

    no_mate_is_left_out!(check);
}
