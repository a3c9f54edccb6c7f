//! A search as it runs, whatever becomes of what it finds.

use std::io;
use std::sync::Arc;
use std::thread;

use engine::{Found, GameWorker, Program, QueryRun, QueryWorker, SortKey};
use flow::{Cancel, GameFault, Output, RunOptions};
use input::Inputs;
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use table::Table;

/// Faults of games that are kept; of others only the number is.
const MOST_FAULTS: usize = 1000;

/// Bytes that `message` filters may print.
const MOST_MESSAGES: usize = 1 << 20;

/// A query with what is to be made of the games that match.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) program: Arc<Program>,
    pub(crate) table: Table,
    /// How many threads; 0 are as many as there are processors.
    pub(crate) threads: usize,
    /// So many games at most, with `sort` the best.
    pub(crate) limit: Option<u64>,
}

/// A game that could not be searched, or not all of it.
#[pyclass(frozen, get_all, module = "babson")]
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    /// The input it stands in.
    input: String,
    /// Its number, counted through all inputs from 1; 0 where the input itself is at fault.
    game: u64,
    /// The line, from 1; 0 if it is not known.
    line: u64,
    /// What is wrong.
    message: String,
    /// Whether the game was searched all the same.
    searched: bool,
}

#[pymethods]
impl Fault {
    fn __str__(&self) -> String {
        let Fault {
            input,
            game,
            line,
            message,
            ..
        } = self;
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

/// What a search came to.
#[pyclass(frozen, get_all, module = "babson")]
#[derive(Debug, Clone, Default)]
pub(crate) struct Report {
    /// Games that were read.
    pub(crate) games: u64,
    /// Games that match.
    pub(crate) matches: u64,
    /// Positions that match, in those games.
    pub(crate) positions: u64,
    /// Games and inputs with faults, the first thousand of them.
    pub(crate) faults: Vec<Fault>,
    /// How many faults there are.
    pub(crate) n_faults: u64,
    /// What `message` filters printed.
    pub(crate) messages: String,
    /// `NAME: VALUE` of each persistent variable.
    pub(crate) persistent: Vec<String>,
}

#[pymethods]
impl Report {
    fn __repr__(&self) -> String {
        let Report {
            games,
            matches,
            positions,
            n_faults,
            ..
        } = self;
        format!("<Report games={games} matches={matches} positions={positions} faults={n_faults}>")
    }
}

impl Report {
    /// Takes note of everything in an output but what matches.
    pub(crate) fn note<R>(&mut self, out: &mut Output<R>) {
        self.games += out.n_games;
        for fault in out.faults.drain(..) {
            let searched = fault.is_searched();
            let GameFault {
                number,
                line,
                message,
                ..
            } = fault;
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

/// Why a search ended before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// An input could not be read, or not to its end; what it gave before was searched.
    Unreadable(String),
    /// It takes forever.
    Endless,
    /// Threads or memory are wanting, or what takes the results cannot.
    Failed(io::Error),
    /// Nobody wants it any more.
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

impl std::fmt::Display for Stop {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Stop::Unreadable(message) => f.write_str(message),
            Stop::Endless => {
                f.write_str("the query takes too many steps on each of the first games")
            }
            Stop::Failed(error) => error.fmt(f),
            Stop::Cancelled => f.write_str("the search was cancelled"),
        }
    }
}

impl Task {
    /// Searches everything on this thread and others. What the table made of each game that matches
    /// is given to `take` in the order in which games are to stand.
    pub(crate) fn run(
        &self,
        inputs: &Inputs,
        cancel: &Cancel,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> (Report, Result<(), Stop>) {
        let mut report = Report::default();
        let result = self.search(inputs, cancel, take, &mut report);
        (report, result)
    }

    fn search(
        &self,
        inputs: &Inputs,
        cancel: &Cancel,
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
        let directions = self.program.sort_directions();
        let mut waiting = Waiting::default();
        let mut unreadable = None;
        let mut is_enough = false;
        let mut sink = |mut out: Output<Vec<Found>>| {
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
                unreadable.get_or_insert(message);
            }
            let found = out.results.pop().unwrap_or_default();
            report.print(&found.messages);
            for game in &found.matches {
                let text = &found.text[game.text.clone()];
                match directions.is_empty() {
                    true => take(text)?,
                    false => waiting.add(&game.sort_keys, text, &directions, self.limit),
                }
                report.matches += 1;
                report.positions += game.n_positions;
                if directions.is_empty() && self.limit == Some(report.matches) {
                    is_enough = true;
                    cancel.cancel();
                    break;
                }
            }
            Ok(())
        };
        let options = self.run_options(inputs, cancel);
        let ran = flow::run(inputs.sources(), &options, make_worker, &mut sink);
        let (summary, workers) = ran.map_err(Stop::Failed)?;
        if summary.cancelled && !is_enough {
            return Err(Stop::Cancelled);
        }
        if run.is_endless() {
            return Err(Stop::Endless);
        }
        waiting
            .finish(&directions, self.limit, take)
            .map_err(Stop::Failed)?;
        let persistent = workers.first().and_then(|worker| worker.queries().first());
        let persistent = persistent
            .map(QueryWorker::persistent_report)
            .unwrap_or_default();
        report.persistent = persistent
            .iter()
            .map(|line| pgn::decode(line).into_owned())
            .collect();
        unreadable.map_or(Ok(()), |message| Err(Stop::Unreadable(message)))
    }

    /// How games are taken through threads.
    pub(crate) fn run_options(&self, inputs: &Inputs, cancel: &Cancel) -> RunOptions {
        let (first_game, last_game) = self.program.game_numbers();
        RunOptions {
            threads: match (self.program.sequential_reason(), self.threads) {
                (Some(_), _) => 1,
                (None, 0) => thread::available_parallelism().map_or(1, usize::from),
                (None, threads) => threads,
            },
            first_game,
            last_game,
            size: inputs.size(),
            ..RunOptions::new(cancel.clone())
        }
    }
}

/// Games that wait to be sorted; no more than twice those that are wanted.
#[derive(Default)]
struct Waiting(Vec<(Vec<SortKey>, Vec<u8>)>);

impl Waiting {
    fn add(&mut self, keys: &[SortKey], text: &[u8], directions: &[bool], limit: Option<u64>) {
        self.0.push((keys.to_vec(), text.to_vec()));
        if limit.is_some_and(|limit| self.0.len() as u64 >= limit.saturating_mul(2).max(64)) {
            self.keep_best(directions, limit);
        }
    }

    fn keep_best(&mut self, directions: &[bool], limit: Option<u64>) {
        // Stable, so that games with equal keys stay in their order.
        self.0
            .sort_by(|a, b| SortKey::compare(&a.0, &b.0, directions));
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        self.0.truncate(limit.unwrap_or(usize::MAX));
    }

    fn finish(
        mut self,
        directions: &[bool],
        limit: Option<u64>,
        take: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        self.keep_best(directions, limit);
        self.0.iter().try_for_each(|(_, text)| take(text))
    }
}
