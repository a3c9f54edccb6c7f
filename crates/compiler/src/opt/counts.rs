//! Stops counting generated moves where the result of a comparison is certain.
//!
//! In a condition that compares the number of moves with the constant `k`, all numbers above `k`
//! are alike: the count may stop at `k + 1`. A comparison whose value is used is another node
//! and is left alone. Counting generated moves has no side effects, its operands are evaluated
//! first in any case.

use crate::program::{BoolFilter, Countable, NumFilter, NumId, Program};

/// Limits the counts that are only compared with a constant.
pub(super) fn limit(program: &mut Program) {
    let nums = &mut program.nums;
    for filter in &program.bools {
        let (BoolFilter::CompareNumbers(_, left, right) | BoolFilter::NumbersDiffer(left, right)) =
            *filter
        else {
            continue;
        };
        limit_by(nums, left, right);
        limit_by(nums, right, left);
    }
}

fn limit_by(nums: &mut [NumFilter], count: NumId, constant: NumId) {
    let NumFilter::Constant(constant) = nums[constant.0 as usize] else {
        return;
    };
    if let NumFilter::CountMoves(Countable::Legal(dash)) = &mut nums[count.0 as usize] {
        dash.limit = u32::try_from(constant).map_or(0, |k| k + 1);
    }
}
