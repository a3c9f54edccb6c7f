//! Search results as a stream of record batches, by the Arrow PyCapsule interface.

use std::io;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, SchemaRef};
use flow::Cancel;
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use table::{Column, OutputFormat, Per, Table, TableOptions};

use crate::arrow::{ColumnBuilders, schema};
use crate::query::Query;
use crate::source::Source;
use crate::task::{QueryTask, Report, SearchTask};
use crate::wait::{Running, Watch};

/// Number of rows after which a batch is sent.
const BATCH_ROWS: usize = 4096;

/// Time after which a batch is sent with the rows that it has.
const BATCH_TIME: Duration = Duration::from_millis(250);

/// Number of batches that may wait to be taken.
const WAITING: usize = 4;

/// The matching games or positions. The search starts when the table is read; each reading is a
/// search of its own.
#[pyclass(frozen, module = "babson")]
pub(crate) struct Matches {
    task: QueryTask,
    source: Source,
    schema: SchemaRef,
    /// Report of the search that ended last.
    report: Arc<Mutex<Option<Report>>>,
    /// Python function that is called with the progress of a search.
    progress: Option<Py<PyAny>>,
}

/// Parses the value of `per`: whether a row is a position or a game.
pub(crate) fn per_of(name: &str) -> PyResult<Per> {
    match name {
        "position" => Ok(Per::Position),
        "game" => Ok(Per::Game),
        _ => {
            let message = format!("per must be 'position' or 'game', not {name:?}");
            Err(PyValueError::new_err(message))
        }
    }
}

#[pymethods]
impl Matches {
    #[new]
    #[pyo3(signature = (query, source, per, columns, threads, limit, progress))]
    fn new(
        query: &Query,
        source: &Source,
        per: &str,
        columns: Vec<String>,
        threads: usize,
        limit: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Matches> {
        let options = TableOptions {
            // The format whose rows are cells.
            format: OutputFormat::Parquet,
            per: per_of(per)?,
            columns,
            ..TableOptions::default()
        };
        let table = Table::new(&query.program, &options);
        let table = table.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Matches {
            schema: schema(table.columns()),
            task: QueryTask { program: query.program.clone(), table, threads, limit },
            source: source.share(),
            report: Arc::default(),
            progress,
        })
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let columns = self.task.table.columns().iter();
        columns.map(|column| column.name.clone()).collect()
    }

    /// Report of the search that ended last; None before the first has ended.
    #[getter]
    fn report(&self) -> Option<Report> {
        self.report.lock().ok().and_then(|report| report.clone())
    }

    /// Returns the search with at most `limit` games.
    fn limited(&self, limit: u64) -> Matches {
        Matches {
            task: QueryTask {
                limit: Some(self.task.limit.map_or(limit, |old| old.min(limit))),
                ..self.task.clone()
            },
            source: self.source.share(),
            schema: self.schema.clone(),
            report: Arc::default(),
            progress: None,
        }
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema);
        let schema = schema.map_err(|error| PyValueError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // The interface allows an exporter to ignore the requested schema.
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.start(py)?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}

impl Matches {
    fn start(&self, py: Python<'_>) -> PyResult<Batches> {
        let cancel = Cancel::default();
        let games = self.source.games_for(&self.task.program, None, &cancel)?;
        let (sender, receiver) = sync_channel(WAITING);
        let (task, schema) = (self.task.clone(), self.schema.clone());
        let (report, ours) = (self.report.clone(), cancel.clone());
        let watch = Watch::new(self.progress.as_ref().map(|tell| tell.clone_ref(py)));
        let counters = watch.counters();
        let search = move || {
            let search = SearchTask { games, cancel: &ours, counters: &counters };
            send_batches(&task, schema, search, &sender, &report);
        };
        Ok(Batches {
            schema: self.schema.clone(),
            running: Mutex::new(Running::start(cancel, receiver, watch, search)?),
            starter: thread::current().id(),
        })
    }
}

type Batch = Result<RecordBatch, ArrowError>;

/// Searches, and sends rows in batches until the receiver is dropped.
fn send_batches(
    task: &QueryTask,
    schema: SchemaRef,
    search: SearchTask<'_>,
    sender: &SyncSender<Batch>,
    report: &Mutex<Option<Report>>,
) {
    let columns: &[Column] = task.table.columns();
    let mut gathered = ColumnBuilders::new(columns, schema);
    let mut last = Instant::now();
    let send = |batch| sender.send(batch).map_err(|_| io::Error::other("the receiver is gone"));
    let mut take = |row: &[u8]| {
        gathered.add(row);
        let is_late = || last.elapsed() >= BATCH_TIME;
        if gathered.n_rows() >= BATCH_ROWS || (gathered.n_rows() > 0 && is_late()) {
            send(gathered.take())?;
            last = Instant::now();
        }
        Ok(())
    };
    let (found, result) = task.run(search, &mut take);
    if let Ok(mut report) = report.lock() {
        *report = Some(found);
    }
    // A send error only means that the receiver has been dropped.
    if gathered.n_rows() > 0 {
        let _ = send(gathered.take());
    }
    if let Err(stop) = result {
        let _ = send(Err(stop.into_arrow()));
    }
}

/// The batches of a search.
struct Batches {
    schema: SchemaRef,
    running: Mutex<Running<Batch>>,
    /// Thread that started the search. Only this thread checks for signals: another one could wait
    /// forever for the interpreter, which this thread may hold.
    starter: ThreadId,
}

impl Iterator for Batches {
    type Item = Batch;

    fn next(&mut self) -> Option<Batch> {
        let is_starter = thread::current().id() == self.starter;
        let running = self.running.get_mut().ok()?;
        let next = running.next(is_starter);
        let next = next.and_then(|batch| match batch {
            None if is_starter => running.tell_end().map(|()| None),
            batch => Ok(batch),
        });
        match next {
            Ok(batch) => batch,
            Err(error) => Some(Err(interrupted(error))),
        }
    }
}

/// Converts an error of Python for the reader of the batches. A reader reports an Arrow error,
/// which hides that the user pressed Ctrl-C, so the interrupt is raised again when Python resumes.
fn interrupted(error: PyErr) -> ArrowError {
    Python::attach(|py| {
        if !error.is_instance_of::<PyKeyboardInterrupt>(py) {
            return ArrowError::ExternalError(error.to_string().into());
        }
        let again = py.import("_thread").and_then(|module| module.call_method0("interrupt_main"));
        let text = match again {
            Ok(_) => "interrupted".to_owned(),
            Err(_) => error.to_string(),
        };
        ArrowError::ExternalError(text.into())
    })
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
