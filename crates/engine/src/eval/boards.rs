//! Conditions on attacks and pins that are tested on the board alone, without an evaluator.

use board::{Board, LanePositions, LaneSet, Piece, Placement, Role, Square, SquareSet, Squares};
use syntax::tree::{PinPart, Relation};

use super::attacks::{
    attack_pairs, attacked, attacked_so_often, attacked_so_often_in_lanes, attackers,
};
use super::rays::pins;
use crate::pawns::{self, Pawns};
use compiler::facts::{holds, squares_of_kinds};
use compiler::program::plan::{BoardChoice, BoardCondition, BoardSet, MAX_POINTS, MoveEnd};

/// A board, or several, with the attacks on it.
pub(super) trait Attacks: Placement {
    /// Returns the squares of `men` with a piece that attacks one of `targets`. The pieces come from
    /// the set `of`.
    fn attackers(&self, of: &BoardSet, men: Self::Set, targets: Self::Set) -> Self::Set;

    /// Returns the squares of `left` that a piece on `right` attacks.
    fn attacked(&self, left: Self::Set, right: Self::Set) -> Self::Set;

    /// Returns the squares of `candidates` whose number of attackers among `men` is in `relation` to
    /// `n`.
    fn attacked_so_often(
        &self,
        candidates: Self::Set,
        men: Self::Set,
        relation: Relation,
        n: i32,
    ) -> Self::Set;

    /// Returns the number of pairs of a piece on `men` and a square of `squares` that it attacks.
    fn attack_pairs(&self, men: Self::Set, squares: Self::Set) -> <Self::Set as Squares>::Number;

    /// Returns a part of all pins by the first set of the second against the third.
    fn pins(&self, sets: [Self::Set; 3], part: PinPart) -> Self::Set;

    /// Returns the square where the move that led here starts or ends; all squares if it is unknown.
    fn played(&self, end: MoveEnd) -> Self::Set;
}

impl Attacks for Board {
    #[inline]
    fn attackers(&self, of: &BoardSet, men: SquareSet, targets: SquareSet) -> SquareSet {
        attackers_of_kind(self, of, men, targets)
    }

    #[inline]
    fn attacked(&self, left: SquareSet, right: SquareSet) -> SquareSet {
        attacked(self, left, right)
    }

    #[inline]
    fn attacked_so_often(
        &self,
        candidates: SquareSet,
        men: SquareSet,
        relation: Relation,
        n: i32,
    ) -> SquareSet {
        attacked_so_often(self, candidates, men, relation, n)
    }

    #[inline]
    fn pins(&self, [from, through, to]: [SquareSet; 3], part: PinPart) -> SquareSet {
        pins(self, from, through, to, part)
    }

    fn attack_pairs(&self, men: SquareSet, squares: SquareSet) -> i32 {
        attack_pairs(self, men, squares)
    }

    fn played(&self, _: MoveEnd) -> SquareSet {
        SquareSet::ALL
    }
}

impl Attacks for LanePositions {
    fn attackers(&self, _: &BoardSet, men: LaneSet, targets: LaneSet) -> LaneSet {
        self.boards.attackers(men, targets)
    }

    fn attacked(&self, left: LaneSet, right: LaneSet) -> LaneSet {
        self.boards.attacked(left, right)
    }

    fn attacked_so_often(
        &self,
        candidates: LaneSet,
        men: LaneSet,
        relation: Relation,
        n: i32,
    ) -> LaneSet {
        attacked_so_often_in_lanes(&self.boards, candidates, men, relation, n)
    }

    fn attack_pairs(&self, men: LaneSet, squares: LaneSet) -> [i32; board::LANES] {
        let mut pairs = LaneSet::number(0);
        self.boards.for_each_attack(men, |attacked| {
            pairs = LaneSet::combine(pairs, (attacked & squares).count(), |all, more| all + more);
        });
        pairs
    }

    fn pins(&self, [from, through, to]: [LaneSet; 3], part: PinPart) -> LaneSet {
        let [pinning, pinned, targets] = self.boards.pins(from, through, to);
        match part {
            PinPart::From => pinning,
            PinPart::Through => pinned,
            PinPart::To => targets,
        }
    }

