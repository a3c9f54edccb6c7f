//! Evaluates `sort`: keeps the best value of a game, with its comments.

use syntax::tree::SortId;

use super::evaluator::{Evaluator, Valued};
use super::sorted::SortValue;
use compiler::program::SortFilter;

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

    /// Offers a value to a sort variable that has no argument of its own.
    pub(super) fn offer_sort(&mut self, variable: SortId, value: i32) {
        let ascending = self.program.sorts[variable.0 as usize].ascending;
        let sort = &mut self.state.sorts[variable.0 as usize];
        sort.offer(SortValue::Number(value), ascending, self.at);
    }
}
