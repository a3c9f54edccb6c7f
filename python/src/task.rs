//! Searches: one pass over the games, whose results the caller takes in order.

use std::io;
use std::sync::Arc;
use std::thread;

use archived::{Games, Screens, Unused, Walk};
use arrow_schema::ArrowError;
use engine::{
    Found, GameWorker, KnownWorker, Program, QueryRun, QueryWorker, SortKey, TooManySteps,
    run_options,
};
use flow::{Cancel, GameFault, Output};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use table::Table;

use crate::wait::Counters;

/// Number of faults that a report keeps; further ones are only counted.
const MOST_FAULTS: usize = 1000;

/// Number of bytes of `message` filters that a report keeps.
const MOST_MESSAGES: usize = 1 << 20;

/// A query, and the table to make of the matching games.
#[derive(Clone)]
pub(crate) struct Task {
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

impl Report {
    /// Adds the number of games and the faults of an output.
    pub(crate) fn note<R>(&mut self, out: &mut Output<R>) {
        self.games += out.n_games;
        for fault in out.faults.drain(..) {
            let searched = fault.is_searched();
            let GameFault { number, line, message, .. } = fault;
            self.fault(Fault {
                input: out.origin.name.to_string(),
                game: number,
                line,
                message,
                searched,
            });
        }
    }

    fn fault(&mut self, fault: Fault) {
        self.n_faults += 1;
        self.tell(fault);
    }

    fn tell(&mut self, fault: Fault) {
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }

    fn print(&mut self, messages: &[u8]) {
        let room = MOST_MESSAGES.saturating_sub(self.messages.len());
        let messages = &messages[..messages.len().min(room)];
        self.messages += &pgn::decode(messages);
    }
}

/// Reason why a search ended early.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An input could not be read to its end; the games before that were searched.
    Unreadable(String),
    /// The query takes too many steps on each of the first games.
    Endless,
    /// Threads or memory are lacking, or the results cannot be written.
    Failed(io::Error),
    /// The search was cancelled.
    Cancelled,
}

impl From<Stop> for PyErr {
    fn from(stop: Stop) -> PyErr {
        match stop {
            Stop::Unreadable(message) => PyOSError::new_err(message),
            Stop::Endless => PyRuntimeError::new_err(stop.to_string()),
            Stop::Failed(error) => error.into(),
            Stop::Cancelled => PyRuntimeError::new_err(stop.to_string()),
        }
    }
}

impl Stop {
    /// Converts the error of a pass.
    fn of(error: io::Error) -> Stop {
        let inner = error.get_ref();
        match inner.is_some_and(|inner| inner.is::<TooManySteps>()) {
            true => Stop::Endless,
            false => Stop::Failed(error),
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
            Stop::Unreadable(message) => f.write_str(message),
            Stop::Endless => TooManySteps.fmt(f),
            Stop::Failed(error) => error.fmt(f),
            Stop::Cancelled => f.write_str("the search was cancelled"),
        }
    }
}

impl Task {
    /// Searches all games on several threads. Calls `take` with the table's bytes for each matching
    /// game, in the order of the output.
    pub(crate) fn run(
        &self,
        search: &Search<'_>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> (Report, Result<(), Stop>) {
        let mut report = Report::default();
        let result = self.rows(search, take, &mut report);
        (report, result)
    }

    fn rows(
        &self,
        search: &Search<'_>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let run = Arc::new(QueryRun::default());
        let make_worker = || {
            let mut worker = QueryWorker::new(self.program.clone()).with_run(run.clone());
            if let Some(writer) = self.table.row_writer() {
                worker = worker.with_writer(writer);
            }
            GameWorker::new([worker])
        };
        let mut order: Order<Vec<u8>> = Order::new(self);
        let each = |mut results: Vec<Found>, report: &mut Report| {
            let found = results.pop().unwrap_or_default();
            report.print(&found.messages);
            for game in &found.matches {
                let text = &found.text[game.text.clone()];
                match order.is_as_read() {
                    true => take(text)?,
                    false => order.keep(game.sort_keys.clone(), text.to_vec()),
                }
                report.matches += 1;
                report.positions += game.n_positions;
                if order.is_enough(report.matches) {
                    return Ok(true);
                }
            }
            Ok(false)
        };
        let (workers, unreadable) = self.pass(search, report, (&run, make_worker), each)?;
        let mut sorted = order.finish().into_iter();
        let taken = sorted.try_for_each(|text| take(&text));
        taken.map_err(Stop::Failed)?;
        let persistent = workers.first().and_then(|worker| worker.queries().first());
        let persistent = persistent.map(QueryWorker::persistent_report).unwrap_or_default();
        report.persistent = persistent.iter().map(|line| pgn::decode(line).into_owned()).collect();
        unreadable.map_or(Ok(()), Err)
    }

