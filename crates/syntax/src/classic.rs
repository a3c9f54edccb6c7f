//! Classic CQL (versions 1 to 4): a single list in the style of Lisp, `(match … (position …) …)`.
//!
//! The language has no expressions. A match list contains conditions for a game, and each position
//! list contains conditions for a position. Every word with a colon is a keyword that takes a fixed
//! number of arguments. So the parser is driven by a table of keywords. After an error it resumes
//! at the next keyword, so that all errors of a text are reported together.

mod arguments;
mod check;
mod designator;
mod keyword;
mod lex;
mod parse;
mod relation;
#[cfg(test)]
mod tests;
pub mod tree;

pub use keyword::ListKind;

use crate::span::{SourceId, Span};
use lex::TokenKind;

/// A tree with the diagnostics of its text. A query with errors must not be run.
pub type Parsed = crate::diagnostic::Parsed<tree::Query>;

/// Parses a classic query. Lists may be nested `max_depth` deep, and never deeper than
/// [`MAX_DEPTH`].
pub fn parse(source: SourceId, text: &[u8], max_depth: u32) -> Parsed {
    let lexed = lex::lex(source, text);
    let mut parser = parse::Parser::new(source, text.len(), lexed, max_depth.min(MAX_DEPTH));
    parser.file();
    let (query, mut diagnostics) = parser.finish();
    check::check(&query, &mut diagnostics);
    diagnostics.sort_by_cached_key(|d| d.span.beginning());
    Parsed { query, diagnostics }
}

/// Returns the spans of the tokens of a text.
pub(crate) fn tokens(text: &[u8]) -> Vec<Span> {
    lex::lex(SourceId(0), text).tokens.into_iter().map(|token| token.span).collect()
}

/// Returns the kind of the innermost list that is open at an offset; `None` outside of lists and in
/// lists without keywords.
pub fn list_at(text: &[u8], offset: usize) -> Option<ListKind> {
    let tokens = lex::lex(SourceId(0), text).tokens;
    let is_word = |at: Option<usize>, word: &str| {
        let token = at.and_then(|at| tokens.get(at));
        token.is_some_and(|token| token.kind == TokenKind::Word(word.into()))
    };
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            _ if token.span.start as usize >= offset => break,
            TokenKind::Open if is_word(at.checked_sub(1), ":relation") => {
                open.push(Some(ListKind::Relation));
            }
            TokenKind::Open if is_word(Some(at + 1), "match") => open.push(Some(ListKind::Match)),
            TokenKind::Open if is_word(Some(at + 1), "position") => {
                open.push(Some(ListKind::Position));
            }
            TokenKind::Open => open.push(None),
            TokenKind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop().flatten()
}

/// Maximum nesting depth of lists, since reading and evaluating them recurses.
pub const MAX_DEPTH: u32 = 64;

/// The codes of the diagnostics of classic CQL.
mod code {
    /// A text that cannot be split into words.
    pub(super) const WORD: &str = "E0701";
    /// A missing match list.
    pub(super) const NO_MATCH_LIST: &str = "E0702";
    /// An unmatched parenthesis.
    pub(super) const UNBALANCED: &str = "E0703";
    /// Text after the match list.
    pub(super) const TRAILING: &str = "E0704";
    /// A match list without a position list.
    pub(super) const NO_POSITION: &str = "E0705";
    /// An unknown keyword.
    pub(super) const UNKNOWN_KEYWORD: &str = "E0706";
    /// A keyword of a later extension of the language.
    pub(super) const EXTENSION: &str = "E0707";
    /// A keyword that is not allowed here.
    pub(super) const PLACE: &str = "E0708";
    /// A keyword that is allowed only once.
    pub(super) const REPEATED: &str = "E0709";
    /// A missing or malformed range.
    pub(super) const RANGE: &str = "E0710";
    /// A range whose second bound is less than the first.
    pub(super) const REVERSED: &str = "E0711";
    /// A missing or malformed designator.
    pub(super) const DESIGNATOR: &str = "E0712";
    /// A designator without pieces.
    pub(super) const NO_PIECES: &str = "E0713";
    /// Squares that require brackets.
    pub(super) const BRACKETS: &str = "E0714";
    /// A missing or malformed name, result or other word.
    pub(super) const ARGUMENT: &str = "E0715";
    /// A missing or malformed list.
    pub(super) const LIST: &str = "E0716";
    /// An unknown or unused tag, or too many tags.
    pub(super) const TAG: &str = "E0717";
    /// Tags together with a relation.
    pub(super) const TAG_AND_RELATION: &str = "E0718";
    /// Lists nested too deeply.
    pub(super) const TOO_DEEP: &str = "E0719";
    /// A counter that is never incremented.
    pub(super) const IDLE_COUNTER: &str = "W0701";
}
