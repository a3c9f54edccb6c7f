//! Parses operators, according to their levels and the types of their operands.
//!
//! Precedence climbing with two additions. An operator is only recognized if the type of its left
//! operand allows it. After an operator has been applied, no operator that binds tighter may
//! follow, since its right operand did not accept it.

use super::error::{Failed, Res, code, type_name};
use super::mend::{Mend, is_designator, mend_of_comparison};
use super::parser::{Last, LastForm, Parser, PutBack};
use super::propose::properties::filter_of_value;
use crate::builtin::{Keyword, Nullary, Unary};
use crate::diagnostic::Diagnostic;
use crate::level;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Arithmetic, DirectionName, Filter, FilterKind, Ray, Relation, TextSource, Type};

/// Maximum height of the tree; long chains of operators count, too.
const MAX_HEIGHT: u32 = 1000;

#[derive(Clone, Copy)]
enum Operator {
    At,
    Bracket,
    Match,
    Attacks,
    AttackedBy,
    Intersect,
    Union,
    Arrow(Symbol),
    Dash,
    Multiply(Arithmetic),
    Add(Arithmetic),
    Relation(Relation),
    In,
    And,
    Or,
}

enum Step {
    /// A larger filter, and the minimum level of operators that may follow it.
    Done(Filter, u8),
    /// The filter without the operator, which does not belong to it after all.
    PutBack(Filter),
}

