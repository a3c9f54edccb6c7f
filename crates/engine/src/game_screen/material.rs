//! Evaluates sums of piece counts for each state of the material in a game.

use board::{Piece, Role, SquareSet};
use pgn::summary::{MaterialEvent, PieceCounts, Reach};
use syntax::tree::Relation;

use super::ANYWHERE;
use compiler::facts::{EMPTY, pieces_of};
use compiler::program::plan::{MaterialSum, PieceMask};

/// Returns the pieces whose squares matter, as bits.
pub(super) fn kinds_somewhere(sum: &MaterialSum) -> u16 {
    let kinds = sum.somewhere.iter().map(|(men, _)| men.kinds);
    // Any number of squares may be empty.
    let of_pieces = kinds.filter(|kinds| kinds & EMPTY == 0);
    of_pieces.fold(0, |all, kinds| all | kinds)
}

/// Whether the comparison may hold for some counts between `fewest` and `most`.
#[inline]
pub(super) fn may_come(sum: &MaterialSum, fewest: &PieceCounts, most: &PieceCounts) -> bool {
    let between = fewest.iter().zip(most);
    let (mut low, mut high) = (0, 0);
    for (&weight, (&fewest, &most)) in sum.weights.iter().zip(between) {
        let ends = [fewest, most].map(|count| weight * i32::from(count));
        low += ends[0].min(ends[1]);
        high += ends[0].max(ends[1]);
    }
    let (mut least, mut greatest) = (0, 0);
    for &(men, weight) in &sum.somewhere {
        let term = i64::from(weight) * most_of(men, most, &ANYWHERE);
        least += term.min(0);
        greatest += term.max(0);
    }
    let known = |count: i32| sum.constant + i64::from(count);
    admits(sum, known(low) + least, known(high) + greatest)
}

/// Whether the comparison may hold for these counts, if each piece is on some of the squares in
/// `reach`.
#[inline]
pub(super) fn may_hold(sum: &MaterialSum, counts: &PieceCounts, reach: &Reach) -> bool {
    let known = value(sum, counts);
    let (mut least, mut most) = (0, 0);
    for &(men, weight) in &sum.somewhere {
        let most_men = i64::from(weight) * most_of(men, counts, reach);
        least += most_men.min(0);
        most += most_men.max(0);
    }
    let known = sum.constant + i64::from(known);
    admits(sum, known + least, known + most)
}

/// Returns the value of the sum for these counts, without the terms for certain squares.
#[inline]
fn value(sum: &MaterialSum, counts: &PieceCounts) -> i32 {
    let pieces = sum.weights.iter().zip(counts);
    pieces.map(|(weight, &count)| weight * i32::from(count)).sum()
}

/// Returns the change of the sum by a capture or a promotion.
fn change_by(sum: &MaterialSum, event: MaterialEvent) -> i32 {
    let of_piece = |color, role| sum.weights[Piece { color, role }.index()];
    let mover = event.mover();
    let captured = event.captured().map_or(0, |role| of_piece(!mover, role));
    let promoted =
        event.promoted().map_or(0, |role| of_piece(mover, role) - of_piece(mover, Role::Pawn));
    promoted - captured
}

/// Whether the comparison holds for a number from `least` to `most`.
#[inline]
fn admits(sum: &MaterialSum, least: i64, most: i64) -> bool {
    let bound = i64::from(sum.sum.bound);
    match sum.sum.relation {
        Relation::Less => least < bound,
        Relation::LessEqual => least <= bound,
        Relation::Greater => most > bound,
        Relation::GreaterEqual => most >= bound,
        Relation::Equal => (least..=most).contains(&bound),
        _ => true,
    }
}

/// Largest number of sums that are followed along a game.
const MOST_FOLLOWED: usize = 8;

/// One value for each sum that is followed.
type Values = [i32; MOST_FOLLOWED];

/// Sums whose comparisons must hold at the same time. From one state of the material to the next,
/// the sums change by the weights of a captured or promoted piece; this is faster than adding them
/// up again.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaterialScan {
    /// Weight of each piece in each sum.
    weights: [Values; 12],
    /// Change of the sums by a capture or a promotion, by the lowest bits of its event.
    changes: Box<[Values; MaterialEvent::N_CHANGES]>,
    /// Least values for which the comparisons hold.
    least: Values,
    /// Greatest values for which the comparisons hold.
    most: Values,
}

impl MaterialScan {
    /// Creates the sums. `None` if there are no sums, too many, or some that depend on squares.
    pub(super) fn new(sums: &[MaterialSum]) -> Option<MaterialScan> {
        let n_sums = 1..=MOST_FOLLOWED;
        if !n_sums.contains(&sums.len()) || sums.iter().any(|sum| !sum.somewhere.is_empty()) {
            return None;
        }
        let mut together = MaterialScan {
            weights: [[0; MOST_FOLLOWED]; 12],
            changes: Box::new([[0; MOST_FOLLOWED]; MaterialEvent::N_CHANGES]),
            least: [i32::MIN; MOST_FOLLOWED],
            most: [i32::MAX; MOST_FOLLOWED],
        };
        for (number, sum) in sums.iter().enumerate() {
            for (of_piece, weight) in together.weights.iter_mut().zip(sum.weights) {
                of_piece[number] = weight;
            }
            for (event, change) in (0..).map(MaterialEvent).zip(together.changes.iter_mut()) {
                change[number] = change_by(sum, event);
            }
            (together.least[number], together.most[number]) = sum.range();
        }
        Some(together)
    }

    /// Whether the comparisons hold at the same time in a game without variations.
    pub(super) fn occurs(&self, start: &PieceCounts, events: &[u16]) -> bool {
        let mut values = [0; MOST_FOLLOWED];
        for (weights, &count) in self.weights.iter().zip(start) {
            let count = i32::from(count);
            add(&mut values, &weights.map(|weight| weight.wrapping_mul(count)));
        }
        self.holds(&values)
            || events.iter().any(|&event| {
                let change = usize::from(event) % MaterialEvent::N_CHANGES;
                add(&mut values, &self.changes[change]);
                self.holds(&values)
            })
    }

    /// Whether all comparisons hold. All are evaluated, without branches, since that takes few
    /// steps.
    #[inline]
    fn holds(&self, values: &Values) -> bool {
        let ranges = self.least.iter().zip(&self.most);
        let mut is_outside = false;
        for (value, (least, most)) in values.iter().zip(ranges) {
            is_outside |= (value < least) | (value > most);
        }
        !is_outside
    }
}

#[inline]
fn add(values: &mut Values, changes: &Values) {
    for (value, change) in values.iter_mut().zip(changes) {
        *value = value.wrapping_add(*change);
    }
}

/// Returns the largest number of the pieces that may be on their squares.
fn most_of(men: PieceMask, counts: &PieceCounts, reach: &Reach) -> i64 {
    let n_squares = i64::from(men.squares.len());
    if men.kinds & EMPTY != 0 {
        return n_squares;
    }
    let most = |piece: usize| {
        let squares = SquareSet(reach[piece]) & men.squares;
        i64::from(squares.len()).min(counts[piece].into())
    };
    let most: i64 = pieces_of(men.kinds).map(most).sum();
    most.min(n_squares)
}
