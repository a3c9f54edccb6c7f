//! Proposes corrections of faulty texts.

use super::amounts::number_in_words;
use super::error::code;
use super::material::sides;
use super::mend::{Mend, UNASSIGNED, capture, help_for_capture, is_designator};
use super::names::Entity;
use super::parser::{Last, LastForm, Parser};
use super::told::result_named;
use super::way::piece_and_squares;
use super::words::{self, concept, near_concept, synonym};
use crate::builtin::{Keyword, Nullary, Regular};
use crate::designator::PieceSet;
use crate::diagnostic::Diagnostic;
use crate::library::Theme;
use crate::san::{self, San, Side};
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Arithmetic, Filter, FilterKind, Type};

impl Parser<'_> {
    /// Returns the span from the token `first` to the token `last`.
    pub(super) fn tokens(&self, first: usize, last: usize) -> Span {
        self.span_at(first).to(self.span_at(last))
    }

    /// Returns a proposal for a token that cannot begin a filter.
    pub(super) fn mend_of_filter(&self, at: usize) -> Option<Mend> {
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
                let text = format!(
                    "{} attacks {}",
                    self.whole_text_of(self.span_at(at + 2)),
                    self.whole_text_of(self.span_at(at + 3))
                );
                let help = format!("write `{text}`");
                Some(Mend::edit(help, self.tokens(at, close), text))
            }
            TokenKind::Keyword(keyword @ (Keyword::And | Keyword::Or)) => {
                let word = keyword.text();
                Some(Mend::advice(format!(
                    "`{word}` stands between two filters; filters beside each other must all match"
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
    pub(super) fn mend_of_second_comparison(&self, word: Keyword, left: &Filter) -> Option<Mend> {
        let at = self.pos + 1;
        self.symbol_at(at).filter(|sign| sign.is_comparison())?;
        let FilterKind::Relation { left: first, right, .. } = &left.kind else {
            return None;
        };
        let is_number = |filter: &Filter| matches!(filter.kind, FilterKind::Number(_));
        let own = self.text_of(self.span_at(at));
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
    pub(super) fn mend_of_leftover(&self, word: &str, last: Last) -> Option<Mend> {
        let (at, span) = (self.pos, self.here());
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
            ("[", LastForm::Designator) if self.text_of(self.span_at(at + 1)) == "X" => {
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
                if matches!(self.kind_at(at + 1), Some(TokenKind::String(_)))
                    && last.ty == Type::String
                    && left.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ')
                {
                    let value = self.text_of(self.span_at(at + 1));
                    let mut gap = last.span.to(self.span_at(at + 1));
                    gap.start = last.span.end;
                    gap.end = self.span_at(at + 1).start;
                    let help = format!(
                        "`{left} {value}` looks for a part of the text, `{left} == {value}` compares all of it"
                    );
                    return Some(Mend::edit(help, gap, " "));
                }
                Some(Mend::edit(help, span, "=="))
            }
            _ => None,
        }
    }

    /// Returns a proposal for `mate in 3`, whose first word is at `at`, and the last of its tokens.
    pub(super) fn mend_of_mate_in(&self, at: usize) -> Option<(Mend, usize)> {
        self.keyword_at(at + 1).filter(|word| *word == Keyword::In)?;
        let mut last = at + 2;
        let n_moves = match self.kind_at(last)? {
            TokenKind::Integer(n) => u32::try_from(*n).ok()?,
            TokenKind::Name(name) => {
                u32::try_from(number_in_words(&name.to_ascii_lowercase())?).ok()?
            }
            _ => return None,
        };
        if matches!(&*self.text_of(self.span_at(last + 1)), "move" | "moves") {
            last += 1;
        }
        let half_moves = n_moves.checked_mul(2)?.checked_sub(1)?;
        if self.text_of(self.span_at(at)).eq_ignore_ascii_case("mated") {
            let help = format!(
                "`path --{{{half_moves}}} mate` begins with a move of the winner, `path --{{{}}} \
                 mate` with one of the loser",
                half_moves + 1
            );
            return Some((Mend::advice(help), last));
        }
        Some((self.mate_after(at, last, n_moves)?, last))
    }

    /// Returns a proposal for `checkmate on h8`, whose first word is at `at`, and the last of its tokens.
    fn mend_of_mate_on(&self, at: usize) -> Option<(Mend, usize)> {
        let (square, last) = self.place_after(at + 1)?;
        let text = format!("mate {{{{K{square} wtm}} or {{k{square} btm}}}}");
        let help = format!("a king that is mated there is the one to move: `{text}`");
        let text = self.as_one(at, last, text);
        Some((Mend::edit(help, self.tokens(at, last), text), last))
    }

    /// Returns a proposal for the mate in so many moves that the tokens from `first` to `last` mean.
    fn mate_after(&self, first: usize, last: usize, n_moves: u32) -> Option<Mend> {
        let half_moves = n_moves.checked_mul(2)?.checked_sub(1)?;
        let path = format!("path --{{{half_moves}}} mate");
        let help = format!(
            "`{path}` finds where it was played, forced or not; `evalmate` reads it from the evaluations \
             in comments{}",
            if n_moves == 2 { ", and `cql cookbook mate in two` proves it" } else { "" }
        );
        // A path takes in what follows it.
        let text = if self.kind_at(last + 1).is_some() { format!("{{{path}}}") } else { path };
        Some(Mend::edit(help, self.tokens(first, last), text))
    }

    /// Returns a proposal for `#2`, the sign of problems for a mate in two, whose first token is at
    /// `at`.
    pub(super) fn mend_of_problem(&self, at: usize) -> Option<Mend> {
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

    /// Returns the token after `h#2` or another stipulation of problems that begins at `at`, unless it is
    /// a mate.
    fn end_of_stipulation(&self, at: usize) -> Option<usize> {
        let is_kind = matches!(self.name_at(at)?, "h" | "s" | "r" | "hs" | "hr" | "ser");
        let is_mate = self.symbol_at(at + 1) == Some(Symbol::Count) && !self.space_at(at + 1);
        let is_number = matches!(self.kind_at(at + 2), Some(TokenKind::Integer(_)));
        (is_kind && is_mate && is_number).then_some(at + 3)
    }

    /// Returns a proposal for `promotion to a knight`, whose first word is at `at`, and the last of its
    /// tokens.
    fn mend_of_promoted(&self, at: usize) -> Option<(Mend, usize)> {
        self.name_at(at).filter(|name| words::is_promotion(name))?;
        let is_word = |at: usize, words: &[&str]| words.contains(&&*self.text_of(self.span_at(at)));
        let to = if is_word(at + 1, &["to", "into"]) { at + 2 } else { at + 1 };
        let last = if is_word(to, &["a", "an"]) { to + 1 } else { to };
        let piece = words::promotion(self.name_at(last)?)?;
        let text = format!("--={piece}");
        let help = format!("a pawn is promoted to this piece by the move `{text}`");
        Some((Mend::edit(help, self.tokens(at, last), text), last))
    }

    /// Returns a proposal for an arrow at `at` that was meant to lead from one move to the next.
    /// `first` is the span of the first move, unless the moves are in a `path`.
    pub(super) fn mend_of_arrow(&self, at: usize, first: Option<Span>) -> Option<Mend> {
        self.symbol_at(at).filter(|sign| matches!(sign, Symbol::Arrow | Symbol::BackArrow))?;
        let is_dash =
            |at: usize| matches!(self.symbol_at(at), Some(Symbol::Dash | Symbol::CaptureDash));
        if !(is_dash(at + 1) || is_dash(at + 2)) {
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
    pub(super) fn mend_of_operator(&self, at: usize) -> Option<Mend> {
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

    /// Returns a proposal for squares at `at` that are compared with the empty ones, as in
    /// `d4 is empty` and `d4 = _`, and the last of the tokens.
    pub(super) fn mend_of_empty(&self, at: usize) -> Option<(Mend, usize)> {
        let Some(TokenKind::Designator(squares)) = self.kind_at(at) else {
            return None;
        };
        let sign = self.text_of(self.span_at(at + 1));
        let is_other = self.keyword_at(at + 2) == Some(Keyword::Not);
        let last = at + 2 + usize::from(is_other);
        let value = self.text_of(self.span_at(last)).to_ascii_lowercase();
        if squares.has_pieces
            || !matches!(sign.as_str(), "=" | "==" | "!=" | "is" | "are")
            || !matches!(value.as_str(), "_" | "empty" | "free" | "nothing")
        {
            return None;
        }
        let written = self.whole_text_of(self.span_at(at));
        let (help, text) = empty_help(&written, squares.squares, is_other != (sign == "!="));
        Some((Mend::edit(help, self.tokens(at, last), text), last))
    }

    /// Returns a proposal for `empty d4,e4`, whose word is at `at`, and the last of the tokens.
    fn mend_of_empty_squares(&self, at: usize) -> Option<(Mend, usize)> {
        let (_, meaning) = synonym(self.name_at(at)?)?;
        let squares_at = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Designator(set)) if !set.has_pieces => Some(set.squares),
            _ => None,
        };
        let mut last = at + 1;
        let mut squares = squares_at(last).filter(|_| meaning == Some("_"))?;
        let mut written = self.whole_text_of(self.span_at(last));
        while self.symbol_at(last + 1) == Some(Symbol::Comma)
            && let Some(more) = squares_at(last + 2)
        {
            last += 2;
            squares |= more;
            written += &format!(",{}", self.whole_text_of(self.span_at(last)));
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
        let text = self.as_one(at, last, text);
        Some((Mend::edit(help, self.tokens(at, last), text), last))
    }

    /// Returns a proposal for pieces of both sides around the name or sign at `at`, as in `QQ v QRR`,
    /// `R+2P v R` and `krpkr`, and the last of the tokens.
    pub(super) fn mend_of_sides(&self, at: usize) -> Option<(Mend, usize)> {
        let word = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Name(_) | TokenKind::Designator(_)) => self.text_of(self.span_at(at)),
            _ => String::new(),
        };
        let are_men = |at: usize| {
            let is_man = |c| PieceSet::from_letter(c).is_some() && !b"Aa_".contains(&c);
            let text = word(at);
            !text.is_empty() && text.bytes().all(is_man)
        };
        let is_joint = |at: usize| {
            matches!(self.symbol_at(at), Some(Symbol::Colon | Symbol::Minus))
                || matches!(word(at).to_ascii_lowercase().as_str(), "v" | "vs" | "versus")
        };
        // A number or a sum of pieces, as in `R+2P`
        let is_sum = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Integer(_) | TokenKind::Symbol(Symbol::Plus)))
        };
        let is_part = |at: usize| are_men(at) || is_sum(at);
        let is_and = |at: usize| {
            matches!(word(at).to_ascii_lowercase().as_str(), "with" | "plus")
                || self.keyword_at(at) == Some(Keyword::And)
        };
        // as in `R and P` and `R with P`
        let are_two = |left: usize| are_men(left) && is_and(left + 1) && are_men(left + 2);
        let around = |joint: usize| {
            let mut first = joint.checked_sub(1).filter(|&at| is_joint(joint) && is_part(at))?;
            let is_nothing = |at: usize| word(at).eq_ignore_ascii_case("nothing");
            let mut last = Some(joint + 1).filter(|&at| is_part(at) || is_nothing(at))?;
            let is_sign = |at: usize| self.symbol_at(at) == Some(Symbol::Plus);
            let goes_on = |left: usize| {
                is_part(left)
                    && is_part(left + 1)
                    && (!self.space_at(left + 1) || is_sign(left) || is_sign(left + 1))
            };
            loop {
                first -= match first {
                    _ if first > 0 && goes_on(first - 1) => 1,
                    _ if first > 1 && are_two(first - 2) => 2,
                    _ => break,
                };
            }
            while goes_on(last) {
                last += 1;
            }
            // In `R v R and P > 1` the pawns are counted.
            if are_two(last) && self.kind_at(last + 3).is_none() {
                last += 2;
            }
            Some(first..=last)
        };
        let is_named = |range: &std::ops::RangeInclusive<usize>| {
            let mut named = range.clone().filter(|&at| are_men(at) && self.name_at(at).is_some());
            // In `R vs r`, the second is a black rook.
            let is_between = (is_joint(at) || is_and(at))
                && self.name_at(at).is_some()
                && !range.clone().any(|at| are_men(at) && word(at).contains(char::is_lowercase));
            let is_certain = named.next().is_some() || range.clone().any(is_sum) || is_between;
            range.contains(&at) && is_certain
        };
        // The sign or word between both sides is near.
        const FAR: usize = 8;
        let joined = (at.saturating_sub(1)..=at + FAR).filter_map(around);
        let beside = [Some(at), at.checked_sub(1)].into_iter().flatten();
        let beside = beside
            .filter(|&first| are_men(first) && are_men(first + 1))
            .map(|first| first..=first + 1);
        let mut ranges = joined.chain(beside).chain([at..=at]);
        ranges.find_map(|range| {
            let is_name = is_named(&range) || range.clone().count() == 1;
            let whole = self.tokens(*range.start(), *range.end());
            let men = sides(&self.whole_text_of(whole)).filter(|_| is_name)?;
            let word = range.start().checked_sub(1);
            let word = word.filter(|&at| self.newer_word(at) == Some(Keyword::Material));
            let whole = self.tokens(word.unwrap_or(*range.start()), *range.end());
            let text = format!("material \"{men}\"");
            let mut help = format!("the pieces of both sides are a condition: `{text}`");
            let (white, black) = men.split_at(men.len() / 2);
            if men.starts_with('K') && white != black {
                help += &format!(", White's first; `flipcolor {{{text}}}` is for either color");
            }
            Some((Mend::edit(help, whole, text), *range.end()))
        })
    }

    /// Returns a proposal for `-` at `at` between two designators: a move, or the difference of two
    /// sets.
    pub(super) fn mend_of_minus(&self, at: usize) -> Option<Mend> {
        let left = self.last.filter(|last| last.end == at)?;
        let is_set = matches!(self.kind_at(at + 1), Some(TokenKind::Designator(_)));
        let is_glued = !self.space_at(at) && !self.space_at(at + 1);
        // as in `not Nb1-c3`, whose filter before the sign begins with `not`
        let is_square = || matches!(self.kind_at(at - 1), Some(TokenKind::Designator(_)));
        if !is_set || left.ty != Type::Set && !(is_glued && is_square()) {
            return None;
        }
        let is_compared = self.symbol_at(at + 2).is_some_and(Symbol::is_comparison);
        if is_compared && left.ty == Type::Set {
            let help = "`#S` is the number of squares of a set";
            if left.form != LastForm::Designator {
                return Some(Mend::advice(format!("{help}: `#(A) - #(B)`")));
            }
            let right = self.span_at(at + 1);
            let text =
                format!("#{} - #{}", self.whole_text_of(left.span), self.whole_text_of(right));
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
        let (&[file, rank], &[to_file, to_rank]) = (from.as_bytes(), to.as_bytes()) else {
            return None;
        };
        let range = |from: u8, to: u8| {
            if from == to {
                char::from(from).to_string()
            } else {
                format!("{}-{}", char::from(from), char::from(to))
            }
        };
        let is_range = pieces == "_" || file != to_file && matches!(pieces, "P" | "p");
        if !is_range || file > to_file || rank > to_rank {
            return None;
        }
        let text = format!("{pieces}{}{}", range(file, to_file), range(rank, to_rank));
        let help = format!(
            "files and ranks have a range each: `{text}` are those on any of these squares"
        );
        is_designator(&text).then(|| Mend::edit(help, whole, text))
    }

    /// Returns a proposal for an unknown name, which is the token before the next one.
    pub(super) fn mend_of_name(&self, name: &str, span: Span) -> Option<Mend> {
        let at = self.pos.checked_sub(1).filter(|&at| self.span_at(at) == span)?;
        self.mend_of_text(at, name, span)
            .or_else(|| self.mend_of_notation(at, name, span))
            .or_else(|| self.mend_of_meaning(at, name, span))
    }

    /// Returns a proposal for a name at `at` that is or precedes a text.
    fn mend_of_text(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        if let Some(mend) = self.mend_of_call(at) {
            return Some(mend);
        }
        let before = at.checked_sub(1).and_then(|at| self.kind_at(at));
        let is_text = match before {
            // `eco French` is the name of an opening.
            Some(TokenKind::Keyword(Keyword::Eco)) => {
                name.len() == 1 || name.contains(|c: char| c.is_ascii_digit())
            }
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::Event
                    | Keyword::Site
                    | Keyword::Date
                    | Keyword::Eventdate
                    | Keyword::Player
                    | Keyword::Fen
                    | Keyword::Opening
            ),
            Some(TokenKind::Symbol(Symbol::OpenParen)) => matches!(
                at.checked_sub(2).and_then(|at| self.keyword_at(at)),
                Some(Keyword::Comment | Keyword::Message)
            ),
            _ => false,
        };
        let is_side = words::side(name).is_some();
        let is_named = matches!(self.kind_at(at + 1), Some(TokenKind::String(_)));
        let is_of_text = match before {
            Some(TokenKind::Keyword(
                Keyword::White | Keyword::Black | Keyword::Originalcomment | Keyword::Hascomment,
            )) => true,
            Some(TokenKind::String(_)) => {
                at.checked_sub(2).and_then(|at| self.keyword_at(at)) == Some(Keyword::Tag)
            }
            _ => {
                let word = at.checked_sub(1).and_then(|at| self.newer_word(at));
                is_text || word == Some(Keyword::Opening)
            }
        };
        if is_named && is_of_text && words::is_comparing(name) {
            let mut gap = span;
            gap.start = self.span_at(at.checked_sub(1)?).end;
            gap.end = self.span_at(at + 1).start;
            let help = "the text stands after the word, and may be a part of the value";
            let has_sign = |text: &[u8]| text.contains(&b'%');
            let is_part = matches!(self.kind_at(at + 1), Some(TokenKind::String(text)) if !has_sign(text))
                && !words::is_of_patterns(name)
                && !words::is_of_ends(name);
            if !is_part {
                return self.mend_of_comparing(at);
            }
            return Some(Mend::edit(help, gap, " "));
        }
        if let Some(mend) = self.mend_of_player(at, name)
            && !(self.is_known(name) || is_side && is_named)
        {
            return Some(mend);
        }
        if let Some(mend) = self.mend_of_codes(at) {
            return Some(mend);
        }
        if is_text && !self.is_known(name) && !(is_side && is_named) {
            let help = format!("write a text in double quotes: `\"{name}\"`");
            return Some(Mend::edit(help, span, format!("\"{name}\"")));
        }
        None
    }

    /// Returns a proposal for `eco B90-B99`, whose first code is at `at`.
    fn mend_of_codes(&self, at: usize) -> Option<Mend> {
        let word = at.checked_sub(1)?;
        let code = self.keyword_at(word).filter(|&word| word == Keyword::Eco)?.text();
        let is_range = self.symbol_at(at + 1) == Some(Symbol::Minus);
        let (first, last) = (self.name_at(at)?, self.name_at(at + 2).filter(|_| is_range)?);
        let text = format!("(\"{first}\" <= {code} <= \"{last}\")");
        let help = format!("codes are texts, and a range is a comparison: `{text}`");
        Some(Mend::edit(help, self.tokens(word, at + 2), text))
    }

    /// Returns a proposal for `B90` and `B90-B99`, whose first code is at `at`, and the token after it.
    fn mend_of_code(&self, at: usize) -> Option<(Mend, usize)> {
        let code = |at: usize| {
            let name = self.name_at(at).filter(|name| !self.is_known(name))?;
            let is_code = matches!(name.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']);
            is_code.then_some(name)
        };
        let first = code(at)?;
        // as in `eco B90` and `x == B90`
        let is_part = at.checked_sub(1).is_some_and(|before| {
            let is_text = |word| matches!(word, Keyword::Eco | Keyword::Opening);
            let is_sign = |sign: Symbol| sign.is_comparison() || sign == Symbol::Assign;
            self.symbol_at(before).is_some_and(is_sign)
                || self.keyword_at(before).or(self.newer_word(before)).is_some_and(is_text)
        });
        let last = Some(at + 2).filter(|_| self.symbol_at(at + 1) == Some(Symbol::Minus));
        let last = last.and_then(|at| Some((at, code(at)?))).filter(|_| !is_part);
        let (end, text) = match last {
            Some((end, last)) => (end, format!("(\"{first}\" <= eco <= \"{last}\")")),
            None => (at, format!("eco \"{first}\"")),
        };
        let help = format!("a code of openings is looked for in the tag of the game: `{text}`");
        (!is_part).then(|| (Mend::edit(help, self.tokens(at, end), text), end + 1))
    }

    /// Returns a proposal for a name at `at` that is a part of a move in another notation.
    fn mend_of_notation(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        let designator = |at| matches!(self.kind_at(at), Some(TokenKind::Designator(_)));
        if name == "x" && at.checked_sub(1).is_some_and(designator) && designator(at + 1) {
            let left = self.whole_text_of(self.span_at(at - 1));
            let text = capture(&left, &self.whole_text_of(self.span_at(at + 1)));
            let whole = self.tokens(at - 1, at + 1);
            return Some(Mend::edit(help_for_capture(&text), whole, text));
        }
        if let Some((left, right)) = name.split_once('x')
            && is_designator(left)
            && is_designator(right)
        {
            let text = capture(left, right);
            return Some(Mend::edit(help_for_capture(&text), span, text));
        }
        if let [letter @ b'A'..=b'Z'] = *name.as_bytes()
            && let Some(piece) = san::piece(letter).map(char::from)
        {
            let help = format!("pieces have their English letters: `{piece}`");
            let is_dash =
                |at| matches!(self.symbol_at(at), Some(Symbol::Dash | Symbol::CaptureDash));
            return Some(if is_dash(at + 1) && !self.space_at(at + 1) {
                Mend::edit(help, span, piece)
            } else {
                Mend::advice(help)
            });
        }
        if name == "O" && self.symbol_at(at + 1) == Some(Symbol::Minus) {
            let long = self.symbol_at(at + 3) == Some(Symbol::Minus);
            let text = if long { "o-o-o" } else { "o-o" };
            let last = at + if long { 4 } else { 2 };
            let whole = self.tokens(at, last);
            if matches!(self.kind_at(last + 1), Some(TokenKind::Designator(_))) {
                // as in `O-O-O g4 h4`, whose squares are meant as moves
                return Some(Mend::advice(format!(
                    "castling is written with small letters, `{text}`; moves that follow each \
                     other are the parts of a `path`: `path Ke1--{} --* P--g4`",
                    if long { "c1" } else { "g1" }
                )));
            }
            let king = if long { "Ke1--c1" } else { "Ke1--g1" };
            let help = format!(
                "castling is written with small letters: `{text}` of either side, `{king}` that of \
                 White"
            );
            return Some(Mend::edit(help, whole, text));
        }
        if let [b'A'..=b'H', b'1'..=b'8'] = name.as_bytes() {
            let help = "squares are written in small letters";
            return Some(Mend::edit(help, span, name.to_ascii_lowercase()));
        }
        let (help, text) = piece_and_squares(name)?;
        Some(Mend::edit(help, span, text))
    }

    /// Returns a proposal for a name at `at` whose meaning is known from other languages or books.
    fn mend_of_meaning(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        if let Some(tag) = words::tag(name) {
            let text = format!("tag \"{tag}\"");
            let help = format!("the value of a tag is `{text}`");
            return Some(Mend::edit(help, span, text));
        }
        let before = at.checked_sub(1).and_then(|at| self.keyword_at(at));
        if let Some(help) = words::side(name)
            && !matches!(before, Some(Keyword::Player | Keyword::Elo))
        {
            return Some(Mend::advice(help));
        }
        if name == "Result" {
            return Some(Mend::advice(
                "the result is found by `result 1-0`, `result 0-1` or `result 1/2-1/2`",
            ));
        }
        if has_no_such_square(name) {
            return Some(Mend::advice(NO_SUCH_SQUARE));
        }
        if let Some(men) = men_of_side(name) {
            return Some(Mend::edit(format!("these pieces are `{men}`"), span, men));
        }
        if let Some(mend) = self.mend_of_outcome(at, name) {
            return Some(mend);
        }
        if matches!(&*name.to_ascii_lowercase(), "win" | "wins" | "won" | "loses" | "lost") {
            let help =
                "White has won where there is `result 1-0`, Black where there is `result 0-1`";
            return Some(Mend::advice(help));
        }
        if synonym(name).is_none()
            && let Some(word) = in_other_number(name).map(Keyword::text)
        {
            let theme = Theme::named(&name.to_ascii_lowercase());
            let theme = theme.map(|theme| format!(" a theme is `theme(\"{}\")`", theme.name()));
            let help = format!("did you mean `{word}`?{}", theme.unwrap_or_default());
            return Some(Mend::edit(help, span, word));
        }
        if let Some(help) = concept(name) {
            return Some(Mend::advice(help));
        }
        let (help, text) = synonym(name)?;
        if text == Some(Keyword::Castle.text()) && before == Some(Keyword::Not) {
            let help = "`castle` is true where castling is played, so `not castle` is nearly \
                        everywhere; `initial not find castle` finds games without castling";
            return Some(Mend::advice(help));
        }
        Some(Mend::of_synonym(help, text, span))
    }

    /// Returns a proposal for `tablebase win`, whose outcome is at `at`.
    fn mend_of_outcome(&self, at: usize, name: &str) -> Option<Mend> {
        let number = match &*name.to_ascii_lowercase() {
            "win" | "wins" | "won" => "2",
            "draw" | "drawn" => "0",
            "loss" | "lost" | "loses" | "lose" => "-2",
            _ => return None,
        };
        let before = at.checked_sub(1)?;
        let is_compared = matches!(self.symbol_at(before), Some(Symbol::Equal | Symbol::NotEqual));
        let word = if is_compared { before.checked_sub(1)? } else { before };
        (self.newer_word(word) == Some(Keyword::Tablebase)).then(|| {
            let sign = if is_compared { "" } else { "== " };
            let help = "`tablebase` is a number: 2 for a win of the side to move, 0 for a draw, -2 for a \
                        loss";
            Mend::edit(help, self.span_at(at), format!("{sign}{number}"))
        })
    }

    /// Returns a proposal for `motif(fork)`, whose first word is at `at`, and the token after it.
    fn mend_of_theme(&self, at: usize) -> Option<(Mend, usize)> {
        let is_theme = |at: usize| {
            let name = self.text_of(self.span_at(at)).to_ascii_lowercase();
            matches!(name.as_str(), "motif" | "motifs" | "motive" | "tactic" | "tactics" | "themes")
        };
        let open = self.symbol_at(at + 1) == Some(Symbol::OpenParen);
        let value = at + 1 + usize::from(open);
        let last = if open { self.stream.partner(at + 1)? } else { value };
        let name = match self.kind_at(value)? {
            TokenKind::Name(_) | TokenKind::String(_) | TokenKind::Keyword(_) => {
                self.text_of(self.span_at(value))
            }
            _ => return None,
        };
        let name = name.trim_matches('"').to_ascii_lowercase();
        let theme =
            Theme::named(&name).filter(|_| is_theme(at) && last == value + usize::from(open))?;
        Some((mend_to_theme(theme, self.tokens(at, last)), last + 1))
    }

    /// Returns a proposal for the word `piece` at `at` in the name of a theme, as in `hanging piece` and
    /// `piece sacrifice`, and the last of the tokens.
    pub(super) fn mend_of_piece_theme(&self, at: usize) -> Option<(Mend, usize)> {
        let word = |at: usize| match self.kind_at(at)? {
            TokenKind::Name(_) | TokenKind::Keyword(_) => {
                Some(self.text_of(self.span_at(at)).to_ascii_lowercase())
            }
            _ => None,
        };
        let named =
            |name: String, first: usize, last: usize| Some((Theme::named(&name)?, first, last));
        let before = || {
            let first = at.checked_sub(1)?;
            named(word(first)? + &word(at)?, first, at)
        };
        let after = || {
            let next = word(at + 1)?;
            named(word(at)? + &next, at, at + 1).or_else(|| named(next, at, at + 1))
        };
        let is_loop = self.keyword_at(at + 2) == Some(Keyword::In);
        let (theme, first, last) = before().or_else(after).filter(|_| !is_loop)?;
        Some((mend_to_theme(theme, self.tokens(first, last)), last))
    }

    /// Returns a proposal for an option of the program in a query, whose name is at `at`: `mate --limit 3`.
    fn mend_of_option(&self, at: usize, name: &str) -> Option<Mend> {
        /// Names of options that are often written without dashes.
        const OPTIONS: &[&str] = &["limit", "sample", "threads", "columns", "output"];
        let is_dash = |at: &usize| self.symbol_at(*at) == Some(Symbol::Dash);
        let has_dash = at.checked_sub(1).filter(is_dash).is_some_and(|dash| {
            !self.space_at(at) && (dash == 0 || self.space_at(dash)) && name.len() > 1
        });
        let is_number = matches!(self.kind_at(at + 1), Some(TokenKind::Integer(_)));
        let value =
            if is_number { self.whole_text_of(self.span_at(at + 1)) } else { "…".to_owned() };
        (has_dash || is_number && OPTIONS.contains(&name)).then(|| {
            Mend::advice(format!(
                "that is no filter: an option stands outside of the query and its quotes, as `--{name} \
                 {value}`"
            ))
        })
    }

    /// Returns a proposal for a name at `at` with a capital letter that is compared with a text, and
    /// may be a tag.
    fn mend_of_tag(&self, at: usize, name: &str, span: Span) -> Option<Mend> {
        let is_compared = matches!(
            self.symbol_at(at + 1),
            Some(Symbol::Equal | Symbol::NotEqual | Symbol::Match)
        );
        let is_text = matches!(self.kind_at(at + 2), Some(TokenKind::String(_)));
        let is_name = name.starts_with(|c: char| c.is_ascii_uppercase());
        let text = format!("tag \"{name}\"");
        let help = format!("the value of a tag is `{text}`");
        (is_compared && is_text && is_name).then(|| Mend::edit(help, span, text))
    }

    /// Returns a proposal for several words around `at` that have a meaning together, and the last
    /// of these words.
    fn mend_of_words(&self, at: usize) -> Option<(Mend, usize)> {
        const MOST: usize = 4;
        let is_word = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Name(_) | TokenKind::Keyword(_)))
        };
        // A word that joins filters is no part of a misspelled one: `check or castling`.
        let joins = |at: usize| {
            let keyword = self.keyword_at(at);
            matches!(keyword, Some(Keyword::Or | Keyword::And | Keyword::Not))
        };
        // Nor is `on` in `checkmate on`.
        let is_of_sentence = |at: usize| self.name_at(at).is_some_and(words::is_of_sentences);
        let may_be_misspelled = |joined: &str, range: &std::ops::Range<usize>| {
            concept(joined).is_none() && !range.clone().any(|at| joins(at) || is_of_sentence(at))
        };
        let of_side = |at: usize| match self.keyword_at(at)? {
            Keyword::White => Some("P"),
            Keyword::Black => Some("p"),
            _ => None,
        };
        let ranges = (2..=MOST).rev().flat_map(|n| {
            let starts = (0..n).filter_map(|before| at.checked_sub(before));
            starts.map(move |first| first..first + n)
        });
        let mut ranges = ranges.filter(|range| range.clone().all(is_word));
        ranges.find_map(|range| {
            let last = range.end - 1;
            let words = range.clone().map(|at| self.text_of(self.span_at(at)));
            let joined = words.collect::<String>().to_ascii_lowercase();
            let whole = self.tokens(range.start, last);
            // as in `passed pawn`
            let one = Keyword::from_text(&joined).or_else(|| in_other_number(&joined));
            let mend = if let Some(keyword) = one {
                let word = keyword.text();
                let are_pawns =
                    matches!(keyword.regular(), Some(Regular::Nullary(Nullary::PawnStructure(_))));
                // as in `white passed pawn`
                let side = range.start.checked_sub(1).and_then(|at| Some((at, of_side(at)?)));
                let side = side.filter(|_| are_pawns);
                // as in `isolated pawn d4` and `passed pawn on a6`
                let square = self.square_at(last + 1).map(|square| (square, last + 1));
                let place = square.or_else(|| self.place_after(last + 1)).filter(|_| are_pawns);
                if side.is_none() && place.is_none() {
                    Mend::edit(format!("that is one word: `{word}`"), whole, word)
                } else {
                    let (first, pawns) = side.unwrap_or((range.start, ""));
                    let (square, end) = place.unwrap_or((String::new(), last));
                    let text = format!("{word} & {pawns}{square}");
                    let help = format!("the pawns that are in both sets are `{text}`");
                    return Some((Mend::edit(help, self.tokens(first, end), text), end));
                }
            } else if let Some((help, text)) =
                words::phrase(&joined, may_be_misspelled(&joined, &range))
            {
                // as in `white castled long`
                let before = range.start.checked_sub(1);
                let to_move = match before.and_then(|at| self.keyword_at(at)) {
                    Some(Keyword::White) => Some("wtm"),
                    Some(Keyword::Black) => Some("btm"),
                    _ => None,
                };
                if let Some(side) = to_move
                    && let Some(castling @ ("o-o" | "o-o-o" | "castle")) = text
                {
                    let help = format!(
                        "`initial find {{{side} {castling}}}` finds the games in which this side castles so"
                    );
                    return Some((Mend::advice(help), last));
                }
                // The words of a sentence before it stay: `white has bishop pair`.
                let word = before.and_then(|at| self.name_at(at));
                let is_alone = word.is_none_or(|word| !words::is_of_sentences(word));
                Mend::of_synonym(help, text.filter(|_| is_alone), whole)
            } else {
                Mend::advice(concept(&joined)?)
            };
            Some((mend, last))
        })
    }

    /// Returns a proposal for a word at `at` that is meant as the name of a player, after
    /// `player white` or after another name and `or`.
    fn mend_of_player(&self, at: usize, name: &str) -> Option<Mend> {
        let filter_before = |at: usize| {
            let of_side =
                |at: usize| matches!(self.keyword_at(at), Some(Keyword::White | Keyword::Black));
            let last = at.checked_sub(1)?;
            let first = if of_side(last) { last.checked_sub(1)? } else { last };
            let is_player = self.keyword_at(first) == Some(Keyword::Player);
            is_player.then(|| self.whole_text_of(self.tokens(first, last)))
        };
        // as in `player is Carlsen`
        if words::is_comparing(name) {
            return None;
        }
        let quoted = |filter: &str, name: &str| format!("{filter} \"{name}\"");
        let help = |filter: &str| {
            let example = quoted(filter, name);
            format!("a name stands in double quotes, and each has its filter: `{example}`")
        };
        let Some(filter) = filter_before(at) else {
            let or = at.checked_sub(1)?;
            let is_or = self.keyword_at(or) == Some(Keyword::Or);
            let filter = filter_before(or.checked_sub(1).filter(|_| is_or)?)?;
            let text = quoted(&filter, name);
            return Some(Mend::edit(help(&filter), self.span_at(at), text));
        };
        let (mut text, mut last) = (quoted("", name).trim_start().to_owned(), at);
        while self.keyword_at(last + 1) == Some(Keyword::Or)
            && let Some(other) = self.name_at(last + 2).filter(|name| !self.is_known(name))
        {
            text += &format!(" or {}", quoted(&filter, other));
            last += 2;
        }
        Some(Mend::edit(help(&filter), self.tokens(at, last), text))
    }

    pub(super) fn is_known(&self, name: &str) -> bool {
        matches!(
            self.names.get(name),
            Some(Entity::Variable(_) | Entity::Dictionary(_) | Entity::Function(_))
        )
    }

    /// Returns a proposal for `{3-5}` after a move.
    pub(super) fn mend_of_repetition(&self, braces: &Filter) -> Option<Mend> {
        let FilterKind::Arithmetic(Arithmetic::Subtract, least, most) = &braces.kind else {
            return None;
        };
        let (FilterKind::Number(least), FilterKind::Number(most)) = (&least.kind, &most.kind)
        else {
            return None;
        };
        let is_brace = |at: usize| {
            self.symbol_at(at) == Some(Symbol::CloseBrace)
                && self.span_at(at).start >= braces.span.end
        };
        let at = self.pos.checked_sub(1).filter(|&at| is_brace(at))?;
        let open = self.stream.partner(at)?;
        let text = format!("{{{least},{most}}}");
        let help = format!("write `--{text}` for a move that is repeated in a `path`");
        Some(Mend::edit(help, self.tokens(open, at), text))
    }

    /// Returns a proposal for a token after `result` that is not a result.
    pub(super) fn mend_of_result(&self) -> Mend {
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
            let text = self.text_of(self.span_at(at)).replace(['"', '\''], "");
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

    /// Reports an unknown name.
    pub(super) fn report_unknown(&mut self, name: &str, span: Span, near: Option<&str>) {
        if let Some((mend, end)) = self.mend_of_way_after(name, span) {
            let message = "these are moves as games are written, not filters";
            self.report(mend.onto(Diagnostic::error(code::BOOK_MOVE, span, message)));
            self.pos = end;
            return;
        }
        let diagnostic =
            Diagnostic::error(code::UNKNOWN_NAME, span, format!("unknown name `{name}`"));
        let at = self.pos.checked_sub(1);
        let at = at.filter(|&at| self.span_at(at) == span);
        let of_value = |at: usize| {
            let before = at.checked_sub(1).and_then(|sign| self.mend_of_value(sign));
            before
                .or_else(|| self.mend_of_member(at))
                .or_else(|| self.mend_of_method(at.checked_sub(2)?))
                .or_else(|| self.mend_of_value(at + 1))
                .or_else(|| self.mend_of_column(at, at))
                .or_else(|| self.mend_of_comment(at))
                .or_else(|| self.mend_of_length(at))
                .or_else(|| self.mend_of_theme(at))
                .or_else(|| self.mend_of_code(at))
                .or_else(|| self.mend_of_opponents(at))
        };
        if let Some((mend, end)) = at.and_then(of_value) {
            self.report(mend.onto(diagnostic));
            self.pos = end;
            return;
        }
        if let Some((diagnostic, end)) = self.move_of_a_book(name, span) {
            self.report(diagnostic);
            self.pos = end;
            return;
        }
        if let Some(end) = at.and_then(|at| self.end_of_stipulation(at)) {
            let help = "no filter solves problems; `mate` is true at the end of a solution";
            self.report(diagnostic.with_help(help));
            self.pos = end;
            return;
        }
        if let Some(mend) = at.and_then(|at| self.mend_of_option(at, name)) {
            self.report(mend.onto(diagnostic));
            return;
        }
        let is_mate = synonym(name).is_some_and(|(_, text)| text == Some(Keyword::Mate.text()));
        let of_several = |at: usize| {
            self.mend_of_mate_in(at)
                .or_else(|| self.mend_of_mate_on(at))
                .filter(|_| is_mate)
                .or_else(|| self.mend_of_amount(at))
                .or_else(|| self.mend_of_promoted(at))
                .or_else(|| self.mend_of_place(at.checked_sub(1)?))
                .or_else(|| self.mend_of_empty(at.checked_sub(1)?))
                .or_else(|| self.mend_of_empty(at.checked_sub(2)?))
                .or_else(|| self.mend_of_empty_squares(at))
                .or_else(|| self.mend_of_sides(at))
                .or_else(|| self.mend_of_after(at))
        };
        if let Some((mend, last)) = at.and_then(of_several) {
            self.report(mend.onto(diagnostic));
            self.pos = last + 1;
            return;
        }
        if let Some((mend, last)) = at.and_then(|at| self.mend_of_half_squares(at))
            && near.is_none()
        {
            self.report(mend.onto(diagnostic));
            self.pos = last + 1;
            return;
        }
        if let Some((mend, last)) = at.and_then(|at| self.mend_of_words(at)) {
            // The other words are covered by this report.
            let others = self.stream.tokens.get(self.pos..=last);
            self.names.poison(others.unwrap_or_default());
            self.report(mend.onto(diagnostic));
            // as in `rook endgame`, whose second word begins a filter elsewhere
            if (self.pos..=last).any(|at| self.newer_word(at).is_some()) {
                self.pos = last + 1;
            }
            return;
        }
        let mend = self.mend_of_name(name, span).or_else(|| self.mend_of_glued(name, span));
        let mend = mend.unwrap_or_else(|| match near {
            Some(near) => self.mend_of_near(name, span, near),
            None if self.symbol() == Some(Symbol::OpenParen) && !self.space_at(self.pos) => {
                Mend::advice(format!("a function is defined before: `function {name}(x) {{…}}`"))
            }
            None => at
                .and_then(|at| {
                    self.mend_of_tag(at, name, span)
                        .or_else(|| self.mend_of_side(at, name))
                        .or_else(|| self.mend_of_thousands(at, name))
                })
                .unwrap_or_else(|| {
                    Mend::advice(near_concept(name).unwrap_or_else(|| UNASSIGNED.to_owned()))
                }),
        });
        self.report(mend.onto(diagnostic));
    }
}

