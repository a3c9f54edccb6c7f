//! Attacks of sets of pieces on sets of squares of a board, whole sets at once.

use board::{Board, LaneBoards, LaneSet, SquareSet, Squares};
use syntax::tree::Relation;

use compiler::facts::holds;

/// Returns the squares of `left` that attack a square of `right`.
pub(super) fn attackers(board: &Board, left: SquareSet, right: SquareSet) -> SquareSet {
    let left = left & board.occupied();
    if left.is_empty() || right.is_empty() {
        return SquareSet::EMPTY;
    }
    if right.len() < left.len() {
        let mut result = SquareSet::EMPTY;
        for square in right {
            result |= board.attackers_to(square, board.occupied());
        }
        return result & left;
    }
    left.into_iter().filter(|&square| !(board.attacks_from(square) & right).is_empty()).collect()
}

/// Returns the squares of `left` that a square of `right` attacks.
pub(super) fn attacked(board: &Board, left: SquareSet, right: SquareSet) -> SquareSet {
    let right = right & board.occupied();
    if left.is_empty() || right.is_empty() {
        return SquareSet::EMPTY;
    }
    if left.len() < right.len() {
        return left
            .into_iter()
            .filter(|&square| !(board.attackers_to(square, board.occupied()) & right).is_empty())
            .collect();
    }
    let mut result = SquareSet::EMPTY;
    for square in right {
        result |= board.attacks_from(square);
    }
    result & left
}

/// Returns the number of pairs of a piece on `men` and a square of `squares` that it attacks.
pub(super) fn attack_pairs(board: &Board, men: SquareSet, squares: SquareSet) -> i32 {
    let men = men & board.occupied();
    let pairs: u32 = if squares.len() < men.len() {
        let attackers = |square| board.attackers_to(square, board.occupied()) & men;
        squares.into_iter().map(|square| attackers(square).len()).sum()
    } else {
        let attacked = |man| board.attacks_from(man) & squares;
        men.into_iter().map(|man| attacked(man).len()).sum()
    };
    pairs as i32
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
    candidates & counted(&OnBoard { board, men }, relation, n)
}

/// As [`attacked_so_often`], on several boards.
pub(super) fn attacked_so_often_in_lanes(
    boards: &LaneBoards,
    candidates: LaneSet,
    men: LaneSet,
    relation: Relation,
    n: i32,
) -> LaneSet {
    let holds_for = |count: i32| holds(relation, &count, &n);
    if n <= 1 && (1..MOST_ATTACKERS).all(|count| holds_for(count) == holds_for(count + 1)) {
        // Only whether the square is attacked matters.
        let attacked = if holds_for(0) == holds_for(1) {
            LaneSet::EMPTY
        } else {
            boards.attacked(candidates, men)
        };
        return if holds_for(0) { candidates - attacked } else { attacked };
    }
    if n > MOST_ATTACKERS {
        return if holds_for(0) { candidates } else { LaneSet::EMPTY };
    }
    candidates & counted(&InLanes { boards, men }, relation, n)
}

/// Pieces whose attacks are counted.
trait Attackers<S> {
    /// Calls `show` with the squares that each piece attacks; attacks of pawns come together, by
    /// direction.
    fn for_each_attack(&self, show: impl FnMut(S));
}

struct OnBoard<'b> {
    board: &'b Board,
    men: SquareSet,
}

impl Attackers<SquareSet> for OnBoard<'_> {
    #[inline(always)]
    fn for_each_attack(&self, show: impl FnMut(SquareSet)) {
        self.board.for_each_attack(self.men, show);
    }
}

struct InLanes<'b> {
    boards: &'b LaneBoards,
    men: LaneSet,
}

impl Attackers<LaneSet> for InLanes<'_> {
    #[inline(always)]
    fn for_each_attack(&self, show: impl FnMut(LaneSet)) {
        self.boards.for_each_attack(self.men, show);
    }
}

/// Returns the squares whose number of attackers is in `relation` to `n`.
fn counted<S: Squares>(attackers: &impl Attackers<S>, relation: Relation, n: i32) -> S {
    match most_counted(relation, n) {
        ..=2 => counted_by::<S, FewCounts<S, 2>>(attackers, relation, n),
        3 => counted_by::<S, FewCounts<S, 3>>(attackers, relation, n),
        _ => counted_by::<S, Counts<S>>(attackers, relation, n),
    }
}

