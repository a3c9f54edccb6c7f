//! Writes JSON values directly, without `serde_json`, since a list may have half a million rows.

/// Appends bytes of a game as a string.
pub(crate) fn write_text(bytes: &[u8], out: &mut Vec<u8>) {
    out.push(b'"');
    let is_plain = |byte: &u8| (0x20..0x80).contains(byte) && !matches!(byte, b'"' | b'\\');
    if bytes.iter().all(is_plain) {
        out.extend_from_slice(bytes)
    } else {
        write_escaped(&pgn::decode(bytes), out)
    }
    out.push(b'"');
}

fn write_escaped(text: &str, out: &mut Vec<u8>) {
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend([b'\\', c as u8]),
            '\n' => out.extend(b"\\n"),
            c if c.is_control() => out.extend(format!("\\u{:04x}", u32::from(c)).bytes()),
            c => out.extend(c.encode_utf8(&mut [0; 4]).bytes()),
        }
    }
}

/// Appends a number.
pub(crate) fn write_number(number: impl Into<i64>, out: &mut Vec<u8>) {
    out.extend(number.into().to_string().bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_json_that_says_the_same() {
        for (bytes, expected) in [
            (&b""[..], ""),
            (b"Morphy, Paul", "Morphy, Paul"),
            (b"a \"b\" \\ c\n\t\x01", "a \"b\" \\ c\n\t\u{1}"),
            ("Müller 😀 \u{85}".as_bytes(), "Müller 😀 \u{85}"),
            (b"M\xfcller", "Müller"),
        ] {
            let mut out = Vec::new();
            write_text(bytes, &mut out);
            let found: String = serde_json::from_slice(&out).expect("JSON");
            assert_eq!(found, expected);
        }
    }
}
