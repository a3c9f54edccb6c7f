//! Parses functions. A definition stores the tokens of its body. A call inserts the arguments and
//! parses the result in place of the call.

use std::rc::Rc;

use super::error::{Failed, Res, code, plural};
use super::filters::finish_block;
use super::mend::Mend;
use super::names::{ActiveCall, Entity, Function};
use super::parser::Parser;
use super::stream::Stream;
use crate::library::{LIBRARIES, Library};
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::{Filter, FilterKind, Type, VariableId, VariableKind};

/// Maximum number of tokens copied by all calls together.
const MAX_EXPANDED: usize = 500_000;

impl<'a> Parser<'a> {
    /// Parses `function NAME ( PARAMETERS ) { TOKENS }`.
    pub(super) fn function_definition(&mut self) -> Res<Filter> {
        let start = self.eat();
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
            Some(Symbol::OpenBrace) => self.stream.partner(open),
            _ => None,
        };
        let Some(close) = close else {
            let at = self.here();
            let message =
                format!("expected the body of `{name}` in braces, found {}", self.found());
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

    /// Parses `import "NAME"`; [`Parser::define`] has read the functions already.
    pub(super) fn import(&mut self) -> Res<Filter> {
        let start = self.eat();
        let names = LIBRARIES.each_ref().map(|library| library.name).join("\", \"");
        match self.literal() {
            Some(name) if Library::named(name).is_some() => {
                self.pos += 1;
                Ok(self.make(start, Type::Boolean, FilterKind::FunctionDefinition))
            }
            _ => {
                let name = self.text_of(self.here());
                let is_library = Library::named(name.as_bytes()).is_some();
                let help =
                    format!("write `import \"{}\"`", if is_library { &name } else { "themes" });
                let mend = if is_library {
                    Mend::edit(help, self.here(), format!("\"{name}\""))
                } else {
                    Mend::advice(help)
                };
                let what = format!("the name of a library in quotes (\"{names}\")");
                let failed = self.expected_as(code::LITERAL, what, mend);
                self.pos += usize::from(is_library);
                failed
            }
        }
    }

    /// Reads the definitions of a library.
    pub(super) fn define(&mut self, stream: Rc<Stream<'a>>) {
        self.open_stream(stream);
        let _ = self.filters_until(self.limit);
        self.filter_starts.clear();
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

    /// Parses `NAME ( ARGUMENTS )`.
    pub(super) fn call(&mut self, function: &Rc<Function>) -> Res<Filter> {
        let start = self.eat();
        if self.symbol() != Some(Symbol::OpenParen) {
            let message = format!(
                "`{}` is a function: expected `(` after it, found {}",
                function.name,
                self.found()
            );
            let name = &function.name;
            let mend = if function.parameters.is_empty() {
                let call = format!("{name}()");
                Mend::edit(format!("call it: `{call}`"), self.span_at(start), call)
            } else {
                Mend::advice(format!("call it: `{name}(…)`"))
            };
            return self.fail_help(code::FUNCTION, self.span_at(start), message, mend);
        }
        let values = self.call_arguments(function)?;
        let span = self.span_from(start);
        if values.len() != function.parameters.len() {
            let message = format!(
                "`{}` takes {}, found {}",
                function.name,
                plural(function.parameters.len(), "argument"),
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
        let mut arguments = Vec::new();
        let mut names = Vec::new();
        for (value, parameter) in values.into_iter().zip(&function.parameters) {
            match value {
                Argument::Name(name) => names.push(name),
                Argument::Value(filter) => {
                    let Some(kind) = VariableKind::of(filter.ty) else {
                        return self.no_value(&filter, &function.name);
                    };
                    let id = VariableId(self.query.variables.len() as u32);
                    names.push(self.hidden_variable(parameter, kind));
                    arguments.push((id, filter));
                }
            }
        }
        let body = self.expanded(function, &names, span)?;
        let ty = body.ty;
        let kind = FilterKind::Call { arguments, body: Box::new(body) };
        Ok(Filter { kind, ty, span })
    }

    fn call_arguments(&mut self, function: &Rc<Function>) -> Res<Vec<Argument>> {
        let close = self.stream.partner(self.pos);
        self.pos += 1;
        let mut values = Vec::new();
        while close.is_some_and(|close| self.pos < close) {
            let start = self.pos;
            if let Some(Entity::Function(other)) =
                self.name_at(start).and_then(|name| self.names.get(name))
                && self.symbol_at(start + 1) != Some(Symbol::OpenParen)
            {
                let message = format!("the function `{}` cannot be passed", other.name);
                return self.fail(code::FUNCTION, self.here(), message);
            }
            let filter = self.filter()?;
            let bare = self.pos == start + 1
                && matches!(filter.kind, FilterKind::Variable(_) | FilterKind::Dictionary(_));
            match self.name_at(start) {
                Some(name) if bare => values.push(Argument::Name(name.to_owned())),
                _ if filter.ty == Type::Boolean => return self.no_value(&filter, &function.name),
                _ => values.push(Argument::Value(filter)),
            }
        }
        self.pos += 1;
        Ok(values)
    }

    /// Parses the body with `names` in place of the parameters, unless the text becomes too long.
    pub(super) fn expanded(
        &mut self,
        function: &Rc<Function>,
        names: &[String],
        span: Span,
    ) -> Res<Filter> {
        self.n_expanded += function.body.len() + 1;
        if self.n_expanded > MAX_EXPANDED {
            return self
                .exhaust(code::TOO_LONG, "the functions of this query expand to too much text");
        }
        self.expand(function, names, span)
    }

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
        let stream = Rc::new(Stream::new(tokens.collect::<Vec<Token>>(), function.end));
        self.calls.push(ActiveCall { name: function.name.clone(), span });
        let outer = (self.stream.clone(), self.pos, self.limit);
        let replaced = self.replaced;
        self.open_stream(stream);
        let body = self.enclosed(|p| p.body(function, span));
        self.open_stream(outer.0);
        (self.pos, self.limit) = (outer.1, outer.2);
        self.replaced = replaced;
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
    /// A variable, which the body uses under its own name.
    Name(String),
    /// Any other filter, which is evaluated before the body.
    Value(Filter),
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};

    #[test]
    fn arguments_are_passed_by_name_or_by_value() {
        check(
            "function f(x y){x=y} z=1 f(z 2+3)",
            "function (z = 1):b (call y<1>=(+ 2 3):n (z = $y<1>:n):b):b",
        );
        check(
            "function f(v){v+=1} z=1 f((z)) f({z})",
            "function (z = 1):b (call v<1>=(block $z:n):n (v<1> add= 1):b):b (call v<2>=(block $z:n):n (v<2> add= 1):b):b",
        );
        check(
            "piece w=K function f(x){pieceid x} f(w)",
            "(piece w = K):b function (call pieceid-w):n",
        );
        check(
            "dictionary D function put(d0 k0){d0[ k0]=1} put(D \"a\")",
            "dictionary-D function (call k0<0>=\"a\" (%D = $k0<0>:t 1):b):b",
        );
        check("function f(z){z} f(K)", "function (call z<0>=K (block $z<0>:s):s):s");
        check("function f(){R} f ()", "function (call R):s");
    }

    #[test]
    fn bodies_are_parsed_where_they_are_called() {
        check("function bad(){no such thing} true", "function true");
        check("function e(){} true", "function true");
        check("function f(){x0+=1} x0=3 f()", "function (x0 = 3):b (call (x0 add= 1):b):b");
        check(
            "function g(u){f(u)} function f(u){u} g(7)",
            "function function (call u<0>=7 (call (block $u<0>:n):n):n):n",
        );
        check(
            "function f(x){function g(y){y+x} g(1)} f(2)",
            "function (call x<0>=2 (block function (call y<1>=1 (+ $y<1>:n $x<0>:n):n):n):n):n",
        );
        check(
            "x=3 function f(x){x==4} f(4)",
            "(x = 3):b function (call x<1>=4 (== $x<1>:n 4):n):n",
        );
        check("function f(){path --\n\nR} f()", "function (call (block (path <-- * *>):n R):s):s");
    }

    #[test]
    fn wrong_functions_are_refused() {
        for (text, code, place) in [
            ("function f(x,y){x}", "E0103", ","),
            ("function f(x x){x}", "E0203", "x"),
            ("function f(a){a}", "E0202", "a"),
            ("function f(x) x f(3)", "E0103", "x"),
            ("function f(){3}", "E0103", "{3}"),
            ("function f(x){x} function f(x){x}", "E0203", "f"),
            ("x=1 function x(){R}", "E0203", "x"),
            ("function f(x){x==3} f(3 4)", "E0106", "f(3 4)"),
            ("function f(x){x==3} f()", "E0106", "f()"),
            ("function f(x){x==3} f(check)", "E0301", "check"),
            ("function f(x){x==3} f(zork)", "E0201", "zork"),
            ("function f(x){x==3} f", "E0204", "f"),
            ("function f(x){x==3} f(f)", "E0204", "f"),
            ("f(3) function f(x){x==3}", "E0201", "f"),
            ("function f(){} f()", "E0104", "}"),
            ("function f(x){f(x)} f(R)", "E0205", "f(x)"),
            ("function f(x){g(x)} function g(x){f(x)} f(R)", "E0205", "f(x)"),
            ("function f(x){y0=x} f(3) f(\"a\")", "E0303", "y0"),
            ("function f(){function g(){R} g()} f() f()", "E0203", "g"),
        ] {
            refuse(text, code, place);
        }
    }

    #[test]
    fn expansion_is_limited() {
        let mut text = String::new();
        for i in 0..40 {
            text += &format!("function f_{i}(){{f_{}() f_{}()}}\n", i + 1, i + 1);
        }
        text += "function f_40(){true} f_0()";
        let (_, parsed) = parse_body(&text);
        let codes: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code).collect();
        assert_eq!(codes, ["E0902"]);
    }

    #[test]
    fn faults_in_a_body_name_the_call() {
        let (text, parsed) = parse_body("function f(x){R|x} f(3)");
        let notes: Vec<&str> = parsed.diagnostics[0]
            .notes
            .iter()
            .map(|(span, _)| &text[span.start as usize..span.end as usize])
            .collect();
        assert_eq!(notes, ["f(3)"]);
    }
}
