//! Sets of strips: which lists of a block are read.

use std::ops::Range;

use super::BLOCK_ROWS;

/// A set of strips of a block. A strip is sixteen consecutive rows, some kilobytes of moves: small
/// enough that reading one game wastes little, large enough that its checksum takes no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strips(u64);

impl Strips {
    /// Number of rows in a strip.
    pub(super) const ROWS: usize = 16;

    /// Number of strips in a block: the number of bits of the set.
    pub(super) const IN_BLOCK: usize = BLOCK_ROWS / Strips::ROWS;

    /// All strips of a block.
    pub const ALL: Strips = Strips(u64::MAX);

    /// Returns the strips that contain these rows of a block.
    pub fn of(rows: impl IntoIterator<Item = usize>) -> Strips {
        let bits = rows.into_iter().map(Strips::bit);
        Strips(bits.fold(0, |strips, bit| strips | bit))
    }

    fn bit(row: usize) -> u64 {
        1 << (row / Strips::ROWS % Strips::IN_BLOCK)
    }

    /// Whether a row of the block is in one of the strips.
    #[must_use]
    pub(crate) fn has(self, row: usize) -> bool {
        self.0 & Strips::bit(row) != 0
    }

    /// Whether all of the other strips are in this set.
    pub(crate) fn contains(self, others: Strips) -> bool {
        self.0 & others.0 == others.0
    }

    /// Returns the union of two sets.
    pub(crate) fn with(self, others: Strips) -> Strips {
        Strips(self.0 | others.0)
    }

    /// Returns all strips if more than three quarters are in the set: reading all of them is then
    /// no slower.
    pub(super) fn worthwhile(self) -> Strips {
        if self.0.count_ones() as usize > Strips::IN_BLOCK / 4 * 3 { Strips::ALL } else { self }
    }

    /// Iterates over the runs of consecutive strips, by their numbers within the block.
    pub(super) fn runs(self) -> impl Iterator<Item = Range<usize>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let left = self.0.checked_shr(at).filter(|left| *left != 0)?;
            let start = at + left.trailing_zeros();
            let end = start + (self.0 >> start).trailing_ones();
            at = end;
            Some(start as usize..end as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_come_in_runs() {
        let check = |strips: Strips, expected: &[(usize, usize)]| {
            let runs = strips.runs().map(|run| (run.start, run.end));
            assert_eq!(runs.collect::<Vec<_>>(), expected);
        };
        check(Strips::default(), &[]);
        check(Strips::ALL, &[(0, 64)]);
        check(Strips::of([0, 15]), &[(0, 1)]);
        check(Strips::of([1023]), &[(63, 64)]);
        let several = Strips::of([16, 32, 47, 64, 1008]);
        check(several, &[(1, 3), (4, 5), (63, 64)]);
        assert_eq!(Strips::of((0..640).step_by(16)).worthwhile(), Strips(u64::MAX >> 24));
        assert_eq!(Strips::of(0..800).worthwhile(), Strips::ALL);
    }
}
