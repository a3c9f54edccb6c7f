//! Operators: which there are, how tightly they bind, and what they make of their operands.
//!
//! Precedence climbing with a twist: an operator is seen only if the type of its left operand
//! admits it, and once an operator has been applied, none that binds tighter may follow (its
//! right operand has refused it).

use super::error::{Failed, Res, code, type_name};
use super::{Last, LastForm, MAX_DEPTH, MAX_HEIGHT, Parser, PutBack};
use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Arithmetic, DirectionName, Filter, FilterKind, Relation, SetToNumber, Type};

/// How tightly operators bind; an operand "of level n" holds operators up to that level.
pub(super) mod level {
    /// `P : F`
    pub(in crate::parse) const COLON: u8 = 1;
    /// `S[i]`, `S ~~ "re"`
    pub(in crate::parse) const POSTFIX: u8 = 2;
    /// `attacks`, `attackedby`
    pub(in crate::parse) const ATTACK: u8 = 3;
    /// `&`
    pub(in crate::parse) const INTERSECT: u8 = 4;
    /// `|`
    pub(in crate::parse) const UNION: u8 = 5;
    /// `->`, `<-`
    pub(in crate::parse) const ARROW: u8 = 6;
    /// `--`, `[x]`
    pub(in crate::parse) const DASH: u8 = 7;
    /// `*` `/` `%`
    pub(in crate::parse) const MULTIPLY: u8 = 8;
    /// `+` `-`
    pub(in crate::parse) const ADD: u8 = 9;
    /// `<` `==` …
    pub(in crate::parse) const RELATION: u8 = 10;
    /// `in`
    pub(in crate::parse) const IN: u8 = 11;
    /// `and`
    pub(in crate::parse) const AND: u8 = 12;
    /// `or`
    pub(in crate::parse) const OR: u8 = 13;
}

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
    /// A bigger filter, and the least level of operators that may follow it.
    Done(Filter, u8),
    /// The operator does not belong to this filter after all.
    PutBack(Filter),
}

