//! Rewrites single nodes.

use board::{Color, Piece, Role, SquareSet};
use syntax::tree::{Bound, Range, Relation};

use crate::facts::{ANYTHING, ROLES, kind};
use crate::program::{BoolFilter, NumFilter, NumId, Program, SetFilter, SetId};

/// Applies all rewrites.
pub(super) fn rewrite(program: &mut Program) {
    merge_designators(program);
    compare_counts(program);
}

/// The piece types and empty squares that a designator selects, as in [`SetFilter::Pieces`], and
/// its squares; `None` for other filters.
pub(super) fn designator(filter: &SetFilter) -> Option<(u16, SquareSet)> {
    match *filter {
        SetFilter::Piece(piece, squares) => Some((kind(piece), squares)),
        SetFilter::Color(color, squares) => Some((ROLES << (color as u16 * 6), squares)),
        SetFilter::Pieces { kinds, squares } => Some((kinds, squares)),
        SetFilter::Constant(squares) => Some((ANYTHING, squares)),
        _ => None,
    }
}

/// Returns the steps of a filter such as `up 1 2`, unless it may be an error.
pub(super) fn steps(directions: &[(i8, i8)], range: Range) -> Option<Box<[(i8, i8)]>> {
    let Range { min: Bound::Constant(min), max: Bound::Constant(max) } = range else {
        return None;
    };
    let (min, max) = (i8::try_from(min).ok()?, i8::try_from(max).ok()?);
    let steps = directions.iter().flat_map(|&(dx, dy)| (min..=max).map(move |n| (dx * n, dy * n)));
    (-7 <= min && min <= max && max <= 7).then(|| steps.collect())
}

/// The simplest designator of some piece types on some squares.
fn designating(kinds: u16, squares: SquareSet) -> SetFilter {
    if kinds == 0 || squares.is_empty() {
        return SetFilter::Constant(SquareSet::EMPTY);
    }
    if kinds == ANYTHING {
        return SetFilter::Constant(squares);
    }
    for color in Color::ALL {
        if kinds == ROLES << (color as u16 * 6) {
            return SetFilter::Color(color, squares);
        }
        for role in Role::ALL {
            let piece = Piece { color, role };
            if kinds == kind(piece) {
                return SetFilter::Piece(piece, squares);
            }
        }
    }
    SetFilter::Pieces { kinds, squares }
}

/// Merges intersections of two designators, which are designators, and some unions.
fn merge_designators(program: &mut Program) {
    for index in 0..program.sets.len() {
        let operand = |id: &SetId| designator(&program.sets[id.0 as usize]);
        let merged = match &program.sets[index] {
            SetFilter::Intersect(left, right) => {
                operand(left).zip(operand(right)).map(|(a, b)| designating(a.0 & b.0, a.1 & b.1))
            }
            SetFilter::Union(left, right) => match operand(left).zip(operand(right)) {
                Some((a, b)) if a.0 == b.0 => Some(designating(a.0, a.1 | b.1)),
                Some((a, b)) if a.1 == b.1 => Some(designating(a.0 | b.0, a.1)),
                _ => None,
            },
            _ => None,
        };
        if let Some(merged) = merged {
            program.sets[index] = merged;
        }
    }
}

/// Turns comparisons of a number of squares with a constant, the commonest of all, into one node.
fn compare_counts(program: &mut Program) {
    for index in 0..program.bools.len() {
        let BoolFilter::CompareNumbers(op, left, right) = program.bools[index] else {
            continue;
        };
        let number = |id: NumId| &program.nums[id.0 as usize];
        let compared = match (number(left), number(right)) {
            (NumFilter::Cardinality(set), NumFilter::Constant(n)) => Some((op, *set, *n)),
            (NumFilter::Constant(n), NumFilter::Cardinality(set)) => {
                mirrored(op).map(|op| (op, *set, *n))
            }
            _ => None,
        };
        if let Some((op, set, n)) = compared {
            program.bools[index] = BoolFilter::CompareCount(op, set, n);
        }
    }
}

/// The relation with its sides exchanged.
fn mirrored(op: Relation) -> Option<Relation> {
    Some(match op {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Equal | Relation::NotEqual => op,
        Relation::Ancestor
        | Relation::AncestorEqual
        | Relation::Descendant
        | Relation::DescendantEqual => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::program::SetFilter;

    #[test]
    fn designators_are_merged() {
        let is_operator =
            |filter: &SetFilter| matches!(filter, SetFilter::Intersect(..) | SetFilter::Union(..));
        let n_operators = |query| {
            let program = testing::compiled(query);
            let sets = &program.sets;
            sets.iter().filter(|filter| is_operator(filter)).count()
        };
        assert_eq!(n_operators("N & [Nn]a-d1-8 & a-h4"), 0);
        assert_eq!(n_operators("N | n | k"), 0);
        assert_eq!(n_operators("Na1 | Na8"), 0);
        assert_eq!(n_operators("Na1 | na8"), 1);
        assert_eq!(n_operators("N & (N attacks k)"), 1);
    }
}
