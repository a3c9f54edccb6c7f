//! The Chess Query Language (CQL) as a library: finds games, positions and maneuvers in PGN.
//!
//! ```
//! use babson::{Program, SearchOptions, search_files};
//!
//! // A query is compiled once. Errors have line, column and advice.
//! let program = Program::new("mate sort \"men\" #[Aa]")?;
//!
//! // Games in memory, one after the other …
//! let pgn = b"[White \"Fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! for game in program.search(pgn) {
//!     let game = game?;
//!     assert_eq!(game.row.tag(b"White"), Some(&b"Fool"[..]));
//!     assert_eq!(game.row.positions[0].ply, 4);
//! }
//!
//! // … or in files, compressed or not, with all processors, in the order of the files.
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
//! results and does not end the search. For other uses, these crates are public: [`engine`]
//! compiles and evaluates queries, [`flow`] distributes games over threads, [`input`] opens files
//! and streams, [`table`] writes results as tables and pages.

mod error;
mod files;
mod program;
mod report;

pub use engine;
pub use flow;
pub use input;
pub use table;

pub use engine::{
    CommentLevel, CompileOptions, Diagnostic, Dialect, GameResult, GameRow, Limits, MatchedGame,
    MoveRow, MovetextItem, NamedExpression, PositionRow, RowValue, Severity, SortKey,
    TransformFamily, VariantNames, WritingRules,
};
pub use error::{Error, QueryError};
pub use files::{Matches, SearchOptions, search_files};
pub use flow::{Cancel, GameFault, Unreadable};
pub use input::{How, InputFormat, TextEncoding};
pub use program::{Program, Search};
pub use report::{Fault, Report, Watch};
