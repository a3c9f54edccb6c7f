//! Consecutive LZ4 frames, with frames between them that hold other data and are skipped.

use std::io::{self, BufRead, Read};

use lz4_flex::frame::FrameDecoder;

/// First bytes of a frame, and of one to be skipped without its last four bits.
const MAGIC: u32 = 0x184D_2204;
const SKIPPED: u32 = 0x184D_2A50;

/// Decompresses all frames.
pub(super) struct Lz4Frames<R: BufRead> {
    /// `None` after an error.
    state: Option<State<R>>,
}

enum State<R: BufRead> {
    Between(R),
    Within(FrameDecoder<Ended<R>>),
}

impl<R: BufRead> Lz4Frames<R> {
    pub(super) fn new(reader: R) -> Lz4Frames<R> {
        Lz4Frames { state: Some(State::Between(reader)) }
    }
}

impl<R: BufRead> Read for Lz4Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(state) = self.state.take() {
            let mut decoder = match state {
                State::Within(decoder) => decoder,
                State::Between(mut reader) => match next_frame(&mut reader)? {
                    Some(magic) => FrameDecoder::new(Ended { magic, reader, is_ended: false }),
                    None => return Ok(0),
                },
            };
            let n = decoder.read(buffer)?;
            if n > 0 || buffer.is_empty() {
                self.state = Some(State::Within(decoder));
                return Ok(n);
            }
            let Ended { reader, is_ended, .. } = decoder.into_inner();
            // The decoder takes the end of the input for the end of the frame.
            if is_ended {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            self.state = Some(State::Between(reader));
        }
        Ok(0)
    }
}

/// Reads the first bytes of the next frame that holds data; `None` at the end.
fn next_frame(reader: &mut impl BufRead) -> io::Result<Option<io::Cursor<[u8; 4]>>> {
    loop {
        if reader.fill_buf()?.is_empty() {
            return Ok(None);
        }
        let mut word = [0; 4];
        reader.read_exact(&mut word)?;
        match u32::from_le_bytes(word) {
            MAGIC => return Ok(Some(io::Cursor::new(word))),
            magic if magic & !0xf == SKIPPED => {
                reader.read_exact(&mut word)?;
                let n = u64::from(u32::from_le_bytes(word));
                if io::copy(&mut reader.take(n), &mut io::sink())? < n {
                    return Err(io::ErrorKind::UnexpectedEof.into());
                }
            }
            _ => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "no frame begins here"));
            }
        }
    }
}

/// Returns the first bytes of a frame and the rest, and records whether the end was met.
struct Ended<R> {
    magic: io::Cursor<[u8; 4]>,
    reader: R,
    is_ended: bool,
}

impl<R: Read> Read for Ended<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = match self.magic.read(buffer)? {
            0 => self.reader.read(buffer)?,
            n => n,
        };
        self.is_ended |= n == 0 && !buffer.is_empty();
        Ok(n)
    }
}
