//! Parses transforms, and the ranges of numbers that they share with other filters.

use super::error::{Res, code};
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::level;
use crate::token::{Symbol, TokenKind};
use crate::tree::{Bound, Filter, FilterKind, Range, Transform, TransformFamily, Type};

impl Parser<'_> {
    /// Parses `flip [RANGE] F` or another transform.
    pub(super) fn transform(&mut self, family: TransformFamily) -> Res<Filter> {
        let start = self.pos;
        let word = self.keyword().map_or("flip", Keyword::text);
        self.pos += 1;
        let range = if family == TransformFamily::ReverseColor { None } else { self.range() };
        let n_fixed = self.fixed_squares.len();
        let body = self.operand_of_any_type(word, level::OR)?;
        if family == TransformFamily::Rotate45
            && let Some(&fixed) = self.fixed_squares.get(n_fixed)
        {
            let span = self.span_at(start);
            self.report(
                Diagnostic::error(
                    code::ROTATE,
                    fixed,
                    "`rotate45` cannot turn single squares or their colors",
                )
                .with_help("leave the squares away, or put this part under `notransform`")
                .with_note(span, "turned here"),
            );
        }
        let ty = match (range, body.ty) {
            (Some(_), _) | (None, Type::Numeric) => Type::Numeric,
            (None, Type::Set) => Type::Set,
            _ => Type::Boolean,
        };
        let body = Box::new(body);
        let transform = Transform { family, range, body };
        Ok(self.make(start, ty, FilterKind::Transform(transform)))
    }

    /// Parses `notransform F`.
    pub(super) fn no_transform(&mut self) -> Res<Filter> {
        let start = self.eat();
        let n_fixed = self.fixed_squares.len();
        let body = self.operand_of_any_type("notransform", level::OR)?;
        self.fixed_squares.truncate(n_fixed);
        let ty = body.ty;
        let kind = FilterKind::NoTransform(Box::new(body));
        Ok(self.make(start, ty, kind))
    }

    /// Parses `count`, `N` or `N M`, if one of them follows.
    pub(super) fn range(&mut self) -> Option<Range> {
        if self.eat_keyword(Keyword::Count) {
            return Some(Range::COUNT);
        }
        let min = self.bound(true)?;
        let max = self.bound(true).unwrap_or(min);
        Some(Range { min, max })
    }

    /// Parses a range of the header, where variables are not allowed.
    pub(super) fn constant_range(&mut self) -> Option<(i32, i32)> {
        if self.eat_keyword(Keyword::Count) {
            return Some((-100_000, 100_000));
        }
        let Some(Bound::Constant(min)) = self.bound(false) else {
            return None;
        };
        match self.bound(false) {
            Some(Bound::Constant(max)) => Some((min, max)),
            _ => Some((min, min)),
        }
    }

    /// Parses one end of a range. A number before an operator is part of an expression instead.
    fn bound(&mut self, variables: bool) -> Option<Bound> {
        let (bound, n_tokens) = match self.kind()? {
            TokenKind::Integer(number) => (Bound::Constant(*number), 1),
            TokenKind::Symbol(Symbol::Minus) => match self.kind_at(self.pos + 1)? {
                TokenKind::Integer(number) => (Bound::Constant(number.wrapping_neg()), 2),
                _ => return None,
            },
            TokenKind::Name(_) if variables => {
                let id = self.numeric_variable_at(self.pos)?;
                (Bound::Variable { id, negated: false }, 1)
            }
            _ => return None,
        };
        if let Some(symbol) = self.symbol_at(self.pos + n_tokens)
            && !matches!(
                symbol,
                Symbol::OpenParen
                    | Symbol::CloseParen
                    | Symbol::OpenBrace
                    | Symbol::CloseBrace
                    | Symbol::LineForward
                    | Symbol::LineBackward
                    | Symbol::Dash
                    | Symbol::CaptureDash
            )
        {
            return None;
        }
        self.pos += n_tokens;
        Some(bound)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{check, parse_body, refuse};

    #[test]
    fn transforms_take_everything_behind_them() {
        check("flip Ra1", "(flip Ra1):s");
        check("✵ count Kc3", "(flip -100000..100000 Kc3):n");
        check("dihedral R flipdihedral R", "(flip R):s (flip R):s");
        check("flip count K==2 or R", "(flip -100000..100000 (or (== (# K):n 2):n R):b):n");
    }

    #[test]
    fn types_of_transforms() {
        check("flip power R", "(flip (power R):n):n");
        check("flip check", "(flip check):b");
        check("flip currenttransform", "(flip currenttransform):b");
        check("flip parent", "(flip parent):b");
        check("flip 2 4 Ra1", "(flip 2..4 Ra1):n");
        check("flip shift count R", "(flip (shift -100000..100000 R):n):n");
        check("flip 1 ~A", "(flip 1):n (complement A):s");
        check("flip count ~A", "(flip -100000..100000 (complement A):s):n");
        check("reversecolor wtm", "(reversecolor wtm):b");
        check("notransform event==\"x\"", "(notransform (== event \"x\"):t):t");
        refuse("flip", "E0101", "");
        refuse("flip count", "E0101", "");
        refuse("reversecolor count A", "E0101", "count");
        refuse("flip check==1", "E0102", "==");
    }

    #[test]
    fn rotate45_turns_no_squares() {
        check("rotate45 {K & up 1 P}", "(rotate45 (intersect K (up 1..1 P):s):s):s");
        check("rotate45 Qa-h1-8", "(rotate45 Qa-h1-8):s");
        check("rotate45 notransform Ra1", "(rotate45 (notransform Ra1):s):s");
        for (text, place) in [
            ("rotate45 Ra1", "Ra1"),
            ("rotate45 {R up 1 K&e4}", "e4"),
            ("rotate45 light R", "light"),
            ("flip rotate45 Ra1", "Ra1"),
            ("function f(){Ra1} rotate45 f()", "Ra1"),
            ("rotate45 fen \"8/8/8/8/8/8/8/8\"", "fen \"8/8/8/8/8/8/8/8\""),
        ] {
            refuse(text, "E0402", place);
        }
        let (text, parsed) = parse_body("notransform a1 R light P a2");
        let place = parsed.query.fixed_squares.map(|s| &text[s.start as usize..s.end as usize]);
        assert_eq!(place, Some("light"));
    }
}
