//! The tokens of a text or of an expanded function, with functions to read them.

use std::borrow::Cow;
use std::cell::OnceCell;

use super::Parser;
use crate::builtin::Keyword;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::{Filter, FilterKind, Type};

/// Tokens with their bracket structure.
pub(super) struct Stream<'a> {
    pub(super) tokens: Cow<'a, [Token]>,
    /// For each bracket, the index of its partner; for every other token, [`NONE`].
    partners: Vec<u32>,
    /// Whether all brackets have partners.
    pub(super) balanced: bool,
    /// Whether brackets without a partner have been removed.
    pub(super) is_torn: bool,
    /// Span for errors about a missing token.
    pub(super) end: Span,
    /// See [`Stream::path_end`].
    path_ends: OnceCell<Vec<u32>>,
}

/// Value for no partner; greater than the number of tokens of any text or expanded function.
const NONE: u32 = u32::MAX;

impl<'a> Stream<'a> {
    pub(super) fn new(tokens: impl Into<Cow<'a, [Token]>>, end: Span) -> Stream<'a> {
        let tokens = tokens.into();
        let mut partners = vec![NONE; tokens.len()];
        let mut open: Vec<(usize, Symbol)> = Vec::new();
        let mut balanced = true;
        for (at, token) in tokens.iter().enumerate() {
            let TokenKind::Symbol(symbol) = token.kind else {
                continue;
            };
            match symbol {
                Symbol::OpenParen | Symbol::OpenBrace | Symbol::OpenBracket => {
                    open.push((at, symbol));
                }
                Symbol::CloseParen | Symbol::CloseBrace | Symbol::CloseBracket => {
                    let wanted = match symbol {
                        Symbol::CloseParen => Symbol::OpenParen,
                        Symbol::CloseBrace => Symbol::OpenBrace,
                        _ => Symbol::OpenBracket,
                    };
                    match open.pop() {
                        Some((start, found)) if found == wanted => {
                            partners[start] = at as u32;
                            partners[at] = start as u32;
                        }
                        _ => balanced = false,
                    }
                }
                _ => {}
            }
        }
        balanced &= open.is_empty();
        Stream { tokens, partners, balanced, is_torn: false, end, path_ends: OnceCell::new() }
    }

    /// Returns the partner of a token, if it is a bracket with a partner.
    pub(super) fn partner(&self, at: usize) -> Option<usize> {
        let partner = *self.partners.get(at)?;
        (partner != NONE).then_some(partner as usize)
    }

    /// Returns the token before which a path whose content begins at `at` ends at the latest: the
    /// next one outside of brackets that closes one or follows a blank line, or the end of the
    /// text.
    ///
    /// Thousands of paths may end at the same token, so all ends are computed together, from the
    /// last token to the first.
    pub(super) fn path_end(&self, at: usize) -> usize {
        let ends = self.path_ends.get_or_init(|| {
            let n = self.tokens.len();
            let mut ends = vec![n as u32; n + 1];
            for (at, token) in self.tokens.iter().enumerate().rev() {
                let closes = matches!(
                    token.kind,
                    TokenKind::Symbol(
                        Symbol::CloseParen | Symbol::CloseBrace | Symbol::CloseBracket
                    )
                );
                ends[at] = if closes || token.blank_line_before {
                    at as u32
                } else {
                    ends[self.partner(at).unwrap_or(at) + 1]
                };
            }
            ends
        });
        ends.get(at).map_or(at, |&end| end as usize)
    }
}

/// Whether a token is focus, current position, flip or flipcolor as a sign, which counts as a
/// symbol.
fn is_sign(token: &Token) -> bool {
    let TokenKind::Keyword(keyword) = token.kind else {
        return false;
    };
    matches!(
        keyword,
        Keyword::Focus | Keyword::CurrentPosition | Keyword::Flip | Keyword::Flipcolor
    ) && (token.span.end - token.span.start) as usize != keyword.text().len()
}

impl Parser<'_> {
    pub(super) fn kind_at(&self, at: usize) -> Option<&TokenKind> {
        if at >= self.limit {
            return None;
        }
        self.stream.tokens.get(at).map(|token| &token.kind)
    }

    pub(super) fn kind(&self) -> Option<&TokenKind> {
        self.kind_at(self.pos)
    }

    pub(super) fn symbol_at(&self, at: usize) -> Option<Symbol> {
        match self.kind_at(at) {
            Some(&TokenKind::Symbol(symbol)) => Some(symbol),
            _ => None,
        }
    }

    pub(super) fn symbol(&self) -> Option<Symbol> {
        self.symbol_at(self.pos)
    }

    pub(super) fn keyword_at(&self, at: usize) -> Option<Keyword> {
        match self.kind_at(at) {
            Some(&TokenKind::Keyword(keyword)) => Some(keyword),
            _ => None,
        }
    }

    pub(super) fn keyword(&self) -> Option<Keyword> {
        self.keyword_at(self.pos)
    }

