//! Numbers in few bits.

use super::super::bytes::{self, zigzag};

/// Returns `width` bits of some bytes, at most 64, from a place on; bits after the end are zero.
fn bits(bytes: &[u8], at: u64, width: u32) -> u64 {
    let first = usize::try_from(at / 8).unwrap_or(usize::MAX);
    let mut found = 0_u128;
    for (i, byte) in bytes.get(first..).unwrap_or_default().iter().take(9).enumerate() {
        found |= u128::from(*byte) << (8 * i);
    }
    let mask = (1_u128 << width) - 1;
    (found >> (at % 8) & mask) as u64
}

/// Returns the place `n` bytes later, at most the end.
fn after(bytes: &[u8], at: usize, n: u64) -> usize {
    let n = usize::try_from(n).unwrap_or(usize::MAX);
    at.saturating_add(n).min(bytes.len())
}

/// Reads an unsigned number at a place, and moves the place after it.
fn varint(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut rest = bytes.get(*at..)?;
    let number = bytes::varint(&mut rest, 64).ok()??;
    *at = bytes.len() - rest.len();
    Some(number)
}

/// Numbers as runs of equal ones, and groups of eight.
#[derive(Debug, Default)]
pub(super) struct Runs {
    at: usize,
    width: u32,
    /// Number of values left in the current run or group.
    n_left: u64,
    value: u64,
    /// Place of the next value in bits, within groups.
    packed: Option<u64>,
}

impl Runs {
    /// Starts at a place of the bytes.
    pub(super) fn new(at: usize, width: u32) -> Runs {
        Runs { at, width, ..Runs::default() }
    }

    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<u64> {
        while self.n_left == 0 {
            let head = varint(bytes, &mut self.at)?;
            if head & 1 == 1 {
                self.n_left = (head >> 1).checked_mul(8)?;
                self.packed = Some(self.at as u64 * 8);
                let n_bytes = (head >> 1).checked_mul(u64::from(self.width))?;
                self.at = after(bytes, self.at, n_bytes);
            } else {
                self.n_left = head >> 1;
                self.packed = None;
                self.value = bits(bytes.get(self.at..)?, 0, self.width.next_multiple_of(8));
                self.at += self.width.div_ceil(8) as usize;
            }
        }
        self.n_left -= 1;
        let Some(at) = &mut self.packed else {
            return Some(self.value);
        };
        let value = bits(bytes, *at, self.width);
        *at += u64::from(self.width);
        Some(value)
    }
}

/// Numbers as differences, in blocks.
#[derive(Debug)]
pub(super) struct Deltas {
    at: usize,
    /// Number of values left, in all and in the part of the block.
    n_left: u64,
    n_in_part: u64,
    n_parts: usize,
    /// Number of values in a part.
    part: u64,
    value: i64,
    is_first: bool,
    least: i64,
    /// Places of the widths of the parts left in the block.
    widths: std::ops::Range<usize>,
    width: u32,
    /// Place of the next value in bits.
    bit: u64,
}

impl Deltas {
    pub(super) fn new(bytes: &[u8], mut at: usize) -> Option<Deltas> {
        let block = varint(bytes, &mut at)?;
        let n_parts = usize::try_from(varint(bytes, &mut at)?).ok()?;
        let n_left = varint(bytes, &mut at)?;
        let value = zigzag(varint(bytes, &mut at)?);
        let part = block.checked_div(n_parts as u64).filter(|part| *part > 0 && *part % 8 == 0)?;
        Some(Deltas {
            at,
            n_left,
            n_in_part: 0,
            n_parts,
            part,
            value,
            is_first: true,
            least: 0,
            widths: 0..0,
            width: 0,
            bit: 0,
        })
    }

    /// Goes to the next part.
    fn advance(&mut self, bytes: &[u8]) -> Option<()> {
        if self.widths.is_empty() {
            self.least = zigzag(varint(bytes, &mut self.at)?);
            let end = self.at.checked_add(self.n_parts).filter(|end| *end <= bytes.len())?;
            self.widths = self.at..end;
            self.at = end;
        }
        self.width = u32::from(*bytes.get(self.widths.next()?)?);
        if self.width > 64 {
            return None;
        }
        self.n_in_part = self.part;
        self.bit = self.at as u64 * 8;
        let n_bytes = u64::from(self.width).checked_mul(self.part)? / 8;
        self.at = after(bytes, self.at, n_bytes);
        Some(())
    }

    pub(super) fn next(&mut self, bytes: &[u8]) -> Option<i64> {
        self.n_left = self.n_left.checked_sub(1)?;
        if std::mem::take(&mut self.is_first) {
            return Some(self.value);
        }
        if self.n_in_part == 0 {
            self.advance(bytes)?;
        }
        self.n_in_part -= 1;
        let delta = bits(bytes, self.bit, self.width) as i64;
        self.bit += u64::from(self.width);
        self.value = self.value.wrapping_add(self.least).wrapping_add(delta);
        Some(self.value)
    }

    /// Place after all values.
    pub(super) fn end(mut self, bytes: &[u8]) -> Option<usize> {
        let mut n_left = self.n_left.saturating_sub(1);
        while n_left > 0 {
            self.advance(bytes)?;
            n_left = n_left.saturating_sub(self.part);
        }
        Some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_groups_are_read() {
        let check = |bytes: &[u8], width: u32, expected: &[u64]| {
            let mut runs = Runs::new(0, width);
            let found: Vec<u64> = std::iter::from_fn(|| runs.next(bytes)).take(20).collect();
            assert_eq!(found, expected);
        };
        // The example of the specification: 0 to 7 in three bits.
        check(&[3, 0x88, 0xc6, 0xfa], 3, &[0, 1, 2, 3, 4, 5, 6, 7]);
        check(
            &[8, 5, 4, 1, 0, 3, 3, 0x88, 0xc6, 0xfa],
            3,
            &[5, 5, 5, 5, 1, 1, 0, 1, 2, 3, 4, 5, 6, 7],
        );
        // Groups may be cut off at the end.
        check(&[5, 0x88], 3, &[0, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        check(&[6, 1, 2], 16, &[0x201, 0x201, 0x201]);
        check(&[6], 0, &[0, 0, 0]);
        check(&[0x80], 1, &[]);
    }

    #[test]
    fn differences_are_read() {
        // Examples of the specification: 1 to 5, and 7, 5, 3, 1, 2, 3, 4, 5.
        let check = |bytes: &[u8], expected: &[i64]| {
            let mut deltas = Deltas::new(bytes, 0).expect("numbers");
            let found: Vec<i64> = std::iter::from_fn(|| deltas.next(bytes)).collect();
            assert_eq!(found, expected);
            let end = Deltas::new(bytes, 0).and_then(|deltas| deltas.end(bytes));
            assert_eq!(end, Some(bytes.len()));
        };
        check(&[8, 1, 5, 2, 2, 0], &[1, 2, 3, 4, 5]);
        check(&[8, 1, 8, 14, 3, 2, 0xc0, 0x3f], &[7, 5, 3, 1, 2, 3, 4, 5]);
        check(&[8, 1, 1, 14], &[7]);
        assert!(Deltas::new(&[8, 0, 1, 14], 0).is_none());
    }
}