impl Parser<'_> {
    /// A filter with operators up to the level `max`.
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
        if self.depth > MAX_DEPTH {
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

    /// Goes on behind a filter that began at the token `start`.
    pub(super) fn operators(&mut self, left: Filter, start: usize, max: u8) -> Res<Filter> {
        let mut left = left;
        let mut height = self.tallest + 1;
        let mut floor = 0;
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
        self.last = Some(Last {
            end: self.pos,
            ty: filter.ty,
            span: filter.span,
            form,
        });
    }

    /// The operator at hand and its level, if a left operand of type `left` admits it.
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
                Symbol::Intersect => (
                    Operator::Intersect,
                    level::INTERSECT,
                    matches!(left, Set | Position),
                ),
                Symbol::Union => (Operator::Union, level::UNION, left == Set),
                Symbol::Arrow | Symbol::BackArrow => {
                    (Operator::Arrow(symbol), level::ARROW, left == Set)
                }
                Symbol::Dash | Symbol::CaptureDash => (
                    Operator::Dash,
                    level::DASH,
                    left == Set && self.is_tied_left(self.pos),
                ),
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
                Symbol::Minus => (
                    Operator::Add(Arithmetic::Subtract),
                    level::ADD,
                    left == Numeric,
                ),
                _ => (
                    Operator::Relation(relation(symbol)?),
                    level::RELATION,
                    left != Boolean,
                ),
            },
            _ => return None,
        };
        admitted.then_some((operator, level))
    }

    /// Whether `+` or `*` at `at` says how often a part of a path or line is repeated.
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

    /// Applies the operator at hand to `left`, which began at the token `start`.
    fn apply(&mut self, left: Filter, start: usize, operator: Operator) -> Res<Step> {
        match operator {
            Operator::At => {
                let right = self.right_of(":", level::COLON)?;
                let ty = right.ty;
                let kind = FilterKind::At(Box::new(left), Box::new(right));
                Ok(Step::Done(self.make(start, ty, kind), level::POSTFIX))
            }
            Operator::Bracket => {
                let slice = self.slice()?;
                let kind = FilterKind::Substring(Box::new(left), slice);
                let filter = self.make(start, Type::String, kind);
                Ok(Step::Done(filter, level::POSTFIX))
            }
            Operator::Match => self.apply_match(left, start),
            Operator::Attacks => self.apply_attacks(left, start, false),
            Operator::AttackedBy => self.apply_attacks(left, start, true),
            Operator::Intersect => self.apply_intersect(left, start),
            Operator::Union => {
                let right = self.right_set("|", level::INTERSECT)?;
                let kind = FilterKind::Union(Box::new(left), Box::new(right));
                let filter = self.make(start, Type::Set, kind);
                Ok(Step::Done(filter, level::UNION))
            }
            Operator::Arrow(symbol) => self.apply_arrows(left, start, symbol),
            Operator::Dash => {
                let filter = self.dash(Some(left), start)?;
                Ok(Step::Done(filter, level::DASH + 1))
            }
            Operator::Multiply(operation) => {
                let right = self.right_of(operation_text(operation), level::DASH)?;
                let filter = self.arithmetic(operation, left, right, start)?;
                Ok(Step::Done(filter, level::MULTIPLY))
            }
            Operator::Add(operation) => self.apply_add(left, start, operation),
            Operator::Relation(relation) => {
                let right = self.right_of(relation_text(relation), level::RELATION)?;
                let filter = self.compare(relation, left, right, start)?;
                Ok(Step::Done(filter, level::RELATION + 1))
            }
            Operator::In => self.apply_in(left, start),
            Operator::And => {
                let items = self.chain(left, Keyword::And, level::IN)?;
                let filter = self.make(start, Type::Boolean, FilterKind::And(items));
                Ok(Step::Done(filter, level::AND))
            }
            Operator::Or => {
                let items = self.chain(left, Keyword::Or, level::AND)?;
                let filter = self.make(start, Type::Boolean, FilterKind::Or(items));
                Ok(Step::Done(filter, level::OR))
            }
        }
    }

    /// The right operand of the operator at hand, which takes one token.
    fn right_of(&mut self, operator: &str, level: u8) -> Res<Filter> {
        self.pos += 1;
        if !self.may_start(self.pos) {
            let span = self.here();
            let message = format!(
                "expected a filter on the right of `{operator}`, found {}",
                self.found()
            );
            return self.fail(code::EXPECTED_FILTER, span, message);
        }
        self.expression(level)
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

    /// `left and F and G …`, all at once, so that long chains stay flat.
    fn chain(&mut self, left: Filter, word: Keyword, level: u8) -> Res<Vec<Filter>> {
        let mut items = vec![left];
        while self.keyword() == Some(word) {
            items.push(self.right_of(word.text(), level)?);
        }
        Ok(items)
    }

    fn apply_match(&mut self, left: Filter, start: usize) -> Res<Step> {
        self.pos += 1;
        let Some(pattern) = self.eat_literal() else {
            let span = self.here();
            let message = format!(
                "expected a string literal on the right of `~~`, found {}",
                self.found()
            );
            return self.fail_help(
                code::EXPECTED_SYMBOL,
                span,
                message,
                "regular expressions are compiled with the query; `S in T` looks for the text of a variable",
            );
        };
        self.check_regex(&pattern)?;
        let kind = FilterKind::Match {
            subject: Box::new(left),
            pattern,
        };
        let filter = self.make(start, Type::String, kind);
        Ok(Step::Done(filter, level::POSTFIX))
    }

    fn apply_attacks(&mut self, left: Filter, start: usize, by: bool) -> Res<Step> {
        let mut word = self.keyword().map_or("attacks", Keyword::text);
        if word == Keyword::Attacked.text() {
            word = "attacked by";
            self.pos += 1;
            if self.keyword() != Some(Keyword::By) {
                let span = self.here();
                let message = format!("expected `by` behind `attacked`, found {}", self.found());
                return self.fail(code::EXPECTED_SYMBOL, span, message);
            }
        }
        let right = self.right_set(word, level::POSTFIX)?;
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = if by {
            FilterKind::AttackedBy(left, right)
        } else {
            FilterKind::Attacks(left, right)
        };
        let filter = self.make(start, Type::Set, kind);
        Ok(Step::Done(filter, level::ATTACK))
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
        let filter = self.make(start, Type::Set, kind);
        Ok(Step::Done(filter, level::INTERSECT))
    }

    /// A chain of arrows of one direction: two operands attack, more are a ray.
    fn apply_arrows(&mut self, left: Filter, start: usize, arrow: Symbol) -> Res<Step> {
        let mut operands = vec![left];
        while self.symbol() == Some(arrow) {
            operands.push(self.right_set(arrow.text(), level::UNION)?);
        }
        if let Some(other @ (Symbol::Arrow | Symbol::BackArrow)) = self.symbol() {
            let span = self.here();
            let message = format!(
                "`{}` and `{}` cannot stand in one chain",
                arrow.text(),
                other.text()
            );
            return self.fail_help(
                code::LEFTOVER,
                span,
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
            FilterKind::Ray {
                attack: true,
                steps: DirectionName::AnyDirection.steps().to_vec(),
                operands,
                first: forward,
            }
        };
        let filter = self.make(start, Type::Set, kind);
        Ok(Step::Done(filter, level::ARROW + 1))
    }

    fn apply_add(&mut self, left: Filter, start: usize, operation: Arithmetic) -> Res<Step> {
        let sign = self.pos;
        let right = self.right_of(operation_text(operation), level::MULTIPLY)?;
        match (left.ty, right.ty) {
            (Type::String, Type::String) => {
                let kind = FilterKind::Concatenate(Box::new(left), Box::new(right));
                let filter = self.make(start, Type::String, kind);
                Ok(Step::Done(filter, level::ADD))
            }
            (Type::String, Type::Numeric) | (Type::Numeric, Type::String)
                if operation == Arithmetic::Add =>
            {
                // An enclosing operand may be of the other type: `ascii "a"+1`.
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
            return self.operand_mismatch(operation_text(operation), Type::Numeric, &right);
        }
        let kind = FilterKind::Arithmetic(operation, Box::new(left), Box::new(right));
        Ok(self.make(start, Type::Numeric, kind))
    }

    fn apply_in(&mut self, left: Filter, start: usize) -> Res<Step> {
        let (wanted, level) = match left.ty {
            Type::Set => (Type::Set, level::DASH),
            _ => (Type::String, level::RELATION),
        };
        let right = self.right_of("in", level)?;
        if right.ty != wanted {
            return self.operand_mismatch("in", wanted, &right);
        }
        let kind = FilterKind::In(Box::new(left), Box::new(right));
        let filter = self.make(start, Type::Boolean, kind);
        Ok(Step::Done(filter, level::IN + 1))
    }

    fn compare(
        &mut self,
        op: Relation,
        mut left: Filter,
        mut right: Filter,
        start: usize,
    ) -> Res<Filter> {
        match (left.ty, right.ty) {
            (Type::Set, Type::Numeric) => left = cardinality(left),
            (Type::Numeric, Type::Set) => right = cardinality(right),
            _ => {}
        }
        let tree_order = matches!(
            op,
            Relation::Ancestor
                | Relation::AncestorEqual
                | Relation::Descendant
                | Relation::DescendantEqual
        );
        let equality = matches!(op, Relation::Equal | Relation::NotEqual);
        let ty = match (left.ty, right.ty) {
            (Type::Set, Type::Set) if equality => Type::Boolean,
            (Type::Numeric, Type::Numeric) | (Type::String, Type::String) if !tree_order => {
                match op {
                    Relation::NotEqual => Type::Boolean,
                    _ => left.ty,
                }
            }
            (Type::Position, Type::Position) if op != Relation::NotEqual => Type::Position,
            _ => return self.incomparable(op, &left, &right, start, tree_order),
        };
        let kind = FilterKind::Relation {
            op,
            left: Box::new(left),
            right: Box::new(right),
        };
        Ok(self.make(start, ty, kind))
    }

    fn incomparable<T>(
        &mut self,
        op: Relation,
        left: &Filter,
        right: &Filter,
        start: usize,
        tree_order: bool,
    ) -> Res<T> {
        let text = relation_text(op);
        let span: Span = self.span_from(start);
        let message = format!(
            "`{text}` cannot compare {} with {}",
            type_name(left.ty),
            type_name(right.ty)
        );
        let help = match (left.ty, right.ty) {
            (Type::Set, Type::Set) if !tree_order => Some("compare numbers of squares: `#A<#B`"),
            (Type::Position, Type::Position) => Some("write `not P==Q`"),
            _ if tree_order => Some("`[<]` and its like compare positions; write `<` here"),
            (Type::String, Type::Numeric) | (Type::Numeric, Type::String) => {
                Some("`int S` makes a number of a string, `str F` a string of a value")
            }
            (_, Type::Boolean) => Some(
                "`==` of sets and every `!=` have no value, so they end a chain; `equal(F G)` compares any filters",
            ),
            _ => None,
        };
        let diagnostic = Diagnostic::error(code::COMPARISON, span, message);
        self.report(match help {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        });
        Err(Failed)
    }
}

/// The number of squares of a Set.
pub(super) fn cardinality(set: Filter) -> Filter {
    Filter {
        ty: Type::Numeric,
        span: set.span,
        kind: FilterKind::SetToNumber(SetToNumber::Cardinality, Box::new(set)),
    }
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

fn relation_text(relation: Relation) -> &'static str {
    match relation {
        Relation::Less => "<",
        Relation::LessEqual => "<=",
        Relation::Greater => ">",
        Relation::GreaterEqual => ">=",
        Relation::Equal => "==",
        Relation::NotEqual => "!=",
        Relation::Ancestor => "[<]",
        Relation::AncestorEqual => "[<=]",
        Relation::Descendant => "[>]",
        Relation::DescendantEqual => "[>=]",
    }
}

fn operation_text(operation: Arithmetic) -> &'static str {
    match operation {
        Arithmetic::Add => "+",
        Arithmetic::Subtract => "-",
        Arithmetic::Multiply => "*",
        Arithmetic::Divide => "/",
        Arithmetic::Modulo => "%",
    }
}

#[cfg(test)]
mod tests {
    use super::super::dump::{check, refuse};

    #[test]
    fn colon_binds_tightest_and_to_the_right() {
        check("child:R==2", "(== (# (at (childposition 0):p R):s):n 2):n");
        check(
            "child:child:R",
            "(at (childposition 0):p (at (childposition 0):p R):s):s",
        );
        check("parent:ply+1==2", "(== (+ (at @parent ply):n 1):n 2):n");
        check("parent:event[0]", "(sub (at @parent event):t[0]):t");
        check("parent:-- check", "(at @parent (-- * *):b):b check");
        check("parent:R--", "(-- (at @parent R):s *):b");
        refuse("wtm:check", "E0102", ":");
        refuse("K:check", "E0102", ":");
        refuse("parent:", "E0101", "");
    }

    #[test]
    fn postfix_operators_apply_to_strings() {
        check("\"abc\"[1:3][0]", "(sub (sub \"abc\"[1:3]):t[0]):t");
        check("event ~~ \"a\"", "(~~ \"a\" event):t");
        check("event[:]", "(sub event[:]):t");
        check("event[1+1:]", "(sub event[(+ 1 1):n:]):t");
        refuse("\"abc\"[0<1]", "E0102", "<");
        refuse("\"abc\"[R ]", "E0301", "R");
        refuse("R [ 1]", "E0102", "[");
        refuse("s=\"a\" \"b\"~~s", "E0103", "s");
        refuse("\"a\"~~\"(b\"", "E0113", "(");
    }

    #[test]
    fn attacks_bind_tighter_than_sets_and_arrows() {
        check("N & A attacks a", "(intersect N (attacks A a):s):s");
        check("A attacks a attacks A", "(attacks (attacks A a):s A):s");
        check("R attackedby P&a1", "(intersect (attackedby R P):s a1):s");
        check("R attacked by P", "(attackedby R P):s");
        check("A attack a", "(attacks A a):s");
        check("~A attacks a", "(complement (attacks A a):s):s");
        refuse("R attacked P", "E0103", "P");
        refuse("A attacks", "E0101", "");
        refuse("A attacks 3", "E0302", "3");
        refuse("attack (R k)", "E0101", "attack");
    }

    #[test]
    fn set_operators() {
        check("R&r|P&a1", "(union (intersect R r):s (intersect P a1):s):s");
        check("R|r|P", "(union (union R r):s P):s");
        check("R∪r∩P", "(union R (intersect r P):s):s");
        check("~R&a1", "(intersect (complement R):s a1):s");
        check(
            "parent&child==.",
            "(== (samecontent @parent (childposition 0):p):s .):b",
        );
        refuse("R|3", "E0302", "3");
        refuse("R&parent", "E0302", "parent");
        refuse("R|", "E0101", "");
        refuse("check|R", "E0102", "|");
        refuse("~3", "E0301", "3");
    }

    #[test]
    fn arrows_are_attacks_or_rays() {
        check("A->p|n", "(attacks A (union p n):s):s");
        check("K<-a", "(attackedby K a):s");
        check("B->P->k", "(ray 8 attack first B P k):s");
        check("k<-P<-B", "(ray 8 attack B P k):s");
        check("♖→♟", "(attacks ♖ ♟):s");
        refuse("A<-a->A", "E0102", "->");
        refuse("A->", "E0101", "");
        refuse("A<- 3", "E0302", "3");
    }

    #[test]
    fn arithmetic() {
        check("1==2+3*4-5", "(== 1 (- (+ 2 (* 3 4):n):n 5):n):n");
        check("1==20-7-3", "(== 1 (- (- 20 7):n 3):n):n");
        check("1==7/2%3", "(== 1 (% (/ 7 2):n 3):n):n");
        check("1==-3-2", "(== 1 (- -3 2):n):n");
        check("1==- power R+1", "(== 1 (+ (negate (power R):n):n 1):n):n");
        check("1==-(3)", "(== 1 (negate 3):n):n");
        check("x=R -3==1", "(x = R):b (== -3 1):n");
        refuse("R+1", "E0102", "+");
        refuse("1==1+R", "E0302", "R");
        refuse("1==1*R", "E0302", "R");
        refuse("x=-R", "E0301", "R");
        refuse("s=\"a\" t={s - \"b\"}", "E0301", "\"b\"");
    }

    #[test]
    fn plus_is_put_back_where_the_types_differ() {
        check("ascii \"a\"+1==98", "(== (+ (asciicode \"a\"):n 1):n 98):n");
        check("#\"abc\"+1==4", "(== (+ (length \"abc\"):n 1):n 4):n");
        check("int \"4\"+2==6", "(== (+ (int \"4\"):n 2):n 6):n");
        check(
            "int \"4\"+\"2\"==42",
            "(== (int (concatenate \"4\" \"2\"):t):n 42):n",
        );
        check(
            "\"x\"==\"x\"+ascii 97+\"b\"",
            "(== \"x\" (concatenate (concatenate \"x\" (asciicharacter 97):t):t \"b\"):t):t",
        );
        check(
            "1==ascii \"a\"+2*3+4",
            "(== 1 (+ (+ (asciicode \"a\"):n (* 2 3):n):n 4):n):n",
        );
        refuse("x={\"a\"+1}", "E0102", "+");
        refuse("x={1+\"a\"}", "E0102", "+");
    }

    #[test]
    fn comparisons_are_right_associative_and_yield_their_left_side() {
        check("4<=P<9", "(<= 4 (< (# P):n 9):n):n");
        check("1==R==2", "(== 1 (== (# R):n 2):n):n");
        check("R==r", "(== R r):b");
        check("R!=r", "(!= R r):b");
        check("R!=2", "(!= (# R):n 2):b");
        check("\"a\"<event<\"b\"", "(< \"a\" (< event \"b\"):t):t");
        check("parent<child", "(< @parent (childposition 0):p):p");
        check("parent[<]child", "([<] @parent (childposition 0):p):p");
        check("parent≽child", "([>=] @parent (childposition 0):p):p");
        check("x={1<2}", "(x = (< 1 2):n):b");
        for (text, place) in [
            ("R<r", "R<r"),
            ("R[<]r", "R"),
            ("\"a\"==1", "\"a\"==1"),
            ("1<\"a\"", "1<\"a\""),
            ("1[<]2", "1[<]2"),
            ("child==3", "child==3"),
            ("parent!=child", "parent!=child"),
            ("1!=2!=3", "1!=2!=3"),
            ("1==R==r", "1==R==r"),
            ("1==check", "1==check"),
        ] {
            // `R` beside a bracket is no designator, but a name that nobody knows.
            let code = if place == "R" { "E0201" } else { "E0304" };
            refuse(text, code, place);
        }
        refuse("check==check", "E0102", "==");
        refuse("x=1 x<-3", "E0102", "<-");
        refuse("R<", "E0101", "");
    }

    #[test]
    fn in_takes_sets_or_strings() {
        check("K in A and k in a", "(and (in K A):b (in k a):b):b");
        check("R in A|a", "(in R (union A a):s):b");
        check(
            "\"a\" in \"b\"+\"c\"",
            "(in \"a\" (concatenate \"b\" \"c\"):t):b",
        );
        check("\"a\" in \"b\"==\"c\"", "(in \"a\" (== \"b\" \"c\"):t):b");
        refuse("1 in 2", "E0102", "in");
        refuse("R in \"a\"", "E0302", "\"a\"");
        refuse("R in r in P", "E0102", "in");
    }

    #[test]
    fn logic_is_flat_and_juxtaposition_is_loosest() {
        check("R and r and check", "(and R r check):b");
        check("R or r and check or P", "(or R (and r check):b P):b");
        check("(R and r) and P", "(and (and R r):b P):b");
        check(
            "not R==2 and check",
            "(and (not (== (# R):n 2):n):b check):b",
        );
        check("not not R in A", "(not (not (in R A):b):b):b");
        check("R or r P", "(or R r):b P");
        refuse("check or", "E0101", "");
        refuse("not", "E0101", "");
        refuse("#(R and r)==1", "E0301", "R and r");
    }

    #[test]
    fn prefix_operands_have_their_levels() {
        check(
            "#R|r&a1==1",
            "(== (# (union R (intersect r a1):s):s):n 1):n",
        );
        check("power R|r+1==2", "(== (+ (power (union R r):s):n 1):n 2):n");
        check("light R|P", "(union (light R):s P):s");
        check("up R&a2", "(intersect (up R):s a2):s");
        check("up 1 K attacks P", "(attacks (up 1..1 K):s P):s");
        check("file K & Ke1==1", "(== (file (intersect K Ke1):s):n 1):n");
        check("abs -3<4", "(< (abs -3):n 4):n");
        check("sqrt 16+9==5", "(== (sqrt (+ 16 9):n):n 5):n");
        check(
            "uppercase \"a\"+\"b\"",
            "(concatenate (uppercase \"a\"):t \"b\"):t",
        );
        check(
            "position 3+4:check",
            "(at (positionbyid (+ 3 4):n):p check):b",
        );
        check("max(1 2+3)==1", "(== (max 1 (+ 2 3):n):n 1):n");
        check("x=if check 1 else 2", "(x = (if check 1 2):n):b");
        check("flip A==2 or B", "(flip (or (== (# A):n 2):n B):b):b");
        check("shift R|P", "(shift (union R P):s):s");
        refuse("x=3<4", "E0102", "<");
        refuse("x=R in A", "E0102", "in");
    }

    #[test]
    fn nesting_is_limited() {
        let deep = 5_000;
        for text in [
            "not ".repeat(deep) + "true",
            "~ ".repeat(deep) + "R",
            "- ".repeat(deep) + "(1)",
            "{ ".repeat(deep) + "R" + &" }".repeat(deep),
            "(".repeat(deep) + "R" + &")".repeat(deep),
            "child:".repeat(deep) + "R",
            "if check then ".repeat(deep) + "R",
            "--(".repeat(deep) + "--" + &")".repeat(deep),
            "path -- path -- ".repeat(deep) + "--",
            "path ".to_owned() + &"(".repeat(deep) + "--" + &")".repeat(deep),
            "line --> ".to_owned() + &"(".repeat(deep) + "R-->R" + &")".repeat(deep),
            "comment(".repeat(deep) + "R" + &")".repeat(deep),
            "1==".to_owned() + &"1+".repeat(deep) + "1",
            "R|".repeat(deep) + "R",
            "\"a\"".to_owned() + &"[0]".repeat(deep),
        ] {
            let (_, parsed) = super::super::dump::parse_body(&text);
            let codes: Vec<&str> = parsed.diagnostics.iter().map(|d| d.code).collect();
            assert_eq!(codes, ["E0901"], "{}", &text[..20]);
        }
        let (_, parsed) = super::super::dump::parse_body(&("R and ".repeat(deep) + "R"));
        assert!(parsed.is_ok(), "chains of `and` are flat");
    }
}
