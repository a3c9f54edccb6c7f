//! The error type of the library.

use std::error;
use std::fmt::{self, Display, Formatter};
use std::io;

use engine::{Diagnostic, Severity, TooManySteps};
use flow::{GameFault, SourceError};

use crate::FAILED_EVERYWHERE;

/// Reason why a query cannot be compiled or a search cannot go on.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The query is wrong.
    Query(QueryError),
    /// The query has a filter that needs another file. The command `cql` supports it.
    Unsupported(&'static str),
    /// A file or another source of games cannot be read, or not to its end. The games before the
    /// fault have been searched.
    Input(SourceError),
    /// A game could not be searched; the search continues with the others.
    Game {
        /// Name of the file with the game; empty if there is none.
        input: String,
        /// Number of the game, its location, and the reason.
        fault: GameFault,
    },
    /// The query takes too many steps on each of the first games, each of which is an
    /// [`Error::Game`]. No other games are searched.
    TooManySteps,
    /// The query failed on every game on which it was evaluated, each of which is an
    /// [`Error::Game`].
    FailedEverywhere,
    /// The search was cancelled: there may be more matching games.
    Cancelled,
    /// The search itself cannot continue, for lack of threads or memory, or of a game for
    /// `lastgamenumber`.
    Search(io::Error),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Query(error) => error.fmt(f),
            Error::Unsupported(word) => {
                write!(f, "the library does not support `{word}`; use the command `cql`")
            }
            Error::Input(unreadable) => unreadable.fmt(f),
            Error::Game { input, fault } => {
                let (number, message) = (fault.number, fault.text());
                if input.is_empty() {
                    write!(f, "game {number}: {message}")
                } else {
                    write!(f, "{input}: game {number}: {message}")
                }
            }
            Error::TooManySteps => TooManySteps.fmt(f),
            Error::FailedEverywhere => f.write_str(FAILED_EVERYWHERE),
            Error::Cancelled => f.write_str("the search was cancelled"),
            Error::Search(error) => write!(f, "the search cannot go on: {error}"),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Query(error) => Some(error),
            Error::Search(error) => Some(error),
            Error::Input(unreadable) => error::Error::source(unreadable),
            Error::Unsupported(_)
            | Error::Game { .. }
            | Error::TooManySteps
            | Error::FailedEverywhere
            | Error::Cancelled => None,
        }
    }
}

impl From<QueryError> for Error {
    fn from(error: QueryError) -> Error {
        Error::Query(error)
    }
}

impl From<TooManySteps> for Error {
    fn from(_: TooManySteps) -> Error {
        Error::TooManySteps
    }
}

/// Errors and warnings of a query.
///
/// Its text is a line for each of them, with line, column and advice:
///
/// ```
/// let error = babson::Program::new("cql()\nmaet").expect_err("no such filter");
/// let text = error.to_string();
/// assert!(text.starts_with("2:1: error[E0201]: "), "{text}");
/// assert!(text.contains("`mate`"), "{text}");
/// ```
#[derive(Debug, Clone)]
pub struct QueryError {
    query: String,
    diagnostics: Vec<Diagnostic>,
}

impl QueryError {
    pub(crate) fn new(query: &str, diagnostics: Vec<Diagnostic>) -> QueryError {
        QueryError { query: query.to_owned(), diagnostics }
    }

    /// Returns all diagnostics, each with its location in the query and often with the edit that
    /// fixes it. At least one is an error; others may be warnings.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
}

impl Display for QueryError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (i, diagnostic) in self.diagnostics.iter().enumerate() {
            let Diagnostic { code, severity, span, message, help, .. } = diagnostic;
            if i > 0 {
                writeln!(f)?;
            }
            // Expressions given besides the query are sources of their own.
            if span.source.0 == 0 {
                let start = span.start as usize;
                let (line, column) = engine::line_and_column(self.query.as_bytes(), start);
                write!(f, "{line}:{column}: ")?;
            }
            let severity = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            };
            write!(f, "{severity}[{code}]: {message}")?;
            if let Some(help) = help {
                write!(f, "; {help}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for QueryError {}
