//! Warns of conditions that are never or always met.

use super::misread::next_mover;
use super::place::FilterContext;
use super::ranges::Range;
use crate::builtin::{Constant, Keyword, Nullary, NumberSource, Predicate, Turn};
use crate::designator::{Designator, PieceSet};
use crate::diagnostic::Diagnostic;
use crate::seen::{TagComparison, is_eco};
use crate::token::{Token, TokenKind};
use crate::tree::{
    Arithmetic, Dash, Filter, FilterKind, Query, Relation, SquareLoop, TextSource, holds,
};

/// Maximum number of squares in a set.
const MOST: i64 = 64;

/// Warns of ranges in the header that contain no number.
pub(super) fn header(tokens: &[Token], query: &Query, warnings: &mut Vec<Diagnostic>) {
    for (keyword, range) in [
        (Keyword::GameNumber, query.header.gamenumber),
        (Keyword::Matchcount, query.header.matchcount),
    ] {
        let Some((first, last)) = range.filter(|(first, last)| first > last) else {
            continue;
        };
        let mut tokens = tokens.iter();
        if let Some(token) = tokens.find(|token| token.kind == TokenKind::Keyword(keyword)) {
            let word = keyword.text();
            let message = format!("no number is from {first} to {last}, so no game is found");
            warnings.push(
                Diagnostic::warning("W0501", token.span, message)
                    .with_help(format!("write `{word} {last} {first}`")),
            );
        }
    }
}

/// Compares filters that must all match at the same position.
pub(super) fn together(filters: &[Filter], warnings: &mut Vec<Diagnostic>) {
    let mut all = Vec::new();
    for filter in filters {
        collect(filter, &mut all);
    }
    contradiction(&all, warnings);
}

/// Warns of a number that always has a value and is used as a condition.
pub(super) fn number(filter: &Filter, place: FilterContext, warnings: &mut Vec<Diagnostic>) {
    // The compiler reports a value that is written alone: `3`.
    let is_number = matches!(filter.kind, FilterKind::Number(_));
    if !place.asked || is_number || !is_always_there(filter) {
        return;
    }
    const REPETITION: Nullary = Nullary::NumberSource(NumberSource::Repetition);
    let help = match &filter.kind {
        _ if is_constant(filter) => help_for_constant(filter),
        FilterKind::Nullary(word) if *word == REPETITION => {
            "two earlier times are a threefold repetition: `repetition >= 2`".into()
        }
        _ => "compare it, such as `#R > 1`, or print it by `comment(#R)`".into(),
    };
    let message = "a number by itself always matches";
    warnings.push(Diagnostic::warning("W0403", filter.span, message).with_help(help));
}

/// Returns the help for what others mean by a value that is computed from numbers: a range of years or
/// ratings, a date, a time control, or else a draw.
fn help_for_constant(filter: &Filter) -> String {
    const LEAST_YEAR: i32 = 1000;
    const MOST_YEAR: i32 = 2100;
    let FilterKind::Arithmetic(op, left, right) = &filter.kind else {
        return "compare it with another number".to_owned();
    };
    match (op, &left.kind, &right.kind) {
        (Arithmetic::Subtract, FilterKind::Number(low), FilterKind::Number(high))
            if LEAST_YEAR < *low && low < high =>
        {
            let word = if *high <= MOST_YEAR { "year" } else { "elo" };
            format!("a range is one comparison: `{low} <= {word} <= {high}`")
        }
        (Arithmetic::Divide, FilterKind::Arithmetic(Arithmetic::Divide, ..), _) => {
            "dates are texts, written yyyy.mm.dd: `date \"1992.07.30\"`".to_owned()
        }
        (Arithmetic::Add, FilterKind::Number(_), FilterKind::Number(_)) => {
            "a time control is the value of a tag: `tag \"TimeControl\" == \"180+2\"`".to_owned()
        }
        _ => "a drawn game is `result 1/2-1/2`".to_owned(),
    }
}

/// Whether a number has a value at every position.
fn is_always_there(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Number(_) | FilterKind::Cardinality(_) | FilterKind::Likeness(_) => true,
        FilterKind::Arithmetic(..) if is_constant(filter) => true,
        FilterKind::Arithmetic(Arithmetic::Divide | Arithmetic::Modulo, left, right) => {
            is_always_there(left) && matches!(right.kind, FilterKind::Number(1..))
        }
        FilterKind::Arithmetic(_, left, right) => is_always_there(left) && is_always_there(right),
        kind => kind.row().is_some_and(|row| row.always),
    }
}

/// Whether a value is computed from numbers alone, as `1/2` is.
fn is_constant(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Arithmetic(_, left, right) => is_constant(left) && is_constant(right),
        kind => matches!(kind, FilterKind::Number(_)),
    }
}

/// Collects the conditions that must be met together with this one.
fn collect<'f>(filter: &'f Filter, all: &mut Vec<&'f Filter>) {
    match &filter.kind {
        FilterKind::And(items) | FilterKind::Block(items) => {
            items.iter().for_each(|item| collect(item, all));
        }
        _ => all.push(filter),
    }
}

