//! The tokens of a text or of an expanded function, with their brackets.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};

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
