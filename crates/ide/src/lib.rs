//! Answers the questions that editors ask about a query, without input or output.
//!
//! A [`Document`] is a text while somebody writes it: mostly wrong, often unfinished. Each question
//! is a method over byte offsets; [`LineIndex`] converts them to lines and columns. Everything is
//! computed on demand, and at most once for each text: a change drops it all.
//!
//! The parser resolves names while it expands functions, and does not keep their locations. So
//! [`names`] finds them in the tokens, by the few forms that define one, and takes only their types
//! from the tree.
//!
//! ```
//! use ide::{Document, Settings};
//!
//! let document = Document::new("cql() good = R good maet", Settings::default());
//! assert_eq!(document.diagnostics()[0].code, "E0201");
//! let places = document.references(15);
//! assert_eq!(places.iter().map(|span| span.start).collect::<Vec<_>>(), [6, 15]);
//! ```

mod actions;
mod after;
mod completion;
pub mod cookbook;
mod document;
mod expected;
mod explain;
mod hints;
mod hover;
pub mod ideas;
pub mod in_words;
pub mod manual;
mod meaning;
pub mod names;
mod older;
mod outline;
mod position;
mod rename;
mod sample;
mod semantic;
mod signature;
mod space;
#[cfg(test)]
mod tests;
mod words;
pub mod wrap;

pub use actions::{Action, ActionKind};
pub use completion::{Completion, CompletionKind};
pub use document::{Document, Settings};
pub use explain::Explanation;
pub use hints::Hint;
pub use hover::Hover;
pub use outline::{Fold, Symbol, SymbolKind};
pub use position::{Encoding, LineIndex, Position};
pub use rename::RenameError;
pub use semantic::{SemanticKind, SemanticToken};
pub use signature::Signature;
