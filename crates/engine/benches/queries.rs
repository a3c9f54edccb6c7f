//! Benchmarks whole queries on the games of `examples`, repeated ten times, in memory and on one
//! thread, and the compilation of queries.
//!
//! Rates are games per second. The first query only builds the positions; any time beyond that
//! belongs to the query itself.

use std::sync::Arc;
use std::sync::LazyLock;

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::{CompileOptions, GameWorker, Program, QueryResults, QueryWorker, Source};
use flow::{Output, RunOptions, run};

/// 400 games.
static PGN: LazyLock<Vec<u8>> =
    LazyLock::new(|| include_bytes!("../../../examples/historic.pgn").repeat(10));

/// Queries, one of each class: name, text, and number of matching games among the 40 of `examples`.
const QUERIES: &[(&str, &str, usize)] = &[
    ("nothing", "cql() Ka1 ka1", 0),
    ("tags", "cql() player \"Nobody\" Qh5", 0),
    ("mate", "cql() mate", 11),
    ("placement", "cql() Nd5 kg8 Q", 4),
    ("material", "cql() power A > power a + 5", 15),
    ("attack sets", "cql() square x in [qr] { #(A attacks x) > #(a attacks x) }", 31),
    ("pin", "cql() flipcolor { pin through n to k }", 13),
    ("shift", "cql() shift { Pd4 pd5 Nf3 nf6 }", 10),
    ("flip", "cql() flipcolor flip { Qh5 kg8 }", 8),
    ("path", "cql() path [x] {Q} --{1} (-- --){,2} mate", 4),
    ("path, repeated", "cql() path ([QR]-- --){3,} check", 2),
    ("legal moves", "cql() countmoves legal -- < 4 countmoves legal -- > 1", 30),
    ("find", "cql() find { Qh5 find { mate } }", 3),
    (
        "echo",
        "cql() echo (s t) { s < t distance(s t) >= 12 [RQ]==s:[RQ] [rq]==s:[rq] K==s:K k==s:k }",
        24,
    ),
    ("repetition", "cql() echo quiet (s t) { s < t sidetomove == s:sidetomove s & t == 64 }", 3),
    ("excelsior", "cql() flipcolor { piece x in Pa-h2 { path focus x quiet --{4,} --=. } }", 1),
    ("every square", "cql() square all x in [QRBNqrbn] { path quiet (--)* [x]x }", 1),
    ("sort", "cql() sort \"reach\" { #(. attackedby Q) >= 20 }", 11),
];

fn main() {
    divan::main();
}

fn program(text: &str) -> Arc<Program> {
    let source = Source { name: "query", text: text.as_bytes() };
    let compiled = engine::compile(&source, &[], &CompileOptions::default());
    let program = compiled.program;
    program.unwrap_or_else(|| panic!("{text}: {:?}", compiled.diagnostics))
}

/// Returns the number of games and the number of matching games.
fn search(program: &Arc<Program>) -> (u64, usize) {
    let options = RunOptions::default();
    let worker = || GameWorker::new([QueryWorker::new(program.clone(), Arc::default())]);
    let games = flow::GameSource::pgn("games", PGN.as_slice()).alone();
    let mut n_matches = 0;
    let mut count = |out: Output<Vec<QueryResults>>| {
        n_matches += out.results.iter().map(|found| found.matches.len()).sum::<usize>();
        Ok(())
    };
    let result = run(games, &options, worker, &mut count);
    let (summary, _) = result.expect("reading from memory");
    (summary.n_games, n_matches)
}

#[divan::bench(args = QUERIES.iter().map(|query| query.0), sample_count = 20)]
fn evaluate(bencher: Bencher<'_, '_>, name: &str) {
    let query = QUERIES.iter().find(|query| query.0 == name);
    let (_, text, n_matches) = query.expect("a name of the list");
    let program = program(text);
    let (n_games, n_found) = search(&program);
    assert_eq!((n_games, n_found), (400, 10 * n_matches), "{name}");
    bencher.counter(ItemsCount::new(n_games)).bench(|| search(&program));
}

#[divan::bench]
fn compile_sixteen_images() -> Arc<Program> {
    program("cql() flipcolor flip { Qh5 kg8 Nf3 Bc4 ph7 pg7 pf7 }")
}

#[divan::bench(sample_count = 20)]
fn compile_images_of_shift() -> Arc<Program> {
    program("cql() flipcolor shift { Pe4 pd5 Nf3 bg4 }")
}

#[divan::bench]
fn compile_path() -> Arc<Program> {
    program("cql() path [x] {Q} --{1} (-- --){,4} [QRBN]--{1,3} mate")
}