    pub(super) fn name_at(&self, at: usize) -> Option<&str> {
        match self.kind_at(at) {
            Some(TokenKind::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// Returns the next token if it is a string literal.
    pub(super) fn literal(&self) -> Option<&[u8]> {
        match self.kind() {
            Some(TokenKind::String(text)) => Some(text),
            _ => None,
        }
    }

    /// Reads the next token, whatever it is. Returns its index.
    pub(super) fn eat(&mut self) -> usize {
        self.pos += 1;
        self.pos - 1
    }

    pub(super) fn eat_symbol(&mut self, symbol: Symbol) -> bool {
        let found = self.symbol() == Some(symbol);
        self.pos += usize::from(found);
        found
    }

    pub(super) fn eat_keyword(&mut self, keyword: Keyword) -> bool {
        let found = self.keyword() == Some(keyword);
        self.pos += usize::from(found);
        found
    }

    /// Reads the next token if it is a string literal. Returns it with its span.
    pub(super) fn eat_literal(&mut self) -> Option<(Vec<u8>, Span)> {
        let text = self.literal()?.to_vec();
        let span = self.here();
        self.pos += 1;
        Some((text, span))
    }

    /// Returns the span of the next token.
    pub(super) fn here(&self) -> Span {
        self.span_at(self.pos)
    }

    pub(super) fn span_at(&self, at: usize) -> Span {
        match self.stream.tokens.get(at) {
            Some(token) => token.span,
            None => self.stream.end,
        }
    }

    /// Returns the span from the token `start` to the one before the next.
    pub(super) fn span_from(&self, start: usize) -> Span {
        let first = self.span_at(start);
        if self.pos > start + 1 { first.to(self.span_at(self.pos - 1)) } else { first }
    }

    /// Returns the last of these words between the token `start` and the next one, outside of
    /// brackets; the whole span if there is none.
    pub(super) fn last_word(&self, start: usize, words: &[Keyword]) -> Span {
        let mut found = self.span_from(start);
        let mut at = start;
        while at < self.pos {
            if self.keyword_at(at).is_some_and(|word| words.contains(&word)) {
                found = self.span_at(at);
            }
            at = self.stream.partner(at).filter(|&close| close > at).unwrap_or(at) + 1;
        }
        found
    }

    pub(super) fn make(&self, start: usize, ty: Type, kind: FilterKind) -> Filter {
        Filter { kind, ty, span: self.span_from(start) }
    }

    /// Whether white space precedes the token.
    pub(super) fn space_at(&self, at: usize) -> bool {
        self.stream.tokens.get(at).is_none_or(|t| t.space_before)
    }

    /// Whether a dash at `at` belongs to the token before it.
    pub(super) fn is_tied_left(&self, at: usize) -> bool {
        if at == 0 || self.space_at(at) {
            return false;
        }
        let before = &self.stream.tokens[at - 1];
        match before.kind {
            TokenKind::Symbol(Symbol::Union | Symbol::Intersect | Symbol::Element) => false,
            TokenKind::Symbol(symbol) => !symbol
                .text()
                .ends_with(['(', '{', ':', '+', '-', '*', '/', '>', '<', ',', '~', '=']),
            TokenKind::TripleSlash => false,
            _ => !is_sign(before),
        }
    }

    /// Whether a dash directly before the token `at` belongs to it.
    pub(super) fn is_tied_right(&self, at: usize) -> bool {
        if self.kind_at(at).is_none() || self.space_at(at) {
            return false;
        }
        match self.symbol_at(at) {
            Some(symbol) => !symbol.text().starts_with(['}', ')', '*', '+', '?', ':']),
            None => true,
        }
    }

    /// Whether only white space and comments precede the token on its line.
    pub(super) fn is_first_on_line(&self, at: usize) -> bool {
        if at == 0 {
            return true;
        }
        let (before, here) = (self.span_at(at - 1), self.span_at(at));
        if before.source != here.source || here.start < before.end {
            return true;
        }
        let text = self.texts.get(usize::from(here.source.0));
        text.and_then(|t| t.get(before.end as usize..here.start as usize))
            .is_some_and(|gap| gap.contains(&b'\n'))
    }

    /// Whether a filter can begin with the token.
    pub(super) fn may_start(&self, at: usize) -> bool {
        match self.kind_at(at) {
            None => false,
            Some(TokenKind::Symbol(symbol)) => matches!(
                symbol,
                Symbol::Dash
                    | Symbol::CaptureDash
                    | Symbol::ForAll
                    | Symbol::EmptySet
                    | Symbol::Minus
                    | Symbol::Dot
                    | Symbol::OpenParen
                    | Symbol::OpenBrace
                    | Symbol::Count
                    | Symbol::Complement
            ),
            Some(&TokenKind::Keyword(keyword)) => keyword.begins_filter(),
            Some(
                TokenKind::Repetition { .. }
                | TokenKind::Result(_)
                | TokenKind::TripleSlashEnd
                | TokenKind::Input(_)
                | TokenKind::Output(_),
            ) => false,
            Some(_) => true,
        }
    }
}
