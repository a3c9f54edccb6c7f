//! Compiles queries and searches games in memory.

use std::sync::Arc;

use engine::{CompileOptions, Diagnostic, MatchedGame, Source, compile};

use crate::error::{Error, QueryError};

/// Compiled query. It is immutable, clones share it, and several threads may use it at once.
#[derive(Debug, Clone)]
pub struct Program {
    program: Arc<engine::Program>,
    warnings: Arc<[Diagnostic]>,
}

impl Program {
    /// Compiles a query of any dialect, with or without its header: `cql() mate` is `mate`.
    ///
    /// # Errors
    /// [`Error::Query`] if the query is wrong, [`Error::Unsupported`] if it needs more than its
    /// games.
    pub fn new(query: &str) -> Result<Program, Error> {
        Program::with_options(query, &CompileOptions::default())
    }

    /// Compiles a query like [`Program::new`], with options such as variations, expressions to
    /// evaluate and limits. The header may be missing whatever `require_header` says.
    ///
    /// # Errors
    /// Those of [`Program::new`].
    pub fn with_options(query: &str, options: &CompileOptions) -> Result<Program, Error> {
        let source = Source { name: "query", text: query.as_bytes() };
        let options = CompileOptions { require_header: false, ..options.clone() };
        let compiled = compile(&source, &[], &options);
        match compiled.program {
            Some(program) if program.required_file().is_some() => {
                Err(Error::Unsupported("similarposition"))
            }
            Some(program) => Ok(Program { program, warnings: compiled.diagnostics.into() }),
            None => Err(QueryError::new(query, compiled.diagnostics).into()),
        }
    }

    /// Returns the warnings: parts of the query that were probably not meant.
    pub fn warnings(&self) -> &[Diagnostic] {
        &self.warnings
    }

    /// Returns the program of the engine.
    pub fn engine(&self) -> &Arc<engine::Program> {
        &self.program
    }

    /// Searches the games of a PGN text one after the other, on this thread.
    pub fn search<'a>(&'a self, pgn: &'a [u8]) -> TextMatches<'a> {
        TextMatches { games: engine::search(&self.program, pgn), is_given_up: false }
    }
}

/// Iterator over the matching games of a text, returned by [`Program::search`]. Games that could
/// not be searched come as [`Error::Game`]. If the query takes too many steps on the first games,
/// [`Error::TooManySteps`] is the last item.
#[derive(Debug)]
pub struct TextMatches<'a> {
    games: engine::SearchIter<'a>,
    /// Whether [`Error::TooManySteps`] has been returned.
    is_given_up: bool,
}

impl Iterator for TextMatches<'_> {
    type Item = Result<MatchedGame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(game) = self.games.next() else {
            let is_new = !std::mem::replace(&mut self.is_given_up, true);
            let given_up = self.games.check().err().filter(|_| is_new);
            return given_up.map(|why| Err(why.into()));
        };
        Some(game.map_err(|fault| Error::Game { input: String::new(), fault }))
    }
}
