//! Errors and warnings about a query, as values.
//!
//! Nothing is printed here: the caller renders diagnostics together with the texts.

pub mod table;

use std::borrow::Cow;

use crate::span::Span;

/// Severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The query still runs.
    Warning,
    /// The query cannot run.
    Error,
}

/// An error or warning with its location, what was found, what was expected, and a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, explained in the [`table`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The part of the text that the diagnostic is about.
    pub span: Span,
    /// The message, in lower case and without a full stop: what was found and what was expected.
    pub message: String,
    /// A proposal, if there is one.
    pub help: Option<String>,
    /// The edit that implements the help, if it is unambiguous.
    pub edit: Option<Box<Edit>>,
    /// Other spans with a short text for each, such as the call that a function body was expanded
    /// for.
    pub notes: Vec<(Span, String)>,
}

/// A replacement of a part of the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The replaced span; empty for an insertion.
    pub span: Span,
    /// The new text.
    pub text: String,
}

/// Maximum length of a message in bytes; longer ones contain text that is not meant to be read.
const LONGEST: usize = 1000;

/// Returns a message with only the beginning and the end of a very long name.
#[must_use]
pub fn shortened(message: String) -> String {
    if message.len() <= LONGEST {
        return message;
    }
    let (mut front, mut back) = (LONGEST / 2, message.len() - LONGEST / 4);
    while !message.is_char_boundary(front) {
        front -= 1;
    }
    while !message.is_char_boundary(back) {
        back += 1;
    }
    format!("{} … {}", &message[..front], &message[back..])
}

/// A tree with the diagnostics of its text.
#[derive(Debug, Clone, Default)]
pub struct Parsed<Q> {
    /// The tree.
    pub query: Q,
    /// Errors and warnings, in the order of their spans.
    pub diagnostics: Vec<Diagnostic>,
}

impl<Q> Parsed<Q> {
    /// Whether the query can run.
    pub fn is_ok(&self) -> bool {
        !has_errors(&self.diagnostics)
    }
}

/// Whether a diagnostic is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

impl Diagnostic {
    /// Creates an error without help.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: shortened(message.into()),
            help: None,
            edit: None,
            notes: Vec::new(),
        }
    }

    /// Creates a warning without help.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, span, message) }
    }

    /// Adds a help text.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(shortened(help.into()));
        self
    }

    /// Adds an edit that implements the help.
    pub fn with_edit(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.edit = Some(Box::new(Edit { span, text }));
        self
    }

    /// Returns a short text to show at the span: what the message says was expected or found there,
    /// or else the label from the [`table`].
    pub fn label(&self) -> Cow<'_, str> {
        if let Some((before, found)) = self.message.rsplit_once(", found ") {
            if let Some(at) = before.find("expected ") {
                return Cow::Borrowed(&before[at..]);
            }
            if before.ends_with(" on its left")
                && let Some(at) = before.find("needs ")
            {
                return Cow::Borrowed(&before[at..]);
            }
            if found.starts_with("a ") || found.starts_with("an ") {
                return Cow::Owned(format!("this is {found}"));
            }
        }
        Cow::Borrowed(table::entry(self.code).map_or("", |entry| entry.label))
    }

    /// Adds a note about another span.
    pub fn with_note(mut self, span: Span, note: impl Into<String>) -> Diagnostic {
        self.notes.push((span, shortened(note.into())));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut() {
        for n in [0, 10, 900, 5000, 9_000_000] {
            for letter in ["a", "ß", "♔"] {
                let message = format!("unknown name `{}`, and that is all", letter.repeat(n));
                let diagnostic = Diagnostic::error("E0201", Span::default(), message.as_str())
                    .with_help(message.as_str())
                    .with_note(Span::default(), message.as_str());
                let notes = diagnostic.notes.iter().map(|note| &note.1);
                for text in notes.chain(&diagnostic.help).chain([&diagnostic.message]) {
                    assert!(text.len() <= LONGEST + 10, "{}", text.len());
                    assert!(
                        text.starts_with("unknown name `") && text.ends_with("`, and that is all")
                    );
                    assert_eq!(*text == message, message.len() <= LONGEST);
                }
            }
        }
    }
}
