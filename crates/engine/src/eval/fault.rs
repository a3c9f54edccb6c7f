//! Faults that occur while a query is evaluated, with their location in its text.

use syntax::Span;

use compiler::limits::Limit;
use compiler::program::Program;

/// A fault of the query that shows only when a filter is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvalError {
    /// Location of the filter.
    pub span: Span,
    /// Description of the fault.
    pub message: String,
    /// The position at which the filter was evaluated.
    pub position: u32,
    /// The limit that the query exceeds on this game; `None` if the fault is in the query itself.
    pub(crate) limit: Option<Limit>,
}

impl EvalError {
    /// Returns the message, preceded by its location in the query.
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
