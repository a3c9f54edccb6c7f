//! Games that match as tables: rows become columns, and columns become CSV, JSON Lines, Parquet,
//! positions, a report in HTML, or counts.
//!
//! A [`Table`] is made of a program once: it knows which columns there are and what stands in
//! them. Threads that evaluate games make bytes of rows with its [`RowWriter`](engine::RowWriter),
//! each its own; those bytes go into a [`TableWriter`] in the order in which the games are to
//! stand. Who has rows in hand gives these. Nothing here makes threads or opens files.
//!
//! ```
//! use engine::{CompileOptions, Source, compile, search};
//! use table::{Format, Table, TableOptions, Totals};
//!
//! let query = Source { name: "mate.cql", text: b"cql() mate" };
//! let compiled = compile(&query, &[], &CompileOptions::default());
//! let program = compiled.program.expect("a correct query");
//!
//! let options = TableOptions {
//!     format: Format::Csv,
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
mod count;
mod day;
mod diagram;
mod error;
mod format;
mod html;
mod layout;
mod parquet;
mod positions;
mod rows;
mod table;
mod waiting;
mod writer;

pub use cell::{Cell, field};
pub use cells::CellWriter;
pub use column::{CellType, Column, column_names, hides_column, is_column, is_known, is_tag_name};
pub use day::Day;
pub use diagram::diagram;
pub use error::TableError;
pub use format::{Format, Per};
pub use html::{BOARD_STYLE, PIECES, Totals};
pub use table::{Table, TableOptions};
pub use waiting::Waiting;
pub use writer::TableWriter;

/// The maker of a file that says who made it.
const MAKER: &str = concat!("Babson cql ", env!("CARGO_PKG_VERSION"));
