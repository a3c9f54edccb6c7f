//! Marks at the beginning of a text: byte order marks of UTF-8, and those of a search.

/// Returns a text without a byte order mark.
pub(super) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Whether games with this beginning have comments that a search writes.
#[must_use]
pub fn is_marked(text: &[u8]) -> bool {
    let marks = [&b"{Game number "[..], b"{CQL", b" CQL}"];
    marks.iter().any(|mark| text.windows(mark.len()).any(|window| window == *mark))
}
