//! Handles texts with brackets that have no partner.
//!
//! Such texts are parsed without these brackets, so that other errors are reported as well. Errors
//! about the structure would be noise then, and so would errors about filters beside such a
//! bracket.

use super::stream::Stream;
use crate::builtin::Keyword;
use crate::lex::delimiters;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};

/// Number of such brackets from which a text is left unchanged, since it is hardly a query.
const MOST: usize = 10;

/// Locations of removed brackets.
#[derive(Debug, Default)]
pub(super) struct Torn {
    /// For each removed bracket, the span from the token before it to the token after it.
    pub(super) gaps: Vec<Span>,
}

impl Torn {
    /// Returns the stream without the brackets that have no partner; unchanged if there are many.
    pub(super) fn mended<'a>(&mut self, stream: Stream<'a>) -> Stream<'a> {
        let (errors, places) = delimiters::unmatched(&stream.tokens, MOST);
        if errors.len() >= MOST {
            return stream;
        }
        let tokens = &stream.tokens;
        for &at in &places {
            let before = tokens[at.saturating_sub(1)].span;
            let after = tokens.get(at + 1).map_or(stream.end, |token| token.span);
            self.gaps.push(before.to(after));
        }
        let mut places = places.iter().peekable();
        let is_kept = |(at, _): &(usize, _)| places.next_if(|place| **place == *at).is_none();
        let kept = tokens.iter().enumerate().filter(is_kept);
        let kept: Vec<_> = kept.map(|(_, token)| token.clone()).collect();
        let mut mended = Stream::new(kept, stream.end);
        mended.is_torn = true;
        mended
    }
}

/// Returns the names of a text that some construct in it may define.
pub(super) fn defined(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let defines = |token: &Token| match token.kind {
        TokenKind::Keyword(keyword) => keyword == Keyword::In,
        TokenKind::Symbol(symbol) => matches!(
            symbol,
            Symbol::Assign | Symbol::AssignNonEmpty | Symbol::PlusAssign | Symbol::Element
        ),
        _ => false,
    };
    let pairs = tokens.windows(2);
    pairs.filter_map(move |pair| defines(&pair[1]).then_some(&pair[0]))
}
