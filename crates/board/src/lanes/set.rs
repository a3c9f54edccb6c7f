//! Sets of squares of eight boards.

use std::ops::{BitAnd, BitOr, BitOrAssign, Not, Sub};

use crate::set::SquareSet;

/// Number of boards side by side.
pub const LANES: usize = 8;

/// A set of squares for each of eight boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(64))]
pub struct LaneSet(pub [u64; LANES]);

impl LaneSet {
    /// No square in any lane.
    pub const EMPTY: LaneSet = LaneSet([0; LANES]);

    /// Returns the set that has these squares in each lane.
    #[inline]
    #[must_use]
    pub const fn all(squares: SquareSet) -> LaneSet {
        LaneSet([squares.0; LANES])
    }

    /// Whether the set has no square in any lane.
    #[inline]
    #[must_use]
    pub fn is_empty(self) -> bool {
        let mut all = 0;
        for lane in 0..LANES {
            all |= self.0[lane];
        }
        all == 0
    }

    /// Returns a bit for each lane in which the set has a square.
    #[inline]
    #[must_use]
    pub fn lanes(self) -> u8 {
        lanes_where(|lane| self.0[lane] != 0)
    }

    /// Applies a function to the sets of each lane.
    #[inline(always)]
    #[must_use]
    pub fn zip(self, other: LaneSet, f: impl Fn(SquareSet, SquareSet) -> SquareSet) -> LaneSet {
        // The compiler makes no vectors of iterators over arrays after optimization at link time.
        let mut zipped = LaneSet::EMPTY;
        for lane in 0..LANES {
            zipped.0[lane] = f(SquareSet(self.0[lane]), SquareSet(other.0[lane])).0;
        }
        zipped
    }
}

/// Returns a bit for each lane in which a condition holds.
#[inline(always)]
#[must_use]
pub(crate) fn lanes_where(holds: impl Fn(usize) -> bool) -> u8 {
    // A byte of ones for each lane, since the compiler makes no vectors of single bits.
    let mut bytes = 0_u64;
    for lane in 0..LANES {
        bytes |= if holds(lane) { 0xff << (8 * lane) } else { 0 };
    }
    // The first factor moves the lowest bit of each byte into the highest byte; the second one
    // divides by 255, so that there is only that bit.
    const GATHER: u64 = 0x0102_0408_1020_4080_u64.wrapping_mul(0xfefe_fefe_fefe_feff);
    (bytes.wrapping_mul(GATHER) >> 56) as u8
}

macro_rules! operators {
    ($($trait:ident $fn:ident |$a:ident, $b:ident| $value:expr;)*) => {$(
        impl $trait for LaneSet {
            type Output = LaneSet;
            #[inline(always)]
            fn $fn(self, other: LaneSet) -> LaneSet {
                self.zip(other, |$a, $b| $value)
            }
        }
    )*};
}

operators! {
    BitAnd bitand |a, b| a & b;
    BitOr bitor |a, b| a | b;
    Sub sub |a, b| a - b;
}

impl BitOrAssign for LaneSet {
    #[inline(always)]
    fn bitor_assign(&mut self, other: LaneSet) {
        *self = *self | other;
    }
}

impl Not for LaneSet {
    type Output = LaneSet;
    #[inline(always)]
    fn not(self) -> LaneSet {
        self.zip(LaneSet::EMPTY, |set, _| !set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_lane_has_its_bit() {
        for lanes in 0..=u8::MAX {
            assert_eq!(lanes_where(|lane| lanes >> lane & 1 != 0), lanes);
        }
    }
}
