//! The language of CQL 5.0 – 5.2.
//!
//! It has words of its own, but also ways of its own to read the words that CQL 6 has, too: there
//! are no operators but `or` and `on`, every operand takes all of a chain of these, a range is
//! two integers behind a word, the body of `square` is everything up to the next closing bracket,
//! and names begin with `$` and hang on designators. So it has a lexer, a parser and a tree to
//! itself. What its filters mean in terms of the common program is the engine's business.

mod designator;
mod lex;
mod parse;
pub mod tree;
pub mod word;

use crate::span::SourceId;

/// A tree and what is wrong with it. A query with errors must not be run.
pub type Parsed = crate::diagnostic::Parsed<tree::Query>;

/// Filters cannot be nested deeper: reading and evaluating them recurses.
pub const MAX_DEPTH: u32 = 250;

/// Parses a query. Filters may be nested `max_depth` deep, and never deeper than [`MAX_DEPTH`].
pub fn parse(text: &[u8], max_depth: u32) -> Parsed {
    let source = SourceId(0);
    let lexed = lex::lex(source, text);
    parse::parse(source, text, lexed, max_depth.min(MAX_DEPTH))
}

/// Whether a text is a query that [`parse`] finds nothing wrong with. Most texts that are none have
/// words that show it soon.
pub fn is_query(text: &[u8], max_depth: u32) -> bool {
    let source = SourceId(0);
    let lexed = lex::lex_up_to(1, source, text);
    let parse = |lexed| parse::parse(source, text, lexed, max_depth.min(MAX_DEPTH));
    lexed.diagnostics.is_empty() && parse(lexed).is_ok()
}

/// Whether the word is a designator with a suffix of variables, such as `R$x`.
pub(crate) fn has_variable_suffix(word: &str) -> bool {
    word.as_bytes().contains(&b'$')
        && matches!(
            designator::read(word.as_bytes()),
            designator::Read::Designator(designator)
                if !designator.variables.is_empty()
                    && (designator.pieces.is_some() || designator.squares.is_some())
        )
}

/// Whether the word is a designator with `U`, a man of either color.
pub(crate) fn uses_letter_u(word: &str) -> bool {
    let mut pieces = word.bytes().take_while(|&byte| byte != b'$');
    pieces.any(|byte| byte == b'U')
        && matches!(
            designator::read(word.as_bytes()),
            designator::Read::Designator(_)
        )
}
