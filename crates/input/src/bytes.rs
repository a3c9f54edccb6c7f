//! Numbers and texts in binary files.

use std::io::{self, Read};

/// The bytes that have not been read.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a>(pub(super) &'a [u8]);

impl<'a> Bytes<'a> {
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    pub(super) fn take(&mut self, n: impl TryInto<usize>) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(n.try_into().ok()?)?;
        self.0 = rest;
        Some(bytes)
    }

    /// Reads a number of `n` bytes, the least significant one first.
    pub(super) fn word(&mut self, n: impl TryInto<usize>) -> Option<u64> {
        let bytes = self.take(n)?;
        Some(bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }

    /// Reads a number of `n` bytes, at most eight, the most significant one first.
    pub(super) fn big(&mut self, n: usize) -> Option<u64> {
        let bytes = self.take(n)?;
        Some(bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
    }
}

/// Reads a number in seven bits of each byte, the least significant ones first; `None` if it does
/// not end within `most` bits.
pub(super) fn varint(from: &mut impl Read, most: usize) -> io::Result<Option<u64>> {
    let mut number = 0;
    for shift in (0..most).step_by(7) {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        number |= u64::from(byte[0] & 0x7f) << shift;
        if byte[0] & 0x80 == 0 {
            return Ok(Some(number));
        }
    }
    Ok(None)
}

/// Returns a signed number that is stored with its sign in the lowest bit.
pub(super) fn zigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// Appends the next `n` bytes.
pub(super) fn append(from: &mut impl Read, n: u64, bytes: &mut Vec<u8>) -> io::Result<()> {
    match from.take(n).read_to_end(bytes)? as u64 {
        read if read < n => Err(io::ErrorKind::UnexpectedEof.into()),
        _ => Ok(()),
    }
}
