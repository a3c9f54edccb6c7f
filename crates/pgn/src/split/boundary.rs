//! Guesses where games begin in the middle of a file.

use memchr::memmem;

/// Returns the first offset from `from` on where a game seems to begin: a `[` at the start of a
/// line that is an Event tag or has a blank line before it.
///
/// This is a guess for reading from the middle of a file. Such text may be in a comment, so compare
/// it with the offset that a splitter reaches after reading the part before.
#[must_use]
pub fn likely_boundary(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from.saturating_sub(1);
    if from == 0 && bytes.first() == Some(&b'[') {
        return Some(0);
    }
    while let Some(found) = bytes.get(at..).and_then(|rest| memmem::find(rest, b"\n[")) {
        let newline = at + found;
        let before = &bytes[..newline];
        let line = before.strip_suffix(b"\r").unwrap_or(before);
        if line.ends_with(b"\n") || bytes[newline..].starts_with(b"\n[Event ") {
            return Some(newline + 1);
        }
        at = newline + 1;
    }
    None
}
