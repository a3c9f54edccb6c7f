//! Tags and comments of games that are made from other formats.

/// Appends a tag. Characters in the value that a PGN reader could misread are escaped or replaced.
pub(super) fn push_tag(pgn: &mut Vec<u8>, name: &str, value: &[u8]) {
    pgn.push(b'[');
    pgn.extend_from_slice(name.as_bytes());
    pgn.extend_from_slice(b" \"");
    for &byte in value {
        match byte {
            b'"' | b'\\' => pgn.extend_from_slice(&[b'\\', byte]),
            0..b' ' => pgn.push(b' '),
            _ => pgn.push(byte),
        }
    }
    pgn.extend_from_slice(b"\"]\n");
}

/// Date as in a tag. Its day has 5 bits, its month 4, its year 12; parts that are 0 are unknown.
pub(super) fn packed_date(date: u32) -> String {
    let part = |value: u32, width: usize| match value {
        0 => "?".repeat(width),
        value => format!("{value:0width$}"),
    };
    format!("{}.{}.{}", part(date >> 9 & 0xfff, 4), part(date >> 5 & 15, 2), part(date & 31, 2))
}

/// Appends a comment in one line, if it has any text, and returns whether it has. Braces would end
/// it, and a search leaves comments after `;` out, so that braces become parentheses.
pub(super) fn push_comment(comment: &[u8], pgn: &mut Vec<u8>) -> bool {
    let comment = comment.trim_ascii();
    if comment.is_empty() {
        return false;
    }
    pgn.push(b'{');
    pgn.extend(comment.iter().map(|byte| match byte {
        b'{' => b'(',
        b'}' => b')',
        0..b' ' => b' ',
        byte => *byte,
    }));
    pgn.extend_from_slice(b"} ");
    true
}
