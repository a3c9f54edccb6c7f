//! Finds comparisons of a number that no value satisfies together.

use crate::builtin::Nullary;
use crate::diagnostic::Diagnostic;
use crate::lex::abbreviated;
use crate::token::{Token, TokenKind};
use crate::tree::{Filter, FilterKind, Relation};

/// Warns of numbers that the reference reads as smaller ones, since it computes in 32 bits.
pub(super) fn wrapped(text: &[u8], tokens: &[Token], warnings: &mut Vec<Diagnostic>) {
    for token in tokens {
        let TokenKind::Integer(value) = token.kind else {
            continue;
        };
        let digits = text.get(token.span.start as usize..token.span.end as usize);
        let digits = digits.unwrap_or_default();
        let written = str::from_utf8(digits).ok().and_then(|digits| digits.parse::<i32>().ok());
        if written == Some(value) {
            continue;
        }
        let message = format!("{} does not fit, and is read as {value}", abbreviated(digits));
        let help = format!("the greatest number is {}", i32::MAX);
        warnings.push(Diagnostic::warning("W0431", token.span, message).with_help(help));
    }
}

/// A number that is compared with constants.
pub(super) struct Range<'f> {
    number: &'f Filter,
    /// The least value that is allowed.
    low: i64,
    /// The greatest value that is allowed.
    high: i64,
}

impl<'f> Range<'f> {
    /// Reads `E > 3`, `3 < E` or `3 <= E <= 5`.
    pub(super) fn of(filter: &'f Filter) -> Option<Range<'f>> {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return None;
        };
        match (&left.kind, &right.kind) {
            (_, FilterKind::Number(number)) => {
                let (low, high) = admitted(*op, i64::from(*number))?;
                let number = left;
                Some(Range { number, low, high })
            }
            (FilterKind::Number(number), _) => {
                let (low, high) = admitted(super::conditions::mirrored(*op), i64::from(*number))?;
                let inner = Range::of(right).unwrap_or(Range {
                    number: right,
                    low: i64::MIN,
                    high: i64::MAX,
                });
                Some(Range { low: low.max(inner.low), high: high.min(inner.high), ..inner })
            }
            _ => None,
        }
    }

    /// Whether no value is in it. Numbers that are compared with each other have another warning.
    pub(super) fn is_empty(&self) -> bool {
        self.low > self.high && !matches!(self.number.kind, FilterKind::Number(_))
    }

    /// Whether both are about the same number, and no value is in both.
    pub(super) fn excludes(&self, other: &Range<'_>) -> bool {
        self.low.max(other.low) > self.high.min(other.high) && is_same(self.number, other.number)
    }
}

/// Returns the numbers for which a comparison with this one on the right is true.
fn admitted(op: Relation, number: i64) -> Option<(i64, i64)> {
    Some(match op {
        Relation::Less => (i64::MIN, number - 1),
        Relation::LessEqual => (i64::MIN, number),
        Relation::Greater => (number + 1, i64::MAX),
        Relation::GreaterEqual => (number, i64::MAX),
        Relation::Equal => (number, number),
        _ => return None,
    })
}

/// Whether two filters have the same value at the same position.
fn is_same(a: &Filter, b: &Filter) -> bool {
    match (&a.kind, &b.kind) {
        (
            FilterKind::Nullary(Nullary::NumberSource(a)),
            FilterKind::Nullary(Nullary::NumberSource(b)),
        ) => a == b,
        (FilterKind::Elo(a), FilterKind::Elo(b)) => a == b,
        (FilterKind::Cardinality(a), FilterKind::Cardinality(b)) => are_same_designators(a, b),
        (FilterKind::Unary(f, a), FilterKind::Unary(g, b)) => {
            f == g && f.row().always && are_same_designators(a, b)
        }
        _ => false,
    }
}

fn are_same_designators(a: &Filter, b: &Filter) -> bool {
    match (&a.kind, &b.kind) {
        (FilterKind::Designator(a), FilterKind::Designator(b)) => {
            (a.pieces, a.squares) == (b.pieces, b.squares)
        }
        _ => false,
    }
}
