//! Results written to files, counts, and diagrams.

use std::ffi::CString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use babson::Games;
use flow::Cancel;
use output::{NewFile, Replace, Rules};
use pyo3::exceptions::{PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use table::{OutputFormat, Table, TableOptions, Totals};

use crate::matches::per_of;
use crate::query::Query;
use crate::source::Source;
use crate::task::{QueryTask, Report, SearchTask, Stop};
use crate::wait::{Counters, detached, in_thread};

/// Returns the format with this name, or the format that the extension of `path` stands for.
fn format_of(name: Option<&str>, path: &Path) -> PyResult<OutputFormat> {
    let known = match name {
        None => OutputFormat::of_name(path),
        Some(name) => OutputFormat::of_extension(name),
    };
    known.ok_or_else(|| {
        let message = match name {
            Some(name) => format!("there is no format {name:?}"),
            None => format!(
                "{}: the extension does not determine a format: give format=",
                path.display()
            ),
        };
        let names = OutputFormat::names(OutputFormat::has_files);
        PyValueError::new_err(format!("{message}; the formats are {names}"))
    })
}

/// Searches, and writes the results to a file or an address, which appears complete or not at all.
/// Replaces no input, and without `force` only games and earlier results.
#[pyfunction]
#[pyo3(signature = (query, source, path, format, per, columns, threads, limit, progress, force))]
#[expect(clippy::too_many_arguments, reason = "each is a keyword in Python")]
pub(crate) fn write(
    py: Python<'_>,
    query: &Query,
    source: &Source,
    path: PathBuf,
    format: Option<&str>,
    per: &str,
    columns: Vec<String>,
    threads: usize,
    limit: Option<u64>,
    progress: Option<Py<PyAny>>,
    force: bool,
) -> PyResult<Report> {
    let options = TableOptions {
        format: format_of(format, &path)?,
        per: per_of(per)?,
        columns,
        query: vec![query.named_text()],
        ..TableOptions::default()
    };
    let task = task(query, &options, threads, limit)?;
    let cancel = Cancel::default();
    let games = source.games_for(&query.program, Some(&path), &cancel)?;
    let failed = |error| unwritable(&path, error);
    let first_line = task.table.first_line();
    let originals = source.originals(&games);
    let rules = Rules::new(Replace::results(force, first_line.as_deref()), &originals);
    let file = detached(&cancel, || NewFile::create(&path, rules))?.map_err(failed)?;
    warn_of_replaced(py, &file, &path)?;
    let (report, file, failure) = search(py, task, games, cancel.clone(), progress, file)?;
    if let Err(error) = refuse(py, &report, failure) {
        // Dropping the file waits until the upload has been aborted.
        detached(&cancel, || drop(file))?;
        return Err(error);
    }
    detached(&cancel, || file.finish())?.map_err(failed)?;
    Ok(report)
}

/// Warns that a new file replaces games that may be the user's own.
pub(crate) fn warn_of_replaced(py: Python<'_>, file: &NewFile, path: &Path) -> PyResult<()> {
    let Some(warning) = file.warning(path) else {
        return Ok(());
    };
    let category = py.get_type::<PyUserWarning>();
    PyErr::warn(py, &category, &CString::new(warning).unwrap_or_default(), 1)
}

/// Returns the error of an output with its name. Keeps the kind, from which PyO3 chooses the class of
/// the exception.
pub(crate) fn unwritable(path: &Path, error: io::Error) -> io::Error {
    let path = remote::shown(path);
    io::Error::new(error.kind(), format!("cannot write {path}: {error}"))
}

/// Turns an input that cannot be read to its end into an `OSError` with the `report` of the search.
pub(crate) fn refuse(py: Python<'_>, report: &Report, failure: Option<String>) -> PyResult<()> {
    let Some(message) = failure else {
        return Ok(());
    };
    let error = PyOSError::new_err(message);
    error.value(py).setattr("report", report.clone())?;
    Err(error)
}

/// Counts games and positions, grouped by columns. Returns the report, the counts as JSON Lines,
/// and an error message if an input could not be read to its end; the games before that are
/// counted.
#[pyfunction]
#[pyo3(signature = (query, source, by, threads, progress))]
pub(crate) fn count(
    py: Python<'_>,
    query: &Query,
    source: &Source,
    by: Vec<String>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(Report, Vec<u8>, Option<String>)> {
    let options =
        TableOptions { format: OutputFormat::Jsonl, counts: Some(by), ..TableOptions::default() };
    let task = task(query, &options, threads, None)?;
    let cancel = Cancel::default();
    let games = source.games_for(&query.program, None, &cancel)?;
    search(py, task, games, cancel, progress, Vec::new())
}

fn task(
    query: &Query,
    options: &TableOptions,
    threads: usize,
    limit: Option<u64>,
) -> PyResult<QueryTask> {
    let table = Table::new(&query.program, options);
    Ok(QueryTask {
        program: query.program.clone(),
        table: table.map_err(|error| PyValueError::new_err(error.to_string()))?,
        threads,
        limit,
    })
}

/// Report of a search, its output, and the error of an input that could not be read to its end.
type Searched<W> = (Report, W, Option<String>);

/// Searches, and writes the results to `out`.
fn search<W: Write + Send + 'static>(
    py: Python<'_>,
    task: QueryTask,
    games: Games,
    cancel: Cancel,
    progress: Option<Py<PyAny>>,
    out: W,
) -> PyResult<Searched<W>> {
    let ours = cancel.clone();
    let write = move |counters: &Counters| -> PyResult<Searched<W>> {
        let mut writer = task.table.begin(out)?;
        let mut n_written = 0;
        let mut take = |text: &[u8]| {
            n_written += 1;
            writer.game(text)
        };
        let search = SearchTask { games, cancel: &ours, counters };
        let (report, result) = task.run(search, &mut take);
        let totals = Totals {
            n_games: report.games,
            n_matches: report.matches,
            n_positions: report.positions,
            n_written,
        };
        let failure = match result {
            Err(Stop::Unreadable(message)) => Some(message),
            result => {
                result?;
                None
            }
        };
        Ok((report, writer.finish(&totals)?, failure))
    };
    in_thread(py, cancel, progress, write)?
}

/// Draws a position as SVG; `marks` are names of squares to color.
#[pyfunction]
#[pyo3(signature = (fen, marks, flip))]
pub(crate) fn diagram(fen: &str, marks: Vec<String>, flip: bool) -> PyResult<String> {
    let placement = fen.split_whitespace().next().unwrap_or_default();
    let board = board::parse_board(placement.as_bytes())
        .map_err(|error| PyValueError::new_err(format!("{fen:?} is not a FEN: {error}")))?;
    let squares = marks.iter().map(|name| {
        board::Square::parse(name.as_bytes()).ok_or_else(|| {
            PyValueError::new_err(format!("squares have the names a1 to h8, not {name:?}"))
        })
    });
    let squares = squares.collect::<PyResult<Vec<board::Square>>>()?;
    Ok(table::diagram(&board, &squares, flip))
}
