//! The games of a source one after the other, with the bytes that stand around them, for those who
//! look at games themselves.
//!
//! One pass on one thread, in the memory of a block and the longest game.

use std::io::{self, Read};

use flow::Bytes;
use pgn::{RawGame, Splitter};

use crate::failure::Failure;
use crate::interrupt;

/// Bytes that are read at once.
const BLOCK: usize = 1 << 20;

/// Bytes that show how the lines of a text end.
const SAMPLE: usize = 1 << 16;

/// Longest part of a text that is repaired as one game.
pub(super) const LARGEST_GAME: u64 = 1 << 20;

/// Bytes before the next game that are at hand: a game of that size, and the start of its line.
const HISTORY: u64 = LARGEST_GAME + SAMPLE as u64;

/// Looks at games.
pub(super) trait Visitor {
    /// A game with its number and the line it begins in, both from 1.
    fn game(
        &mut self,
        window: &Window,
        raw: &RawGame<'_>,
        number: u64,
        line: u64,
    ) -> Result<(), Failure>;

    /// No further game begins before this place, which is the end if it is `last`.
    fn passed(&mut self, window: &Window, offset: u64, last: bool) -> Result<(), Failure>;

    /// All lines end with CR alone, which is read as LF here and nowhere else.
    fn old_line_ends(&mut self);
}

/// The part of a source that is at hand.
#[derive(Default)]
pub(super) struct Window {
    bytes: Vec<u8>,
    /// Where it begins in the source.
    start: u64,
}

impl Window {
    /// The bytes of a range, as far as they are at hand.
    pub(super) fn get(&self, start: u64, end: u64) -> &[u8] {
        let place = |offset: u64| {
            let place = usize::try_from(offset.saturating_sub(self.start));
            place.unwrap_or(usize::MAX).min(self.bytes.len())
        };
        self.bytes.get(place(start)..place(end)).unwrap_or_default()
    }

    /// The column of a byte, from 1, as far as its line is not too long to look for.
    pub(super) fn column(&self, offset: u64) -> usize {
        let before = self.before(offset);
        before.iter().rev().take_while(|b| **b != b'\n').count() + 1
    }

    /// Some of the bytes before a place, all of them where the source begins.
    pub(super) fn before(&self, offset: u64) -> &[u8] {
        self.get(offset.saturating_sub(SAMPLE as u64), offset)
    }

    fn end(&self) -> u64 {
        self.start + self.bytes.len() as u64
    }

    /// Reads another block, or what is left.
    fn read(&mut self, reader: &mut dyn Read) -> io::Result<usize> {
        let before = self.bytes.len();
        let result = reader.take(BLOCK as u64).read_to_end(&mut self.bytes);
        // What came before an error is there all the same.
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

/// Shows all games to a visitor. What kept the source from being read to its end, if something
/// did, comes back.
pub(super) fn visit(
    bytes: Bytes<'_>,
    visitor: &mut dyn Visitor,
) -> Result<Option<io::Error>, Failure> {
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
            if interrupt::cancel().is_cancelled() {
                return Err(Failure::Interrupted);
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
