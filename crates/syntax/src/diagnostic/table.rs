//! All codes of diagnostics, each with its meaning, a faulty text and the corrected text.
//!
//! Codes are grouped by hundreds. A released code keeps its meaning, and a code that is no longer
//! used is not reused. Tests check that every code in use is listed here, that every faulty example
//! yields its code, and that no corrected example has errors.

mod classic;
mod contexts;
mod cql5;
mod entry;
mod lexing;
mod limits;
mod names;
mod syntax;
mod types;
mod warnings;

pub use entry::{Entry, Example};

/// A group of related codes.
pub struct Group {
    /// Topic of the group.
    pub title: &'static str,
    /// The entries, in the order of their codes.
    pub entries: &'static [Entry],
}

/// All groups of entries, in the order of their codes; warnings come last.
pub const GROUPS: &[Group] = &[
    Group { title: "Characters and words", entries: lexing::ENTRIES },
    Group { title: "Syntax", entries: syntax::ENTRIES },
    Group { title: "Names", entries: names::ENTRIES },
    Group { title: "Types", entries: types::ENTRIES },
    Group { title: "Places, header and options", entries: contexts::ENTRIES },
    Group { title: "CQL 5", entries: cql5::ENTRIES },
    Group { title: "Classic CQL", entries: classic::ENTRIES },
    Group { title: "Migration and limits", entries: limits::ENTRIES },
    Group { title: "Warnings", entries: warnings::ENTRIES },
];

/// Returns the entry of a code; the case of its letter does not matter.
pub fn entry(code: &str) -> Option<&'static Entry> {
    all().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

/// Returns all entries, in the order of the groups.
pub fn all() -> impl Iterator<Item = &'static Entry> {
    GROUPS.iter().flat_map(|group| group.entries)
}

/// Whether a text has the form of a code, such as `E0203` or `w0101`.
pub fn is_code(text: &str) -> bool {
    let mut bytes = text.bytes();
    text.len() == 5
        && bytes.next().is_some_and(|b| b"EWew".contains(&b))
        && bytes.all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_in_order_and_well_formed() {
        for group in GROUPS {
            for pair in group.entries.windows(2) {
                assert!(pair[0].code < pair[1].code, "{}", pair[1].code);
            }
        }
        for entry in all() {
            assert!(is_code(entry.code), "{}", entry.code);
            for text in [entry.title, entry.explanation] {
                assert!(!text.is_empty(), "{}", entry.code);
            }
            assert!(entry.explanation.ends_with(['.', '?']), "{}", entry.code);
            assert!(!entry.title.ends_with('.'), "{}", entry.code);
        }
    }

    #[test]
    fn codes_are_told_from_file_names() {
        let check = |text: &str, expected: bool| assert_eq!(is_code(text), expected, "{text}");
        check("E0203", true);
        check("w0401", true);
        check("E203", false);
        check("E02034", false);
        check("X0203", false);
        check("E0203.cql", false);
        assert_eq!(entry("e0203").map(|entry| entry.code), Some("E0203"));
        assert!(entry("E9999").is_none());
    }
}
