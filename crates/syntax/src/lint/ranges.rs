//! Comparisons of one number that no number meets together.

use crate::builtin::Nullary;
use crate::tree::{Filter, FilterKind, Relation};

/// A number that is compared with constants, the least and the greatest that is admitted.
type Range<'f> = (&'f Filter, i64, i64);

/// Whether both compare the same number, and no number meets both.
pub(super) fn exclude(a: &Filter, b: &Filter) -> bool {
    let (Some((a, low_a, high_a)), Some((b, low_b, high_b))) = (range(a), range(b)) else {
        return false;
    };
    is_same(a, b) && low_a.max(low_b) > high_a.min(high_b)
}

/// `E > 3`, `3 < E`, `3 <= E <= 5`
fn range(filter: &Filter) -> Option<Range<'_>> {
    let FilterKind::Relation { op, left, right } = &filter.kind else {
        return None;
    };
    match (&left.kind, &right.kind) {
        (_, FilterKind::Number(number)) => {
            let (low, high) = admitted(*op, i64::from(*number))?;
            Some((left, low, high))
        }
        (FilterKind::Number(number), _) => {
            let (low, high) = admitted(super::conditions::mirrored(*op), i64::from(*number))?;
            match range(right) {
                Some((inner, least, greatest)) => Some((inner, low.max(least), high.min(greatest))),
                None => Some((right, low, high)),
            }
        }
        _ => None,
    }
}

/// The numbers on the left of a comparison with this one.
fn admitted(op: Relation, number: i64) -> Option<(i64, i64)> {
    Some(match op {
        Relation::Less => (i64::MIN, number - 1),
        Relation::LessEqual => (i64::MIN, number),
        Relation::Greater => (number + 1, i64::MAX),
        Relation::GreaterEqual => (number, i64::MAX),
        Relation::Equal => (number, number),
        _ => return None,
    })
}

/// Whether two filters have the same value at the same position.
fn is_same(a: &Filter, b: &Filter) -> bool {
    match (&a.kind, &b.kind) {
        (
            FilterKind::Nullary(Nullary::NumberSource(a)),
            FilterKind::Nullary(Nullary::NumberSource(b)),
        ) => a == b,
        (FilterKind::Elo(a), FilterKind::Elo(b)) => a == b,
        (FilterKind::Cardinality(a), FilterKind::Cardinality(b)) => are_same_designators(a, b),
        (FilterKind::Unary(f, a), FilterKind::Unary(g, b)) => {
            f == g && f.row().always && are_same_designators(a, b)
        }
        _ => false,
    }
}

fn are_same_designators(a: &Filter, b: &Filter) -> bool {
    match (&a.kind, &b.kind) {
        (FilterKind::Designator(a), FilterKind::Designator(b)) => {
            (a.pieces, a.squares) == (b.pieces, b.squares)
        }
        _ => false,
    }
}
