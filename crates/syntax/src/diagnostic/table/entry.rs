//! A row of the table, and a short way to write one.

/// Description of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// `E` (errors) or `W` (warnings) and four digits.
    pub code: &'static str,
    /// The mistake in a few words.
    pub title: &'static str,
    /// Text to show at the span of a diagnostic without a better one.
    pub label: &'static str,
    /// Reason for the error or warning, and what to do about it.
    pub explanation: &'static str,
    /// A query with the mistake, and the corrected query; `None` if that requires a very long text
    /// or a special command line.
    pub example: Option<Example>,
}

/// A mistake and its correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// A complete query with the mistake.
    pub wrong: &'static str,
    /// The corrected query.
    pub mended: &'static str,
}

/// Writes the rows of a group: code, title and label; explanation; a mistake and its correction,
/// unless no short query has it.
macro_rules! entries {
    ($($code:literal $title:literal, $label:literal, $text:literal
        $(, $wrong:expr => $mended:expr)?;)*) => {
        pub(super) const ENTRIES: &[super::entry::Entry] = &[$(super::entry::Entry {
            code: $code,
            title: $title,
            label: $label,
            explanation: $text,
            example: super::entry::example!($($wrong => $mended)?),
        },)*];
    };
}

macro_rules! example {
    () => {
        None
    };
    ($wrong:expr => $mended:expr) => {
        Some(super::entry::Example { wrong: $wrong, mended: $mended })
    };
}

pub(super) use {entries, example};
