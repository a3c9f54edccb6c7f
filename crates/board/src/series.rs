//! Leaves out first moves of a mate in two, many at once.
//!
//! After most first moves, the same quiet reply leaves no mate. So this reply is made first, and the
//! checks that the side could then give are refuted one by one: the king has a step that answers each
//! of them. A first move needs to be tried only if it may change that: if it attacks one of these
//! steps, opens a line, or lets another check come up. A few masks decide it.

use std::ops::ControlFlow::{Break, Continue};

use crate::attacks::{
    attacks_of, between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, reach,
    rook_attacks,
};
use crate::castling::CastlingRights;
use crate::checks::Checks;
use crate::legal::step;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The first moves of a position after which the next one may mate against every reply.
#[derive(Debug, Clone)]
pub struct MateInTwo {
    /// The king to be mated.
    king: Square,
    /// The position after the reply, with the same side to move again.
    after: Position,
    /// Pieces that block attacks after the reply and any first check: neither the king nor the pieces that
    /// may give check.
    blockers: SquareSet,
    /// Squares attacked by own pieces along diagonals, and along files and ranks.
    attacked: [SquareSet; 2],
    /// Moves of the pieces on these squares are kept, since a line to the king may open.
    origins: SquareSet,
    /// Moves to these squares are kept.
    targets: SquareSet,
    /// The steps that answer the checks known, and the king: no first move may attack them.
    escapes: SquareSet,
    /// For each role, the squares from which a piece gives check.
    checks: [SquareSet; 6],
    /// Squares beside the king that no piece attacks: there the king may capture, or step.
    unguarded: SquareSet,
}

impl MateInTwo {
    /// Returns `None` if the masks do not decide.
    #[must_use]
    pub fn new(position: &Position) -> Option<MateInTwo> {
        let (us, board) = (position.turn, &position.board);
        let king = board.kings(!us).single()?;
        let pawns = board.pieces(us, Role::Pawn);
        let last = SquareSet::rank(us.promotion_rank());
        if (pawns | step(us, pawns)).intersects(last) {
            return None;
        }
        let reply = quiet_reply(position, king)?;
        let rights = position.castling;
        let after = Position { turn: !us, en_passant: None, ..*position }.play(reply);
        let after = Position { castling: CastlingRights::NONE, ..after };
        let checks = Checks::new(&after)?;
        let board = &after.board;
        let (men, occupied) = (after.us(), board.occupied());
        if checks.shields.intersects(men) || !rights.is_empty() && checks.may_come_by_castling(us) {
            return None;
        }
        let (mut origins, mut escapes, mut checking) =
            (SquareSet::EMPTY, SquareSet::EMPTY, SquareSet::EMPTY);
        let refuted = after.visit_checks_from(&checks, !board.kings(us), |role, from, targets| {
            checking.insert(from);
            after.moves_to(role, from, targets).try_for_each(|mv| {
                let Some(escape) = after.play(mv).step_of_king(king) else {
                    return Break(());
                };
                escapes.insert(escape);
                origins |= between(mv.to(), escape);
                Continue(())
            })
        });
        if refuted.is_break() {
            return None;
        }
        let blockers = occupied - king.set() - checking;
        let snipers = men
            & (board.diagonal_sliders() & reach(Role::Bishop, king)
                | board.straight_sliders() & reach(Role::Rook, king));
        let lines =
            snipers.into_iter().fold(SquareSet::EMPTY, |set, from| set | between(king, from));
        let [of_pawns, of_knights, diagonal, straight, of_queens, near] = checks.direct;
        origins |= lines | of_queens | of_knights | of_pawns | step(!us, of_pawns);
        let attacked = |sliders: SquareSet, attacks: fn(Square, SquareSet) -> SquareSet| {
            let from = (sliders & men).into_iter();
            from.fold(SquareSet::EMPTY, |set, from| set | attacks(from, blockers))
        };
        Some(MateInTwo {
            king,
            after,
            blockers,
            attacked: [
                attacked(board.diagonal_sliders(), bishop_attacks),
                attacked(board.straight_sliders(), rook_attacks),
            ],
            origins,
            // A piece that captures there may become the only one between a slider and the king.
            targets: lines & after.them() | reply.from().set() | reply.to().set(),
            escapes: escapes | king.set(),
            checks: [of_pawns, of_knights, diagonal, straight, of_queens, SquareSet::EMPTY],
            unguarded: near - board.attacked_through(us, blockers),
        })
    }

    /// Keeps the destinations of a piece that must be tried.
    #[must_use]
    pub fn among(&self, role: Role, from: Square, targets: SquareSet) -> SquareSet {
        if self.origins.contains(from) || self.opens_line(from) {
            return targets;
        }
        let is_kept = |&to: &Square| self.may_mate(role, from, to);
        targets & self.targets | (targets - self.targets).into_iter().filter(is_kept).collect()
    }

