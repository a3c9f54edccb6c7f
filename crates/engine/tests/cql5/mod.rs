//! What the tests of CQL 5 share: a query of that dialect, a game, and what comes of them.

use engine::{CompileOptions, Compiled, MatchedGame, Source, compile, search};
use syntax::Dialect;

fn compiled(text: &str) -> Compiled {
    let source = Source {
        name: "test.cql",
        text: text.as_bytes(),
    };
    let options = CompileOptions {
        dialect: Some(Dialect::Cql5),
        ..CompileOptions::default()
    };
    compile(&source, &[], &options)
}

/// Whether `body` is refused.
pub(crate) fn refused(body: &str) -> bool {
    compiled(&format!("cql() {body}")).program.is_none()
}

/// A game with these moves.
#[allow(dead_code)]
pub(crate) fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

/// A game that starts from a position.
pub(crate) fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
}

/// The games of `pgn` that match.
///
/// # Panics
/// If the query has errors or a game has faults.
pub(crate) fn run(header: &str, body: &str, pgn: &str) -> Vec<MatchedGame> {
    let text = format!("cql({header}) {body}");
    let compiled = compiled(&text);
    let Some(program) = compiled.program else {
        panic!("{text}: {:?}", compiled.diagnostics);
    };
    search(&program, pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{body}: {fault:?}")))
        .collect()
}

fn positions(header: &str, body: &str, pgn: &str) -> Vec<u32> {
    run(header, body, pgn)
        .first()
        .map(|game| game.row.positions.iter().map(|p| p.id).collect())
        .unwrap_or_default()
}

/// The ids of the positions of the main line of the first game that match.
pub(crate) fn ids(body: &str, pgn: &str) -> Vec<u32> {
    positions("", body, pgn)
}

/// The same of all positions.
#[allow(dead_code)]
pub(crate) fn ids_with_variations(body: &str, pgn: &str) -> Vec<u32> {
    positions("variations", body, pgn)
}

/// The value of a set at the first position of the first game.
#[allow(dead_code)]
pub(crate) fn squares(set: &str, pgn: &str) -> String {
    let games = run("silent", &format!("initial comment {{{set}}}"), pgn);
    let comments = games
        .first()
        .and_then(|game| game.row.positions.first())
        .map(|position| position.comments.concat())
        .unwrap_or_default();
    String::from_utf8_lossy(&comments).into_owned()
}
