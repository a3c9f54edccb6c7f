//! Parses the parts of a path (groups, moves and filters), and finds their ends.
//!
//! At the start of a part, `(` opens a group, a dash is a move whether or not it touches text on
//! its left, and a set of squares that touches a dash is the moving piece; everything else is a
//! filter. Directly after a move, a filter with parentheses and dashes of its own is tried first;
//! if it is only a move, it becomes the next part. So every token is read once: a filter that has
//! been read may become parts of the path, but not the other way round.

use super::super::error::{Failed, Res, code, type_name};
use super::super::filters::wrap_lone_variable;
use super::super::parser::{Parser, PutBack};
use crate::builtin::Keyword;
use crate::level;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Constituent, Dash, Filter, FilterKind, Repeat, Type, VariableKind};

/// Number of unlabeled sorts up to which they are read a second time.
const MANY_SORTS: u32 = 1000;

/// The next part of a path.
enum PathPart {
    Filter(Filter),
    /// Other constituents.
    Next(Vec<Constituent>),
    /// A move in braces, which ends the path and is the filter after it.
    End(Filter),
}

impl Parser<'_> {
    /// Parses the parts of a path or group, up to the token `end` or one that cannot continue them.
    pub(super) fn constituents(&mut self, end: usize) -> Res<Vec<Constituent>> {
        let mut parts: Vec<Constituent> = Vec::new();
        while self.pos < end {
            let start = self.pos;
            if let Some(repeat) = self.suffix() {
                self.repeat_last(&mut parts, repeat, start)?;
                continue;
            }
            if !self.may_start(start) {
                break;
            }
            if self.moves_of_a_book(end, true) {
                return Err(Failed);
            }
            if self.is_score_at(start) {
                let (_, members) = self.scored_moves()?;
                match self.suffix() {
                    None => parts.extend(members),
                    repeat => parts.push(Constituent::Group { members, repeat }),
                }
                continue;
            }
            let part = match parts.last() {
                Some(Constituent::Dash { repeat: None, .. }) => self.part_behind_move()?,
                _ => self.part()?,
            };
            match part {
                PathPart::Filter(filter) => {
                    self.check_number(&filter, parts.is_empty())?;
                    push_filter(&mut parts, filter);
                }
                PathPart::Next(next) => parts.extend(next),
                PathPart::End(filter) => {
                    self.put_back(start, filter);
                    break;
                }
            }
        }
        Ok(parts)
    }

    /// Moves back to the token `at`, where `filter` was read.
    fn put_back(&mut self, at: usize, filter: Filter) {
        self.put_back = Some(PutBack { at, end: self.pos, height: self.tallest, filter });
        self.pos = at;
    }

    /// Parses a repetition sign.
    fn suffix(&mut self) -> Option<Repeat> {
        let repeat = match *self.kind()? {
            TokenKind::Repetition { min, max } => Repeat::Times { min, max },
            TokenKind::Symbol(Symbol::Star | Symbol::RepeatAny) => Repeat::Star,
            TokenKind::Symbol(Symbol::Plus | Symbol::RepeatSome) => Repeat::Plus,
            TokenKind::Symbol(Symbol::Question) => Repeat::Optional,
            _ => return None,
        };
        self.pos += 1;
        Some(repeat)
    }

    fn repeat_last(&mut self, parts: &mut [Constituent], repeat: Repeat, at: usize) -> Res<()> {
        let (message, help) = match parts.last_mut() {
            Some(
                Constituent::Dash { repeat: slot, .. } | Constituent::Group { repeat: slot, .. },
            ) => {
                if slot.is_none() {
                    *slot = Some(repeat);
                    return Ok(());
                }
                (
                    "this part of the path has a repetition already",
                    "group with parentheses: `((…)+)?`",
                )
            }
            Some(Constituent::Filter(_)) => (
                "a repetition follows a move or a group of a path, not a filter",
                "write `(-- F)+` for moves after which F matches; put arithmetic into braces",
            ),
            None => (
                "there is nothing to repeat before this sign",
                "put it after a move or a group: `--+`, `(K-- k--)*`",
            ),
        };
        self.fail_help(code::PATH, self.span_at(at), message, help)
    }

    /// Reports a number on its own, which is not a condition on a position.
    fn check_number(&mut self, filter: &Filter, is_first: bool) -> Res<()> {
        let is_bare = match &filter.kind {
            FilterKind::Number(_) | FilterKind::Arithmetic(..) | FilterKind::Negate(_) => true,
            FilterKind::Variable(id) => self.variable(*id).kind == VariableKind::Numeric,
            _ => false,
        };
        if !is_bare {
            return Ok(());
        }
        let help = if is_first {
            "a range is one or two numbers before the first move"
        } else {
            "compare it: `{x>3}`"
        };
        let message = format!("{} alone is no part of a path", type_name(filter.ty));
        self.fail_help(code::PATH, filter.span, message, help)
    }

    /// Parses a part that does not directly follow a move.
    fn part(&mut self) -> Res<PathPart> {
        let start = self.pos;
        match self.symbol() {
            Some(Symbol::OpenParen) => Ok(PathPart::Next(vec![self.group()?])),
            Some(Symbol::Dash | Symbol::CaptureDash) => self.next_move(None),
            _ => {
                self.refuse_generated()?;
                let left = self.beginning()?;
                if self.touches_dash(&left) {
                    self.next_move(Some(left))
                } else {
                    self.rest_of_filter(left, start)
                }
            }
        }
    }

    /// Parses a part directly after a move, or after its filters.
    fn part_behind_move(&mut self) -> Res<PathPart> {
        let start = self.pos;
        match self.symbol() {
            Some(Symbol::OpenParen) => self.parentheses_behind_move(),
            Some(Symbol::Dash | Symbol::CaptureDash) => self.dash_behind_move(None),
            _ => {
                self.refuse_generated()?;
                let left = self.expression(level::ARROW)?;
                if self.touches_dash(&left) {
                    self.dash_behind_move(Some((left, start)))
                } else {
                    self.rest_of_filter(left, start)
                }
            }
        }
    }

    /// Parses the first operand of a filter or of a move.
    fn beginning(&mut self) -> Res<Filter> {
        let start = self.pos;
        let n_sorts = self.n_default_sorts;
        let filter = self.expression(level::ARROW)?;
        if self.n_default_sorts == n_sorts
            || self.n_default_sorts > MANY_SORTS
            || self.touches_dash(&filter)
        {
            return Ok(filter);
        }
        // The reference first looks for an operand of a move. It counts the unlabeled sorts that it
        // reads there, which never get a value.
        let (end, height, exhausted) = (self.pos, self.tallest, self.exhausted);
        let (n_starts, n_diagnostics) = (self.filter_starts.len(), self.diagnostics.len());
        self.pos = start;
        let again = self.expression(level::ARROW);
        self.filter_starts.truncate(n_starts);
        if let Ok(filter) = again
            && self.diagnostics.len() == n_diagnostics
        {
            return Ok(filter);
        }
        // reading it twice would be an error, since it declares a name
        self.diagnostics.truncate(n_diagnostics);
        (self.pos, self.tallest, self.exhausted) = (end, height, exhausted);
        Ok(filter)
    }

    /// Whether `filter`, which was just read, is the moving piece of a move.
    fn touches_dash(&self, filter: &Filter) -> bool {
        filter.ty == Type::Set
            && matches!(self.symbol(), Some(Symbol::Dash | Symbol::CaptureDash))
            && self.is_tied_left(self.pos)
    }

    /// Parses the move whose dash is the next token.
    fn next_move(&mut self, left: Option<Filter>) -> Res<PathPart> {
        let dash = self.move_without_target(left)?;
        Ok(PathPart::Next(vec![move_of(dash)]))
    }

    /// Parses the next dash. Its destination must not also be the left operand of the next dash.
    fn move_without_target(&mut self, left: Option<Filter>) -> Res<Dash> {
        let dash = self.dash_without_target(left)?;
        let is_shared = dash.left.is_some()
            && dash.right.is_some()
            && matches!(self.symbol(), Some(Symbol::Dash | Symbol::CaptureDash))
            && self.is_tied_left(self.pos);
        if is_shared {
            let arrow = self.pos.saturating_sub(2);
            let help = "put a blank where the next move begins: `k--k --`";
            let way = self.pos.checked_sub(3).and_then(|first| self.mend_of_way(first));
            let mend = way.map(|(mend, _)| mend).or_else(|| self.mend_of_arrow(arrow, None));
            self.fail_help(
                code::PATH,
                self.here(),
                "the squares before this sign belong to the move before",
                mend.unwrap_or(help.into()),
            )
        } else {
            Ok(dash)
        }
    }

    /// Parses the rest of a filter that begins with `left` at the token `start`.
    fn rest_of_filter(&mut self, left: Filter, start: usize) -> Res<PathPart> {
        let filter = self.operators(left, start, level::OR)?;
        Ok(match filter.kind {
            FilterKind::Dash(_) => PathPart::End(filter),
            _ => PathPart::Filter(filter),
        })
    }

    /// Parses the next dash directly after a move: another move, unless operators after it make it
    /// a part of a filter.
    fn dash_behind_move(&mut self, left: Option<(Filter, usize)>) -> Res<PathPart> {
        let sign = self.pos;
        let start = left.as_ref().map_or(sign, |(_, start)| *start);
        // Tighter operators may only follow a dash without a left operand.
        let floor = left.as_ref().map_or(0, |_| level::DASH + 1);
        let dash = self.move_without_target(left.map(|(filter, _)| filter))?;
        let open = self.pos;
        let behind = match self.symbol() {
            Some(Symbol::OpenParen) if self.space_at(open) => {
                let close = self.stream.partner(open).unwrap_or(open);
                let is_dash = |at| self.is_dash_at(at);
                return if (open..close).any(is_dash) {
                    // The parentheses are meant as a group.
                    self.one_in_parentheses(self.span_at(open))
                } else {
                    self.parted_target(sign)
                };
            }
            Some(Symbol::OpenParen) => self.stream.partner(open).map_or(open, |close| close + 1),
            _ => open,
        };
        if !self.may_be_operator(behind) {
            return next(dash);
        }
        let filter = self.dash_with_target(dash, sign, start)?;
        let end = self.pos;
        let filter = self.operators_above(filter, start, level::OR, floor)?;
        match filter.kind {
            FilterKind::Dash(dash) if self.pos == end => self.part_with_target(*dash, open),
            FilterKind::Dash(_) => {
                let message = "this move touches an operator within a path";
                self.fail_help(code::PATH, filter.span, message, "put it into braces")
            }
            _ => Ok(PathPart::Filter(filter)),
        }
    }

    /// Converts a move that was read with its target, which opens at the token `open`. In a path,
    /// the target is a part of its own.
    fn part_with_target(&mut self, mut dash: Dash, open: usize) -> Res<PathPart> {
        let mut target = std::mem::take(&mut dash.target);
        match (target.pop(), target.is_empty()) {
            (None, _) => next(dash),
            (Some(only), true) if !matches!(only.kind, FilterKind::Dash(_)) => {
                let span = self.span_at(open).to(self.span_at(self.pos - 1));
                self.put_back(open, wrap_lone_variable(only, span));
                next(dash)
            }
            _ => {
                let span = self.span_at(open);
                self.one_in_parentheses(span)
            }
        }
    }

    /// Parses parentheses directly after a move or its filters: a filter, or a group of one move.
    fn parentheses_behind_move(&mut self) -> Res<PathPart> {
        let open = self.pos;
        if self.is_score_at(open + 1) {
            return Ok(PathPart::Next(vec![self.group()?]));
        }
        let filter = match self.put_back.take_if(|back| back.at == open) {
            Some(back) => {
                self.pos = back.end;
                self.tallest = back.height;
                back.filter
            }
            None => match self.in_parentheses()? {
                PathPart::Filter(filter) => filter,
                part => return Ok(part),
            },
        };
        let end = self.pos;
        let left = self.operators(filter, open, level::ARROW)?;
        if !self.touches_dash(&left) {
            return self.rest_of_filter(left, open);
        }
        if self.pos > end {
            return self.fail_help(
                code::PATH,
                self.here(),
                "what moves here begins with a parenthesis, which opens a group of the path",
                "put what moves into braces: `{(Q|R)&a-h1}--`",
            );
        }
        let group = Constituent::Group { members: vec![Constituent::Filter(left)], repeat: None };
        let dash = self.dash_without_target(None)?;
        Ok(PathPart::Next(vec![group, move_of(dash)]))
    }

    /// Parses `( F )`, or `( D )` as a group.
    fn in_parentheses(&mut self) -> Res<PathPart> {
        let open = self.pos;
        let Some(close) = self.stream.partner(open).filter(|&close| close > open + 1) else {
            return self.parenthesized().map(PathPart::Filter);
        };
        self.pos += 1;
        self.depth += 1;
        let part = if self.depth > self.max_depth {
            self.exhaust(code::TOO_DEEP, "groups are nested too deeply here")
        } else {
            self.between_parentheses(open, close)
        };
        self.depth -= 1;
        part
    }

    fn between_parentheses(&mut self, open: usize, close: usize) -> Res<PathPart> {
        let mut members = match self.part_behind_move()? {
            PathPart::Filter(filter) => {
                self.close_parentheses(close)?;
                let span = self.span_from(open);
                return Ok(PathPart::Filter(wrap_lone_variable(filter, span)));
            }
            PathPart::Next(members) => members,
            PathPart::End(filter) => return self.braced_move(&filter),
        };
        // the target of the only move
        if self.symbol() == Some(Symbol::OpenParen)
            && self.stream.partner(self.pos) == Some(close - 1)
            && let Some(Constituent::Dash { .. }) = members.last()
        {
            match self.parentheses_behind_move()? {
                PathPart::Filter(filter) => push_filter(&mut members, filter),
                PathPart::Next(next) => members.extend(next),
                PathPart::End(filter) => return self.braced_move(&filter),
            }
        }
        if self.pos != close {
            let span = self.span_at(open);
            return self.one_in_parentheses(span);
        }
        self.pos += 1;
        Ok(PathPart::Next(vec![Constituent::Group { members, repeat: None }]))
    }

    fn one_in_parentheses<T>(&mut self, span: crate::span::Span) -> Res<T> {
        self.fail_help(
            code::PATH,
            span,
            "after a move and its filters, parentheses hold one filter or one move",
            "write `{1}` after the move before to begin a group here: `--{1} (-- --)`",
        )
    }

    fn braced_move<T>(&mut self, filter: &Filter) -> Res<T> {
        self.fail_help(
            code::PATH,
            filter.span,
            "a move alone in braces is no part of a path",
            "leave the braces away, or write `{true --}` to look ahead",
        )
    }

    /// Parses `( … )` where a part may begin.
    fn group(&mut self) -> Res<Constituent> {
        let start = self.pos;
        let Some(close) = self.stream.partner(start) else {
            return self.expected_filter();
        };
        self.pos += 1;
        self.depth += 1;
        let members = if self.depth > self.max_depth {
            self.exhaust(code::TOO_DEEP, "groups are nested too deeply here")
        } else {
            self.constituents(close)
        };
        self.depth -= 1;
        let members = members?;
        if self.pos != close {
            return self.unfinished_group();
        }
        self.pos = close + 1;
        if members.is_empty() {
            return self.fail(
                code::EMPTY,
                self.span_from(start),
                "expected a move between the parentheses",
            );
        }
        Ok(Constituent::Group { members, repeat: None })
    }

    /// Reports a group that the next token cannot continue.
    fn unfinished_group<T>(&mut self) -> Res<T> {
        if let Some(back) = self.put_back.take_if(|back| back.at == self.pos) {
            return self.braced_move(&back.filter);
        }
        let help =
            "here parentheses open a group; put filters with operators into braces: `{(A|a)==3}`";
        self.expected_as(code::PATH, "a move, a filter or `)` in this group of a path", help)
    }

    /// Reports words that may not begin a filter of a path.
    fn refuse_generated(&mut self) -> Res<()> {
        match self.keyword() {
            Some(Keyword::Legal | Keyword::Countmoves) => self.refuse_at(self.pos),
            Some(Keyword::Currentmove | Keyword::Previous)
                if self.keyword_at(self.pos + 1) == Some(Keyword::Countmoves) =>
            {
                self.refuse_at(self.pos + 1)
            }
            _ => Ok(()),
        }
    }

    /// Reports the next word if it generates moves, and if the two parentheses before it might open
    /// a group of the path.
    pub(in crate::parse) fn refuse_in_group(&mut self) -> Res<()> {
        let is_open = |at| self.symbol_at(at) == Some(Symbol::OpenParen);
        if self.path_top && self.pos >= 2 && is_open(self.pos - 1) && is_open(self.pos - 2) {
            self.refuse_generated()
        } else {
            Ok(())
        }
    }

    /// Reports `legal` in a `move` of a path.
    pub(in crate::parse) fn refuse_legal_move(&mut self) -> Res<()> {
        if self.path_top && self.keyword() == Some(Keyword::Legal) {
            self.refuse_at(self.pos)
        } else {
            Ok(())
        }
    }

    fn refuse_at(&mut self, at: usize) -> Res<()> {
        let span = self.span_at(at);
        let word = self.text_of(span);
        self.fail_help(
            code::CONTEXT,
            span,
            format!("`{word}` cannot stand directly in a path"),
            "put it into braces: `{legal --}`",
        )
    }
}

fn next(dash: Dash) -> Res<PathPart> {
    Ok(PathPart::Next(vec![move_of(dash)]))
}

fn move_of(dash: Dash) -> Constituent {
    Constituent::Dash { dash, filters: Vec::new(), repeat: None }
}

/// Adds a filter, to the move before it if it follows one.
fn push_filter(parts: &mut Vec<Constituent>, filter: Filter) {
    match parts.last_mut() {
        Some(Constituent::Dash { filters, repeat: None, .. }) => filters.push(filter),
        _ => parts.push(Constituent::Filter(filter)),
    }
}
