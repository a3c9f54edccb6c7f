//! Targets that ask for a check.
//!
//! `legal --(mate)` looks at few moves that matter: where the target is a conjunction in which
//! `check` or `mate` stands behind nothing that leaves a trace, a move that gives no check need not
//! be tried. The target would have failed at that condition, and what stands before it would have
//! gone unnoticed.

use syntax::builtin::Predicate;

use crate::effects::{Analysis, Flags};
use crate::program::{BoolFilter, BoolId, Program};

/// Notes down which targets ask for a check.
pub(super) fn find(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let asking: Vec<bool> = (program.dashes.iter())
        .map(|dash| {
            dash.target
                .is_some_and(|target| asks(&mut analysis, target))
        })
        .collect();
    for (dash, asks) in program.dashes.iter_mut().zip(asking) {
        dash.asks_for_check = asks;
    }
}

fn asks(analysis: &mut Analysis<'_>, target: BoolId) -> bool {
    let program = analysis.program();
    match &program.bools[target.0 as usize] {
        BoolFilter::Predicate(Predicate::Check | Predicate::Mate) => true,
        BoolFilter::All(items) => {
            for &item in items {
                if asks(analysis, item) {
                    return true;
                }
                let effects = analysis.bool(item);
                if !effects.is_pure() || effects.flags.has(Flags::COMMENTS | Flags::FAULTS) {
                    return false;
                }
            }
            false
        }
        _ => false,
    }
}
