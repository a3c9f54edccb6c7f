//! bzip2 streams, block by block. Each block has a check sum behind which nothing of it is in doubt:
//! only then is it handed on, so that damage never passes for text.

use std::io::{self, BufRead, Read};

use bzip2::{Decompress, Status};

/// How many bytes are unpacked at once.
const STEP: usize = 64 << 10;

/// Unpacks streams that follow each other.
pub(super) struct Blocks<R> {
    reader: R,
    /// None between two streams.
    decoder: Option<Decompress>,
    /// A block whose check sum is right.
    block: Vec<u8>,
    /// How much of it has been given out.
    at: usize,
}

impl<R: BufRead> Blocks<R> {
    pub(super) fn new(reader: R) -> Blocks<R> {
        Blocks {
            reader,
            decoder: None,
            block: Vec::new(),
            at: 0,
        }
    }

    /// Unpacks the next block; it is empty at the end.
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
            // Without room for what it holds, no more than one block is read.
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

    /// Takes what the decoder holds. With nothing more to read it goes no further than to the end
    /// of the block, where it compares the check sum.
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
