//! Sums of piece counts, evaluated for each state of the material in a game.

use board::{Piece, Role, SquareSet};
use pgn::summary::{MaterialEvent, PieceCounts, Reach};
use syntax::tree::Relation;

use super::{ANYWHERE, EMPTY, pieces_of};
use compiler::facts::ANYTHING;
use compiler::program::plan::{PieceMask, Sum};

/// A weighted sum of piece counts, compared with a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaterialSum {
    /// Weight of each piece, on whatever square.
    weights: [i32; 12],
    /// The part of the sum that is the same in every position.
    constant: i64,
    /// Pieces on certain squares, with their weights. Their number is not known.
    somewhere: Box<[(PieceMask, i32)]>,
    /// The comparison as the filter has it.
    pub(super) sum: Sum,
}

impl MaterialSum {
    pub(super) fn new(sum: &Sum) -> MaterialSum {
        let (mut weights, mut constant, mut somewhere) = ([0; 12], 0, Vec::new());
        for &(men, weight) in &sum.terms {
            if men.kinds & ANYTHING == ANYTHING {
                constant += i64::from(men.squares.len()) * i64::from(weight);
            } else if men.squares != SquareSet::ALL {
                somewhere.push((men, weight));
            } else {
                pieces_of(men.kinds).for_each(|piece| weights[piece] += weight);
                if men.kinds & EMPTY != 0 {
                    // Empty squares: all squares without a piece.
                    weights.iter_mut().for_each(|of_piece| *of_piece -= weight);
                    constant += 64 * i64::from(weight);
                }
            }
        }
        MaterialSum { weights, constant, somewhere: somewhere.into(), sum: sum.clone() }
    }

    /// Whether the comparison holds, if that is the same in every position.
    pub(super) fn is_always(&self) -> Option<bool> {
        let is_constant = self.somewhere.is_empty() && self.weights == [0; 12];
        is_constant.then(|| self.may_hold(&[0; 12], &[0; 12]))
    }

    /// Returns the value of the sum for these counts, without the terms for certain squares.
    #[inline]
    fn value(&self, counts: &PieceCounts) -> i32 {
        let pieces = self.weights.iter().zip(counts);
        pieces.map(|(weight, &count)| weight * i32::from(count)).sum()
    }

    /// Whether `other` requires only the presence of some pieces, and this comparison requires at
    /// least one of the same pieces.
    pub(super) fn implies_presence(&self, other: &MaterialSum) -> bool {
        let [(men, 1)] = other.sum.terms[..] else {
            return false;
        };
        other.sum == Sum::is_there(men) && self.sum.terms == other.sum.terms && self.range().0 >= 1
    }

    /// Whether the sum depends on the squares of pieces.
    pub(super) fn looks_at_squares(&self) -> bool {
        !self.somewhere.is_empty()
    }

    /// Returns the pieces whose squares matter, as bits.
    pub(super) fn kinds_somewhere(&self) -> u16 {
        let kinds = self.somewhere.iter().map(|(men, _)| men.kinds);
        // Any number of squares may be empty.
        let of_pieces = kinds.filter(|kinds| kinds & EMPTY == 0);
        of_pieces.fold(0, |all, kinds| all | kinds)
    }

    /// Whether the comparison may hold for some counts between `fewest` and `most`.
    #[inline]
    pub(super) fn may_come(&self, fewest: &PieceCounts, most: &PieceCounts) -> bool {
        let between = fewest.iter().zip(most);
        let (mut low, mut high) = (0, 0);
        for (&weight, (&fewest, &most)) in self.weights.iter().zip(between) {
            let ends = [fewest, most].map(|count| weight * i32::from(count));
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        let (mut least, mut greatest) = (0, 0);
        for &(men, weight) in &self.somewhere {
            let term = i64::from(weight) * most_of(men, most, &ANYWHERE);
            least += term.min(0);
            greatest += term.max(0);
        }
        let known = |sum: i32| self.constant + i64::from(sum);
        self.admits(known(low) + least, known(high) + greatest)
    }

    /// Whether the comparison may hold for these counts, if each piece is on some of the squares in
    /// `reach`.
    #[inline]
    pub(super) fn may_hold(&self, counts: &PieceCounts, reach: &Reach) -> bool {
        let known = self.value(counts);
        let (mut least, mut most) = (0, 0);
        for &(men, weight) in &self.somewhere {
            let most_men = i64::from(weight) * most_of(men, counts, reach);
            least += most_men.min(0);
            most += most_men.max(0);
        }
        let known = self.constant + i64::from(known);
        self.admits(known + least, known + most)
    }

    /// Returns the change of the sum by a capture or a promotion.
    fn change(&self, event: MaterialEvent) -> i32 {
        let of_piece = |color, role| self.weights[Piece { color, role }.index()];
        let mover = event.mover();
        let captured = event.captured().map_or(0, |role| of_piece(!mover, role));
        let promoted =
            event.promoted().map_or(0, |role| of_piece(mover, role) - of_piece(mover, Role::Pawn));
        promoted - captured
    }

    /// Returns the least and the greatest value of the weighted counts for which the comparison may
    /// hold.
    fn range(&self) -> (i32, i32) {
        let bound = i64::from(self.sum.bound) - self.constant;
        let (least, most) = match self.sum.relation {
            Relation::Less => (i64::MIN, bound - 1),
            Relation::LessEqual => (i64::MIN, bound),
            Relation::Greater => (bound + 1, i64::MAX),
            Relation::GreaterEqual => (bound, i64::MAX),
            Relation::Equal => (bound, bound),
            _ => (i64::MIN, i64::MAX),
        };
        let nearest = |number: i64| number.clamp(i32::MIN.into(), i32::MAX.into()) as i32;
        (nearest(least), nearest(most))
    }

    /// Whether the comparison holds for a number from `least` to `most`.
    #[inline]
    fn admits(&self, least: i64, most: i64) -> bool {
        let bound = i64::from(self.sum.bound);
        match self.sum.relation {
            Relation::Less => least < bound,
            Relation::LessEqual => least <= bound,
            Relation::Greater => most > bound,
            Relation::GreaterEqual => most >= bound,
            Relation::Equal => (least..=most).contains(&bound),
            _ => true,
        }
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
        if !n_sums.contains(&sums.len()) || sums.iter().any(MaterialSum::looks_at_squares) {
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
                change[number] = sum.change(event);
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
