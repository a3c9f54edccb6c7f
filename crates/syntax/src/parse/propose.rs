//! Proposes corrections of faulty texts.

use super::error::code;
use super::material::sides;
use super::mend::{Mend, UNASSIGNED, capture, help_for_capture, is_designator};
use super::names::Entity;
use super::parser::{Last, LastForm, Parser};
use super::way::piece_and_squares;
use super::words::{self, concept, near_concept, synonym};
use crate::builtin::Keyword;
use crate::designator::PieceSet;
use crate::diagnostic::Diagnostic;
use crate::san;
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
            ("in", _) if left == "mate" => {
                let Some(TokenKind::Integer(n)) = self.kind_at(at + 1) else {
                    return None;
                };
                let half_moves = n.checked_mul(2)?.checked_sub(1).filter(|n| *n > 0)?;
                let text = format!("path --{{{half_moves}}} mate");
                let help = format!(
                    "`{text}` finds where it is played; `evalmate` reads it from the evaluations in comments"
                );
                let whole = last.span.to(self.span_at(at + 1));
                Some(Mend::edit(help, whole, text))
            }
            ("=", LastForm::Other | LastForm::Designator | LastForm::Lookup)
                if last.ty != Type::Boolean =>
            {
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
            self.symbol_at(at) == Some(Symbol::Colon)
                || matches!(word(at).to_ascii_lowercase().as_str(), "v" | "vs" | "versus")
        };
        // A number or a sum of pieces, as in `R+2P`
        let is_sum = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Integer(_) | TokenKind::Symbol(Symbol::Plus)))
        };
        let is_part = |at: usize| are_men(at) || is_sum(at);
        let around = |joint: usize| {
            let mut first = joint.checked_sub(1).filter(|&at| is_joint(joint) && is_part(at))?;
            let mut last = Some(joint + 1).filter(|&at| is_part(at))?;
            let is_sign = |at: usize| self.symbol_at(at) == Some(Symbol::Plus);
            let goes_on = |left: usize| {
                is_part(left)
                    && is_part(left + 1)
                    && (!self.space_at(left + 1) || is_sign(left) || is_sign(left + 1))
            };
            while first > 0 && goes_on(first - 1) {
                first -= 1;
            }
            while goes_on(last) {
                last += 1;
            }
            Some(first..=last)
        };
        let is_named = |range: &std::ops::RangeInclusive<usize>| {
            let mut named = range.clone().filter(|&at| are_men(at) && self.name_at(at).is_some());
            // In `R vs r`, the second is a black rook.
            let is_between = is_joint(at)
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
        if left.ty != Type::Set || !is_set {
            return None;
        }
        if self.symbol_at(at + 2).is_some_and(Symbol::is_comparison) {
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
        let help = "a move is written `L--R`; `A & ~B` are the squares of A that are not in B";
        Some(if self.space_at(at) || self.space_at(at + 1) {
            Mend::advice(help)
        } else {
            Mend::edit(help, self.span_at(at), "--")
        })
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
        let before = at.checked_sub(1).and_then(|at| self.kind_at(at));
        let is_text = match before {
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::Event
                    | Keyword::Site
                    | Keyword::Date
                    | Keyword::Eventdate
                    | Keyword::Eco
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
            Some(TokenKind::Keyword(Keyword::White | Keyword::Black)) => true,
            Some(TokenKind::String(_)) => {
                at.checked_sub(2).and_then(|at| self.keyword_at(at)) == Some(Keyword::Tag)
            }
            _ => is_text,
        };
        if is_named && is_of_text && words::is_comparing(name) {
            let mut gap = span;
            gap.start = self.span_at(at.checked_sub(1)?).end;
            gap.end = self.span_at(at + 1).start;
            let help = "the text stands after the word, and may be a part of the value";
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
        let text = self.compared_text(at);
        if let Some(help) = words::side(name)
            && !matches!(before, Some(Keyword::Player | Keyword::Elo))
        {
            return Some(match text {
                Some(text) => {
                    let player = format!("player {}", name.to_ascii_lowercase());
                    let filter = format!("{player} {}", self.whole_text_of(self.span_at(text)));
                    let help = format!("the player is found by `{filter}`");
                    Mend::edit(help, self.tokens(at, text), filter)
                }
                None => Mend::advice(help),
            });
        }
        if name == "Result" {
            let help = "the result is found by `result 1-0`, `result 0-1` or `result 1/2-1/2`";
            let result = text.map(|at| self.whole_text_of(self.span_at(at)).replace('"', ""));
            let result = result.filter(|text| ["1-0", "0-1", "1/2-1/2"].contains(&text.as_str()));
            return Some(match (text, result) {
                (Some(last), Some(result)) => {
                    Mend::edit(help, self.tokens(at, last), format!("result {result}"))
                }
                _ => Mend::advice(help),
            });
        }
        if has_no_such_square(name) {
            return Some(Mend::advice(NO_SUCH_SQUARE));
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

    /// Returns the place of the text with which the word at `at` is compared.
    fn compared_text(&self, at: usize) -> Option<usize> {
        let is_equal = |sign| matches!(sign, Symbol::Equal | Symbol::Assign);
        self.symbol_at(at + 1).filter(|sign| is_equal(*sign))?;
        matches!(self.kind_at(at + 2), Some(TokenKind::String(_))).then_some(at + 2)
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
        const MOST: usize = 3;
        let is_word = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Name(_) | TokenKind::Keyword(_)))
        };
        // A word that joins filters is no part of a misspelled one: `check or castling`.
        let joins = |at: usize| {
            let keyword = self.keyword_at(at);
            matches!(keyword, Some(Keyword::Or | Keyword::And | Keyword::Not))
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
            let one = [joined.clone(), format!("{joined}s")];
            let one = one.into_iter().find(|word| Keyword::from_text(word).is_some());
            let mend = if let Some(word) = one {
                Mend::edit(format!("that is one word: `{word}`"), whole, word)
            } else if let Some((help, text)) = words::phrase(&joined, !range.clone().any(joins)) {
                Mend::of_synonym(help, text, whole)
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
        let value = |at: usize| {
            let is_half = self.symbol_at(at + 1) == Some(Symbol::Slash);
            let text = self.text_of(self.span_at(at)).replace(['"', '\''], "");
            Some(match text.to_ascii_lowercase().as_str() {
                "1" if is_half => ("1/2-1/2", at + 2),
                "1/2-1/2" | "1/2" | "draw" | "drawn" => ("1/2-1/2", at),
                "1-0" | "white" => ("1-0", at),
                "0-1" | "black" => ("0-1", at),
                _ => return None,
            })
        };
        let is_equal = |sign: Symbol| matches!(sign, Symbol::Assign | Symbol::Equal);
        let found = if !self.symbol().is_some_and(is_equal) {
            value(at)
        } else if let Some(found) = value(at + 1) {
            Some(found)
        } else {
            // The sign of a draw, if no value follows it
            let is_value = |kind: &TokenKind| {
                matches!(kind, TokenKind::String(_) | TokenKind::Integer(_) | TokenKind::Name(_))
            };
            let is_draw = self.symbol() == Some(Symbol::Assign)
                && !self.kind_at(at + 1).is_some_and(is_value);
            is_draw.then_some(("1/2-1/2", at))
        };
        let Some((text, last)) = found else {
            return Mend::advice(help);
        };
        Mend::edit(format!("write `result {text}`"), self.tokens(at, last), text)
    }

    /// Reports an unknown name.
    pub(super) fn report_unknown(&mut self, name: &str, span: Span, near: Option<&str>) {
        if let Some((mend, end)) = self.mend_of_way_after(name, span) {
            let message = "these are moves as games are written, not filters";
            self.report(mend.onto(Diagnostic::error(code::BOOK_MOVE, span, message)));
            self.pos = end;
            return;
        }
        if let Some(diagnostic) = self.move_of_a_book(name, span) {
            self.report(diagnostic);
            // The sign of check or mate belongs to the move.
            self.pos = self.target_at(self.pos).1;
            return;
        }
        let diagnostic =
            Diagnostic::error(code::UNKNOWN_NAME, span, format!("unknown name `{name}`"));
        let at = self.pos.checked_sub(1);
        let at = at.filter(|&at| self.span_at(at) == span);
        let of_several = |at: usize| {
            self.mend_of_amount(at)
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
            if self.newer_word(self.pos).is_some() && self.pos <= last {
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
            None => at.and_then(|at| self.mend_of_tag(at, name, span)).unwrap_or_else(|| {
                Mend::advice(near_concept(name).unwrap_or_else(|| UNASSIGNED.to_owned()))
            }),
        });
        self.report(mend.onto(diagnostic));
    }
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