    /// Whether the piece may mate with its next move, guard a step of the king, or become one of two
    /// pieces that give check together.
    fn may_mate(&self, role: Role, from: Square, to: Square) -> bool {
        let (us, blockers) = (self.after.turn, self.blockers - from.set());
        let is_capture = self.after.them().contains(to);
        let attacks = match role {
            Role::Pawn => {
                let pushed = step(us, to.set());
                let last = SquareSet::rank(us.promotion_rank());
                let is_passant = from.file() != to.file() && !is_capture;
                if is_passant || (pushed | to.set()).intersects(last) {
                    return true;
                }
                pushed | pawn_attacks(us, to)
            }
            Role::King if !king_attacks(from).contains(to) => return true,
            role => self.attacks(role, to, blockers),
        };
        if attacks.intersects(self.escapes) {
            return true;
        }
        // A check beside the king on a square that nothing else guards is answered by a capture, and
        // others may leave the king a step. The attacks behind a captured piece are not known.
        let is_answered = |at: Square| {
            let steps = self.unguarded - self.after.them() - self.attacks(role, at, blockers);
            !is_capture && (self.unguarded.contains(at) || !steps.is_empty())
        };
        if !(attacks & self.checks[role.index()]).into_iter().all(is_answered) {
            return true;
        }
        // Another piece between would give check by moving away.
        let occupied = self.after.board.occupied() - from.set();
        let between = between(to, self.king) & occupied;
        let is_slider = matches!(role, Role::Bishop | Role::Rook | Role::Queen);
        is_slider && between.single().is_some_and(|shield| self.after.us().contains(shield))
    }

    fn attacks(&self, role: Role, at: Square, blockers: SquareSet) -> SquareSet {
        attacks_of(Piece { color: self.after.turn, role }, at, blockers)
    }

    /// Whether a slider attacks a square that matters once a piece leaves its square.
    fn opens_line(&self, from: Square) -> bool {
        let [diagonal, straight] = self.attacked.map(|set| set.contains(from));
        let board = &self.after.board;
        let opens = |sliders: SquareSet, attacks: SquareSet, checks: SquareSet| {
            let mut sliders = (sliders & self.after.us() & attacks).into_iter();
            sliders.any(|slider| {
                let near = between(slider, from) | slider.set();
                let beyond = (attacks & line(slider, from)) - near;
                let of_queen = self.checks[Role::Queen.index()];
                let is_queen = board.role(Role::Queen).contains(slider);
                let checks = if is_queen { of_queen } else { checks };
                beyond.intersects(self.escapes | self.unguarded | checks)
            })
        };
        let [_, _, of_bishops, of_rooks, ..] = self.checks;
        let blockers = self.blockers;
        diagonal && opens(board.diagonal_sliders(), bishop_attacks(from, blockers), of_bishops)
            || straight && opens(board.straight_sliders(), rook_attacks(from, blockers), of_rooks)
    }
}

/// A move of the side not to move that is possible after nearly every move of the other: one by a
/// piece that is never pinned, to an empty square next to it or by a knight.
fn quiet_reply(position: &Position, king: Square) -> Option<Move> {
    let (them, board) = (!position.turn, &position.board);
    let empty = !board.occupied() - SquareSet::rank(them.promotion_rank());
    let free = board.color(them) - reach(Role::Queen, king) - king.set();
    Role::ALL[..5].iter().find_map(|&role| {
        (free & board.role(role)).into_iter().find_map(|from| {
            let near = match role {
                Role::Pawn => step(them, from.set()),
                Role::Knight => knight_attacks(from),
                Role::Bishop => king_attacks(from) & reach(Role::Bishop, from),
                Role::Rook => king_attacks(from) & reach(Role::Rook, from),
                _ => king_attacks(from),
            };
            (near & empty).first().map(|to| Move::normal(role, from, to))
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::MoveList;
    use crate::testing::{any_position, lopsided_position, played_position, position};

    /// Whether the side to move has no move, or one after which no move mates.
    fn has_answer(pos: &Position) -> bool {
        let (mut moves, mut next) = (MoveList::new(), MoveList::new());
        pos.legal_moves(&mut moves);
        moves.is_empty()
            || moves.iter().any(|&reply| {
                let pos = pos.play(reply);
                pos.legal_moves(&mut next);
                !next.iter().any(|&mv| pos.play(mv).is_mate())
            })
    }

    /// No first move of a mate in two is left out. Returns how many moves are, of how many.
    fn check(pos: &Position) -> (usize, usize) {
        let Some(screen) = MateInTwo::new(pos) else {
            return (0, 0);
        };
        let (mut n_left_out, mut n_moves) = (0, 0);
        let _ = pos.visit_legal(|role, from, targets| {
            let kept = screen.among(role, from, targets);
            assert!(kept.is_subset(targets));
            for mv in pos.moves_to(role, from, targets) {
                n_moves += 1;
                if !kept.contains(mv.to()) {
                    n_left_out += 1;
                    assert!(has_answer(&pos.play(mv)), "{mv} {}", pos.fen());
                }
            }
            Continue(())
        });
        (n_left_out, n_moves)
    }

    #[test]
    fn most_moves_of_a_quiet_position_are_left_out() {
        let quiet = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
        let (n_left_out, n_moves) = check(&position(quiet));
        assert!(n_left_out * 3 >= n_moves * 2, "{n_left_out} of {n_moves}");
    }

    proptest! {
        #[test]
        fn no_near_mate_is_left_out(pos in lopsided_position()) {
            check(&pos);
        }

        #[test]
        fn no_mate_is_left_out(pos in any_position()) {
            check(&pos);
        }

        #[test]
        fn no_mate_of_a_game_is_left_out(pos in played_position()) {
            check(&pos);
        }
    }
}
