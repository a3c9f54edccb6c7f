//! Parses conditions, loops and `sort`.

use super::error::{ErrorExtent, Failed, Res, code};
use super::expression::cardinality;
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::level;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{
    Child, DictionaryId, Filter, FilterKind, SortId, SortVariable, SquareLoop, Type, VariableKind,
};

impl Parser<'_> {
    /// Parses `if C then F else G`.
    pub(super) fn if_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        let test = self.operand_of_any_type("if", level::OR)?;
        self.eat_keyword(Keyword::Then);
        let then = self.operand_of_any_type("then", level::OR)?;
        let otherwise = if self.eat_keyword(Keyword::Else) {
            Some(self.operand_of_any_type("else", level::OR)?)
        } else {
            None
        };
        let ty = match &otherwise {
            Some(other) if other.ty == then.ty => then.ty,
            _ => Type::Boolean,
        };
        let kind = FilterKind::If(Box::new(test), Box::new(then), otherwise.map(Box::new));
        Ok(self.make(start, ty, kind))
    }

    /// Parses `while (C) F` or `while (S ~~ "re") F`.
    pub(super) fn while_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        if self.symbol() != Some(Symbol::OpenParen) {
            return self.expected("`(` after `while`", "write `while (C) F`");
        }
        let test = self.parenthesized()?;
        // The loop runs once per match only if the match is directly between the parentheses.
        let direct = match self.kind_at(self.pos - 2) {
            Some(TokenKind::String(_)) => true,
            Some(TokenKind::Symbol(Symbol::CloseParen)) => {
                let open = self.stream.partner(self.pos - 2).unwrap_or_default();
                self.symbol_at(open.saturating_sub(1)) == Some(Symbol::Match)
            }
            _ => false,
        };
        let body = Box::new(self.operand_of_any_type("while (…)", level::OR)?);
        let kind = match test.kind {
            FilterKind::Match { subject, pattern } if direct => {
                FilterKind::WhileMatch { subject, pattern, body }
            }
            kind => FilterKind::While(Box::new(Filter { kind, ..test }), body),
        };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses a condition with `word` before it: `loop F`, `assert F`, `not F`.
    pub(super) fn prefixed(
        &mut self,
        word: &str,
        level: u8,
        kind: fn(Child) -> FilterKind,
    ) -> Res<Filter> {
        let start = self.eat();
        let body = self.operand_of_any_type(word, level)?;
        Ok(self.make(start, Type::Boolean, kind(Box::new(body))))
    }

    /// Parses `equal(F G)`.
    pub(super) fn equal_filter(&mut self) -> Res<Filter> {
        let start = self.eat();
        let (left, right) = self.two_arguments("equal", level::OR)?;
        let kind = FilterKind::Equal(Box::new(left), Box::new(right));
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Returns the `)` of the parentheses that open at the next token.
    pub(super) fn end_of_parentheses(&self) -> Option<usize> {
        match self.symbol() {
            Some(Symbol::OpenParen) => self.stream.partner(self.pos),
            _ => None,
        }
    }

    /// Parses `( F G … )` after `word`, with operators up to the given level.
    pub(super) fn arguments(&mut self, word: &str, level: u8) -> Res<Vec<Filter>> {
        let Some(close) = self.end_of_parentheses() else {
            let range = self.pos.checked_sub(1).and_then(|at| self.mend_of_between(at));
            let (mend, end) = match range {
                Some((mend, end)) => (mend, Some(end)),
                None => (format!("write `{word}(…)`").into(), None),
            };
            let error = self.expected(format_args!("`(` after `{word}`"), mend);
            if let Some(end) = end {
                self.pos = end;
                self.fault = ErrorExtent::Operand;
            }
            return error;
        };
        self.pos += 1;
        let mut items = Vec::new();
        while self.pos < close {
            items.push(self.expression(level)?);
        }
        self.pos = close + 1;
        Ok(items)
    }

    /// Parses `( F G )` after `word`.
    pub(super) fn two_arguments(&mut self, word: &str, level: u8) -> Res<(Filter, Filter)> {
        let start = self.pos - 1;
        let items = self.arguments(word, level)?;
        let n_items = items.len();
        let mut items = items.into_iter();
        match (items.next(), items.next(), items.next()) {
            (Some(first), Some(second), None) => Ok((first, second)),
            _ => {
                let message = format!("`{word}` takes two filters in parentheses, found {n_items}");
                self.fail_usage(code::ARGUMENTS, self.span_from(start), message, word)
            }
        }
    }

    /// Parses `square x in S F` or `square all x in S F`.
    pub(super) fn square_loop(&mut self) -> Res<Filter> {
        let start = self.eat();
        let all = self.eat_keyword(Keyword::All);
        let name = self.expect_name("square")?;
        self.expect_in("square", &name.0)?;
        self.loop_over(start, name, false, all)
    }

    /// Parses `piece x in S F`, `piece all x in S F` or `piece x = S`.
    pub(super) fn piece_filter(&mut self) -> Res<Filter> {
        if let Some((mend, end)) = self.mend_of_piece_theme(self.pos) {
            let message = "`piece` begins a loop: `piece x in S F`";
            self.report(mend.onto(Diagnostic::error(code::EXPECTED_SYMBOL, self.here(), message)));
            self.pos = end;
            self.fault = ErrorExtent::Operand;
            return Err(Failed);
        }
        let start = self.eat();
        let all = self.eat_keyword(Keyword::All);
        let name = self.expect_name("piece")?;
        if !all && self.symbol() == Some(Symbol::Assign) {
            return self.assign_piece(start, name);
        }
        self.expect_in("piece", &name.0)?;
        self.loop_over(start, name, true, all)
    }

    fn expect_in(&mut self, word: &str, name: &str) -> Res<()> {
        if self.eat_keyword(Keyword::In) {
            return Ok(());
        }
        self.expected(
            format_args!("`in` after `{word} {name}`"),
            format!("write `{word} {name} in S F`"),
        )
    }

    /// Parses `[Aa]x [element] S F` or `[Aa]x = S`.
    pub(super) fn declared_piece(&mut self) -> Res<Filter> {
        let start = self.eat();
        let name = self.expect_name("[Aa]")?;
        match self.symbol() {
            Some(Symbol::Assign) => self.assign_piece(start, name),
            Some(Symbol::Element) => {
                self.pos += 1;
                self.loop_over(start, name, true, false)
            }
            _ => self.expected(
                format_args!("`=` or `[element]` after the piece variable `{}`", name.0),
                "",
            ),
        }
    }

    /// Parses `[forall] x [element] S F` or `[forall][Aa]x [element] S F`.
    pub(super) fn for_all(&mut self) -> Res<Filter> {
        let start = self.eat();
        let piece = self.kind() == Some(&TokenKind::PieceDeclaration);
        self.pos += usize::from(piece);
        let name = self.expect_name("[forall]")?;
        if !self.eat_symbol(Symbol::Element) {
            return self.expected(format_args!("`[element]` after `[forall] {}`", name.0), "");
        }
        self.loop_over(start, name, piece, true)
    }

    /// Parses `x [element] S F`, whose name is the next token.
    pub(super) fn element_loop(&mut self, start: usize, piece: bool) -> Res<Filter> {
        let name = self.expect_name("")?;
        self.pos += 1;
        if let Some(dictionary) = self.dictionary_at(self.pos)
            && self.symbol_at(self.pos + 1) != Some(Symbol::OpenBracket)
        {
            self.pos += 1;
            return self.dictionary_loop(start, name, dictionary);
        }
        self.loop_over(start, name, piece, false)
    }

    /// Parses `string k in D F`.
    pub(super) fn string_loop(&mut self) -> Res<Filter> {
        let start = self.eat();
        let name = self.expect_name("string")?;
        self.expect_in("string", &name.0)?;
        let Some(dictionary) = self.dictionary_at(self.pos) else {
            return self.expected(format_args!("a dictionary after `string {} in`", name.0), "");
        };
        let key = self.query.dictionaries[dictionary.0 as usize].key;
        if key.is_some_and(|key| key != Type::String) {
            let message = format!("the keys of {} are no strings", self.found());
            let help = format!("write `{}[element]D F`", name.0);
            return self.fail_help(code::DICTIONARY_TYPE, self.here(), message, help);
        }
        self.pos += 1;
        self.dictionary_loop(start, name, dictionary)
    }

    fn dictionary_loop(
        &mut self,
        start: usize,
        (name, span): (String, Span),
        dictionary: DictionaryId,
    ) -> Res<Filter> {
        let entry = &self.query.dictionaries[dictionary.0 as usize];
        let Some(kind) = entry.key.and_then(VariableKind::of) else {
            let message = format!("the keys of `{}` have no type yet", entry.name);
            return self.fail_help(
                code::DICTIONARY_TYPE,
                span,
                message,
                "assign to an entry of the dictionary further up",
            );
        };
        let variable = self.declare(&name, span, kind)?;
        let body = self.operand_of_any_type("a loop over a dictionary", level::OR)?;
        let kind = FilterKind::DictionaryLoop { variable, dictionary, body: Box::new(body) };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses the domain and the body of a loop, after `square x in` or another beginning.
    fn loop_over(
        &mut self,
        start: usize,
        (name, span): (String, Span),
        piece: bool,
        all: bool,
    ) -> Res<Filter> {
        let word = if piece { "piece … in" } else { "square … in" };
        let domain = self.operand(word, level::DASH, Type::Set)?;
        let kind = if piece { VariableKind::Piece } else { VariableKind::Set };
        let variable = self.declare(&name, span, kind)?;
        let body = self.operand_of_any_type(&format!("{word} S"), level::OR)?;
        let ty = if all { Type::Boolean } else { Type::Set };
        let kind = FilterKind::SquareLoop(SquareLoop {
            variable,
            piece,
            all,
            domain: Box::new(domain),
            body: Box::new(body),
        });
        Ok(self.make(start, ty, kind))
    }

    /// Parses `= S` after the name of a piece variable.
    fn assign_piece(&mut self, start: usize, (name, span): (String, Span)) -> Res<Filter> {
        self.pos += 1;
        let value = self.operand("=", level::ADD, Type::Set)?;
        let variable = self.declare(&name, span, VariableKind::Piece)?;
        let kind = FilterKind::AssignPiece(variable, Box::new(value));
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses `sort [quiet] [min|max] ["label"] F`.
    pub(super) fn sort_filter(&mut self) -> Res<Filter> {
        let word = self.here();
        let start = self.eat();
        self.query.sorted.get_or_insert(word);
        let quiet = self.eat_keyword(Keyword::Quiet);
        // The reference treats `sort max` as `sort min`.
        let direction = match self.keyword() {
            Some(word @ (Keyword::Min | Keyword::Max)) => {
                self.pos += 1;
                Some(word)
            }
            _ => None,
        };
        if self.keyword() == Some(Keyword::Quiet) {
            return self.fail_help(
                code::PARAMETER,
                self.here(),
                "`quiet` must directly follow `sort`",
                "write `sort quiet min \"label\" F`",
            );
        }
        let label = self.eat_literal();
        if let (Some(word), None) = (direction, &label) {
            let span = self.here();
            let message =
                format!("expected a label after `sort {}`, found {}", word.text(), self.found());
            let word = word.text();
            let help = match self.symbol() {
                Some(Symbol::OpenParen) => {
                    format!(
                        "here `{word}` is the direction; to sort by a value, write `sort {{{word}(…)}}`"
                    )
                }
                _ => format!("write `sort {word} \"label\" F`"),
            };
            return self.fail_help(code::EXPECTED_SYMBOL, span, message, help);
        }
        let label = match label {
            Some((label, _)) => label,
            None => {
                self.n_default_sorts += 1;
                format!("<sort-id-{}>", self.n_default_sorts).into_bytes()
            }
        };
        let n_echoes = self.n_echoes;
        let body = self.operand_of_any_type("sort", level::OR)?;
        if direction.is_some() && self.n_echoes > n_echoes {
            return self.fail_help(
                code::CONTEXT,
                self.span_from(start),
                "`echo` keeps its greatest value, so it cannot be sorted in ascending order",
                "sort by the negative value, or without `min`",
            );
        }
        let body = match (body.ty, &body.kind) {
            (Type::Set, _) => cardinality(body),
            (Type::Numeric, FilterKind::Number(_)) => {
                return self.fail(
                    code::OPERAND_TYPE,
                    body.span,
                    "`sort` needs a value that can vary, found a number literal",
                );
            }
            (Type::Numeric | Type::String, _) => body,
            _ => return self.unsortable(&body),
        };
        let ascending = direction.is_some();
        let ty = body.ty;
        let span = self.span_from(start);
        let variable = self.sort_variable(label, ascending, quiet, ty, span)?;
        let kind = FilterKind::Sort { variable, ascending, body: Box::new(body) };
        Ok(self.make(start, ty, kind))
    }

    fn unsortable<T>(&mut self, body: &Filter) -> Res<T> {
        if body.ty == Type::Boolean {
            return self.no_value(body, "sort");
        }
        self.fail_help(
            code::OPERAND_TYPE,
            body.span,
            "`sort` needs a number, a string or a set of squares, found a position",
            "sort by its number: `positionid`, `P:ply`",
        )
    }

    /// Returns the sort variable with this label; adds it if there is none.
    pub(super) fn sort_variable(
        &mut self,
        label: Vec<u8>,
        ascending: bool,
        quiet: bool,
        ty: Type,
        span: Span,
    ) -> Res<SortId> {
        let next = SortId(self.query.sorts.len() as u32);
        let id = *self.sorts.entry(label.clone()).or_insert(next);
        if id != next {
            if self.query.sorts[id.0 as usize].ty != ty {
                let message = format!(
                    "two sorts are labeled `{}`, one of numbers and one of strings",
                    String::from_utf8_lossy(&label)
                );
                return self.fail(code::VARIABLE_TYPE, span, message);
            }
            return Ok(id);
        }
        self.query.sorted.get_or_insert(span);
        self.query.sorts.push(SortVariable { label, ascending, quiet, ty });
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};

    #[test]
    fn conditions() {
        check("if check then 1", "(if check 1):b");
        check("if check 1 else 2", "(if check 1 2):n");
        check("if check R else \"a\"", "(if check R \"a\"):b");
        check("if R if r check else mate", "(if R (if r check mate):b):b");
        check("assert R or r", "(assert (or R r):b):b");
        check("equal(1 \"a\")", "(equal 1 \"a\"):b");
        refuse("if then check", "E0101", "then");
        refuse("if check", "E0101", "");
        refuse("assert", "E0101", "");
        refuse("equal(1)", "E0106", "equal(1)");
    }

    #[test]
    fn only_a_direct_match_is_iterated() {
        check("while(check) R", "(while check R):b");
        check("while(event~~\"a\") R", "(while~~ \"a\" event R):b");
        check("while((event~~\"a\")) R", "(while (~~ \"a\" event):t R):b");
        check("loop R r", "(loop R):b r");
        refuse("while check R", "E0103", "check");
        refuse("loop", "E0101", "");
    }

    #[test]
    fn loops_over_squares_and_pieces() {
        check(
            "square x in R|r x==1 and check",
            "(square x (union R r):s (and (== (# $x:s):n 1):n check):b):s",
        );
        check("square all x in R true", "(square all x R true):b");
        check("x[element]R true", "(square x R true):s");
        check("x∊R true", "(square x R true):s");
        check("[forall]x[element]R true", "(square all x R true):b");
        check("piece x in R pieceid x==1", "(piece x R (== pieceid-x 1):n):s");
        check("piece all x in R true", "(piece all x R true):b");
        check("◭x∊R true", "(piece x R true):s");
        check("∀◭x∊R true", "(piece all x R true):b");
        check("[Aa] x[element]R true", "[Aa] (square x R true):s");
        check("piece x=K [Aa]x=k", "(piece x = K):b (piece x = k):b");
        refuse("square x R true", "E0103", "R");
        refuse("square x in 3 true", "E0301", "3");
        refuse("square x in R", "E0101", "");
        refuse("x=3 square x in R true", "E0303", "x");
        refuse("square n in R true", "E0202", "n");
        refuse("piece x=3", "E0301", "3");
        refuse("piece x in R true x=R", "E0303", "x");
    }

    #[test]
    fn sorts_are_numbered_inside_out_and_named_in_the_order_of_the_text() {
        let (_, parsed) =
            parse_body("sort sort ply sort \"z\" A sort quiet min \"b\" event sort \"z\" a");
        let sorts: Vec<(String, bool, bool)> = parsed
            .query
            .sorts
            .iter()
            .map(|s| (String::from_utf8_lossy(&s.label).into(), s.ascending, s.quiet))
            .collect();
        let expected = [
            ("<sort-id-2>", false, false),
            ("<sort-id-1>", false, false),
            ("z", false, false),
            ("b", true, true),
        ];
        assert_eq!(sorts, expected.map(|(label, a, q)| (label.to_owned(), a, q)));
        check("sort \"a\" A>=10", "(sort a (>= (# A):n 10):n):n");
        check("sort R", "(sort <sort-id-1> (# R):n):n");
        check("sort {max(1 2)}", "(sort <sort-id-1> (max 1 2):n):n");
        refuse("sort max(1 2)", "E0103", "(");
        refuse("sort quiet min (ply)", "E0103", "(");
        check("sort max \"a\" ply", "(sort a ascending ply):n");
    }

    #[test]
    fn sorts_need_sortable_values() {
        refuse("sort \"x\" check", "E0301", "check");
        refuse("sort \"x\" parent", "E0301", "parent");
        refuse("sort \"c\" 3", "E0301", "3");
        refuse("sort \"c\" { 3 }", "E0301", "3");
        refuse("sort min A", "E0103", "A");
        refuse("sort min quiet \"a\" A", "E0111", "quiet");
        refuse("sort \"a\" A sort \"a\" event", "E0303", "sort \"a\" event");
        refuse(
            "sort min \"a\" echo (x y) distance(x y)",
            "E0401",
            "sort min \"a\" echo (x y) distance(x y)",
        );
    }
}
