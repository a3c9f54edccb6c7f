//! Consecutive gzip members, followed by the zero bytes that tapes and disks add.

use std::io::{self, BufRead, Read};

use flate2::bufread::GzDecoder;

/// Decompresses all members.
pub(super) struct Members<R> {
    /// `None` at the end.
    decoder: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(reader: R) -> Members<R> {
        Members { decoder: Some(GzDecoder::new(reader)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let n = decoder.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                return Ok(n);
            }
            let is_more = skip_zeros(decoder.get_mut())?;
            let reader = self.decoder.take().map(GzDecoder::into_inner);
            self.decoder = reader.filter(|_| is_more).map(GzDecoder::new);
        }
        Ok(0)
    }
}

/// Skips zero bytes. Returns whether anything else follows.
fn skip_zeros(reader: &mut impl BufRead) -> io::Result<bool> {
    loop {
        let bytes = reader.fill_buf()?;
        let n_zeros = bytes.iter().take_while(|byte| **byte == 0).count();
        let (is_end, is_more) = (bytes.is_empty(), n_zeros < bytes.len());
        reader.consume(n_zeros);
        if is_end || is_more {
            return Ok(is_more);
        }
    }
}
