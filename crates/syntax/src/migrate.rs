//! Translates queries of older dialects into CQL 6.2.
//!
//! Only constructs with the same meaning in CQL 6.2 are translated; all others are reported with
//! their spans. A text is translated completely or not at all, and the result is parsed as CQL 6.2
//! before it is returned.

mod classic;
mod cql5;
mod image;
mod places;
pub(crate) mod write;

use crate::dialect::{Dialect, is_comment_line};
pub use places::Translation;

use crate::{Diagnostic, ParseOptions, Severity, Source, SourceId, Span};

type Migrated<T> = Result<T, Diagnostic>;

/// Translates a query into CQL 6.2. A correct CQL 6 query is returned unchanged.
///
/// # Errors
///
/// Returns the errors in the query, or the construct that has no equivalent in CQL 6.2.
pub fn migrate(text: &[u8], dialect: Dialect) -> Result<Translation, Vec<Diagnostic>> {
    let migrated = match dialect {
        Dialect::Cql6 => {
            return match errors(text) {
                errors if errors.is_empty() => Ok(Translation::identity(text)),
                errors => Err(errors),
            };
        }
        Dialect::Cql5 => {
            let parsed = crate::cql5::parse(text, crate::cql5::MAX_DEPTH);
            if !parsed.is_ok() {
                return Err(parsed.diagnostics);
            }
            cql5::query(&parsed.query, text)
        }
        Dialect::Classic => {
            let parsed = crate::classic::parse(SourceId(0), text, crate::classic::MAX_DEPTH);
            if !parsed.is_ok() {
                return Err(parsed.diagnostics);
            }
            classic::query(&parsed.query, text)
        }
    };
    let whole = Span::new(SourceId(0), 0, text.len());
    if places::has_marks(text) {
        return Err(vec![none(whole, "a query with control characters")]);
    }
    let marked = migrated.map_err(|diagnostic| vec![diagnostic])?;
    let translation = Translation::read(&marked);
    if !errors(&translation.text).is_empty() {
        return Err(vec![none(whole, "this combination of filters")]);
    }
    Ok(translation)
}

/// Returns the errors of a text that is read as CQL 6.
fn errors(text: &[u8]) -> Vec<Diagnostic> {
    let source = Source { name: "", text };
    let parsed = crate::parse(&source, &[], &ParseOptions::default());
    let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
    parsed.diagnostics.into_iter().filter(is_error).collect()
}

/// Returns the error for a construct without an equivalent.
fn none(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error(
        "E0801",
        span,
        format!("{what} has no equivalent in CQL 6.2 that is known to be safe"),
    )
}

/// Returns the comments from `at` to those that begin before `end`, as comment lines of CQL 6.
fn comments(text: &[u8], at: &mut usize, end: usize) -> String {
    let mut lines = String::new();
    let mut in_string = false;
    while *at < end.min(text.len()) {
        let byte = text[*at];
        let starts = *at == 0 || b" \t\r\n(){}*+?\"".contains(&text[*at - 1]);
        let is_comment = byte == b';' && starts || is_comment_line(text, *at);
        if is_comment && !in_string {
            let rest = &text[*at..];
            let length = rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
            let line = String::from_utf8_lossy(&rest[..length]);
            let line = line.trim_start_matches([';', '/']).trim();
            let pragma = line.strip_prefix("dialect");
            if !pragma.is_some_and(|rest| rest.trim_start().starts_with(':')) {
                lines += format!("// {line}").trim_end();
                lines += "\n";
            }
            *at += length;
        } else {
            in_string ^= byte == b'"';
            *at += 1;
        }
    }
    lines
}
