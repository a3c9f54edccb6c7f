//! Chooses the games that a subcommand reads, by the options of a search and a query file.
//!
//! A search finds the numbers of the games, in the text or in an archive; the subcommand then reads
//! only these. All subcommands that choose games do it here.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use babson::{GameSet, Query, ScanPlan, Search, Selection, matching_games};
use engine::{CompileOptions, Program};
use syntax::parse::Source;
use table::Table;

use super::counting::Watcher;
use super::text;
use crate::args::{ChoiceArgs, Options, is_query_file};
use crate::failure::Failure;
use crate::files::read_games;
use crate::games::tell_unused;
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::programs::{ExternalPrograms, ProgramArgs, tablebase_error};
use crate::report::{ReportStyle, SourceText};
use crate::search::names::{names_asked, similar_names};
use crate::search::nothing;
use crate::search::pass::Context;

/// Longest time for reading the names of games if none is chosen.
const NAMES_TIME: Duration = Duration::from_secs(1);

/// Query that chooses games.
pub(super) struct Choice {
    options: Options,
    program: Arc<Program>,
    /// External programs that the query may ask.
    programs: Option<Arc<ExternalPrograms>>,
    sources: Vec<SourceText>,
    look: ReportStyle,
}

/// Games that were chosen.
#[derive(Default)]
pub(super) struct Chosen {
    /// The games; `None` for all.
    pub(super) games: Option<Arc<GameSet>>,
    /// Number of games that could not be read, and so not be chosen.
    pub(super) n_skipped: u64,
    /// Whether the query, or a program that it asks, failed on a game.
    pub(super) has_failed: bool,
}

impl Choice {
    /// Returns the choice that options and a query file among the names make; `None` for all games.
    /// Removes the query file from the names.
    ///
    /// # Errors
    /// The query has errors, which are printed, or there are several, or there are no games.
    pub(super) fn new(
        given: &ChoiceArgs,
        limits: engine::Limits,
        names: &mut Vec<PathBuf>,
    ) -> Result<Option<Choice>, Failure> {
        let is_query = |name: &PathBuf| is_query_file(name.as_os_str());
        let queries: Vec<PathBuf> = names.extract_if(.., |name| is_query(name)).collect();
        let options = match (&given.options, queries.as_slice()) {
            (None, []) => return Ok(None),
            (_, [_, other, ..]) => {
                let message =
                    format!("there can be only one query: found {}, too", other.display());
                return Err(Failure::Message(message));
            }
            (options, _) => options.as_deref().cloned().unwrap_or_default(),
        };
        options.remarks.iter().for_each(|remark| tell_line!("{remark}"));
        if let ([], [query]) = (names.as_slice(), queries.as_slice()) {
            let message = format!("expected games, found the query {}", query.display());
            return Err(Failure::Message(message));
        }
        let query = match queries.first() {
            Some(query) => text::read(query)?,
            None => SourceText::new("choice", "cql() true"),
        };
        let filters = options.preamble.iter();
        let filters = filters.map(|filter| SourceText::new(&*filter.option, &*filter.text));
        let sources: Vec<SourceText> = std::iter::once(query).chain(filters).collect();
        let compile = CompileOptions { limits, ..options.compile.clone() };
        let program = text::compile(&sources, &compile, given.look)?;
        if let Some(name) = program.required_file() {
            program.provide_file(&read_games(&name).map_err(Failure::Message)?);
        }
        Ok(Some(Choice { options, program, programs: None, sources, look: given.look }))
    }

    /// Permits the query to ask external programs, and starts those that it uses.
    ///
    /// # Errors
    /// Those of [`ExternalPrograms::new`].
    pub(super) fn with_programs(self, arguments: &ProgramArgs) -> Result<Choice, Failure> {
        if let Some(error) = tablebase_error(&self.program, arguments, false) {
            return Err(text::complain_all(&self.sources, &[error], self.look));
        }
        let programs = ExternalPrograms::new(arguments, false, [&*self.program].into_iter())?;
        Ok(Choice { programs, ..self })
    }

    /// Whether the query chooses the games that do not match.
    pub(super) fn excludes(&self) -> bool {
        self.options.outputs.exclude
    }

    /// Number of games up to which they are chosen.
    pub(super) fn limit(&self) -> Option<u64> {
        self.options.outputs.limit
    }

    /// Whether the query needs the number of games, which are then read twice.
    pub(super) fn needs_last_game_number(&self) -> bool {
        self.program.needs_last_game_number()
    }

    /// Whether a program that the query asks had trouble.
    pub(super) fn had_trouble(&self) -> bool {
        self.programs.as_ref().is_some_and(|programs| programs.had_trouble())
    }

    /// Returns the query for the games that are chosen. Its writer is that of the caller.
    pub(super) fn query(&self) -> Query {
        let outputs = &self.options.outputs;
        let is_all = outputs.limit.is_none() && outputs.sample.is_none();
        let query = Query::new(self.program.clone()).with_selection(Selection {
            limit: outputs.limit,
            sample: outputs.sample.map(|n| (n, outputs.seed.unwrap_or_default())),
            // All games of a query that sorts are a set like any other.
            is_unsorted: is_all,
        });
        let query = if outputs.exclude { query.with_complement() } else { query };
        match self.programs.clone() {
            Some(programs) => query.with_programs(move || programs.of_worker()),
            None => query,
        }
    }

    /// Prints the names of players and others that may have been meant.
    fn tell_similar_names(&self, plan: &ScanPlan<'_>, threads: usize) {
        let sources: Vec<Source<'_>> = self.sources.iter().map(SourceText::as_source).collect();
        let Some((query, preamble)) = sources.split_first() else {
            return;
        };
        let asked = names_asked(&self.options, query, preamble);
        for line in similar_names(&asked, plan.inputs, threads, NAMES_TIME) {
            nothing::say(&line);
        }
    }

    /// Finds the games. Prints the issues of games that cannot be searched, and those of the query.
    ///
    /// # Errors
    /// The query fails on all games, or the search is cancelled.
    fn find(
        &self,
        plan: &ScanPlan<'_>,
        threads: usize,
        progress: Option<ProgressDisplay>,
    ) -> Result<Chosen, Failure> {
        let query = self.query().with_table(&Table::nothing());
        let search = Search::new(plan, [query]).threads(threads).cancel(interrupt::cancel());
        let mut watcher = Watcher::new(plan.inputs, progress);
        watcher.start();
        let found = matching_games(&search, &mut tell_unused, &mut |chunk| {
            watcher.see_choice(&chunk.output);
            Ok(())
        });
        watcher.stop();
        let games = found.map_err(|error| Context::reading(plan.inputs).failure(error))?;
        tell!("{}", watcher.defects.summary());
        if games.is_empty() {
            nothing::say("no game is chosen");
            self.tell_similar_names(plan, threads);
        }
        self.programs.iter().for_each(|programs| programs.tell_end());
        let has_failed = !watcher.is_complete() || self.had_trouble();
        let n_skipped = watcher.defects.n_skipped();
        Ok(Chosen { games: Some(Arc::new(games)), n_skipped, has_failed })
    }
}

/// Finds the games of a choice; all if there is none.
///
/// # Errors
/// Those of [`Choice::find`].
pub(super) fn chosen(
    choice: Option<&Choice>,
    plan: &ScanPlan<'_>,
    threads: usize,
    progress: Option<ProgressDisplay>,
) -> Result<Chosen, Failure> {
    choice.map_or_else(|| Ok(Chosen::default()), |choice| choice.find(plan, threads, progress))
}
