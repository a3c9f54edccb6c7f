//! Tables of puzzles with a column for the names of the queries that match in each.

use std::path::PathBuf;

use flow::Cancel;
use output::{NewFile, Replace, Rules};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use survey::puzzle::{LabelError, Labels};
use syntax::library::Theme;
use table::Table;

use crate::output::{refuse, unwritable, warn_of_replaced};
use crate::query::Query;
use crate::source::Source;
use crate::task::{QueryTask, Report, SearchTask, Stop};
use crate::wait::{Counters, detached, in_thread};

/// Returns the name of each theme and what it means, without those that are other names of others.
#[pyfunction]
pub(crate) fn themes() -> Vec<(&'static str, String)> {
    Theme::distinct().map(|theme| (theme.name(), theme.claim())).collect()
}

/// Writes tables of puzzles as one, with a column for the names of the queries that match in each
/// puzzle. Replaces no input, and without `force` only earlier results.
#[pyfunction]
#[pyo3(signature = (queries, paths, target, threads, progress, force))]
pub(crate) fn tag_puzzles(
    py: Python<'_>,
    queries: Vec<(String, PyRef<'_, Query>)>,
    paths: Vec<PathBuf>,
    target: PathBuf,
    threads: usize,
    progress: Option<Py<PyAny>>,
    force: bool,
) -> PyResult<Report> {
    let (names, queries): (Vec<String>, Vec<_>) = queries.into_iter().unzip();
    let programs: Vec<_> = queries.iter().map(|query| query.program.clone()).collect();
    let Some(program) = programs.first().cloned() else {
        return Err(PyValueError::new_err("queries must name a query"));
    };
    let mut labels = Labels::new(names).map_err(refused)?;
    let (cancel, source) = (Cancel::default(), Source::of_files(paths));
    let games = source.games_for(&program, Some(&target), &cancel)?;
    let task = QueryTask { program, table: Table::nothing(), threads, limit: None };
    let ours = cancel.clone();
    let search = move |counters: &Counters| {
        let search = SearchTask { games, cancel: &ours, counters };
        let (report, result) = task.label(search, &programs, &mut labels);
        (report, result, labels)
    };
    let (report, result, labels) = in_thread(py, cancel.clone(), progress, search)?;
    match result {
        Err(Stop::Unreadable(message)) => refuse(py, &report, Some(message))?,
        result => result?,
    }
    let failed = |error| PyErr::from(unwritable(&target, error));
    // The thread of the search has cancelled the first one at its end.
    let cancel = Cancel::default();
    let inputs = source.inputs(&cancel)?;
    let originals = inputs.originals();
    let write = || {
        labels.write(&inputs, |head| {
            NewFile::create(&target, Rules::new(Replace::results(force, Some(head)), &originals))
        })
    };
    let file = detached(&cancel, write)?.map_err(|error| match error {
        LabelError::Unwritable(error) => failed(error),
        error => refused(error),
    })?;
    warn_of_replaced(py, &file, &target)?;
    detached(&cancel, || file.finish())?.map_err(failed)?;
    Ok(report)
}

fn refused(error: LabelError) -> PyErr {
    match error {
        LabelError::Unreadable(_) | LabelError::Cut(..) => PyOSError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}
