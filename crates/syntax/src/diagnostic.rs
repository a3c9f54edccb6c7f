//! What is wrong with a query, as a value.
//!
//! Nothing here prints: the caller renders diagnostics against the texts they point into.

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
    /// Stable code: `E` and four digits, grouped by hundreds: 00 lexing, 01 syntax, 02 names,
    /// 03 types, 04 contexts, 05 header and options, 06 CQL 5, 07 classic CQL, 09 limits. `W` for
    /// warnings.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// The culprit.
    pub span: Span,
    /// Lower case, no full stop: what was found and what was expected.
    pub message: String,
    /// Text to write instead, if we know it.
    pub help: Option<String>,
    /// Further places with a word on each, such as the call that a body was expanded for.
    pub notes: Vec<(Span, String)>,
}

impl Diagnostic {
    /// An error without help.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            span,
            message: message.into(),
            help: None,
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
        self.help = Some(help.into());
        self
    }

    /// The same with a word on another place.
    pub fn with_note(mut self, span: Span, note: impl Into<String>) -> Diagnostic {
        self.notes.push((span, note.into()));
        self
    }
}
