//! Evaluates CQL programs on games.
//!
//! [`compile()`] turns a query text into a [`Program`]; [`flow::run`] evaluates it on the games of
//! an input with any number of threads, each with a [`GameWorker`]. This crate creates no threads,
//! opens no files, prints nothing, and does not read the environment: bytes come in and go out
//! through the caller.
//!
//! ```
//! use engine::{CompileOptions, Source, compile, search};
//!
//! let query = Source { name: "fork.cql", text: b"cql() N attacks k N attacks q" };
//! let compiled = compile(&query, &[], &CompileOptions::default());
//! let program = compiled.program.expect("a correct query");
//! let pgn = b"[FEN \"q3k3/8/8/3N4/8/8/8/4K3 w - - 0 1\"]\n\n1. Nc7+ *\n";
//! let plies: Vec<u32> = search(&program, pgn)
//!     .flat_map(|game| game.expect("no faults").row.positions)
//!     .map(|position| position.ply)
//!     .collect();
//! assert_eq!(plies, [1]);
//! ```

mod eval;
mod files;
mod found;
mod game_screen;
mod movetext;
mod outside;
mod pawns;
mod positions;
mod record;
mod row;
mod search;
mod similar_names;
mod worker;

pub use board::{Color, Square, SquareSet};
pub use compiler::limits::Limits;
pub use compiler::program::plan::{GameConditions, Unscreened, UnscreenedReason};
pub use compiler::program::{Program, Settings, TableValue, WritingRules};
pub use compiler::{
    Cause, CompileOptions, Compiled, Divisibility, LARGEST_OUTPUT_BUFFER, NamedExpression,
    OUTPUT_BUFFER, ValueType, compile, plan,
};
pub use ecma_regex::{OutOfSteps, Regex};
pub use eval::{EvalError, LaneScreen};
pub use files::{FileAccess, NoFiles};
pub use found::{Match, QueryResults, SortFloor, SortKey};
pub use game_screen::{GameScreen, ScreenStep, SummaryParts};
pub use movetext::{MovetextItem, MovetextMove};
pub use openings::{CodeRange, Openings};
pub use outside::{
    EngineAnswer, MOST_TABLE_PIECES, NoPrograms, PipeQuestion, Programs, TablebaseProbe,
};
pub use pgn::{GameResult, VariantNameError, VariantNames};
pub use record::{KnownGame, TextError, UsualTags};
pub use row::{GameRow, MoveRow, PositionComment, PositionRow, RowValue, RowWriter, SortedValue};
pub use search::{MatchedGame, SearchIter, search};
pub use similar_names::{NamesAsked, spelling_of_player};
pub use syntax::diagnostic::Edit;
pub use syntax::parse::{Source, nearest};
pub use syntax::span::line_and_column;
pub use syntax::tree::{CommentLevel, EngineLimit, EngineQuestion, EngineValue, TransformFamily};
pub use syntax::{Diagnostic, Dialect, Severity, SourceId, Span};
pub use worker::{GameWorker, KnownWorker, QueryRun, QueryWorker, TooManySteps, report_lost_moves};