/// Checks a filter, and those directly below it that must match together.
pub(super) fn impossible(filter: &Filter, warnings: &mut Vec<Diagnostic>) {
    alone(filter, warnings);
    let are_several =
        |filter: &Filter| matches!(filter.kind, FilterKind::And(_) | FilterKind::Block(_));
    // The members of a block have been compared with the filters around the block already.
    if are_several(filter) {
        return;
    }
    filter.for_each_child(&mut |child| {
        if are_several(child) {
            together(std::slice::from_ref(child), warnings);
        }
    });
}

/// Number of preceding conditions that each condition is compared with.
const NEARBY: usize = 100;

/// Warns of the first condition that contradicts an earlier one.
fn contradiction(all: &[&Filter], warnings: &mut Vec<Diagnostic>) {
    let all: Vec<Condition<'_>> = all.iter().filter_map(|one| Condition::of(one)).collect();
    for (i, second) in all.iter().enumerate() {
        let mut before = all[i.saturating_sub(NEARBY)..i].iter();
        if let Some(first) = before.find(|first| first.excludes(second)) {
            warnings.push(
                Diagnostic::warning(
                    "W0402",
                    second.filter.span,
                    "this never matches where the other matches",
                )
                .with_help("filters beside each other must all match; `or` takes either")
                .with_note(first.filter.span, "both must match here"),
            );
            return;
        }
    }
}

/// A condition that may contradict others.
struct Condition<'f> {
    filter: &'f Filter,
    /// The range, for a comparison.
    range: Option<Range<'f>>,
}

