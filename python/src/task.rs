//! Searches: one pass over the games, whose results the caller takes in order.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use arrow_schema::ArrowError;
use babson::{Chunk, Games, Query, ScanPlan, SearchError, Sorter, Summary, UnusedArchive};
use engine::{MatchedGame, Program};
use flow::Cancel;
use input::Inputs;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use survey::puzzle::Labels;
use table::Table;

use crate::wait::Counters;

/// A query, and the table to make of the matching games.
#[derive(Clone)]
pub(crate) struct QueryTask {
    pub(crate) program: Arc<Program>,
    pub(crate) table: Table,
    /// Number of threads; 0 stands for the number of processors.
    pub(crate) threads: usize,
    /// Greatest number of matching games; with `sort` the best ones are kept.
    pub(crate) limit: Option<u64>,
}

/// A game that could not be searched, or only in part. It can be pickled.
#[pyclass(frozen, get_all, eq, hash, from_py_object, module = "babson")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Fault {
    /// Name of the input that contains the game.
    input: String,
    /// Number of the game, counted through all inputs from 1; 0 if the fault is that of the input.
    game: u64,
    /// Line, from 1; 0 if unknown.
    line: u64,
    /// Description of the fault.
    message: String,
    /// Whether the game was searched nevertheless.
    searched: bool,
}

#[pymethods]
impl Fault {
    #[new]
    fn new(input: String, game: u64, line: u64, message: String, searched: bool) -> Fault {
        Fault { input, game, line, message, searched }
    }

    /// For pickle.
    fn __getnewargs__(&self) -> (String, u64, u64, String, bool) {
        (self.input.clone(), self.game, self.line, self.message.clone(), self.searched)
    }

    fn __str__(&self) -> String {
        let Fault { input, game, line, message, .. } = self;
        match (game, line) {
            (0, _) => format!("{input}: {message}"),
            (_, 0) => format!("{input}: game {game}: {message}"),
            _ => format!("{input}:{line}: game {game}: {message}"),
        }
    }

    fn __repr__(&self) -> String {
        format!("<Fault {}>", self.__str__())
    }
}

/// Totals and faults of a search. It can be pickled.
#[pyclass(frozen, get_all, eq, hash, module = "babson")]
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Report {
    /// Number of games read.
    pub(crate) games: u64,
    /// Number of matching games.
    pub(crate) matches: u64,
    /// Number of matching positions.
    pub(crate) positions: u64,
    /// Faults of games and inputs, at most the first thousand.
    pub(crate) faults: Vec<Fault>,
    /// Number of faults. An archive that is not used is listed in `faults` but not counted, since
    /// the text is searched instead.
    pub(crate) n_faults: u64,
    /// Text printed by `message` filters.
    pub(crate) messages: String,
    /// `NAME: VALUE` for each persistent variable.
    pub(crate) persistent: Vec<String>,
}

#[pymethods]
impl Report {
    #[new]
    fn new(
        games: u64,
        matches: u64,
        positions: u64,
        faults: Vec<Fault>,
        n_faults: u64,
        messages: String,
        persistent: Vec<String>,
    ) -> Report {
        Report { games, matches, positions, faults, n_faults, messages, persistent }
    }

    /// For pickle.
    fn __getnewargs__(&self) -> (u64, u64, u64, Vec<Fault>, u64, String, Vec<String>) {
        (
            self.games,
            self.matches,
            self.positions,
            self.faults.clone(),
            self.n_faults,
            self.messages.clone(),
            self.persistent.clone(),
        )
    }

    fn __repr__(&self) -> String {
        let Report { games, matches, positions, n_faults, .. } = self;
        format!("<Report games={games} matches={matches} positions={positions} faults={n_faults}>")
    }
}

impl From<babson::Report> for Report {
    fn from(report: babson::Report) -> Report {
        let faults = report.faults.into_iter().map(|fault| {
            let babson::Fault { input, game, line, message, searched } = fault;
            Fault { input, game, line, message, searched }
        });
        Report {
            games: report.games,
            matches: report.matches,
            positions: report.positions,
            faults: faults.collect(),
            n_faults: report.n_faults,
            messages: report.messages,
            persistent: report.persistent,
        }
    }
}

/// Reason why a search ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An input could not be read to its end; the games before that were searched.
    Unreadable(String),
    /// The query is given up, or fails on every game.
    Query(String),
    /// Threads or memory are lacking, or the results cannot be written.
    Failed(io::Error),
    /// The search was cancelled.
    Cancelled,
}

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> PyErr {
        match stop {
            Stop::Unreadable(message) => PyOSError::new_err(message),
            Stop::Failed(error) => error.into(),
            Stop::Query(_) | Stop::Cancelled => PyRuntimeError::new_err(stop.to_string()),
        }
    }
}

impl Stop {
    /// Converts the error of a search.
    fn of(error: SearchError) -> Stop {
        match error {
            SearchError::Cancelled(_) => Stop::Cancelled,
            SearchError::Failed(error) => Stop::Failed(error),
            _ => Stop::Query(error.to_string()),
        }
    }

    /// Converts the reason for a reader of batches. An unreadable input must be an `OSError` there,
    /// too, and Arrow only makes one of its errors of the kind `IoError`.
    pub(crate) fn into_arrow(self) -> ArrowError {
        match self {
            Stop::Unreadable(message) => of_files(io::Error::other(message)),
            Stop::Failed(error) => of_files(error),
            stop => ArrowError::ExternalError(stop.to_string().into()),
        }
    }
}

