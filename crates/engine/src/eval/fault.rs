//! What goes wrong with a query while it is evaluated, and where in its text.

use syntax::Span;

use compiler::limits::Limit;
use compiler::program::Program;

/// A fault of the query that shows only when a filter is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The filter.
    pub span: Span,
    /// What went wrong.
    pub message: String,
    /// The position at which it was evaluated.
    pub position: u32,
    /// The limit that the query goes beyond on this game; every other fault is in what it says.
    pub(crate) limit: Option<Limit>,
}

impl Fault {
    /// The message with the place in the query.
    pub(crate) fn located_in(&self, program: &Program) -> String {
        let message = &self.message;
        match program.sources.get(usize::from(self.span.source.0)) {
            Some(source) if self.span.end > 0 => {
                let start = self.span.start as usize;
                let (line, column) = syntax::span::line_and_column(&source.text, start);
                format!("{}:{line}:{column}: {message}", source.name)
            }
            _ => message.clone(),
        }
    }
}
