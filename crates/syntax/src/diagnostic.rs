//! What is wrong with a query, as a value.
//!
//! Nothing here prints: the caller renders diagnostics against the texts they point into.

pub mod table;

use std::borrow::Cow;

use crate::span::Span;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The query still runs.
    Warning,
    /// The query cannot run.
    Error,
}

/// A fault of a query: where it is, what was found, what was expected, what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, explained in the [`table`].
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The culprit.
    pub span: Span,
    /// Lower case, no full stop: what was found and what was expected.
    pub message: String,
    /// What to write instead, if we know it.
    pub help: Option<String>,
    /// The edit that does what the help says, where it is plain.
    pub edit: Option<Box<Edit>>,
    /// Further places with a word on each, such as the call that a body was expanded for.
    pub notes: Vec<(Span, String)>,
}

/// A piece of text to be replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty where something is only inserted.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}

/// Bytes of a message; what is longer has something in it that is not meant to be read.
const LONGEST: usize = 1000;

/// A message without most of a name that is too long: only its beginning and its end are kept.
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

/// A tree and what is wrong with its text.
#[derive(Debug, Clone, Default)]
pub struct Parsed<Q> {
    /// The tree.
    pub query: Q,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
}

impl<Q> Parsed<Q> {
    /// Whether the query can run.
    pub fn is_ok(&self) -> bool {
        !has_errors(&self.diagnostics)
    }
}

/// Whether one of them is an error.
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|d| d.severity == Severity::Error)
}

impl Diagnostic {
    /// An error without help.
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

    /// A warning without help.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Warning,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// The same with a proposal what to write instead.
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(shortened(help.into()));
        self
    }

    /// The same with an edit that does what the help says.
    pub fn with_edit(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let text = text.into();
        self.edit = Some(Box::new(Edit { span, text }));
        self
    }

    /// A few words that stand at the culprit: what the message says was expected there or found,
    /// else those of the [`table`].
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

    /// The same with a word on another place.
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
