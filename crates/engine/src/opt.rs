//! Rewrites of a program that change its speed, never its result.
//!
//! Each pass is a module with the argument for its soundness.

mod counts;
mod echo;
mod loops;
mod patterns;
mod pawns;
mod peephole;
mod relation;
mod screen;
mod searches;

use crate::program::Program;

pub(crate) use echo::EchoPlan;
pub(crate) use loops::SquareCondition;
pub(crate) use patterns::Patterns;
pub(crate) use screen::{Finder, Screen};

/// Applies all passes.
pub(crate) fn optimize(program: &mut Program) {
    counts::limit(program);
    peephole::rewrite(program);
    patterns::collect(program);
    echo::plan(program);
    relation::find_fixed_targets(program);
    loops::find_conditions(program);
    searches::choose(program);
    screen::make(program);
}
