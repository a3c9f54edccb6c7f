//! Proposes the number of moves that is meant by `moves < 20` and `number of legal moves`.

use super::foreign::opposite;
use super::properties::{Property, length_named, property};
use super::words;
use crate::builtin::Keyword;
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};

/// Other words with which the length of a game and the number of moves are said.
const OF_LENGTHS: &str =
    "count game games half legal legalmoves mobility nr number of possible size the";

/// The number of the last move.
const MOVES: &str = "(ply + 1) / 2";

impl Parser<'_> {
    /// Returns a proposal for words around `at` that are the length of a game, as in `moves < 20` and
    /// `len(moves) > 200`, or the number of legal moves, as in `number of legal moves`, and the token
    /// after them.
    pub(super) fn mend_of_length(&self, at: usize) -> Option<Proposal> {
        let (first, words, end) = self.words_of_length(at)?;
        let has = |some: &str| words.iter().any(|word| words::has(some, word));
        let is_number = words.len() > 1 && has("number count nr len length size");
        let is_compared = self.symbol_at(end).is_some_and(Symbol::is_comparison);
        if has("legal legalmoves possible mobility") {
            let help = "`legal --` is true where a move could be played, and `countmoves legal --` \
                        is how many there are: `countmoves legal -- == 1`";
            let text = Some("countmoves legal --").filter(|_| is_number || is_compared);
            return Some((Mend::of_synonym(help, text, self.tokens(first, end - 1)), end));
        }
        let named = |length| words.iter().any(|word| length_named(word) == Some(length));
        let number = match () {
            () if named("ply") => "ply",
            () if named(MOVES) || is_number && has("game") => MOVES,
            () => return None,
        };
        if self.keyword_at(end) == Some(Keyword::Between) {
            let ([low, high], last) = self.bounds_after(end, |at| self.digits_at(at))?;
            return self.length_of_game(first, last, &[&low, "<=", number, "<=", &high]);
        }
        let before = first.checked_sub(1);
        // as in `50 moves`
        let amount = before.filter(|_| !is_compared && words.len() == 1);
        if let Some(n) = amount.and_then(|at| self.digits_at(at))
            && let Ok(half_moves) = n.parse::<u32>().map(|n| n.saturating_mul(2))
        {
            let help = format!(
                "a game of so many moves is `terminal {number} == {n}`; so many without a capture or a \
                 move of a pawn are `halfmoveclock >= {half_moves}`"
            );
            return Some((Mend::advice(help), end));
        }
        let sign = self.symbol_at(end).filter(|_| is_compared)?.text();
        let most = self.digits_at(end + 1)?;
        // as in `#moves < 20`
        let count = before.filter(|&at| self.symbol_at(at) == Some(Symbol::Count));
        self.length_of_game(count.unwrap_or(first), end + 1, &[number, sign, &most])
    }

    /// Returns a proposal for the tokens from `first` to `last`, which compare the length of the game, and
    /// the token after them. The parts of the comparison are `parts`.
    fn length_of_game(&self, first: usize, last: usize, parts: &[&str]) -> Option<Proposal> {
        let is_operator = |at: usize| {
            let sign = self.symbol_at(at);
            let is_sum = matches!(
                sign,
                Some(Symbol::Plus | Symbol::Minus | Symbol::Star | Symbol::Slash | Symbol::Percent)
            );
            is_sum || sign.is_some_and(Symbol::is_comparison)
        };
        let help = |text: &str| format!("the length of a game is its number at the end: `{text}`");
        // as in `20 < moves < 30` and `moves < 20 + 5`
        if first.checked_sub(1).is_some_and(is_operator) || is_operator(last + 1) {
            return Some((Mend::advice(help("terminal (ply + 1) / 2 < 20")), last + 1));
        }
        let is_not = |at: usize| self.keyword_at(at) == Some(Keyword::Not);
        let not = first.checked_sub(1).filter(|&at| is_not(at));
        // The opposite of `terminal F` is true in every other position.
        let turned = match parts {
            &[number, sign, most] if not.is_some() => Some([number, opposite(sign)?, most]),
            _ => None,
        };
        let start = not.filter(|_| turned.is_some()).unwrap_or(first);
        let condition = turned.as_ref().map_or(parts, |parts| parts).join(" ");
        let text = format!("terminal {condition}");
        // Beside other filters, the length is that of the game, and not a condition on its last position.
        if !self.is_of_games(start, last) {
            let text = format!("find {{{text}}}");
            return self.propose(help(&text), start, last, text);
        }
        let help = help(&text);
        self.propose_filters(help, start, last, text)
    }

    /// Whether all tokens but those from `first` to `last` are conditions on games, which hold in every
    /// position or in none.
    fn is_of_games(&self, first: usize, last: usize) -> bool {
        let header = (self.keyword_at(0) == Some(Keyword::Cql)).then(|| self.stream.partner(1));
        let body = header.flatten().map_or(0, |close| close + 1);
        (body..first).chain(last + 1..self.limit).all(|at| match self.kind_at(at) {
            Some(TokenKind::Keyword(word)) => {
                matches!(
                    word,
                    Keyword::And | Keyword::Or | Keyword::Mate | Keyword::Stalemate | Keyword::Tag
                ) || property(word.text()).is_some_and(Property::is_of_game)
            }
            Some(TokenKind::Name(name)) => {
                length_named(name).is_some() || property(name).is_some_and(Property::is_of_game)
            }
            Some(TokenKind::Symbol(sign)) => !matches!(
                sign,
                Symbol::Dash | Symbol::CaptureDash | Symbol::Dot | Symbol::Complement
            ),
            Some(TokenKind::Integer(_) | TokenKind::String(_) | TokenKind::Result(_)) => true,
            _ => false,
        })
    }

    /// Returns the words around `at` with which a length is said, in small letters, with the token at
    /// which they begin and the one after them.
    fn words_of_length(&self, at: usize) -> Option<(usize, Vec<String>, usize)> {
        // as in `ply_count`
        let lower = |at: usize| self.lower_at(at).replace('_', "");
        let is_word = |at: usize| {
            let word = lower(at);
            self.is_word_at(at) && (words::has(OF_LENGTHS, &word) || length_named(&word).is_some())
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
        (end > at).then_some((first, words, end))
    }
}
