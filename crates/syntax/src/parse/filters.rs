//! Parses filters beside each other and between brackets, and resumes after errors.

use super::error::{ErrorExtent, Failed, REPEATS_IN_PATH, Res, code};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Filter, FilterKind, Type};

impl Parser<'_> {
    /// Parses a whole filter, with operators up to `or`.
    pub(super) fn filter(&mut self) -> Res<Filter> {
        self.expression(level::OR)
    }

    /// Parses filters up to the token `end`. Returns whether the last one is correct, too.
    pub(super) fn filters_until(&mut self, end: usize) -> (Vec<Filter>, bool) {
        let hush = self.hush_syntax;
        let mut items = Vec::new();
        let mut sound = true;
        let mut in_step = true;
        while self.pos < end {
            let start = self.pos;
            if self.moves_of_a_book(end, false) {
                sound = false;
                // as in `1.e4 e5 or 1.d4`
                if matches!(self.keyword(), Some(Keyword::And | Keyword::Or))
                    && self.is_move_number(self.pos + 1)
                {
                    self.pos += 1;
                    continue;
                }
                // The parts that an operator joins to the moves have been reported with them.
                if self.is_operator(self.pos) {
                    self.recover(start, end);
                }
                continue;
            }
            self.filter_starts.push(self.here());
            match self.filter() {
                Ok(filter) => {
                    items.push(filter);
                    // A filter that has its lines to itself resynchronizes parsing.
                    in_step |= self.is_first_on_line(start) && self.is_first_on_line(self.pos);
                    if in_step {
                        self.hush_syntax = hush;
                    }
                    sound = true;
                }
                Err(Failed) => {
                    sound = false;
                    in_step = self.recover(start, end);
                    self.hush_syntax = true;
                }
            }
        }
        self.hush_syntax = hush;
        (items, sound)
    }

    /// Skips the rest of a filter that began at `start`, up to a token that can begin a filter and
    /// is the first on its line, or up to `end`. If the error concerns a single word or operator,
    /// parsing may resume after it on the same line; then the result is `true`. A path is skipped
    /// as a whole.
    fn recover(&mut self, start: usize, end: usize) -> bool {
        let failed_at = self.pos;
        let fault = std::mem::take(&mut self.fault);
        let mut at = start;
        let mut in_step = fault != ErrorExtent::Structure;
        let failed = failed_at.min(end);
        let tokens = &self.stream.tokens;
        let mut behind = tokens.iter().take(failed).skip(start);
        let mut goes_on_at = failed_at;
        if behind.any(|token| token.kind == TokenKind::Keyword(Keyword::Path)) {
            let mut rest = tokens.iter().take(end).skip(failed);
            let blank = rest.position(|token| token.blank_line_before);
            goes_on_at = blank.map_or(end, |blank| failed + blank);
            in_step = false;
        }
        while at < end && !self.exhausted {
            if at > start && at >= goes_on_at && self.may_start(at) {
                if self.is_first_on_line(at) || in_step {
                    break;
                }
            } else if at > start && at >= failed_at && in_step {
                match fault {
                    // The right operand belongs to the faulty filter.
                    ErrorExtent::Operand if self.is_operator(at) => at += 1,
                    ErrorExtent::Operator if self.is_operator(at) => {}
                    _ => in_step = false,
                }
            }
            if at >= end {
                break;
            }
            at = match self.stream.partner(at) {
                Some(close) if close > at => close + 1,
                _ => at + 1,
            };
        }
        self.pos = if self.exhausted { end } else { at.min(end) };
        self.names.poison(&self.stream.tokens[start..self.pos]);
        in_step
    }

    /// Whether the token is an operator between two filters.
    fn is_operator(&self, at: usize) -> bool {
        match self.kind_at(at) {
            Some(TokenKind::Symbol(symbol)) => symbol.is_infix(),
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::And | Keyword::Or | Keyword::In | Keyword::Attacks | Keyword::Attackedby
            ),
            _ => false,
        }
    }

    /// Parses `{ F… }` as one filter.
    pub(super) fn block(&mut self) -> Res<Filter> {
        let start = self.pos;
        let help = "write `true` to match always, `[]` for the empty set";
        let close = self.opened("braces", help)?;
        let (items, sound) = self.enclosed(|p| p.filters_until(close));
        self.pos = close + 1;
        if !sound {
            return Err(Failed);
        }
        Ok(finish_block(items, self.span_from(start)))
    }

    /// Reads the next `{` or `(`. Returns the index of the token that closes it, if there is a
    /// filter between them.
    fn opened(&mut self, what: &str, help: &str) -> Res<usize> {
        let start = self.pos;
        let Some(close) = self.stream.partner(start) else {
            let message = format!("this {} is never closed", self.found());
            return self.fail(code::EXPECTED_SYMBOL, self.here(), message);
        };
        self.pos += 1;
        if self.pos == close {
            self.pos += 1;
            let message = format!("expected a filter between the {what}");
            return self.fail_help(code::EMPTY, self.span_from(start), message, help);
        }
        Ok(close)
    }

    /// Runs `body` within brackets, where `+` and `*` are not repetitions.
    pub(super) fn enclosed<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let outer = (self.path_top, self.in_line);
        (self.path_top, self.in_line) = (false, false);
        let result = body(self);
        (self.path_top, self.in_line) = outer;
        result
    }

    /// Parses `[`, the content, and `]`.
    pub(super) fn bracketed<T>(
        &mut self,
        what: &str,
        inside: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let Some(close) = self.stream.partner(self.pos) else {
            return self.expected_filter();
        };
        self.pos += 1;
        let value = self.enclosed(inside)?;
        if self.pos != close {
            self.leftover()?;
            return self.expected(format_args!("`]` after the {what}"), "");
        }
        self.pos += 1;
        Ok(value)
    }

    /// Parses `( F )`.
    pub(super) fn parenthesized(&mut self) -> Res<Filter> {
        let start = self.pos;
        let close = self.opened("parentheses", "")?;
        let filter = self.filter()?;
        self.close_parentheses(close)?;
        Ok(wrap_lone_variable(filter, self.span_from(start)))
    }

    /// Reads the `)` after a filter, at the token `close`.
    pub(super) fn close_parentheses(&mut self, close: usize) -> Res<()> {
        if self.pos == close {
            self.pos += 1;
            return Ok(());
        }
        self.leftover()?;
        if self.symbol() == Some(Symbol::Comma)
            && let Some((mend, end)) = self.mend_of_list(close)
        {
            let error = self.expected_as(
                code::TOO_MANY,
                "`)` after the only filter of the parentheses",
                mend,
            );
            self.pos = end;
            self.fault = ErrorExtent::Operand;
            return error;
        }
        let help = match self.symbol() {
            Some(Symbol::Plus | Symbol::Star) if self.path_top => REPEATS_IN_PATH.into(),
            Some(Symbol::Comma) => self.mend_of_comma(self.pos),
            _ => "put several filters into braces: `{…}`".into(),
        };
        self.expected_as(code::TOO_MANY, "`)` after the only filter of the parentheses", help)
    }
}

/// Returns `{F}` as `F`, except for a single variable, whose block means that it is passed by
/// value.
pub(super) fn finish_block(mut items: Vec<Filter>, span: Span) -> Filter {
    if items.len() == 1 {
        let only = items.remove(0);
        return wrap_lone_variable(only, span);
    }
    let ty = items.last().map_or(Type::Boolean, |f| f.ty);
    Filter { kind: FilterKind::Block(items), ty, span }
}

pub(super) fn wrap_lone_variable(filter: Filter, span: Span) -> Filter {
    if matches!(filter.kind, FilterKind::Variable(_)) {
        return Filter { ty: filter.ty, kind: FilterKind::Block(vec![filter]), span };
    }
    filter
}
