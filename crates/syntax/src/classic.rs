//! Classic CQL (versions 1 to 4): one list, `(match … (position …) …)`, in the manner of Lisp.
//!
//! The language has no expressions. A match list says what must hold for a game, each position
//! list what must hold for a position, and every word with a colon is a keyword that takes a
//! fixed number of arguments. So the parser is a table of keywords, and after a fault it goes on
//! at the next keyword: all faults of a text are reported in one go.

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

use crate::span::SourceId;

/// A tree and what is wrong with it. A query with errors must not be run.
pub type Parsed = crate::diagnostic::Parsed<tree::Query>;

/// Parses a classic query. Lists may be nested `max_depth` deep, and never deeper than
/// [`MAX_DEPTH`].
pub fn parse(source: SourceId, text: &[u8], max_depth: u32) -> Parsed {
    let lexed = lex::lex(source, text);
    let mut parser = parse::Parser::new(source, text.len(), lexed, max_depth.min(MAX_DEPTH));
    parser.file();
    let (query, mut diagnostics) = parser.finish();
    check::check(&query, &mut diagnostics);
    diagnostics.sort_by_key(|d| d.span.start);
    Parsed { query, diagnostics }
}

/// Lists cannot be nested deeper: reading and evaluating them recurses.
pub const MAX_DEPTH: u32 = 64;

/// The codes of the diagnostics of classic CQL.
mod code {
    /// A text that cannot be cut into words.
    pub(super) const WORD: &str = "E0701";
    /// No match list where one must be.
    pub(super) const NO_MATCH_LIST: &str = "E0702";
    /// A parenthesis without its other half.
    pub(super) const UNBALANCED: &str = "E0703";
    /// Text behind the match list.
    pub(super) const TRAILING: &str = "E0704";
    /// A match list without a position list.
    pub(super) const NO_POSITION: &str = "E0705";
    /// No such keyword.
    pub(super) const UNKNOWN_KEYWORD: &str = "E0706";
    /// An addition of a later relative of the language.
    pub(super) const EXTENSION: &str = "E0707";
    /// A keyword that may not stand here.
    pub(super) const PLACE: &str = "E0708";
    /// A keyword that may stand only once.
    pub(super) const REPEATED: &str = "E0709";
    /// A range is missing or is none.
    pub(super) const RANGE: &str = "E0710";
    /// The second bound of a range is less than the first.
    pub(super) const REVERSED: &str = "E0711";
    /// A designator is missing or is none.
    pub(super) const DESIGNATOR: &str = "E0712";
    /// A designator without pieces.
    pub(super) const NO_PIECES: &str = "E0713";
    /// Squares that must stand in brackets.
    pub(super) const BRACKETS: &str = "E0714";
    /// A name, a result or another word is missing or is none.
    pub(super) const ARGUMENT: &str = "E0715";
    /// A list is missing or is none.
    pub(super) const LIST: &str = "E0716";
    /// Tags: unknown, unused, too many.
    pub(super) const TAG: &str = "E0717";
    /// Tags together with a relation.
    pub(super) const TAG_AND_RELATION: &str = "E0718";
    /// Too deeply nested.
    pub(super) const TOO_DEEP: &str = "E0719";
    /// A counter that nobody counts.
    pub(super) const IDLE_COUNTER: &str = "W0701";
}
