//! Checks of a whole query: the use of tags and counters.

use super::code;
use super::tree::{Condition, List, Men, Query, Sequence};
use crate::diagnostic::{Diagnostic, has_errors};

/// Adds diagnostics about the use of names.
pub(super) fn check(query: &Query, diagnostics: &mut Vec<Diagnostic>) {
    tags(query, has_errors(diagnostics), diagnostics);
    if !has_errors(diagnostics) {
        for list in &query.lists {
            counters(list, diagnostics);
        }
    }
}

/// Visits a list and all lists in it.
fn for_each_list<'q>(list: &'q List, visit: &mut impl FnMut(&'q List)) {
    visit(list);
    for child in list.children() {
        for_each_list(child, visit);
    }
}

/// Checks the tags. If `faulty` is set, parts of the query may be missing, so unused tags are not
/// reported.
fn tags(query: &Query, faulty: bool, diagnostics: &mut Vec<Diagnostic>) {
    for (i, tag) in query.tags.iter().enumerate() {
        if let Some(first) = query.tags[..i].iter().find(|other| other.name == tag.name) {
            let message = format!("there are two tags `{}`", tag.name);
            diagnostics.push(
                Diagnostic::error(code::TAG, tag.span, message).with_note(first.span, "the first"),
            );
            return;
        }
    }
    let mut used = vec![false; query.tags.len()];
    for list in &query.lists {
        for_each_list(list, &mut |list| {
            for designator in list.designators() {
                if let Men::Tag(tag) = designator.men {
                    used[usize::from(tag.0)] = true;
                }
            }
            if let (Some(relation), Some(tag)) = (&list.relation, query.tags.first()) {
                let message = "`:relation` cannot stand in a match list with `:forany`";
                diagnostics.push(
                    Diagnostic::error(code::TAG_AND_RELATION, relation.span, message)
                        .with_note(tag.span, "the tag"),
                );
            }
        });
    }
    if faulty {
        return;
    }
    for (tag, used) in query.tags.iter().zip(used) {
        if !used {
            let name = &tag.name;
            let message = format!("no designator makes use of the tag `{name}`");
            diagnostics.push(
                Diagnostic::error(code::TAG, tag.span, message)
                    .with_help(format!("`${name}` stands for that piece")),
            );
        }
    }
}

/// Warns of sums without a counter. Lists for the same position share their counters: a list and
/// those in its `:and` and `:or`. Each element of a sequence has counters of its own.
fn counters(list: &List, diagnostics: &mut Vec<Diagnostic>) {
    let mut counted = Vec::new();
    same_position(list, &mut |list| counted.extend(&list.counters));
    same_position(list, &mut |list| {
        for (name, _, span) in &list.sums {
            if !counted.contains(&name) {
                diagnostics.push(Diagnostic::warning(
                    code::IDLE_COUNTER,
                    *span,
                    format!("no `:accumulate {name}` counts at this position: it is always 0"),
                ));
            }
        }
        if let Some(Sequence { elements, .. }) = &list.sequence {
            for element in elements {
                counters(element, diagnostics);
            }
        }
    });
}

/// Visits a list and those in it that are for the same position.
fn same_position<'q>(list: &'q List, visit: &mut impl FnMut(&'q List)) {
    visit(list);
    for condition in &list.conditions {
        if let Condition::And(lists) | Condition::Or(lists) = condition {
            for list in lists {
                same_position(list, visit);
            }
        }
    }
}
