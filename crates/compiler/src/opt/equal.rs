//! Removes conditions that repeat an earlier one.
//!
//! Of several conditions that must all match, one that is equal to an earlier one matches if it is
//! reached; of alternatives, it fails if it is reached. Equality is that of the text of a node with
//! all of its parts. It is known of those kinds of filters that see nothing but the board, the move
//! and the game: they read no variable, so that nothing between the two conditions can change their
//! value, and they leave nothing behind.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::program::{BoolFilter, BoolId, NumFilter, NumId, Program, SetFilter, SetId};

/// Removes repeated conditions.
pub(super) fn remove(program: &mut Program) {
    for index in 0..program.bools.len() {
        let items = match &program.bools[index] {
            BoolFilter::All(items) | BoolFilter::Any(items) if items.len() > 1 => items,
            _ => continue,
        };
        let (mut known, mut text) = (HashSet::new(), String::new());
        let is_first = |id: &BoolId| {
            text.clear();
            !bool_text(program, *id, &mut text) || known.insert(text.clone())
        };
        let left: Vec<BoolId> = items.iter().copied().filter(is_first).collect();
        if left.len() < items.len()
            && let BoolFilter::All(items) | BoolFilter::Any(items) = &mut program.bools[index]
        {
            *items = left.into();
        }
    }
}

/// Appends a text that equal filters have in common; `false` if the filter may depend on more than
/// the position.
fn bool_text(program: &Program, id: BoolId, out: &mut String) -> bool {
    use BoolFilter as B;
    let filter = &program.bools[id.0 as usize];
    let mut list = |name: &str, items: &[BoolId]| {
        out.push_str(name);
        let is_known = items.iter().all(|&item| bool_text(program, item, out));
        out.push(')');
        is_known
    };
    match filter {
        B::Constant(_) | B::Turn(_) | B::Predicate(_) | B::Fen(_) | B::Result(_) => {
            write!(out, "{filter:?}").is_ok()
        }
        B::GameTextContains(..) => write!(out, "{filter:?}").is_ok(),
        B::All(items) => list("all(", items),
        B::Any(items) => list("any(", items),
        B::Not(item) => list("not(", &[*item]),
        B::NonEmpty(a) => set_texts(program, "some(", &[*a], out),
        B::CompareCount(relation, a, n) => {
            let _ = write!(out, "{relation:?} {n} ");
            set_texts(program, "#(", &[*a], out)
        }
        B::SetsEqual(a, b) => set_texts(program, "equal(", &[*a, *b], out),
        B::SetsDiffer(a, b) => set_texts(program, "differ(", &[*a, *b], out),
        B::Subset(a, b) => set_texts(program, "in(", &[*a, *b], out),
        B::CompareNumbers(relation, a, b) => {
            let _ = write!(out, "{relation:?}(");
            num_text(program, *a, out) && num_text(program, *b, out)
        }
        _ => false,
    }
}

fn num_text(program: &Program, id: NumId, out: &mut String) -> bool {
    use NumFilter as N;
    let filter = &program.nums[id.0 as usize];
    match filter {
        N::Constant(_) | N::Source(_) | N::Elo(_) => write!(out, "{filter:?},").is_ok(),
        N::Cardinality(a) => set_texts(program, "#(", &[*a], out),
        N::AttackPairs(a, b) => set_texts(program, "attacks(", &[*a, *b], out),
        N::OfSet(word, a) => set_texts(program, &format!("{word:?}("), &[*a], out),
        N::Arithmetic(operator, a, b) => {
            let _ = write!(out, "{operator:?}(");
            let is_known = num_text(program, *a, out) && num_text(program, *b, out);
            out.push(')');
            is_known
        }
        _ => false,
    }
}

/// Appends the texts of some sets after `name`.
fn set_texts(program: &Program, name: &str, sets: &[SetId], out: &mut String) -> bool {
    out.push_str(name);
    let is_known = sets.iter().all(|&set| set_text(program, set, out));
    out.push(')');
    is_known
}

fn set_text(program: &Program, id: SetId, out: &mut String) -> bool {
    use SetFilter as S;
    let filter = &program.sets[id.0 as usize];
    let mut parts = |name: &str, sets: &[SetId]| set_texts(program, name, sets, out);
    match filter {
        S::Constant(_)
        | S::Pieces { .. }
        | S::Piece(..)
        | S::Color(..)
        | S::PawnStructure(_)
        | S::Source(_) => write!(out, "{filter:?},").is_ok(),
        S::Union(a, b) => parts("or(", &[*a, *b]),
        S::Intersect(a, b) => parts("and(", &[*a, *b]),
        S::Complement(a) => parts("no(", &[*a]),
        S::Attacks(a, b) => parts("to(", &[*a, *b]),
        S::AttackedBy(a, b) => parts("by(", &[*a, *b]),
        S::OfSet(word, a) => parts(&format!("{word:?}("), &[*a]),
        S::OfSets(word, a, b) => parts(&format!("{word:?}("), &[*a, *b]),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::compiled;
    use crate::program::BoolFilter;

    #[test]
    fn repeated_conditions_are_removed() {
        let n_items = |query: &str| {
            let program = compiled(query);
            match &program.bools[program.root.0 as usize] {
                BoolFilter::All(items) | BoolFilter::Any(items) => items.len(),
                _ => 1,
            }
        };
        assert_eq!(n_items(&"not Ka1 ".repeat(1000)), 1);
        assert_eq!(n_items("not Ka1 not Ka2 not Ka1"), 2);
        assert_eq!(n_items("check or mate or check"), 2);
        assert_eq!(n_items("#(A attacks k) > 1 wtm #(A attacks k) > 1"), 2);
        assert_eq!(n_items("#(A attacks k) > 1 #(A attacks k) > 2 #(A attacks r) > 1"), 3);
        assert_eq!(n_items("power A > 3 power A > 3 power a > 3"), 2);
        assert_eq!(n_items("x = 1 x == 1 x = 2 x == 1"), 4, "a variable may change");
        assert_eq!(n_items("comment(\"a\") comment(\"a\")"), 2);
        assert_eq!(n_items("find check find check"), 2);
    }
}
