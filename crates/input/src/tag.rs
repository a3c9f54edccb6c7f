//! Tags of games that are made from other formats.

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
