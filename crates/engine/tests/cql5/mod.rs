//! Helpers of the tests of CQL 5: compile a query of that dialect and run it on a game.

use engine::{CompileOptions, Compiled, MatchedGame, Source, compile, search};
use syntax::Dialect;
use syntax::migrate::migrate;

fn compiled(dialect: Dialect, text: &[u8]) -> Compiled {
    let source = Source { name: "test.cql", text };
    let options = CompileOptions { dialect: Some(dialect), ..CompileOptions::default() };
    compile(&source, &[], &options)
}

/// Whether `body` is rejected.
pub(crate) fn refused(body: &str) -> bool {
    let text = format!("cql() {body}");
    compiled(Dialect::Cql5, text.as_bytes()).program.is_none()
}

/// Returns a game with these moves.
#[allow(dead_code)]
pub(crate) fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

/// Returns a game that starts from a position.
pub(crate) fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
}

/// Returns the matching games of `pgn`.
///
/// # Panics
/// If the query has errors or a game has faults.
pub(crate) fn run(header: &str, body: &str, pgn: &str) -> Vec<MatchedGame> {
    run_as(Dialect::Cql5, format!("cql({header}) {body}").as_bytes(), pgn)
}

fn run_as(dialect: Dialect, text: &[u8], pgn: &str) -> Vec<MatchedGame> {
    let shown = String::from_utf8_lossy(text);
    let compiled = compiled(dialect, text);
    let Some(program) = compiled.program else {
        panic!("{shown}: {:?}", compiled.diagnostics);
    };
    search(&program, pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{shown}: {fault:?}")))
        .collect()
}

fn positions(header: &str, body: &str, pgn: &str) -> Vec<u32> {
    let found = ids_of(run(header, body, pgn));
    let text = format!("cql({header}) {body}");
    if let Ok(translation) = migrate(text.as_bytes(), Dialect::Cql5) {
        assert_eq!(
            ids_of(run_as(Dialect::Cql6, &translation.text, pgn)),
            found,
            "{text}\n{}",
            String::from_utf8_lossy(&translation.text)
        );
    }
    found
}

/// Whether `body` can be translated into CQL 6.2. [`positions`] compares the results of both.
#[allow(dead_code)]
pub(crate) fn is_translated(body: &str) -> bool {
    let text = format!("cql() {body}");
    migrate(text.as_bytes(), Dialect::Cql5).is_ok()
}

fn ids_of(games: Vec<MatchedGame>) -> Vec<u32> {
    let first = games.into_iter().next();
    let positions = first.map(|game| game.row.positions).unwrap_or_default();
    positions.into_iter().map(|p| p.id).collect()
}

/// Returns the ids of the matching positions in the main line of the first game.
pub(crate) fn ids(body: &str, pgn: &str) -> Vec<u32> {
    positions("", body, pgn)
}

/// Does the same as [`ids`] for all positions, variations included.
#[allow(dead_code)]
pub(crate) fn ids_with_variations(body: &str, pgn: &str) -> Vec<u32> {
    positions("variations", body, pgn)
}

/// Returns the value of a set at the first position of the first game.
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
