//! Compiles the queries of a run and checks them before the first game.

use std::sync::Arc;

use engine::{CompileOptions, Compiled, Diagnostic, Divisibility, Program};

use super::Request;
use crate::failure::Failure;
use crate::files::{FileRules, read_games};
use crate::programs::tablebase_error;
use crate::report::{self, Reporter, SourceText};
use crate::search::query::compile_texts;
use table::Table;

/// A query with the name of its output.
#[derive(Clone)]
pub(crate) struct NamedQuery {
    pub(crate) name: String,
    pub(crate) source: SourceText,
}

/// A query that is ready to run.
pub(super) struct PreparedQuery {
    pub(super) name: String,
    pub(super) source: SourceText,
    pub(super) program: Arc<Program>,
    /// Converts matching games to the output format.
    pub(super) table: Table,
}

/// Compiles all queries, and reports their diagnostics if `shows`. Queries with errors are returned
/// as their names.
pub(super) fn compile_all(
    request: &Request<'_>,
    shows: bool,
) -> Vec<Result<PreparedQuery, String>> {
    let queries = request.queries.iter();
    let compiled = queries.map(|query| match compile(query, request, shows) {
        Some(program) => Ok(PreparedQuery {
            name: query.name.clone(),
            source: query.source.clone(),
            program,
            table: Table::default(),
        }),
        None => Err(query.name.clone()),
    });
    compiled.collect()
}

fn compile(query: &NamedQuery, request: &Request<'_>, shows: bool) -> Option<Arc<Program>> {
    let options: &CompileOptions = &request.compile;
    let mut sources = texts(&query.source, request);
    let Compiled { program, diagnostics, .. } = compile_texts(&mut sources, options);
    if !shows {
        return program;
    }
    let reporter = Reporter::new(&sources, request.look, &std::io::stderr());
    for text in reporter.reports(&diagnostics) {
        crate::report::tell_colored(&text);
    }
    if let Some(line) = report::more(&diagnostics, request.look) {
        tell_line!("{line}");
    }
    program
}

/// Returns the texts of a query: its own and the filters in front of it.
fn texts(query: &SourceText, request: &Request<'_>) -> Vec<SourceText> {
    let mut sources = vec![query.clone()];
    sources.extend(request.filters.iter().cloned());
    sources
}

impl PreparedQuery {
    /// Whether the query finds the same in all shards together as in the whole collection. Reports
    /// the reason if it does not.
    pub(super) fn permits_shards(&self, request: &Request<'_>) -> bool {
        let (code, cause, remedy) = match self.program.class() {
            Divisibility::PerGame => return true,
            Divisibility::Sequential(cause) => {
                let remedy = "run it on all games at once, without --manifest and --shard";
                ("E0505", cause, remedy)
            }
            Divisibility::Mergeable(cause) => {
                let remedy = "leave out the sort, and sort a table of the results";
                ("E0506", cause, remedy)
            }
        };
        let message = format!("shards are searched separately, and {}", cause.what);
        let Some(span) = cause.span else {
            tell_line!("{}: error[{code}]: {message}: {remedy}", self.name);
            return false;
        };
        let sources = texts(&self.source, request);
        let reporter = Reporter::new(&sources, request.look, &std::io::stderr());
        let diagnostic = Diagnostic::error(code, span, message).with_help(remedy);
        crate::report::tell_colored(&reporter.report(&diagnostic));
        false
    }

    /// Whether the tablebases that the query reads are at hand, if it reads any. Reports the reason
    /// if they are not.
    pub(super) fn permits_tablebases(&self, request: &Request<'_>) -> bool {
        let secure = request.file_rules.secure;
        let Some(error) = tablebase_error(&self.program, request.programs, secure) else {
            return true;
        };
        let sources = texts(&self.source, request);
        let reporter = Reporter::new(&sources, request.look, &std::io::stderr());
        crate::report::tell_colored(&reporter.report(&error));
        false
    }

    /// Reads the file of a `similarposition` filter, if the query has one.
    pub(super) fn provide_file(&self, rules: &FileRules) -> Result<(), Failure> {
        if let Some(name) = self.program.required_file() {
            if rules.secure {
                return Err(Failure::Message(format!(
                    "{}: similarposition: --secure forbids the query to read {name}",
                    self.name
                )));
            }
            let pgn = read_games(&name)
                .map_err(|message| Failure::Message(format!("{}: {message}", self.name)))?;
            self.program.provide_file(&pgn);
        }
        Ok(())
    }

    /// Whether the query ignores games after a given number.
    pub(super) fn has_last_game(&self) -> bool {
        self.program.game_numbers().1.is_some()
    }
}
