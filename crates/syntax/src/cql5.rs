//! The dialect CQL 5 (versions 5.0 to 5.2).
//!
//! CQL 5 has words of its own, and it reads words of CQL 6 differently. `or` and `on` are the only
//! operators, and every operand takes a whole chain of them; a range is two integers after a word;
//! the body of `square` extends to the next closing bracket; names begin with `$` and may follow a
//! designator directly. So CQL 5 has its own lexer, parser and tree. Lowering to the common program
//! is not done here.

mod designator;
mod lex;
mod parse;
pub mod tree;
pub mod word;

use crate::span::{SourceId, Span};

/// A tree with the diagnostics of its text. A query with errors must not be run.
pub type Parsed = crate::diagnostic::Parsed<tree::Query>;

/// Maximum nesting depth of filters, since reading and evaluating them recurses.
pub const MAX_DEPTH: u32 = 250;

/// Parses a query. Filters may be nested `max_depth` deep, and never deeper than [`MAX_DEPTH`].
pub fn parse(text: &[u8], max_depth: u32) -> Parsed {
    let source = SourceId(0);
    let lexed = lex::lex(source, text);
    parse::parse(source, text, lexed, max_depth.min(MAX_DEPTH))
}

/// Returns the spans of the tokens of a text.
pub(crate) fn tokens(text: &[u8]) -> Vec<Span> {
    lex::lex(SourceId(0), text).tokens.into_iter().map(|token| token.span).collect()
}

/// Whether [`parse`] finds no error in a text. For most texts in other dialects, the first words
/// suffice to tell.
pub fn is_query(text: &[u8], max_depth: u32) -> bool {
    let source = SourceId(0);
    let lexed = lex::lex_up_to(1, source, text);
    let parse = |lexed| parse::parse(source, text, lexed, max_depth.min(MAX_DEPTH));
    lexed.diagnostics.is_empty() && parse(lexed).is_ok()
}

/// Whether the word is a designator with variables after it, such as `R$x`.
pub(crate) fn has_variable_suffix(word: &str) -> bool {
    word.as_bytes().contains(&b'$')
        && matches!(
            designator::read(word.as_bytes()),
            designator::Read::Designator(designator)
                if !designator.variables.is_empty()
                    && (designator.pieces.is_some() || designator.squares.is_some())
        )
}

/// Whether the word is a designator with `U`, a piece of either color.
pub(crate) fn uses_letter_u(word: &str) -> bool {
    let mut pieces = word.bytes().take_while(|&byte| byte != b'$');
    pieces.any(|byte| byte == b'U')
        && matches!(designator::read(word.as_bytes()), designator::Read::Designator(_))
}
