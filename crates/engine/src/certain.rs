//! Misuse that every game is certain to reach.
//!
//! The reference stops when it evaluates a filter whose value nobody uses, such as a number by
//! itself. Where the first position of any game gets there, that is said when compiling.

use syntax::{Diagnostic, Span};

use crate::program::*;

/// An error for a misuse that is certain to be evaluated.
pub(crate) fn misuse(program: &Program) -> Option<Diagnostic> {
    let (span, message) = reached(program, program.root)?;
    Some(Diagnostic::error("E0410", span, message))
}

/// The misuse that evaluating `id` is certain to reach.
fn reached(program: &Program, id: BoolId) -> Option<(Span, &'static str)> {
    match &program.bools[id.0 as usize] {
        BoolFilter::Misuse(span, message) => Some((*span, message)),
        BoolFilter::All(items) => {
            for &item in items {
                if let Some(found) = reached(program, item) {
                    return Some(found);
                }
                if !always_matches(program, item) {
                    return None;
                }
            }
            None
        }
        BoolFilter::Any(items) => reached(program, *items.first()?),
        BoolFilter::Orbit(images) => images.iter().find_map(|&image| reached(program, image)),
        BoolFilter::Not(item) | BoolFilter::Loop(item) | BoolFilter::Assert(item, _) => {
            reached(program, *item)
        }
        BoolFilter::If(test, ..) | BoolFilter::While(test, _) => reached(program, *test),
        _ => None,
    }
}

/// Whether the filter matches whatever the position.
fn always_matches(program: &Program, id: BoolId) -> bool {
    match &program.bools[id.0 as usize] {
        BoolFilter::Constant(true)
        | BoolFilter::Comment(_)
        | BoolFilter::Message { .. }
        | BoolFilter::RemoveComment
        | BoolFilter::Unbind(_) => true,
        BoolFilter::HasNumber(number) => has_value(program, *number),
        BoolFilter::Assign(_, Value::Set(_)) => true,
        BoolFilter::Assign(_, Value::Num(number)) => has_value(program, *number),
        BoolFilter::Assign(_, Value::Text(text)) => {
            matches!(program.texts[text.0 as usize], TextFilter::Constant(_))
        }
        _ => false,
    }
}

fn has_value(program: &Program, id: NumId) -> bool {
    matches!(
        program.nums[id.0 as usize],
        NumFilter::Constant(_)
            | NumFilter::Cardinality(_)
            | NumFilter::Power(_)
            | NumFilter::Ply
            | NumFilter::MoveNumber
            | NumFilter::Depth
            | NumFilter::GameNumber
    )
}
