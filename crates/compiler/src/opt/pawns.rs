//! Finds conditions on pawns alone.
//!
//! Computing which pawns are isolated, doubled, passed or connected takes some time, and the result
//! changes with every fifth move or so. A condition that looks at nothing but the squares of the
//! pawns of both colors has the same result whenever these are the same, and need not be tested
//! again; see [`super::screen`]. Remembering pays only if the condition is about a pawn structure:
//! all others cost less to test than to remember.

use board::{Color, Role};
use syntax::builtin::PawnStructure;

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

    /// Whether the pawns of a color make a difference.
    pub fn depends_on(&self, color: Color) -> bool {
        match self {
            PawnCondition::NotEmpty(set) => set.depends_on(color),
            PawnCondition::Compare(_, left, right) => {
                left.depends_on(color) || right.depends_on(color)
            }
        }
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

    fn depends_on(&self, color: Color) -> bool {
        matches!(self, PawnNumber::Count(set) if set.depends_on(color))
    }
}

impl PawnSet {
    fn of(program: &Program, id: SetId) -> Option<PawnSet> {
        let mut set = PawnSet::of_filter(program, id)?;
        set.keep_only(None);
        Some(set)
    }

    fn of_filter(program: &Program, id: SetId) -> Option<PawnSet> {
        let of = |id: &SetId| PawnSet::of_filter(program, *id);
        Some(match &program.sets[id.0 as usize] {
            SetFilter::PawnStructure(structure) => PawnSet::Structure(*structure, None),
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

    /// Returns the color of the pawns in the set, if it has nothing but pawns of one color.
    fn color(&self) -> Option<Color> {
        match self {
            PawnSet::Structure(_, color) => *color,
            PawnSet::Pawns(color, _) => Some(*color),
            PawnSet::Constant(_) | PawnSet::Complement(_) => None,
            PawnSet::Union(sets) => {
                let color = sets.first()?.color();
                color.filter(|_| sets.iter().all(|set| set.color() == color))
            }
            PawnSet::Intersect(sets) => sets[0].color().or(sets[1].color()),
        }
    }

    /// Limits structures to the pawns that make a difference, if squares without a pawn of `only`
    /// make none: those of `P & isolatedpawns` to White's.
    fn keep_only(&mut self, only: Option<Color>) {
        let only = only.or(self.color());
        match self {
            PawnSet::Structure(_, color) => *color = only,
            PawnSet::Constant(_) | PawnSet::Pawns(..) => {}
            PawnSet::Union(sets) => sets.iter_mut().for_each(|set| set.keep_only(only)),
            PawnSet::Intersect(sets) => sets.iter_mut().for_each(|set| set.keep_only(only)),
            PawnSet::Complement(set) => set.keep_only(only),
        }
    }

    fn depends_on(&self, color: Color) -> bool {
        match self {
            PawnSet::Structure(PawnStructure::PassedPawns, _) => true,
            PawnSet::Structure(_, only) => only.is_none_or(|only| only == color),
            PawnSet::Constant(_) => false,
            PawnSet::Pawns(own, _) => *own == color,
            PawnSet::Union(sets) => sets.iter().any(|set| set.depends_on(color)),
            PawnSet::Intersect(sets) => sets.iter().any(|set| set.depends_on(color)),
            PawnSet::Complement(set) => set.depends_on(color),
        }
    }

    fn asks_for_structure(&self) -> bool {
        match self {
            PawnSet::Structure(..) => true,
            PawnSet::Constant(_) | PawnSet::Pawns(..) => false,
            PawnSet::Union(sets) => sets.iter().any(PawnSet::asks_for_structure),
            PawnSet::Intersect(sets) => sets.iter().any(PawnSet::asks_for_structure),
            PawnSet::Complement(set) => set.asks_for_structure(),
        }
    }
}

#[cfg(test)]
mod tests {
    use board::Color;

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

    #[test]
    fn conditions_on_pawns_of_one_color_depend_on_no_others() {
        let check = |query: &str, expected: [bool; 2]| {
            let program = testing::compiled(query);
            let mut filters = program.bools.iter();
            let condition = filters.find_map(|filter| PawnCondition::of(&program, filter));
            let condition = condition.expect("a condition on pawns");
            assert_eq!(Color::ALL.map(|color| condition.depends_on(color)), expected, "{query}");
        };
        check("isolatedpawns", [true, true]);
        check("isolatedpawns & P", [true, false]);
        check("#(isolatedpawns & doubledpawns & pa-d1-8) >= 2", [false, true]);
        check("P & ~connectedpawns", [true, false]);
        check("(P & ~connectedpawns | doubledpawns) & p", [true, true]);
        check("isolatedpawns & (Pa1-8 | Ph1-8)", [true, false]);
        check("isolatedpawns | P", [true, true]);
        check("passedpawns & P", [true, true]);
        check("#(isolatedpawns & P) > #(isolatedpawns & p)", [true, true]);
    }
}
