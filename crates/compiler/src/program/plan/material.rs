//! Sums of piece counts with the weight of each piece.

use board::SquareSet;
use syntax::tree::Relation;

use super::screen::{PieceMask, Sum};
use crate::facts::{ANYTHING, EMPTY, holds, pieces_of};

/// A weighted sum of piece counts, compared with a number.
#[derive(Debug, Clone, PartialEq)]
pub struct MaterialSum {
    /// Weight of each piece, on whatever square.
    pub weights: [i32; 12],
    /// The part of the sum that is the same in every position.
    pub constant: i64,
    /// Pieces on certain squares, with their weights. Their number is not known.
    pub somewhere: Box<[(PieceMask, i32)]>,
    /// The comparison as the filter has it.
    pub sum: Sum,
}

impl MaterialSum {
    pub(crate) fn new(sum: &Sum) -> MaterialSum {
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
    pub(crate) fn is_always(&self) -> Option<bool> {
        let is_constant = self.somewhere.is_empty() && self.weights == [0; 12];
        is_constant.then(|| holds(self.sum.relation, &self.constant, &self.sum.bound.into()))
    }

    /// Whether `other` requires only the presence of some pieces, and this comparison requires at
    /// least one of the same pieces.
    pub(crate) fn implies_presence(&self, other: &MaterialSum) -> bool {
        let [(men, 1)] = other.sum.terms[..] else {
            return false;
        };
        other.sum == Sum::is_there(men) && self.sum.terms == other.sum.terms && self.range().0 >= 1
    }

    /// Returns the least and the greatest value of the weighted counts for which the comparison may
    /// hold.
    pub fn range(&self) -> (i32, i32) {
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
}
