//! Evaluates a single game again, read from its location.

use std::io;

use engine::{Found, GameWorker, QueryWorker};
use flow::{Cancel, Format, GameSource, Output, Piece, Place, RunOptions, run};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::Refusal;
use crate::query::Query;
use crate::row::WholeWriter;

/// Location of a game, as given by the list.
#[derive(Debug, Clone, Deserialize)]
pub struct Reference {
    /// Ids of the collections that were searched.
    pub collections: Vec<u32>,
    /// Name of the file, as in the list.
    pub input: String,
    /// Number of the game in all files, and in its own.
    number: u64,
    in_input: u64,
    /// Offset of its text.
    offset: u64,
}

/// Evaluates the queries of workers on a game, as [`evaluate`] does once the file of the game is
/// found.
pub type EvaluateGame<'a> =
    &'a dyn Fn(&(dyn Fn() -> GameWorker + Sync)) -> Result<Vec<Found>, String>;

/// Returns a whole game, with the results of the query in it.
///
/// # Errors
/// The query has errors, or the game is missing or cannot be read.
pub fn game(query: &Query, evaluate: EvaluateGame<'_>) -> Result<Value, Refusal> {
    let program = query.compile().map_err(Refusal::Bad)?;
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
    let missing = |message: &str| Refusal::Missing(message.to_owned());
    let results = evaluate(&workers).map_err(Refusal::Missing)?;
    let texts: Vec<&[u8]> = results.iter().map(|found| &*found.text).collect();
    // Exactly one of a query and its complement matches.
    let [matching, other, pgn, other_pgn] = texts[..] else {
        return Err(missing(GONE));
    };
    let is_match = !matching.is_empty();
    let (whole, pgn) = match is_match {
        true => (matching, pgn),
        false => (other, other_pgn),
    };
    let whole: Value = serde_json::from_slice(whole).map_err(|_| missing(FAULTY))?;
    Ok(json!({ "game": whole, "pgn": pgn::decode(pgn), "isMatch": is_match }))
}

const GONE: &str = "the game has moved; the file has changed since the search";
const FAULTY: &str = "the game cannot be read, or the query fails on it";

/// Evaluates queries on a game of a file.
///
/// # Errors
/// The game is not there any more, or cannot be read.
pub fn evaluate(
    game: &Reference,
    source: GameSource<'_>,
    cancel: &Cancel,
    workers: &(dyn Fn() -> GameWorker + Sync),
) -> Result<Vec<Found>, String> {
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
    let result = run(source_of(game, source).alone(), &options, workers, &mut sink);
    result.map_err(|error| error.to_string())?;
    match results.is_empty() {
        true => Err(GONE.to_owned()),
        false => Ok(results),
    }
}

/// Returns the source from the game on, if the source can be read from there.
fn source_of<'s>(game: &Reference, source: GameSource<'s>) -> GameSource<'s> {
    let games_before = Some(game.number.saturating_sub(game.in_input));
    let bytes = match (source.bytes, &source.format) {
        (flow::Bytes::Anywhere(input), Format::Pgn) => {
            let piece = Piece {
                start: Place { offset: game.offset, game: game.in_input, line: 1 },
                end: game.offset.saturating_add(1),
            };
            flow::Bytes::Pieces(input, vec![piece])
        }
        (bytes, _) => bytes,
    };
    GameSource { bytes, games_before, ..source }
}
