//! Formats a CQL 6 query in its canonical layout.
//!
//! Tokens and comments stay unchanged and in order; only the white space between them changes.
//! White space with a meaning stays, too: a blank on either side of a dash, the blank line that
//! ends a `path`, the end of a `///` line, a bracket that touches a name.
//!
//! The rules:
//! * The header begins a line, and so does every filter after it. So does every filter between
//!   braces that do not fit on the line.
//! * The content of braces or parentheses stays on one line if that has at most 80 characters,
//!   unless the text has a line break after the opening delimiter or a comment that needs one.
//! * Line breaks within a filter stay, and are added where a line would be too long; such lines are
//!   indented one level deeper than the filter.
//! * A level is two blanks. Braces have blanks inside, parentheses have none; comparisons have
//!   blanks around, and blocks have one before. Consecutive blank lines become one.

mod layout;
mod pieces;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Severity};
use crate::lex::{Lexed, lex};
use crate::parse::{ParseOptions, Source, parse_lexed};
use crate::span::{SourceId, Span};
use crate::token::{Symbol, Token, TokenKind};

/// Maximum nesting depth of delimiters, including functions that are never called.
const DEEPEST: usize = 1000;

/// Reason why a text cannot be formatted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatError {
    /// The text is not a correct query.
    Query(Vec<Diagnostic>),
    /// The text cannot be formatted because of this span.
    Place(Span, &'static str),
}

/// Returns the text in its canonical layout.
///
/// # Errors
///
/// Fails if the text cannot be formatted.
pub fn format(text: &[u8]) -> Result<Vec<u8>, FormatError> {
    let lexed = lex(SourceId(0), text);
    let parsed = |variations| {
        let options = ParseOptions { variations, ..ParseOptions::default() };
        parse_lexed(&Source { name: "", text }, &lexed, &options)
    };
    let mut query = parsed(None);
    if !query.is_ok() {
        // A query whose filters need variations is correct if an option enables variations.
        let with_variations = parsed(Some(true));
        if !with_variations.is_ok() {
            let mut errors = query.diagnostics;
            errors.retain(|d| d.severity == Severity::Error);
            return Err(FormatError::Query(errors));
        }
        query = with_variations;
    }
    format_filters(text, &lexed, &query.places_of_filters())
}

/// Formats a query without errors, given its tokens and the starts of its filters.
///
/// # Errors
///
/// Fails if the text cannot be formatted.
pub fn format_filters(text: &[u8], lexed: &Lexed, filters: &[u32]) -> Result<Vec<u8>, FormatError> {
    let tokens = &lexed.tokens;
    let pieces = pieces::cut(text, tokens, filters);
    if pieces::depth(&pieces) > DEEPEST {
        let place = tokens.first().map_or(Span::default(), |t| t.span);
        let message = "the delimiters of this text are nested too deep to be laid out";
        return Err(FormatError::Place(place, message));
    }
    let formatted = layout::lay_out(&pieces);
    if formatted == text {
        return Ok(formatted);
    }
    match first_difference(tokens, &lex(SourceId(0), &formatted).tokens) {
        None => Ok(formatted),
        Some(token) => Err(FormatError::Place(
            tokens.get(token).map_or(Span::default(), |t| t.span),
            "the text is left as it is, because its layout would mean something else here; please \
             report this defect of the formatter",
        )),
    }
}

/// Returns the first token whose meaning has changed because of the white space around it.
fn first_difference(before: &[Token], after: &[Token]) -> Option<usize> {
    if before.len() != after.len() {
        return Some(before.len().min(after.len()));
    }
    (0..before.len()).find(|&at| !same_meaning(before, after, at))
}

fn same_meaning(before: &[Token], after: &[Token], at: usize) -> bool {
    let (old, new) = (&before[at], &after[at]);
    let previous = at.checked_sub(1).map(|at| &before[at].kind);
    // A blank line directly inside a delimiter does not end a path.
    let may_lose_line = previous.is_none_or(is_opening) || is_closing(&old.kind);
    // Blanks matter beside dashes, after names and before arguments, but not inside delimiters.
    let may_change_space = !is_dash(&old.kind) && !previous.is_some_and(is_dash)
        || previous.is_some_and(is_opening)
        || is_closing(&old.kind);
    old.kind == new.kind
        && (old.blank_line_before == new.blank_line_before || may_lose_line)
        && (old.space_before == new.space_before || may_change_space)
}

fn is_dash(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Symbol(Symbol::Dash | Symbol::CaptureDash))
}

fn is_opening(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace))
}

fn is_closing(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace))
}

fn is_comparison(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Symbol(symbol) if symbol.is_comparison())
}