impl<'f> Condition<'f> {
    fn of(filter: &'f Filter) -> Option<Condition<'f>> {
        let range = Range::of(filter);
        let may_exclude = match &filter.kind {
            FilterKind::Nullary(Nullary::Turn(_) | Nullary::Predicate(_))
            | FilterKind::Result(_)
            | FilterKind::Dash(_) => true,
            FilterKind::Not(not) => matches!(not.kind, FilterKind::Nullary(_)),
            FilterKind::Contains(..) => code_of_opening(filter).is_some(),
            _ => range.is_some(),
        };
        may_exclude.then_some(Condition { filter, range })
    }

    /// Whether the two conditions are never both met.
    fn excludes(&self, other: &Condition<'_>) -> bool {
        match (&self.range, &other.range) {
            (Some(a), Some(b)) => a.excludes(b),
            (None, None) => exclude(self.filter, other.filter),
            _ => false,
        }
    }
}

/// Whether two conditions without ranges are never both met.
fn exclude(a: &Filter, b: &Filter) -> bool {
    use Nullary::Predicate as P;
    use Predicate::{Check, Mate, Stalemate, Terminal};
    for (fact, other) in [(a, b), (b, a)] {
        let Some(movers) = next_mover(other) else {
            continue;
        };
        let is_free = movers.contains(PieceSet::EMPTY_SQUARE);
        return match &fact.kind {
            FilterKind::Nullary(P(Terminal)) => true,
            FilterKind::Nullary(P(Mate | Stalemate)) => !may_be_null(other, movers),
            FilterKind::Nullary(Nullary::Turn(Turn::Wtm)) => {
                !is_free && PieceSet::BLACK.contains(movers)
            }
            FilterKind::Nullary(Nullary::Turn(Turn::Btm)) => {
                !is_free && PieceSet::WHITE.contains(movers)
            }
            _ => false,
        };
    }
    match (&a.kind, &b.kind) {
        (FilterKind::Nullary(Nullary::Turn(a)), FilterKind::Nullary(Nullary::Turn(b))) => a != b,
        (FilterKind::Nullary(P(a)), FilterKind::Nullary(P(b))) => {
            matches!((a, b), (Check | Mate, Stalemate) | (Stalemate, Check | Mate))
        }
        (FilterKind::Nullary(a @ (P(_) | Nullary::Turn(_))), FilterKind::Not(not))
        | (FilterKind::Not(not), FilterKind::Nullary(a @ (P(_) | Nullary::Turn(_)))) => {
            match &not.kind {
                FilterKind::Nullary(b) => a == b || (*a, *b) == (P(Mate), P(Check)),
                _ => false,
            }
        }
        (FilterKind::Result(a), FilterKind::Result(b)) => a != b,
        (FilterKind::Contains(..), FilterKind::Contains(..)) => {
            let codes = code_of_opening(a).zip(code_of_opening(b));
            codes.is_some_and(|(a, b)| a != b)
        }
        _ => false,
    }
}

/// Returns the code of openings that a filter asks for: `eco "B90"`. A game has one.
fn code_of_opening(filter: &Filter) -> Option<&str> {
    let FilterKind::Contains(text, source) = &filter.kind else {
        return None;
    };
    let is_eco_tag = matches!(source.kind, FilterKind::TextSource(TextSource::Eco));
    let code = str::from_utf8(text).ok().filter(|code| is_eco_tag && code.len() == 3)?;
    is_eco(code, TagComparison::Whole).then_some(code)
}

/// Whether a move of these pieces may be a null move, which a game may have even after mate: of the
/// king, or of no piece.
fn may_be_null(filter: &Filter, movers: PieceSet) -> bool {
    let kings = PieceSet::WHITE_KING.union(PieceSet::BLACK_KING);
    let null_movers = kings.union(PieceSet::EMPTY_SQUARE);
    let is_plain = |dash: &Dash| !dash.capture && dash.promotion.is_none();
    matches!(&filter.kind, FilterKind::Dash(dash) if is_plain(dash))
        && movers.0 & null_movers.0 != 0
}

/// Checks a filter on its own.
fn alone(filter: &Filter, warnings: &mut Vec<Diagnostic>) {
    match &filter.kind {
        FilterKind::Not(operand) => {
            if matches!(operand.kind, FilterKind::Nullary(Nullary::Constant(Constant::True))) {
                never(filter, "this never matches", warnings);
            }
        }
        FilterKind::Relation { .. } if Range::of(filter).is_some_and(|range| range.is_empty()) => {
            warnings.push(
                Diagnostic::warning("W0402", filter.span, "no number is between these two")
                    .with_help("the lower number comes first: `1900 < year < 1950`"),
            );
        }
        FilterKind::Relation { op, left, right } => match (&left.kind, &right.kind) {
            (FilterKind::Cardinality(_), FilterKind::Number(number)) => {
                count(filter, *op, i64::from(*number), warnings);
            }
            (FilterKind::Number(number), FilterKind::Cardinality(_)) => {
                count(filter, mirrored(*op), i64::from(*number), warnings);
            }
            (FilterKind::Designator(a), FilterKind::Designator(b))
                if *op == Relation::Equal && are_disjoint(a, b) =>
            {
                let message = "these sets have no square in common, so they are equal only where \
                               both are empty";
                warnings.push(Diagnostic::warning("W0301", filter.span, message).with_help(
                    "`#A == #B` compares how many there are, `A & B` are the squares of both",
                ));
            }
            _ => {}
        },
        FilterKind::In(left, right) => within(filter, left, right, warnings),
        FilterKind::SquareLoop(SquareLoop { domain, .. }) if is_empty(domain) => {
            let message = "no square is in the empty set, so this looks at none";
            warnings.push(
                Diagnostic::warning("W0303", domain.span, message)
                    .with_help("`.` is the set of all squares, `_` that of the empty ones"),
            );
        }
        FilterKind::Intersect(left, right) => {
            if let (FilterKind::Designator(a), FilterKind::Designator(b)) =
                (&left.kind, &right.kind)
                && are_disjoint(a, b)
            {
                let message = "this set is always empty: no square is in both";
                never(filter, message, warnings);
            }
        }
        _ => {}
    }
}

fn is_empty(filter: &Filter) -> bool {
    matches!(filter.kind, FilterKind::NoSquares)
}

/// Warns of `S in T` if the result for an empty set is easily overlooked.
fn within(filter: &Filter, left: &Filter, right: &Filter, warnings: &mut Vec<Diagnostic>) {
    let (message, help) = if is_empty(left) {
        let message = "the empty set is in every set, so this always matches";
        (message, "`not S` matches where a set is empty")
    } else if is_empty(right) {
        let message = "this matches only where the set on the left is empty";
        (message, "`not S` matches where a set is empty")
    } else if let (FilterKind::Designator(a), FilterKind::Designator(b)) = (&left.kind, &right.kind)
        && are_disjoint(a, b)
    {
        let message = "these sets have no square in common, so this matches only where the one on \
                       the left is empty: the empty set is in every set";
        (message, "`A & B` are the squares of both, `not A` matches where there are none")
    } else {
        return;
    };
    warnings.push(Diagnostic::warning("W0303", filter.span, message).with_help(help));
}

fn never(filter: &Filter, message: &str, warnings: &mut Vec<Diagnostic>) {
    let warning = Diagnostic::warning("W0402", filter.span, message);
    warnings.push(match filter.kind {
        FilterKind::Intersect(..) => {
            warning.with_help("`A and B` asks for both, `A | B` are the squares of either")
        }
        _ => warning,
    });
}

/// Checks a number of squares that is compared with a constant.
fn count(filter: &Filter, op: Relation, number: i64, warnings: &mut Vec<Diagnostic>) {
    let n_met = (0..=MOST).filter(|n| holds(op, n, &number)).count() as i64;
    let help = "a set has 0 to 64 squares";
    if n_met == 0 {
        let message = "this never matches";
        warnings.push(Diagnostic::warning("W0402", filter.span, message).with_help(help));
    } else if n_met == MOST + 1 && op != Relation::NotEqual {
        let message = "this always matches";
        warnings.push(Diagnostic::warning("W0403", filter.span, message).with_help(help));
    }
}

pub(super) fn mirrored(op: Relation) -> Relation {
    match op {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Greater => Relation::Less,
        Relation::GreaterEqual => Relation::LessEqual,
        other => other,
    }
}

fn are_disjoint(a: &Designator, b: &Designator) -> bool {
    a.pieces.0 & b.pieces.0 == 0 || a.squares & b.squares == 0
}
