//! Explains `:relation` of classic CQL.

use super::{condition, number, quoted, so_many};
use crate::classic::tree::{self, List, Men, Query, Range, Relation, SideToMove};
use crate::designator::{Designator, PieceSet};
use crate::explain::{Sentence, names};

/// Explains all relations of the query.
pub(super) fn relations(query: &Query, text: &[u8]) -> Vec<Sentence> {
    let mut found = Vec::new();
    for list in &query.lists {
        find(list, text, &mut found);
    }
    found
}

fn find(list: &List, text: &[u8], found: &mut Vec<Sentence>) {
    if let Some(relation) = &list.relation {
        found.push(words(list, relation, text));
    }
    list.children().for_each(|list| find(list, text, found));
}

fn words(list: &List, relation: &Relation, text: &[u8]) -> Sentence {
    let place = match relation {
        Relation { variations_only: true, .. } => ", in a variation",
        Relation { variations: true, .. } => ", in the main line or a variation",
        _ => "",
    };
    let comma = if place.is_empty() { "" } else { "," };
    let claim = format!(
        "this position (the source) and a later one{place} (the target){comma} belong together:"
    );
    let plain = |text: String| condition(text, None, Vec::new());
    let mut below = Vec::new();
    below.extend(match relation.side {
        SideToMove::Same => Some(plain("the same side is to move in source and target".into())),
        SideToMove::Other => Some(plain("different sides are to move in source and target".into())),
        SideToMove::Any => None,
    });
    if relation.pattern {
        below.push(plain(pattern(list, text)));
    }
    let squares = if relation.pattern { "these" } else { "all" };
    for (range, what) in
        [(relation.different, "differ"), (relation.same, "hold the same piece in both")]
    {
        let Some(Range { min, max }) = range else {
            continue;
        };
        let count = so_many(min, max, 64, what);
        below.extend(count.map(|n| plain(format!("as they stand, of {squares} squares {n}"))));
    }
    let changes = changes(relation);
    match ways(relation) {
        Some(ways) => below.push(condition(
            format!("for one of the ways to {ways}, leaving it as it is among them:"),
            None,
            changes.into_iter().map(plain).collect(),
        )),
        None => below.extend(changes.into_iter().map(plain)),
    }
    condition(claim, Some(relation.span), below)
}

/// Describes the squares that `:pattern` compares.
fn pattern(list: &List, text: &[u8]) -> String {
    let men: Vec<String> = list.designators.iter().map(|item| quoted(text, item.span)).collect();
    if men.is_empty() {
        return "no square is compared: the list has no pieces of its own for `:pattern`"
            .to_owned();
    }
    let moved = if list.transforms.is_empty() { "" } else { ", as its transforms move them" };
    format!(
        "only the squares are compared on which the pieces of the list stand in the source ({}){moved}",
        men.join(", ")
    )
}

/// Describes how the target may be moved before it is compared.
fn ways(relation: &Relation) -> Option<String> {
    match (relation.flip, relation.shift) {
        (false, false) => None,
        (true, false) => Some("turn or mirror the target (8)".to_owned()),
        (false, true) => Some("shift the target (225)".to_owned()),
        (true, true) => Some("turn or mirror the target (8) and to shift it (225)".to_owned()),
    }
}

/// Describes the allowed differences.
fn changes(relation: &Relation) -> Vec<String> {
    vec![
        "no square holds different pieces in the two".to_owned(),
        match &relation.missing {
            None => "no piece of the source is missing in the target".to_owned(),
            Some((men, range)) => {
                counted(men, *range, "piece of the source", "missing in the target")
            }
        },
        match &relation.new {
            None => "no piece of the target is new".to_owned(),
            Some((men, range)) => counted(men, *range, "piece of the target", "new"),
        },
    ]
}

fn counted(men: &tree::Designator, range: Range, who: &str, what: &str) -> String {
    if (range.min, range.max) == (0, 0) {
        return format!("no {who} is {what}");
    }
    let number = number(range.min, range.max, 64);
    let number = number.unwrap_or_else(|| "any number".to_owned());
    let who = if number.ends_with(" 1") && !number.contains("to") {
        who.to_owned()
    } else {
        who.replacen("piece", "pieces", 1)
    };
    let Men::Kinds(kinds) = men.men else {
        return format!("{number} {who} must be {what}");
    };
    let kinds = PieceSet(kinds.0 & !PieceSet::EMPTY_SQUARE.0);
    let all_men = PieceSet::WHITE.union(PieceSet::BLACK);
    if kinds == all_men && men.squares == u64::MAX {
        return format!("{number} {who} must be {what}");
    }
    let which = names::designator(Designator::new(kinds, men.squares));
    format!("{number} {who} must be {what}, and all who are must be {which}")
}
