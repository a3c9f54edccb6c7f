//! Finds relations whose targets are the same for all sources.
//!
//! If the filters for the target have no effect and look at nothing but the target itself, they are
//! evaluated once for every position of a game instead of once for every pair.

use crate::effects::{Analysis, Flags};
use crate::program::{BoolFilter, Program};

/// Marks these relations.
pub(super) fn find_fixed_targets(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let mut fixed = Vec::new();
    for (index, filter) in program.bools.iter().enumerate() {
        if let BoolFilter::Relation(relation) = filter {
            let effects = analysis.bool(relation.target);
            if effects.is_pure() && effects.is_fixed() && !effects.flags.has(Flags::COMMENTS) {
                fixed.push(index);
            }
        }
    }
    for index in fixed {
        if let BoolFilter::Relation(relation) = &mut program.bools[index] {
            relation.target_is_fixed = true;
        }
    }
}
