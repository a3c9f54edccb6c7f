//! Relates the parts of a translation to the parts of the query that they come from.
//!
//! While a translation is composed of texts, marks in them enclose what comes from a part of the
//! query. At the end the marks are removed, and their places are kept.

use crate::span::{SourceId, Span};

/// Start of a part, before the two ends of its original, which [`TEXT`] ends.
const START: char = '\u{1}';
const TEXT: char = '\u{2}';
const END: char = '\u{3}';

/// A query in CQL 6.2, translated from an older dialect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translation {
    /// The text.
    pub text: Vec<u8>,
    /// Parts of the text with their originals, the inner ones first.
    places: Vec<(Span, Span)>,
}

impl Translation {
    /// Creates a translation of a text into itself.
    pub(super) fn identity(text: &[u8]) -> Translation {
        let whole = Span::new(SourceId(0), 0, text.len());
        Translation { text: text.to_vec(), places: vec![(whole, whole)] }
    }

    /// Reads a text with marks.
    pub(super) fn read(marked: &str) -> Translation {
        let mut translation = Translation { text: Vec::new(), places: Vec::new() };
        let mut open = Vec::new();
        let mut rest = marked;
        while let Some(at) = rest.find([START, END]) {
            translation.text.extend(rest[..at].bytes());
            let end = translation.text.len();
            if rest[at..].starts_with(START) {
                let (ends, behind) = rest[at + 1..].split_once(TEXT).unwrap_or_default();
                let (from, to) = ends.split_once(' ').unwrap_or_default();
                let original = from.parse().ok().zip(to.parse().ok());
                open.push((end, original.map(|(from, to)| Span::new(SourceId(0), from, to))));
                rest = behind;
            } else {
                if let Some((start, Some(original))) = open.pop() {
                    translation.places.push((Span::new(SourceId(0), start, end), original));
                }
                rest = &rest[at + 1..];
            }
        }
        translation.text.extend(rest.bytes());
        translation
    }

    /// Returns the smallest part of the query that a part of the translation comes from.
    pub fn original(&self, part: Span) -> Option<Span> {
        self.place(part).map(|(_, original)| original)
    }

    /// Returns the translation of a part of the query that has one of its own.
    pub fn translated(&self, original: Span) -> Option<Span> {
        let mut places = self.places.iter();
        places.find(|(_, part)| *part == original).map(|(place, _)| *place)
    }

    /// Returns the smallest part of the translation that contains a part and has an original, and
    /// the original.
    pub(crate) fn place(&self, part: Span) -> Option<(Span, Span)> {
        let mut places = self.places.iter();
        places.find(|(place, _)| place.contains(part)).copied()
    }
}

/// Marks a text that comes from a part of the query.
pub(super) fn mark(original: Span, text: &str) -> String {
    format!("{START}{} {}{TEXT}{text}{END}", original.start, original.end)
}

/// Returns a text without its marks.
pub(super) fn bare(marked: &str) -> String {
    String::from_utf8_lossy(&Translation::read(marked).text).into_owned()
}

/// Whether a query has signs that would be taken for marks.
pub(super) fn has_marks(text: &[u8]) -> bool {
    text.iter().any(|&byte| [START, TEXT, END].contains(&char::from(byte)))
}