fn counted_by<S: Squares, C: SquareCounts<S>>(
    attackers: &impl Attackers<S>,
    relation: Relation,
    n: i32,
) -> S {
    let mut counts = C::default();
    attackers.for_each_attack(|squares| counts.add(squares));
    counts.compare(relation, n)
}

/// A count for each square.
trait SquareCounts<S: Squares>: Default {
    /// Adds one to the count of each square of a set.
    fn add(&mut self, squares: S);

    /// Returns the squares whose count is in `relation` to `n`.
    fn compare(&self, relation: Relation, n: i32) -> S;
}

/// Returns the number from which on greater ones make no difference to the comparison of a count
/// with `n`.
fn most_counted(relation: Relation, n: i32) -> i32 {
    match relation {
        Relation::GreaterEqual | Relation::Less => n,
        _ => n + 1,
    }
}

/// The squares that were added at least once, twice, and so on up to `N` times.
struct FewCounts<S, const N: usize>([S; N]);

impl<S: Squares, const N: usize> Default for FewCounts<S, N> {
    fn default() -> Self {
        FewCounts([S::of(SquareSet::EMPTY); N])
    }
}

impl<S: Squares, const N: usize> SquareCounts<S> for FewCounts<S, N> {
    #[inline(always)]
    fn add(&mut self, squares: S) {
        for n in (1..N).rev() {
            self.0[n] = self.0[n] | self.0[n - 1] & squares;
        }
        self.0[0] = self.0[0] | squares;
    }

    /// Compares with a number for which [`most_counted`] is at most `N`.
    fn compare(&self, relation: Relation, n: i32) -> S {
        let at_least = |n: i32| match n {
            ..=0 => S::of(SquareSet::ALL),
            n => self.0[n as usize - 1],
        };
        match relation {
            Relation::Equal => at_least(n) - at_least(n + 1),
            Relation::NotEqual => !(at_least(n) - at_least(n + 1)),
            Relation::Greater => at_least(n + 1),
            Relation::GreaterEqual => at_least(n),
            Relation::Less => !at_least(n),
            Relation::LessEqual => !at_least(n + 1),
            // For positions only.
            Relation::Ancestor
            | Relation::AncestorEqual
            | Relation::Descendant
            | Relation::DescendantEqual => S::of(SquareSet::EMPTY),
        }
    }
}

/// A count for each square, stored by binary digits so that all squares are counted in parallel.
struct Counts<S>([S; 5]);

impl<S: Squares> Default for Counts<S> {
    fn default() -> Self {
        Counts([S::of(SquareSet::EMPTY); 5])
    }
}

impl<S: Squares> SquareCounts<S> for Counts<S> {
    #[inline]
    fn add(&mut self, squares: S) {
        let mut carry = squares;
        for digit in &mut self.0 {
            let both = *digit & carry;
            *digit = (*digit | carry) - both;
            carry = both;
            if carry.is_empty() {
                break;
            }
        }
    }

    fn compare(&self, relation: Relation, n: i32) -> S {
        let (mut equal, mut greater) = (S::of(SquareSet::ALL), S::of(SquareSet::EMPTY));
        for (i, &digit) in self.0.iter().enumerate().rev() {
            if n >> i & 1 == 0 {
                greater = greater | equal & digit;
                equal = equal - digit;
            } else {
                equal = equal & digit;
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
            | Relation::DescendantEqual => S::of(SquareSet::EMPTY),
        }
    }
}

#[cfg(test)]
mod tests {
    use board::{Color, Role, Square};

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

    #[test]
    fn pairs_are_counted_from_either_side() {
        // the rooks see each other, the queen sees both, the pawn its two squares
        let position = board::parse_fen(b"4k3/8/8/3p4/8/Q7/8/R3R2K w - - 0 1").expect("a FEN");
        let board = &position.board;
        let rooks = board.pieces(Color::White, Role::Rook);
        let queens = board.pieces(Color::White, Role::Queen);
        let pawns = board.pieces(Color::Black, Role::Pawn);
        let kings = board.pieces(Color::Black, Role::King);
        for (men, squares, want) in [
            (rooks, rooks, 2),
            (queens, rooks, 1),
            (rooks, kings, 1),
            (rooks | queens, kings | rooks | queens, 5),
            (pawns, SquareSet::ALL, 2),
            (pawns, Square::from_coords(3, 3).set(), 0),
            (Square::from_coords(3, 3).set(), SquareSet::ALL, 0),
            (rooks, SquareSet::EMPTY, 0),
        ] {
            assert_eq!(attack_pairs(board, men, squares), want, "{men:?} {squares:?}");
        }
    }
}
