//! Ranges and locations in source texts.
//!
//! A query may consist of several texts (the file, and filters given on the command line), so a
//! span includes its text.

use std::ops::Range;

/// The source text of a [`Span`], as an index into the caller's list of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u16);

/// A range of bytes of one source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// A span in none of the texts, for what the value of an option says.
    pub const OF_OPTION: Span = Span { source: SourceId(u16::MAX), start: 0, end: 0 };

    /// Creates the span from `start` to `end` (exclusive) of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// Returns the smallest span that contains both; `self` if they are in different texts.
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span {
            source: self.source,
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// Returns the empty span before the first byte.
    #[must_use]
    pub fn beginning(self) -> Span {
        Span { end: self.start, ..self }
    }

    /// Whether another span is within this one.
    pub fn contains(self, other: Span) -> bool {
        self.to(other) == self && self.source == other.source
    }

    /// Returns the place of a part of the text of a literal at this span; `None` unless the literal
    /// is that text, of `length` bytes, between quotes.
    pub(crate) fn within_quotes(self, length: usize, part: Range<usize>) -> Option<Span> {
        let first = self.start as usize + 1;
        let is_plain = (self.end - self.start) as usize == length + 2;
        is_plain.then(|| Span::new(self.source, first + part.start, first + part.end))
    }
}

/// Returns the line and the column (in bytes) of an offset, both counted from 1.
pub fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (line, column)
}

/// Offsets of the line ends of a text, for finding the lines of many offsets quickly.
#[derive(Debug, Clone)]
pub struct LineIndex(Vec<usize>);

impl LineIndex {
    /// Finds the line feeds of a text.
    pub fn of(text: &[u8]) -> LineIndex {
        let places = text.iter().enumerate();
        let ends = places.filter(|(_, byte)| **byte == b'\n');
        LineIndex(ends.map(|(at, _)| at).collect())
    }

    /// Returns the line of a byte, from 1, as [`line_and_column`] counts.
    pub fn line(&self, offset: usize) -> usize {
        self.0.partition_point(|&end| end < offset) + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_alike() {
        for text in ["", "a", "\n", "a\n\nb", "\r\na\n"] {
            let ends = LineIndex::of(text.as_bytes());
            for offset in 0..text.len() + 2 {
                let (line, _) = line_and_column(text.as_bytes(), offset);
                assert_eq!(ends.line(offset), line, "{text:?} at {offset}");
            }
        }
    }
}
