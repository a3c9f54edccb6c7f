//! Recognizes results, tags, filler, and the bytes at which the scanner stops.

use memchr::{memchr, memmem, memrchr};

use crate::bytes::{each, is_blank};

pub(super) enum ResultMark {
    Nothing,
    /// A result token ends at this offset.
    Result(usize),
    /// The slice ends within a possible result.
    Maybe,
}

/// Returns whether the `*` or the (first) `-` at `at` is part of a result.
#[inline]
pub(super) fn result_at(text: &[u8], at: usize) -> ResultMark {
    let (before, rest) = (&text[..at], &text[at..]);
    let (token, end) = if rest[0] == b'*' {
        (at, at + 1)
    } else {
        match before {
            [.., b'1', b'/', b'2'] if b"-1/2".starts_with(&rest[..rest.len().min(4)]) => {
                if rest.len() < 4 {
                    return ResultMark::Maybe;
                }
                (at - 3, at + 4)
            }
            [.., b'1' | b'0'] if rest.len() == 1 => return ResultMark::Maybe,
            [.., b'1'] if rest[1] == b'0' => (at - 1, at + 2),
            [.., b'0'] if rest[1] == b'1' => (at - 1, at + 2),
            _ => return ResultMark::Nothing,
        }
    };
    let glued_before =
        text[..token].last().is_some_and(|&b| b == b'-' || b.is_ascii_alphanumeric());
    let glued_behind = text.get(end).is_some_and(|&b| !is_blank(b) && b < 128);
    if glued_before || glued_behind { ResultMark::Nothing } else { ResultMark::Result(end) }
}

pub(super) fn as_words(bytes: &[u8; 16]) -> [u64; 2] {
    let (words, _) = bytes.as_chunks();
    [u64::from_le_bytes(words[0]), u64::from_le_bytes(words[1])]
}

/// Marks the first byte of `{;[-*` among eight; marks after the first may be wrong.
#[inline(always)]
pub(super) fn stops_in(word: u64) -> u64 {
    // The brace, bracket and semicolon differ in two bits only, which also adds an escape character
    // to them; the scanner then skips it.
    let zeros = |x: u64| x.wrapping_sub(each(1)) & !x & each(0x80);
    zeros((word | each(0x60)) ^ each(b'{')) | zeros(word ^ each(b'-')) | zeros(word ^ each(b'*'))
}

/// Whether one of the lines of a tag section is an Event tag.
pub(super) fn has_event(tags: &[u8]) -> bool {
    tags.starts_with(b"[Event ") || memmem::find(tags, b"\n[Event ").is_some()
}

/// Whether a line begins with `[Name "`, where the name is a word.
pub(crate) fn looks_like_tag(line: &[u8]) -> bool {
    let name = &line[1..];
    let length = name.iter().position(|b| !b.is_ascii_alphanumeric() && *b != b'_').unwrap_or(0);
    length > 0 && name[length..].trim_ascii_start().starts_with(b"\"")
}

/// Returns the offset of the first tag of another game in a comment, if it begins a line.
#[cold]
pub(crate) fn tags_in_comment(text: &[u8]) -> Option<usize> {
    memmem::find(text, b"\n[Event \"").map(|at| at + 1)
}

/// Returns the offset of the first byte of a text between tags that is neither a blank nor in a
/// line of `;` or `%`, which are skipped there.
pub(super) fn text_between_tags(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += text[at..].iter().position(|&b| !is_blank(b))?;
        // Only a remark is passed over to the end of its line.
        let is_remark = matches!(text[at], b';' | b'%');
        let line = if is_remark { &text[at..] } else { &[] };
        match memchr(b'\n', line) {
            Some(newline) => at += newline,
            None => return Some(at),
        }
    }
}

/// Whether the scanner skips a text between tags.
pub(super) fn has_no_text(text: &[u8]) -> bool {
    text_between_tags(text).is_none()
}

/// Whether a text that begins at the start of a line has a blank line.
pub(super) fn has_blank_line(text: &[u8]) -> bool {
    let is_blank_line = |line: &[u8]| line.iter().all(|&b| is_blank(b));
    let end = memrchr(b'\n', text).unwrap_or(0);
    !text[..end].is_empty() && text[..end].split(|&b| b == b'\n').any(is_blank_line)
        || text.first() == Some(&b'\n')
}

/// Whether a text contains only white space, lines of `;` and `%`, comments and bytes above 127
/// without two letters: a byte 255 ends some old files.
pub(super) fn is_filler(text: &[u8]) -> bool {
    let mut at = 0;
    let mut depth = 0_u32;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'{' => depth += 1,
            b'}' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            b';' | b'%' if byte == b';' || text[..at].last().is_none_or(|b| *b == b'\n') => {
                match memchr(b'\n', &text[at..]) {
                    Some(newline) => at += newline,
                    None => return true,
                }
            }
            _ if is_blank(byte) || byte == 0 => {}
            128.. => {
                let length = text[at..].iter().take_while(|byte| **byte > 127).count();
                let beyond_ascii = crate::encoding::decode(&text[at..at + length]);
                if beyond_ascii.chars().filter(|c| c.is_alphanumeric()).nth(1).is_some() {
                    return false;
                }
                at += length - 1;
            }
            _ => return false,
        }
        at += 1;
    }
    true
}