    fn played(&self, end: MoveEnd) -> LaneSet {
        match end {
            MoveEnd::From => self.last.ends().from,
            MoveEnd::To => self.last.ends().to,
            // The square of a captured piece is not known.
            MoveEnd::Captured => LaneSet::all(SquareSet::ALL),
        }
    }
}

/// Whether a condition holds.
pub(super) fn condition_holds<B: Attacks>(
    condition: &BoardCondition,
    board: &B,
) -> <B::Set as Squares>::Answer {
    match condition {
        BoardCondition::NotEmpty(set) => squares(set, board).has_some(),
        BoardCondition::Count(relation, set, n) => {
            let count = squares(set, board).count();
            B::Set::compare(count, B::Set::number(*n), |count, n| holds(*relation, &count, &n))
        }
        BoardCondition::Pairs(relation, sets, n) => {
            let [men, targets] = &**sets;
            let count = board.attack_pairs(squares(men, board), squares(targets, board));
            B::Set::compare(count, B::Set::number(*n), |count, n| holds(*relation, &count, &n))
        }
    }
}

/// Returns the squares of a set.
#[inline]
fn squares<B: Attacks>(set: &BoardSet, board: &B) -> B::Set {
    match set {
        BoardSet::Piece(piece, squares) => board.pieces_of(*piece) & B::Set::of(*squares),
        BoardSet::Kinds(kinds, squares) => squares_of_kinds(board, *kinds) & B::Set::of(*squares),
        BoardSet::Constant(squares) => B::Set::of(*squares),
        set => computed(set, board),
    }
}

fn computed<B: Attacks>(set: &BoardSet, board: &B) -> B::Set {
    match set {
        BoardSet::Piece(..) | BoardSet::Kinds(..) | BoardSet::Constant(_) => squares(set, board),
        BoardSet::Union(sets) => {
            let sets = sets.iter().map(|set| squares(set, board));
            sets.fold(B::Set::of(SquareSet::EMPTY), |union, set| union | set)
        }
        BoardSet::Intersect(sets) => {
            let [left, right] = &**sets;
            squares(left, board) & squares(right, board)
        }
        BoardSet::Complement(set) => !squares(set, board),
        BoardSet::Attackers(sets) => {
            let [left, right] = &**sets;
            let (men, targets) = (squares(left, board), squares(right, board));
            board.attackers(left, men, targets)
        }
        BoardSet::Attacked(sets) => {
            let [left, right] = &**sets;
            board.attacked(squares(left, board), squares(right, board))
        }
        BoardSet::Chosen(domain, choice) => {
            let candidates = squares(domain, board);
            choose(choice, domain, candidates, board)
        }
        BoardSet::Pins(sets, part) => {
            let [from, through, to] = &**sets;
            let [from, to] = [from, to].map(|set| squares(set, board));
            if from.is_empty() || to.is_empty() {
                B::Set::of(SquareSet::EMPTY)
            } else {
                board.pins([from, squares(through, board), to], *part)
            }
        }
        BoardSet::Rays(kind, points) => {
            let mut sets = [B::Set::of(SquareSet::EMPTY); MAX_POINTS];
            for (set, point) in sets.iter_mut().zip(points) {
                *set = squares(point, board);
                if set.is_empty() {
                    return *set;
                }
            }
            kind.find(board, &sets[..points.len()])
        }
        BoardSet::Structure(structure) => pawns::structure(*structure, Pawns::of(board)),
        BoardSet::Shifted(steps, set) => shifted(squares(set, board), steps.iter().copied()),
        BoardSet::Played(end) => board.played(*end),
    }
}