    /// Runs the pass over the games that all searches share. Calls `each` with the results in the
    /// order of the games; if it returns `true`, the search ends. Returns the workers, and the
    /// first input that could not be read.
    pub(crate) fn pass<W: KnownWorker>(
        &self,
        search: &Search<'_>,
        report: &mut Report,
        (run, make_worker): (&QueryRun, impl Fn() -> W + Sync),
        mut each: impl FnMut(W::Results, &mut Report) -> io::Result<bool>,
    ) -> Result<(Vec<W>, Option<Stop>), Stop> {
        let Search { games, cancel, counters } = search;
        let inputs = &games.inputs;
        counters.begin(inputs);
        let mut unreadable = None;
        let mut is_enough = self.limit == Some(0);
        let mut sink = |mut out: Output<W::Results>| {
            if is_enough {
                return Ok(());
            }
            report.note(&mut out);
            if let Some(message) = out.failure.take() {
                let input = out.origin.name.to_string();
                let message = format!("cannot read {input}: {message}");
                report.fault(Fault {
                    input,
                    game: 0,
                    line: 0,
                    message: message.clone(),
                    searched: false,
                });
                unreadable.get_or_insert(Stop::Unreadable(message));
            }
            let read = (out.first_game + out.n_games).saturating_sub(1);
            run.check_after(&self.program, read).map_err(io::Error::other)?;
            is_enough = each(out.results, report)?;
            counters.set(report.games, report.matches);
            if is_enough {
                cancel.cancel();
            }
            Ok(())
        };
        let threads = match self.threads {
            0 => thread::available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        let size = inputs.size();
        let options = run_options([&*self.program], threads, size, (*cancel).clone());
        let mut not_used: Vec<Unused> = Vec::new();
        let mut tell = |unused: &Unused| not_used.push(unused.clone());
        let stretches = games.stretches(false, cancel, &mut tell);
        let walk = Walk { inputs, stretches: &stretches };
        if self.limit == Some(0) {
            cancel.cancel();
        }
        let screens = Screens::of([&*self.program]);
        let ran = walk.run(&screens, &options, &make_worker, &mut tell, &mut sink);
        let (summary, workers) = ran.map_err(Stop::of)?;
        for unused in &not_used {
            report.tell(Fault {
                input: unused.archive.clone(),
                game: 0,
                line: 0,
                message: format!("{}; searching the text instead", unused.reason),
                searched: true,
            });
        }
        match summary.cancelled && !is_enough {
            true => Err(Stop::Cancelled),
            false => Ok((workers, unreadable)),
        }
    }
}

/// The games of a search, its cancel handle, and its progress.
pub(crate) struct Search<'a> {
    pub(crate) games: &'a Games,
    pub(crate) cancel: &'a Cancel,
    pub(crate) counters: &'a Counters,
}

/// Order and limit of the matching games. With a limit, at most twice that number of games (and no
/// fewer than 64) wait to be sorted.
pub(crate) struct Order<T> {
    directions: Vec<bool>,
    limit: Option<u64>,
    waiting: Vec<(Vec<SortKey>, T)>,
}

impl<T> Order<T> {
    pub(crate) fn new(task: &Task) -> Order<T> {
        Order { directions: task.program.sort_directions(), limit: task.limit, waiting: Vec::new() }
    }

    /// Whether games keep the order in which they were read.
    pub(crate) fn is_as_read(&self) -> bool {
        self.directions.is_empty()
    }

    /// Whether the limit is reached with `n` games, and no later game could be better.
    pub(crate) fn is_enough(&self, n: u64) -> bool {
        self.is_as_read() && self.limit == Some(n)
    }

    /// Stores a game until all games are known.
    pub(crate) fn keep(&mut self, keys: Vec<SortKey>, game: T) {
        self.waiting.push((keys, game));
        let n = self.waiting.len() as u64;
        if self.limit.is_some_and(|limit| n >= limit.saturating_mul(2).max(64)) {
            self.keep_best();
        }
    }

    fn keep_best(&mut self) {
        let directions = &self.directions;
        // Stable, so that games with equal keys stay in their order.
        self.waiting.sort_by(|a, b| SortKey::compare(&a.0, &b.0, directions));
        let limit = self.limit.and_then(|limit| usize::try_from(limit).ok());
        self.waiting.truncate(limit.unwrap_or(usize::MAX));
    }

    /// Returns the stored games, the best first.
    pub(crate) fn finish(mut self) -> Vec<T> {
        self.keep_best();
        self.waiting.into_iter().map(|(_, game)| game).collect()
    }
}
