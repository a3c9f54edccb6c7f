//! What the page of `cql studio` is told, as JSON: by the server of the program, and by the engine
//! in a page that has no server.
//!
//! Whoever has the games is a [`Host`]: it gives them to a pass, and hears of what is found while
//! it is found. Questions about a query ([`ask()`]) and about one game ([`game`], [`holds`]) have an
//! answer each. Nothing here opens files, makes threads or knows the time.

mod ask;
mod book;
mod cells;
mod collection;
mod export;
mod funnel;
mod game;
mod holds;
mod pass;
mod query;
mod row;
mod search;

pub use ask::{Question, ask};
pub use book::{contents, page};
pub use collection::{Counter, Counts, stats};
pub use export::{Export, Keeps, export};
pub use funnel::funnel;
pub use game::{EvaluateGame, Reference, evaluate, game};
pub use holds::holds;
pub use pass::{Host, PassWorker};
pub use query::Query;
pub use search::search;

use serde::Deserialize;

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// It makes no sense.
    Bad(String),
    /// What it is about is not there.
    Missing(String),
}

/// A query on collections.
#[derive(Debug, Clone, Deserialize)]
pub struct OnCollections {
    /// The query.
    #[serde(flatten)]
    pub query: Query,
    /// Their ids.
    pub collections: Vec<u32>,
}

/// A query on a game.
#[derive(Debug, Clone, Deserialize)]
pub struct OnGame {
    /// The query.
    #[serde(flatten)]
    pub query: Query,
    /// Where the game is.
    pub game: Reference,
}
