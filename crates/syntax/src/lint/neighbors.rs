//! Warns of operators whose operands are not those that the layout suggests.

use std::mem::discriminant;

use super::Linter;
use crate::designator::PieceSet;
use crate::diagnostic::Diagnostic;
use crate::lex::delimiters::unmatched;
use crate::lex::lex;
use crate::parse::way;
use crate::span::{SourceId, Span};
use crate::token::{Symbol, TokenKind};
use crate::tree::{Constituent, Filter, FilterKind, Relation};

impl Linter<'_> {
    /// Warns of `wtm A or btm B`, in which `or` joins only A and `btm`.
    pub(super) fn or_of_neighbors(&mut self, row: &[&Filter]) {
        for (at, filter) in row.iter().enumerate() {
            let FilterKind::Or(sides) = &filter.kind else {
                continue;
            };
            let [left, right] = sides.as_slice() else {
                continue;
            };
            let before = at.checked_sub(1).map(|at| row[at]);
            let after = row.get(at + 1).copied();
            let is_meant = if self.begins_line(left.span, right.span) {
                // Each line is meant as a side of `or`.
                before.is_some_and(|before| self.is_one_line(before.span, left.span))
                    || after.is_some_and(|after| self.is_one_line(right.span, after.span))
            } else {
                // as in `result 1-0 mate or result 0-1 stalemate`
                let before = before.map(|before| match &before.kind {
                    // as in `wtm check or mate btm or stalemate wtm`
                    FilterKind::Or(sides) if self.is_one_line(before.span, left.span) => {
                        let side = sides.last();
                        let is_other =
                            |side: &&Filter| self.text(side.span) != self.text(right.span);
                        side.filter(is_other).unwrap_or(before)
                    }
                    _ => before,
                });
                before.is_some_and(|before| are_alike(before, right))
                    && after.is_some()
                    && !are_alike(left, right)
            };
            if is_meant && !self.is_held(before, (left, right), after) {
                self.or_joins_neighbors(row, at, left, right);
            }
        }
    }

    /// Whether the author wrote delimiters around the sides of `or`, which are between the filters
    /// beside it.
    fn is_held(
        &self,
        before: Option<&Filter>,
        (left, right): (&Filter, &Filter),
        after: Option<&Filter>,
    ) -> bool {
        let is_near = |other: &&Filter| other.span.source == left.span.source;
        let start = before.filter(is_near).map_or(left.span.start, |before| before.span.end);
        let end = after.filter(is_near).map_or(right.span.end, |after| after.span.start);
        let text = self.text(Span { start, end, ..left.span });
        let mut open = Vec::new();
        lex(SourceId(0), text.as_bytes()).tokens.iter().any(|token| {
            let at = start + token.span.start;
            match token.kind {
                TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace) => open.push(at),
                TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace) => {
                    let begin = open.pop();
                    let is_before = begin.is_some_and(|begin| begin < left.span.start);
                    return is_before && at >= right.span.end;
                }
                _ => {}
            }
            false
        })
    }

    /// Warns of `not Pa2 Pb2`, which asks for the pawn on b2.
    pub(super) fn not_of_neighbors(&mut self, row: &[&Filter]) {
        for (at, filter) in row.iter().enumerate() {
            let FilterKind::Not(body) = &filter.kind else {
                continue;
            };
            let FilterKind::Designator(first) = &body.kind else {
                continue;
            };
            let is_like = |(other, before): &(&&Filter, &&Filter)| match &other.kind {
                FilterKind::Designator(other_set) => {
                    first.has_pieces
                        && other_set.has_squares == first.has_squares
                        && (other_set.has_pieces || other_set.pieces == first.pieces)
                        && self.is_one_line(before.span, other.span)
                }
                _ => false,
            };
            let others = row[at + 1..].iter().zip(&row[at..]).take_while(is_like);
            let others: Vec<&Filter> = others.map(|(other, _)| *other).collect();
            let (Some(next), Some(last)) = (others.first(), others.last()) else {
                continue;
            };
            let negated = self.text(filter.span);
            let asked: Vec<&str> = others.iter().map(|other| self.text(other.span)).collect();
            let each = asked.iter().map(|text| format!(" not {text}")).collect::<String>();
            let message =
                format!("`not` takes one filter, so `{}` must be there", asked.join("` and `"));
            let help = format!(
                "for none of them write `{negated}{each}`; what must be there is clearer first: `{} \
                 {negated}`",
                asked.join(" ")
            );
            let text = format!("{negated}{each}");
            let warning = Diagnostic::warning("W0435", next.span.to(last.span), message)
                .with_help(help)
                .with_edit(filter.span.to(last.span), text);
            self.warnings.push(warning);
        }
    }

    fn or_joins_neighbors(&mut self, row: &[&Filter], at: usize, left: &Filter, right: &Filter) {
        let before = row[..at].iter().rev();
        let before = before.take_while(|before| self.is_one_line(before.span, left.span));
        let first = before.last().map_or(left.span, |first| first.span);
        let after = row[at + 1..].iter();
        let after = after.take_while(|after| self.is_one_line(right.span, after.span));
        let last = after.last().map_or(right.span, |last| last.span);
        let sides =
            [first.to(left.span), right.span.to(last)].map(|side| self.with_delimiters(side));
        let (left, right) = (self.text(left.span), self.text(right.span));
        let message = format!("`or` joins only the filters beside it: `{left}` and `{right}`");
        let mut warning = Diagnostic::warning("W0412", row[at].span, message)
            .with_help("braces hold filters together that must all match");
        let around = |other: &&&Filter| first.to(last).contains(other.span);
        let is_or = |other: &&Filter| matches!(other.kind, FilterKind::Or(_));
        if row.iter().filter(around).filter(|other| is_or(other)).count() == 1
            && let [Some(left), Some(right)] = sides
            && self.between(left, right).trim() == "or"
        {
            let text = format!("{{{}}} or {{{}}}", self.text(left), self.text(right));
            warning = warning.with_edit(left.to(right), text);
        }
        self.warnings.push(warning);
    }

    /// Returns a span with the delimiters around its parts, which the spans of filters leave out;
    /// `None` if something else stands before or after them.
    fn with_delimiters(&self, mut span: Span) -> Option<Span> {
        const PAIRS: [[&str; 2]; 3] = [["{", "}"], ["(", ")"], ["[", "]"]];
        let text = self.text(span);
        let tokens = lex(SourceId(0), text.as_bytes()).tokens;
        let (_, places) = unmatched(&tokens, usize::MAX);
        let sign = |place: usize| text.get(tokens[place].span.start as usize..)?.get(..1);
        let whole = self.texts.get(usize::from(span.source.0))?;
        for place in places.iter().rev() {
            if let Some([_, close]) = PAIRS.iter().find(|pair| sign(*place) == Some(pair[0])) {
                let after = whole.get(span.end as usize..)?;
                let rest = after.trim_ascii_start().strip_prefix(close.as_bytes())?;
                span.end = (whole.len() - rest.len()) as u32;
            }
        }
        for place in &places {
            if let Some([open, _]) = PAIRS.iter().find(|pair| sign(*place) == Some(pair[1])) {
                let before = whole.get(..span.start as usize)?;
                let rest = before.trim_ascii_end().strip_suffix(open.as_bytes())?;
                span.start = rest.len() as u32;
            }
        }
        Some(span)
    }

    /// Whether the operator between two spans is the first text on its line.
    fn begins_line(&self, left: Span, right: Span) -> bool {
        self.between(left, right).trim_end().contains('\n')
    }

    pub(super) fn is_one_line(&self, left: Span, right: Span) -> bool {
        left.source == right.source && !self.between(left, right).contains('\n')
    }

    pub(super) fn between(&self, left: Span, right: Span) -> &str {
        let mut gap = left;
        gap.start = left.end;
        gap.end = right.start;
        self.text(gap)
    }

    /// Warns of `ply > 10 < 20`, which compares 10 with 20.
    pub(super) fn constants_compared(&mut self, filter: &Filter) {
        if self.inner_chains.remove(&filter.span) {
            return;
        }
        let mut operands = Vec::new();
        let mut rest = filter;
        while let FilterKind::Relation { left, right, .. } = &rest.kind {
            operands.push(&**left);
            rest = right;
            if matches!(rest.kind, FilterKind::Relation { .. }) {
                self.inner_chains.insert(rest.span);
            }
        }
        operands.push(rest);
        let is_number = |filter: &&Filter| matches!(filter.kind, FilterKind::Number(_));
        if operands.len() < 3 || operands.iter().all(is_number) {
            return;
        }
        let mut mended = self.spread_chain(&operands);
        for pair in operands.windows(2) {
            if !pair.iter().all(is_number) {
                continue;
            }
            let message = "this compares two numbers with each other";
            let warning = Diagnostic::warning("W0413", pair[0].span.to(pair[1].span), message)
                .with_help("each sign of a chain compares the values on its two sides");
            self.warnings.push(match mended.take() {
                Some(text) => warning.with_edit(filter.span, text),
                None => warning,
            });
        }
    }

    /// Returns a chain with its only operand that is not a number in each comparison:
    /// `ply > 10 ply < 20`.
    fn spread_chain(&self, operands: &[&Filter]) -> Option<String> {
        let is_number = |filter: &Filter| matches!(filter.kind, FilterKind::Number(_));
        let mut values = (0..operands.len()).filter(|&at| !is_number(operands[at]));
        let at = values.next().filter(|_| values.next().is_none())?;
        let value = self.text(operands[at].span);
        let mut text = String::new();
        for (n, pair) in operands.windows(2).enumerate() {
            let sign = self.between(pair[0].span, pair[1].span).trim();
            let (left, right) = (self.text(pair[0].span), self.text(pair[1].span));
            text += &match n {
                // Operands before the value are compared with it, and so are those after it.
                _ if n < at => format!(" {left} {sign} {value}"),
                _ if n == at && at > 0 => format!(" {sign} {right}"),
                _ => format!(" {value} {sign} {right}"),
            };
        }
        Some(text.trim_start().to_owned())
    }

    /// Warns of `path Nf3 Nc6`, which contains no move and never matches.
    pub(super) fn path_without_a_move(&mut self, filter: &Filter) {
        if let FilterKind::Path(path) = &filter.kind
            && !has_a_move(&path.constituents)
        {
            let message = "no part of this path is a move, so it never matches";
            let help = "a move has the sign `--`: `path N--f3 n--c6`; \
                        conditions on one position stand without `path`";
            let warning = Diagnostic::warning("W0414", filter.span, message).with_help(help);
            self.warnings.push(warning);
        }
    }

    /// Warns of `Nb1->d2->f1`, a line of attack that no piece there can have.
    pub(super) fn arrows_as_a_way(&mut self, filter: &Filter) {
        let FilterKind::Ray(ray) = &filter.kind else {
            return;
        };
        let square = |filter: &Filter| match &filter.kind {
            FilterKind::Designator(set) if set.squares.is_power_of_two() => Some(*set),
            _ => None,
        };
        let Some(sets) = ray.operands.iter().map(square).collect::<Option<Vec<_>>>() else {
            return;
        };
        let [first, rest @ ..] = &sets[..] else {
            return;
        };
        if !first.has_pieces || rest.len() < 2 || rest.iter().any(|set| set.has_pieces) {
            return;
        }
        let steps: Vec<(i32, i32)> = sets
            .windows(2)
            .map(|pair| {
                let place = |at: usize| pair[at].squares.trailing_zeros().cast_signed();
                let (from, to) = (place(0), place(1));
                ((to % 8 - from % 8).signum(), (to / 8 - from / 8).signum())
            })
            .collect();
        let mut line_pieces = b"QRB".iter().filter_map(|letter| PieceSet::from_letter(*letter));
        let may_be_line_piece = line_pieces.any(|piece| piece.roles() & first.pieces.roles() != 0);
        if may_be_line_piece && steps.iter().all(|step| *step == steps[0]) {
            return;
        }
        let texts: Vec<&str> = ray.operands.iter().map(|one| self.text(one.span)).collect();
        let text = way(texts[0], texts[1..].iter().copied());
        let message = "`->` is an attack, and there is no line of attack over these squares";
        let warning = Diagnostic::warning("W0419", filter.span, message)
            .with_help(format!("a piece goes from square to square in a `path`: `{text}`"))
            .with_edit(filter.span, text);
        self.warnings.push(warning);
    }

    /// Warns of `path --d4 -> k--`, in which the arrow means that d4 attacks a king.
    pub(super) fn arrow_between_moves(&mut self, filter: &Filter) {
        if let FilterKind::Path(path) = &filter.kind {
            self.arrows_between(&path.constituents);
        }
    }

    fn arrows_between(&mut self, items: &[Constituent]) {
        for pair in items.windows(2) {
            if let [Constituent::Dash { dash, .. }, Constituent::Dash { dash: next, .. }] = pair
                && let (Some(target), None) = (&dash.right, &next.left)
                && let FilterKind::Attacks(left, right) | FilterKind::AttackedBy(left, right) =
                    &target.kind
                // A target in brackets begins before its left operand.
                && target.span.start == left.span.start
                && self.touches_next(right.span)
            {
                let mut gap = left.span;
                (gap.start, gap.end) = (left.span.end, right.span.start);
                let sign = self.text(gap).trim();
                let text = self.text(target.span);
                let message =
                    format!("`{sign}` is no step to the next move: this goes to `{text}`");
                let help = "the moves of a path stand beside each other; an attack that is meant \
                            stands in parentheses";
                let warning = Diagnostic::warning("W0419", target.span, message)
                    .with_help(help)
                    .with_edit(gap, " ");
                self.warnings.push(warning);
            }
        }
        for item in items {
            if let Constituent::Group { members, .. } = item {
                self.arrows_between(members);
            }
        }
    }

    /// Whether no white space follows a span.
    fn touches_next(&self, place: Span) -> bool {
        let mut next = place;
        (next.start, next.end) = (place.end, place.end + 1);
        !self.text(next).starts_with(char::is_whitespace)
    }

    /// Warns of `x [>=] y`, which does not match equal positions.
    pub(super) fn descendant_or_equal(&mut self, filter: &Filter) {
        if let FilterKind::Relation { op: Relation::DescendantEqual, left, right } = &filter.kind {
            let sign = self.between(left.span, right.span).trim().to_owned();
            let message =
                format!("as in the reference, `{sign}` means no position equal to itself");
            let (left, right) = (self.text(left.span), self.text(right.span));
            let help = format!("turn it around: `{right}[<=]{left}` takes equal positions, too");
            let warning = Diagnostic::warning("W0415", filter.span, message).with_help(help);
            self.warnings.push(warning);
        }
    }

    /// Warns of `sort max`, which puts the least value first.
    pub(super) fn sorted_upward(&mut self, filter: &Filter) {
        if !matches!(filter.kind, FilterKind::Sort { .. }) {
            return;
        }
        // The tree contains the direction, but not the word.
        let text = self.text(filter.span);
        let rest = text.strip_prefix("sort").map(str::trim_start);
        let rest = rest.and_then(|rest| rest.strip_prefix("max"));
        let ends_word = |rest: &&str| rest.starts_with([' ', '\t', '\n', '\r', '"']);
        let Some(rest) = rest.filter(ends_word) else {
            return;
        };
        let mut span = filter.span;
        span.end -= rest.len() as u32;
        let message = "as in the reference, `sort max` puts the least value first";
        let warning = Diagnostic::warning("W0416", span, message)
            .with_help("`sort` without it puts the greatest first")
            .with_edit(span, "sort");
        self.warnings.push(warning);
    }
}

/// Whether a part is a move. Moves within conditions do not lead a path on.
fn has_a_move(items: &[Constituent]) -> bool {
    items.iter().any(|item| match item {
        Constituent::Dash { .. } => true,
        Constituent::Group { members, .. } => has_a_move(members),
        Constituent::Filter(_) => false,
    })
}

/// Whether two filters have the same form with different values.
fn are_alike(a: &Filter, b: &Filter) -> bool {
    match (&a.kind, &b.kind) {
        (FilterKind::Nullary(a), FilterKind::Nullary(b)) => discriminant(a) == discriminant(b),
        (FilterKind::Result(_), FilterKind::Result(_)) => true,
        _ => false,
    }
}
