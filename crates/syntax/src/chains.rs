//! Tables of few texts in which many are looked up: those that share a slot are tried in their order.

/// Which entries of a table of `N` share one of so many slots.
pub(crate) struct Chains<const SLOTS: usize, const N: usize> {
    /// For each slot the place of its first entry, counted from 1; 0 if there is none.
    first: [u16; SLOTS],
    /// For each entry the place of the next one in its slot.
    next: [u16; N],
}

impl<const SLOTS: usize, const N: usize> Chains<SLOTS, N> {
    /// For a table whose entries have these slots.
    pub(crate) const fn new(slots: [usize; N]) -> Chains<SLOTS, N> {
        let (mut first, mut next) = ([0; SLOTS], [0; N]);
        // From behind, so that the order stays that of the table.
        let mut at = N;
        while at > 0 {
            next[at - 1] = first[slots[at - 1]];
            first[slots[at - 1]] = at as u16;
            at -= 1;
        }
        Chains { first, next }
    }

    /// The places of the entries in a slot.
    pub(crate) fn at(&self, slot: usize) -> impl Iterator<Item = usize> {
        let place = |counted: u16| usize::from(counted).checked_sub(1);
        std::iter::successors(place(self.first[slot]), move |&at| place(self.next[at]))
    }
}
