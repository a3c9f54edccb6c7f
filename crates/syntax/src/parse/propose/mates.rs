//! Proposes the mates that others write as `mate in 3`, `#2` and `checkmate on h8`.

use super::words::{men, synonym};
use crate::builtin::Keyword;
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};

/// Returns the path to a mate in so many moves, after the help that says what it finds.
pub fn mate_in(n_moves: u32) -> Option<(String, String)> {
    let half_moves = n_moves.checked_mul(2)?.checked_sub(1)?;
    let path = format!("path --{{{half_moves}}} mate");
    let help = format!(
        "`{path}` finds where it was played, forced or not; `evalmate` reads it from the evaluations \
         in comments{}",
        if n_moves == 2 { ", and `cql cookbook mate in two` proves it" } else { "" }
    );
    Some((help, path))
}

impl Parser<'_> {
    /// Returns a proposal for `checkmate in 3` or `checkmate on h8`, whose first word is at `at`, and the
    /// token after it.
    pub(super) fn mend_of_mated(&self, at: usize) -> Option<Proposal> {
        let (_, meaning) = synonym(self.name_at(at)?)?;
        meaning.filter(|word| *word == Keyword::Mate.text())?;
        self.mend_of_mate_in(at).or_else(|| self.mend_of_mate_on(at))
    }

    /// Returns a proposal for `mate in 3`, whose first word is at `at`, and the token after it.
    pub(in crate::parse) fn mend_of_mate_in(&self, at: usize) -> Option<Proposal> {
        self.keyword_at(at + 1).filter(|word| *word == Keyword::In)?;
        let mut last = at + 2;
        let n_moves = u32::try_from(self.amount_at(last)?).ok()?;
        if matches!(&*self.text_at(last + 1), "move" | "moves") {
            last += 1;
        }
        let half_moves = n_moves.checked_mul(2)?.checked_sub(1)?;
        if self.text_at(at).eq_ignore_ascii_case("mated") {
            let help = format!(
                "`path --{{{half_moves}}} mate` begins with a move of the winner, `path --{{{}}} \
                 mate` with one of the loser",
                half_moves + 1
            );
            return Some((Mend::advice(help), last + 1));
        }
        Some((self.mate_after(at, last, n_moves)?, last + 1))
    }

    /// Returns a proposal for `checkmate on h8`, whose first word is at `at`, and the token after it.
    fn mend_of_mate_on(&self, at: usize) -> Option<Proposal> {
        let (square, last) = self.place_after(at + 1)?;
        let text = format!("mate {{{{K{square} wtm}} or {{k{square} btm}}}}");
        let help = format!("a king that is mated there is the one to move: `{text}`");
        self.propose_filters(help, at, last, text)
    }

    /// Returns a proposal for `pawn mate` and `white queen check`, whose piece is at `at`, and the token
    /// after them.
    pub(in crate::parse) fn mend_of_mating_piece(&self, at: usize) -> Option<Proposal> {
        let (name, last) = (self.name_at(at)?, at + 1);
        // A king gives mate and check only by a discovered one.
        let both = men(name).filter(|both| *both != "[Kk]")?;
        let word = self.text_of(self.span_at(last)).to_ascii_lowercase();
        let (word, verb) = match word.as_str() {
            "mate" | "mates" | "checkmate" | "checkmates" => (Keyword::Mate.text(), "mates"),
            "check" | "checks" => (Keyword::Check.text(), "gives check"),
            _ => return None,
        };
        let before = at.checked_sub(1);
        let (first, men) = match before.and_then(|at| self.keyword_at(at)) {
            Some(Keyword::White) => (at - 1, &both[1..2]),
            Some(Keyword::Black) => (at - 1, &both[2..3]),
            _ => (at, both),
        };
        let text = format!("{word} currentmove {men}--");
        let help = format!("the move that {verb} is one of this piece: `{text}`");
        self.propose_filters(help, first, last, text)
    }

    /// Returns a proposal for the mate in so many moves that the tokens from `first` to `last` mean.
    fn mate_after(&self, first: usize, last: usize, n_moves: u32) -> Option<Mend> {
        let (help, path) = mate_in(n_moves)?;
        // A path takes in what follows it.
        let text = if self.kind_at(last + 1).is_some() { format!("{{{path}}}") } else { path };
        Some(Mend::edit(help, self.tokens(first, last), text))
    }

    /// Returns a proposal for `#2`, the sign of problems for a mate in two, whose first token is at
    /// `at`.
    pub(in crate::parse) fn mend_of_problem(&self, at: usize) -> Option<Mend> {
        let TokenKind::Integer(n_moves) = self.kind_at(at + 1)? else {
            return None;
        };
        // `h#2` is a helpmate, and `#2 > 1` no mate.
        let is_apart = at == 0 || self.space_at(at) || self.symbol_at(at - 1).is_some();
        let is_end = |sign| matches!(sign, Symbol::CloseBrace | Symbol::CloseParen);
        if !is_apart || self.space_at(at + 1) || !self.symbol_at(at + 2).is_none_or(is_end) {
            return None;
        }
        self.mate_after(at, at + 1, u32::try_from(*n_moves).ok()?)
    }

    /// Returns the advice for `h#2` or another stipulation of problems that begins at `at`, unless it is a
    /// mate, and the token after it.
    pub(super) fn mend_of_stipulation(&self, at: usize) -> Option<Proposal> {
        let is_kind = matches!(self.name_at(at)?, "h" | "s" | "r" | "hs" | "hr" | "ser");
        let is_mate = self.symbol_at(at + 1) == Some(Symbol::Count) && !self.space_at(at + 1);
        let help = "no filter solves problems; `mate` is true at the end of a solution";
        let is_stipulation = is_kind && is_mate && self.digits_at(at + 2).is_some();
        is_stipulation.then(|| (Mend::advice(help), at + 3))
    }
}
