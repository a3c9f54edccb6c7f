//! Converts offsets to lines and columns, and back.

/// Unit of columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits; a character has one or two.
    #[default]
    Utf16,
}

/// A location as editors give it; both numbers count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in units of the [`Encoding`].
    pub character: u32,
}

/// Returns the start of the character that contains an offset; at most the length of the text.
pub(crate) fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Distance of marks in bytes. Columns are counted from the last mark.
const STEP: usize = 1000;

/// Starts of the lines of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<usize>,
    /// Marks within long lines, in the order of the text. A whole text may be one line.
    marks: Vec<Mark>,
}

/// An offset with its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Mark {
    offset: usize,
    /// Column in units of 16 bits.
    column: usize,
}

impl LineIndex {
    /// Finds the lines of a text; they end with a line feed, a carriage return, or both.
    pub fn new(text: &str) -> LineIndex {
        let bytes = text.as_bytes();
        let ends = memchr::memchr2_iter(b'\n', b'\r', bytes)
            .filter(|&at| bytes[at] == b'\n' || bytes.get(at + 1) != Some(&b'\n'));
        let starts = std::iter::once(0).chain(ends.map(|end| end + 1));
        let starts: Vec<usize> = starts.collect();
        let marks = marks(text, &starts);
        LineIndex { starts, marks }
    }

    /// Returns the last mark of a line that is not after a location, or else the start of the line.
    fn mark(&self, line_start: usize, is_behind: impl Fn(&Mark) -> bool) -> Mark {
        let first = self.marks.partition_point(|mark| mark.offset < line_start);
        let rest = &self.marks[first..];
        let before = &rest[..rest.partition_point(|mark| !is_behind(mark))];
        before.last().copied().unwrap_or(Mark { offset: line_start, column: 0 })
    }

    /// Returns the location of an offset. An offset inside a character counts as the start of the
    /// character.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = boundary(text, offset);
        let line = self.line(offset);
        let start = self.starts[line];
        let character = match encoding {
            Encoding::Utf8 => offset - start,
            Encoding::Utf16 => {
                let mark = self.mark(start, |mark| mark.offset > offset);
                let rest = text.get(mark.offset..offset).unwrap_or_default();
                mark.column + rest.chars().map(char::len_utf16).sum::<usize>()
            }
        };
        Position { line: line as u32, character: character as u32 }
    }

    /// Returns the offset of a location. A column after the end of its line means that end, a line
    /// after the last one means the end of the text.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len();
        };
        let end = self.starts.get(position.line as usize + 1);
        let line = &text[start..end.copied().unwrap_or(text.len())];
        let line = line.trim_end_matches(['\n', '\r']);
        let wanted = position.character as usize;
        if encoding == Encoding::Utf8 {
            return boundary(text, start + wanted.min(line.len()));
        }
        let last = end.copied().unwrap_or(text.len());
        let mark = self.mark(start, |mark| mark.offset >= last || mark.column > wanted);
        let mut column = mark.column;
        let rest = line.get(mark.offset - start..).unwrap_or_default();
        for (at, c) in rest.char_indices() {
            column += c.len_utf16();
            if column > wanted {
                return mark.offset + at;
            }
        }
        start + line.len()
    }

    /// Returns the number of the line that contains an offset, counted from 0.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }
}

/// Returns the marks of a text, given the starts of its lines.
fn marks(text: &str, starts: &[usize]) -> Vec<Mark> {
    let mut marks = Vec::new();
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    for (&start, end) in starts.iter().zip(ends) {
        let mut mark = Mark { offset: start, column: 0 };
        while end - mark.offset > STEP {
            let next = boundary(text, mark.offset + STEP);
            let between = &text[mark.offset..next];
            mark = Mark {
                offset: next,
                column: mark.column + between.chars().map(char::len_utf16).sum::<usize>(),
            };
            marks.push(mark);
        }
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_offsets_and_back() {
        let text = "♔a\r\n😀b\rc\n";
        let lines = LineIndex::new(text);
        let check = |encoding, offset: usize, line: u32, character: u32| {
            let position = Position { line, character };
            assert_eq!(lines.position(text, offset, encoding), position);
            assert_eq!(lines.offset(text, position, encoding), offset);
        };
        for (encoding, [after_king, after_face]) in
            [(Encoding::Utf16, [1, 2]), (Encoding::Utf8, [3, 4])]
        {
            check(encoding, 0, 0, 0);
            check(encoding, 3, 0, after_king);
            check(encoding, 4, 0, after_king + 1);
            check(encoding, 6, 1, 0);
            check(encoding, 10, 1, after_face);
            check(encoding, 12, 2, 0);
            check(encoding, 14, 3, 0);
        }
    }

    #[test]
    fn places_that_are_not_there_are_near_ones() {
        let text = "♔a\nb";
        let lines = LineIndex::new(text);
        let offset = |line, character| {
            let position = Position { line, character };
            lines.offset(text, position, Encoding::Utf8)
        };
        assert_eq!(offset(0, 2), 0);
        assert_eq!(offset(0, 99), 4);
        assert_eq!(offset(9, 0), 6);
        let position = lines.position(text, 99, Encoding::Utf16);
        assert_eq!((position.line, position.character), (1, 1));
    }

    #[test]
    fn long_lines_are_counted_like_short_ones() {
        let line = "a♔😀 R-".repeat(STEP);
        let text = format!("{line}\n{}\r\n{line}", &line[..STEP]);
        let lines = LineIndex::new(&text);
        assert!(lines.marks.len() > 10);
        let mut start = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let mut column = 0;
            let shown = line.trim_end_matches(['\r', '\n']);
            for (at, c) in shown.char_indices() {
                let position = Position { line: number as u32, character: column };
                let found = lines.position(&text, start + at, Encoding::Utf16);
                assert_eq!(found, position);
                assert_eq!(lines.offset(&text, position, Encoding::Utf16), start + at);
                column += c.len_utf16() as u32;
            }
            let behind = Position { line: number as u32, character: column + 5000 };
            for encoding in [Encoding::Utf16, Encoding::Utf8] {
                let end = lines.offset(&text, behind, encoding);
                assert_eq!(end, start + shown.len().min(end - start));
            }
            start += line.len();
        }
    }
}
