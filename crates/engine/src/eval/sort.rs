//! Evaluates `sort`: keeps the best value of a game, with its comments.

use syntax::tree::{Arithmetic, SortId};

use super::evaluator::{Evaluator, Valued};
use super::sorted::SortValue;
use compiler::program::{Flow, NumFilter, NumId, SortFilter};

impl Evaluator<'_> {
    /// Evaluates the argument of a `sort`. If its value is the best of the game so far, keeps the
    /// value and the comments made by the argument; otherwise drops the comments.
    pub(super) fn sort<V: Valued>(
        &mut self,
        variable: SortId,
        filter: &SortFilter<V>,
    ) -> Option<V::Output> {
        let mark = self.mark();
        let Some(value) = filter.body.evaluate(self) else {
            if !self.program.settings.writing.no_sort_comments {
                self.drop_comments(mark);
            }
            return None;
        };
        let sort = &mut self.state.sorts[variable.0 as usize];
        let better = sort.offer(V::sort_value(&value), filter.ascending, self.at);
        let end = self.mark();
        // Most values are not the best, and few arguments comment.
        let has_news = better || end > mark;
        if has_news && !self.program.settings.writing.no_sort_comments {
            let notes = self.state.notes.drain(mark..end);
            if better {
                let kept = &mut self.state.sort_notes[filter.index as usize];
                let (n_bytes, n) = &mut self.state.sort_notes_size;
                *n_bytes -= kept.n_bytes();
                *n -= kept.len();
                kept.clear();
                kept.extend(notes);
                *n_bytes += kept.n_bytes();
                *n += kept.len();
            }
        }
        Some(value)
    }

    /// Whether a number is the first `sort` and has a value that makes no difference: it exceeds
    /// neither the floor nor the best number of the game so far.
    // Not inlined, since few searches have a floor.
    #[inline(never)]
    pub(super) fn sorts_in_vain(&mut self, id: NumId, floor: i64) -> bool {
        let program = self.program;
        let NumFilter::Flow(Flow::Sort(SortId(0), sort)) = &program.nums[id.0 as usize] else {
            return false;
        };
        let best = match self.state.sorts[0].best {
            Some(SortValue::Number(best)) => i64::from(best),
            _ => i64::MIN,
        };
        !sort.ascending
            && self.at_most(sort.body).is_some_and(|most| i64::from(most) <= best.max(floor))
    }

    /// Returns a number that the value of a filter does not exceed, if the filter has a value
    /// everywhere and the number is found faster than the value.
    fn at_most(&mut self, id: NumId) -> Option<i32> {
        let program = self.program;
        match &program.nums[id.0 as usize] {
            NumFilter::Constant(number) => Some(*number),
            NumFilter::Likeness(likeness) => {
                self.charge(1);
                let memo = &mut self.state.likeness_memos[id.0 as usize];
                Some(likeness.at_most(&self.positions.position(self.at).board, memo))
            }
            NumFilter::Arithmetic(Arithmetic::Subtract, left, right) => {
                let NumFilter::Constant(number) = program.nums[right.0 as usize] else {
                    return None;
                };
                self.at_most(*left)?.checked_sub(number)
            }
            NumFilter::Extremum { max: true, items } => {
                let most = items.iter().map(|&item| self.at_most(item));
                most.reduce(|a, b| Some(a?.max(b?))).flatten()
            }
            _ => None,
        }
    }

    /// Offers a value to a sort variable that has no argument of its own.
    pub(super) fn offer_sort(&mut self, variable: SortId, value: i32) {
        let ascending = self.program.sorts[variable.0 as usize].ascending;
        let sort = &mut self.state.sorts[variable.0 as usize];
        sort.offer(SortValue::Number(value), ascending, self.at);
    }
}
