//! Converts texts of the Chess Query Language to trees, and back.
//!
//! [`lex()`] splits a text into tokens, and [`parse()`] builds a typed tree from them. Neither does
//! any I/O, and neither fails: both return as much as they understand of the text, and all
//! [`Diagnostic`]s.
//!
//! ```
//! use syntax::{ParseOptions, Source, parse};
//!
//! let text = b"cql() maet";
//! let source = Source { name: "query.cql", text };
//! let parsed = parse(&source, &[], &ParseOptions::default());
//! let fault = &parsed.diagnostics[0];
//! assert_eq!(fault.code, "E0201");
//! assert_eq!(&text[fault.span.start as usize..fault.span.end as usize], b"maet");
//! assert_eq!(fault.edit.as_ref().expect("an edit").text, "mate");
//! ```

pub mod builtin;
mod chains;
pub mod classic;
pub mod convert;
pub mod cql5;
pub mod designator;
pub mod diagnostic;
pub mod dialect;
pub mod explain;
pub mod format;
pub mod help;
pub mod hhdb;
mod level;
pub mod lex;
pub mod library;
pub mod lint;
pub mod migrate;
pub mod older;
pub mod parse;
mod rows;
mod san;
mod seen;
pub mod span;
pub mod spelling;
pub mod steps;
pub mod token;
pub mod tree;
mod turns;
mod types;

pub use diagnostic::{Diagnostic, Severity};
pub use dialect::Dialect;
pub use lex::{Lexed, lex};
pub use parse::{ParseOptions, Parsed, Source, parse, parse_lexed};
pub use span::{SourceId, Span};
