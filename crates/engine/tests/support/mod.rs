//! Helpers of the tests of the manuals: compile a query and run it on a game.

#![allow(dead_code, reason = "each test uses a part of it")]

use std::sync::Arc;

use engine::{CompileOptions, Compiled, MatchedGame, Program, Source, compile, search};

/// Compiles a text, which messages call `test.cql`.
pub(crate) fn compiled(text: &str, options: &CompileOptions) -> Compiled {
    let source = Source { name: "test.cql", text: text.as_bytes() };
    compile(&source, &[], options)
}

/// Compiles `body` with a header.
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

/// Whether `body` is rejected.
pub(crate) fn is_refused(body: &str) -> bool {
    compiled(&format!("cql() {body}"), &CompileOptions::default()).program.is_none()
}

/// Returns the help for the first error of `body`.
pub(crate) fn refusal(body: &str) -> String {
    let compiled = compiled(&format!("cql() {body}"), &CompileOptions::default());
    compiled.diagnostics.first().and_then(|d| d.help.clone()).unwrap_or_default()
}

/// Returns a game with these moves.
pub(crate) fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

/// Returns a game that starts from a position.
pub(crate) fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
}

/// Returns the matching games of `pgn`, which must have no faults.
pub(crate) fn run(header: &str, body: &str, pgn: &str) -> Vec<MatchedGame> {
    let program = program(header, body);
    search(&program, pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{body}: {fault:?}")))
        .collect()
}

/// Returns the ids of the matching positions of the first game of `pgn`.
pub(crate) fn ids(body: &str, pgn: &str) -> Vec<u32> {
    run("", body, pgn)
        .first()
        .map(|game| game.row.positions.iter().map(|p| p.id).collect())
        .unwrap_or_default()
}

/// Returns the comment that `body` makes at the first matching position, without the marker.
pub(crate) fn comment(body: &str, pgn: &str) -> Option<String> {
    let games = run("quiet", body, pgn);
    let comments = &games.first()?.row.positions.first()?.comments;
    comments.first().map(|text| String::from_utf8_lossy(text).into_owned())
}

/// Compares the matching positions of a game of these moves with the expected ones.
#[track_caller]
pub(crate) fn check(body: &str, moves: &str, want: &[u32]) {
    assert_eq!(ids(body, &game(moves)), want, "{body} in {moves}");
}

/// Checks whether the first position matches as expected.
#[track_caller]
pub(crate) fn holds_at(fen: &str, body: &str, want: bool) {
    let found = ids(&format!("initial {body}"), &game_from(fen, ""));
    assert_eq!(found.len() == 1, want, "{body} at {fen}");
}

/// Compares the value of a filter in a position with the expected one.
#[track_caller]
pub(crate) fn value_at(fen: &str, filter: &str, want: &str) {
    let written = comment(&format!("initial comment({filter})"), &game_from(fen, ""));
    assert_eq!(written.as_deref(), Some(want), "{filter} at {fen}");
}
