//! Reusable memory for bytes of a file.

use std::io::{self, Read};

use super::Input;
use crate::error::AtByte;
use crate::memory::resize;

/// Size of a cache line in bytes.
const LINE: usize = 64;

/// A vector that is filled by reading, and is not cleared in between.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    /// Memory; bytes before `begin` are never used.
    bytes: Vec<u8>,
    /// Start of the contents, aligned to 64 bytes: AMD processors since Zen 3 copy several times
    /// slower to the first bytes of a page plus 16, where large vectors begin.
    begin: usize,
    /// Number of bytes of contents.
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

    /// Appends the bytes at `offset` of the input: `n` bytes, or fewer if it ends before. Bytes
    /// read before an error stay.
    pub(super) fn read(&mut self, input: &dyn Input, offset: u64, n: usize) -> io::Result<usize> {
        let mut added = 0;
        while added < n {
            let at = offset + added as u64;
            match input.read_at(at, self.room(n - added)?) {
                Ok(0) => break,
                Ok(n) => {
                    self.len += n;
                    added += n;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(io::Error::new(error.kind(), AtByte(at, error))),
            }
        }
        Ok(added)
    }

    /// Appends at most `n` bytes from a reader: fewer if no more are available now, none at the
    /// end.
    pub(super) fn read_some(&mut self, reader: &mut dyn Read, n: usize) -> io::Result<usize> {
        loop {
            match reader.read(self.room(n)?) {
                Ok(n) => {
                    self.len += n;
                    return Ok(n);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns room for `n` more bytes.
    fn room(&mut self, n: usize) -> io::Result<&mut [u8]> {
        let wanted = self.len + n;
        if self.bytes.len() < wanted + LINE {
            resize(&mut self.bytes, wanted + LINE)?;
        }
        if self.len == 0 {
            self.begin = self.bytes.as_ptr().align_offset(LINE) % LINE;
        }
        Ok(&mut self.bytes[self.begin + self.len..self.begin + wanted])
    }

    /// Appends bytes.
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        // The memory after the contents stays, so that no read has to clear it again.
        let room = &mut self.bytes[self.begin + self.len..];
        let (here, beyond) = bytes.split_at(room.len().min(bytes.len()));
        room[..here.len()].copy_from_slice(here);
        self.bytes.extend_from_slice(beyond);
        self.len += bytes.len();
    }
}
