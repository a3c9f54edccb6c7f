//! Pure, model and ideal mates and stalemates.
//!
//! Each of these is a function of the position alone. "We" are the side to move, which is mated or
//! stalemated; "they" are the other side. The field of a king is the set of adjacent squares. A
//! mate is *pure* if no square of the field is denied twice, *model* if also all pieces of the
//! mating side take part, *ideal* if all pieces on the board do. The value of a filter is the set
//! of squares of the participants.

use std::ops::ControlFlow;

use board::{Board, Position, Role, Rules, Square, SquareSet, attacks_of, between, king_attacks};
use compiler::limits::Limit;
use syntax::tree::PinPart;

use super::evaluator::Evaluator;
use super::rays::pins;

/// The pieces that must take part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strictness {
    Pure,
    /// All their pieces except king and pawns take part.
    Model,
    /// All their pieces take part, and in a mate all of ours.
    Ideal,
}

impl Evaluator<'_> {
    /// Evaluates `puremate`, `modelmate` and `idealmate`.
    pub(super) fn beautiful_mate(&mut self, demand: Strictness) -> SquareSet {
        if !self.is_mate() {
            return SquareSet::EMPTY;
        }
        if self.positions.rules() == Rules::Atomic {
            // The definition does not fit: a square may be safe to leave unguarded because a
            // capture on it explodes.
            self.exceed(Limit::Rules("puremate"));
            return SquareSet::EMPTY;
        }
        mate(&self.for_moves(), demand)
    }

    /// Evaluates `purestalemate`, `modelstalemate` and `idealstalemate`.
    pub(super) fn beautiful_stalemate(&mut self, demand: Strictness) -> SquareSet {
        if self.is_stalemate() && self.moves_are_of_chess("purestalemate") {
            stalemate(&self.for_moves(), demand)
        } else {
            SquareSet::EMPTY
        }
    }
}

/// Returns the participants if all the demanded pieces are among them, and no squares otherwise.
fn demanded(pos: &Position, theirs: SquareSet, ours: SquareSet, demand: Strictness) -> SquareSet {
    let pawns_and_kings = pos.board.role(Role::Pawn) | pos.board.role(Role::King);
    let satisfied = match demand {
        Strictness::Pure => true,
        Strictness::Model => (pos.them() - pawns_and_kings).is_subset(theirs),
        Strictness::Ideal => pos.them().is_subset(theirs) && pos.us().is_subset(ours),
    };
    if satisfied { theirs | ours } else { SquareSet::EMPTY }
}

/// Returns the participants of a mate, or no squares if the mate does not meet the demand.
fn mate(pos: &Position, demand: Strictness) -> SquareSet {
    match Mate::new(pos) {
        Some(mate) if mate.is_pure() => {
            let (theirs, ours) = (mate.their_participants(), mate.our_participants());
            demanded(pos, theirs, ours, demand)
        }
        _ => SquareSet::EMPTY,
    }
}

/// A mate, with the facts that its conditions share.
struct Mate<'a> {
    pos: &'a Position,
    board: &'a Board,
    us: SquareSet,
    them: SquareSet,
    king: Square,
    field: SquareSet,
    checkers: SquareSet,
    /// Our pieces that could move to their king, to a checker, or between a checker and our king,
    /// if our king were allowed to stay attacked.
    refuters: SquareSet,
    /// Target squares of the moves that make a piece a refuter.
    contested: SquareSet,
    /// Our pieces with a pseudolegal move that captures a checker, interposes, or captures en
    /// passant.
    answerers: SquareSet,
}

