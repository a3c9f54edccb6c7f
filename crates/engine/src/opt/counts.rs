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

#[cfg(test)]
mod tests {
    use super::super::testing;

    fn matching_ids(query: &str) -> Vec<(u64, u32)> {
        // Black has 1, 1, 3, 3, 2, and more than 2 moves, White many
        let pgn = b"[FEN \"k7/8/8/1Q6/8/8/P7/K6R b - - 0 1\"]\n\n\
                    1...Ka7 2.a4 Ka8 3.Qd3 Kb8 4.Rh8+ Kb7 5.Qd7+ Kb6 *\n";
        testing::matching_ids(query, pgn)
    }

    #[test]
    fn limited_counts_compare_like_full_ones() {
        let mut results = Vec::new();
        for op in ["<", "<=", "==", "!=", ">", ">="] {
            for k in [-1, 0, 1, 2, 3, 30] {
                let plain = matching_ids(&format!("x=countmoves legal -- x {op} {k}"));
                for query in [
                    format!("{{countmoves legal --}} {op} {k}"),
                    format!("{{countmoves legal .--.}} {op} {k}"),
                    format!("not not {{countmoves legal --}} {op} {k}"),
                ] {
                    assert_eq!(matching_ids(&query), plain, "{query}");
                }
                results.push(plain);
            }
        }
        results.sort();
        results.dedup();
        assert!(results.len() > 4, "the comparisons tell positions apart");
    }
}
