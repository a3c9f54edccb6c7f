//! Conditions on pawns alone.

use board::{Color, SquareSet};
use syntax::builtin::PawnStructure;
use syntax::tree::Relation;

use crate::facts::holds;
use crate::pawns::Pawns;

/// A condition on the pawns.
#[derive(Debug, Clone)]
pub(crate) enum PawnCondition {
    NotEmpty(PawnSet),
    Compare(Relation, PawnNumber, PawnNumber),
}

/// A number that depends on the pawns alone.
#[derive(Debug, Clone)]
pub(crate) enum PawnNumber {
    Constant(i32),
    Count(PawnSet),
}

/// A set of squares that depends on the pawns alone.
#[derive(Debug, Clone)]
pub(crate) enum PawnSet {
    Structure(PawnStructure),
    Constant(SquareSet),
    Pawns(Color, SquareSet),
    Union(Box<[PawnSet]>),
    Intersect(Box<[PawnSet; 2]>),
    Complement(Box<PawnSet>),
}

impl PawnCondition {
    /// Whether it holds for these pawns.
    pub(crate) fn holds(&self, pawns: Pawns) -> bool {
        match self {
            PawnCondition::NotEmpty(set) => !set.squares(pawns).is_empty(),
            PawnCondition::Compare(relation, left, right) => {
                holds(*relation, &left.value(pawns), &right.value(pawns))
            }
        }
    }
}

impl PawnNumber {
    fn value(&self, pawns: Pawns) -> i32 {
        match self {
            PawnNumber::Constant(n) => *n,
            PawnNumber::Count(set) => set.squares(pawns).len() as i32,
        }
    }
}

impl PawnSet {
    fn squares(&self, pawns: Pawns) -> SquareSet {
        match self {
            PawnSet::Structure(structure) => crate::pawns::structure(*structure, pawns),
            PawnSet::Constant(squares) => *squares,
            PawnSet::Pawns(color, squares) => pawns.color(*color) & *squares,
            PawnSet::Union(sets) => {
                let sets = sets.iter().map(|set| set.squares(pawns));
                sets.fold(SquareSet::EMPTY, |union, set| union | set)
            }
            PawnSet::Intersect(sets) => {
                let [left, right] = &**sets;
                left.squares(pawns) & right.squares(pawns)
            }
            PawnSet::Complement(set) => !set.squares(pawns),
        }
    }
}
