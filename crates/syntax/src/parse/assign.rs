//! Parses assignments to variables and to slices of strings, `persistent` and `atomic`.

use super::error::{Failed, Res, code, type_name};
use super::names::{Entity, kind_name};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::level;
use crate::span::Span;
use crate::token::Symbol;
use crate::tree::{
    Arithmetic, AssignOp, Filter, FilterKind, Persistence, Slice, Type, VariableId, VariableKind,
};

/// Returns the operation of a sign that assigns.
#[must_use]
pub fn assign_op(symbol: Symbol) -> Option<AssignOp> {
    Some(match symbol {
        Symbol::Assign => AssignOp::Set,
        Symbol::AssignNonEmpty => AssignOp::SetNonEmpty,
        Symbol::PlusAssign => AssignOp::Arithmetic(Arithmetic::Add),
        Symbol::MinusAssign => AssignOp::Arithmetic(Arithmetic::Subtract),
        Symbol::TimesAssign => AssignOp::Arithmetic(Arithmetic::Multiply),
        Symbol::DivideAssign => AssignOp::Arithmetic(Arithmetic::Divide),
        Symbol::ModuloAssign => AssignOp::Arithmetic(Arithmetic::Modulo),
        Symbol::UnionAssign => AssignOp::Union,
        Symbol::IntersectAssign => AssignOp::Intersect,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Whether `v[…] =` follows, where v is a variable.
    pub(super) fn is_slice_assignment(&self, start: usize) -> bool {
        let Some(close) = self.stream.partner(start + 1) else {
            return false;
        };
        self.variable_at(start).is_some() && self.symbol_at(close + 1) == Some(Symbol::Assign)
    }

    /// Parses `x = E` or another assignment, whose name is the next token.
    pub(super) fn assignment(
        &mut self,
        start: usize,
        persistent: Option<Persistence>,
        atomic: bool,
    ) -> Res<Filter> {
        let (name, span) = self.expect_name("=")?;
        let Some((op, symbol)) =
            self.symbol().and_then(|symbol| Some((assign_op(symbol)?, symbol)))
        else {
            let at = self.here();
            let message = format!("expected an assignment to `{name}`, found {}", self.found());
            let help = format!("write `{name} = F`");
            return self.fail_help(code::EXPECTED_SYMBOL, at, message, help);
        };
        let old = match self.names.get(&name) {
            Some(&Entity::Variable(id)) => Some(id),
            Some(Entity::Dictionary(_)) => {
                let message = format!("`{name}` is a dictionary and cannot be assigned to");
                let help = format!("assign to an entry: `{name}[key] = F`");
                return self.fail_help(code::NAME_TAKEN, span, message, help);
            }
            Some(Entity::Function(_)) => {
                let message = format!("`{name}` is a function and cannot be assigned to");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            Some(Entity::Mentioned(_)) | None => None,
        };
        self.check_persistence(&name, span, old, persistent)?;
        let combines = !matches!(op, AssignOp::Set | AssignOp::SetNonEmpty);
        if combines && old.is_none() && persistent.is_none() {
            if self.names.is_poisoned(&name) {
                return Err(Failed);
            }
            let message = format!(
                "`{}` needs a variable that exists, but `{name}` is not known here",
                symbol.text()
            );
            let help = format!("assign to it first: `{name} = F`");
            return self.fail_help(code::UNKNOWN_NAME, span, message, help);
        }
        self.pos += 1;
        let value = self.operand_of_any_type(symbol.text(), level::ADD)?;
        let Some(kind) = VariableKind::of(value.ty) else {
            return self.no_value(&value, symbol.text());
        };
        if old.is_some_and(|id| self.variable(id).kind == VariableKind::Piece) {
            let message = format!("`{name}` is a piece variable");
            let help = format!("write `piece {name} = …`");
            return self.fail_help(code::VARIABLE_TYPE, span, message, help);
        }
        self.check_assign_op(op, symbol, &value)?;
        if persistent.is_some() && kind == VariableKind::Position {
            return self.fail(
                code::PERSISTENCE,
                value.span,
                "a position cannot be kept from game to game",
            );
        }
        let variable = self.declare(&name, span, kind)?;
        let entry = &mut self.query.variables[variable.0 as usize];
        entry.atomic |= atomic;
        self.may_have_atomic |= atomic;
        if entry.persistent.is_none() {
            entry.persistent = persistent;
        }
        let kind = FilterKind::Assign { variable, op, value: Box::new(value) };
        Ok(self.make(start, Type::Boolean, kind))
    }

    fn check_persistence(
        &mut self,
        name: &str,
        span: Span,
        old: Option<VariableId>,
        persistent: Option<Persistence>,
    ) -> Res<()> {
        let Some(old) = old else {
            return Ok(());
        };
        let was_persistent = self.variable(old).persistent.is_some();
        if persistent.is_some() && !was_persistent {
            let message = format!("`persistent` must stand where `{name}` is first used");
            return self.fail(code::PERSISTENCE, span, message);
        }
        Ok(())
    }

    fn check_assign_op(&mut self, op: AssignOp, symbol: Symbol, value: &Filter) -> Res<()> {
        let wanted = match (op, value.ty) {
            (AssignOp::Set, _)
            | (AssignOp::SetNonEmpty | AssignOp::Union | AssignOp::Intersect, Type::Set)
            | (AssignOp::Arithmetic(_), Type::Numeric)
            | (AssignOp::Arithmetic(Arithmetic::Add), Type::String) => return Ok(()),
            (AssignOp::Arithmetic(Arithmetic::Add), _) => "a number or a string",
            (AssignOp::Arithmetic(_), _) => "a number",
            _ => "a set of squares",
        };
        let message = format!("`{}` needs {wanted}, found {}", symbol.text(), type_name(value.ty));
        self.fail(code::OPERATOR_TYPE, value.span, message)
    }

    /// Reports a filter without a value that is used for its value.
    pub(super) fn no_value<T>(&mut self, filter: &Filter, word: &str) -> Res<T> {
        let what = match filter.kind {
            FilterKind::Assign { .. } | FilterKind::AssignEntry(..) => {
                "an assignment, which has no value"
            }
            FilterKind::Dictionary(_) => "a dictionary",
            FilterKind::Dash(_) | FilterKind::CurrentMove(_) => "a move filter without a value",
            FilterKind::Lookup(..) => "an entry of a dictionary whose values have no type yet",
            _ => type_name(Type::Boolean),
        };
        let help = match filter.kind {
            FilterKind::Dash(_) | FilterKind::CurrentMove(_) => {
                "its value is that of its target: `K--(from)`"
            }
            FilterKind::Lookup(..) => "assign to an entry of the dictionary further up",
            FilterKind::Dictionary(_) => "take one of its entries, `D[k]`, or their number, `#D`",
            FilterKind::Assign { .. } | FilterKind::AssignEntry(..) => {
                "assign twice: `x=3 y=3`; to compare, write `==`"
            }
            _ => "numbers can stand for conditions: `{if C then 1 else 0}`",
        };
        let message = format!("`{word}` needs a value, found {what}");
        self.fail_help(code::OPERAND_TYPE, filter.span, message, help)
    }

    /// Parses `persistent x = E` or `persistent dictionary D`.
    pub(super) fn persistent(&mut self) -> Res<Filter> {
        let word = self.here();
        let start = self.eat();
        self.query.shared.get_or_insert(word);
        if self.keyword() == Some(Keyword::Dictionary) {
            return self.dictionary_declaration_from(start, false);
        }
        let persistence =
            if self.eat_keyword(Keyword::Quiet) { Persistence::Quiet } else { Persistence::Shown };
        if let Some(word @ (Keyword::Atomic | Keyword::Piece)) = self.keyword() {
            let message = format!("`persistent` and `{}` exclude each other", word.text());
            return self.fail(code::PERSISTENCE, self.here(), message);
        }
        self.assignment(start, Some(persistence), false)
    }

    /// Parses `atomic x = E`.
    pub(super) fn atomic(&mut self) -> Res<Filter> {
        let start = self.eat();
        if let Some(word @ (Keyword::Persistent | Keyword::Piece)) = self.keyword() {
            let message = format!("`atomic` and `{}` exclude each other", word.text());
            return self.fail(code::PERSISTENCE, self.here(), message);
        }
        self.assignment(start, None, true)
    }

    /// Parses `[i]`, `[i:j]`, `[:]` …
    pub(super) fn slice(&mut self) -> Res<Slice> {
        self.bracketed("index", Self::slice_inside)
    }

    fn slice_inside(&mut self) -> Res<Slice> {
        let from = if self.symbol() == Some(Symbol::Colon) {
            None
        } else {
            Some(Box::new(self.operand("[", level::ADD, Type::Numeric)?))
        };
        if !self.eat_symbol(Symbol::Colon) {
            return match from {
                Some(index) => Ok(Slice::Index(index)),
                None => self.expected_filter(),
            };
        }
        let to = if self.symbol() == Some(Symbol::CloseBracket) {
            None
        } else {
            Some(Box::new(self.operand(":", level::ADD, Type::Numeric)?))
        };
        Ok(Slice::Range(from, to))
    }

    /// Parses `v[i] = S` or `v[i:j] = S`.
    pub(super) fn assign_slice(&mut self) -> Res<Filter> {
        let start = self.pos;
        let (name, span) = self.expect_name("=")?;
        let Some(&Entity::Variable(variable)) = self.names.get(&name) else {
            return self.unknown_name(&name, span);
        };
        if self.variable(variable).kind != VariableKind::String {
            let message = format!(
                "only strings and dictionaries are indexed, `{name}` is {}",
                kind_name(self.variable(variable).kind)
            );
            return self.fail(code::OPERATOR_TYPE, span, message);
        }
        let slice = self.slice()?;
        self.pos += 1;
        let value = self.operand("=", level::ADD, Type::String)?;
        let kind = FilterKind::AssignSlice { variable, slice, value: Box::new(value) };
        Ok(self.make(start, Type::Boolean, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};
    use crate::tree::Persistence;

    #[test]
    fn assignments_fix_types() {
        check("x=R x==2", "(x = R):b (== (# $x:s):n 2):n");
        check("x=?R", "(x =? R):b");
        check(
            "x=1 x+=2 x-=1 x*=2 x/=2 x%=2",
            "(x = 1):b (x add= 2):b (x subtract= 1):b (x multiply= 2):b (x divide= 2):b (x modulo= 2):b",
        );
        check("s=\"a\" s+=\"b\"", "(s = \"a\"):b (s add= \"b\"):b");
        check("x=R x|=r x∩=P", "(x = R):b (x |= r):b (x &= P):b");
        check("x=R and k", "(and (x = R):b k):b");
        check("x=R {x} (x) {{x}}", "(x = R):b (block $x:s):s (block $x:s):s (block $x:s):s");
        refuse("x", "E0201", "x");
        refuse("x=x", "E0201", "x");
        refuse("x=3 x=R", "E0303", "x");
        refuse("x=check", "E0301", "check");
        refuse("x=3 y=x=4", "E0301", "x=4");
        refuse("x+=1", "E0201", "x");
        refuse("x=R x+=1", "E0303", "x");
        refuse("s=\"a\" s-=\"b\"", "E0302", "\"b\"");
        refuse("x=?3", "E0302", "3");
        refuse("x=1 x|=1", "E0302", "1");
        refuse("h1=3", "E0102", "=");
        refuse("n=3", "E0102", "=");
        refuse("check=3", "E0102", "=");
        refuse("function f(){} f=3", "E0203", "f");
        refuse("x=1-0", "E0101", "1-0");
    }

    #[test]
    fn persistent_and_atomic() {
        let (_, parsed) = parse_body("persistent x+=1 persistent quiet y=R atomic z=\"a\" x=4");
        assert_eq!(parsed.diagnostics, []);
        let kept: Vec<_> = parsed
            .query
            .variables
            .iter()
            .map(|v| (v.name.as_str(), v.persistent, v.atomic))
            .collect();
        assert_eq!(
            kept,
            [
                ("x", Some(Persistence::Shown), false),
                ("y", Some(Persistence::Quiet), false),
                ("z", None, true),
            ]
        );
        check("persistent x+=1 atomic x=2", "(x add= 1):b (x = 2):b");
        refuse("x=3 persistent x=4", "E0405", "x");
        refuse("persistent x=parent", "E0405", "parent");
        refuse("persistent atomic x=1", "E0405", "atomic");
        refuse("atomic persistent x=1", "E0405", "persistent");
        refuse("atomic piece x=K", "E0405", "piece");
        refuse("persistent x", "E0103", "");
    }

    #[test]
    fn slices_of_variables_can_be_replaced() {
        check(
            "s=\"hello\" s[0]=\"J\" s[1:3]=\"X\" s[2:]=\"c\" s[:]=\"d\"",
            "(s = \"hello\"):b (s[0] = \"J\"):b (s[1:3] = \"X\"):b (s[2:] = \"c\"):b (s[:] = \"d\"):b",
        );
        refuse("s=\"a\" s[0][0]=\"b\"", "E0102", "=");
        refuse("\"abc\"[0]=\"b\"", "E0102", "=");
        refuse("s=\"a\" s[0]+=\"b\"", "E0102", "+=");
        refuse("s=\"a\" s[0]=\"x\"<\"y\"", "E0102", "<");
        refuse("s=\"a\" s[0]=1", "E0301", "1");
        refuse("x=1 x[0]=\"a\"", "E0302", "x");
    }
}
