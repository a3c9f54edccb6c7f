//! A cache with an entry for each combination of values of some variables.
//!
//! In a loop over squares, a filter is evaluated with the same squares at one position after
//! another. Its result depends on the position and on a few variables, which form the key. As there
//! are few keys, they are searched one by one.

use syntax::tree::VariableId;

use super::slot::Slot;

/// A cache for one game: a `T` for each combination of values.
#[derive(Debug, Default)]
pub(crate) struct Keyed<T> {
    entries: Vec<(Vec<Slot>, T)>,
    /// Number of entries that belong to this game.
    n_used: usize,
    /// Number of entries that were given up for lack of room.
    n_given_up: usize,
}

impl<T: Default> Keyed<T> {
    /// Largest number of entries kept at once.
    pub(super) const MAX: u64 = 64;

    /// Forgets the entries of the game but keeps their memory.
    pub(super) fn forget(&mut self) {
        (self.n_used, self.n_given_up) = (0, 0);
    }

    /// Returns the entry for the values of the variables in `slots`. If there is none, a new entry
    /// is emptied with `reset`; if there are `n_max` entries, it takes the place of another one.
    pub(super) fn entry(
        &mut self,
        variables: &[VariableId],
        slots: &[Slot],
        n_max: u64,
        reset: impl FnOnce(&mut T),
    ) -> &mut T {
        let values = || variables.iter().map(|v| &slots[v.0 as usize]);
        let used = &self.entries[..self.n_used];
        let known = used.iter().position(|(key, _)| key.iter().eq(values()));
        let place = known.unwrap_or_else(|| {
            let n_max = n_max.clamp(1, Self::MAX) as usize;
            let place =
                if self.n_used < n_max { self.n_used } else { self.n_given_up % self.n_used };
            if place == self.n_used {
                self.n_used += 1
            } else {
                self.n_given_up += 1
            }
            if place == self.entries.len() {
                self.entries.push(Default::default());
            }
            let (key, value) = &mut self.entries[place];
            key.clear();
            key.extend(values().cloned());
            reset(value);
            place
        });
        &mut self.entries[place].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_choice_of_values_has_an_entry_until_there_is_no_room() {
        let variables = [VariableId(2), VariableId(0)];
        let mut keyed = Keyed::default();
        let mut ask = |values: [i32; 2], other: i32, n_max: u64, set: i32| {
            let [a, b] = values.map(Slot::Number);
            let slots = [a, Slot::Number(other), b];
            let entry: &mut i32 = keyed.entry(&variables, &slots, n_max, |entry| *entry = 0);
            std::mem::replace(entry, set)
        };
        assert_eq!(ask([1, 2], 0, 2, 12), 0);
        assert_eq!(ask([2, 1], 0, 2, 21), 0);
        assert_eq!(ask([1, 2], 7, 2, 12), 12, "the other variable does not matter");
        assert_eq!(ask([2, 1], 0, 2, 21), 21);
        assert_eq!(ask([3, 1], 0, 2, 31), 0, "takes the place of the first");
        assert_eq!(ask([2, 1], 0, 2, 21), 21);
        assert_eq!(ask([1, 2], 0, 2, 12), 0);
        assert_eq!(ask([2, 1], 0, 2, 21), 0, "given up in turn");
        keyed.forget();
        let entry: &mut i32 = keyed.entry(&[], &[], 2, |entry| *entry = 5);
        assert_eq!(*entry, 5, "nothing of another game");
    }
}
