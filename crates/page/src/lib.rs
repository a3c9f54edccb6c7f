//! Computes the answers to the page of `cql studio` as JSON, for the server of the program and for
//! the engine in a page without a server.
//!
//! A [`Host`] owns the games: it supplies them to a pass and receives results while they are found.
//! Requests about a query ([`ask()`]) and about one game ([`game`], [`holds`]) have a single
//! answer. Nothing here opens files, starts threads or reads the clock.

#[macro_use]
mod json;

mod ask;
mod book;
mod cells;
mod collection;
mod error;
mod export;
mod fault;
mod find;
mod funnel;
mod game;
mod games;
mod holds;
mod mask;
mod moves;
mod pass;
mod passage;
mod query;
mod row;
mod search;

pub use ask::{Question, ask};
pub use book::{contents, page};
pub use collection::stats;
pub use error::{Error, why};
pub use export::{Export, Exported, SpoolFile, export};
pub use find::{Wish, find};
pub use funnel::funnel;
pub use game::{Reference, game};
pub use games::{ChosenGames, Selection};
pub use holds::holds;
pub use moves::{At, moves, problem, sans};
pub use pass::Host;
pub use passage::{Passage, passage};
pub use query::QueryRequest;
pub use search::search;

use serde::Deserialize;

/// Reason why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestError {
    /// The request is malformed.
    Bad(String),
    /// The object of the request does not exist.
    Missing(String),
}

/// Query and the games to search.
#[derive(Debug, Clone, Deserialize)]
pub struct OnCollections {
    /// Query to evaluate.
    #[serde(flatten)]
    pub query: QueryRequest,
    /// Games to evaluate it on.
    #[serde(flatten)]
    pub selection: Selection,
}

/// Query and a game to evaluate it on.
#[derive(Debug, Clone, Deserialize)]
pub struct OnGame {
    /// Query to evaluate.
    #[serde(flatten)]
    pub query: QueryRequest,
    /// Location of the game.
    pub game: Reference,
}
