//! Evaluates loops over squares for all squares at once.

use board::{Board, Color, Role, SquareSet};
use syntax::tree::Relation;

use super::evaluator::Evaluator;
use super::set::{attacked, attackers};
use compiler::facts::holds;
use compiler::program::plan::SquareCondition;

impl Evaluator<'_> {
    /// Returns the squares of `candidates` for which the condition holds.
    pub(super) fn select(
        &mut self,
        condition: &SquareCondition,
        candidates: SquareSet,
    ) -> SquareSet {
        if candidates.is_empty() {
            return SquareSet::EMPTY;
        }
        match condition {
            SquareCondition::Fixed(id) if self.matches(*id) => candidates,
            SquareCondition::Fixed(_) => SquareSet::EMPTY,
            SquareCondition::In(set) => candidates & self.set(*set),
            SquareCondition::AttackedBy(men) => {
                let men = self.set(*men);
                attacked(&self.here().board, candidates, men)
            }
            SquareCondition::Attacks(squares) => {
                let squares = self.set(*squares);
                attackers(&self.here().board, candidates, squares)
            }
            SquareCondition::AttackedSoOften(men, relation, n) => {
                let men = self.set(*men);
                attacked_so_often(&self.here().board, candidates, men, *relation, *n)
            }
            SquareCondition::All(conditions) => {
                (conditions.iter()).fold(candidates, |left, condition| self.select(condition, left))
            }
            SquareCondition::Any(conditions) => {
                let left = (conditions.iter())
                    .fold(candidates, |left, condition| left - self.select(condition, left));
                candidates - left
            }
            SquareCondition::Not(condition) => candidates - self.select(condition, candidates),
        }
    }
}

/// Largest number of attackers of a square: one from each of eight directions, and eight knights.
const MOST_ATTACKERS: i32 = 16;

/// Returns the squares of `candidates` whose number of attackers among `men` is in `relation` to
/// `n`.
pub(super) fn attacked_so_often(
    board: &Board,
    candidates: SquareSet,
    men: SquareSet,
    relation: Relation,
    n: i32,
) -> SquareSet {
    let men = men & board.occupied();
    // Finding the attackers of a square costs about as much as finding the attacks of five pieces.
    if 5 * candidates.len() <= men.len() || !(0..=MOST_ATTACKERS).contains(&n) {
        let number = |square| (board.attackers_to(square, board.occupied()) & men).len() as i32;
        return candidates
            .into_iter()
            .filter(|&square| holds(relation, &number(square), &n))
            .collect();
    }
    if n <= FEW {
        let mut counts = FewCounts::default();
        for_each_attacked(board, men, |squares| counts.add(squares));
        return candidates & counts.compare(relation, n as usize);
    }
    let mut counts = Counts::default();
    for_each_attacked(board, men, |squares| counts.add(squares));
    candidates & counts.compare(relation, n as u8)
}

/// Calls `show` with the squares that each piece attacks; attacks of pawns come together, by
/// direction.
#[inline(always)]
fn for_each_attacked(board: &Board, men: SquareSet, mut show: impl FnMut(SquareSet)) {
    let occupied = board.occupied();
    let of = |role| men & board.role(role);
    for color in Color::ALL {
        let pawns = of(Role::Pawn) & board.color(color);
        for side in [pawns.shift_left(), pawns.shift_right()] {
            show(match color {
                Color::White => side.shift_up(),
                Color::Black => side.shift_down(),
            });
        }
    }
    for square in of(Role::Knight) {
        show(board::knight_attacks(square));
    }
    for square in of(Role::Bishop) | of(Role::Queen) {
        show(board::bishop_attacks(square, occupied));
    }
    for square in of(Role::Rook) | of(Role::Queen) {
        show(board::rook_attacks(square, occupied));
    }
    for square in of(Role::King) {
        show(board::king_attacks(square));
    }
}

/// Largest number that is compared with [`FewCounts`].
const FEW: i32 = 2;