impl Parser<'_> {
    /// Parses a filter with operators up to the level `max`.
    pub(super) fn expression(&mut self, max: u8) -> Res<Filter> {
        self.depth += 1;
        let outer = std::mem::take(&mut self.tallest);
        let result = self.expression_inside(max);
        self.depth -= 1;
        self.tallest = self.tallest.max(outer);
        result
    }

    fn expression_inside(&mut self, max: u8) -> Res<Filter> {
        if self.exhausted {
            return Err(Failed);
        }
        if self.depth > self.max_depth {
            return self.exhaust(code::TOO_DEEP, "filters are nested too deeply here");
        }
        let start = self.pos;
        let left = match self.put_back.take_if(|back| back.at == start) {
            Some(back) => {
                self.pos = back.end;
                self.tallest = back.height;
                back.filter
            }
            None => self.primary()?,
        };
        self.operators(left, start, max)
    }

    /// Parses the operators after a filter that began at the token `start`.
    pub(super) fn operators(&mut self, left: Filter, start: usize, max: u8) -> Res<Filter> {
        self.operators_above(left, start, max, 0)
    }

    /// Parses the operators after a filter, of which those tighter than the level `floor` are not
    /// allowed.
    pub(super) fn operators_above(
        &mut self,
        left: Filter,
        start: usize,
        max: u8,
        floor: u8,
    ) -> Res<Filter> {
        let mut left = left;
        let mut height = self.tallest + 1;
        let mut floor = floor;
        loop {
            self.remember(&left);
            let Some((operator, level)) = self.operator(left.ty) else {
                break;
            };
            if level > max || level < floor {
                break;
            }
            if height >= MAX_HEIGHT {
                return self.exhaust(code::TOO_DEEP, "this chain of operators is too long");
            }
            self.tallest = 0;
            match self.apply(left, start, operator)? {
                Step::Done(filter, least) => {
                    left = filter;
                    floor = least;
                }
                Step::PutBack(filter) => {
                    self.remember(&filter);
                    left = filter;
                    break;
                }
            }
            height = height.max(self.tallest) + 1;
        }
        self.tallest = height;
        Ok(left)
    }

    fn remember(&mut self, filter: &Filter) {
        let form = match filter.kind {
            FilterKind::Assign { .. }
            | FilterKind::AssignPiece(..)
            | FilterKind::AssignSlice { .. }
            | FilterKind::AssignEntry(..) => LastForm::Assignment,
            FilterKind::Dash(_) | FilterKind::CurrentMove(_) => LastForm::Dash,
            FilterKind::Dictionary(_) | FilterKind::DictionarySize(_) => LastForm::Dictionary,
            FilterKind::Lookup(..) | FilterKind::Substring(..) => LastForm::Lookup,
            FilterKind::Path(_) => LastForm::Path,
            FilterKind::Designator(_) => LastForm::Designator,
            _ => LastForm::Other,
        };
        self.last = Some(Last { end: self.pos, ty: filter.ty, span: filter.span, form });
    }

    /// Returns the operator at the next token and its level, if a left operand of type `left` is
    /// allowed.
    fn operator(&self, left: Type) -> Option<(Operator, u8)> {
        use Type::{Boolean, Numeric, Position, Set, String};
        let (operator, level, admitted) = match *self.kind()? {
            TokenKind::Keyword(keyword) => match keyword {
                Keyword::And => (Operator::And, level::AND, true),
                Keyword::Or => (Operator::Or, level::OR, true),
                Keyword::In => (Operator::In, level::IN, matches!(left, Set | String)),
                Keyword::Attacks | Keyword::Attack => {
                    (Operator::Attacks, level::ATTACK, left == Set)
                }
                Keyword::Attackedby | Keyword::Attacked => {
                    (Operator::AttackedBy, level::ATTACK, left == Set)
                }
                _ => return None,
            },
            TokenKind::Symbol(symbol) => match symbol {
                Symbol::Colon => (Operator::At, level::COLON, left == Position),
                Symbol::OpenBracket => (Operator::Bracket, level::POSTFIX, left == String),
                Symbol::Match => (Operator::Match, level::POSTFIX, left == String),
                Symbol::Intersect => {
                    (Operator::Intersect, level::INTERSECT, matches!(left, Set | Position))
                }
                Symbol::Union => (Operator::Union, level::UNION, left == Set),
                Symbol::Arrow | Symbol::BackArrow => {
                    (Operator::Arrow(symbol), level::ARROW, left == Set)
                }
                Symbol::Dash | Symbol::CaptureDash => {
                    (Operator::Dash, level::DASH, left == Set && self.is_tied_left(self.pos))
                }
                Symbol::Star | Symbol::Slash | Symbol::Percent => {
                    let admitted =
                        left == Numeric && !(symbol == Symbol::Star && self.is_suffix(self.pos));
                    let operation = match symbol {
                        Symbol::Star => Arithmetic::Multiply,
                        Symbol::Slash => Arithmetic::Divide,
                        _ => Arithmetic::Modulo,
                    };
                    (Operator::Multiply(operation), level::MULTIPLY, admitted)
                }
                Symbol::Plus => (
                    Operator::Add(Arithmetic::Add),
                    level::ADD,
                    matches!(left, Numeric | String) && !self.is_suffix(self.pos),
                ),
                Symbol::Minus => (Operator::Add(Arithmetic::Subtract), level::ADD, left == Numeric),
                _ => (Operator::Relation(relation(symbol)?), level::RELATION, left != Boolean),
            },
            _ => return None,
        };
        admitted.then_some((operator, level))
    }

    /// Whether the token is an operator after a filter of some type, other than a dash.
    pub(super) fn may_be_operator(&mut self, at: usize) -> bool {
        use Type::{Boolean, Numeric, Position, Set, String};
        let pos = std::mem::replace(&mut self.pos, at);
        let types = [Boolean, Numeric, Position, Set, String];
        let mut operators = types.into_iter().filter_map(|left| self.operator(left));
        let result = operators.any(|(operator, _)| !matches!(operator, Operator::Dash));
        self.pos = pos;
        result
    }

    /// Whether `+` or `*` at `at` is a repetition of a part of a path or line.
    pub(super) fn is_suffix(&self, at: usize) -> bool {
        if self.path_top {
            return true;
        }
        self.in_line
            && match self.kind_at(at + 1) {
                None | Some(TokenKind::Repetition { .. }) => true,
                Some(TokenKind::Symbol(symbol)) => matches!(
                    symbol,
                    Symbol::CloseParen
                        | Symbol::CloseBrace
                        | Symbol::LineForward
                        | Symbol::LineBackward
                        | Symbol::RepeatAny
                        | Symbol::RepeatSome
                        | Symbol::Plus
                        | Symbol::Star
                        | Symbol::Question
                ),
                _ => false,
            }
    }

    /// Applies the next operator to `left`, which began at the token `start`.
    fn apply(&mut self, left: Filter, start: usize, operator: Operator) -> Res<Step> {
        self.check_dash_before(&left, start, &operator)?;
        match operator {
            Operator::At => {
                let right = self.right_of(":", level::COLON)?;
                let ty = right.ty;
                let kind = FilterKind::At(Box::new(left), Box::new(right));
                self.done(start, ty, kind, level::POSTFIX)
            }
            Operator::Bracket => {
                let slice = self.slice()?;
                let kind = FilterKind::Substring(Box::new(left), slice);
                self.done(start, Type::String, kind, level::POSTFIX)
            }
            Operator::Match => self.apply_match(left, start),
            Operator::Attacks => self.apply_attacks(left, start, false),
            Operator::AttackedBy => self.apply_attacks(left, start, true),
            Operator::Intersect => self.apply_intersect(left, start),
            Operator::Union => {
                let right = self.right_set("|", level::INTERSECT)?;
                self.check_sides("|", &left, &right)?;
                let kind = FilterKind::Union(Box::new(left), Box::new(right));
                self.done(start, Type::Set, kind, level::UNION)
            }
            Operator::Arrow(symbol) => self.apply_arrows(left, start, symbol),
            Operator::Dash => {
                let filter = self.dash(Some(left), start)?;
                Ok(Step::Done(filter, level::DASH + 1))
            }
            Operator::Multiply(operation) => {
                let right = self.right_of(operation.text(), level::DASH)?;
                let filter = self.arithmetic(operation, left, right, start)?;
                Ok(Step::Done(filter, level::MULTIPLY))
            }
            Operator::Add(operation) => self.apply_add(left, start, operation),
            Operator::Relation(relation) => {
                let right = self.right_of(relation.text(), level::RELATION)?;
                let filter = self.compare(relation, left, right, start)?;
                Ok(Step::Done(filter, level::RELATION + 1))
            }
            Operator::In => self.apply_in(left, start),
            Operator::And => {
                let items = self.chain(left, Keyword::And, level::IN)?;
                self.done(start, Type::Boolean, FilterKind::And(items), level::AND)
            }
            Operator::Or => {
                let items = self.chain(left, Keyword::Or, level::AND)?;
                self.done(start, Type::Boolean, FilterKind::Or(items), level::OR)
            }
        }
    }

    /// Reports an arrow or an index directly after a dash without a left operand.
    fn check_dash_before(&mut self, left: &Filter, start: usize, operator: &Operator) -> Res<()> {
        let is_bare = matches!(left.kind, FilterKind::Dash(_)) && self.is_dash_at(start);
        if !is_bare || !matches!(operator, Operator::Arrow(_) | Operator::Bracket) {
            return Ok(());
        }
        let sign = self.text_of(self.here());
        self.fail_help(
            code::MOVE,
            self.here(),
            format!("`{sign}` cannot stand directly after a move"),
            "put the move into parentheses",
        )
    }

    /// Creates the result of an operator for a filter that began at the token `start`. Operators
    /// tighter than `least` may not follow.
    fn done(&mut self, start: usize, ty: Type, kind: FilterKind, least: u8) -> Res<Step> {
        Ok(Step::Done(self.make(start, ty, kind), least))
    }

    /// Parses the right operand of the next operator, which is a single token.
    fn right_of(&mut self, operator: &str, level: u8) -> Res<Filter> {
        self.pos += 1;
        if !self.may_start(self.pos) {
            return Err(self.no_right_operand(operator));
        }
        self.expression(level)
    }

    /// Separate from [`Parser::right_of`], whose stack frame must stay small because it recurses.
    #[inline(never)]
    fn no_right_operand(&mut self, operator: &str) -> Failed {
        let span = self.here();
        let message =
            format!("expected a filter on the right of `{operator}`, found {}", self.found());
        let error = Diagnostic::error(code::EXPECTED_FILTER, span, message);
        let mend = self.mend_of_operator(self.pos - 1);
        // as in `eco in ["B90", "B91"]`
        let of_list = |word: usize| {
            let is_in = self.keyword_at(word + 1) == Some(Keyword::In);
            let word_span = self.tokens(self.first_of_word(word), word);
            self.mend_of_numbers(word + 1, word_span).filter(|_| is_in)
        };
        let list = self.pos.checked_sub(2).and_then(of_list);
        let mend = mend.or(list.map(|(mend, _)| mend)).or_else(|| match self.symbol() {
            Some(Symbol::OpenBracket) => self.mend_of_bracket(self.pos),
            _ => self.mend_of_other_result(),
        });
        self.report(match mend {
            Some(mend) => mend.onto(error),
            None => error,
        });
        Failed
    }

    fn right_set(&mut self, operator: &str, level: u8) -> Res<Filter> {
        let right = self.right_of(operator, level)?;
        if right.ty != Type::Set {
            return self.operand_mismatch(operator, Type::Set, &right);
        }
        Ok(right)
    }

    fn operand_mismatch<T>(&mut self, operator: &str, wanted: Type, right: &Filter) -> Res<T> {
        let message = format!(
            "the right side of `{operator}` must be {}, found {}",
            type_name(wanted),
            type_name(right.ty)
        );
        if self.path_top && matches!(right.kind, FilterKind::Dash(_)) {
            let starts_there = |at: &usize| self.span_at(*at).start == right.span.start;
            let first = (1..self.pos).rev().find(starts_there);
            let mend = first.and_then(|first| self.mend_of_arrow(first - 1, None));
            let mend = mend.unwrap_or_else(|| Mend::advice(""));
            return self.fail_help(code::OPERATOR_TYPE, right.span, message, mend);
        }
        // as in `"Tal" in white`
        if let FilterKind::Nullary(Nullary::ColorNumber(color)) = &right.kind
            && let Some(text) = self.pos.checked_sub(3).filter(|_| operator == "in")
            && let Some(TokenKind::String(name)) = self.kind_at(text)
            && let Some(filter) = filter_of_value(color.row().word, &String::from_utf8_lossy(name))
        {
            let help = format!("the player is found by `{filter}`");
            let mend = Mend::edit(help, self.tokens(text, self.pos - 1), filter);
            return self.fail_help(code::OPERATOR_TYPE, right.span, message, mend);
        }
        match (wanted, right.ty) {
            (Type::Numeric, Type::Set) => self.fail_help(
                code::OPERATOR_TYPE,
                right.span,
                message,
                "`#S` is the number of squares of a set",
            ),
            (Type::Numeric, Type::String) => self.fail_help(
                code::OPERATOR_TYPE,
                right.span,
                message,
                "`int S` makes a number of a string",
            ),
            _ => self.fail(code::OPERATOR_TYPE, right.span, message),
        }
    }

    /// Parses `left and F and G …` in a loop, so that long chains stay flat.
    fn chain(&mut self, left: Filter, word: Keyword, level: u8) -> Res<Vec<Filter>> {
        let mut items = vec![left];
        while self.keyword() == Some(word) {
            if let Some(left) = items.last() {
                self.check_second_comparison(word, left)?;
            }
            let right = self.right_of(word.text(), level)?;
            if let [left] = &items[..] {
                self.check_sides(word.text(), left, &right)?;
            }
            items.push(right);
        }
        Ok(items)
    }

    /// Reports the comparison without a left side in `year > 1900 and < 1950`, whose `and` is the
    /// next token.
    #[inline(never)]
    fn check_second_comparison(&mut self, word: Keyword, left: &Filter) -> Res<()> {
        let Some(mend) = self.mend_of_second_comparison(word, left) else {
            return Ok(());
        };
        self.pos += 1;
        let what = format!("a filter on the right of `{}`", word.text());
        self.expected_as(code::EXPECTED_FILTER, what, mend)
    }

    /// Rejects the same variable on both sides of an operator, as the reference does.
    fn check_sides(&mut self, operator: &str, left: &Filter, right: &Filter) -> Res<()> {
        match (&left.kind, &right.kind) {
            (FilterKind::Variable(a), FilterKind::Variable(b)) if a == b => {
                let name = self.text_of(right.span);
                let message = format!("`{name}` stands on both sides of `{operator}`");
                self.fail_help(code::CONTEXT, right.span, message, "leave one of them away")
            }
            _ => Ok(()),
        }
    }

    fn apply_match(&mut self, left: Filter, start: usize) -> Res<Step> {
        self.pos += 1;
        let Some(pattern) = self.pattern()? else {
            let help = "`S in T` looks for the text of a variable; a regular expression that is made while the query runs stands in parentheses: `S ~~ (T)`";
            return self.expected("a string literal on the right of `~~`", help);
        };
        let kind = FilterKind::Match { subject: Box::new(left), pattern: Box::new(pattern) };
        self.done(start, Type::String, kind, level::POSTFIX)
    }

    fn apply_attacks(&mut self, left: Filter, start: usize, by: bool) -> Res<Step> {
        let mut word = self.keyword().map_or("attacks", Keyword::text);
        if word == Keyword::Attacked.text() {
            word = "attacked by";
            self.pos += 1;
            if self.keyword() != Some(Keyword::By) {
                return self.expected("`by` after `attacked`", "");
            }
        }
        let right = self.right_set(word, level::POSTFIX)?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind =
            if by { FilterKind::AttackedBy(left, right) } else { FilterKind::Attacks(left, right) };
        self.done(start, Type::Set, kind, level::ATTACK)
    }

    fn apply_intersect(&mut self, left: Filter, start: usize) -> Res<Step> {
        let right = self.right_of("&", level::ATTACK)?;
        if right.ty != left.ty {
            return self.operand_mismatch("&", left.ty, &right);
        }
        let positions = left.ty == Type::Position;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if positions {
            FilterKind::SameContent(left, right)
        } else {
            FilterKind::Intersect(left, right)
        };
        self.done(start, Type::Set, kind, level::INTERSECT)
    }

    /// Parses a chain of arrows of one direction: `attacks` for two operands, a ray for more.
    fn apply_arrows(&mut self, left: Filter, start: usize, arrow: Symbol) -> Res<Step> {
        let mut operands = vec![left];
        while self.symbol() == Some(arrow) {
            operands.push(self.right_set(arrow.text(), level::UNION)?);
        }
        if let Some(other @ (Symbol::Arrow | Symbol::BackArrow)) = self.symbol() {
            let message =
                format!("`{}` and `{}` cannot stand in one chain", arrow.text(), other.text());
            return self.fail_help(
                code::LEFTOVER,
                self.here(),
                message,
                "put one of them into parentheses",
            );
        }
        let forward = arrow == Symbol::Arrow;
        let kind = if operands.len() == 2 {
            let mut operands = operands.into_iter().map(Box::new);
            match (operands.next(), operands.next()) {
                (Some(x), Some(y)) if forward => FilterKind::Attacks(x, y),
                (Some(x), Some(y)) => FilterKind::AttackedBy(x, y),
                _ => return Err(Failed),
            }
        } else {
            if !forward {
                operands.reverse();
            }
            FilterKind::Ray(Box::new(Ray {
                attack: true,
                steps: DirectionName::AnyDirection.steps().to_vec(),
                operands,
                first: forward,
            }))
        };
        self.done(start, Type::Set, kind, level::ARROW + 1)
    }

    fn apply_add(&mut self, left: Filter, start: usize, operation: Arithmetic) -> Res<Step> {
        let sign = self.pos;
        let right = self.right_of(operation.text(), level::MULTIPLY)?;
        match (left.ty, right.ty) {
            (Type::String, Type::String) => {
                let kind = FilterKind::Concatenate(Box::new(left), Box::new(right));
                self.done(start, Type::String, kind, level::ADD)
            }
            (Type::String, Type::Numeric) | (Type::Numeric, Type::String)
                if operation == Arithmetic::Add =>
            {
                // The enclosing filter may accept the other type: `ascii "a"+1`.
                self.put_back = Some(PutBack {
                    at: sign + 1,
                    end: self.pos,
                    height: self.tallest,
                    filter: right,
                });
                self.pos = sign;
                Ok(Step::PutBack(left))
            }
            (Type::String, _) => self.operand_mismatch("+", Type::String, &right),
            _ => {
                let filter = self.arithmetic(operation, left, right, start)?;
                Ok(Step::Done(filter, level::ADD))
            }
        }
    }

    fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: Filter,
        right: Filter,
        start: usize,
    ) -> Res<Filter> {
        if right.ty != Type::Numeric {
            let word = match (&left.kind, right.ty) {
                (FilterKind::Cardinality(_), Type::Set) => Some("#"),
                (FilterKind::Unary(word @ Unary::SetToNumber(_), _), Type::Set) => {
                    Some(word.row().word)
                }
                _ => None,
            };
            if let Some(word) = word {
                return self.missing_function(operation, word, &right);
            }
            return self.operand_mismatch(operation.text(), Type::Numeric, &right);
        }
        let kind = FilterKind::Arithmetic(operation, Box::new(left), Box::new(right));
        Ok(self.make(start, Type::Numeric, kind))
    }

    /// Reports `power A-a`, since the function only takes the next operand.
    fn missing_function<T>(&mut self, operation: Arithmetic, word: &str, right: &Filter) -> Res<T> {
        let operator = operation.text();
        let blank = if word == "#" { "" } else { " " };
        let set = self.text_of(right.span);
        let message =
            format!("the right side of `{operator}` must be a number, found a set of squares");
        let mut start = right.span;
        start.end = start.start;
        self.report(
            Diagnostic::error(code::OPERATOR_TYPE, right.span, message)
                .with_help(format!("write `{word}` before it, too: `{word}{blank}{set}`"))
                .with_edit(start, format!("{word}{blank}")),
        );
        Err(Failed)
    }

    fn apply_in(&mut self, left: Filter, start: usize) -> Res<Step> {
        // `str` without parentheses has taken the whole expression.
        if self.keyword_at(start) == Some(Keyword::Str)
            && self.symbol_at(start + 1) != Some(Symbol::OpenParen)
            && matches!(left.kind, FilterKind::Str(_))
        {
            let message = "`in` after `str` would belong to what `str` makes a string of";
            let help = "write parentheses: `str(F) in S`";
            return self.fail_help(code::OPERATOR_TYPE, self.here(), message, help);
        }
        let (wanted, level) = match left.ty {
            Type::Set => (Type::Set, level::DASH),
            _ => (Type::String, level::RELATION),
        };
        let right = self.right_of("in", level)?;
        if right.ty != wanted {
            return self.operand_mismatch("in", wanted, &right);
        }
        let kind = FilterKind::In(Box::new(left), Box::new(right));
        self.done(start, Type::Boolean, kind, level::IN + 1)
    }

    fn compare(
        &mut self,
        op: Relation,
        mut left: Filter,
        mut right: Filter,
        start: usize,
    ) -> Res<Filter> {
        let tree_order = matches!(
            op,
            Relation::Ancestor
                | Relation::AncestorEqual
                | Relation::Descendant
                | Relation::DescendantEqual
        );
        match (left.ty, right.ty) {
            // Only positions can be compared like this; other operands are reported with their own
            // types.
            _ if tree_order => {}
            (Type::Set, Type::Numeric) => left = cardinality(left),
            (Type::Numeric, Type::Set) => right = cardinality(right),
            _ => {}
        }
        let equality = matches!(op, Relation::Equal | Relation::NotEqual);
        let ty = match (left.ty, right.ty) {
            (Type::Set, Type::Set) if equality => Type::Boolean,
            (Type::Numeric, Type::Numeric) | (Type::String, Type::String) if !tree_order => {
                match op {
                    Relation::NotEqual => Type::Boolean,
                    _ => left.ty,
                }
            }
            (Type::Position, Type::Position) => Type::Position,
            _ => return self.incomparable(op, &left, &right, start, tree_order),
        };
        // For positions, the reference only has `==`, but the manual has both.
        let is_other_position = ty == Type::Position && op == Relation::NotEqual;
        let kind = FilterKind::Relation {
            op: if is_other_position { Relation::Equal } else { op },
            left: Box::new(left),
            right: Box::new(right),
        };
        let relation = self.make(start, ty, kind);
        Ok(if is_other_position {
            self.make(start, Type::Boolean, FilterKind::Not(Box::new(relation)))
        } else {
            relation
        })
    }

    fn incomparable<T>(
        &mut self,
        op: Relation,
        left: &Filter,
        right: &Filter,
        start: usize,
        tree_order: bool,
    ) -> Res<T> {
        let text = op.text();
        let span: Span = self.span_from(start);
        let message =
            format!("`{text}` cannot compare {} with {}", type_name(left.ty), type_name(right.ty));
        // `[<]` and similar operators are for positions, which are in a tree.
        let plain = text.trim_matches(['[', ']']);
        let in_tree = format!("`{text}` compares positions; write `{plain}` here");
        let help = match (left.ty, right.ty) {
            _ if tree_order => Some(&*in_tree),
            (Type::String, Type::Numeric) | (Type::Numeric, Type::String) => {
                Some("`int S` makes a number of a string, `str F` a string of a value")
            }
            (_, Type::Boolean) => Some(
                "`==` of sets and every `!=` have no value, so they end a chain; `equal(F G)` compares any filters",
            ),
            _ => None,
        };
        let diagnostic = Diagnostic::error(code::COMPARISON, span, message)
            .with_note(left.span, type_name(left.ty))
            .with_note(right.span, type_name(right.ty));
        self.report(match (self.mend_of_order(op, left, right), help) {
            (Some(mend), _) => mend.onto(diagnostic),
            (None, Some(help)) => diagnostic.with_help(help),
            (None, None) => diagnostic,
        });
        Err(Failed)
    }
}

