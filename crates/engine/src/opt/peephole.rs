//! Small rewrites of single nodes.

use syntax::tree::Relation;

use crate::program::{BoolFilter, NumFilter, NumId, Program};

/// Counts of squares against constants, the commonest of all comparisons, become one node.
pub(super) fn rewrite(program: &mut Program) {
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
