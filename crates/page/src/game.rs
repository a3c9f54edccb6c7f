//! Evaluates a single game again, read from its location.

use babson::{GamePlace, Scan, Search};
use engine::QueryResults;
use flow::Cancel;
use serde::Deserialize;
use serde_json::Value;

use crate::RequestError;
use crate::error::Error;
use crate::query::QueryRequest;
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

impl Reference {
    /// Evaluates queries on the game.
    pub(crate) fn evaluate(
        &self,
        games: &impl Scan,
        cancel: &Cancel,
        queries: impl IntoIterator<Item = babson::Query>,
    ) -> Result<Vec<QueryResults>, Error> {
        let place = GamePlace {
            input: self.input.clone(),
            number: self.number,
            number_in_input: self.in_input,
            offset: self.offset,
        };
        let found = Search::new(games, queries).cancel(cancel).on_game(&place)?;
        let is_lost = || games.source(&self.input).is_none();
        let lost = || Error::NoFile(self.input.clone());
        found.ok_or_else(|| if is_lost() { lost() } else { Error::Gone })
    }
}

/// Returns a whole game, with the results of the query in it.
///
/// # Errors
/// The query has errors, or the game is missing or cannot be read.
pub fn game(
    query: &QueryRequest,
    game: &Reference,
    games: &impl Scan,
    cancel: &Cancel,
) -> Result<Value, RequestError> {
    let bad = |error: Error| RequestError::Bad(error.to_string());
    let whole = babson::Query::new(query.compile().map_err(bad)?);
    let whole = whole.with_writer(|| Some(Box::new(WholeWriter)));
    // The text is to be copied, without the marks of the query.
    let pgn = babson::Query::new(query.compile_plain().map_err(bad)?);
    let queries = [whole.clone(), whole.with_complement(), pgn.clone(), pgn.with_complement()];
    let missing = |error: Error| RequestError::Missing(error.to_string());
    let results = game.evaluate(games, cancel, queries).map_err(missing)?;
    let texts: Vec<&[u8]> = results.iter().map(|found| &*found.text).collect();
    // Exactly one of a query and its complement matches.
    let [matching, other, pgn, other_pgn] = texts[..] else {
        return Err(missing(Error::Gone));
    };
    let is_match = !matching.is_empty();
    let (whole, pgn) = if is_match { (matching, pgn) } else { (other, other_pgn) };
    let whole: Value = serde_json::from_slice(whole).map_err(|_| missing(Error::Faulty))?;
    Ok(object! { "game": whole, "pgn": pgn::decode(pgn), "isMatch": is_match })
}
