//! Decompresses bzip2 streams block by block. A block is passed on only after its checksum has been
//! verified, so damage never passes for text.

use std::io::{self, BufRead, Read};

use bzip2::{Decompress, Status};

/// Number of bytes decompressed at once.
const STEP: usize = 64 << 10;

/// Decompresses consecutive streams.
pub(super) struct Blocks<R> {
    reader: R,
    /// `None` between two streams.
    decoder: Option<Decompress>,
    /// A block with a verified checksum.
    block: Vec<u8>,
    /// Number of bytes of the block already returned.
    at: usize,
}

impl<R: BufRead> Blocks<R> {
    pub(super) fn new(reader: R) -> Blocks<R> {
        Blocks { reader, decoder: None, block: Vec::new(), at: 0 }
    }

    /// Decompresses the next block; `block` is empty at the end.
    fn next_block(&mut self) -> io::Result<()> {
        self.block.clear();
        self.at = 0;
        while self.block.is_empty() {
            let packed = self.reader.fill_buf()?;
            if packed.is_empty() {
                return match self.decoder {
                    None => Ok(()),
                    Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
                };
            }
            let decoder = self.decoder.get_or_insert_with(|| Decompress::new(false));
            let before = decoder.total_in();
            // Without room for output, the decoder reads at most one block.
            let status = decoder.decompress(packed, &mut []);
            let n_read = decoder.total_in() - before;
            self.reader.consume(n_read as usize);
            match status.map_err(io::Error::other)? {
                Status::StreamEnd => self.decoder = None,
                _ => self.fill().inspect_err(|_| self.block.clear())?,
            }
        }
        Ok(())
    }

    /// Takes the output of the decoder. Without more input the decoder stops at the end of the
    /// block, where it compares the checksum.
    fn fill(&mut self) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else {
            return Ok(());
        };
        loop {
            self.block.reserve(STEP);
            let before = self.block.len();
            let status = decoder.decompress_vec(&[], &mut self.block);
            match status.map_err(io::Error::other)? {
                Status::MemNeeded => return Err(io::ErrorKind::OutOfMemory.into()),
                _ if self.block.len() == before => return Ok(()),
                _ => {}
            }
        }
    }
}

impl<R: BufRead> Read for Blocks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() {
            self.next_block()?;
        }
        let n = (&self.block[self.at..]).read(buffer)?;
        self.at += n;
        Ok(n)
    }
}
