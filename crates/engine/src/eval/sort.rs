//! `sort`: the best value of a game, and the comments that belong to it.

use syntax::tree::SortId;

use super::{Evaluator, Valued};
use crate::program::SortFilter;

/// The value of a sort variable, as games are ordered by it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SortValue {
    Number(i32),
    Text(Vec<u8>),
}

/// A sort variable in the current game.
#[derive(Debug, Clone, Default)]
pub(crate) struct SortState {
    /// The best value so far.
    pub(crate) best: Option<SortValue>,
}

impl SortState {
    /// Takes `value` if it is strictly better in the direction of the filter that offers it.
    fn offer(&mut self, value: SortValue, ascending: bool) -> bool {
        let better = match &self.best {
            None => true,
            Some(best) if ascending => value < *best,
            Some(best) => value > *best,
        };
        if better {
            self.best = Some(value);
        }
        better
    }
}

impl Evaluator<'_> {
    /// Evaluates the argument of a `sort` and keeps its value, and the comments made on the way,
    /// if it is the best of the game. Other comments of the argument are dropped.
    pub(super) fn sort<V: Valued>(
        &mut self,
        variable: SortId,
        filter: &SortFilter<V>,
    ) -> Option<V::Output> {
        let mark = self.mark();
        let Some(value) = filter.body.evaluate(self) else {
            if !self.program.settings.no_sort_comments {
                self.drop_comments(mark);
            }
            return None;
        };
        let better =
            self.state.sorts[variable.0 as usize].offer(V::sort_value(&value), filter.ascending);
        if !self.program.settings.no_sort_comments {
            let end = self.mark();
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
        self.state.sorts[variable.0 as usize].offer(SortValue::Number(value), ascending);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_strictly_better_values_replace() {
        let mut state = SortState::default();
        for (value, ascending, taken) in [
            (3, false, true),
            (3, false, false),
            (5, false, true),
            (4, false, false),
            (4, true, true),
        ] {
            assert_eq!(
                state.offer(SortValue::Number(value), ascending),
                taken,
                "{value}"
            );
        }
    }
}
