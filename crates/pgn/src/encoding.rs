//! Decodes the bytes of games as text.
//!
//! PGN is ASCII, UTF-8 or Windows-1252, of which Latin-1 is a part, and nothing declares which.
//! Valid UTF-8 is decoded as UTF-8, every other byte as a character of Windows-1252, so that
//! nothing is lost. The five bytes without a character there become the control characters of their
//! numbers, as in browsers.

use std::borrow::Cow;

/// The characters of Windows-1252 from 0x80 to 0x9F.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// Decodes bytes of a game.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len() + 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().copied().map(character));
    }
    Cow::Owned(text)
}

/// Returns a name as it stands beside others: letters that run from right to left, and marks that turn
/// them, must not turn what follows.
#[must_use]
pub fn isolated(name: &str) -> Cow<'_, str> {
    let turns = |c| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}' | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}')
    };
    if !name.contains(turns) {
        return Cow::Borrowed(name);
    }
    // A mark of the name would end the isolation.
    let plain: String = name.chars().filter(|c| !('\u{2066}'..='\u{2069}').contains(c)).collect();
    Cow::Owned(format!("\u{2068}{plain}\u{2069}"))
}

/// Decodes the value of a tag, without the backslashes before quotes and backslashes.
#[must_use]
pub fn decode_value(bytes: &[u8]) -> Cow<'_, str> {
    if bytes.contains(&b'\\') {
        Cow::Owned(decode(&unescape(bytes)).into_owned())
    } else {
        decode(bytes)
    }
}

/// Removes the backslashes before quotes and backslashes from the value of a tag.
#[must_use]
pub fn unescape(value: &[u8]) -> Vec<u8> {
    if !value.contains(&b'\\') {
        return value.to_vec();
    }
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match (byte, rest.peek()) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                out.push(next);
                rest.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

/// Returns the character of a byte in Windows-1252.
pub(crate) fn character(byte: u8) -> char {
    match byte {
        0x80..=0x9F => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

/// Decodes the first bytes of a text, up to a number of characters that is short enough for a
/// message.
pub(crate) fn shown(bytes: &[u8], n_characters: usize) -> String {
    // A character has at most four bytes.
    let bytes = &bytes[..bytes.len().min(4 * n_characters)];
    decode(bytes).chars().take(n_characters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_turn_nothing_beside_them() {
        let check = |name: &str, expected: &str| assert_eq!(isolated(name), expected);
        check("Müller, 棋", "Müller, 棋");
        check("טל", "\u{2068}טל\u{2069}");
        check("a\u{202e}b\u{2069}", "\u{2068}a\u{202e}b\u{2069}");
    }

    #[test]
    fn what_is_not_utf_8_is_windows_1252() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(decode(bytes), expected);
        check(b"Morphy", "Morphy");
        check("Müller".as_bytes(), "Müller");
        check(b"M\xfcller", "Müller");
        check(b"\x80\x81\x93\x9f\xa0\xff", "€\u{81}“Ÿ\u{a0}ÿ");
        // If a text mixes both encodings, each part is decoded in its own.
        check(b"\xc3\xa9\xe9\x85\xc3", "éé…Ã");
    }

    #[test]
    fn what_is_shown_ends_with_a_character() {
        let text = "aé♔".repeat(9);
        for n in 0..27 {
            let expected: String = text.chars().take(n).collect();
            assert_eq!(shown(text.as_bytes(), n), expected);
        }
    }

    #[test]
    fn backslashes_of_tags_are_taken_off() {
        let check = |value: &str, expected: &str| {
            assert_eq!(unescape(value.as_bytes()), expected.as_bytes(), "{value}");
        };
        check("plain", "plain");
        check(r#"the \"Immortal\""#, r#"the "Immortal""#);
        check(r"a\\b", r"a\b");
        check(r"a\b\", r"a\b\");
    }
}
