//! Leaves out first moves of a mate in two, many at once.
//!
//! After most first moves, the same quiet reply leaves no mate. So this reply is made first, and the
//! checks that the side could then give are refuted one by one: the king has steps that answer each
//! of them. A first move needs to be tried only if it may change that: if it guards all these steps,
//! opens a line, or lets another check come up. A few masks decide it. After the moves that are left,
//! the reply is the first one to be tried.

use std::ops::ControlFlow::{Break, Continue};

use crate::attacks::{
    attacks_of, between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks, reach,
    rook_attacks,
};
use crate::castling::CastlingRights;
use crate::checks::Checks;
use crate::legal::step;
use crate::mates::KingSteps;
use crate::moves::Move;
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The first moves of a position after which the next one may mate against every reply.
#[derive(Debug, Clone)]
pub struct MateInTwo {
    /// A move that is possible after nearly every first one.
    reply: Move,
    masks: Option<Masks>,
}

impl MateInTwo {
    /// Returns `None` if no reply is known that most first moves leave.
    #[must_use]
    pub fn new(position: &Position) -> Option<MateInTwo> {
        let king = position.board.kings(!position.turn).single()?;
        let quiet = quiet_reply(position, king)
            .and_then(|reply| Some((reply, Some(Masks::new(position, king, reply)?))));
        let (reply, masks) = quiet.or_else(|| Some((parry(position)?, None)))?;
        Some(MateInTwo { reply, masks })
    }

    /// Keeps the destinations of a piece that must be tried.
    #[must_use]
    pub fn among(&self, role: Role, from: Square, targets: SquareSet) -> SquareSet {
        self.masks.as_ref().map_or(targets, |masks| masks.among(role, from, targets))
    }

    /// Whether the reply is possible after a first move, and no move mates after it.
    #[must_use]
    pub fn is_answered(&self, next: &Position) -> bool {
        let (role, from) = (self.reply.role(), self.reply.from());
        if !(next.us() & next.board.role(role)).contains(from)
            || !next.targets(role, from).contains(self.reply.to())
        {
            return false;
        }
        // There are no masks of checks while the king is in check: the reply is legal.
        let after = next.play(self.reply);
        Checks::new(&after).is_some_and(|checks| !after.has_mate(&checks))
    }
}

/// Most checks after a reply have one of a few sets of answers. With more, the masks do not decide.
const N_ANSWERS: usize = 4;

#[derive(Debug, Clone)]
struct Masks {
    /// The king to be mated.
    king: Square,
    /// The position after the reply, with the same side to move again.
    after: Position,
    /// Pieces that block attacks after the reply and any first check: neither the king nor the pieces that
    /// may give check.
    blockers: SquareSet,
    /// Squares attacked by own pieces along diagonals, and along files and ranks.
    attacked: [SquareSet; 2],
    /// Moves of the pieces on these squares are kept, since they let other pieces give check.
    origins: SquareSet,
    /// Moves to these squares are kept.
    targets: SquareSet,
    /// For the checks known, sets of steps: after each check, the king has all steps of one of them.
    answers: [SquareSet; N_ANSWERS],
    /// The squares between a piece that gives check and one of the steps that answer, with that step.
    covers: Vec<(SquareSet, Square)>,
    /// For each role, the squares from which a piece gives check.
    checks: [SquareSet; 6],
    /// Squares beside the king that no piece attacks: there the king may capture, or step.
    unguarded: SquareSet,
}