/// Returns the proposal that writes a theme as a condition, in place of its name.
fn mend_to_theme(theme: Theme, place: Span) -> Mend {
    let text = format!("theme(\"{}\")", theme.name());
    Mend::edit(format!("a theme is a condition: `{text}`"), place, text)
}

/// Returns the word of the language that is the plural of a name, or its singular: `passedpawns`.
fn in_other_number(name: &str) -> Option<Keyword> {
    let lower = name.to_ascii_lowercase();
    let one = lower.strip_suffix('s').filter(|one| one.len() > 3);
    let word = Keyword::from_text(&format!("{lower}s"));
    word.or_else(|| Keyword::from_text(one?))
}

/// Returns the condition that squares, which are written so, are all empty, or that there is something
/// on one of them.
pub(crate) fn empty_of(written: &str, squares: u64, is_other: bool) -> String {
    /// Maximum number of squares that are written out.
    const FEW: u32 = 4;
    match squares.count_ones() {
        _ if is_other => format!("[Aa]{written}"),
        1 => format!("_{written}"),
        n if n > FEW => format!("_{written} == {n}"),
        _ => on_each("_", squares),
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

/// Returns the pieces on each of some squares: `Pa2 Pb3`.
pub(super) fn on_each(pieces: &str, squares: u64) -> String {
    let each = (0_u8..64).filter(|square| squares & 1 << square != 0).map(|square| {
        format!("{pieces}{}{}", char::from(b'a' + square % 8), char::from(b'1' + square / 8))
    });
    each.collect::<Vec<_>>().join(" ")
}

/// Help for a square that is not on the board.
pub(super) const NO_SUCH_SQUARE: &str =
    "there is no such square: files are `a` to `h`, ranks `1` to `8`";

/// Whether a name is a piece followed by a letter and a digit that are not a square.
pub(super) fn has_no_such_square(name: &str) -> bool {
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
/// Returns the pieces of one side that a name such as `white_queen` means.
fn men_of_side(name: &str) -> Option<&'static str> {
    let plain = name.to_ascii_lowercase().replace('_', "");
    let (man, letter) = match plain.strip_prefix("white") {
        Some(man) => (man, 1..2),
        None => (plain.strip_prefix("black")?, 2..3),
    };
    words::men(man).map(|both| &both[letter])
}
