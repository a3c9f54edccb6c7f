//! Skips white space and source comments.

use super::Lexer;
use crate::diagnostic::Diagnostic;

/// Facts about a run of white space and comments that matter for the tokens around it.
pub(super) struct Space {
    /// Offset of the first newline in plain white space, which closes a `///`. The newline at the
    /// end of a line comment belongs to the comment and does not count.
    pub(super) newline: Option<usize>,
    /// Whether the run contains a blank line.
    pub(super) blank_line: bool,
}

/// Whether a byte is a blank, tab, line feed, vertical tab, form feed or carriage return.
pub(crate) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// Whether `text` begins with exactly three slashes.
pub(super) fn is_triple_slash(text: &[u8]) -> bool {
    text.starts_with(b"///") && text.get(3) != Some(&b'/')
}

impl Lexer<'_> {
    /// Skips white space and comments. `None` if there are none.
    pub(super) fn skip_space(&mut self) -> Option<Space> {
        let start = self.at;
        let mut space = Space { newline: None, blank_line: false };
        // Number of newlines with only white space between them. A comment resets it, and a line
        // comment leaves its own newline for it.
        let mut newlines = 0;
        while let Some(&byte) = self.text.get(self.at) {
            let rest = &self.text[self.at..];
            if is_space(byte) {
                if byte == b'\n' {
                    newlines += 1;
                    space.newline.get_or_insert(self.at);
                    space.blank_line |= newlines >= 2;
                }
                self.at += 1;
            } else if byte == b';' || rest.starts_with(b"//") && !is_triple_slash(rest) {
                let newline = rest.iter().position(|&byte| byte == b'\n');
                self.at += newline.map_or(rest.len(), |length| length + 1);
                newlines = 1;
            } else if rest.starts_with(b"/*") {
                self.skip_block_comment();
                newlines = 0;
            } else {
                break;
            }
        }
        (self.at > start).then_some(space)
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        let inside = &self.text[start + 2..];
        if let Some(length) = inside.windows(2).position(|pair| pair == b"*/") {
            self.at = start + length + 4;
            return;
        }
        self.at = self.text.len();
        self.swallowed = true;
        self.report(
            Diagnostic::error(
                "E0006",
                self.span(start, start + 2),
                "this comment is not closed before the end of the text",
            )
            .with_help("write `*/` after the comment"),
        );
    }
}
