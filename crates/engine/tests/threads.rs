//! Tests programs on games that several threads share.

use engine::{CompileOptions, GameWorker, QueryResults, QueryWorker, Source, compile};
use flow::{Output, RunOptions};

#[test]
fn counts_are_those_of_the_games_whatever_the_threads() {
    // 120 games of three positions, 100 of them with White and a variation.
    let text: String = (0..120)
        .map(|i| match i % 6 {
            0 => "[Event \"a\"]\n\n1. e4 e5 *\n\n",
            _ => "[White \"a\"]\n\n1. e4 (1. d4) e5 *\n\n",
        })
        .collect();
    let check = |query: &str, expected: (u64, usize, u64)| {
        let source = Source { name: "query", text: query.as_bytes() };
        let program = compile(&source, &[], &CompileOptions::default()).program;
        let program = program.expect("a correct query");
        for threads in [1, 3] {
            for chunk_bytes in [90, 1 << 20] {
                let options = RunOptions { threads, chunk_bytes, ..RunOptions::default() };
                let worker = || {
                    GameWorker::new([QueryWorker::new(program.clone(), std::sync::Arc::default())])
                };
                let sources = flow::GameSource::pgn("a", text.as_bytes()).alone();
                let mut counts = (0, 0, 0);
                let mut count = |out: Output<Vec<QueryResults>>| {
                    for found in out.results {
                        counts.0 += found.n_positions;
                        counts.1 += found.matches.len();
                        counts.2 += found.n_matching_positions;
                    }
                    Ok(())
                };
                flow::run(sources, &options, worker, &mut count).expect("reading from memory");
                assert_eq!(counts, expected, "{query} {threads} {chunk_bytes}");
            }
        }
    };
    check("cql() false", (0, 0, 0));
    check("cql() Kg1", (360, 0, 0));
    check("cql() wtm", (360, 120, 240));
    check("cql(variations) wtm", (460, 120, 240));
    check("cql() player \"a\" btm", (300, 100, 100));
    check("cql(matchcount 2) wtm", (360, 120, 240));
    check("cql(matchcount 3) wtm", (360, 0, 0));
}
