//! The meaning of CQL: trees become typed programs, programs are evaluated on games.
//!
//! [`compile()`] turns a query text into a [`Program`]; [`flow::run`] drives it over the games of
//! an input with any number of threads, each with a [`GameWorker`]. Nothing here makes threads,
//! opens files, prints, or reads the environment: bytes come in and go out through the caller.

mod automaton;
mod board_map;
mod certain;
mod compile;
mod effects;
mod eval;
mod facts;
mod files;
mod found;
mod guard;
mod limits;
mod lower;
mod movetext;
mod opt;
mod pawns;
pub mod plan;
mod positions;
mod program;
mod record;
mod row;
mod search;
mod similar;
mod transform;
mod worker;

pub use board::{Color, SquareSet};
pub use compile::{
    CompileOptions, Compiled, LARGEST_OUTPUT_BUFFER, NamedExpression, OUTPUT_BUFFER, compile,
};
pub use ecma_regex::{OutOfSteps, Regex};
pub use eval::Fault;
pub use files::{FileAccess, NoFiles};
pub use found::{Found, Match, SortKey};
pub use limits::Limits;
pub use movetext::{MovetextItem, MovetextMove};
pub use pgn::GameResult;
pub use program::{Program, Settings, WritingRules};
pub use row::{
    GameRow, MoveRow, PositionComment, PositionRow, RowValue, RowWriter, SortedValue, ValueType,
};
pub use search::{MatchWorker, MatchedGame, MatchedGames, Search, search};
pub use syntax::parse::Source;
pub use syntax::span::line_and_column;
pub use syntax::{Diagnostic, Dialect, Severity, SourceId, Span};
pub use worker::{GameWorker, Hope, QueryWorker};
