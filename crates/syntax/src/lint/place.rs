//! Context of filters: whether they are used as conditions, and their neighbors.

use crate::span::SourceId;
use crate::tree::{
    Change, Constituent, Dash, Echo, Filter, FilterKind, Find, LineConstituent, LineItem,
    Promotion, Query, SquareLoop, TransformFamily,
};

/// Context of a filter.
#[derive(Debug, Clone, Copy)]
pub(super) struct FilterContext {
    /// Whether the filter is used as a condition, not for its value.
    pub(super) asked: bool,
    /// Whether there are other filters beside it that must match.
    pub(super) beside: bool,
    /// Whether transforms around it move squares to other ranks.
    pub(super) turned: bool,
    /// Whether a transform around it creates images.
    pub(super) has_images: bool,
}

/// Construct that contains a row of filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enclosure {
    /// The query.
    Whole,
    /// Braces.
    Block,
    /// A `path`.
    Path,
}

/// A check that visits filters.
pub(super) trait Visitor<'f> {
    /// Visits every filter, from the outside in.
    fn filter(&mut self, filter: &'f Filter, place: FilterContext);
    /// Visits filters that are beside each other.
    fn row(&mut self, row: &[&'f Filter], kind: Enclosure);
}

/// Passes all filters of a query to the visitor.
pub(super) fn visit<'f>(
    query: &'f Query,
    transforms: &[TransformFamily],
    visitor: &mut impl Visitor<'f>,
) {
    // The filters of options are one block before the others.
    let is_own = |filter: &&Filter| filter.span.source == SourceId(0);
    let own: Vec<&Filter> = query.filters.iter().filter(is_own).collect();
    visitor.row(&own, Enclosure::Whole);
    let place = FilterContext {
        asked: true,
        beside: own.len() > 1,
        turned: transforms.iter().copied().any(moves_ranks),
        has_images: !transforms.is_empty(),
    };
    for filter in &query.filters {
        walk(filter, place, visitor);
    }
    let valued = FilterContext { asked: false, beside: false, ..place };
    for value in &query.values {
        walk(value, valued, visitor);
    }
}

/// Whether a transform may move a square on the first or last rank to another rank than these.
fn moves_ranks(family: TransformFamily) -> bool {
    matches!(
        family,
        TransformFamily::Flip
            | TransformFamily::Rotate90
            | TransformFamily::Rotate45
            | TransformFamily::Shift
            | TransformFamily::ShiftVertical
    )
}

fn walk<'f>(filter: &'f Filter, place: FilterContext, visitor: &mut impl Visitor<'f>) {
    use FilterKind as K;
    visitor.filter(filter, place);
    let alone = FilterContext { beside: false, ..place };
    let asked = FilterContext { asked: true, ..alone };
    let valued = FilterContext { asked: false, ..alone };
    match &filter.kind {
        K::Block(items) => {
            visitor.row(&items.iter().collect::<Vec<_>>(), Enclosure::Block);
            beside(items, place, visitor);
        }
        K::And(items) => beside(items, asked, visitor),
        K::Or(items) => items.iter().for_each(|item| walk(item, asked, visitor)),
        K::Not(body)
        | K::Loop(body)
        | K::Assert(body)
        | K::Find(Find { body, .. })
        | K::Echo(Echo { body, .. }) => walk(body, asked, visitor),
        K::If(test, then, otherwise) => {
            walk(test, asked, visitor);
            walk(then, alone, visitor);
            if let Some(otherwise) = otherwise {
                walk(otherwise, alone, visitor);
            }
        }
        K::While(test, body) => {
            walk(test, asked, visitor);
            walk(body, valued, visitor);
        }
        K::SquareLoop(SquareLoop { domain, body, .. }) => {
            walk(domain, valued, visitor);
            walk(body, asked, visitor);
        }
        // If matching images are counted, the filter does not act as a condition.
        K::Transform(transform) => {
            let place = FilterContext {
                asked: place.asked && transform.range.is_none(),
                turned: place.turned || moves_ranks(transform.family),
                has_images: true,
                ..alone
            };
            walk(&transform.body, place, visitor);
        }
        K::NoTransform(body) => {
            let place = FilterContext { has_images: false, ..alone };
            walk(body, place, visitor);
        }
        K::At(position, body) => {
            walk(position, valued, visitor);
            walk(body, alone, visitor);
        }
        K::Imagine(imagine) => {
            for squares in imagine.changes.iter().filter_map(Change::squares) {
                walk(squares, valued, visitor);
            }
            walk(&imagine.body, alone, visitor);
        }
        K::Call { arguments, body } => {
            let arguments = arguments.iter();
            arguments.for_each(|(_, argument)| walk(argument, valued, visitor));
            walk(body, alone, visitor);
        }
        K::Dash(dash) | K::CurrentMove(dash) => walk_dash(dash, place, visitor),
        K::Tried(tried) => walk_dash(&tried.dash, place, visitor),
        K::Path(path) => {
            for operand in [&path.focus, &path.max].into_iter().flatten() {
                walk(operand, valued, visitor);
            }
            constituents(&path.constituents, asked, visitor);
        }
        K::Line(line) => parts_of_line(&line.constituents, asked, visitor),
        _ => filter.for_each_child(&mut |child| walk(child, valued, visitor)),
    }
}

/// Visits filters that must all match; their value is that of the last one.
fn beside<'f>(items: &'f [Filter], place: FilterContext, visitor: &mut impl Visitor<'f>) {
    for (i, item) in items.iter().enumerate() {
        let place = FilterContext {
            asked: place.asked || i + 1 < items.len(),
            beside: items.len() > 1,
            ..place
        };
        walk(item, place, visitor);
    }
}

fn walk_dash<'f>(dash: &'f Dash, place: FilterContext, visitor: &mut impl Visitor<'f>) {
    let alone = FilterContext { beside: false, ..place };
    let valued = FilterContext { asked: false, ..alone };
    operands(dash, valued, visitor);
    beside(&dash.target, alone, visitor);
}

fn operands<'f>(dash: &'f Dash, valued: FilterContext, visitor: &mut impl Visitor<'f>) {
    for operand in [&dash.left, &dash.right].into_iter().flatten() {
        walk(operand, valued, visitor);
    }
    if let Some(Promotion::Text(text)) = &dash.promotion {
        walk(text, valued, visitor);
    }
}

fn constituents<'f>(
    items: &'f [Constituent],
    asked: FilterContext,
    visitor: &mut impl Visitor<'f>,
) {
    let mut row: Vec<&Filter> = Vec::new();
    for item in items {
        match item {
            Constituent::Filter(filter) => {
                row.push(filter);
                walk(filter, asked, visitor);
            }
            Constituent::Dash { dash, filters, .. } => {
                visitor.row(&std::mem::take(&mut row), Enclosure::Path);
                let valued = FilterContext { asked: false, ..asked };
                operands(dash, valued, visitor);
                row.extend(filters);
                for filter in filters {
                    walk(filter, asked, visitor);
                }
            }
            Constituent::Group { members, .. } => {
                visitor.row(&std::mem::take(&mut row), Enclosure::Path);
                constituents(members, asked, visitor);
            }
        }
    }
    visitor.row(&row, Enclosure::Path);
}

fn parts_of_line<'f>(
    items: &'f [LineConstituent],
    asked: FilterContext,
    visitor: &mut impl Visitor<'f>,
) {
    for part in items {
        match &part.item {
            LineItem::Filter(filter) => walk(filter, asked, visitor),
            LineItem::Group(members) => parts_of_line(members, asked, visitor),
        }
    }
}
