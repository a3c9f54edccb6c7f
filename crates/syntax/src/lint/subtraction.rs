//! Warns of `1990-2000`, which is a negative number.
//!
//! Only possible ranges are reported, with the lower number first: `20-7` is arithmetic.

use super::Linter;
use super::place::FilterContext;
use crate::builtin::{Nullary, NumberSource, Unary};
use crate::diagnostic::Diagnostic;
use crate::parse::date;
use crate::span::Span;
use crate::tree::{Arithmetic, Filter, FilterKind, Relation, Type};

impl Linter<'_> {
    /// Warns of constants with a minus sign between them: a range, or castling with digits.
    pub(super) fn constants_subtracted(&mut self, filter: &Filter) {
        if let FilterKind::Relation { op: Relation::Equal, left, right } = &filter.kind
            && let Some((low, high)) = self.range(right)
        {
            self.range_of(left, (low, high), filter.span);
            return;
        }
        let Some((left, right)) = self.range(filter) else {
            return;
        };
        let text = self.text(filter.span);
        let after = self.text(Span { end: filter.span.end + 2, ..filter.span });
        let is_castling = (left, right) == (0, 0);
        let (span, castling) = match after.strip_prefix(text) {
            Some("-0") => {
                let mut span = filter.span;
                span.end += 2;
                (span, "o-o-o")
            }
            _ => (filter.span, "o-o"),
        };
        let message = format!("`{text}` is a subtraction, the number {}", left - right);
        let warning =
            Diagnostic::warning("W0302", if is_castling { span } else { filter.span }, message);
        self.warnings.push(if is_castling {
            warning
                .with_help(format!("castling is written with letters: `{castling}`"))
                .with_edit(span, castling)
        } else {
            warning.with_help(format!(
                "a range is written with the number between its ends: `{left} <= E <= {right}`"
            ))
        });
    }

    /// Warns of `date 2020-06` and `year == 2020-06`, whose minus sign subtracts.
    pub(super) fn date_subtracted(&mut self, filter: &Filter, place: FilterContext) {
        const YEAR: Nullary = Nullary::NumberSource(NumberSource::Year);
        let (number, text) = match &filter.kind {
            FilterKind::Arithmetic(..) if place.asked => {
                let Some(date) = date(filter) else {
                    return;
                };
                let start = Span { start: 0, end: filter.span.start, ..filter.span };
                let is_after_word = self.text(start).trim_end().ends_with("date");
                (filter, if is_after_word { date } else { format!("date {date}") })
            }
            FilterKind::Relation { left, right, .. } if matches!(left.kind, FilterKind::Nullary(word) if word == YEAR) =>
            {
                let Some(date) = date(right) else {
                    return;
                };
                let sign = self.between(left.span, right.span).trim();
                let sign = if sign == "==" { " ".to_owned() } else { format!(" {sign} ") };
                (&**right, format!("date{sign}{date}"))
            }
            _ => return,
        };
        let written = self.text(number.span);
        let message = format!("`{written}` is a calculation, not a date");
        let warning = Diagnostic::warning("W0302", filter.span, message)
            .with_help(format!("dates are texts: `{text}`"))
            .with_edit(filter.span, text);
        self.warnings.push(warning);
    }

    /// Warns of `year 1990-2000`.
    pub(super) fn range_with_a_dash(&mut self, row: &[&Filter]) {
        for pair in row.windows(2) {
            let [number, range] = pair else {
                continue;
            };
            let is_number = matches!(
                number.kind,
                FilterKind::Nullary(_)
                    | FilterKind::Elo(_)
                    | FilterKind::HhdbEgDiagram
                    | FilterKind::Cardinality(_)
                    | FilterKind::Unary(Unary::SetToNumber(_), _)
            );
            if let Some(range) = self.range(range).filter(|_| is_number) {
                self.range_of(number, range, number.span.to(pair[1].span));
            }
        }
    }

    /// Warns of a range at the span `whole` that `number` was meant to be in.
    fn range_of(&mut self, number: &Filter, (low, high): (i64, i64), whole: Span) {
        let text = self.text(number.span);
        if number.ty != Type::Numeric || text.is_empty() || low >= high {
            return;
        }
        let mended = format!("{low} <= {text} <= {high}");
        let message = format!("`{low}-{high}` is a subtraction, the number {}", low - high);
        let warning = Diagnostic::warning("W0302", whole, message)
            .with_help(format!("a range is written `{mended}`"))
            .with_edit(whole, mended);
        self.warnings.push(warning);
    }

    /// Returns the numbers on both sides of a minus sign without blanks.
    fn range(&self, filter: &Filter) -> Option<(i64, i64)> {
        let FilterKind::Arithmetic(Arithmetic::Subtract, left, right) = &filter.kind else {
            return None;
        };
        match (&left.kind, &right.kind) {
            (FilterKind::Number(left), FilterKind::Number(right)) => {
                let text = self.text(filter.span);
                let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
                let is_range = left < right || (*left, *right) == (0, 0);
                let begins_with_digit = text.starts_with(|c: char| c.is_ascii_digit());
                (is_plain && is_range && begins_with_digit)
                    .then_some((i64::from(*left), i64::from(*right)))
            }
            _ => None,
        }
    }
}
