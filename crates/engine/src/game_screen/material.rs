//! Sums of numbers of men, in a state of the material of a game.

use board::{Piece, Role, SquareSet};
use pgn::summary::{MaterialEvent, PieceCounts, Reach};
use syntax::tree::Relation;

use super::{ANYWHERE, EMPTY, pieces_of};
use compiler::facts::ANYTHING;
use compiler::program::plan::{Men, Sum};

/// A sum of numbers of men, compared with a number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MaterialSum {
    /// How much each piece counts, wherever it stands.
    weights: [i32; 12],
    /// What is the same in every position.
    constant: i64,
    /// Men on some squares: how many of them stand there is not known.
    somewhere: Box<[(Men, i32)]>,
    /// As the filter says it.
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
                    // All squares that no piece stands on.
                    weights.iter_mut().for_each(|of_piece| *of_piece -= weight);
                    constant += 64 * i64::from(weight);
                }
            }
        }
        MaterialSum {
            weights,
            constant,
            somewhere: somewhere.into(),
            sum: sum.clone(),
        }
    }

    /// Whether the comparison holds, if that is the same in every position.
    pub(super) fn is_always(&self) -> Option<bool> {
        let is_constant = self.somewhere.is_empty() && self.weights == [0; 12];
        is_constant.then(|| self.may_hold(&[0; 12], &[0; 12]))
    }

    /// Its value where there are so many men, if where they stand does not matter.
    #[inline]
    fn value(&self, counts: &PieceCounts) -> i32 {
        let pieces = self.weights.iter().zip(counts);
        pieces
            .map(|(weight, &count)| weight * i32::from(count))
            .sum()
    }

    /// Whether another one asks for nothing but that there are such men as this counts, and this for
    /// at least one of them.
    pub(super) fn implies_presence(&self, other: &MaterialSum) -> bool {
        let [(men, 1)] = other.sum.terms[..] else {
            return false;
        };
        other.sum == Sum::is_there(men) && self.sum.terms == other.sum.terms && self.range().0 >= 1
    }

    /// Whether it needs to know where men stand.
    pub(super) fn looks_at_squares(&self) -> bool {
        !self.somewhere.is_empty()
    }

    /// The kinds of pieces for which it makes a difference where they stand.
    pub(super) fn kinds_somewhere(&self) -> u16 {
        let kinds = self.somewhere.iter().map(|(men, _)| men.kinds);
        // As many squares as there are may be empty.
        let of_pieces = kinds.filter(|kinds| kinds & EMPTY == 0);
        of_pieces.fold(0, |all, kinds| all | kinds)
    }

    /// Whether the comparison may hold while there are between so many and so many men of each kind.
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

    /// Whether the comparison may hold while there are so many men, which stand on some of these
    /// squares.
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

    /// How much a capture or a promotion changes it.
    fn change(&self, event: MaterialEvent) -> i32 {
        let of_piece = |color, role| self.weights[Piece { color, role }.index()];
        let mover = event.mover();
        let captured = event.captured().map_or(0, |role| of_piece(!mover, role));
        let promoted = event.promoted().map_or(0, |role| {
            of_piece(mover, role) - of_piece(mover, Role::Pawn)
        });
        promoted - captured
    }

    /// The least and the greatest number of what pieces count of which the comparison may hold.
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

    /// Whether the comparison holds of a number between two.
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

/// Most sums that are followed along a game.
const MOST_FOLLOWED: usize = 8;

/// A value of each sum that is followed.
type Values = [i32; MOST_FOLLOWED];

/// Sums whose comparisons must hold together. From one state of the material to the next, every sum
/// changes by what a capture or a promotion counts: that is quicker than to add it up.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Together {
    /// How much each piece counts.
    weights: [Values; 12],
    /// How much a capture or a promotion changes them, by what it says in its lowest bits.
    changes: Box<[Values; MaterialEvent::N_CHANGES]>,
    /// The comparisons hold from here …
    least: Values,
    /// … to here.
    most: Values,
}

impl Together {
    /// Nothing if there are no sums, too many of them, or some that take more than numbers of men.
    pub(super) fn new(sums: &[MaterialSum]) -> Option<Together> {
        let n_sums = 1..=MOST_FOLLOWED;
        if !n_sums.contains(&sums.len()) || sums.iter().any(MaterialSum::looks_at_squares) {
            return None;
        }
        let mut together = Together {
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

    /// Whether the comparisons hold together at some time in a game of one line.
    pub(super) fn occurs(&self, start: &PieceCounts, events: &[u16]) -> bool {
        let mut values = [0; MOST_FOLLOWED];
        for (weights, &count) in self.weights.iter().zip(start) {
            let count = i32::from(count);
            add(
                &mut values,
                &weights.map(|weight| weight.wrapping_mul(count)),
            );
        }
        self.holds(&values)
            || events.iter().any(|&event| {
                let change = usize::from(event) % MaterialEvent::N_CHANGES;
                add(&mut values, &self.changes[change]);
                self.holds(&values)
            })
    }

    /// All of them are compared: that takes no more than a few steps.
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

/// How many of the men there may be on some squares.
fn most_of(men: Men, counts: &PieceCounts, reach: &Reach) -> i64 {
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