impl Masks {
    /// Returns `None` if the masks do not decide.
    fn new(position: &Position, king: Square, reply: Move) -> Option<Masks> {
        let (us, board) = (position.turn, &position.board);
        let pawns = board.pieces(us, Role::Pawn);
        let last = SquareSet::rank(us.promotion_rank());
        if (pawns | step(us, pawns)).intersects(last) {
            return None;
        }
        let rights = position.castling;
        let after = Position { turn: !us, en_passant: None, ..*position }.play(reply);
        let after = Position { castling: CastlingRights::NONE, ..after };
        let checks = Checks::new(&after)?;
        let board = &after.board;
        let (men, occupied) = (after.us(), board.occupied());
        if checks.shields.intersects(men) || !rights.is_empty() && checks.may_come_by_castling(us) {
            return None;
        }
        let steps = KingSteps::new(&after, &checks);
        let (mut answers, mut covers) =
            (Answers { sets: [SquareSet::ALL; N_ANSWERS], len: 0 }, Vec::new());
        let mut checking = SquareSet::EMPTY;
        let refuted = after.visit_checks_from(&checks, !board.kings(us), |role, from, targets| {
            checking.insert(from);
            after.moves_to(role, from, targets).try_for_each(|mv| {
                let mut left = steps.after(mv);
                if left.is_empty() {
                    left = after.play(mv).step_of_king(king).map_or(left, Square::set);
                }
                for step in left {
                    let between = between(mv.to(), step) & men;
                    if !between.is_empty() {
                        covers.push((between, step));
                    }
                }
                if left.is_empty() || !answers.add(left) { Break(()) } else { Continue(()) }
            })
        });
        if refuted.is_break() {
            return None;
        }
        let blockers = occupied - king.set() - checking;
        let attacked = board.lines_through(us, blockers);
        let snipers = men
            & (board.diagonal_sliders() & reach(Role::Bishop, king)
                | board.straight_sliders() & reach(Role::Rook, king));
        let (mut lines_of_one, mut lines_of_two) = (SquareSet::EMPTY, SquareSet::EMPTY);
        for from in snipers {
            let line = between(king, from);
            match (line & occupied).len() {
                1 => lines_of_one |= line,
                2 => lines_of_two |= line,
                _ => {}
            }
        }
        let [of_pawns, of_knights, diagonal, straight, of_queens, near] = checks.direct;
        // A piece that leaves such a square makes room for another one there, or behind.
        let lets_through = |&from: &Square| {
            let occupied = occupied - from.set();
            let seen = (bishop_attacks(king, occupied) - diagonal)
                | (rook_attacks(king, occupied) - straight)
                | from.set();
            seen.intersects(attacked[0] | attacked[1])
        };
        let of_sliders = (of_queens & men).into_iter().filter(lets_through).collect();
        let knights = men & board.role(Role::Knight);
        let of_leapers = knights
            .into_iter()
            .fold(SquareSet::EMPTY, |set, from| set | (knight_attacks(from) & of_knights))
            | (step(us, board.pieces(us, Role::Pawn)) & (of_pawns | step(!us, of_pawns)));
        let origins = lines_of_two | of_sliders | of_leapers;
        Some(Masks {
            king,
            after,
            blockers,
            attacked,
            origins,
            // A piece that captures there may become the only one between a slider and the king.
            targets: lines_of_one & after.them() | reply.from().set() | reply.to().set(),
            answers: answers.sets,
            covers,
            checks: [of_pawns, of_knights, diagonal, straight, of_queens, SquareSet::EMPTY],
            unguarded: near - board.attacked_through(us, blockers),
        })
    }

    fn among(&self, role: Role, from: Square, targets: SquareSet) -> SquareSet {
        if self.origins.contains(from) {
            return targets;
        }
        let Some(mut opened) = self.opened(from) else {
            return targets;
        };
        for (between, step) in &self.covers {
            if between.contains(from) {
                opened.insert(*step);
            }
        }
        let is_kept = |&to: &Square| self.may_mate(role, from, to, opened);
        targets & self.targets | (targets - self.targets).into_iter().filter(is_kept).collect()
    }

