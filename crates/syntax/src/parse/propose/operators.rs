//! Proposes corrections of operators and other signs.

use super::lists::ranges;
use super::properties::result_named;
use crate::builtin::Keyword;
use crate::designator::PieceSet;
use crate::parse::mend::{Mend, is_designator};
use crate::parse::parser::{Last, LastForm, Parser};
use crate::san::{San, Side};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Arithmetic, Filter, FilterKind, Type};

impl Parser<'_> {
    /// Returns a proposal for a token that cannot begin a filter.
    pub(in crate::parse) fn mend_of_filter(&self, at: usize) -> Option<Mend> {
        let span = self.span_at(at);
        match *self.kind_at(at)? {
            TokenKind::Symbol(Symbol::Comma) => Some(self.mend_of_comma(at)),
            TokenKind::Symbol(Symbol::OpenBracket) => self.mend_of_bracket(at),
            TokenKind::Symbol(Symbol::LineForward) => {
                let left = self.last.filter(|last| last.end == at)?;
                let is_move = left.ty == Type::Set && !self.space_at(at);
                let help = "a move is written `L--R`; `-->` stands between the parts of a `line`";
                is_move.then(|| Mend::edit(help, span, "--"))
            }
            TokenKind::Keyword(Keyword::In) if self.keyword_at(at + 1) == Some(Keyword::Check) => {
                let help = "`check` is true where the side to move is in check";
                Some(Mend::edit(help, self.tokens(at, at + 1), "check"))
            }
            TokenKind::Keyword(Keyword::Cql) => Some(self.mend_of_header(at)),
            TokenKind::Keyword(Keyword::Count) => {
                let help = "`#S` is the number of squares of a set";
                Some(Mend::edit(help, span, "#"))
            }
            TokenKind::Keyword(Keyword::Attacks | Keyword::Attack) => {
                let close = self.stream.partner(at + 1)?;
                if close != at + 4 {
                    return None;
                }
                let [left, right] = [at + 2, at + 3].map(|at| self.whole_text_at(at));
                let text = format!("{left} attacks {right}");
                Some(Mend::edit(format!("write `{text}`"), self.tokens(at, close), text))
            }
            TokenKind::Keyword(keyword @ (Keyword::And | Keyword::Or)) => {
                Some(Mend::advice(format!(
                    "`{}` stands between two filters; filters beside each other must all match",
                    keyword.text()
                )))
            }
            _ => None,
        }
    }

    /// Returns a proposal for a header at `at`, which is not at the beginning.
    fn mend_of_header(&self, at: usize) -> Mend {
        const HELP: &str = "the header stands once, at the beginning of a query; the filters of an \
                            option such as `-cql` have none";
        let close = self.stream.partner(at + 1).filter(|close| *close == at + 2);
        match close {
            Some(close) => {
                let mut whole = self.tokens(at, close);
                // The blank after it goes, too.
                whole.end = self.span_at(close + 1).start.max(whole.end);
                Mend::edit(HELP, whole, "")
            }
            None => Mend::advice(format!(
                "{HELP}: what it would say are options, too, as `--variations`"
            )),
        }
    }

    /// Returns a proposal for `and < 1950`, whose `and` is the next token, after the comparison
    /// `left`.
    pub(in crate::parse) fn mend_of_second_comparison(
        &self,
        word: Keyword,
        left: &Filter,
    ) -> Option<Mend> {
        let at = self.pos + 1;
        self.symbol_at(at).filter(|sign| sign.is_comparison())?;
        let FilterKind::Relation { left: first, right, .. } = &left.kind else {
            return None;
        };
        let is_number = |filter: &Filter| matches!(filter.kind, FilterKind::Number(_));
        let own = self.text_at(at);
        if matches!(right.kind, FilterKind::Relation { .. }) {
            return None;
        }
        // as in `20 < ply and < 30`
        let is_second = is_number(first) && !is_number(right);
        if is_second && word == Keyword::And {
            let help = format!("a range is one comparison: `{} {own} …`", self.text_of(left.span));
            return Some(Mend::edit(help, self.tokens(self.pos, at), own));
        }
        let value = self.whole_text_of(if is_second { right.span } else { first.span });
        let help = format!("each comparison has two sides: `{} {value} {own} …`", word.text());
        Some(Mend::edit(help, self.span_at(at), format!("{value} {own}")))
    }

    /// Returns a proposal for the operator `word` at the next token, which is not allowed after the
    /// previous filter.
    pub(in crate::parse) fn mend_of_leftover(&self, word: &str, last: Last) -> Option<Mend> {
        let at = self.pos;
        let left = self.whole_text_of(last.span);
        let truth = match self.keyword_at(at + 1) {
            Some(Keyword::True) => Some(true),
            Some(Keyword::False) => Some(false),
            _ => None,
        };
        if let (Some(truth), "=" | "==" | "!=", Type::Boolean) = (truth, word, last.ty)
            && matches!(last.form, LastForm::Other | LastForm::Dash)
        {
            let whole = last.span.to(self.span_at(at + 1));
            let text = if truth == (word != "!=") { left } else { format!("not {left}") };
            let help = format!("a condition stands by itself: `{text}`");
            return Some(Mend::edit(help, whole, text));
        }
        if left == "move" && self.symbol_at(at).is_some_and(Symbol::is_comparison) {
            let help = "the number of the move is `movenumber`";
            return Some(Mend::edit(help, last.span, "movenumber"));
        }
        match (word, last.form) {
            ("->" | "<-", LastForm::Path) => self.mend_of_arrow(at, None),
            ("->" | "<-", LastForm::Dash) => {
                self.mend_of_arrow(at, (!self.path_top).then_some(last.span))
            }
            ("+", LastForm::Dash | LastForm::Designator) => self.mend_of_mark(at),
            ("[", LastForm::Designator) if self.text_at(at + 1) == "X" => {
                let close = self.stream.partner(at).filter(|close| *close == at + 2)?;
                let mut gap = self.tokens(at, close);
                (gap.start, gap.end) = (last.span.end, self.span_at(close + 1).start);
                let help = format!("a capture is written `{left}[x]…`, without blanks");
                Some(Mend::edit(help, gap, "[x]"))
            }
            ("&" | "|", _)
                if last.ty == Type::Boolean
                    || last.ty != Type::Set && left.contains(['=', '<', '>', '≤', '≥']) =>
            {
                let twice = self.symbol_at(at + 1) == self.symbol() && !self.space_at(at + 1);
                let text = if word == "&" { "and" } else { "or" };
                Some(self.mend_of_joint(at, at + usize::from(twice), text))
            }
            ("in", _) if matches!(left.as_str(), "white" | "black") => {
                self.keyword_at(at + 1).filter(|word| *word == Keyword::Check)?;
                let side = if left == "white" { "wtm" } else { "btm" };
                let text = format!("{{{side} check}}");
                let help = format!("the side to move is in check: `{side} check`");
                Some(Mend::edit(help, last.span.to(self.span_at(at + 1)), text))
            }
            ("=", LastForm::Other | LastForm::Designator | LastForm::Lookup)
                if last.ty != Type::Boolean =>
            {
                self.mend_of_assign(at, last)
            }
            _ => None,
        }
    }

    /// Returns a proposal for `=` at `at` that compares, after the previous filter.
    fn mend_of_assign(&self, at: usize, last: Last) -> Option<Mend> {
        let left = self.whole_text_of(last.span);
        if let Some((mend, _)) = self.mend_of_pattern(at) {
            return Some(mend);
        }
        if let Some((mend, _)) = at.checked_sub(1).and_then(|at| self.mend_of_empty(at)) {
            return Some(mend);
        }
        let help = "`==` compares, `=` assigns to a variable";
        let next = self.symbol_at(at + 1).filter(|_| !self.space_at(at + 1));
        if let Some(sign @ (Symbol::Greater | Symbol::Less)) = next {
            let text = format!("{}=", sign.text());
            let help = format!("write `{text}`");
            return Some(Mend::edit(help, self.tokens(at, at + 1), text));
        }
        if self.is_string_at(at + 1)
            && last.ty == Type::String
            && left.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ')
        {
            let value = self.text_at(at + 1);
            let mut gap = last.span.to(self.span_at(at + 1));
            gap.start = last.span.end;
            gap.end = self.span_at(at + 1).start;
            let help = format!(
                "`{left} {value}` looks for a part of the text, `{left} == {value}` compares all of it"
            );
            return Some(Mend::edit(help, gap, " "));
        }
        Some(Mend::edit(help, self.span_at(at), "=="))
    }

    /// Returns a proposal for an arrow at `at` that was meant to lead from one move to the next.
    /// `first` is the span of the first move, unless the moves are in a `path`.
    pub(in crate::parse) fn mend_of_arrow(&self, at: usize, first: Option<Span>) -> Option<Mend> {
        self.symbol_at(at).filter(|sign| matches!(sign, Symbol::Arrow | Symbol::BackArrow))?;
        if !(self.is_dash_at(at + 1) || self.is_dash_at(at + 2)) {
            return None;
        }
        let mut gap = self.span_at(at);
        gap.end = self.span_at(at + 1).start;
        gap.start = self.span_at(at.checked_sub(1)?).end;
        let (help, text) = match first {
            None => ("the moves of a `path` stand beside each other, without arrows", " ".into()),
            Some(first) => {
                gap.start = first.start;
                let text = format!("path {} ", self.whole_text_of(first));
                ("moves that follow each other are the parts of a `path`, without arrows", text)
            }
        };
        Some(Mend::edit(help, gap, text))
    }

    /// Returns a proposal for two operators at `at` without a filter between them that are meant as
    /// one.
    pub(in crate::parse) fn mend_of_operator(&self, at: usize) -> Option<Mend> {
        let (first, second) = (self.symbol_at(at)?, self.symbol_at(at + 1)?);
        let text = match (first, second) {
            (Symbol::Greater, Symbol::Assign) => ">=",
            (Symbol::Less, Symbol::Assign) => "<=",
            (Symbol::Less, Symbol::Greater) => "!=",
            (Symbol::Equal, Symbol::Assign) => "==",
            (Symbol::NotEqual, Symbol::Assign) => "!=",
            (Symbol::Intersect, Symbol::Intersect) => {
                return Some(self.mend_of_joint(at, at + 1, "and"));
            }
            (Symbol::Union, Symbol::Union) => "|",
            _ => return None,
        };
        let help = format!("write `{text}`");
        Some(Mend::edit(help, self.tokens(at, at + 1), text))
    }

    /// Returns a proposal for the signs from `at` to `last` that are meant as the word `word`.
    fn mend_of_joint(&self, at: usize, last: usize, word: &str) -> Mend {
        let help = format!("conditions are combined by `{word}`");
        let blank = |at| if self.space_at(at) { "" } else { " " };
        let text = format!("{}{word}{}", blank(at), blank(last + 1));
        Mend::edit(help, self.tokens(at, last), text)
    }

    /// Returns a proposal for `-` at `at` between two designators: a move, or the difference of two
    /// sets.
    pub(in crate::parse) fn mend_of_minus(&self, at: usize) -> Option<Mend> {
        let left = self.last.filter(|last| last.end == at)?;
        let is_set = self.is_designator_at(at + 1);
        let is_glued = self.is_glued_at(at);
        // as in `not Nb1-c3`, whose filter before the sign begins with `not`
        if !is_set || left.ty != Type::Set && !(is_glued && self.is_designator_at(at - 1)) {
            return None;
        }
        let is_compared = self.symbol_at(at + 2).is_some_and(Symbol::is_comparison);
        if is_compared && left.ty == Type::Set {
            let help = "`#S` is the number of squares of a set";
            if left.form != LastForm::Designator {
                return Some(Mend::advice(format!("{help}: `#(A) - #(B)`")));
            }
            let right = self.span_at(at + 1);
            let [one, other] = [left.span, right].map(|span| self.whole_text_of(span));
            let text = format!("#{one} - #{other}");
            return Some(Mend::edit(format!("{help}: `{text}`"), left.span.to(right), text));
        }
        if let Some(mend) = self.mend_of_square_range(at) {
            return Some(mend);
        }
        let whole = self.tokens(at - 1, at + 1);
        let squares = self.whole_text_of(whole).replace('-', "");
        if let Some(pawn) = San::read(&squares).filter(|san| san.piece == Some(b'P') && is_glued) {
            let text = pawn.cql(Side::White);
            let help = format!("a move of a pawn is written `{text}`");
            return Some(Mend::edit(help, whole, text));
        }
        let help = "a move is written `L--R`; `A & ~B` are the squares of A that are not in B";
        let has_squares = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Designator(set)) => set.has_squares,
            _ => false,
        };
        if !has_squares(at - 1) && !has_squares(at + 1) {
            // as in `Q-R`, which may be an ending
            let help = format!("{help}; the pieces of both sides are `material \"Q:R\"`");
            return Some(Mend::advice(help));
        }
        Some(if is_glued { Mend::edit(help, self.span_at(at), "--") } else { Mend::advice(help) })
    }

    /// Returns a proposal for `Pa2-c2`, whose minus is at `at`: squares between which no pawn and no
    /// empty square moves.
    fn mend_of_square_range(&self, at: usize) -> Option<Mend> {
        let whole = self.tokens(at.checked_sub(1)?, at + 1);
        let text = self.whole_text_of(whole);
        let (from, to) = text.split_once('-')?;
        let (pieces, from) = from.split_at_checked(from.len().checked_sub(2)?)?;
        let ranges = ranges(from, to)?;
        let is_range = pieces == "_" || from[..1] != to[..1] && matches!(pieces, "P" | "p");
        if !is_range || from[..1] > to[..1] || from[1..] > to[1..] {
            return None;
        }
        let text = format!("{pieces}{ranges}");
        let help = format!(
            "files and ranks have a range each: `{text}` are those on any of these squares"
        );
        is_designator(&text).then(|| Mend::edit(help, whole, text))
    }

    /// Returns a proposal for `{3-5}` after a move.
    pub(in crate::parse) fn mend_of_repetition(&self, braces: &Filter) -> Option<Mend> {
        let FilterKind::Arithmetic(Arithmetic::Subtract, least, most) = &braces.kind else {
            return None;
        };
        let (FilterKind::Number(least), FilterKind::Number(most)) = (&least.kind, &most.kind)
        else {
            return None;
        };
        let at = self.pos.checked_sub(1)?;
        let is_brace = self.symbol_at(at) == Some(Symbol::CloseBrace);
        (is_brace && self.span_at(at).start >= braces.span.end).then_some(())?;
        let open = self.stream.partner(at)?;
        let text = format!("{{{least},{most}}}");
        let help = format!("write `--{text}` for a move that is repeated in a `path`");
        Some(Mend::edit(help, self.tokens(open, at), text))
    }

    /// Returns a proposal for a token after `result` that is not a result.
    pub(in crate::parse) fn mend_of_result(&self) -> Mend {
        let at = self.pos;
        let help =
            "the results are `1-0`, `0-1` and `1/2-1/2`; others are found by excluding these";
        if self.keyword_at(at) == Some(Keyword::In)
            && let Some((mend, _)) = self.mend_of_numbers(at, self.span_at(at - 1))
        {
            return mend;
        }
        let is_value = |kind: &TokenKind| {
            matches!(kind, TokenKind::String(_) | TokenKind::Integer(_) | TokenKind::Name(_))
        };
        let value = |at: usize| {
            let is_half = self.symbol_at(at + 1) == Some(Symbol::Slash);
            let text = self.text_at(at).replace(['"', '\''], "");
            if text == "1" && is_half {
                return Some(("1/2-1/2", at + 2));
            }
            let is_last = self.kind_at(at + 1).is_none_or(|kind| !is_value(kind));
            if text == "*" && is_last {
                return Some(("\"*\"", at));
            }
            Some((result_named(&text)?, at))
        };
        if self.symbol() == Some(Symbol::NotEqual)
            && let Some((text, last)) = value(at + 1)
        {
            let text = format!("not result {text}");
            let help = format!("a result is excluded by `{text}`");
            return Mend::edit(help, self.tokens(at - 1, last), text);
        }
        let is_equal = |sign: Symbol| matches!(sign, Symbol::Assign | Symbol::Equal);
        let found = if !self.symbol().is_some_and(is_equal) {
            value(at)
        } else if let Some(found) = value(at + 1) {
            Some(found)
        } else {
            // The sign of a draw, if no value follows it
            let is_draw = self.symbol() == Some(Symbol::Assign)
                && !self.kind_at(at + 1).is_some_and(is_value);
            is_draw.then_some(("1/2-1/2", at))
        };
        let Some((text, last)) = found else {
            return Mend::advice(help);
        };
        let gap = if self.space_at(at) { "" } else { " " };
        Mend::edit(format!("write `result {text}`"), self.tokens(at, last), format!("{gap}{text}"))
    }
}

/// Help for a square that is not on the board.
pub(in crate::parse) const NO_SUCH_SQUARE: &str =
    "there is no such square: files are `a` to `h`, ranks `1` to `8`";

/// Whether a name is a piece followed by a letter and a digit that are not a square.
pub(in crate::parse) fn has_no_such_square(name: &str) -> bool {
    let mut characters = name.chars();
    let letter = characters.next().and_then(|c| u8::try_from(c).ok());
    let piece = letter.and_then(PieceSet::from_letter).is_some();
    let square = characters.as_str();
    piece && is_nearly_square(square) || is_nearly_square(name)
}

fn is_nearly_square(text: &str) -> bool {
    let bytes = text.as_bytes();
    matches!(bytes, [file, rank] if file.is_ascii_lowercase() && rank.is_ascii_digit())
        && !is_designator(text)
}
