//! Bytes of the file in memory that is used again and again.

use std::io;

use super::Input;

/// A vector that is filled by reading, and not cleared before it is filled again.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    /// How many of them count.
    len: usize,
}

impl Buffer {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Takes bytes off the front.
    pub(super) fn remove(&mut self, n: usize) {
        self.bytes.copy_within(n..self.len, 0);
        self.len -= n;
    }

    /// Adds what stands at `offset` of the input: `n` bytes, or less if it ends before.
    pub(super) fn read(&mut self, input: &dyn Input, offset: u64, n: usize) -> io::Result<usize> {
        let wanted = self.len + n;
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
        let start = self.len;
        while self.len < wanted {
            let at = offset + (self.len - start) as u64;
            match input.read_at(at, &mut self.bytes[self.len..wanted]) {
                Ok(0) => break,
                Ok(n) => self.len += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    let message = format!("at byte {at}: {error}");
                    return Err(io::Error::new(error.kind(), message));
                }
            }
        }
        Ok(self.len - start)
    }

    /// Adds these bytes.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        self.bytes.truncate(self.len);
        self.bytes.extend_from_slice(bytes);
        self.len = self.bytes.len();
    }
}
