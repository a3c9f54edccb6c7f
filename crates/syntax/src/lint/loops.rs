//! Finds variables of loops that are used where the loop has ended, and have no value there.

use super::Linter;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::tree::{Filter, FilterKind, Query, SquareLoop, VariableId};

/// A use of a variable outside of its loop.
struct Use<'f> {
    variable: VariableId,
    place: Span,
    /// The loop before it, and the filter beside the loop that contains the use.
    beside: Option<(&'f SquareLoop, Span)>,
}

/// Loops, and the variables that something else may give a value, or asks about.
#[derive(Default)]
struct Known<'f> {
    loops: Vec<(&'f SquareLoop, Span)>,
    others: Vec<VariableId>,
}

impl Linter<'_> {
    /// Reports `piece $x in A check $x`, whose braces are forgotten.
    pub(super) fn outside_of_loops(&mut self, query: &Query) {
        let mut known = Known::default();
        query.filters.iter().chain(&query.values).for_each(|filter| collect(filter, &mut known));
        let Known { mut loops, others } = known;
        loops.retain(|(one, _)| !others.contains(&one.variable));
        let mut inside = Vec::new();
        let mut found = Vec::new();
        let looped: Vec<VariableId> = loops.iter().map(|(one, _)| one.variable).collect();
        visit_row(&query.filters, &looped, &mut inside, &mut found);
        for value in &query.values {
            visit(value, &looped, &mut inside, &mut found);
        }
        let mut reported = Vec::new();
        for Use { variable, place, beside } in found {
            let Some((_, first)) = loops.iter().find(|(one, _)| one.variable == variable) else {
                continue;
            };
            if reported.contains(&variable) {
                continue;
            }
            let is_of_query = usize::from(place.source.0) < self.texts.len();
            reported.push(variable);
            let name = &query.variables[variable.0 as usize].name;
            let message = format!("`{name}` has a value only within its loop");
            let error = Diagnostic::error("E0208", place, message)
                .with_note(*first, "the loop ends with its first filter");
            self.warnings.push(match beside.filter(|_| is_of_query) {
                Some((one, last)) => {
                    let body = innermost(&one.body);
                    let whole = body.span.to(last);
                    let text = format!("{{{}}}", self.text(whole));
                    let domain = self.text(one.domain.span);
                    let help = format!("braces hold its filters together: `{name} in {domain} {{…}}`");
                    let help = if body.span == one.body.span {
                        help
                    } else {
                        format!("braces hold the filters together: `{text}`")
                    };
                    let error = error.with_help(help);
                    // A brace after `///` would be part of its message.
                    if text.contains("///") { error } else { error.with_edit(whole, text) }
                }
                None => error.with_help(format!(
                    "`piece {name} = …` gives a value that remains, or the loop has it in its braces"
                )),
            });
        }
    }
}

/// Collects the loops, and the variables that something else binds.
fn collect<'f>(filter: &'f Filter, known: &mut Known<'f>) {
    match &filter.kind {
        FilterKind::SquareLoop(one) => {
            let head = one.domain.span;
            known.loops.push((one, Span { start: filter.span.start, ..head }));
        }
        FilterKind::Assign { variable, .. }
        | FilterKind::AssignPiece(variable, _)
        | FilterKind::Unbind(variable)
        | FilterKind::IsBound(Some(variable)) => known.others.push(*variable),
        _ => {}
    }
    filter.for_each_child(&mut |child| collect(child, known));
}

fn visit_row<'f>(
    row: &'f [Filter],
    looped: &[VariableId],
    inside: &mut Vec<VariableId>,
    found: &mut Vec<Use<'f>>,
) {
    for (at, filter) in row.iter().enumerate() {
        let n_before = found.len();
        visit(filter, looped, inside, found);
        for used in &mut found[n_before..] {
            let loops = row[..at].iter().filter_map(|one| match &one.kind {
                FilterKind::SquareLoop(one) => Some(one),
                _ => None,
            });
            let mut loops = loops.filter(|one| one.variable == used.variable);
            if let (None, Some(one)) = (used.beside, loops.next_back()) {
                used.beside = Some((one, filter.span));
            }
        }
    }
}

fn visit<'f>(
    filter: &'f Filter,
    looped: &[VariableId],
    inside: &mut Vec<VariableId>,
    found: &mut Vec<Use<'f>>,
) {
    match &filter.kind {
        FilterKind::Block(items) => visit_row(items, looped, inside, found),
        FilterKind::SquareLoop(one) => {
            visit(&one.domain, looped, inside, found);
            inside.push(one.variable);
            visit(&one.body, looped, inside, found);
            inside.pop();
        }
        FilterKind::Variable(variable)
            if looped.contains(variable) && !inside.contains(variable) =>
        {
            found.push(Use { variable: *variable, place: filter.span, beside: None });
        }
        _ => filter.for_each_child(&mut |child| visit(child, looped, inside, found)),
    }
}

/// Returns the filter at the end of another one that filters after it are probably meant to join:
/// that of `find` in `find check`.
fn innermost(filter: &Filter) -> &Filter {
    match &filter.kind {
        FilterKind::Find(find) if !matches!(find.body.kind, FilterKind::Block(_)) => {
            innermost(&find.body)
        }
        _ => filter,
    }
}
