//! Decompresses streams step by step, so that no byte that was decompressed before damage is lost.
//!
//! Most decoders report damage for a whole call, and forget what they had decompressed in it. So
//! they get little input at once, and their own counts tell what they wrote before an error.

use std::io::{self, BufRead, Read};

use flate2::{Decompress, FlushDecompress};
use lzma_rust2::{Action, Lzma2Stream, StreamResult, XzStream};
use zstd::zstd_safe::{self, DCtx, InBuffer, OutBuffer};

/// A decoder of one stream, or of several that follow each other.
pub(super) trait Decoder: Send {
    /// Number of bytes of input that the next step takes at most.
    fn wanted(&self) -> usize {
        usize::MAX
    }

    /// Decompresses bytes. `is_over` tells that none follow these.
    fn step(&mut self, input: &[u8], output: &mut [u8], is_over: bool) -> Step;
}

/// Result of a step.
pub(super) struct Step {
    n_read: usize,
    n_written: usize,
    /// Whether the input may end here. The bytes that follow are not read if the step took none.
    outcome: io::Result<bool>,
}

/// Bytes that are decompressed while they are read.
pub(super) struct Decompressed<R, D> {
    packed: R,
    decoder: D,
    /// The error that follows the bytes returned last.
    failed: Option<io::Error>,
}

impl<R: BufRead, D: Decoder> Decompressed<R, D> {
    pub(super) fn new(packed: R, decoder: D) -> Decompressed<R, D> {
        Decompressed { packed, decoder, failed: None }
    }
}

impl<R: BufRead, D: Decoder> Read for Decompressed<R, D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut is_stalled = false;
        while !buffer.is_empty() {
            let input = self.packed.fill_buf()?;
            let is_over = input.is_empty();
            let input = &input[..input.len().min(self.decoder.wanted())];
            let Step { n_read, n_written, outcome } = self.decoder.step(input, buffer, is_over);
            self.packed.consume(n_read);
            match outcome {
                Err(error) if n_written > 0 => self.failed = Some(error),
                Err(error) => return Err(error),
                Ok(_) if n_written > 0 => {}
                Ok(true) if n_read == 0 => {}
                Ok(_) if is_over => return Err(io::ErrorKind::UnexpectedEof.into()),
                // A second step without progress would be followed by others for ever.
                Ok(_) if n_read == 0 && is_stalled => return Err(io::ErrorKind::InvalidData.into()),
                Ok(_) => {
                    is_stalled = n_read == 0;
                    continue;
                }
            }
            return Ok(n_written);
        }
        Ok(0)
    }
}

/// Streams of Zstandard.
pub(super) struct Zstd {
    context: DCtx<'static>,
    /// Number of bytes that the library asked for: a block and the header of the next one.
    hint: usize,
}

/// Number of bytes that tell the length of a frame's header, and of those of a block's header.
const FRAME: usize = 5;
const BLOCK: usize = 3;

impl Zstd {
    /// # Errors
    /// Memory is short.
    pub(super) fn new() -> io::Result<Zstd> {
        let context = DCtx::try_create();
        let context = context
            .ok_or_else(|| io::Error::new(io::ErrorKind::OutOfMemory, "not enough memory"))?;
        Ok(Zstd { context, hint: 0 })
    }
}

impl Decoder for Zstd {
    /// One block at most, since an error in the next one would cost it.
    fn wanted(&self) -> usize {
        if self.hint == 0 { FRAME } else { self.hint.saturating_sub(BLOCK).max(1) }
    }

    fn step(&mut self, input: &[u8], output: &mut [u8], is_over: bool) -> Step {
        if is_over && self.hint == 0 {
            return Step { n_read: 0, n_written: 0, outcome: Ok(true) };
        }
        let (mut from, mut to) = (InBuffer::around(input), OutBuffer::around(output));
        let outcome = self.context.decompress_stream(&mut to, &mut from);
        let (n_read, n_written) = (from.pos(), to.pos());
        let outcome = match outcome {
            Ok(hint) => {
                self.hint = hint;
                Ok(hint == 0)
            }
            Err(code) => Err(io::Error::other(zstd_safe::get_error_name(code))),
        };
        Step { n_read, n_written, outcome }
    }
}

