//! Examines the white space between a game and the one before it.

use super::finding::{Edit, Findings};
use super::kind::FindingKind;
use crate::bytes::{is_blank, trim_end};

/// The white space before a game, as far as other programs need it to separate games: they want a
/// blank line, and the first tag at the start of its line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Gap {
    /// Number of line ends after the last word, at most two.
    line_ends: u8,
    /// Whether the line on which the game begins is not empty before it.
    is_indented: bool,
}

/// The gap before a game without known text before it, such as the first one of a file.
impl Default for Gap {
    fn default() -> Gap {
        Gap { line_ends: 2, is_indented: false }
    }
}

impl Gap {
    /// Returns the gap at the end of a following text; a word in the text makes the former gap
    /// irrelevant.
    pub(super) fn behind(self, text: &[u8]) -> Gap {
        match trim_end(text).len() {
            0 => self.then(text),
            end => {
                let touching = Gap { line_ends: 0, is_indented: true };
                touching.then(&text[end..])
            }
        }
    }

    /// Returns the gap after further text. Remark lines are no text, but end a line.
    pub(super) fn then(mut self, text: &[u8]) -> Gap {
        let mut in_remark = false;
        for &byte in text {
            match byte {
                b'\n' => {
                    let most = if in_remark { 1 } else { 2 };
                    self.line_ends = (self.line_ends + 1).min(most.max(self.line_ends));
                    (self.is_indented, in_remark) = (false, false);
                }
                _ if in_remark => {}
                b';' | b'%' => (self.is_indented, in_remark) = (true, true),
                _ if is_blank(byte) => self.is_indented = true,
                _ => (self.line_ends, self.is_indented) = (0, true),
            }
        }
        self
    }

    /// Whether the game begins on the line of the word before it.
    pub(super) fn is_on_line(self) -> bool {
        self.line_ends == 0
    }

    /// Whether the line on which the game begins is not empty before it.
    pub(super) fn is_indented(self) -> bool {
        self.is_indented
    }

    /// Returns the missing line ends.
    pub(super) fn missing(self) -> &'static str {
        match self.line_ends {
            0 => "\n\n",
            1 => "\n",
            _ if self.is_indented => "\n",
            _ => "",
        }
    }

    /// Notes line ends that are missing before a tag.
    pub(super) fn examine(self, at: usize, findings: &mut Findings) {
        let missing = self.missing();
        if !missing.is_empty() {
            let what = match self.line_ends {
                0 => "the first tag stands on the line on which the game before ends",
                1 => "the first tag stands on the line after the game before",
                _ => "the first tag does not begin its line",
            };
            let edit = Edit::insert(at, missing);
            findings.add(FindingKind::TouchingGame, at, what, [edit]);
        }
    }
}