/// The squares that were added at least once, twice, and three times.
#[derive(Default)]
struct FewCounts([SquareSet; FEW as usize + 1]);

impl FewCounts {
    /// Adds one to the count of each square of a set.
    #[inline(always)]
    fn add(&mut self, squares: SquareSet) {
        let [once, twice, thrice] = &mut self.0;
        *thrice |= *twice & squares;
        *twice |= *once & squares;
        *once |= squares;
    }

    /// Returns the squares whose count is in `relation` to `n`.
    fn compare(&self, relation: Relation, n: usize) -> SquareSet {
        let not_less = match n {
            0 => SquareSet::ALL,
            n => self.0[n - 1],
        };
        let greater = self.0[n];
        match relation {
            Relation::Equal => not_less - greater,
            Relation::NotEqual => !(not_less - greater),
            Relation::Greater => greater,
            Relation::GreaterEqual => not_less,
            Relation::Less => !not_less,
            Relation::LessEqual => !greater,
            // For positions only.
            Relation::Ancestor
            | Relation::AncestorEqual
            | Relation::Descendant
            | Relation::DescendantEqual => SquareSet::EMPTY,
        }
    }
}

/// A count for each square, stored by binary digits so that all squares are counted in parallel.
#[derive(Default)]
struct Counts([SquareSet; 5]);

impl Counts {
    /// Adds one to the count of each square of a set.
    #[inline]
    fn add(&mut self, squares: SquareSet) {
        let mut carry = squares;
        for digit in &mut self.0 {
            let both = *digit & carry;
            *digit ^= carry;
            carry = both;
            if carry.is_empty() {
                break;
            }
        }
    }

    /// Returns the squares whose count is in `relation` to `n`.
    fn compare(&self, relation: Relation, n: u8) -> SquareSet {
        let (mut equal, mut greater) = (SquareSet::ALL, SquareSet::EMPTY);
        for (i, &digit) in self.0.iter().enumerate().rev() {
            if n >> i & 1 == 0 {
                greater |= equal & digit;
                equal -= digit;
            } else {
                equal &= digit;
            }
        }
        match relation {
            Relation::Equal => equal,
            Relation::NotEqual => !equal,
            Relation::Greater => greater,
            Relation::GreaterEqual => greater | equal,
            Relation::Less => !(greater | equal),
            Relation::LessEqual => !greater,
            // For positions only.
            Relation::Ancestor
            | Relation::AncestorEqual
            | Relation::Descendant
            | Relation::DescendantEqual => SquareSet::EMPTY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_in_parallel_are_counts_one_by_one() {
        for fen in [
            "r1b1k2r/pp3ppp/2n2n2/3p4/1b1P4/2N2N2/PP3PPP/R1BQKB1R w - - 0 1",
            "QQQ1k3/QnQ5/QQQ5/1N1N4/N3N3/2P5/N3N3/1N1NK3 w - - 0 1",
            "8/8/8/8/8/8/8/8 w - - 0 1",
        ] {
            let position = board::parse_position(fen.as_bytes()).expect("a FEN");
            let board = &position.board;
            for men in [board.occupied(), board.color(Color::White), SquareSet::rank(1)] {
                for n in -1..18 {
                    for relation in [
                        Relation::Equal,
                        Relation::NotEqual,
                        Relation::Less,
                        Relation::LessEqual,
                        Relation::Greater,
                        Relation::GreaterEqual,
                    ] {
                        let number = |square: board::Square| {
                            let occupied = board.occupied();
                            (board.attackers_to(square, occupied) & men).len() as i32
                        };
                        let want: SquareSet = (SquareSet::ALL.into_iter())
                            .filter(|&square| holds(relation, &number(square), &n))
                            .collect();
                        let got = attacked_so_often(board, SquareSet::ALL, men, relation, n);
                        assert_eq!(got, want, "{fen} {men:?} {relation:?} {n}");
                    }
                }
            }
        }
    }
}
