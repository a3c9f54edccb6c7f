//! Guessing where games begin in the middle of a file.

use memchr::memmem;

/// The first place at or after `from` where a game seems to begin: a `[` at the start of a line
/// that is an Event tag or has a blank line before it.
///
/// A guess for where to start reading in the middle of a file. Text like this may stand in a
/// comment, so compare with where the splitter arrives that reads the part before it.
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
