//! The Chess Query Language (CQL) as a library: finds games, positions and maneuvers in PGN.
//!
//! ```
//! use babson::{Program, SearchOptions, search_files};
//!
//! // A query is compiled once. Errors have line, column and advice.
//! let program = Program::new("mate sort \"pieces\" #[Aa]")?;
//!
//! // Games in memory, one after the other …
//! let pgn = b"[White \"Fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! for game in program.search(pgn) {
//!     let game = game?;
//!     assert_eq!(game.row.tag(b"White"), Some(&b"Fool"[..]));
//!     assert_eq!(game.row.positions[0].ply, 4);
//! }
//!
//! // … or in files, compressed or not, with all processors, those with the most pieces first.
//! # let directory = tempfile::tempdir()?;
//! # let games = directory.path().join("games.pgn");
//! # std::fs::write(&games, pgn)?;
//! let options = SearchOptions::default();
//! for game in search_files([&games], &program, &options)? {
//!     println!("{}", String::from_utf8_lossy(&game?.pgn));
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Results are owned: they may go to other threads and outlive the search. Games whose text is
//! damaged are repaired as far as possible; a game that cannot be searched is an error among the
//! results and does not end the search.
//!
//! Front ends that write results rather than look at them search with [`Search`], which
//! [`search_files`] uses, too: the games of a [`Scan`], a [`Query`] or several, and a receiver of
//! chunks. [`Sorter`] puts their texts into the final order. Every front end of this project does.
//!
//! For other uses, these crates are public: `archive` reads archives, [`engine`] compiles and
//! evaluates queries, [`flow`] distributes games over threads, `input` opens files and streams,
//! [`table`] writes results as tables and pages.

#[cfg(feature = "files")]
mod archives;
mod driver;
mod error;
#[cfg(feature = "files")]
mod matches;
mod order;
mod program;
mod query;
mod report;
mod screens;
mod spill;
mod unused;

// The examples of the README and of the book.
#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../../../docs/src/rust.md")]
mod pages {}

#[cfg(feature = "files")]
pub use archive;
pub use engine;
pub use flow;
#[cfg(feature = "files")]
pub use input;
pub use table;

#[cfg(feature = "files")]
pub use archives::*;
pub use driver::{
    Chunk, End, FAILED_EVERYWHERE, GamePlace, QueryEnd, QueryState, QuerySummary, Receiver, Scan,
    Search, SearchError, Summary, last_game_number,
};
pub use engine::{
    Color, CommentLevel, CompileOptions, Diagnostic, Dialect, Edit, GameResult, GameRow, Limits,
    MatchedGame, MoveRow, MovetextItem, MovetextMove, NamedExpression, Openings, PositionComment,
    PositionRow, RowValue, Severity, SortKey, SortedValue, SourceId, Span, Square, SquareSet,
    TransformFamily, VariantNameError, VariantNames, WritingRules,
};
pub use error::{Error, QueryError};
pub use flow::{Cancel, GameFault, GameSet, ReadError, SourceError};
#[cfg(feature = "files")]
pub use input::{InputFormat, ReadOptions, TextEncoding};
#[cfg(feature = "files")]
pub use matches::{Matches, SearchOptions, Watch, for_each_match, matching_games, search_files};
pub use order::Sorter;
pub use program::{Program, TextMatches};
pub use query::{Query, Selection};
pub use report::{Fault, NOT_UTF8, Report};
pub use screens::Prefilter;
pub use spill::Spill;
#[cfg(feature = "files")]
pub use spill::texts_in;
pub use unused::{UnusedArchive, UnusedReason};
