//! Regular expressions with ECMAScript's meaning over bytes.
//!
//! The engine works on text, the language on bytes: every byte is taken as one character
//! (U+0000 … U+00FF), so that patterns and subjects in any encoding match byte by byte.

use std::borrow::Cow;
use std::ops::Range;

/// A compiled regular expression.
#[derive(Debug, Clone)]
pub struct Regex(regress::Regex);

/// Where the groups of a match stand; empty where nothing has matched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Captures {
    subject: Vec<u8>,
    groups: Vec<Option<Range<usize>>>,
}

impl Captures {
    /// The string that was searched.
    pub(crate) fn subject(&self) -> &[u8] {
        &self.subject
    }

    /// The bytes of group `index` (0: the whole match). The outer `None`: there is no such
    /// group; the inner: it took no part.
    pub(crate) fn group(&self, index: usize) -> Option<Option<Range<usize>>> {
        self.groups.get(index).cloned()
    }

    /// The bytes of the whole match.
    pub(crate) fn whole(&self) -> Range<usize> {
        self.groups.first().cloned().flatten().unwrap_or(0..0)
    }

    /// Where the search for the next match goes on; behind the end where there can be none.
    pub(crate) fn next_start(&self) -> usize {
        let whole = self.whole();
        whole.end + usize::from(whole.is_empty())
    }
}

impl Regex {
    /// Compiles a pattern.
    ///
    /// # Errors
    /// Says what is malformed.
    pub fn new(pattern: &[u8]) -> Result<Regex, String> {
        regress::Regex::new(&widen(&expand_classes(pattern)))
            .map(Regex)
            .map_err(|error| error.text)
    }

    /// The expression that matches the empty string.
    pub(crate) fn empty() -> Regex {
        Regex(regress::Regex::new("").expect("the empty pattern is well formed"))
    }

    /// Whether it matches anywhere in `subject`.
    pub fn is_match(&self, subject: &[u8]) -> bool {
        self.0.find(&widen(subject)).is_some()
    }

    /// The first match at or behind byte `start`.
    pub(crate) fn captures_at(&self, subject: &[u8], start: usize) -> Option<Captures> {
        if start > subject.len() {
            return None;
        }
        let wide = widen(subject);
        let narrow = matches!(wide, Cow::Borrowed(_));
        let to_wide = |index: usize| match narrow {
            true => index,
            false => index + subject[..index].iter().filter(|b| !b.is_ascii()).count(),
        };
        let from_wide = |index: usize| match narrow {
            true => index,
            false => wide[..index].chars().count(),
        };
        let found = self.0.find_from(&wide, to_wide(start)).next()?;
        let groups = found
            .groups()
            .map(|group| group.map(|range| from_wide(range.start)..from_wide(range.end)))
            .collect();
        Some(Captures {
            subject: subject.to_vec(),
            groups,
        })
    }
}

/// Writes the POSIX classes in brackets (`[[:digit:]]`), which C++ adds to ECMAScript's syntax, as
/// ranges.
fn expand_classes(pattern: &[u8]) -> Cow<'_, [u8]> {
    const CLASSES: [(&[u8], &[u8]); 12] = [
        (b"[:alnum:]", b"0-9A-Za-z"),
        (b"[:alpha:]", b"A-Za-z"),
        (b"[:blank:]", b" \\t"),
        (b"[:cntrl:]", b"\\x00-\\x1f\\x7f"),
        (b"[:digit:]", b"0-9"),
        (b"[:graph:]", b"!-~"),
        (b"[:lower:]", b"a-z"),
        (b"[:print:]", b" -~"),
        (b"[:punct:]", b"!-\\/:-@\\[-`{-~"),
        (b"[:space:]", b"\\s"),
        (b"[:upper:]", b"A-Z"),
        (b"[:xdigit:]", b"0-9A-Fa-f"),
    ];
    if memchr::memmem::find(pattern, b"[:").is_none() {
        return Cow::Borrowed(pattern);
    }
    let mut expanded = Vec::with_capacity(pattern.len());
    let mut in_brackets = false;
    let mut rest = pattern;
    while let [first, tail @ ..] = rest {
        let class = CLASSES
            .iter()
            .find(|(name, _)| in_brackets && rest.starts_with(name));
        if let Some((name, range)) = class {
            expanded.extend_from_slice(range);
            rest = &rest[name.len()..];
            continue;
        }
        expanded.push(*first);
        rest = tail;
        match first {
            b'\\' => {
                expanded.extend(rest.first());
                rest = rest.get(1..).unwrap_or_default();
            }
            b'[' => in_brackets = true,
            b']' => in_brackets = false,
            _ => {}
        }
    }
    Cow::Owned(expanded)
}

/// Every byte as a character of its own.
fn widen(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) if text.is_ascii() => Cow::Borrowed(text),
        _ => Cow::Owned(bytes.iter().map(|&b| char::from(b)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pattern: &str, subject: &[u8], want: Option<&[u8]>) {
        let regex = Regex::new(pattern.as_bytes()).expect("a pattern");
        let found = regex.captures_at(subject, 0);
        let found = found.as_ref().map(|c| &c.subject()[c.whole()]);
        assert_eq!(found, want, "{pattern}");
    }

    #[test]
    fn searches_anywhere_byte_by_byte() {
        check("b+", b"abbc", Some(b"bb"));
        check("^b", b"ab", None);
        check("(a)(b)?\\1", b"xaa", Some(b"aa"));
        check(".", "é".as_bytes(), Some(b"\xc3"));
        check("é", "né".as_bytes(), Some("é".as_bytes()));
        check("[[:digit:]x]+", b"ab12x", Some(b"12x"));
        check("[:digit:]+", b"ab12tig", Some(b"tig"));
    }

    #[test]
    fn empty_matches_move_on() {
        let regex = Regex::empty();
        let mut start = 0;
        let mut n = 0;
        while let Some(captures) = regex.captures_at(b"xay", start) {
            start = captures.next_start();
            n += 1;
        }
        assert_eq!(n, 4);
    }

    #[test]
    fn malformed_patterns_are_refused() {
        for pattern in ["(", "[a", "*", "a{2,1}"] {
            assert!(Regex::new(pattern.as_bytes()).is_err(), "{pattern}");
        }
    }
}
