//! The canonical layout of a CQL 6 query.
//!
//! Tokens and comments stay what they are and in their order; only the white space between them
//! changes. Where it means something it stays, too: a blank on either side of a dash, the blank
//! line that ends a `path`, the end of a `///` line, names and brackets that touch each other.
//!
//! The rules:
//! * The header, and every filter behind it, begins a line. So does every filter between braces
//!   that do not fit on the line.
//! * What is between braces or parentheses goes on one line if that has no more than 80
//!   characters, unless the text has a line break behind the opening delimiter or a comment that
//!   needs one.
//! * Line breaks within a filter stay, and are added where a line would be too long; such lines
//!   are indented one level deeper than the filter.
//! * Levels are two blanks; braces have blanks inside, parentheses have none; comparisons have
//!   blanks around, and blocks one before; blank lines come one at a time.

mod layout;
mod pieces;
#[cfg(test)]
mod tests;

use crate::diagnostic::{Diagnostic, Severity};
use crate::lex::{Lexed, lex};
use crate::parse::{ParseOptions, Source, parse_lexed};
use crate::span::{SourceId, Span};
use crate::token::{Symbol, Token, TokenKind};

/// Delimiters may be nested this deep, also in functions that are never called.
const DEEPEST: usize = 1000;

/// Why a text has no layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FormatError {
    /// It is no query.
    Query(Vec<Diagnostic>),
    /// It is one, but this place cannot be laid out.
    Place(Span, &'static str),
}

/// The text in its canonical layout.
///
/// # Errors
///
/// Why it has none.
pub fn format(text: &[u8]) -> Result<Vec<u8>, FormatError> {
    let lexed = lex(SourceId(0), text);
    let parsed = |variations| {
        let options = ParseOptions {
            variations,
            ..ParseOptions::default()
        };
        parse_lexed(&Source { name: "", text }, &lexed, &options)
    };
    let mut query = parsed(None);
    if !query.is_ok() {
        // Filters that need variations are in order if the command line asks for them.
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

/// The same of a query without errors that has been cut into tokens, whose filters begin at these
/// places.
///
/// # Errors
///
/// Why it has no layout.
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

/// The first token that means something else because of the white space around it.
fn first_difference(before: &[Token], after: &[Token]) -> Option<usize> {
    if before.len() != after.len() {
        return Some(before.len().min(after.len()));
    }
    (0..before.len()).find(|&at| !same_meaning(before, after, at))
}

fn same_meaning(before: &[Token], after: &[Token], at: usize) -> bool {
    let (old, new) = (&before[at], &after[at]);
    let previous = at.checked_sub(1).map(|at| &before[at].kind);
    // A blank line directly inside a delimiter ends no path.
    let may_lose_line = previous.is_none_or(is_opening) || is_closing(&old.kind);
    // What a dash is tied to, where a name ends, and what opens an argument.
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
    matches!(
        kind,
        TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace)
    )
}

fn is_closing(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace)
    )
}

fn is_comparison(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Symbol(
            Symbol::Equal
                | Symbol::NotEqual
                | Symbol::Less
                | Symbol::LessEqual
                | Symbol::Greater
                | Symbol::GreaterEqual
        )
    )
}
