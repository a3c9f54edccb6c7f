//! Places in source text.
//!
//! A query may be made of several texts (the file, and filters given on the command line), so a
//! place names its text, too.

/// Which of the texts of a compilation a [`Span`] lies in; an index into the caller's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u16);

/// A range of bytes of one source text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// Offset of the first byte.
    pub start: u32,
    /// Offset behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end` (exclusive) of `source`.
    pub fn new(source: SourceId, start: usize, end: usize) -> Span {
        Span {
            source,
            start: start as u32,
            end: end as u32,
        }
    }

    /// The smallest range that holds both; `self` where they lie in different texts.
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
}

/// One-based line and column (in bytes) of a byte offset in a text.
pub fn line_and_column(text: &[u8], offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|&&b| b != b'\n').count() + 1;
    (line, column)
}

/// The places of the line ends of a text: tells the lines of many places without counting again.
#[derive(Debug, Clone)]
pub struct LineIndex(Vec<usize>);

impl LineIndex {
    /// The line feeds of a text.
    pub fn of(text: &[u8]) -> LineIndex {
        let places = text.iter().enumerate();
        let ends = places.filter(|(_, byte)| **byte == b'\n');
        LineIndex(ends.map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1, as [`line_and_column`] counts.
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
