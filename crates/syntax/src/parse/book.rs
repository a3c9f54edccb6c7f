//! Reports moves in the notation of games and books that are used as filters, with their CQL form.

use super::error::code;
use super::mend::Mend;
use super::{Last, Parser};
use crate::diagnostic::Diagnostic;
use crate::migrate::write;
use crate::san::{San, Side};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};

/// Maximum number of moves in a help text.
const SHOWN: usize = 4;

impl Parser<'_> {
    /// Returns the error for a name that is a move: `Nbd2`, `exd5`.
    pub(super) fn move_of_a_book(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let san = San::read(name)?;
        let at = self.pos.checked_sub(1);
        let at = at.filter(|&at| self.span_at(at) == span)?;
        let mark = self.mark_at(at + 1);
        let [white, black] =
            [Side::White, Side::Black].map(|side| san.cql(side) + mark.unwrap_or(""));
        let other = match white == black {
            true => String::new(),
            false => format!(", by Black `{black}`"),
        };
        let message = format!("`{name}` is a move as games are written, not a filter");
        let help = format!("a move is written `{white}`{other}");
        let error = Diagnostic::error(code::BOOK_MOVE, span, message);
        let mut whole = span;
        // with a sign after it, as in `Nxe5+`
        if mark.is_some() {
            whole = whole.to(self.span_at(at + 1));
        }
        // with a dash before it, as in `--Nbd2`
        if let Some(dash) = at.checked_sub(1).filter(|_| !self.space_at(at))
            && let Some(Symbol::Dash | Symbol::CaptureDash) = self.symbol_at(dash)
        {
            if dash > 0 && !self.space_at(dash) {
                return Some(error.with_help(help));
            }
            whole = self.span_at(dash).to(whole);
        }
        Some(error.with_help(help).with_edit(whole, white))
    }

    /// Returns the target that the token means as a sign of check or mate after a move.
    pub(super) fn mark_at(&self, at: usize) -> Option<&'static str> {
        let is_end = self.kind_at(at + 1).is_none() || self.space_at(at + 1);
        match self.symbol_at(at) {
            Some(Symbol::Plus) if is_end && !self.space_at(at) => Some("(check)"),
            Some(Symbol::Count) if is_end && !self.space_at(at) => Some("(mate)"),
            _ => None,
        }
    }

    /// Returns a proposal for the sign of check or mate at `at`, after a move such as `Q--f7` or
    /// `Qf7`.
    pub(super) fn mend_of_mark(&self, at: usize) -> Option<Mend> {
        let target = self.mark_at(at)?;
        let before = at.checked_sub(1)?;
        let is = |back: usize, signs: &[Symbol]| {
            let symbol = at.checked_sub(back).and_then(|at| self.symbol_at(at));
            symbol.is_some_and(|symbol| signs.contains(&symbol))
        };
        const DASHES: &[Symbol] = &[Symbol::Dash, Symbol::CaptureDash];
        let is_promotion = is(2, &[Symbol::Assign]) && (is(3, DASHES) || is(4, DASHES));
        if is(1, DASHES) || is(2, DASHES) || is_promotion {
            let help = format!("what holds after a move stands in parentheses: `--{target}`");
            return Some(Mend::edit(help, self.span_at(at), target));
        }
        let san = San::read(&self.move_word_at(before)?)?;
        let [white, black] = [Side::White, Side::Black].map(|side| san.cql(side) + target);
        let help = format!("a move is written `{white}`, by Black `{black}`");
        Some(Mend::edit(help, self.tokens(before, at), white))
    }

    /// Returns a proposal for `e8=Q`, whose `=` is the next token, and the index of the token after
    /// it.
    pub(super) fn mend_of_promotion(&self, last: Last) -> Option<(Mend, usize)> {
        if self.space_at(self.pos) || self.space_at(self.pos + 1) {
            return None;
        }
        let piece = self.span_at(self.pos + 1);
        let square = self.move_word_at(self.pos.checked_sub(1)?)?;
        let word = square + &self.move_word_at(self.pos + 1)?;
        let mut text = San::read(&word)?.cql(Side::White);
        let (mut whole, mut end) = (last.span.to(piece), self.pos + 2);
        if let Some(target) = self.mark_at(end) {
            text += target;
            whole = whole.to(self.span_at(end));
            end += 1;
        }
        let help = format!("a promotion is written `{text}`");
        Some((Mend::edit(help, whole, text), end))
    }

    /// Reports the numbered moves (`1.e4 e5 2.Nf3`) that follow, if there are any, and skips them
    /// up to the token `end`. A number on its own would be an error in any case. `in_path` tells
    /// whether they are parts of a path.
    pub(super) fn moves_of_a_book(&mut self, end: usize, in_path: bool) -> bool {
        let start = self.pos;
        if !self.is_move_number(start) {
            return false;
        }
        let mut moves = Vec::new();
        let mut first = Side::White;
        let mut is_whole = true;
        let mut at = start;
        while at < end {
            if self.is_move_number(at) {
                at += 1;
                let number = at;
                while self.symbol_at(at) == Some(Symbol::Dot) {
                    at += 1;
                }
                if moves.is_empty() && at > number + 1 {
                    first = Side::Black;
                }
            } else if let Some((san, next)) = self.san_at(at) {
                let target = self.mark_at(next);
                moves.push((san, target.unwrap_or("")));
                at = next + usize::from(target.is_some());
            } else if let Some(next) = self.castling_at(at) {
                is_whole = false;
                at = next;
            } else {
                break;
            }
        }
        if moves.is_empty() {
            return false;
        }
        let span = self.span_at(start).to(self.span_at(at - 1));
        let texts: Vec<String> = moves
            .iter()
            .zip(Side::in_turn(first))
            .map(|((san, target), side)| san.cql(side) + target)
            .collect();
        let more = if texts.len() > SHOWN { " …" } else { "" };
        let shown = texts[..texts.len().min(SHOWN)].join(" ");
        let message = "these are moves as games are written, not filters";
        let error = Diagnostic::error(code::BOOK_MOVE, span, message).with_help(format!(
            "moves that follow each other are the parts of a `path`: `path {shown}{more}`"
        ));
        let moves = texts.join(" ");
        let text = if in_path { moves } else { format!("path {moves}") };
        self.pos = at;
        self.report(match (is_whole, at < end && !in_path) {
            (true, true) => error.with_edit(span, format!("{{{text}}}")),
            (true, false) => error.with_edit(span, text),
            (false, _) => error,
        });
        true
    }

    /// Whether `1.` is at the token `at`.
    fn is_move_number(&self, at: usize) -> bool {
        matches!(self.kind_at(at), Some(TokenKind::Integer(_)))
            && self.symbol_at(at + 1) == Some(Symbol::Dot)
            && !self.space_at(at + 1)
    }

    /// Returns the move at the token `at`, and the index of the token after it.
    fn san_at(&self, at: usize) -> Option<(San, usize)> {
        let word = self.move_word_at(at)?;
        if self.symbol_at(at + 1) == Some(Symbol::Assign)
            && !self.space_at(at + 1)
            && let Some(piece) = self.move_word_at(at + 2)
            && let Some(san) = San::read(&(word.clone() + &piece))
        {
            return Some((san, at + 3));
        }
        Some((San::read(&word)?, at + 1))
    }

    /// Returns a word that may be a move, or the piece of a promotion. A designator is returned in
    /// ASCII, whatever its spelling (`♘f3`).
    fn move_word_at(&self, at: usize) -> Option<String> {
        match self.kind_at(at)? {
            TokenKind::Name(_) => Some(self.text_of(self.span_at(at))),
            TokenKind::Designator(d) => write::designator(d.pieces, d.squares),
            _ => None,
        }
    }

    /// Returns the index of the token after the castling `O-O` at `at`.
    fn castling_at(&self, at: usize) -> Option<usize> {
        let is_letter = |at| self.name_at(at) == Some("O");
        let is_next = |at| self.symbol_at(at) == Some(Symbol::Minus) && is_letter(at + 1);
        match (is_letter(at), is_next(at + 1), is_next(at + 3)) {
            (true, true, true) => Some(at + 5),
            (true, true, false) => Some(at + 3),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn moves_are_the_same_in_every_spelling() {
        let help = |text: &str| {
            let source = Source { name: "", text: text.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let found = parsed.diagnostics.iter().find(|d| d.code == "E0114");
            found.and_then(|d| d.help.clone())
        };
        let ascii = help("cql() 1.e4 e5 2.Nf3 a3 3.e8=Q");
        assert!(ascii.as_ref().is_some_and(|help| help.contains("N--f3")));
        assert_eq!(help("cql() 1▦e4 e5 2▦♘f3 a3 3▦e8=♕"), ascii);
        assert_eq!(help("cql() 1.e4 e5 2.[N]f3 a3 3.e8=[Q]"), ascii);
        assert_eq!(help("cql() 1.4 e5 2.♘f3"), help("cql() 1.4 e5 2.Nf3"));
    }
}
