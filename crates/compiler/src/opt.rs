//! Rewrites of a program that change its speed, never its result.
//!
//! Each pass is a module with the argument for its soundness.

mod boards;
mod choices;
mod counts;
mod echo;
mod equal;
mod game_screen;
mod gaps;
mod glance;
mod guard;
mod loops;
mod patterns;
mod pawns;
mod peephole;
mod ranking;
mod relation;
mod screen;
mod searches;
mod unseen;

use crate::program::Program;

/// Applies all passes.
pub(crate) fn optimize(program: &mut Program) {
    unseen::remove(program);
    counts::limit(program);
    peephole::rewrite(program);
    equal::remove(program);
    patterns::collect(program);
    echo::plan(program);
    relation::find_fixed_targets(program);
    loops::find_conditions(program);
    searches::choose(program);
    gaps::find(program);
    choices::restrict(program);
    screen::make(program);
    glance::find(program);
    game_screen::find(program);
    guard::find(program);
    ranking::find(program);
}

/// Helpers for the tests of the passes.
#[cfg(test)]
mod testing {
    use std::sync::Arc;

    use syntax::parse::Source;

    use crate::program::Program;
    use crate::{CompileOptions, compile};

    /// Compiles a query, which must be correct.
    pub(super) fn compiled(query: &str) -> Arc<Program> {
        let text = format!("cql() {query}");
        let source = Source { name: "test.cql", text: text.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        compiled.program.expect("a correct query")
    }
}
