//! Comments: stored as places in the text, and cleaned when they are read.

use std::borrow::Cow;

use crate::bytes::is_blank;

/// Longest comment in bytes; the rest is cut off.
pub(crate) const COMMENT_LIMIT: usize = 16_000;

/// Source of the text of a comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Comment {
    /// No comment.
    #[default]
    None,
    /// A part of the game text.
    Text { start: u32, len: u32 },
    /// The lines before the tags, up to this length.
    Preface { len: u32 },
    /// The report of the illegal move that ended the reading of moves.
    Error,
}

/// Returns the normalized text of a comment: white space is one blank, with none at the ends.
///
/// An opening brace becomes `_`. It is left only where the scanner took the line for a tag line,
/// and would open a comment within the comment when written.
pub(crate) fn clean_comment(raw: &[u8]) -> Cow<'_, [u8]> {
    let mut end = raw.len();
    while end > 0 && is_blank(raw[end - 1]) {
        end -= 1;
    }
    let start = raw[..end].iter().position(|&b| !is_blank(b)).unwrap_or(end);
    let raw = &raw[start..end];
    // The last byte is not blank, so a byte follows every blank.
    let is_clean = |i: usize, byte: u8| match byte {
        b' ' => !is_blank(raw[i + 1]),
        b'{' => false,
        _ => !is_blank(byte),
    };
    if raw.iter().enumerate().all(|(i, &byte)| is_clean(i, byte)) {
        return Cow::Borrowed(&raw[..raw.len().min(COMMENT_LIMIT)]);
    }
    let mut clean = Vec::with_capacity(raw.len());
    for word in raw.split(|&b| is_blank(b)).filter(|word| !word.is_empty()) {
        if !clean.is_empty() {
            clean.push(b' ');
        }
        clean.extend_from_slice(word);
    }
    clean.truncate(COMMENT_LIMIT);
    let braces = clean.iter_mut().filter(|byte| **byte == b'{');
    braces.for_each(|brace| *brace = b'_');
    Cow::Owned(clean)
}

/// Returns the length in bytes of a normalized comment, without the limit.
pub(crate) fn clean_length(raw: &[u8]) -> usize {
    let words = raw.split(|&b| is_blank(b)).filter(|word| !word.is_empty());
    let length: usize = words.map(|word| word.len() + 1).sum();
    length.saturating_sub(1)
}

/// Returns the text before the tags as a comment: without blank lines at its start and without its
/// last newline, otherwise with its lines. `None` if there is nothing but blanks.
///
/// Braces stay if they nest; others would end the comment elsewhere, and become `_`.
pub(crate) fn preface_comment(preface: &[u8]) -> Option<Cow<'_, [u8]>> {
    let first = preface.iter().position(|&b| !is_blank(b))?;
    let line = preface[..first].iter().rposition(|&b| b == b'\n').map_or(0, |newline| newline + 1);
    let text = &preface[line..];
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let text = text.strip_suffix(b"\r").unwrap_or(text);
    let nests = braces_nest(text);
    if nests && !text.contains(&b'\r') {
        return Some(Cow::Borrowed(text));
    }
    let lines = text.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let mut text = lines.collect::<Vec<_>>().join(&b'\n');
    if !nests {
        let braces = text.iter_mut().filter(|b| matches!(b, b'{' | b'}'));
        braces.for_each(|brace| *brace = b'_');
    }
    Some(Cow::Owned(text))
}

/// Whether every brace of a text has its partner in that text.
fn braces_nest(text: &[u8]) -> bool {
    let mut open = 0_usize;
    for byte in text {
        match byte {
            b'{' => open += 1,
            b'}' if open == 0 => return false,
            b'}' => open -= 1,
            _ => {}
        }
    }
    open == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cleaning() {
        for (raw, want) in [
            ("", ""),
            ("  \n", ""),
            ("a", "a"),
            (" a b ", "a b"),
            ("a\n b", "a b"),
            ("a\r\n  comment   with\ttabs", "a comment with tabs"),
            ("a  b", "a b"),
            ("a\tb", "a b"),
            ("{a {b", "_a _b"),
        ] {
            assert_eq!(clean_comment(raw.as_bytes()), want.as_bytes(), "{raw:?}");
        }
        assert_eq!(clean_comment(&[b'x'; 20_000]).len(), COMMENT_LIMIT);
    }

    #[test]
    fn prefaces() {
        for (raw, want) in [
            ("", None),
            (" \n\n", None),
            ("Text\n", Some("Text")),
            ("\n \n  Text\n", Some("  Text")),
            ("One\n\n  Two { a } b\n", Some("One\n\n  Two { a } b")),
            ("One\r\nTwo\r\n", Some("One\nTwo")),
            ("a } b {\r\n{ c }\n", Some("a _ b _\n_ c _")),
        ] {
            let got = preface_comment(raw.as_bytes());
            assert_eq!(got.as_deref(), want.map(str::as_bytes), "{raw:?}");
        }
    }
}