impl Parser<'_> {
    /// Returns a proposal for a comparison of different types; the number at the beginning of the
    /// value of a tag is meant in `tag "TimeControl" < 500`.
    fn mend_of_order(&self, op: Relation, left: &Filter, right: &Filter) -> Option<Mend> {
        let is_order = !matches!(op, Relation::Equal | Relation::NotEqual);
        if (left.ty, right.ty) == (Type::Set, Type::Set) {
            let number = |side: &Filter| {
                let text = self.whole_text_of(side.span);
                if is_designator(&text) { format!("#{text}") } else { format!("#({text})") }
            };
            let sign = op.text().trim_matches(['[', ']']);
            let text = format!("{} {sign} {}", number(left), number(right));
            let help = format!("compare numbers of squares: `{text}`");
            return Some(Mend::edit(help, left.span.to(right.span), text));
        }
        let is_tag = |filter: &Filter| {
            matches!(filter.kind, FilterKind::TextSource(TextSource::Tag(_))) && is_order
        };
        let of_tag = |tag: &Filter| {
            // The number before the sign in `40/7200` is not a time.
            let is_time = matches!(&tag.kind, FilterKind::TextSource(TextSource::Tag(name))
                if name.eq_ignore_ascii_case(b"TimeControl"));
            let end = if is_time { "(?![0-9/])" } else { "" };
            let text = format!("int ({} ~~ \"^[0-9]+{end}\")", self.whole_text_of(tag.span));
            let help = format!("the number at the beginning of a tag is `{text}`");
            Mend::edit(help, tag.span, text)
        };
        match (left.ty, right.ty) {
            (Type::String, Type::Numeric) if is_tag(left) => Some(of_tag(left)),
            (Type::Numeric, Type::String) if is_tag(right) => Some(of_tag(right)),
            _ => mend_of_comparison(op, left, right),
        }
    }
}

/// Returns the number of squares of a set.
pub(super) fn cardinality(set: Filter) -> Filter {
    Filter { ty: Type::Numeric, span: set.span, kind: FilterKind::Cardinality(Box::new(set)) }
}

fn relation(symbol: Symbol) -> Option<Relation> {
    Some(match symbol {
        Symbol::Less => Relation::Less,
        Symbol::LessEqual => Relation::LessEqual,
        Symbol::Greater => Relation::Greater,
        Symbol::GreaterEqual => Relation::GreaterEqual,
        Symbol::Equal => Relation::Equal,
        Symbol::NotEqual => Relation::NotEqual,
        Symbol::Ancestor => Relation::Ancestor,
        Symbol::AncestorEqual => Relation::AncestorEqual,
        Symbol::Descendant => Relation::Descendant,
        Symbol::DescendantEqual => Relation::DescendantEqual,
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