fn of_files(error: io::Error) -> ArrowError {
    ArrowError::IoError(error.to_string(), error)
}

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Unreadable(message) | Stop::Query(message) => f.write_str(message),
            Stop::Failed(error) => error.fmt(f),
            Stop::Cancelled => f.write_str("the search was cancelled"),
        }
    }
}

impl QueryTask {
    /// Searches all games on several threads. Calls `take` with the table's bytes for each matching
    /// game, in the order of the output.
    pub(crate) fn run(
        &self,
        search: SearchTask<'_>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> (Report, Result<(), Stop>) {
        let query = self.query().with_table(&self.table);
        let sorter = Sorter::new(&query, || Ok(babson::texts_in(&std::env::temp_dir())));
        self.search(search, vec![query], |search, report, mut unused| {
            let mut sorter = sorter.map_err(SearchError::Failed)?;
            let summary = search.run(&mut unused, &mut |mut chunk| {
                report(&chunk);
                let found = chunk.output.results.pop().unwrap_or_default();
                sorter.add(found, &mut |found| {
                    let mut games = found.matches.iter();
                    games.try_for_each(|game| take(&found.text[game.text.clone()]))
                })?;
                Ok(ControlFlow::Continue(()))
            })?;
            sorter.finish(take).map_err(SearchError::Failed)?;
            Ok(summary)
        })
    }

    /// Searches like [`run`](QueryTask::run), and calls `take` with the games themselves.
    pub(crate) fn games(
        &self,
        search: SearchTask<'_>,
        take: &mut dyn FnMut(MatchedGame) -> io::Result<()>,
    ) -> (Report, Result<(), Stop>) {
        self.search(search, vec![self.query()], |search, report, mut unused| {
            let mut see = |chunk: &mut Chunk<'_>| {
                report(chunk);
                Ok(())
            };
            babson::for_each_match(search, &mut unused, &mut see, &mut |game| {
                take(game).map(ControlFlow::Continue)
            })
        })
    }

    /// Searches with several queries in one pass, and records which of them match in each game.
    pub(crate) fn label(
        &self,
        search: SearchTask<'_>,
        programs: &[Arc<Program>],
        labels: &mut Labels,
    ) -> (Report, Result<(), Stop>) {
        let query = |program: &Arc<Program>| Query::new(program.clone()).with_table(&self.table);
        let queries = programs.iter().map(query).collect();
        self.search(search, queries, |search, report, mut unused| {
            search.run_each(&mut unused, &mut |chunk| {
                report(&chunk);
                labels.add(&chunk.output.results);
                Ok(ControlFlow::Continue(()))
            })
        })
    }

    fn query(&self) -> Query {
        Query::new(self.program.clone()).with_limit(self.limit)
    }

    /// Counts the games before the search, if the query needs their number, so that its progress is
    /// that of one pass.
    fn last_game_number(&self, inputs: &mut Inputs) -> Result<u64, SearchError> {
        if !self.program.needs_last_game_number() {
            return Ok(0);
        }
        inputs.keep().map_err(SearchError::Failed)?;
        babson::last_game_number(&ScanPlan { inputs, groups: &[] })
    }

    /// Prepares a search and reports on it. `run` gets the search, a function that adds a chunk to
    /// the report, and one that adds an archive whose text is read instead.
    fn search(
        &self,
        search: SearchTask<'_>,
        queries: Vec<Query>,
        run: impl FnOnce(
            &babson::Search<'_, ScanPlan<'_>>,
            &mut dyn FnMut(&Chunk<'_>),
            &mut dyn FnMut(&UnusedArchive),
        ) -> Result<Summary, SearchError>,
    ) -> (Report, Result<(), Stop>) {
        let SearchTask { mut games, cancel, counters } = search;
        let last_game_number = match self.last_game_number(&mut games.inputs) {
            Ok(n) => n,
            Err(error) => return (Report::default(), Err(Stop::of(error))),
        };
        let inputs = &games.inputs;
        counters.begin(inputs);
        let report = RefCell::new(babson::Report::default());
        let mut unused = |unused: &UnusedArchive| report.borrow_mut().note_unused(unused);
        let groups = games.groups(false, cancel, &mut unused);
        let walk = ScanPlan { inputs, groups: &groups };
        let search = babson::Search::new(&walk, queries)
            .threads(self.threads)
            .cancel(cancel)
            .last_game_number(last_game_number);
        let mut note = |chunk: &Chunk<'_>| {
            let mut report = report.borrow_mut();
            report.note(&chunk.output);
            counters.set(report.games, report.matches);
        };
        let ran = run(&search, &mut note, &mut unused);
        let mut report = report.take();
        let result = match ran {
            Ok(summary) => {
                report.note_end(&summary);
                report.unreadable.take().map_or(Ok(()), |message| Err(Stop::Unreadable(message)))
            }
            Err(error) => Err(Stop::of(error)),
        };
        (report.into(), result)
    }
}

/// The games of a search, its cancel handle, and its progress.
pub(crate) struct SearchTask<'a> {
    pub(crate) games: Games,
    pub(crate) cancel: &'a Cancel,
    pub(crate) counters: &'a Counters,
}
