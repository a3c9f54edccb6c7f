//! Warns of correct queries that probably mean something else: names that are never used,
//! conditions that are never met, and forms of other languages or of chess books that have another
//! meaning in CQL.
//!
//! Only certain cases are reported: a false alarm is worse than a missing warning.

mod apart;
mod comments;
mod conditions;
mod control;
mod deprecated;
mod loops;
mod misread;
mod moves;
mod names;
mod neighbors;
mod patterns;
mod place;
mod ranges;
mod squares;
mod subtraction;
mod tags;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::lex::Lexed;
use crate::span::{SourceId, Span};
use crate::token::Token;
use crate::tree::{Filter, FilterKind, Query, TransformFamily};
pub use deprecated::deprecated;
pub use patterns::{help_for_pattern, lint_player};
use place::{Enclosure, FilterContext, Visitor};
pub use tags::{TagText, numbers_of_comments, other_tags, plain_text, texts_of_tags};

/// Returns warnings, and errors that show only in the whole tree, for a query without errors, in
/// the order of their spans. `texts` are the query and the filters before it, by their
/// [`SourceId`]s. `values` are texts after those, which use names of the query. `transforms` apply
/// to the whole query. `known` are the tokens of the query, if the caller has them.
pub fn lint(
    texts: &[&[u8]],
    values: &[&[u8]],
    query: &Query,
    transforms: &[TransformFamily],
    known: Option<&Lexed>,
) -> Vec<Diagnostic> {
    let tokens: Vec<Cow<'_, [Token]>> = texts
        .iter()
        .chain(values)
        .enumerate()
        .map(|(source, text)| match known {
            Some(lexed) if source == 0 => Cow::from(&lexed.tokens),
            _ => Cow::from(crate::lex::lex(SourceId(source as u16), text).tokens),
        })
        .collect();
    let all = [texts, values].concat();
    let mut linter = Linter::new(&all);
    let warnings = &mut linter.warnings;
    names::unused(&tokens, warnings);
    for (text, tokens) in texts.iter().zip(&tokens) {
        comments::code(text, tokens, warnings);
        ranges::wrapped(text, tokens, warnings);
    }
    if let Some(tokens) = tokens.first() {
        conditions::header(tokens, query, warnings);
    }
    conditions::together(&query.filters, warnings);
    linter.squares_of_the_move_before(&tokens, texts.len(), query);
    linter.outside_of_loops(query);
    linter.comments_alone(&query.filters);
    place::visit(query, transforms, &mut linter);
    let mut warnings = linter.warnings;
    keep_the_plainest(&mut warnings);
    sort_from(&mut warnings, |_| 0);
    warnings.dedup_by_key(|warning| (warning.span, warning.code));
    warnings
}

/// Sorts warnings by their beginnings, then by a number, the greatest first, and then by their codes.
fn sort_from(warnings: &mut [Diagnostic], number: fn(Span) -> u32) {
    // A code is a letter and four digits. As a span, it has the sort that is there anyway.
    let digits = |code: &str| code.bytes().fold(0, |sum, byte| sum << 8 | u32::from(byte));
    warnings.sort_by_cached_key(|warning| Span { start: digits(warning.code), ..Span::default() });
    warnings.sort_by_cached_key(|Diagnostic { span, .. }| Span { end: !number(*span), ..*span });
}

/// Removes warnings about a part of a span that has a more useful warning as a whole.
fn keep_the_plainest(warnings: &mut Vec<Diagnostic>) {
    // Sorts a whole before its parts.
    sort_from(warnings, |span| span.end);
    let books = warnings.iter().filter(|warning| warning.code == "W0408");
    let books: Vec<Span> = books.map(|warning| warning.span).collect();
    let has_book = |path: Span| books.iter().any(|book| path.to(*book) == path);
    warnings.retain(|warning| warning.code != "W0414" || !has_book(warning.span));
    let mut covered = Span::default();
    warnings.retain(|warning| {
        let is_part = warning.span.source == covered.source && warning.span.end <= covered.end;
        if is_part && matches!(warning.code, "W0302" | "W0403" | "W0405" | "W0407") {
            return false;
        }
        if matches!(warning.code, "W0302" | "W0406" | "W0408") && !is_part {
            covered = warning.span;
        }
        true
    });
}

