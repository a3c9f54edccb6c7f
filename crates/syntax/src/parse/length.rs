//! Proposes the number of moves that is meant by `moves < 20` and `number of legal moves`.

use super::mend::Mend;
use super::parser::Parser;
use super::property::length_named;
use crate::builtin::Keyword;
use crate::token::{Symbol, TokenKind};

/// Words of which the length of a game and the number of moves are said.
const OF_LENGTHS: &[&str] = &[
    "count",
    "game",
    "gamelength",
    "games",
    "half",
    "halfmoves",
    "legal",
    "legalmoves",
    "len",
    "length",
    "mobility",
    "movecount",
    "moves",
    "movescount",
    "nmoves",
    "nplies",
    "nr",
    "number",
    "numberofmoves",
    "nummoves",
    "of",
    "plies",
    "plycount",
    "possible",
    "size",
    "the",
];

impl Parser<'_> {
    /// Returns a proposal for words around `at` that are the length of a game, as in `moves < 20` and
    /// `len(moves) > 200`, or the number of legal moves, as in `number of legal moves`, and the token
    /// after them.
    pub(super) fn mend_of_length(&self, at: usize) -> Option<(Mend, usize)> {
        // as in `ply_count`
        let lower =
            |at: usize| self.text_of(self.span_at(at)).to_ascii_lowercase().replace('_', "");
        let is_word = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Name(_) | TokenKind::Keyword(_)))
                && OF_LENGTHS.contains(&&*lower(at))
        };
        let mut first = at;
        while let Some(before) = first.checked_sub(1).filter(|&before| is_word(before)) {
            first = before;
        }
        let (mut words, mut end) = (Vec::new(), first);
        loop {
            // as in `len(moves)`
            let is_open = end > first && self.symbol_at(end) == Some(Symbol::OpenParen);
            if is_open && self.stream.partner(end) == Some(end + 2) && is_word(end + 1) {
                words.push(lower(end + 1));
                end += 3;
            } else if is_word(end) {
                words.push(lower(end));
                end += 1;
            } else {
                break;
            }
        }
        let has = |some: &[&str]| words.iter().any(|word| some.contains(&word.as_str()));
        let is_number = words.len() > 1 && has(&["number", "count", "nr", "len", "length", "size"]);
        let is_compared = self.symbol_at(end).is_some_and(Symbol::is_comparison);
        if end <= at {
            return None;
        }
        if has(&["legal", "legalmoves", "possible", "mobility"]) {
            let text = "countmoves legal --";
            let help = "`legal --` is true where a move could be played, and `countmoves legal --` \
                        is how many there are: `countmoves legal -- == 1`";
            let whole = self.tokens(first, end - 1);
            return Some(if is_number || is_compared {
                (Mend::edit(help, whole, text), end)
            } else {
                (Mend::advice(help), end)
            });
        }
        let named = |length| words.iter().any(|word| length_named(word) == Some(length));
        const MOVES: &str = "(ply + 1) / 2";
        let number = if named("ply") {
            "ply"
        } else if named(MOVES) || is_number && has(&["game"]) {
            MOVES
        } else {
            return None;
        };
        let bound = |at: usize| match self.kind_at(at)? {
            TokenKind::Integer(_) => Some(self.whole_text_of(self.span_at(at))),
            _ => None,
        };
        if self.keyword_at(end) == Some(Keyword::Between) {
            let joint = matches!(self.keyword_at(end + 2), Some(Keyword::And));
            let last = end + 2 + usize::from(joint);
            let text = format!("terminal {} <= {number} <= {}", bound(end + 1)?, bound(last)?);
            let help = format!("the length of a game is its number at the end: `{text}`");
            let text = self.as_one(first, last, text);
            return Some((Mend::edit(help, self.tokens(first, last), text), last + 1));
        }
        // as in `50 moves`
        let before = first.checked_sub(1).filter(|_| !is_compared && words.len() == 1);
        if let Some(n) = before.and_then(bound)
            && let Ok(half_moves) = n.parse::<u32>().map(|n| n.saturating_mul(2))
        {
            let help = format!(
                "a game of so many moves is `terminal {number} == {n}`; so many without a capture or a \
                 move of a pawn are `halfmoveclock >= {half_moves}`"
            );
            return Some((Mend::advice(help), end));
        }
        let sign = self.symbol_at(end).filter(|_| is_compared)?;
        let TokenKind::Integer(_) = self.kind_at(end + 1)? else {
            return None;
        };
        if let Some(before) = first.checked_sub(1)
            && self.symbol_at(before) == Some(Symbol::Count)
        {
            first = before;
        }
        let most = self.whole_text_of(self.span_at(end + 1));
        let text = format!("terminal {number} {} {most}", sign.text());
        let help = format!("the length of a game is its number at the end: `{text}`");
        let text = self.as_one(first, end + 1, text);
        Some((Mend::edit(help, self.tokens(first, end + 1), text), end + 2))
    }
}
