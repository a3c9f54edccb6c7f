//! A row of the table, and short ways to write one.

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

/// Creates an entry with an example.
pub(super) const fn entry_of(
    code: &'static str,
    title: &'static str,
    label: &'static str,
    explanation: &'static str,
    (wrong, mended): (&'static str, &'static str),
) -> Entry {
    Entry { code, title, label, explanation, example: Some(Example { wrong, mended }) }
}

/// Creates an entry that a short query cannot illustrate.
pub(super) const fn bare(
    code: &'static str,
    title: &'static str,
    label: &'static str,
    explanation: &'static str,
) -> Entry {
    Entry { code, title, label, explanation, example: None }
}
