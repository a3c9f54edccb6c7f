//! Keeps the filters of an edit together after a word that takes one filter.

use crate::builtin::Keyword;
use crate::parse::mend::Proposal;
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};
use crate::tree::TransformFamily;

/// Words that take one filter, besides those of transforms.
const TAKE_ONE: [&str; 10] =
    ["not", "find", "loop", "assert", "notransform", "if", "then", "else", "and", "or"];

/// Whether a word takes one filter, as `flipcolor F`, `not F` and `or F`.
#[must_use]
pub fn takes_one_filter(word: &str) -> bool {
    TransformFamily::from_word(word).is_some() || TAKE_ONE.contains(&word)
}

impl Parser<'_> {
    /// Returns the word before the token `at` that takes one filter, as in `flipcolor F` and `not F`.
    pub(super) fn word_before(&self, at: usize) -> Option<Keyword> {
        // as in `flip 2 F` and `find count F`
        let is_range = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Integer(_) | TokenKind::Symbol(Symbol::Minus)) => true,
            kind => matches!(kind, Some(TokenKind::Keyword(Keyword::Count))),
        };
        let at = (0..at).rev().find(|&at| !is_range(at))?;
        self.keyword_at(at).filter(|word| takes_one_filter(word.text()))
    }

    /// Proposes several filters, which are one if the words around them take one, in place of the tokens
    /// from `first` to `last`.
    pub(super) fn propose_filters(
        &self,
        help: impl Into<String>,
        first: usize,
        last: usize,
        filters: String,
    ) -> Option<Proposal> {
        self.propose(help, first, last, self.as_one(first, last, filters))
    }

    /// Returns several filters, which replace the tokens from `first` to `last`, as one: in braces if
    /// the words around them take one.
    pub(super) fn as_one(&self, first: usize, last: usize, filters: String) -> String {
        let is_joined = matches!(self.keyword_at(last + 1), Some(Keyword::And | Keyword::Or));
        let is_one = !filters.contains(' ') || !is_joined && self.word_before(first).is_none();
        if is_one { filters } else { format!("{{{filters}}}") }
    }
}
