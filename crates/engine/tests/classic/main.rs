//! Classic CQL: what each keyword means, and the worked examples of its description.

mod game;
mod options;
mod positions;
mod random;
mod transforms;

use std::sync::Arc;

use engine::{CompileOptions, MatchedGame, Program, Source, compile, search};

fn program(text: &str, options: &CompileOptions) -> Arc<Program> {
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], options);
    match compiled.program {
        Some(program) => program,
        None => panic!("{text}: {:?}", compiled.diagnostics),
    }
}

/// Returns the matching games of `pgn`, which must have no faults.
fn run(text: &str, pgn: &str) -> Vec<MatchedGame> {
    search(&program(text, &CompileOptions::default()), pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{text}: {fault:?}")))
        .collect()
}

/// Returns the ids of the positions of `pgn` that a position list matches.
fn ids(items: &str, pgn: &str) -> Vec<u32> {
    run(&format!("(match (position :markall {items}))"), pgn)
        .iter()
        .flat_map(|game| &game.row.positions)
        .map(|position| position.id)
        .collect()
}

/// Whether a position list matches the only position of a game.
fn holds(items: &str, fen: &str) -> bool {
    !ids(items, &game_from(fen, "")).is_empty()
}

/// Returns the ids of the positions with the marker.
fn marked(text: &str, pgn: &str) -> Vec<u32> {
    run(text, pgn)
        .iter()
        .flat_map(|game| &game.row.positions)
        .filter(|position| position.comments.iter().any(|comment| comment == b"MATCH"))
        .map(|position| position.id)
        .collect()
}

fn n_games(text: &str, pgn: &str) -> usize {
    run(text, pgn).len()
}

fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen} - - 0 1\"]\n\n{moves} *\n")
}

fn scholars_mate() -> String {
    game("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7#")
}
