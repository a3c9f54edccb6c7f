//! Escapes control characters of untrusted text on its way to a terminal.
//!
//! File names, tags, messages of queries and query texts may contain characters that move the
//! cursor, redefine keys or reverse the order of a line. Everything that the program prints is
//! escaped here. Results are not: their bytes stay as they are.

use std::borrow::Cow;
use std::fmt::{Arguments, Write as _};
use std::io::{self, Write as _};

use crate::terminal;

/// Whether a terminal obeys this character instead of showing it. Line ends and tabs are harmless.
fn is_command(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
        || c.is_control() && !matches!(c, '\n' | '\t')
}

/// Returns the text with control characters written as `\x1b` and `\u{202e}`. Everything else is
/// unchanged, even bytes that are not UTF-8.
pub(crate) fn visible(text: &[u8]) -> Cow<'_, [u8]> {
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.iter().all(is_plain) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    for chunk in text.utf8_chunks() {
        let mut characters = chunk.valid().chars().peekable();
        while let Some(c) = characters.next() {
            // The line end of Windows.
            let is_line_end = c == '\r' && characters.peek() == Some(&'\n');
            if is_line_end || !is_command(c) {
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            } else {
                out.extend_from_slice(escape(c).as_bytes());
            }
        }
        for &byte in chunk.invalid() {
            match byte {
                // Control characters in single-byte encodings.
                0x80..=0x9f => out.extend_from_slice(escape(char::from(byte)).as_bytes()),
                byte => out.push(byte),
            }
        }
    }
    Cow::Owned(out)
}

fn escape(c: char) -> String {
    match u32::from(c) {
        code @ 0..=0xff => format!("\\x{code:02x}"),
        code => format!("\\u{{{code:x}}}"),
    }
}

/// Like [`visible`], for text.
pub(crate) fn visible_text(text: &str) -> Cow<'_, str> {
    match visible(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
    }
}

/// Like [`visible_text`], for a name: line feeds and tabs are escaped as well.
pub(crate) fn visible_name(name: &str) -> Cow<'_, str> {
    if name.contains(['\n', '\t']) {
        Cow::Owned(visible_text(name).replace('\n', "\\n").replace('\t', "\\t"))
    } else {
        visible_text(name)
    }
}

/// Escapes control characters in JSON without changing its meaning: they only occur in strings.
pub(crate) fn visible_json(json: &str) -> Cow<'_, str> {
    if !json.contains(is_command) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_command(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c)
        }
    }
    Cow::Owned(out)
}

/// Replaces control characters in a query text without changing its length or any offset. Those of
/// ASCII remain, since the caller escapes them itself.
pub(crate) fn in_place(text: &str) -> String {
    let stand_in = |c: char| match c {
        '\u{80}'..='\u{9f}' => '¿',
        c if is_command(c) && !c.is_ascii() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(stand_in).collect()
}

/// Writes to standard error with control characters escaped, in lines that fit a terminal. Write
/// errors are ignored.
pub(crate) fn tell(text: Arguments<'_>) {
    let text = text.to_string();
    let text = terminal::in_width(&text, terminal::width_of_messages());
    let _ = io::stderr().write_all(&visible(text.as_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_shown_and_nothing_else_changes() {
        let check = |text: &[u8], expected: &[u8]| {
            let shown = visible(text);
            assert_eq!(
                (String::from_utf8_lossy(&shown), &*shown),
                (String::from_utf8_lossy(expected), expected)
            );
        };
        for same in ["", "a\tb\nc\r\n", "Müller–Ding ♔ 雪", "\\x1b"] {
            check(same.as_bytes(), same.as_bytes());
        }
        check(b"\x1b[31mred\x07\x00\x7f", b"\\x1b[31mred\\x07\\x00\\x7f");
        check(b"over\rwritten", b"over\\x0dwritten");
        check("\u{9b}31m \u{85}".as_bytes(), b"\\x9b31m \\x85");
        check("a\u{202e}b\u{2066}".as_bytes(), b"a\\u{202e}b\\u{2066}");
        // Latin-1 and Windows-1252.
        check(b"J\xf6rg \x9b31m", b"J\xf6rg \\x9b31m");
    }

    #[test]
    fn names_are_one_line() {
        assert_eq!(visible_name("a.pgn"), "a.pgn");
        assert_eq!(visible_name("a\nerror: b\t\x1b"), "a\\nerror: b\\t\\x1b");
    }

    #[test]
    fn json_keeps_its_meaning() {
        let text = "red \u{1b}[31m \u{9b} \u{202e} \u{7f} ♔ \n";
        let json = serde_json::to_string_pretty(&[text]).expect("JSON");
        let shown = visible_json(&json);
        assert!(!shown.contains(is_command), "{shown}");
        let read: Vec<String> = serde_json::from_str(&shown).expect("JSON");
        assert_eq!(read, [text]);
    }

    #[test]
    fn places_stay_where_they_are() {
        let text = "a\u{9b}b\u{202e}c ♔\u{1b}";
        let shown = in_place(text);
        assert_eq!(shown, "a¿b\u{fffd}c ♔\u{1b}");
        assert_eq!(shown.find('♔'), text.find('♔'));
    }
}
