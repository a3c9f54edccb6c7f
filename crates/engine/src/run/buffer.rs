//! Bytes of the file in memory that is used again and again.

use std::io::{self, Read};

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

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds what stands at `offset` of the input: `n` bytes, or less if it ends before.
    pub(super) fn read(&mut self, input: &dyn Input, offset: u64, n: usize) -> io::Result<usize> {
        let start = self.len;
        self.add(n, |len, bytes| {
            let at = offset + (len - start) as u64;
            input
                .read_at(at, bytes)
                .map_err(|error| match error.kind() {
                    io::ErrorKind::Interrupted => error,
                    kind => io::Error::new(kind, format!("at byte {at}: {error}")),
                })
        })
    }

    /// Adds what comes next: `n` bytes, or less if it ends before.
    pub(super) fn fill(&mut self, reader: &mut dyn Read, n: usize) -> io::Result<usize> {
        self.add(n, |_, bytes| reader.read(bytes))
    }

    /// Calls `read` with the number of bytes that are there, and room for more, until `n` are
    /// added. What came before an error stays.
    fn add(
        &mut self,
        n: usize,
        mut read: impl FnMut(usize, &mut [u8]) -> io::Result<usize>,
    ) -> io::Result<usize> {
        let start = self.len;
        let wanted = start + n;
        if self.bytes.len() < wanted {
            self.bytes.resize(wanted, 0);
        }
        while self.len < wanted {
            match read(self.len, &mut self.bytes[self.len..wanted]) {
                Ok(0) => break,
                Ok(n) => self.len += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
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
