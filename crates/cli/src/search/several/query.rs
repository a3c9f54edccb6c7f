//! The queries of a run: texts to programs, and what is known of each before the first game.

use std::sync::Arc;

use engine::{CompileOptions, Compiled, Program};

use super::Request;
use crate::failure::Failure;
use crate::files::{FileRules, read_games};
use crate::report::{self, Reporter, SourceText};
use crate::search::pass::Job;
use crate::search::query::compile_texts;

/// A query, and what its output is called.
pub(crate) struct NamedQuery {
    pub(crate) name: String,
    pub(crate) source: SourceText,
}

/// A query that is ready to run.
pub(super) struct Ready {
    pub(super) name: String,
    pub(super) source: SourceText,
    pub(super) job: Job,
}

/// Compiles all queries and shows what is wrong with them. Those that have errors come as their
/// names alone.
pub(super) fn compile_all(request: &Request<'_>) -> Vec<Result<Ready, String>> {
    let queries = request.queries.iter();
    let compiled = queries.map(|query| match compile(query, request) {
        Some(program) => Ok(Ready {
            name: query.name.clone(),
            source: query.source.clone(),
            job: Job::new(program),
        }),
        None => Err(query.name.clone()),
    });
    compiled.collect()
}

fn compile(query: &NamedQuery, request: &Request<'_>) -> Option<Arc<Program>> {
    let options: &CompileOptions = &request.compile;
    let mut sources = vec![query.source.clone()];
    sources.extend(request.filters.iter().cloned());
    let Compiled {
        program,
        diagnostics,
        ..
    } = compile_texts(&mut sources, options);
    let reporter = Reporter::new(&sources, request.look, &std::io::stderr());
    for diagnostic in &diagnostics {
        crate::report::tell_colored(&reporter.report(diagnostic));
    }
    if let Some(line) = report::more(&diagnostics, request.look) {
        tell_line!("{line}");
    }
    program
}

impl Ready {
    /// Reads the file that the query compares positions with, if it does.
    pub(super) fn provide_file(&self, rules: &FileRules) -> Result<(), Failure> {
        if let Some(name) = self.job.program.required_file() {
            if rules.secure {
                return Err(Failure::Message(format!(
                    "{}: similarposition: --secure forbids the query to read {name}",
                    self.name
                )));
            }
            let pgn = read_games(&name)
                .map_err(|message| Failure::Message(format!("{}: {message}", self.name)))?;
            self.job.program.provide_file(&pgn);
        }
        Ok(())
    }

    /// How many of these games the query searches.
    pub(super) fn n_searched(&self, first_game: u64, n_games: u64) -> u64 {
        let (first, last) = self.job.program.game_numbers();
        let end = first_game + n_games;
        let end = last.map_or(end, |last| end.min(last + 1));
        end.saturating_sub(first.max(first_game))
    }
}
