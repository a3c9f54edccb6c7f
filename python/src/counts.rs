//! Statistics, opening trees and duplicates of games, as JSON.

use babson::{Games, UnusedArchive};
use flow::{Cancel, FaultKind, Output, RunOptions, n_threads};
use input::Inputs;
use pgn::VariantNames;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use serde::Serialize;
use survey::duplicates::{Rules, find};
use survey::target::Target;
use survey::tree::{Omitted, TreeOptions};
use survey::{Collection, Error, PassProgress, Watch};

use crate::source::Source;
use crate::wait::{Counters, in_thread};

/// Progress of a count, and what could not be read.
struct Watcher<'c> {
    counters: &'c Counters,
    inputs: &'c Inputs,
    failures: Vec<String>,
}

impl Watch for Watcher<'_> {
    fn begin(&mut self) {
        self.counters.begin(self.inputs);
    }

    fn read(&mut self, _: &Output<()>, so_far: PassProgress) {
        self.counters.set(so_far.games, 0);
    }

    fn report(&mut self, chunk: &Output<()>) {
        let name = &chunk.origin.name;
        let defects = chunk.faults.iter().filter(|fault| fault.kind == FaultKind::Internal);
        let defects =
            defects.map(|fault| format!("{name}: game {}: {}", fault.number, fault.message));
        self.failures.extend(defects);
        self.failures.extend(chunk.failure.as_ref().map(|message| format!("{name}: {message}")));
    }

    /// Does nothing, since the results are the same.
    fn unused(&mut self, _: &UnusedArchive) {}
}

/// Result of a count as JSON, and what could not be read.
pub(crate) type Counted = (String, Vec<String>);

/// Counts games in a thread of its own.
fn counted(
    py: Python<'_>,
    source: &Source,
    threads: usize,
    progress: Option<Py<PyAny>>,
    count: impl FnOnce(&mut Collection<'_>, &mut Watcher<'_>) -> Result<String, Error> + Send + 'static,
) -> PyResult<Counted> {
    let cancel = Cancel::default();
    let mut games: Games = source.games(&cancel)?;
    let ours = cancel.clone();
    let count = move |counters: &Counters| -> Result<Counted, Error> {
        // Games are read several times.
        games.inputs.keep().map_err(Error::Failed)?;
        let groups = games.groups(false, &ours, &mut |_| {});
        let options = RunOptions { threads: n_threads(threads), ..RunOptions::new(ours) };
        let variants = VariantNames::default();
        let mut collection = Collection::new(&games.inputs, groups, options, variants);
        let mut watcher = Watcher { counters, inputs: &games.inputs, failures: Vec::new() };
        let counted = count(&mut collection, &mut watcher)?;
        Ok((counted, watcher.failures))
    };
    in_thread(py, cancel, progress, count)?.map_err(|error| match error {
        Error::Failed(error) => error.into(),
        Error::Cancelled => PyRuntimeError::new_err(error.to_string()),
        _ => PyOSError::new_err(error.to_string()),
    })
}

/// Counts tags, results, moves and issues.
#[pyfunction]
#[pyo3(signature = (source, top, threads, progress))]
pub(crate) fn stats(
    py: Python<'_>,
    source: &Source,
    top: usize,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Counted> {
    counted(py, source, threads, progress, move |games, watcher| {
        let stats = survey::stats::count(games, watcher)?;
        json(&stats.report(top))
    })
}

/// Counts the moves played from a position.
#[pyfunction]
#[pyo3(signature = (source, position, depth, min_games, variations, threads, progress))]
#[expect(clippy::too_many_arguments, reason = "those of the function in Python")]
pub(crate) fn tree(
    py: Python<'_>,
    source: &Source,
    position: &str,
    depth: usize,
    min_games: u64,
    variations: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Counted> {
    let target =
        Target::parse(position).map_err(|error| PyValueError::new_err(error.to_string()))?;
    counted(py, source, threads, progress, move |games, watcher| {
        let options = TreeOptions { depth, variations, ..TreeOptions::default() };
        let tree = survey::tree::count(games, &target, options, watcher)?;
        let Omitted { assumed, other_rules, skipped } = tree.omitted();
        let more =
            format!("\"assumed\":{assumed},\"other_rules\":{other_rules},\"unreadable\":{skipped}");
        Ok(joined(&more, &json(&tree.report(&target, min_games))?))
    })
}

/// Finds duplicates.
#[pyfunction]
#[pyo3(signature = (source, moves_only, keep, threads, progress))]
pub(crate) fn duplicates(
    py: Python<'_>,
    source: &Source,
    moves_only: bool,
    keep: &str,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Counted> {
    let keeps_first = match keep {
        "best" => false,
        "first" => true,
        _ => {
            let message = format!("keep must be 'best' or 'first', not {keep:?}");
            return Err(PyValueError::new_err(message));
        }
    };
    counted(py, source, threads, progress, move |games, watcher| {
        let found = find(games, Rules { moves_only, keeps_first }, watcher)?;
        let mut rows = Vec::new();
        if !found.is_empty() {
            found.list(games, None, watcher, &mut |listed| {
                for named in &listed.rows {
                    rows.push(serde_json::to_string(&found.row(named))?);
                }
                Ok(())
            })?;
        }
        let rows = format!("\"duplicates\":[{}]", rows.join(","));
        Ok(joined(&rows, &json(&found.totals)?))
    })
}

fn json(value: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::Failed(error.into()))
}

/// Returns a JSON object with further fields before its own.
pub(crate) fn joined(fields: &str, object: &str) -> String {
    format!("{{{fields},{}", object.strip_prefix('{').unwrap_or(object))
}
