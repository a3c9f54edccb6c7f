//! Bytes of games as text.
//!
//! PGN is ASCII, UTF-8 or Latin-1, and nothing says which. Outputs that must be UTF-8 take bytes
//! that are valid UTF-8 as that, and others as Latin-1: each byte is the character of its number.
//! Nothing is lost either way.

use std::borrow::Cow;

/// The text that bytes of a game stand for.
pub(crate) fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_latin_1() {
        let check = |bytes: &[u8], expected: &str| assert_eq!(decode(bytes), expected);
        check(b"Morphy", "Morphy");
        check("Müller".as_bytes(), "Müller");
        check(b"M\xfcller", "Müller");
        check(b"\x80\xff", "\u{80}ÿ");
    }
}
