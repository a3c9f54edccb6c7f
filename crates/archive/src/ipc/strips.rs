//! Which lists of a block are read.

use std::ops::Range;

use super::BLOCK_ROWS;

/// A set of strips of a block. A strip is sixteen consecutive rows, some kilobytes of moves: few
/// enough that little is read in vain for one game, enough that a checksum of each takes no room.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Strips(u64);

impl Strips {
    /// The rows of a strip.
    pub(super) const ROWS: usize = 16;

    /// The strips of a block, as many as there are bits.
    pub(super) const IN_BLOCK: usize = BLOCK_ROWS / Strips::ROWS;

    /// All of a block.
    pub const ALL: Strips = Strips(u64::MAX);

    /// Those that have some of these rows of a block.
    pub fn of(rows: impl IntoIterator<Item = usize>) -> Strips {
        let bits = rows.into_iter().map(Strips::bit);
        Strips(bits.fold(0, |strips, bit| strips | bit))
    }

    fn bit(row: usize) -> u64 {
        1 << (row / Strips::ROWS % Strips::IN_BLOCK)
    }

    /// Whether a row of the block is in one of them.
    #[must_use]
    pub(crate) fn has(self, row: usize) -> bool {
        self.0 & Strips::bit(row) != 0
    }

    /// Whether all of the others are among them.
    pub(crate) fn contains(self, others: Strips) -> bool {
        self.0 & others.0 == others.0
    }

    /// These and others.
    pub(crate) fn with(self, others: Strips) -> Strips {
        Strips(self.0 | others.0)
    }

    /// All if these are most of them: then it takes no longer to read the others, too.
    pub(super) fn worthwhile(self) -> Strips {
        match self.0.count_ones() as usize > Strips::IN_BLOCK / 4 * 3 {
            true => Strips::ALL,
            false => self,
        }
    }

    /// Their numbers within the block, consecutive ones together.
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
        assert_eq!(
            Strips::of((0..640).step_by(16)).worthwhile(),
            Strips(u64::MAX >> 24)
        );
        assert_eq!(Strips::of(0..800).worthwhile(), Strips::ALL);
    }
}
