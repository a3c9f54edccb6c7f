//! Reads the games of a source one after the other, with the bytes around them.
//!
//! This takes one pass on one thread, with the memory of a block and the longest game.

use std::io::{self, Read};

use flow::{Bytes, Cancel};
use pgn::{RawGame, Splitter};

use super::DoctorError;

/// Number of bytes read at a time.
const BLOCK: usize = 1 << 20;

/// Number of bytes examined to detect the line ends of a text.
const SAMPLE: usize = 1 << 16;

/// Maximum number of bytes of a text that are repaired as one game.
pub(super) const LARGEST_GAME: u64 = 1 << 20;

/// Number of bytes kept before the next game: a game of that size, and the start of its line.
const HISTORY: u64 = LARGEST_GAME + SAMPLE as u64;

/// Receiver of games.
pub(super) trait Visitor {
    /// Receives a game with its number and its first line, both from 1.
    fn game(
        &mut self,
        window: &Window,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
    ) -> Result<(), DoctorError>;

    /// Reports that no further game begins before `offset`, which is the end of the source if
    /// `last` is set.
    fn passed(&mut self, window: &Window, offset: u64, last: bool) -> Result<(), DoctorError>;

    /// Reports that all lines end with a lone CR, which only here is read as LF.
    fn old_line_ends(&mut self);
}

/// Part of a source that is in memory.
#[derive(Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// Offset of the first byte in the source.
    start: u64,
}

impl Window {
    /// Returns the bytes of a range, as far as they are in memory.
    pub(super) fn get(&self, start: u64, end: u64) -> &[u8] {
        let place = |offset: u64| {
            let place = usize::try_from(offset.saturating_sub(self.start));
            place.unwrap_or(usize::MAX).min(self.bytes.len())
        };
        self.bytes.get(place(start)..place(end)).unwrap_or_default()
    }

    /// Returns the column of a byte, from 1; within a very long line only the last bytes count.
    pub(super) fn column(&self, offset: u64) -> usize {
        let before = self.before(offset);
        before.len() - memchr::memrchr(b'\n', before).map_or(0, |end| end + 1) + 1
    }

    /// Returns some of the bytes before an offset, or all of them near the start of the source.
    pub(super) fn before(&self, offset: u64) -> &[u8] {
        self.get(offset.saturating_sub(SAMPLE as u64), offset)
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Reads another block, or the rest.
    fn read(&mut self, reader: &mut dyn Read) -> io::Result<usize> {
        let before = self.bytes.len();
        let result = reader.take(BLOCK as u64).read_to_end(&mut self.bytes);
        // Bytes that came before an error stay in the window.
        result.map(|_| self.bytes.len() - before)
    }

    fn forget_before(&mut self, offset: u64) {
        if offset > self.start {
            let n = self.get(self.start, offset).len();
            self.bytes.drain(..n);
            self.start += n as u64;
        }
    }
}

/// Passes all games to a visitor. Returns the error that kept the source from being read to its
/// end, if any.
pub(super) fn visit(
    bytes: Bytes<'_>,
    cancel: &Cancel,
    visitor: &mut dyn Visitor,
) -> Result<Option<io::Error>, DoctorError> {
    let mut reader = bytes.into_reader();
    let mut window = Window::default();
    let mut splitter = Splitter::default();
    let mut has_old_line_ends = None;
    let mut number = 0;
    loop {
        let old_end = window.end();
        let (is_last, error) = match window.read(&mut *reader) {
            Ok(n) => (n < BLOCK, None),
            Err(error) => (true, Some(error)),
        };
        let fresh = (old_end - window.start) as usize;
        let is_old = *has_old_line_ends.get_or_insert_with(|| {
            let sample = window.get(0, SAMPLE as u64);
            sample.contains(&b'\r') && !sample.contains(&b'\n')
        });
        if is_old {
            if old_end == 0 {
                visitor.old_line_ends();
            }
            let returns = window.bytes[fresh..].iter_mut().filter(|b| **b == b'\r');
            returns.for_each(|byte| *byte = b'\n');
        }
        let start = splitter.offset();
        let bytes = window.get(start, window.end());
        let (mut line, mut counted) = (splitter.line(), 0);
        for raw in splitter.split(bytes, is_last) {
            if cancel.is_cancelled() {
                return Err(DoctorError::Cancelled);
            }
            let at = (raw.offset - start) as usize;
            line += line_ends(&bytes[counted..at]);
            counted = at;
            number += 1;
            visitor.game(&window, &raw, number, line)?;
        }
        if is_last {
            visitor.passed(&window, window.end(), true)?;
            return Ok(error);
        }
        visitor.passed(&window, splitter.offset(), false)?;
        window.forget_before(splitter.offset().saturating_sub(HISTORY));
    }
}

pub(super) fn line_ends(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| **byte == b'\n').count() as u64
}
