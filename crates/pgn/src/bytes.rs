//! Classes of bytes, for the scanner and the parser.

use std::ops::Range;

use memchr::memchr;

/// Whether a byte is white space between games and in comments: one of the six ASCII characters, or
/// the NUL byte, at which the reference dies.
#[inline(always)]
pub(crate) const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r' | 0)
}

/// Whether a byte is white space between move tokens, which in the reference includes the Latin-1
/// no-break space.
#[inline(always)]
pub(crate) const fn is_space(byte: u8) -> bool {
    is_blank(byte) || byte == 0xA0
}

/// Returns a word of eight copies of a byte.
pub(crate) const fn each(byte: u8) -> u64 {
    u64::MAX / 255 * byte as u64
}

/// Returns the offset of the first line feed. In lines as short as those of tags this takes less
/// time than a vectorized search takes to begin.
#[inline]
pub(crate) fn line_end(text: &[u8]) -> Option<usize> {
    const SHORT: usize = 6;
    let (words, _) = text.as_chunks();
    for (i, word) in words.iter().take(SHORT).enumerate() {
        let flipped = u64::from_le_bytes(*word) ^ each(b'\n');
        // The lowest mark is that of the first zero; those above may be wrong.
        let zeros = flipped.wrapping_sub(each(1)) & !flipped & each(0x80);
        if zeros != 0 {
            return Some(8 * i + (zeros.trailing_zeros() / 8) as usize);
        }
    }
    let from = 8 * words.len().min(SHORT);
    memchr(b'\n', &text[from..]).map(|found| from + found)
}

/// Returns `text` without blanks at its end.
pub(crate) fn trim_end(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&b| !is_blank(b)).map_or(0, |i| i + 1);
    &text[..end]
}

/// Returns `text` without blanks around it.
pub(crate) fn trim(text: &[u8]) -> &[u8] {
    let text = trim_end(text);
    let start = text.iter().position(|&b| !is_blank(b));
    &text[start.unwrap_or(text.len())..]
}

/// Returns `text` without byte order marks of UTF-8 at its start.
pub(crate) fn without_marks(mut text: &[u8]) -> &[u8] {
    while let Some(rest) = text.strip_prefix(b"\xef\xbb\xbf") {
        text = rest;
    }
    text
}

/// Returns the range of a part of a text in that text.
pub(crate) fn range_in(text: &[u8], part: &[u8]) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// Returns the number that `atoi` of the C library finds at the start of a text: blanks, a sign,
/// digits; 0 without digits. The number stops growing far above any limit used here.
pub(crate) fn leading_number(text: &[u8]) -> i64 {
    let start = text.iter().position(|&b| !is_blank(b)).unwrap_or(text.len());
    let (negative, digits) = match text[start..] {
        [b'-', ref rest @ ..] => (true, rest),
        [b'+', ref rest @ ..] => (false, rest),
        ref rest => (false, rest),
    };
    let number = digits
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .fold(0_i64, |n, &b| (n * 10 + i64::from(b - b'0')).min(1 << 40));
    if negative { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends() {
        for length in 0..80 {
            for end in 0..=length {
                let mut text: Vec<u8> =
                    b"\x0b\x09\x8a\xff\0x".iter().copied().cycle().take(length).collect();
                assert_eq!(line_end(&text), None);
                text.insert(end, b'\n');
                text.push(b'\n');
                assert_eq!(line_end(&text), Some(end), "{length}");
            }
        }
    }

    #[test]
    fn numbers() {
        for (text, want) in [
            ("", 0),
            ("x", 0),
            ("  12x3", 12),
            ("-5", -5),
            ("+7", 7),
            ("- 5", 0),
            ("99999999999999999999", 1 << 40),
        ] {
            assert_eq!(leading_number(text.as_bytes()), want, "{text}");
        }
    }
}
