//! Finds conditions on the game record that can save reading the moves.
//!
//! A top-level condition that is the same at every position of a game decides for the whole game.
//! It may be tested first if nothing before it in the query has an effect, because then leaving out
//! the filters before it changes nothing.

use syntax::builtin::Reads;

use super::choices::LoopVariables;
use crate::effects::{Analysis, Flags};
use crate::program::*;

/// Notes the conditions that can be tested before a move is read.
pub(super) fn find(program: &mut Program) {
    let mut ids = (0..program.bools.len() as u32).map(BoolId);
    if !ids.any(|id| decided_by_record(program, id)) {
        return;
    }
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let bound = bound.with_local(program, &mut analysis);
    let mut guard = Vec::new();
    collect(&mut analysis, &bound, program.root, &mut guard);
    program.guard = guard;
}

/// Collects the game conditions of a conjunction; `false` if an effect ends the search.
fn collect(
    analysis: &mut Analysis<'_>,
    bound: &LoopVariables,
    id: BoolId,
    guard: &mut Vec<BoolId>,
) -> bool {
    let program = analysis.program();
    if let BoolFilter::All(items) = &program.bools[id.0 as usize] {
        return items.iter().all(|&item| collect(analysis, bound, item, guard));
    }
    if decided_by_record(program, id) {
        guard.push(id);
        return true;
    }
    if bound.is_local_assignment(analysis, id) {
        return true;
    }
    let effects = analysis.bool(id);
    bound.is_silent(&effects) && !effects.flags.has(Flags::COMMENTS)
}

/// Whether the filter depends only on tags that are read without the moves.
fn decided_by_record(program: &Program, id: BoolId) -> bool {
    match &program.bools[id.0 as usize] {
        BoolFilter::Constant(_) | BoolFilter::GameTextContains(..) => true,
        BoolFilter::All(items) | BoolFilter::Any(items) => {
            items.iter().all(|&item| decided_by_record(program, item))
        }
        BoolFilter::Not(item) => decided_by_record(program, *item),
        BoolFilter::HasNumber(number) => number_of_record(program, *number),
        BoolFilter::CompareNumbers(_, left, right) | BoolFilter::NumbersDiffer(left, right) => {
            number_of_record(program, *left) && number_of_record(program, *right)
        }
        BoolFilter::HasText(text) => text_of_record(program, *text),
        BoolFilter::CompareTexts(_, left, right) | BoolFilter::TextsDiffer(left, right) => {
            text_of_record(program, *left) && text_of_record(program, *right)
        }
        BoolFilter::Substring(left, right) => {
            text_of_record(program, *left) && text_of_record(program, *right)
        }
        _ => false,
    }
}

fn number_of_record(program: &Program, id: NumId) -> bool {
    match &program.nums[id.0 as usize] {
        NumFilter::Constant(_) | NumFilter::Elo(_) => true,
        NumFilter::Source(word) => word.row().reads == Reads::Game,
        NumFilter::Arithmetic(_, left, right) | NumFilter::Relation(_, left, right) => {
            number_of_record(program, *left) && number_of_record(program, *right)
        }
        NumFilter::Length(text) => text_of_record(program, *text),
        _ => false,
    }
}

fn text_of_record(program: &Program, id: TextId) -> bool {
    match &program.texts[id.0 as usize] {
        TextFilter::Constant(_) | TextFilter::Game(_) | TextFilter::Players => true,
        TextFilter::Concatenate(left, right) => {
            text_of_record(program, *left) && text_of_record(program, *right)
        }
        TextFilter::OfText(word, text) => {
            word.row().reads == Reads::Nothing && text_of_record(program, *text)
        }
        _ => false,
    }
}
