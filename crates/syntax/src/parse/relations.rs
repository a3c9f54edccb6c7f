//! Relations between positions: `child`, `position`, `lca` and its like, `find`, `echo`,
//! `consecutivemoves`.

use super::Parser;
use super::error::{Res, code};
use super::expression::level;
use crate::keyword::Keyword;
use crate::token::Symbol;
use crate::tree::{Filter, FilterKind, Type, VariableId, VariableKind};

impl Parser<'_> {
    /// `child`, `child(E)`
    pub(super) fn child(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let index = if self.symbol() == Some(Symbol::OpenParen) {
            let mut items = self.arguments("child", level::ADD)?;
            match (items.pop(), items.is_empty()) {
                (Some(index), true) => self.require(index, Type::Numeric, "child")?,
                _ => {
                    let span = self.span_from(start);
                    let message = "`child` takes one number in parentheses";
                    return self.fail(code::ARGUMENTS, span, message);
                }
            }
        } else {
            self.make(start, Type::Numeric, FilterKind::Number(0))
        };
        let kind = FilterKind::ChildPosition(Box::new(index));
        Ok(self.make(start, Type::Position, kind))
    }

    /// `position E`
    pub(super) fn position_by_id(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let id = self.operand("position", level::ADD, Type::Numeric)?;
        let kind = FilterKind::PositionById(Box::new(id));
        Ok(self.make(start, Type::Position, kind))
    }

    /// `distance(P Q)`, `lca(P Q)`, `ancestor(P Q)`, `descendant(P Q)`
    pub(super) fn position_pair(&mut self, keyword: Keyword) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let word = keyword.text();
        let (first, second) = self.two_arguments(word, level::OR)?;
        let first = Box::new(self.require(first, Type::Position, word)?);
        let second = Box::new(self.require(second, Type::Position, word)?);
        let (ty, kind) = match keyword {
            Keyword::Distance => (Type::Numeric, FilterKind::Distance(first, second)),
            Keyword::Lca => (Type::Position, FilterKind::Lca(first, second)),
            Keyword::Ancestor => (Type::Boolean, FilterKind::Ancestor(first, second)),
            _ => (Type::Boolean, FilterKind::Descendant(first, second)),
        };
        Ok(self.make(start, ty, kind))
    }

    /// `find [quiet] [all] [<--] [RANGE] F`
    pub(super) fn find(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let (mut quiet, mut all, mut backward) = (false, false, false);
        let mut range = None;
        loop {
            if self.eat_keyword(Keyword::Quiet) {
                quiet = true;
            } else if self.eat_keyword(Keyword::All) {
                all = true;
            } else if self.eat_symbol(Symbol::LineBackward) {
                backward = true;
            } else if range.is_none() {
                range = self.range();
                if range.is_none() {
                    break;
                }
            } else {
                break;
            }
        }
        if all && range.is_some() {
            let span = self.span_from(start);
            return self.fail_help(
                code::PARAMETER,
                span,
                "`find` takes either `all` or a range, not both",
                "`find all F` is `find 1 100000 F`",
            );
        }
        if self.symbol() == Some(Symbol::LineForward) {
            let span = self.here();
            return self.fail_help(
                code::PARAMETER,
                span,
                "`find` has no option `-->`",
                "without `<--` it looks forward",
            );
        }
        let body = self.operand_of_any_type("find", level::OR)?;
        let ty = if all || range.is_some() {
            Type::Numeric
        } else {
            Type::Position
        };
        let kind = FilterKind::Find {
            quiet,
            all,
            backward,
            range,
            body: Box::new(body),
        };
        Ok(self.make(start, ty, kind))
    }

    /// `echo [quiet] (S T) [in all] F`
    pub(super) fn echo(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let quiet = self.eat_keyword(Keyword::Quiet);
        let close = match self.symbol() {
            Some(Symbol::OpenParen) => self.stream.partner[self.pos],
            _ => None,
        };
        let Some(close) = close else {
            let span = self.here();
            let message = format!("expected `(` behind `echo`, found {}", self.found());
            return self.fail_help(
                code::EXPECTED_SYMBOL,
                span,
                message,
                "write `echo (source target) F`",
            );
        };
        self.pos += 1;
        let (source_name, source_span) = self.expect_name("echo (")?;
        let source = self.declare(&source_name, source_span, VariableKind::Position)?;
        let (target_name, target_span) = self.expect_name("echo (…")?;
        if source_name == target_name {
            return self.fail(
                code::NAME_TAKEN,
                target_span,
                "the two variables of `echo` must be different",
            );
        }
        let target = self.declare(&target_name, target_span, VariableKind::Position)?;
        if self.pos != close {
            let span = self.here();
            let message = format!("`echo` takes two variables, found also {}", self.found());
            return self.fail(code::ARGUMENTS, span, message);
        }
        self.pos += 1;
        if self.keyword() == Some(Keyword::Quiet) {
            let span = self.here();
            return self.fail_help(
                code::PARAMETER,
                span,
                "`quiet` must stand before the variables of `echo`",
                "write `echo quiet (source target) F`",
            );
        }
        let all = self.eat_keyword(Keyword::In);
        if all && !self.eat_keyword(Keyword::All) {
            let span = self.here();
            let message = format!("expected `all` behind `in`, found {}", self.found());
            return self.fail_help(
                code::EXPECTED_SYMBOL,
                span,
                message,
                "write `echo (source target) in all F`",
            );
        }
        self.n_echoes += 1;
        let body = self.operand_of_any_type("echo (…)", level::OR)?;
        let ty = match body.ty {
            Type::Numeric => Type::Numeric,
            _ => Type::Boolean,
        };
        let kind = FilterKind::Echo {
            quiet,
            source,
            target,
            all,
            body: Box::new(body),
        };
        Ok(self.make(start, ty, kind))
    }

    /// `consecutivemoves [quiet] [RANGE] [quiet] (S T)`
    pub(super) fn consecutive_moves(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let mut quiet = self.eat_keyword(Keyword::Quiet);
        let range = self.range();
        quiet |= self.eat_keyword(Keyword::Quiet);
        if !self.eat_symbol(Symbol::OpenParen) {
            let span = self.here();
            let message = format!(
                "expected `(` behind `consecutivemoves`, found {}",
                self.found()
            );
            return self.fail_help(
                code::EXPECTED_SYMBOL,
                span,
                message,
                "write `consecutivemoves(x y)`",
            );
        }
        let source = self.position_variable()?;
        let target = self.position_variable()?;
        if !self.eat_symbol(Symbol::CloseParen) {
            let span = self.here();
            let message = format!(
                "`consecutivemoves` takes two variables, found also {}",
                self.found()
            );
            return self.fail(code::ARGUMENTS, span, message);
        }
        let index = self.query.n_trackers;
        self.query.n_trackers += 1;
        let kind = FilterKind::ConsecutiveMoves {
            index,
            quiet,
            range,
            source,
            target,
        };
        Ok(self.make(start, Type::Numeric, kind))
    }

    fn position_variable(&mut self) -> Res<VariableId> {
        let at = self.pos;
        let span = self.here();
        let Some(id) = self.variable_at(at) else {
            if let Some(name) = self.name_at(at).map(str::to_owned) {
                return self.unknown_name(&name, span);
            }
            let message = format!(
                "`consecutivemoves` needs variables of positions, found {}",
                self.found()
            );
            return self.fail_help(
                code::ARGUMENTS,
                span,
                message,
                "assign the position to a variable first: `x=parent`",
            );
        };
        if self.variable(id).kind != VariableKind::Position {
            let message = format!(
                "`consecutivemoves` needs variables of positions, found {}",
                self.found()
            );
            return self.fail(code::OPERAND_TYPE, span, message);
        }
        self.pos += 1;
        Ok(id)
    }
}
