//! A hash table for a few fixed texts; entries in the same slot are tried in their order.

/// Chains of the entries of a table of `N` that share a slot.
pub(crate) struct Chains<const SLOTS: usize, const N: usize> {
    /// For each slot, the index of its first entry plus one; 0 if there is none.
    first: [u16; SLOTS],
    /// For each entry, the index of the next one in its slot plus one; 0 if there is none.
    next: [u16; N],
}

impl<const SLOTS: usize, const N: usize> Chains<SLOTS, N> {
    /// Builds the chains of entries with these slots.
    pub(crate) const fn new(slots: [usize; N]) -> Chains<SLOTS, N> {
        let (mut first, mut next) = ([0; SLOTS], [0; N]);
        // Iterates backward, so that the chains keep the order of the table.
        let mut at = N;
        while at > 0 {
            next[at - 1] = first[slots[at - 1]];
            first[slots[at - 1]] = at as u16;
            at -= 1;
        }
        Chains { first, next }
    }

    /// Returns the indices of the entries in a slot.
    pub(crate) fn at(&self, slot: usize) -> impl Iterator<Item = usize> {
        let place = |counted: u16| usize::from(counted).checked_sub(1);
        std::iter::successors(place(self.first[slot]), move |&at| place(self.next[at]))
    }
}