/// Returns the squares of `candidates`, a subset of `domain`, for which the choice holds.
fn choose<B: Attacks>(
    choice: &BoardChoice,
    domain: &BoardSet,
    candidates: B::Set,
    board: &B,
) -> B::Set {
    if candidates.is_empty() {
        return candidates;
    }
    let choose = |choice, candidates| choose(choice, domain, candidates, board);
    match choice {
        BoardChoice::In(set) => candidates & squares(set, board),
        BoardChoice::AttackedBy(men) => board.attacked(candidates, squares(men, board)),
        BoardChoice::Attacks(set) => board.attackers(domain, candidates, squares(set, board)),
        BoardChoice::AttackedSoOften(men, relation, n) => {
            board.attacked_so_often(candidates, squares(men, board), *relation, *n)
        }
        BoardChoice::All(choices) => {
            let choices = choices.iter();
            choices.fold(candidates, |left, choice| choose(choice, left))
        }
        BoardChoice::Any(choices) => {
            let choices = choices.iter();
            candidates - choices.fold(candidates, |left, choice| left - choose(choice, left))
        }
        BoardChoice::Not(choice) => candidates - choose(choice, candidates),
        BoardChoice::Shifted(steps, choice) => {
            let everywhere = BoardSet::Constant(SquareSet::ALL);
            let moved = shifted(candidates, steps.iter().copied());
            let found = self::choose(choice, &everywhere, moved, board);
            candidates & back(found, steps)
        }
    }
}

/// Returns the squares that are one of some steps from a square of a set.
#[inline]
pub(super) fn shifted<S: Squares>(set: S, steps: impl Iterator<Item = (i8, i8)>) -> S {
    let none = S::of(SquareSet::EMPTY);
    let shifted = steps.map(|(dx, dy)| set.zip(none, |set, _| board::step_set(set, dx, dy)));
    shifted.fold(none, |all, set| all | set)
}

/// Returns the squares from which one of some steps leads to a square of a set.
pub(super) fn back<S: Squares>(set: S, steps: &[(i8, i8)]) -> S {
    shifted(set, steps.iter().map(|&(dx, dy)| (-dx, -dy)))
}

/// Returns the squares of `men` that attack one of `targets`. If the set they come from holds
/// pieces of one type and color, a faster way applies.
#[inline]
fn attackers_of_kind(
    board: &Board,
    set: &BoardSet,
    men: SquareSet,
    targets: SquareSet,
) -> SquareSet {
    match set {
        BoardSet::Piece(piece, _) if piece.role != Role::Pawn => {
            attackers_of_piece(board, *piece, men, targets)
        }
        _ => attackers(board, men, targets),
    }
}

/// Does the same as [`attackers`] for pieces of one type and color, not pawns. Such a piece attacks
/// exactly the squares from which an equal piece would attack it.
#[inline]
fn attackers_of_piece(
    board: &Board,
    piece: Piece,
    men: SquareSet,
    targets: SquareSet,
) -> SquareSet {
    let on_lines = |square| board::attacks_of(piece, square, board.occupied());
    let attacked = |square| match piece.role {
        Role::Knight => board::knight_attacks(square),
        _ => on_lines(square),
    };
    if targets.is_several() && !men.is_several() {
        let attacks = |square: &Square| attacked(*square).intersects(targets);
        return men.into_iter().filter(attacks).collect();
    }
    let reached = targets.into_iter().map(attacked);
    reached.fold(SquareSet::EMPTY, |all, squares| all | squares) & men
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Color;

    #[test]
    fn attackers_of_one_kind_are_those_of_any() {
        for fen in [
            "r1b1k2r/pp3ppp/2n2n2/3p4/1b1P4/2N2N2/PP3PPP/R1BQKB1R w - - 0 1",
            "QQQ1k3/QnQ5/QQQ5/1N1N4/N3N3/2P5/N3N3/1N1NK3 w - - 0 1",
            "4k3/1q6/8/3N4/1b3r2/8/4K3/8 w - - 0 1",
        ] {
            let position = board::parse_position(fen.as_bytes()).expect("a FEN");
            let board = &position.board;
            let (black, none) = (board.color(Color::Black), SquareSet::EMPTY);
            for targets in [black, board.kings(Color::Black), none, Square::E1.set()] {
                for role in Role::ALL.into_iter().filter(|role| *role != Role::Pawn) {
                    for color in Color::ALL {
                        let piece = Piece { color, role };
                        let men = board.pieces(color, role);
                        let got = attackers_of_piece(board, piece, men, targets);
                        assert_eq!(got, attackers(board, men, targets), "{fen} {piece:?}");
                    }
                }
            }
        }
    }
}
