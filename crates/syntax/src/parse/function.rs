//! Functions: a definition keeps the tokens of its body, a call puts the arguments in and parses
//! the result in the place of the call.

use std::rc::Rc;

use super::Parser;
use super::error::{Failed, Res, code};
use super::finish_block;
use super::names::{Entity, kind_of};
use super::stream::Stream;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::{Filter, FilterKind, Type, VariableId};

/// All calls together may copy this many tokens.
const MAX_EXPANDED: usize = 500_000;

/// A function of the query.
pub(super) struct Function {
    name: String,
    parameters: Vec<String>,
    body: Vec<Token>,
    /// Where complaints about the end of the body point.
    end: Span,
}

/// A call that is being expanded.
pub(super) struct ActiveCall {
    pub(super) name: String,
    pub(super) span: Span,
}

impl Parser<'_> {
    /// `function NAME ( PARAMETERS ) { TOKENS }`
    pub(super) fn function_definition(&mut self) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        let (name, span) = self.expect_name("function")?;
        match self.names.get(&name) {
            Some(Entity::Function(_)) => {
                let message = format!("the function `{name}` is defined twice");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            Some(Entity::Variable(_) | Entity::Dictionary(_)) => {
                let message = format!("`{name}` has another meaning already");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            Some(Entity::Mentioned(_)) | None => {}
        }
        let parameters = self.parameters(&name)?;
        let open = self.pos;
        let close = match self.symbol() {
            Some(Symbol::OpenBrace) => self.stream.partner[open],
            _ => None,
        };
        let Some(close) = close else {
            let at = self.here();
            let message = format!(
                "expected the body of `{name}` in braces, found {}",
                self.found()
            );
            if let Some(&TokenKind::Repetition { min, max }) = self.kind()
                && min == max
            {
                let help = format!("`{{{min}}}` is a repetition; write `{{ {min} }}`");
                return self.fail_help(code::EXPECTED_SYMBOL, at, message, help);
            }
            return self.fail(code::EXPECTED_SYMBOL, at, message);
        };
        let function = Function {
            name: name.clone(),
            parameters,
            body: self.stream.tokens[open + 1..close].to_vec(),
            end: self.span_at(close),
        };
        self.pos = close + 1;
        self.names.insert(name, Entity::Function(Rc::new(function)));
        Ok(self.make(start, Type::Boolean, FilterKind::FunctionDefinition))
    }

    fn parameters(&mut self, name: &str) -> Res<Vec<String>> {
        if !self.eat_symbol(Symbol::OpenParen) {
            let at = self.here();
            let message = format!(
                "expected the parameters of `{name}` in parentheses, found {}",
                self.found()
            );
            return self.fail(code::EXPECTED_SYMBOL, at, message);
        }
        let mut parameters = Vec::new();
        while !self.eat_symbol(Symbol::CloseParen) {
            if self.symbol() == Some(Symbol::Comma) {
                let at = self.here();
                return self.fail_help(
                    code::EXPECTED_SYMBOL,
                    at,
                    "expected a parameter or `)`, found `,`",
                    "separate parameters by blanks",
                );
            }
            let (parameter, span) = self.expect_name("(")?;
            if parameters.contains(&parameter) {
                let message = format!("the parameter `{parameter}` stands twice");
                return self.fail(code::NAME_TAKEN, span, message);
            }
            parameters.push(parameter);
        }
        Ok(parameters)
    }

    /// `NAME ( ARGUMENTS )`
    pub(super) fn call(&mut self, function: &Rc<Function>) -> Res<Filter> {
        let start = self.pos;
        self.pos += 1;
        if self.symbol() != Some(Symbol::OpenParen) {
            let span = self.span_at(start);
            let message = format!(
                "`{}` is a function: expected `(` behind it, found {}",
                function.name,
                self.found()
            );
            let help = format!("call it: `{}(…)`", function.name);
            return self.fail_help(code::FUNCTION, span, message, help);
        }
        let values = self.call_arguments(function)?;
        let span = self.span_from(start);
        if values.len() != function.parameters.len() {
            let message = format!(
                "`{}` takes {} arguments, found {}",
                function.name,
                function.parameters.len(),
                values.len()
            );
            return self.fail(code::ARGUMENTS, span, message);
        }
        if self.calls.iter().any(|call| call.name == function.name) {
            let message = format!("`{}` calls itself", function.name);
            return self.fail_help(
                code::RECURSION,
                span,
                message,
                "functions are expanded where they are called; use `while` or `loop`",
            );
        }
        self.n_expanded += function.body.len() + 1;
        if self.n_expanded > MAX_EXPANDED {
            return self.exhaust(
                code::TOO_LONG,
                "the functions of this query expand to too much text",
            );
        }

        let mut arguments = Vec::new();
        let mut names = Vec::new();
        for (value, parameter) in values.into_iter().zip(&function.parameters) {
            match value {
                Argument::Name(name) => names.push(name),
                Argument::Value(filter) => {
                    let Some(kind) = kind_of(filter.ty) else {
                        return self.no_value(&filter, &function.name);
                    };
                    let id = VariableId(self.query.variables.len() as u32);
                    names.push(self.hidden_variable(parameter, kind));
                    arguments.push((id, filter));
                }
            }
        }
        let body = self.expand(function, &names, span)?;
        let ty = body.ty;
        let kind = FilterKind::Call {
            arguments,
            body: Box::new(body),
        };
        Ok(Filter { kind, ty, span })
    }

    fn call_arguments(&mut self, function: &Rc<Function>) -> Res<Vec<Argument>> {
        let close = self.stream.partner[self.pos];
        self.pos += 1;
        let mut values = Vec::new();
        while close.is_some_and(|close| self.pos < close) {
            let start = self.pos;
            if let Some(Entity::Function(other)) =
                self.name_at(start).and_then(|name| self.names.get(name))
                && self.symbol_at(start + 1) != Some(Symbol::OpenParen)
            {
                let message = format!("the function `{}` cannot be passed", other.name);
                let span = self.here();
                return self.fail(code::FUNCTION, span, message);
            }
            let filter = self.filter()?;
            let bare = self.pos == start + 1
                && matches!(
                    filter.kind,
                    FilterKind::Variable(_) | FilterKind::Dictionary(_)
                );
            match self.name_at(start) {
                Some(name) if bare => values.push(Argument::Name(name.to_owned())),
                _ if filter.ty == Type::Boolean => return self.no_value(&filter, &function.name),
                _ => values.push(Argument::Value(filter)),
            }
        }
        self.pos += 1;
        Ok(values)
    }

    /// Parses the body with `names` in the places of the parameters.
    fn expand(&mut self, function: &Rc<Function>, names: &[String], span: Span) -> Res<Filter> {
        let tokens = function.body.iter().map(|token| {
            let mut token = token.clone();
            if let TokenKind::Name(name) = &mut token.kind
                && let Some(at) = function.parameters.iter().position(|p| p == name)
            {
                name.clone_from(&names[at]);
            }
            token
        });
        let stream = Rc::new(Stream::new(tokens.collect(), function.end));
        self.calls.push(ActiveCall {
            name: function.name.clone(),
            span,
        });
        let outer = (self.stream.clone(), self.pos, self.limit);
        let modes = (self.path_top, self.constituent_at, self.in_line);
        (self.path_top, self.in_line) = (false, false);
        self.open_stream(stream);
        let body = self.body(function, span);
        self.open_stream(outer.0);
        (self.pos, self.limit) = (outer.1, outer.2);
        (self.path_top, self.constituent_at, self.in_line) = modes;
        self.calls.pop();
        body
    }

    fn body(&mut self, function: &Function, span: Span) -> Res<Filter> {
        if self.limit == 0 {
            let message = format!("the body of `{}` is empty", function.name);
            return self.fail(code::EMPTY, function.end, message);
        }
        match self.filters_until(self.limit) {
            (items, true) => Ok(finish_block(items, span)),
            _ => Err(Failed),
        }
    }
}

/// An argument of a call.
enum Argument {
    /// A bare variable: the body uses it under its own name.
    Name(String),
    /// Anything else: evaluated before the body.
    Value(Filter),
}
