//! Sets of bytes.

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) fn of(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::default();
        for &byte in bytes {
            set.add_range(byte, byte);
        }
        set
    }

    pub(crate) fn digits() -> ByteSet {
        let mut set = ByteSet::default();
        set.add_range(b'0', b'9');
        set
    }

    pub(crate) fn word() -> ByteSet {
        let mut set = ByteSet::digits();
        set.add_range(b'A', b'Z');
        set.add_range(b'a', b'z');
        set.add_range(b'_', b'_');
        set
    }

    /// ASCII white space, vertical tab included.
    pub(crate) fn space() -> ByteSet {
        ByteSet::of(b"\t\n\x0b\x0c\r ")
    }

    #[inline]
    pub(crate) fn contains(&self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6)] >> (byte & 63) & 1 == 1
    }

    pub(crate) fn add(&mut self, other: ByteSet) {
        for (mine, other) in self.0.iter_mut().zip(other.0) {
            *mine |= other;
        }
    }

    pub(crate) fn add_range(&mut self, from: u8, to: u8) {
        for byte in from..=to {
            self.0[usize::from(byte >> 6)] |= 1 << (byte & 63);
        }
    }

    pub(crate) fn complement(self) -> ByteSet {
        ByteSet(self.0.map(|bits| !bits))
    }

    /// Returns the only byte of the set, if it has exactly one.
    pub(crate) fn single(&self) -> Option<u8> {
        let n: u32 = self.0.iter().map(|bits| bits.count_ones()).sum();
        (n == 1).then(|| (0..=u8::MAX).find(|&byte| self.contains(byte)))?
    }
}
