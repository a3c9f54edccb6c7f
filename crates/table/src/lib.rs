//! Writes matching games as tables: CSV, JSON Lines, Parquet, positions, an HTML report, or counts.
//!
//! A [`Table`] is created once per program and holds the columns and the sources of their values.
//! Each thread that evaluates games turns rows into bytes with its own
//! [`RowWriter`](engine::RowWriter); a [`TableWriter`] receives those bytes in the order of the
//! output. It also accepts rows directly. Nothing here starts threads or opens files.
//!
//! ```
//! use engine::{CompileOptions, Source, compile, search};
//! use table::{OutputFormat, Table, TableOptions, Totals};
//!
//! let query = Source { name: "mate.cql", text: b"cql() mate" };
//! let compiled = compile(&query, &[], &CompileOptions::default());
//! let program = compiled.program.expect("a correct query");
//!
//! let options = TableOptions {
//!     format: OutputFormat::Csv,
//!     columns: ["White", "ply", "san"].map(str::to_owned).to_vec(),
//!     ..TableOptions::default()
//! };
//! let table = Table::new(&program, &options)?;
//! let mut csv = table.begin(Vec::new())?;
//! let pgn = b"[White \"Fool\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
//! for game in search(&program, pgn) {
//!     csv.row(&game.expect("no faults").row)?;
//! }
//! let csv = csv.finish(&Totals::default())?;
//! assert_eq!(csv, b"White,ply,san\nFool,4,Qh4#\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cell;
mod cells;
mod column;
mod compare;
mod count;
mod day;
mod diagram;
mod error;
mod format;
mod html;
mod layout;
mod objects;
mod parquet;
mod positions;
mod rows;
mod score;
mod sheet;
mod table;
mod words;
mod writer;

pub use board::counted;
pub use cell::{Cell, field};
pub use cells::CellWriter;
pub use column::{CellType, Column, column_names, hides_column, is_column, is_known, is_tag_name};
pub use compare::{MatchedDifference, OutcomeWriter, ScoreComparison};
pub use count::CountOptions;
pub use day::Day;
pub use diagram::{FramedBoard, board_on_page, diagram};
pub use error::TableError;
pub use format::{Family, OutputFormat, Per};
pub use html::{PAGE_END, ReportOptions, Totals, analysis_board, escaped, page_start};
pub use layout::Layout;
pub use positions::PositionLine;
pub use score::{Points, Score, difference, rounded, side_of};
pub use sheet::{Exercise, PerPage, Sheet};
pub use table::{Table, TableOptions};
pub use words::cut;
pub use writer::TableWriter;

/// Name of the program in files that record their producer.
pub const MAKER: &str = concat!("Babson cql ", env!("CARGO_PKG_VERSION"));
