//! Parses relations between positions: `child`, `position`, `lca` and similar words, `find`,
//! `echo`, `consecutivemoves`.

use super::error::{Res, code};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::token::Symbol;
use crate::tree::{Consecutive, Echo, Filter, FilterKind, Find, Type, VariableId, VariableKind};

impl Parser<'_> {
    /// Parses `child` or `child(E)`.
    pub(super) fn child(&mut self) -> Res<Filter> {
        let start = self.eat();
        let index = if self.symbol() == Some(Symbol::OpenParen) {
            let mut items = self.arguments("child", level::ADD)?;
            match (items.pop(), items.is_empty()) {
                (Some(index), true) => self.require(index, Type::Numeric, "child")?,
                _ => {
                    let message = "`child` takes one number in parentheses";
                    return self.fail(code::ARGUMENTS, self.span_from(start), message);
                }
            }
        } else {
            self.make(start, Type::Numeric, FilterKind::Number(0))
        };
        let kind = FilterKind::ChildPosition(Box::new(index));
        Ok(self.make(start, Type::Position, kind))
    }

    /// Parses `find [quiet] [all] [<--] [RANGE] F`.
    pub(super) fn find(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (mut quiet, mut all, mut backward) = (false, false, false);
        let mut range = None;
        // Span of the first parameter that contradicts an earlier one.
        let mut clash = None;
        loop {
            let at = self.pos;
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
            if all && range.is_some() {
                clash.get_or_insert(self.span_from(at));
            }
        }
        if let Some(clash) = clash {
            return self.fail_help(
                code::PARAMETER,
                clash,
                "`find` takes either `all` or a range, not both",
                "`find all F` is `find 1 100000 F`",
            );
        }
        if self.symbol() == Some(Symbol::LineForward) {
            return self.fail_help(
                code::PARAMETER,
                self.here(),
                "`find` has no option `-->`",
                "without `<--` it looks forward",
            );
        }
        let body = self.operand_of_any_type("find", level::OR)?;
        let ty = if all || range.is_some() { Type::Numeric } else { Type::Position };
        let kind = FilterKind::Find(Find { quiet, all, backward, range, body: Box::new(body) });
        Ok(self.make(start, ty, kind))
    }

    /// Parses `echo [quiet] (S T) [in all] F`.
    pub(super) fn echo(&mut self) -> Res<Filter> {
        let start = self.eat();
        let quiet = self.eat_keyword(Keyword::Quiet);
        let Some(close) = self.end_of_parentheses() else {
            return self.expected("`(` after `echo`", "write `echo (source target) F`");
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
            let message = format!("`echo` takes two variables, found also {}", self.found());
            return self.fail(code::ARGUMENTS, self.here(), message);
        }
        self.pos += 1;
        if self.keyword() == Some(Keyword::Quiet) {
            return self.fail_help(
                code::PARAMETER,
                self.here(),
                "`quiet` must stand before the variables of `echo`",
                "write `echo quiet (source target) F`",
            );
        }
        let all = self.eat_keyword(Keyword::In);
        if all && !self.eat_keyword(Keyword::All) {
            return self.expected("`all` after `in`", "write `echo (source target) in all F`");
        }
        self.n_echoes += 1;
        let body = self.operand_of_any_type("echo (…)", level::OR)?;
        let ty = match body.ty {
            Type::Numeric => Type::Numeric,
            _ => Type::Boolean,
        };
        let kind = FilterKind::Echo(Echo { quiet, source, target, all, body: Box::new(body) });
        Ok(self.make(start, ty, kind))
    }

    /// Parses `consecutivemoves [quiet] [RANGE] [quiet] (S T)`.
    pub(super) fn consecutive_moves(&mut self) -> Res<Filter> {
        let start = self.eat();
        let mut quiet = self.eat_keyword(Keyword::Quiet);
        let range = self.range();
        quiet |= self.eat_keyword(Keyword::Quiet);
        if !self.eat_symbol(Symbol::OpenParen) {
            return self.expected("`(` after `consecutivemoves`", "write `consecutivemoves(x y)`");
        }
        let source = self.position_variable()?;
        let target = self.position_variable()?;
        if !self.eat_symbol(Symbol::CloseParen) {
            let message =
                format!("`consecutivemoves` takes two variables, found also {}", self.found());
            return self.fail(code::ARGUMENTS, self.here(), message);
        }
        let index = self.query.n_trackers;
        self.query.n_trackers += 1;
        let kind =
            FilterKind::ConsecutiveMoves(Consecutive { index, quiet, range, source, target });
        Ok(self.make(start, Type::Numeric, kind))
    }

    fn position_variable(&mut self) -> Res<VariableId> {
        let at = self.pos;
        let span = self.here();
        let Some(id) = self.variable_at(at) else {
            if let Some(name) = self.name_at(at).map(str::to_owned) {
                return self.unknown_name(&name, span);
            }
            let message =
                format!("`consecutivemoves` needs variables of positions, found {}", self.found());
            return self.fail_help(
                code::ARGUMENTS,
                span,
                message,
                "assign the position to a variable first: `x=parent`",
            );
        };
        if self.variable(id).kind != VariableKind::Position {
            let message =
                format!("`consecutivemoves` needs variables of positions, found {}", self.found());
            return self.fail(code::OPERAND_TYPE, span, message);
        }
        self.pos += 1;
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, refuse};

    #[test]
    fn positions_by_number() {
        check(
            "child child(1) child(1+1)",
            "(childposition 0):p (childposition 1):p (childposition (+ 1 1):n):p",
        );
        check("position 3:check", "(at (position 3):p check):b");
        check("lca(parent child)", "(lca parent (childposition 0):p):p");
        check("distance(parent child)>1", "(> (distance parent (childposition 0):p):n 1):n");
        check(
            "ancestor(parent child) descendant(child parent)",
            "(ancestor parent (childposition 0):p):b (descendant (childposition 0):p parent):b",
        );
        for (text, code, place) in [
            ("child(\"a\")", "E0301", "\"a\""),
            ("child(1 2)", "E0106", "child(1 2)"),
            ("position", "E0101", ""),
            ("position \"x\"", "E0301", "\"x\""),
            ("lca curpos parent", "E0103", "curpos"),
            ("lca(K k)", "E0301", "K"),
            ("lca(curpos)", "E0106", "lca(curpos)"),
            ("distance(3 4)", "E0301", "3"),
            ("ancestor(1 2)", "E0301", "1"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn find() {
        check("find check and mate", "(find (and check mate):b):p");
        check("find quiet 2 3 check", "(find quiet 2..3 check):n");
        check("find <-- all check", "(find all <-- check):n");
        check("find 2 <-- check", "(find <-- 2..2 check):n");
        check("find count check", "(find -100000..100000 check):n");
        check("x=2 find x check", "(x = 2):b (find x..x check):n");
        check("{find check}:R", "(at (find check):p R):s");
        refuse("find", "E0101", "");
        refuse("find all 3 5 check", "E0111", "3 5");
        refuse("find 3 quiet all <-- check", "E0111", "all");
        refuse("find --> check", "E0111", "-->");
    }

    #[test]
    fn echo() {
        check("echo (x y) R", "(echo x y R):b");
        check(
            "echo quiet (x y) in all distance(x y)",
            "(echo x y quiet all (distance $x:p $y:p):n):n",
        );
        check("x=parent echo (x y) x:R", "(x = parent):b (echo x y (at $x:p R):s):b");
        for (text, code, place) in [
            ("echo Src Tgt check", "E0103", "Src"),
            ("echo (Src) check", "E0103", ")"),
            ("echo (Src Src) check", "E0203", "Src"),
            ("echo (S1 S2 S3) check", "E0106", "S3"),
            ("echo (Src Tgt)", "E0101", ""),
            ("echo (Src Tgt) quiet check", "E0111", "quiet"),
            ("Src=3 echo (Src Tgt) check", "E0303", "Src"),
            ("echo (Src Tgt) in check", "E0103", "check"),
            ("echo (a $b) check", "E0202", "a"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn consecutive_moves() {
        let xy = "x=parent y=child ";
        let printed = "(x = parent):b (y = (childposition 0):p):b ";
        check(&format!("{xy}consecutivemoves(x y)"), &format!("{printed}(consecutivemoves x y):n"));
        check(
            &format!("{xy}consecutivemoves quiet 1 2 (x y)"),
            &format!("{printed}(consecutivemoves x y 1..2 quiet):n"),
        );
        check(
            &format!("{xy}consecutivemoves 2 quiet (x y)"),
            &format!("{printed}(consecutivemoves x y 2..2 quiet):n"),
        );
        refuse("consecutivemoves Src Tgt", "E0103", "Src");
        refuse("consecutivemoves(curpos parent)", "E0106", "curpos");
        refuse("consecutivemoves(x y)", "E0201", "x");
        refuse("x=1 consecutivemoves(x x)", "E0301", "x");
        refuse(&format!("{xy}consecutivemoves(x y x)"), "E0106", "x");
    }
}
