//! A query on games: the query ends at the first NUL, and the games follow (without them, those
//! below are used). After a second NUL, there is an expression for a column of values.
//!
//! All ways to evaluate the query must give the same result.

#![no_main]

use std::sync::Arc;

use engine::{
    CompileOptions, GameWorker, Limits, NamedExpression, Program, QueryResults, QueryWorker,
    Source, compile,
};
use flow::{FaultKind, GameFault, GameSource, Output, RunOptions, Worker, run};
use fuzz::mutate;
use libfuzzer_sys::{fuzz_mutator, fuzz_target};

/// Games to search if the input has none.
const GAMES: &[u8] =
    b"[Event \"a\"]\n[White \"Ann\"]\n[Date \"1999.12.31\"]\n[WhiteElo \"2000\"]\n\n\
    1. e4 {first} e5 $1 (1... c5 2. Nf3 (2. c3 d5) 2... d6) 2. Nf3 Nc6 3. Bb5 a6 4. O-O Nf6 1-0\n\n\
    [Event \"b\"]\n[FEN \"r3k2r/4P3/8/2pP4/8/8/8/R3K2R w KQkq c6 0 1\"]\n\n\
    1. dxc6 (1. O-O-O Rxh1 2. Rxh1 Kxe7) Rxh1+ 2. Kd2 Rxa1 3. e8=Q# 1/2-1/2\n";

/// Limit of steps, enough for every game above.
const STEPS: u64 = 20_000;

/// Limit of filters, enough for nearly every query, so that no loop evaluates a million filters.
const FILTERS: u64 = 20_000;

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(data, size, max_size, seed)
});

fuzz_target!(|data: &[u8]| {
    let mut parts = data.splitn(3, |&byte| byte == 0);
    let query = parts.next().unwrap_or_default();
    let games = parts.next().unwrap_or(GAMES);
    let values = parts.next().map(|text| NamedExpression {
        name: "value".to_owned(),
        source: "value".to_owned(),
        text: text.to_vec(),
    });
    let compiled = |optimize: bool| {
        let options = CompileOptions {
            limits: Limits { steps: STEPS, filters: FILTERS, ..Limits::default() },
            optimize,
            values: values.iter().cloned().collect(),
            ..CompileOptions::default()
        };
        let source = Source { name: "query", text: query };
        let program = compile(&source, &[], &options).program?;
        if program.required_file().is_some() {
            program.provide_file(games);
        }
        Some(program)
    };
    let Some(program) = compiled(true) else {
        return;
    };
    let found = outcome(&program, games, 1, 1 << 20);
    assert!(!found.has(FaultKind::Internal), "{found:?}");
    let plain = compiled(false).expect("it compiles without optimizing, too");
    let plain = outcome(&plain, games, 1, 1 << 20);
    // The numbers of steps differ: searches that keep their comments run twice, at each level of
    // nesting.
    if !plain.has(FaultKind::Limit) && !found.has(FaultKind::Limit) {
        assert_eq!(found, plain, "optimizing");
    }
    several_queries_find_the_same(&program, games, &found);
    if program.sequential_reason().is_none() {
        let pieces = outcome(&program, games, 1, 1 + data.len() % 200);
        assert_eq!(pieces, found, "small pieces");
        if data.len() % 16 == 0 {
            let threads = outcome(&program, games, 3, 1 + data.len() % 200);
            assert_eq!(threads, found, "several threads");
        }
    }
    the_library_finds_the_same(&program, games, &found);
});

/// All results of a run.
#[derive(Debug, PartialEq, Eq, Default)]
struct Outcome {
    text: String,
    messages: String,
    matches: Vec<u64>,
    faults: Vec<(u64, FaultKind, String)>,
}

impl Outcome {
    fn add<'f>(&mut self, found: &QueryResults, faults: impl Iterator<Item = &'f GameFault>) {
        self.text += &found.text.escape_ascii().to_string();
        self.messages += &found.messages.escape_ascii().to_string();
        self.matches.extend(found.matches.iter().map(|m| m.number));
        for fault in faults {
            // Faults of the text of a game are left out: they belong to no query.
            if fault.part.is_some() || fault.kind == FaultKind::Internal {
                let message = fault.message.clone();
                self.faults.push((fault.number, fault.kind, message));
            }
        }
    }

    fn has(&self, kind: FaultKind) -> bool {
        self.faults.iter().any(|fault| fault.1 == kind)
    }
}

/// Runs workers over games and passes their outputs to `take`.
fn run_over<W: Worker>(
    games: &[u8],
    (threads, chunk_bytes): (usize, usize),
    program: &Arc<Program>,
    make: impl Fn() -> W + Sync,
    mut take: impl FnMut(&Output<W::Results>),
) {
    let (first_game, last_game) = program.game_numbers();
    let options =
        RunOptions { threads, chunk_bytes, first_game, last_game, ..RunOptions::default() };
    let mut sink = |out: Output<W::Results>| {
        take(&out);
        Ok(())
    };
    run(GameSource::pgn("games", games).alone(), &options, make, &mut sink).expect("from memory");
}

fn outcome(program: &Arc<Program>, games: &[u8], threads: usize, chunk_bytes: usize) -> Outcome {
    let mut outcome = Outcome::default();
    let take = |out: &Output<Vec<QueryResults>>| {
        for found in &out.results {
            outcome.add(found, out.faults.iter());
        }
    };
    let make = || GameWorker::new([QueryWorker::new(program.clone(), Arc::default())]);
    run_over(games, (threads, chunk_bytes), program, make, take);
    outcome
}

/// Searches with the query twice, and with another one in between, in a single pass.
fn several_queries_find_the_same(program: &Arc<Program>, games: &[u8], found: &Outcome) {
    let text = b"cql(variations) check comment(\"+\")";
    let source = Source { name: "other", text };
    let options = CompileOptions::default();
    let other = compile(&source, &[], &options).program.expect("a query");
    let programs = [program, &other, program];
    let mut outcomes = [(); 3].map(|()| Outcome::default());
    let take = |out: &Output<Vec<QueryResults>>| {
        for (part, (outcome, found)) in outcomes.iter_mut().zip(&out.results).enumerate() {
            let of_query = |fault: &&GameFault| fault.part == Some(part);
            outcome.add(found, out.faults.iter().filter(of_query));
        }
    };
    let query = |program: &&Arc<Program>| QueryWorker::new(Arc::clone(program), Arc::default());
    let make_all = || GameWorker::new(programs.iter().map(query));
    run_over(games, (1, 1 << 20), program, make_all, take);
    assert_eq!(&outcomes[0], found, "the first of several");
    assert_eq!(&outcomes[2], found, "the last of several");
}

fn the_library_finds_the_same(program: &Arc<Program>, games: &[u8], found: &Outcome) {
    // The library counts the games for `lastgamenumber`, which the workers above are not told.
    if program.settings().gamenumber.is_some() || program.needs_last_game_number() {
        return;
    }
    let mut matches = Vec::new();
    let mut text = String::new();
    for game in engine::search(program, games).flatten() {
        matches.push(game.row.number);
        text += &game.pgn.escape_ascii().to_string();
        let positions = game.row.positions.len() as u64;
        assert_eq!(positions, game.row.n_positions);
    }
    assert_eq!(matches, found.matches, "as a library");
    assert_eq!(text, found.text, "as a library");
}
