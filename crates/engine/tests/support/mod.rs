//! What the tests of statements of the manuals share: a query, a game, and what comes of them.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::Arc;

use engine::{CompileOptions, Compiled, MatchedGame, Program, Source, compile, search};

/// What comes of a text, which messages call `test.cql`.
pub(crate) fn compiled(text: &str, options: &CompileOptions) -> Compiled {
    let source = Source {
        name: "test.cql",
        text: text.as_bytes(),
    };
    compile(&source, &[], options)
}

/// Compiles `body` behind a header.
///
/// # Panics
/// If it has errors.
pub(crate) fn program(header: &str, body: &str) -> Arc<Program> {
    let text = format!("cql({header}) {body}");
    let compiled = compiled(&text, &CompileOptions::default());
    match compiled.program {
        Some(program) => program,
        None => panic!("{text}: {:?}", compiled.diagnostics),
    }
}

/// Whether `body` is refused.
pub(crate) fn is_refused(body: &str) -> bool {
    compiled(&format!("cql() {body}"), &CompileOptions::default())
        .program
        .is_none()
}

/// A game with these tags and moves.
pub(crate) fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

/// A game that starts from a position.
pub(crate) fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
}

/// The games of `pgn` that match, without faults.
pub(crate) fn run(header: &str, body: &str, pgn: &str) -> Vec<MatchedGame> {
    let program = program(header, body);
    search(&program, pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{body}: {fault:?}")))
        .collect()
}

/// The ids of the positions of the first game of `pgn` that match.
pub(crate) fn ids(body: &str, pgn: &str) -> Vec<u32> {
    run("", body, pgn)
        .first()
        .map(|game| game.row.positions.iter().map(|p| p.id).collect())
        .unwrap_or_default()
}

/// What `body` writes at the first position that matches, without the marker.
pub(crate) fn comment(body: &str, pgn: &str) -> Option<String> {
    let games = run("quiet", body, pgn);
    let comments = &games.first()?.row.positions.first()?.comments;
    comments
        .first()
        .map(|text| String::from_utf8_lossy(text).into_owned())
}

/// Compares the positions of a game of these moves that match with those that are wanted.
#[track_caller]
pub(crate) fn check(body: &str, moves: &str, want: &[u32]) {
    assert_eq!(ids(body, &game(moves)), want, "{body} in {moves}");
}

/// Compares whether the position matches with what is wanted.
#[track_caller]
pub(crate) fn holds_at(fen: &str, body: &str, want: bool) {
    let found = ids(&format!("initial {body}"), &game_from(fen, ""));
    assert_eq!(found.len() == 1, want, "{body} at {fen}");
}

/// Compares what a filter is worth in a position with what is wanted.
#[track_caller]
pub(crate) fn value_at(fen: &str, filter: &str, want: &str) {
    let written = comment(&format!("initial comment({filter})"), &game_from(fen, ""));
    assert_eq!(written.as_deref(), Some(want), "{filter} at {fen}");
}
