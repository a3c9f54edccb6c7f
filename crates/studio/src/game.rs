//! One game, read again where it stands.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use engine::{Found, GameWorker, QueryWorker};
use flow::{Cancel, Format, GameSource, Output, Piece, Place, RunOptions, run};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api::{Refusal, apart, read};
use crate::library::inputs;
use crate::query::Query;
use crate::row::WholeWriter;
use crate::server::{App, lock};

/// Where a game is, as the list says.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Reference {
    pub(crate) collections: Vec<u32>,
    /// The file, as the list calls it.
    input: String,
    /// Its number in all files, and in its own.
    number: u64,
    in_input: u64,
    /// Where its text begins.
    offset: u64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    query: Query,
    game: Reference,
}

/// All of a game, with what the query finds in it.
pub(crate) async fn game(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let Request { query, game } = read(&body)?;
    let paths = lock(&app.library).paths(&game.collections)?;
    let cancel = app.cancel();
    apart(move || {
        let program = query.compile().map_err(Refusal::bad)?;
        let searching = || QueryWorker::new(program.clone());
        let whole = || Box::new(WholeWriter);
        let workers = || {
            GameWorker::new([
                searching().with_writer(whole()),
                searching().with_complement().with_writer(whole()),
                searching(),
                searching().with_complement(),
            ])
        };
        let results = evaluate(&game, &paths, &cancel, &workers);
        cancel.cancel();
        let results = results.map_err(Refusal::missing)?;
        let texts: Vec<&[u8]> = results.iter().map(|found| &*found.text).collect();
        // Either it matches or it does not.
        let [matching, other, pgn, other_pgn] = texts[..] else {
            return Err(Refusal::missing(GONE));
        };
        let is_match = !matching.is_empty();
        let (whole, pgn) = match is_match {
            true => (matching, pgn),
            false => (other, other_pgn),
        };
        let whole: Value = serde_json::from_slice(whole).map_err(|_| Refusal::missing(FAULTY))?;
        Ok(json!({ "game": whole, "pgn": pgn::decode(pgn), "isMatch": is_match }))
    })
    .await
}

const GONE: &str = "the game is not where it was; the file has changed since the search";
const FAULTY: &str = "the game cannot be read, or the query fails on it";

/// Evaluates queries on a game.
pub(crate) fn evaluate(
    game: &Reference,
    paths: &[PathBuf],
    cancel: &Cancel,
    workers: &(dyn Fn() -> GameWorker + Sync),
) -> Result<Vec<Found>, String> {
    let inputs = inputs(paths, cancel)?;
    let mut sources = inputs.sources_from(0).map(|(_, source)| source);
    let source = sources.find_map(|source| {
        let source = source.ok()?;
        (*source.name == *game.input).then_some(source)
    });
    let source = source.ok_or("the file with the game is not there any more")?;
    let options = RunOptions {
        first_game: game.number,
        last_game: Some(game.number),
        ..RunOptions::new(cancel.clone())
    };
    let mut results = Vec::new();
    let mut sink = |mut out: Output<Vec<Found>>| {
        if out.results.iter().any(|found| !found.matches.is_empty()) {
            results.append(&mut out.results);
        }
        match out.failure {
            Some(message) if results.is_empty() => Err(io::Error::other(message)),
            _ => Ok(()),
        }
    };
    let result = run(
        source_of(game, source).alone(),
        &options,
        workers,
        &mut sink,
    );
    result.map_err(|error| error.to_string())?;
    match results.is_empty() {
        true => Err(GONE.to_owned()),
        false => Ok(results),
    }
}

/// The source from the game on, where it can be read from there.
fn source_of<'s>(game: &Reference, source: GameSource<'s>) -> GameSource<'s> {
    let games_before = Some(game.number.saturating_sub(game.in_input));
    let bytes = match (source.bytes, &source.format) {
        (flow::Bytes::Anywhere(input), Format::Pgn) => {
            let piece = Piece {
                start: Place {
                    offset: game.offset,
                    game: game.in_input,
                    line: 1,
                },
                end: game.offset.saturating_add(1),
            };
            flow::Bytes::Pieces(input, vec![piece])
        }
        (bytes, _) => bytes,
    };
    GameSource {
        bytes,
        games_before,
        ..source
    }
}
