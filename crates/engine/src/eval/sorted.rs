//! The best value of a sort variable in a game.

use std::cmp::Ordering;

/// A value of a sort variable, ordered as the games are sorted.
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
    /// The position at which the best value was found.
    pub(crate) place: u32,
}

impl SortState {
    /// Takes the `value` at a position if it is strictly better in the direction of the filter that
    /// offers it. Returns whether it was taken.
    pub(super) fn offer(&mut self, value: SortValue, ascending: bool, place: u32) -> bool {
        let wanted = if ascending { Ordering::Less } else { Ordering::Greater };
        let better = match (&value, &self.best) {
            (_, None) => true,
            // Nearly all values are numbers.
            (SortValue::Number(value), Some(SortValue::Number(best))) => value.cmp(best) == wanted,
            (value, Some(best)) => value.cmp(best) == wanted,
        };
        if better {
            self.best = Some(value);
            self.place = place;
        }
        better
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_strictly_better_values_replace() {
        let mut state = SortState::default();
        for (place, (value, ascending, taken)) in (0..).zip([
            (3, false, true),
            (3, false, false),
            (5, false, true),
            (4, false, false),
            (4, true, true),
        ]) {
            let value = SortValue::Number(value);
            assert_eq!(state.offer(value, ascending, place), taken, "{place}");
            assert_eq!(state.place == place, taken, "{place}");
        }
    }
}
