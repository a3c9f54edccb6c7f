//! Rewrites of a program that change its speed, never its result.
//!
//! Each pass is a module with the argument for its soundness.

mod counts;
mod echo;
mod patterns;
mod peephole;
mod relation;
mod searches;

use crate::program::Program;

pub(crate) use echo::EchoPlan;
pub(crate) use patterns::Patterns;

/// Applies all passes.
pub(crate) fn optimize(program: &mut Program) {
    counts::limit(program);
    peephole::rewrite(program);
    patterns::collect(program);
    echo::plan(program);
    relation::find_fixed_targets(program);
    searches::choose(program);
}
