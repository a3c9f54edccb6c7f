//! Stops counting generated moves as soon as the result of a comparison is certain.
//!
//! In a condition that compares the number of moves with the constant `k`, all numbers above `k`
//! are alike: the count may stop at `k + 1`. A comparison whose value is used is another node and
//! is left alone. Counting generated moves has no side effects, and its operands are evaluated
//! first in any case. If moves are tried, the filters evaluated after them must leave nothing
//! behind and must not end in an error.

use syntax::tree::Relation;

use crate::effects::{Analysis, Flags};
use crate::program::{BoolFilter, Countable, NumFilter, NumId, Program};

/// Limits the counts that are only compared with a constant.
pub(super) fn limit(program: &mut Program) {
    let mut limits: Vec<(NumId, u32)> = Vec::new();
    let mut limit_by = |count: NumId, constant: NumId| {
        let is_counted = matches!(
            program.nums[count.0 as usize],
            NumFilter::CountMoves(Countable::Legal(_) | Countable::Tried(_))
        );
        if let NumFilter::Constant(constant) = program.nums[constant.0 as usize]
            && is_counted
        {
            limits.push((count, u32::try_from(constant).map_or(0, |k| k + 1)));
        }
    };
    for filter in &program.bools {
        if let BoolFilter::CompareNumbers(_, left, right) | BoolFilter::NumbersDiffer(left, right) =
            *filter
        {
            limit_by(left, right);
            limit_by(right, left);
        }
    }
    if limits.is_empty() {
        return;
    }
    let mut analysis = Analysis::new(program);
    limits.retain(|(count, _)| match &program.nums[count.0 as usize] {
        NumFilter::CountMoves(Countable::Tried(tried)) => {
            let effects = analysis.dash(tried.dash);
            effects.is_pure() && !effects.flags.has(Flags::COMMENTS | Flags::FAULTS)
        }
        _ => true,
    });
    for (count, limit) in limits {
        match &mut program.nums[count.0 as usize] {
            NumFilter::CountMoves(Countable::Legal(dash)) => dash.limit = limit,
            NumFilter::CountMoves(Countable::Tried(tried)) => tried.limit = limit,
            _ => {}
        }
    }
}

/// Returns the greatest number of legal moves for which a comparison holds, if it limits them.
pub(super) fn most_moves(
    program: &Program,
    relation: Relation,
    left: NumId,
    right: NumId,
) -> Option<u32> {
    use NumFilter as N;
    let [left, right] = [left, right].map(|id| &program.nums[id.0 as usize]);
    let (count, most) = match (left, relation, right) {
        (N::CountMoves(count), Relation::Equal | Relation::LessEqual, N::Constant(n))
        | (N::Constant(n), Relation::Equal | Relation::GreaterEqual, N::CountMoves(count)) => {
            (count, *n)
        }
        (N::CountMoves(count), Relation::Less, N::Constant(n))
        | (N::Constant(n), Relation::Greater, N::CountMoves(count)) => (count, n.saturating_sub(1)),
        _ => return None,
    };
    let is_of_all = matches!(count, Countable::Legal(dash)
        if !dash.pseudo && dash.left.is_none() && dash.right.is_none() && dash.target.is_none());
    u32::try_from(most).ok().filter(|_| is_of_all)
}
