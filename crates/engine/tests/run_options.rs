//! Tests the options of a run: number of threads, first and last game.

use std::sync::Arc;

use engine::{CompileOptions, Program, Source, compile, run_options};
use flow::Cancel;

fn program(text: &str) -> Arc<Program> {
    let source = Source { name: "q", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    compiled.program.expect("a query")
}

#[test]
fn games_that_one_of_the_programs_asks_for_are_read() {
    let check = |texts: &[&str], expected: (usize, u64, Option<u64>)| {
        let programs: Vec<Arc<Program>> = texts.iter().map(|text| program(text)).collect();
        let programs = programs.iter().map(Arc::as_ref);
        let options = run_options(programs, 4, Some(7), Cancel::default());
        let got = (options.threads, options.first_game, options.last_game);
        assert_eq!((got, options.size), (expected, Some(7)), "{texts:?}");
    };
    check(&[], (4, 1, None));
    check(&["cql() mate"], (4, 1, None));
    check(&["cql(gamenumber 5 9) mate"], (4, 5, Some(9)));
    check(&["cql(gamenumber 5 9) mate", "cql(gamenumber 3 4) mate"], (4, 3, Some(9)));
    check(&["cql(gamenumber 5 9) mate", "cql() mate"], (4, 1, None));
    check(&["cql() mate", "cql() persistent x+=1"], (1, 1, None));
}
