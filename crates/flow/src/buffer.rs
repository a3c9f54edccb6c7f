//! Bytes of the file in memory that is used again and again.

use std::io::{self, Read};

use super::Input;

/// Bytes of a line of the cache.
const LINE: usize = 64;

/// A vector that is filled by reading, and not cleared before it is filled again.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Those before `begin` are never used.
    bytes: Vec<u8>,
    /// A multiple of 64 in memory: AMD processors since Zen 3 copy several times slower to the
    /// first bytes of a page plus 16, where large vectors begin.
    begin: usize,
    /// How many of them count.
    len: usize,
}

impl Buffer {
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    pub(super) fn as_slice(&self) -> &[u8] {
        &self.bytes[self.begin..self.begin + self.len]
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
        if self.bytes.len() < wanted + LINE {
            self.bytes.resize(wanted + LINE, 0);
        }
        if start == 0 {
            self.begin = self.bytes.as_ptr().align_offset(LINE) % LINE;
        }
        let begin = self.begin;
        while self.len < wanted {
            match read(self.len, &mut self.bytes[begin + self.len..begin + wanted]) {
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
        self.bytes.truncate(self.begin + self.len);
        self.bytes.extend_from_slice(bytes);
        self.len += bytes.len();
    }
}
