//! The bytes of one game, and their form for the parser.

use std::ops::Deref;

use memchr::{memchr, memchr2, memchr3};

use super::marks::has_no_text;
use crate::fault::{Fault, LossKind};

/// The bytes of one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RawGame<'a> {
    /// The text, from the first byte that is not white space to the end of the result. For a
    /// skipped game only the part before its moves.
    pub text: &'a [u8],
    /// Offset of the text in the input.
    pub offset: u64,
    /// Faults of the game, each kind once.
    pub faults: Vec<Fault>,
    /// Losses: text that is read otherwise than it was meant, silently in the reference. Each kind
    /// once.
    pub losses: Losses,
    /// Whether the text has nested braces or NUL bytes, see [`RawGame::clean_text`].
    pub(super) irregular: bool,
    pub(crate) tag_lines: TagLines,
}

/// A list that is nearly always empty: it then takes only a pointer, since every game has one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Losses(Option<Box<LossList>>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct LossList(Vec<Fault<LossKind>>);

impl From<Vec<Fault<LossKind>>> for Losses {
    fn from(list: Vec<Fault<LossKind>>) -> Losses {
        Losses((!list.is_empty()).then(|| Box::new(LossList(list))))
    }
}

impl Deref for Losses {
    type Target = [Fault<LossKind>];

    #[inline]
    fn deref(&self) -> &[Fault<LossKind>] {
        self.0.as_ref().map_or(&[], |list| &list.0)
    }
}

/// Ends of the first tag lines, if the text begins with them. The scanner sees them anyway, which
/// saves the tag index a second search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct TagLines {
    /// Offsets of the line feeds from the start of the text.
    ends: [u16; 14],
    n: u8,
}

impl TagLines {
    /// Notes the end of the next line, if there is room.
    #[inline]
    pub(super) fn push(&mut self, end: usize) {
        if let Some(place) = self.ends.get_mut(usize::from(self.n))
            && let Ok(end) = u16::try_from(end)
        {
            *place = end;
            self.n += 1;
        }
    }

    /// Returns the known line ends.
    #[inline]
    pub(crate) fn ends(&self) -> &[u16] {
        &self.ends[..usize::from(self.n)]
    }
}

impl<'a> RawGame<'a> {
    /// Whether the game cannot be read and must be skipped.
    #[must_use]
    pub fn is_skipped(&self) -> bool {
        self.faults.iter().any(|f| f.kind.skips_game())
    }

    /// Returns this game with its text at another place in memory.
    #[must_use]
    pub fn with_text<'b>(&self, text: &'b [u8]) -> RawGame<'b> {
        RawGame {
            text,
            offset: self.offset,
            // Most games have no faults.
            faults: if self.faults.is_empty() { Vec::new() } else { self.faults.clone() },
            losses: self.losses.clone(),
            irregular: self.irregular,
            tag_lines: self.tag_lines,
        }
    }

    /// Returns the text for the parser: braces within comments are `_`, NUL bytes are blanks.
    ///
    /// Almost always that is the text itself; otherwise a copy of the same length in `buffer`.
    #[must_use]
    pub fn clean_text<'b>(&self, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        if !self.irregular {
            return self.text;
        }
        buffer.clear();
        buffer.extend_from_slice(self.text);
        for byte in buffer.iter_mut().filter(|b| **b == 0) {
            *byte = b' ';
        }
        hide_nested_braces(buffer);
        buffer
    }
}

/// Replaces the braces inside comments, where the scanner sees comments.
fn hide_nested_braces(text: &mut [u8]) {
    let mut at = 0;
    let mut tags_end = None;
    while let Some(mark) = text.get(at..).and_then(|rest| memchr3(b'{', b';', b'[', rest)) {
        let mark = at + mark;
        at = mark + 1;
        match text[mark] {
            b'{' => {
                let mut depth = 1;
                while let Some(brace) = memchr2(b'{', b'}', &text[at..]) {
                    let brace = at + brace;
                    at = brace + 1;
                    let opens = text[brace] == b'{';
                    depth = if opens { depth + 1 } else { depth - 1 };
                    if depth == 0 {
                        break;
                    }
                    text[brace] = b'_';
                }
            }
            b'[' if tags_end.is_some_and(|end| memchr(b'\n', &text[end..mark]).is_some())
                && !has_no_text(&text[tags_end.unwrap_or(0)..mark]) => {}
            kind => {
                at = memchr(b'\n', &text[at..]).map_or(text.len(), |nl| at + nl + 1);
                if kind == b'[' {
                    tags_end = Some(at);
                }
            }
        }
    }
}
