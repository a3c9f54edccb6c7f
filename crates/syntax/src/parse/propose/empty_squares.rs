//! Proposes conditions for squares that are called empty: `d4 is empty`, `empty d4,e4`.

use super::words::synonym;
use crate::builtin::Keyword;
use crate::parse::mend::Proposal;
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};

impl Parser<'_> {
    /// Returns a proposal for squares at `at` that are compared with the empty ones, as in
    /// `d4 is empty` and `d4 = _`, and the token after them.
    pub(super) fn mend_of_empty(&self, at: usize) -> Option<Proposal> {
        let squares = self.squares_at(at)?;
        let sign = self.text_at(at + 1);
        let is_other = self.keyword_at(at + 2) == Some(Keyword::Not);
        let last = at + 2 + usize::from(is_other);
        let value = self.lower_at(last);
        if !matches!(sign.as_str(), "=" | "==" | "!=" | "is" | "are")
            || !matches!(value.as_str(), "_" | "empty" | "free" | "nothing")
        {
            return None;
        }
        let written = self.whole_text_at(at);
        let (help, text) = empty_help(&written, squares, is_other != (sign == "!="));
        self.propose(help, at, last, text)
    }

    /// Returns the squares of a designator without pieces.
    pub(super) fn squares_at(&self, at: usize) -> Option<u64> {
        match self.kind_at(at)? {
            TokenKind::Designator(set) if !set.has_pieces => Some(set.squares),
            _ => None,
        }
    }

    /// Returns a proposal for `empty d4,e4`, whose word is at `at`, and the token after them.
    pub(super) fn mend_of_empty_squares(&self, at: usize) -> Option<Proposal> {
        let (_, meaning) = synonym(self.name_at(at)?)?;
        let mut last = at + 1;
        let mut squares = self.squares_at(last).filter(|_| meaning == Some("_"))?;
        let mut written = self.whole_text_at(last);
        while self.symbol_at(last + 1) == Some(Symbol::Comma)
            && let Some(more) = self.squares_at(last + 2)
        {
            last += 2;
            squares |= more;
            written += &format!(",{}", self.whole_text_at(last));
        }
        if last > at + 1 {
            written = format!("[{written}]");
        }
        let (mut help, mut text) = empty_help(&written, squares, false);
        if last > at + 1 && self.word_before(at) == Some(Keyword::Not) {
            help = format!(
                "`not _{written}` asks for none of them to be empty, `not {{{text}}}` for not all"
            );
            text = format!("_{written}");
        }
        self.propose_filters(help, at, last, text)
    }
}

/// Returns the help about squares that are called empty, or not, and the condition.
pub(crate) fn empty_help(written: &str, squares: u64, is_other: bool) -> (String, String) {
    let text = empty_of(written, squares, is_other);
    let help = match squares.count_ones() {
        _ if is_other => format!("`_{written}` are those of the squares that are empty: `{text}`"),
        1 => format!("`_` is the set of empty squares: `{text}`"),
        _ => format!("`{text}` asks for each to be empty, `_{written}` for any of them"),
    };
    (help, text)
}

/// Returns the condition that squares, which are written so, are all empty, or that there is something
/// on one of them.
fn empty_of(written: &str, squares: u64, is_other: bool) -> String {
    /// Maximum number of squares that are written out.
    const FEW: u32 = 4;
    match squares.count_ones() {
        _ if is_other => format!("[Aa]{written}"),
        1 => format!("_{written}"),
        n if n > FEW => format!("_{written} == {n}"),
        _ => on_each("_", squares),
    }
}

/// Returns the pieces on each of some squares: `Pa2 Pb3`.
fn on_each(pieces: &str, squares: u64) -> String {
    let each = (0_u8..64).filter(|square| squares & 1 << square != 0).map(|square| {
        format!("{pieces}{}{}", char::from(b'a' + square % 8), char::from(b'1' + square / 8))
    });
    each.collect::<Vec<_>>().join(" ")
}