    /// Whether the piece may mate with its next move, guard the steps of the king, or become one of
    /// two pieces that give check together. `opened` are squares that others attack once it leaves.
    fn may_mate(&self, role: Role, from: Square, to: Square, opened: SquareSet) -> bool {
        let (us, blockers) = (self.after.turn, self.blockers - from.set());
        let is_capture = self.after.them().contains(to);
        let (attacks, mut next) = match role {
            Role::Pawn => {
                let pushed = step(us, to.set());
                let last = SquareSet::rank(us.promotion_rank());
                let is_passant = from.file() != to.file() && !is_capture;
                if is_passant || (pushed | to.set()).intersects(last) {
                    return true;
                }
                (pawn_attacks(us, to), pushed)
            }
            Role::King if !king_attacks(from).contains(to) => return true,
            role => (self.attacks(role, to, blockers), SquareSet::EMPTY),
        };
        let guarded = attacks | opened;
        let is_guarded = |answers: &SquareSet| answers.is_subset(guarded);
        if attacks.contains(self.king) || self.answers.iter().any(is_guarded) {
            return true;
        }
        next |= attacks;
        next &= self.checks[role.index()];
        // A check beside the king on a square that nothing else guards is answered by a capture, and
        // others may leave the king a step. Lines open behind a captured piece.
        let unguarded = self.unguarded - opened;
        let is_answered = |at: Square| {
            let attacks = self.attacks(role, at, blockers - to.set());
            unguarded.contains(at) || !(unguarded - self.after.them() - attacks).is_empty()
        };
        if !next.is_empty()
            && (is_capture && self.slides_to(to, from, blockers)
                || !next.into_iter().all(is_answered))
        {
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

    /// Whether a slider other than that on `from` attacks a square.
    fn slides_to(&self, to: Square, from: Square, blockers: SquareSet) -> bool {
        let [diagonal, straight] = self.attacked.map(|set| set.contains(to));
        let (board, men) = (&self.after.board, self.after.us() - from.set());
        let sliders = |attacks: fn(Square, SquareSet) -> SquareSet, sliders: SquareSet| {
            (sliders & men).intersects(attacks(to, blockers))
        };
        (diagonal || straight)
            && (sliders(bishop_attacks, board.diagonal_sliders())
                || sliders(rook_attacks, board.straight_sliders()))
    }

    /// Returns the squares that sliders attack once a piece leaves its square. `None` if one of them
    /// may give check there.
    fn opened(&self, from: Square) -> Option<SquareSet> {
        let [diagonal, straight] = self.attacked.map(|set| set.contains(from));
        let board = &self.after.board;
        let [.., of_bishops, of_rooks, of_queens, _] = self.checks;
        let mut opened = SquareSet::EMPTY;
        let mut open = |sliders: SquareSet, attacks: SquareSet, checks: SquareSet| {
            (sliders & self.after.us() & attacks).into_iter().all(|slider| {
                let near = between(slider, from) | slider.set();
                let beyond = (attacks & line(slider, from)) - near;
                opened |= beyond;
                let is_queen = board.role(Role::Queen).contains(slider);
                !beyond.intersects(if is_queen { of_queens } else { checks })
            })
        };
        let blockers = self.blockers;
        let gives_no_check = (!diagonal
            || open(board.diagonal_sliders(), bishop_attacks(from, blockers), of_bishops))
            && (!straight
                || open(board.straight_sliders(), rook_attacks(from, blockers), of_rooks));
        gives_no_check.then_some(opened)
    }
}

/// Sets of steps of which at least one answers each of some checks.
struct Answers {
    /// Sets that are not used have all squares, which no move guards.
    sets: [SquareSet; N_ANSWERS],
    len: usize,
}

impl Answers {
    /// Adds the steps that answer a check. Returns `false` if there are too many sets.
    fn add(&mut self, steps: SquareSet) -> bool {
        // Steps that answer several checks stand for all of them.
        if let Some(set) = self.sets[..self.len].iter_mut().find(|set| set.intersects(steps)) {
            *set &= steps;
            return true;
        }
        let place = self.sets.get_mut(self.len);
        self.len += usize::from(place.is_some());
        place.map(|place| *place = steps).is_some()
    }
}

/// A move of the side not to move that is possible after nearly every move of the other: one by a
/// piece that is never pinned, to an empty square next to it or by a knight, out of reach if there is
/// one.
fn quiet_reply(position: &Position, king: Square) -> Option<Move> {
    let (us, board) = (position.turn, &position.board);
    let empty = !board.occupied() - SquareSet::rank((!us).promotion_rank());
    let free = board.color(!us) - reach(Role::Queen, king) - king.set();
    let reached = board.attacked_by(us) | step(us, board.pieces(us, Role::Pawn));
    let among = |free: SquareSet, empty: SquareSet| {
        Role::ALL[..5].iter().find_map(|&role| {
            (free & board.role(role)).into_iter().find_map(|from| {
                let near = match role {
                    Role::Pawn => step(!us, from.set()),
                    Role::Knight => knight_attacks(from),
                    Role::Bishop => king_attacks(from) & reach(Role::Bishop, from),
                    Role::Rook => king_attacks(from) & reach(Role::Rook, from),
                    _ => king_attacks(from),
                };
                (near & empty).first().map(|to| Move::normal(role, from, to))
            })
        })
    };
    among(free - reached, empty - reached).or_else(|| among(free, empty))
}

/// A move of the side not to move after which no move mates.
fn parry(position: &Position) -> Option<Move> {
    let threatened = Position { turn: !position.turn, en_passant: None, ..*position };
    let mut found = None;
    let _ = threatened.visit_legal(|role, from, targets| {
        let mut moves = threatened.moves_to(role, from, targets);
        found = moves.find(|&mv| {
            let after = threatened.play(mv);
            let is_usual = !mv.is_irregular() && mv.promotion().is_none();
            is_usual && Checks::new(&after).is_some_and(|checks| !after.has_mate(&checks))
        });
        if found.is_some() { Break(()) } else { Continue(()) }
    });
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MoveList;
    use crate::testing::{no_mate_is_left_out, position};

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
                let next = pos.play(mv);
                let is_left_out = !kept.contains(mv.to());
                n_left_out += usize::from(is_left_out);
                if is_left_out || screen.is_answered(&next) {
                    assert!(has_answer(&next), "{mv} {}", pos.fen());
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

    no_mate_is_left_out!(check);
}