impl<'a> Mate<'a> {
    /// `None` unless the side to move has one king and is mated.
    fn new(pos: &'a Position) -> Option<Mate<'a>> {
        let king = pos.board.kings(pos.turn).single()?;
        if !pos.is_mate() {
            return None;
        }
        let checkers = pos.checkers();
        let answers = answers(king, checkers);
        let contested = answers | pos.board.kings(!pos.turn);
        let passed = pos.en_passant.map_or(SquareSet::EMPTY, Square::set);
        let mut refuters = SquareSet::EMPTY;
        let mut answerers = SquareSet::EMPTY;
        let _ = pos.visit_pseudolegal(|role, from, targets| {
            if targets.intersects(contested) {
                refuters.insert(from);
            }
            if targets.intersects(answers) || role == Role::Pawn && targets.intersects(passed) {
                answerers.insert(from);
            }
            ControlFlow::Continue(())
        });
        Some(Mate {
            pos,
            board: &pos.board,
            us: pos.us(),
            them: pos.them(),
            king,
            field: king_attacks(king),
            checkers,
            refuters,
            contested,
            answerers,
        })
    }

    /// Returns the number of their pieces that guard a square of our king's field, including those
    /// that attack it through the king.
    fn guards(&self, square: Square) -> u32 {
        let occupied = self.board.occupied() - self.king.set();
        (self.board.attackers_to(square, occupied) & self.them).len()
    }

    fn is_pure(&self) -> bool {
        let double_check = self.checkers.is_several();
        let pinned = self.all_pinned() & self.us;
        let field_is_pure = self.field.into_iter().all(|square| {
            let guards = self.guards(square);
            if !self.us.contains(square) {
                return guards == 1;
            }
            // Both are needed: the pin keeps our piece from parrying the check, the guard keeps our
            // king from its square.
            let needed = !double_check && pinned.contains(square);
            guards == 0 || guards == 1 && needed && self.answerers.contains(square)
        });
        field_is_pure && (!double_check || self.all_checkers_are_needed())
    }

    /// Whether our pieces could parry the remaining check if any one checker were missing.
    fn all_checkers_are_needed(&self) -> bool {
        let free = self.us - self.king.set() - self.all_pinned();
        self.checkers.into_iter().all(|checker| {
            let others = answers(self.king, self.checkers - checker.set());
            free.into_iter().any(|sq| self.board.attacks_from(sq).intersects(others))
        })
    }

    /// All pinned pieces, of both colors.
    fn all_pinned(&self) -> SquareSet {
        let (all, kings) = (SquareSet::ALL, self.board.role(Role::King));
        pins(self.board, all, all, kings, PinPart::Through)
    }

    fn their_participants(&self) -> SquareSet {
        let mut result =
            self.checkers | attackers(self.pos, self.field) | self.all_pinned() & self.them;
        if !self.checkers.is_several() {
            let kings = self.board.role(Role::King);
            result |= pins(self.board, self.them, self.refuters, kings, PinPart::From)
                | shields(self.board, self.refuters, self.them, self.contested);
        }
        result
    }

    fn our_participants(&self) -> SquareSet {
        let us = self.us;
        let their_king = self.board.kings(!self.pos.turn);
        let mut result =
            self.king.set() | self.field & us | shields(self.board, us, us, their_king);
        if !self.checkers.is_several() {
            result |= shields(self.board, us, us, self.contested);
        }
        result
    }
}

/// Returns the checkers and the squares between them and the king.
fn answers(king: Square, checkers: SquareSet) -> SquareSet {
    checkers.into_iter().fold(checkers, |set, checker| set | between(king, checker))
}

/// Returns their pieces that attack one of `squares`.
fn attackers(pos: &Position, squares: SquareSet) -> SquareSet {
    let occupied = pos.board.occupied();
    let all = squares
        .into_iter()
        .fold(SquareSet::EMPTY, |set, square| set | pos.board.attackers_to(square, occupied));
    all & pos.them()
}

/// Returns the squares of `middle` whose piece alone keeps a line piece of `from` from attacking a
/// square of `to`.
fn shields(board: &Board, from: SquareSet, middle: SquareSet, to: SquareSet) -> SquareSet {
    let occupied = board.occupied();
    let mut result = SquareSet::EMPTY;
    for slider in from & (board.diagonal_sliders() | board.straight_sliders()) {
        let Some(piece) = board.piece_at(slider) else {
            continue;
        };
        let reached = attacks_of(piece, slider, occupied);
        for shield in reached & occupied & middle {
            let beyond = attacks_of(piece, slider, occupied - shield.set()) - reached;
            if beyond.intersects(to) {
                result.insert(shield);
            }
        }
    }
    result
}

/// Returns the participants of a stalemate, or no squares if the stalemate does not meet the
/// demand.
fn stalemate(pos: &Position, demand: Strictness) -> SquareSet {
    let Some(king) = pos.board.kings(pos.turn).single() else {
        return SquareSet::EMPTY;
    };
    let (board, us, them) = (&pos.board, pos.us(), pos.them());
    let field = king_attacks(king);
    let (all, kings) = (SquareSet::ALL, board.role(Role::King));
    let pinned = pins(board, all, all, kings, PinPart::Through);
    let is_pure = field.into_iter().all(|square| {
        let guards = board.attackers_to(square, board.occupied()) & them;
        let free = us.contains(square) && !pinned.contains(square);
        guards.len() == u32::from(!free)
    });
    if !is_pure {
        return SquareSet::EMPTY;
    }
    let pinners = pins(board, them, all, kings, PinPart::From);
    let theirs = pinned & them | pinners | attackers(pos, field);
    // all of ours take part by definition
    demanded(pos, theirs, us, demand)
}

#[cfg(test)]
mod tests {
    use board::parse_fen;

