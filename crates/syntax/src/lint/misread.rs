//! Warns of forms that have another meaning than in English: sets beside words without operands,
//! `and` and `or` between pieces, and evaluations in pawns.

use super::Linter;
use super::conditions::mirrored;
use super::place::FilterContext;
use crate::builtin::{ColorNumber, Nullary, NumberSource, Predicate};
use crate::designator::{Designator, PieceSet};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::tree::{Arithmetic, Filter, FilterKind, Relation, TextSource, holds};

/// The greatest number that is taken for an evaluation in pawns; in centipawns it is next to
/// nothing.
const MOST_PAWNS: u32 = 9;

impl Linter<'_> {
    /// Warns of `player != "Kasparov"`: files have more in a text than a query names.
    pub(super) fn whole_text_compared(&mut self, filter: &Filter) {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        let (source, text, literal) = match (&left.kind, &right.kind) {
            (FilterKind::TextSource(source), FilterKind::Text(text)) => (source, text, right),
            (FilterKind::Text(text), FilterKind::TextSource(source)) => (source, text, left),
            _ => return,
        };
        let is_not = *op == Relation::NotEqual;
        // Both names are one text, which no name is; files have one name as `Kasparov, Garry`.
        let is_part = match source {
            TextSource::Players => is_not || *op == Relation::Equal,
            TextSource::Player(_) => is_not && !text.contains(&b','),
            TextSource::Event | TextSource::Site => is_not,
            _ => false,
        };
        if !is_part || !text.iter().any(u8::is_ascii_alphabetic) {
            return;
        }
        let subject = if literal.span == right.span { left } else { right };
        let not = if is_not { "not " } else { "" };
        let text = format!("{not}{} {}", self.text(subject.span), self.text(literal.span));
        let message = format!("`{}` compares all of the text", op.text());
        self.warnings.push(
            Diagnostic::warning("W0436", filter.span, message)
                .with_help(format!("`{text}` is about a part of it"))
                .with_edit(filter.span, text),
        );
    }

    /// Warns of a query of nothing but comments with one text, such as `comment "novelty"`: it
    /// searches nothing, and writes into each position.
    pub(super) fn comments_alone(&mut self, filters: &[Filter]) {
        fn texts<'f>(filters: &'f [Filter], found: &mut Vec<(Span, &'f Filter)>) -> bool {
            filters.iter().all(|filter| match &filter.kind {
                FilterKind::Block(items) | FilterKind::And(items) | FilterKind::Or(items) => {
                    texts(items, found)
                }
                FilterKind::Comment(items) => {
                    found.extend(items.iter().map(|item| (filter.span, item)));
                    matches!(&items[..], [only] if matches!(only.kind, FilterKind::Text(_)))
                }
                // as in the query of a search that has filters of options alone
                FilterKind::AllSquares => true,
                _ => false,
            })
        }
        let mut found = Vec::new();
        if !texts(filters, &mut found) {
            return;
        }
        for (span, text) in found {
            let own = format!("originalcomment {}", self.text(text.span));
            let help = format!("`{own}` looks for the text in the comments of the file");
            let message = "this writes a comment into every position";
            let warning = Diagnostic::warning("W0403", span, message);
            self.warnings.push(warning.with_help(help).with_edit(span, own));
        }
    }

    /// Warns of `clock white < 60`, which asks for a clock and compares the color with the number.
    pub(super) fn side_compared(&mut self, filter: &Filter) {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        if let (FilterKind::Elo(_), FilterKind::Nullary(Nullary::ColorNumber(color))) =
            (&left.kind, &right.kind)
        {
            let side = if *color == ColorNumber::White { 1 } else { -1 };
            let code = if holds(*op, &1, &0) { "W0403" } else { "W0402" };
            let word = self.text(right.span);
            let message = format!("`{word}` is the number {side}, not a player");
            let text = format!("elo {word}");
            let help = format!("the rating needs its word again: `{text}`");
            let warning = Diagnostic::warning(code, filter.span, message).with_help(help);
            self.warnings.push(warning.with_edit(right.span, text));
            return;
        }
        let (FilterKind::Nullary(Nullary::ColorNumber(color)), FilterKind::Number(number)) =
            (&left.kind, &right.kind)
        else {
            return;
        };
        let before = self.text(Span { start: 0, end: filter.span.start, ..filter.span });
        let before = before.rsplit('\n').next().unwrap_or_default();
        let word = before.split_whitespace().next_back().unwrap_or_default();
        let word = word.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let (sign, number) = (op.text(), *number);
        // as in `eval white > 1`, which is a pawn
        let is_in_pawns = (1..=MOST_PAWNS).contains(&number.unsigned_abs());
        let centipawns = if is_in_pawns { number * 100 } else { number };
        let is_white = *color == ColorNumber::White;
        let mended = match word {
            "clock" | "elapsed" => {
                let turn = if is_white { "btm" } else { "wtm" };
                let side = if is_white { "White" } else { "Black" };
                let help = format!(
                    "`{word}` is that of the side that has just moved, which is {side} where there is `{turn}`"
                );
                Some((help, format!("{{{turn} {word} {sign} {number}}}")))
            }
            "eval" => {
                let text = if is_white {
                    format!("eval {sign} {centipawns}")
                } else {
                    format!("eval {} {}", mirrored(*op).text(), -i64::from(centipawns))
                };
                Some((
                    format!("`eval` is from White's side, in hundredths of a pawn: `{text}`"),
                    text,
                ))
            }
            _ if number.unsigned_abs() < 2 => return,
            // as in `elo white or black > 2700`
            "or" | "and" if rating_before(before, word).is_some() => {
                let first = rating_before(before, word).unwrap_or_default();
                let second = format!("elo {}", self.text(filter.span));
                let text = format!("{{{first} {sign} {number} {word} {second}}}");
                Some((format!("each rating has its comparison: `{text}`"), text))
            }
            _ if before.contains("elo white") || before.contains("elo black") => {
                let text = format!("elo {}", self.text(filter.span));
                Some((format!("the rating needs its word again: `{text}`"), text))
            }
            _ => None,
        };
        let side = if is_white { 1 } else { -1 };
        let code = if holds(*op, &side, &number) { "W0403" } else { "W0402" };
        let message = format!("`{}` is the number {side}, not a player", self.text(left.span));
        let warning = Diagnostic::warning(code, filter.span, message);
        let Some((help, text)) = mended else {
            let help = "a word says what of White is compared, as in `elo white > 2700`";
            self.warnings.push(warning.with_help(help));
            return;
        };
        let mut whole = filter.span;
        if !text.starts_with("elo") {
            let first = rating_before(before, word).unwrap_or(word);
            let gap = before.len() - before.rfind(first).unwrap_or(before.len());
            whole.start -= u32::try_from(gap).unwrap_or(0);
        }
        self.warnings.push(warning.with_help(help).with_edit(whole, text));
    }

    /// Warns of `Q--f7 mate`, of `isolatedpawns Pd4` and of `check k`.
    pub(super) fn neighbors_misread(&mut self, row: &[&Filter]) {
        for pair in row.windows(2) {
            let &[first, second] = pair else {
                continue;
            };
            if !self.is_only_blank(first.span, second.span) {
                continue;
            }
            match (&first.kind, &second.kind) {
                (
                    FilterKind::Dash(dash),
                    FilterKind::Nullary(Nullary::Predicate(Predicate::Mate)),
                ) if dash.target.is_empty() => {
                    self.explain_neighbor(
                        "W0402",
                        second,
                        "what holds after a move stands in parentheses: `--(mate)`",
                        (Span { start: first.span.end, ..second.span }, "(mate)".to_owned()),
                    );
                }
                (
                    FilterKind::Nullary(Nullary::Predicate(Predicate::Mate | Predicate::Stalemate)),
                    FilterKind::Dash(_),
                ) => {
                    let text = format!("currentmove {}", self.text(second.span));
                    let help = format!("the move that led here is `{text}`");
                    self.explain_neighbor("W0402", second, &help, (second.span, text));
                }
                (FilterKind::Designator(men), FilterKind::Designator(squares))
                    if men.has_pieces && !men.has_squares && !squares.has_pieces =>
                {
                    let text = format!("{}{}", self.text(first.span), self.text(second.span));
                    let help = format!("pieces and squares touch each other: `{text}`");
                    self.square_beside(second, first.span.to(second.span), help, text);
                }
                (
                    FilterKind::Nullary(Nullary::PawnStructure(_)),
                    FilterKind::Designator(squares),
                ) if !squares.has_pieces => {
                    let text = format!("{} & {}", self.text(first.span), self.text(second.span));
                    let help = format!("the pawns there are in both sets: `{text}`");
                    self.square_beside(second, first.span.to(second.span), help, text);
                }
                (
                    FilterKind::Nullary(
                        word @ (Nullary::PawnStructure(_)
                        | Nullary::Predicate(Predicate::Check | Predicate::Mate)),
                    ),
                    FilterKind::Designator(set),
                ) => self.set_beside_a_word(*word, first, second, set),
                _ => {}
            }
        }
    }

    /// Warns of a square that is a condition of its own beside a set, with the text that is meant.
    fn square_beside(&mut self, square: &Filter, place: Span, help: String, text: String) {
        let message = format!(
            "`{}` is a set of squares, whatever stands there, so it always matches",
            self.text(square.span)
        );
        let warning = Diagnostic::warning("W0405", square.span, message);
        self.warnings.push(warning.with_help(help).with_edit(place, text));
    }

    /// Replaces the help of a warning about the filter `second`, and adds an edit.
    fn explain_neighbor(
        &mut self,
        code: &str,
        second: &Filter,
        help: &str,
        (place, text): (Span, String),
    ) {
        let is_it = |warning: &&mut Diagnostic| warning.code == code && warning.span == second.span;
        if let Some(warning) = self.warnings.iter_mut().find(is_it) {
            *warning = warning.clone().with_help(help).with_edit(place, text);
        }
    }

    fn set_beside_a_word(
        &mut self,
        word: Nullary,
        first: &Filter,
        second: &Filter,
        set: &Designator,
    ) {
        let (word_text, set_text) = (self.text(first.span), self.text(second.span));
        let (text, help) = match (word, set_text) {
            (Nullary::PawnStructure(_), _)
                if set.has_pieces && PieceSet::PAWNS.contains(set.pieces) =>
            {
                let text = format!("{word_text} & {set_text}");
                let help = format!("the pawns that are in both sets are `{text}`");
                (text, help)
            }
            (Nullary::Predicate(_), "k" | "K") => {
                let side = if set_text == "K" { "wtm" } else { "btm" };
                let text = format!("{side} {word_text}");
                let help = format!("the king of the side to move is meant: `{text}`");
                (text, help)
            }
            _ => return,
        };
        let message =
            format!("`{set_text}` is no part of `{word_text}`, but a condition of its own");
        let warning = Diagnostic::warning("W0425", second.span, message)
            .with_help(help)
            .with_edit(first.span.to(second.span), text);
        self.warnings.push(warning);
    }

    fn is_only_blank(&self, left: Span, right: Span) -> bool {
        let text = self.between(left, right);
        left.source == right.source && !text.is_empty() && text.bytes().all(|byte| byte == b' ')
    }

    /// Warns of `~Q`, which is the set of all other squares.
    pub(super) fn complement_as_condition(&mut self, filter: &Filter, place: FilterContext) {
        let FilterKind::Complement(inner) = &filter.kind else {
            return;
        };
        let FilterKind::Designator(set) = &inner.kind else {
            return;
        };
        if !place.asked || !set.has_pieces || set.pieces.contains(PieceSet::EMPTY_SQUARE) {
            return;
        }
        let (whole, set) = (self.text(filter.span), self.text(inner.span));
        let message = format!("`{whole}` is the set of all other squares, so it always matches");
        let text = format!("not {set}");
        let warning = Diagnostic::warning("W0403", filter.span, message)
            .with_help(format!("`{text}` is true where there is none"))
            .with_edit(filter.span, text);
        self.warnings.push(warning);
    }

    /// Warns of `eval > 3`, which is three hundredths of a pawn.
    pub(super) fn evaluation_in_pawns(&mut self, filter: &Filter) {
        let FilterKind::Relation { left, right, .. } = &filter.kind else {
            return;
        };
        // The first operand of a chain
        let right = match &right.kind {
            FilterKind::Relation { left, .. } => left,
            _ => right,
        };
        for (value, number) in [(left, right), (right, left)] {
            let eval = Nullary::NumberSource(NumberSource::Eval);
            self.fraction_of_a_pawn(value, number);
            let FilterKind::Number(pawns) = number.kind else {
                continue;
            };
            if !matches!(&value.kind, FilterKind::Nullary(word) if *word == eval)
                || !(1..=MOST_PAWNS).contains(&pawns.unsigned_abs())
            {
                continue;
            }
            let text = (pawns * 100).to_string();
            let message =
                format!("`eval` is in hundredths of a pawn, so {pawns} is next to nothing");
            let warning = Diagnostic::warning("W0426", number.span, message)
                .with_help(format!("as many pawns are {text}"))
                .with_edit(number.span, text);
            self.warnings.push(warning);
        }
    }

    /// Warns of `eval > 1/2`, whose division drops the rest.
    fn fraction_of_a_pawn(&mut self, value: &Filter, number: &Filter) {
        let eval = Nullary::NumberSource(NumberSource::Eval);
        let FilterKind::Arithmetic(Arithmetic::Divide, whole, parts) = &number.kind else {
            return;
        };
        if !matches!(&value.kind, FilterKind::Nullary(word) if *word == eval) {
            return;
        }
        if let (FilterKind::Number(whole), FilterKind::Number(parts)) = (&whole.kind, &parts.kind)
            && (1..=MOST_PAWNS).contains(&whole.unsigned_abs())
            && *parts > 1
        {
            let text = (whole * 100 / parts).to_string();
            let message = format!(
                "`eval` is in hundredths of a pawn, and a division drops the rest: {whole}/{parts} is {}",
                whole / parts
            );
            let warning = Diagnostic::warning("W0426", number.span, message)
                .with_help(format!("so much of a pawn is {text}"))
                .with_edit(number.span, text);
            self.warnings.push(warning);
        }
    }

    /// Warns of `#e1-8 == 2`: the number of these squares never changes.
    pub(super) fn squares_counted(&mut self, filter: &Filter, place: FilterContext) {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        let (FilterKind::Cardinality(set), FilterKind::Number(number)) = (&left.kind, &right.kind)
        else {
            return;
        };
        let FilterKind::Designator(designator) = &set.kind else {
            return;
        };
        // Images may leave squares out.
        if designator.has_pieces || place.has_images {
            return;
        }
        let count = i64::from(designator.squares.count_ones());
        let number = i64::from(*number);
        let (code, ends) = if holds(*op, &count, &number) {
            ("W0403", "always matches")
        } else {
            ("W0402", "never matches")
        };
        let text = self.text(set.span).trim_start_matches('#').to_owned();
        let noun = if count == 1 { "square" } else { "squares" };
        let message = format!("`{text}` has {count} {noun}, whatever stands there, so this {ends}");
        let help = format!("`[Aa]{text}` are the pieces there, `P{text}` the white pawns");
        self.warnings.push(Diagnostic::warning(code, filter.span, message).with_help(help));
    }

    /// Warns of `N[x](q or r)`, which asks for q and r after the capture.
    pub(super) fn captured_in_parentheses(&mut self, filter: &Filter) {
        let FilterKind::Dash(dash) = &filter.kind else {
            return;
        };
        let [target] = dash.target.as_slice() else {
            return;
        };
        let FilterKind::Or(sides) = &target.kind else {
            return;
        };
        if !dash.capture || dash.right.is_some() || dash.promotion.is_some() {
            return;
        }
        let texts: Option<String> = sides.iter().map(|side| self.man(side)).collect();
        let Some(texts) = texts else {
            return;
        };
        let before = Span { end: target.span.start, ..filter.span };
        let Some(sign) = self.text(before).strip_suffix('(') else {
            return;
        };
        let text = format!("{sign}[{texts}]");
        let message = "filters in parentheses are what holds after the capture";
        let warning = Diagnostic::warning("W0423", target.span, message)
            .with_help(format!("what is taken directly follows the sign: `{text}`"))
            .with_edit(filter.span, text);
        self.warnings.push(warning);
    }

    /// Returns the letter of a designator that is one, such as `Q`.
    pub(super) fn man(&self, filter: &Filter) -> Option<&str> {
        let text = self.text(filter.span);
        let is_man = matches!(&filter.kind, FilterKind::Designator(set) if set.has_pieces);
        (is_man && text.len() == 1).then_some(text)
    }
}

/// Returns the rating before a word that joins two conditions, at the end of a text.
fn rating_before<'t>(text: &'t str, joint: &str) -> Option<&'t str> {
    let left = text.trim_end().strip_suffix(joint)?.trim_end();
    let rating = left.get(left.len().checked_sub("elo white".len())?..)?;
    matches!(rating, "elo white" | "elo black").then_some(rating)
}

/// Returns the pieces that make the next move of the game, if a filter asks for one; all pieces if
/// it does not say which.
pub(super) fn next_mover(filter: &Filter) -> Option<PieceSet> {
    let FilterKind::Dash(dash) = &filter.kind else {
        return None;
    };
    Some(match dash.left.as_deref().map(|left| &left.kind) {
        Some(FilterKind::Designator(set)) => set.pieces,
        _ => PieceSet::ANYTHING,
    })
}
