//! Explains `relation` of CQL 5.

use super::{condition, number, quoted, so_many};
use crate::cql5::tree::{Filter, FilterKind, Parameter, Query, Range, Relation, SquareParameter};
use crate::designator::Designator;
use crate::explain::{Sentence, names};
use crate::span::Span;
use crate::tree::{Measure, TransformFamily};

/// Explains all relations of the query.
pub(super) fn relations(query: &Query, text: &[u8]) -> Vec<Sentence> {
    let words = Words { query, text };
    let mut found = Vec::new();
    for filter in &query.filters {
        words.find(filter, &mut found);
    }
    found
}

struct Words<'a> {
    query: &'a Query,
    text: &'a [u8],
}

impl Words<'_> {
    fn find(&self, filter: &Filter, found: &mut Vec<Sentence>) {
        if let FilterKind::Relation(relation) = &filter.kind {
            found.push(self.relation(relation, filter.span));
        }
        filter.for_each_child(&mut |child| self.find(child, found));
    }

    fn relation(&self, relation: &Relation, span: Span) -> Sentence {
        let place = if self.query.header.variations {
            "the game, variations included"
        } else {
            "the main line"
        };
        let filters = relation.filters.iter().map(|filter| Sentence {
            label: "at the target".to_owned(),
            ..condition(self.claim(filter), Some(filter.span), Vec::new())
        });
        let parameters = relation.parameters.iter().map(|p| self.parameter(p));
        let text = format!(
            "this position (the source) and another one of {place} (the target), before or after \
             it, belong together:"
        );
        condition(text, Some(span), filters.chain(parameters).collect())
    }

    /// Describes a filter for the target in short.
    fn claim(&self, filter: &Filter) -> String {
        match &filter.kind {
            FilterKind::Nullary(word) => word.row().says.to_owned(),
            FilterKind::Designator { variables, .. } if variables.is_empty() => {
                format!("there are {}", self.squares(filter))
            }
            _ => format!("{} matches", quoted(self.text, filter.span)),
        }
    }

    /// Describes a set in short.
    fn squares(&self, filter: &Filter) -> String {
        match &filter.kind {
            FilterKind::Designator { pieces, squares, variables } if variables.is_empty() => {
                names::designator(Designator::new(*pieces, *squares))
            }
            _ => quoted(self.text, filter.span),
        }
    }

    fn parameter(&self, parameter: &Parameter) -> Sentence {
        let (text, span) = match parameter {
            Parameter::SameTurn(true) => {
                ("the same side is to move in source and target".to_owned(), None)
            }
            Parameter::SameTurn(false) => {
                ("different sides are to move in source and target".to_owned(), None)
            }
            Parameter::Ancestor => {
                ("the target comes before the source on the same line".to_owned(), None)
            }
            Parameter::Descendant => {
                ("the target comes after the source on the same line".to_owned(), None)
            }
            Parameter::Distance { measure, range, sort, span } => {
                let mut text = distance(*measure, *range);
                if let Some(field) = sort.and_then(|id| self.query.sorts.get(id.0 as usize)) {
                    let name = String::from_utf8_lossy(&field.name);
                    text += &format!("; games are sorted by this number (\"{name}\")");
                }
                (text, Some(*span))
            }
            Parameter::Squares(squares) => (self.comparison(squares), Some(squares.span)),
        };
        condition(text, span, Vec::new())
    }

    fn comparison(&self, squares: &SquareParameter) -> String {
        let side = |filter: &Option<Filter>, place: &str| {
            let set = self.squares(filter.as_ref()?);
            Some(format!("{set} in the {place}"))
        };
        let sides = [side(&squares.source, "source"), side(&squares.target, "target")];
        let sides: Vec<String> = sides.into_iter().flatten().collect();
        let mut text = if sides.is_empty() {
            "of all squares".to_owned()
        } else {
            format!("of the squares that are {}", sides.join(" and "))
        };
        let ways: Vec<&str> = squares.echoes.iter().rev().map(|f| way(*f)).collect();
        if !ways.is_empty() {
            text += ", each compared with where it comes to lie in the target when the board is ";
            text += &ways.join(" and then ");
        }
        let most = if ways.is_empty() { 64 } else { 128 };
        let counts: Vec<String> =
            [(squares.matches, "be the same"), (squares.mismatches, "differ")]
                .into_iter()
                .filter_map(|(range, what)| so_many(range.min, range.max, most, what))
                .collect();
        text += ", ";
        text += &if counts.is_empty() {
            "any number may differ".to_owned()
        } else {
            counts.join(", and ")
        };
        if !ways.is_empty() {
            text += " (a square that leaves the board is compared with an empty one; where none \
                     comes to lie, the target must be empty to count as the same)";
        }
        text
    }
}

fn distance(measure: Measure, range: Range) -> String {
    let moves = match number(range.min, range.max, i32::MAX) {
        Some(number) if (range.min, range.max) == (1, 1) => format!("{number} move"),
        Some(number) => format!("{number} moves"),
        None => "any number of moves".to_owned(),
    };
    let what = match measure {
        Measure::Source => format!("it is {moves} to the source"),
        Measure::Target => format!("it is {moves} to the target"),
        Measure::Max => format!("it is {moves} to the farther of the two"),
        Measure::Sum => format!("it is {moves} to both together"),
        Measure::Substring => format!("{moves} in a row are the same on both ways"),
    };
    format!("from the last position that the ways to both have in common, {what}")
}

/// Describes the effect of an echo transform on the board.
fn way(family: TransformFamily) -> &'static str {
    match family {
        TransformFamily::Flip => "left as it is, or turned or mirrored in any way",
        TransformFamily::FlipVertical => "mirrored from left to right",
        TransformFamily::FlipHorizontal => "mirrored upside down",
        TransformFamily::Rotate90 => "turned by 90, 180 or 270 degrees",
        TransformFamily::Shift => "shifted in any direction",
        TransformFamily::ShiftHorizontal => "shifted to the left or right",
        TransformFamily::ShiftVertical => "shifted up or down",
        TransformFamily::Rotate45 | TransformFamily::FlipColor | TransformFamily::ReverseColor => {
            "left as it is"
        }
    }
}
