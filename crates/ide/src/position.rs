//! Offsets as lines and columns.

/// What columns count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of 16 bits, of which a character has one or two.
    #[default]
    Utf16,
}

impl Encoding {
    fn length(self, c: char) -> usize {
        match self {
            Encoding::Utf8 => c.len_utf8(),
            Encoding::Utf16 => c.len_utf16(),
        }
    }
}

/// A place as editors name it; both count from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column, in units of the [`Encoding`].
    pub character: u32,
}

/// The offset, or where the character begins that it lies in; the end of the text behind that.
pub(crate) fn boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// Where the lines of a text begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    /// The lines of a text; they end with a line feed, a carriage return, or both.
    pub fn new(text: &str) -> Lines {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|&at| match bytes[at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        let starts = std::iter::once(0).chain(ends.map(|end| end + 1));
        Lines {
            starts: starts.collect(),
        }
    }

    /// The place of an offset; one inside a character is that of the character.
    pub fn position(&self, text: &str, offset: usize, encoding: Encoding) -> Position {
        let offset = boundary(text, offset);
        let line = self.line(offset);
        let before = text.get(self.starts[line]..offset).unwrap_or_default();
        let character: usize = before.chars().map(|c| encoding.length(c)).sum();
        Position {
            line: line as u32,
            character: character as u32,
        }
    }

    /// The offset of a place. A column behind the end of its line is that end, a line behind the
    /// last one the end of the text.
    pub fn offset(&self, text: &str, position: Position, encoding: Encoding) -> usize {
        let Some(&start) = self.starts.get(position.line as usize) else {
            return text.len();
        };
        let end = self.starts.get(position.line as usize + 1);
        let line = &text[start..end.copied().unwrap_or(text.len())];
        let line = line.trim_end_matches(['\n', '\r']);
        let mut column = 0;
        for (at, c) in line.char_indices() {
            column += encoding.length(c);
            if column > position.character as usize {
                return start + at;
            }
        }
        start + line.len()
    }

    /// The number of the line that an offset lies in, counted from 0.
    pub fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|&start| start <= offset) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_offsets_and_back() {
        let text = "♔a\r\n😀b\rc\n";
        let lines = Lines::new(text);
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
        let lines = Lines::new(text);
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
}