/// State of the checks that visit the tree.
struct Linter<'t> {
    texts: &'t [&'t [u8]],
    warnings: Vec<Diagnostic>,
    /// Comparisons that continue a chain and have not been visited on their own yet.
    inner_chains: HashSet<Span>,
}

impl<'t> Linter<'t> {
    fn new(texts: &'t [&'t [u8]]) -> Linter<'t> {
        Linter { texts, warnings: Vec::new(), inner_chains: HashSet::new() }
    }

    /// Returns the text of a span.
    fn text(&self, span: Span) -> &str {
        text_of(self.texts, span)
    }

    /// Returns the place of a text with its quotes in a span.
    fn literal(&self, span: Span, text: &str) -> Option<Span> {
        place_of_literal(self.texts, span, text)
    }
}

/// Returns the last place of a text with its quotes in a span of `texts`, which are those of the
/// query by [`SourceId`].
pub fn place_of_literal(texts: &[&[u8]], span: Span, text: &str) -> Option<Span> {
    let quoted = format!("\"{text}\"");
    let start = span.start + text_of(texts, span).rfind(&quoted)? as u32;
    Some(Span { start, end: start + quoted.len() as u32, ..span })
}

/// Returns the text of a span of `texts`, which are those of the query by [`SourceId`]; empty if it is
/// not UTF-8.
pub fn text_of<'t>(texts: &[&'t [u8]], span: Span) -> &'t str {
    let text = texts.get(usize::from(span.source.0));
    let slice = text.and_then(|text| text.get(span.start as usize..span.end as usize));
    std::str::from_utf8(slice.unwrap_or_default()).unwrap_or_default()
}

impl<'f> Visitor<'f> for Linter<'_> {
    fn filter(&mut self, filter: &'f Filter, place: FilterContext) {
        conditions::impossible(filter, &mut self.warnings);
        conditions::number(filter, place, &mut self.warnings);
        self.square_as_condition(filter, place);
        self.pawns_that_cannot_be(filter, place);
        self.men_that_cannot_be(filter);
        self.board_without_a_king(filter);
        self.piece_behind_a_move(filter);
        self.constants_subtracted(filter);
        self.date_subtracted(filter, place);
        self.side_of_a_fen(filter);
        self.moves_of_one_side(filter);
        self.if_as_condition(filter, place);
        self.form_of_tags(filter);
        self.year_without_its_century(filter);
        self.text_in_images(filter, place);
        self.constants_compared(filter);
        self.descendant_or_equal(filter);
        self.sorted_upward(filter);
        self.path_without_a_move(filter);
        self.arrow_between_moves(filter);
        self.arrows_as_a_way(filter);
        self.piece_beside_an_attack(filter);
        self.complement_as_condition(filter, place);
        self.evaluation_in_pawns(filter);
        self.side_compared(filter);
        self.whole_text_compared(filter);
        self.squares_counted(filter, place);
        self.squares_compared_with_empty(filter);
        self.pattern(filter, place);
        self.captured_in_parentheses(filter);
        if let FilterKind::Path(path) = &filter.kind {
            self.check_as_repetition(path);
        }
    }

    fn row(&mut self, row: &[&'f Filter], kind: Enclosure) {
        self.moves_of_a_book(row, kind);
        self.move_after_dots(row, kind);
        self.range_with_a_dash(row);
        self.parts_of_a_row(row, kind);
        self.neighbors_misread(row);
        self.pin_beside_sets(row);
        if kind != Enclosure::Path {
            self.or_of_neighbors(row);
            self.not_of_neighbors(row);
        }
    }
}
