//! Compiles CQL to programs: trees become typed programs, and the optimizer notes in them how they
//! can be evaluated with less work.
//!
//! [`compile()`] turns a query text into a [`Program`](program::Program), which is plain data: the
//! evaluator knows nothing of texts, dialects and transforms. Nothing here looks at a game.
//!
//! ```
//! use compiler::{CompileOptions, compile};
//! use syntax::parse::Source;
//!
//! let query = Source { name: "fork.cql", text: b"cql() N attacks k N attacks" };
//! let compiled = compile(&query, &[], &CompileOptions::default());
//! assert!(compiled.program.is_none());
//! assert_eq!(compiled.diagnostics[0].code, "E0101");
//! ```

pub mod automaton;
pub mod board_map;
mod certain;
mod compile;
mod effects;
pub mod facts;
pub mod limits;
mod lower;
mod opt;
pub mod plan;
pub mod program;
mod similar;
mod transform;

pub use compile::{
    CompileOptions, Compiled, LARGEST_OUTPUT_BUFFER, NamedExpression, OUTPUT_BUFFER, QueryReading,
    compile, diagnose,
};
pub use program::{Cause, Divisibility, ValueType};