/// Streams of deflate, alone or as members of gzip, between and after which there may be the zero bytes
/// that tapes and disks add.
pub(super) struct Inflate {
    decoder: Decompress,
    is_gzip: bool,
    /// Whether a stream has ended, and no other one has begun.
    is_ended: bool,
}

/// Logarithm of the largest distance in deflate.
const WINDOW: u8 = 15;

impl Inflate {
    pub(super) fn gzip() -> Inflate {
        Inflate { decoder: Decompress::new_gzip(WINDOW), is_gzip: true, is_ended: false }
    }

    /// One stream without a header. The reader leaves the bytes after it.
    pub(super) fn raw() -> Inflate {
        Inflate { decoder: Decompress::new(false), is_gzip: false, is_ended: false }
    }
}

impl Decoder for Inflate {
    fn step(&mut self, input: &[u8], output: &mut [u8], is_over: bool) -> Step {
        if self.is_ended {
            let n_zeros = input.iter().take_while(|byte| **byte == 0).count();
            let n_read = if self.is_gzip { n_zeros } else { 0 };
            let is_more = self.is_gzip && n_zeros < input.len();
            if is_more {
                *self = Inflate::gzip();
            }
            return Step { n_read, n_written: 0, outcome: Ok(!is_more) };
        }
        let (n_in, n_out) = (self.decoder.total_in(), self.decoder.total_out());
        let flush = if is_over { FlushDecompress::Finish } else { FlushDecompress::None };
        let outcome = self.decoder.decompress(input, output, flush);
        self.is_ended = matches!(outcome, Ok(flate2::Status::StreamEnd));
        Step {
            n_read: (self.decoder.total_in() - n_in) as usize,
            n_written: (self.decoder.total_out() - n_out) as usize,
            outcome: outcome.map(|_| self.is_ended).map_err(io::Error::from),
        }
    }
}

/// A stream of LZMA2, or of xz, which consists of such streams.
pub(super) trait Lzma: Send {
    fn process(&mut self, from: &[u8], to: &mut [u8], action: Action) -> io::Result<StreamResult>;

    /// Numbers of bytes read and written.
    fn totals(&self) -> (u64, u64);
}

impl Lzma for XzStream {
    fn process(&mut self, from: &[u8], to: &mut [u8], action: Action) -> io::Result<StreamResult> {
        XzStream::process(self, from, to, action).map_err(explained)
    }

    fn totals(&self) -> (u64, u64) {
        (self.total_in(), self.total_out())
    }
}

impl Lzma for Lzma2Stream {
    fn process(&mut self, from: &[u8], to: &mut [u8], action: Action) -> io::Result<StreamResult> {
        Lzma2Stream::process(self, from, to, action)
    }

    fn totals(&self) -> (u64, u64) {
        (self.total_in(), self.total_out())
    }
}

/// Number of bytes of LZMA that are decompressed at once. If the next ones turn out to be damaged, the
/// library loses what these hold.
const LZMA_STEP: usize = 32;

impl<L: Lzma> Decoder for L {
    fn step(&mut self, input: &[u8], output: &mut [u8], is_over: bool) -> Step {
        let (n_in, n_out) = self.totals();
        let (mut n_read, mut n_written) = (0, 0);
        let action = if is_over { Action::Finish } else { Action::Run };
        let outcome = loop {
            let rest = &input[n_read..];
            let part = &rest[..rest.len().min(LZMA_STEP)];
            let outcome = self.process(part, &mut output[n_written..], action);
            let (after_in, after_out) = self.totals();
            let (read, written) = ((after_in - n_in) as usize, (after_out - n_out) as usize);
            let is_stalled = (read, written) == (n_read, n_written);
            (n_read, n_written) = (read, written);
            let is_ended = match outcome {
                Ok(step) => step.status == lzma_rust2::Status::StreamEnd,
                Err(error) => break Err(error),
            };
            if is_ended || is_stalled || n_read == input.len() || n_written == output.len() {
                break Ok(is_ended);
            }
        };
        Step { n_read, n_written, outcome }
    }
}

/// Explains why a dictionary is refused.
fn explained(error: io::Error) -> io::Error {
    if error.to_string().contains("mem_limit") {
        let what = "its dictionary, more than 128 MiB, takes too much memory";
        io::Error::new(io::ErrorKind::OutOfMemory, what)
    } else {
        error
    }
}