    use super::*;

    /// Compares the values of the pure, model and ideal filters with `want`, one character each:
    /// `P` means the squares `value`, `-` the empty set.
    fn check(
        filter: fn(&Position, Strictness) -> SquareSet,
        is_over: fn(&Position) -> bool,
        fen: &str,
        value: &str,
        want: &str,
    ) {
        let pos = parse_fen(fen.as_bytes()).expect("a FEN");
        assert!(is_over(&pos), "{fen}");
        let value: SquareSet = value
            .split_whitespace()
            .map(|name| Square::parse(name.as_bytes()).expect("a square"))
            .collect();
        let demands = [Strictness::Pure, Strictness::Model, Strictness::Ideal];
        for (demand, want) in demands.into_iter().zip(want.chars()) {
            let want = if want == 'P' { value } else { SquareSet::EMPTY };
            assert_eq!(filter(&pos, demand), want, "{fen} {demand:?}");
        }
    }

    fn check_mate(fen: &str, value: &str, want: &str) {
        check(mate, Position::is_mate, fen, value, want);
    }

    fn check_stalemate(fen: &str, value: &str, want: &str) {
        check(stalemate, Position::is_stalemate, fen, value, want);
    }

    #[test]
    fn the_field_of_a_pure_mate_is_guarded_once() {
        check_mate("R6k/8/7K/8/8/8/8/8 b - - 0 1", "a8 h6 h8", "PPP");
        // the square beyond the king counts as guarded by the rook
        check_mate("R5k1/8/6K1/8/8/8/8/8 b - - 0 1", "a8 g6 g8", "PPP");
        check_mate("r5K1/8/6k1/8/8/8/8/8 w - - 0 1", "a8 g6 g8", "PPP");
        // g8 is guarded twice; so is the queen's neighbor h7
        check_mate("R6k/8/7K/3B4/8/8/8/8 b - - 0 1", "", "---");
        check_mate("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "", "---");
    }

    #[test]
    fn model_and_ideal_mates_need_everybody() {
        let value = "e8 g7 h7 h8";
        check_mate("4R2k/6pp/8/8/8/8/8/6K1 b - - 0 1", value, "PP-");
        check_mate("4R2k/6pp/8/8/8/8/P7/6K1 b - - 0 1", value, "PP-");
        check_mate("4R2k/6pp/8/8/8/8/8/N5K1 b - - 0 1", value, "P--");
        // the black pawn is idle
        check_mate("R6k/8/7K/8/8/8/p7/8 b - - 0 1", "a8 h6 h8", "PP-");
    }

    #[test]
    fn an_own_piece_may_be_guarded_if_the_pin_is_needed() {
        // the rook could interpose on g8, the pawn could not
        check_mate("4R2k/6rp/8/8/8/8/1B6/6K1 b - - 0 1", "b2 e8 g7 h7 h8", "PP-");
        check_mate("4R2k/6pp/8/8/8/8/1B6/6K1 b - - 0 1", "", "---");
        // the pawn on e4 could capture en passant only if d2-d4 was just played
        check_mate("8/4N3/R6B/4k3/3Pp3/8/1B6/4R2K b - d3 0 1", "a6 e7 h6 b2 e1 d4 e4 e5", "PP-");
        check_mate("8/4N3/R6B/4k3/3Pp3/8/1B6/4R2K b - - 0 1", "", "---");
    }

    #[test]
    fn both_checkers_of_a_double_check_are_needed() {
        // the rook on h5 looks at the file and at the diagonal
        check_mate("k7/3N4/8/7r/8/8/8/R4K1B b - - 0 1", "a1 a8 d7 h1", "PP-");
        check_mate("k7/3N4/8/8/8/8/8/R4K1B b - - 0 1", "", "---");
        // the knight on c2 looks at the file only
        check_mate("k7/3N4/8/8/8/8/2n5/R4K1B b - - 0 1", "", "---");
        // a guarded own piece
        check_mate("kr6/3N4/8/7r/8/8/8/R4K1B b - - 0 1", "", "---");
    }

    #[test]
    fn those_that_stand_on_lines_take_part_in_mates() {
        // the knight on g1 is pinned
        check_mate("4R2k/6pp/8/8/8/8/8/r5NK b - - 0 1", "e8 g1 g7 h7 h8", "PP-");
        // the bishop pins a rook that could interpose on f8
        check_mate("4R2k/7p/5r1P/8/8/8/1B6/6K1 b - - 0 1", "b2 e8 h6 h7 h8", "PP-");
        // a black knight between a black rook and the white king, or the checker
        check_mate("4R2k/6pp/8/8/8/8/8/r4n1K b - - 0 1", "e8 f1 g7 h7 h8", "PP-");
        check_mate("r1n1R2k/6pp/8/8/8/8/8/6K1 b - - 0 1", "c8 e8 g7 h7 h8", "PP-");
    }

    #[test]
    fn stalemates() {
        check_stalemate("7k/8/6Q1/8/8/8/8/K7 b - - 0 1", "g6 h8", "PP-");
        check_stalemate("7K/8/6q1/8/8/8/8/k7 w - - 0 1", "g6 h8", "PP-");
        check_stalemate("k7/P7/K7/8/8/8/8/8 b - - 0 1", "a6 a7 a8", "PPP");
        // g7 is guarded twice
        check_stalemate("7k/8/5KQ1/8/8/8/8/8 b - - 0 1", "", "---");
        // a pinned piece beside the king must be attacked, another one must not
        check_stalemate("R5bk/8/7K/8/8/8/8/8 b - - 0 1", "a8 g8 h6 h8", "PPP");
        check_stalemate("7k/7p/7P/8/2B5/8/8/K7 b - - 0 1", "c4 h6 h7 h8", "PP-");
        check_stalemate("7k/7p/7P/8/2B5/3B4/8/K7 b - - 0 1", "", "---");
        // an idle knight; a black pawn far away takes part anyway
        check_stalemate("7k/8/6Q1/8/8/8/8/K1N5 b - - 0 1", "g6 h8", "P--");
        check_stalemate("k7/P7/K4p2/5P2/8/8/8/8 b - - 0 1", "a6 a7 a8 f6", "PP-");
    }

    #[test]
    fn nothing_is_beautiful_before_the_end() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "R6k/6b1/7K/8/8/8/8/8 b - - 0 1",
        ] {
            let pos = parse_fen(fen.as_bytes()).expect("a FEN");
            assert_eq!(mate(&pos, Strictness::Pure), SquareSet::EMPTY, "{fen}");
        }
    }
}
