//! Finds conditions on pawns alone.
//!
//! Computing which pawns are isolated, doubled, passed or connected takes some time, and the result
//! changes with every fifth move or so. A condition that looks at nothing but the squares of the
//! pawns of both colors has the same result whenever these are the same, and need not be tested
//! again; see [`super::screen`]. Remembering pays only if the condition is about a pawn structure:
//! all others cost less to test than to remember.

use board::{Color, Role};

use crate::facts::PAWNS;
use crate::program::plan::{PawnCondition, PawnNumber, PawnSet};
use crate::program::{BoolFilter, NumFilter, NumId, Program, SetFilter, SetId};

impl PawnCondition {
    /// Returns the filter as a condition on the pawns, if it is one and is about a structure.
    pub(super) fn of(program: &Program, filter: &BoolFilter) -> Option<PawnCondition> {
        let condition = match filter {
            BoolFilter::NonEmpty(set) => PawnCondition::NotEmpty(PawnSet::of(program, *set)?),
            BoolFilter::CompareCount(relation, set, n) => PawnCondition::Compare(
                *relation,
                PawnNumber::Count(PawnSet::of(program, *set)?),
                PawnNumber::Constant(*n),
            ),
            BoolFilter::CompareNumbers(relation, left, right) => PawnCondition::Compare(
                *relation,
                PawnNumber::of(program, *left)?,
                PawnNumber::of(program, *right)?,
            ),
            _ => return None,
        };
        let asks = match &condition {
            PawnCondition::NotEmpty(set) => set.asks_for_structure(),
            PawnCondition::Compare(_, left, right) => {
                left.asks_for_structure() || right.asks_for_structure()
            }
        };
        asks.then_some(condition)
    }
}

impl PawnNumber {
    fn of(program: &Program, id: NumId) -> Option<PawnNumber> {
        match program.nums[id.0 as usize] {
            NumFilter::Constant(n) => Some(PawnNumber::Constant(n)),
            NumFilter::Cardinality(set) => Some(PawnNumber::Count(PawnSet::of(program, set)?)),
            _ => None,
        }
    }

    fn asks_for_structure(&self) -> bool {
        matches!(self, PawnNumber::Count(set) if set.asks_for_structure())
    }
}

impl PawnSet {
    fn of(program: &Program, id: SetId) -> Option<PawnSet> {
        let of = |id: &SetId| PawnSet::of(program, *id);
        Some(match &program.sets[id.0 as usize] {
            SetFilter::PawnStructure(structure) => PawnSet::Structure(*structure),
            SetFilter::Constant(squares) => PawnSet::Constant(*squares),
            SetFilter::Piece(piece, squares) if piece.role == Role::Pawn => {
                PawnSet::Pawns(piece.color, *squares)
            }
            SetFilter::Pieces { kinds, squares } if *kinds == PAWNS => {
                PawnSet::Union(Color::ALL.map(|color| PawnSet::Pawns(color, *squares)).into())
            }
            SetFilter::Union(left, right) => PawnSet::Union([of(left)?, of(right)?].into()),
            SetFilter::Intersect(left, right) => {
                PawnSet::Intersect(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::Complement(operand) => PawnSet::Complement(Box::new(of(operand)?)),
            SetFilter::Orbit(images) => {
                PawnSet::Union(images.iter().map(of).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    fn asks_for_structure(&self) -> bool {
        match self {
            PawnSet::Structure(_) => true,
            PawnSet::Constant(_) | PawnSet::Pawns(..) => false,
            PawnSet::Union(sets) => sets.iter().any(PawnSet::asks_for_structure),
            PawnSet::Intersect(sets) => sets.iter().any(PawnSet::asks_for_structure),
            PawnSet::Complement(set) => set.asks_for_structure(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::PawnCondition;

    #[test]
    fn only_structures_of_pawns_are_conditions_on_pawns() {
        let n_conditions = |query: &str| {
            let program = testing::compiled(query);
            let conditions = program.bools.iter();
            conditions.filter(|filter| PawnCondition::of(&program, filter).is_some()).count()
        };
        assert_eq!(n_conditions("#P == 3"), 0);
        assert_eq!(n_conditions("passedpawns & [Aa]"), 0);
        assert_eq!(n_conditions("A attacks isolatedpawns"), 0);
        assert_eq!(n_conditions("passedpawns & Pa-d1-8"), 1);
        assert_eq!(n_conditions("#passedpawns == #isolatedpawns check"), 1);
    }
}
