//! Issues of games as JSON, and files in which they are repaired.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flow::Cancel;
use input::{Inputs, ReadOptions};
use output::{NewFile, Replace, Rules};
use pgn::VariantNames;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use survey::PassProgress;
use survey::doctor::{DoctorError, Listener, Remark, Sums, examine};

use crate::counts::{Counted, joined};
use crate::output::{unwritable, warn_of_replaced};
use crate::source::Source;
use crate::wait::{Counters, detached, in_thread};

/// Collects the issues of games.
struct Listed<'c> {
    counters: &'c Counters,
    /// Issues as JSON; `None` if only their totals are wanted.
    remarks: Option<Vec<String>>,
    failures: Vec<String>,
}

impl Listener for Listed<'_> {
    fn remark(&mut self, remark: &Remark<'_>) {
        if let Some(remarks) = &mut self.remarks {
            remarks.extend(serde_json::to_string(remark));
        }
    }

    fn unread(&mut self, name: &str, message: &str, _: u64) {
        self.failures.push(format!("{name}: {message}"));
    }

    fn progress(&mut self, so_far: PassProgress) {
        self.counters.set(so_far.games, so_far.faulty);
    }
}

/// Examines games, and writes them with their issues repaired to a new file, if one is named. It
/// replaces no input, and without `force` only games and earlier results.
#[pyfunction]
#[pyo3(signature = (source, repair, summary, force, progress))]
pub(crate) fn doctor(
    py: Python<'_>,
    source: &Source,
    repair: Option<PathBuf>,
    summary: bool,
    force: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Counted> {
    if source.is_part() {
        let message = "shards are not examined: name the files";
        return Err(PyValueError::new_err(message));
    }
    let cancel = Cancel::default();
    let how = ReadOptions { keeps_old_line_ends: true, ..ReadOptions::default() };
    let games = source.found(how, repair.as_deref(), &cancel)?;
    let originals = source.originals(&games);
    let failed = |error| unwritable(repair.as_deref().unwrap_or(Path::new("")), error);
    let rules = Rules::new(Replace::results(force, None), &originals);
    let create = || repair.as_deref().map(|path| NewFile::create(path, rules)).transpose();
    let file = detached(&cancel, create)?.map_err(failed)?;
    if let (Some(file), Some(path)) = (&file, &repair) {
        warn_of_replaced(py, file, path)?;
    }
    let ours = cancel.clone();
    let inputs = games.inputs;
    let examine = move |counters: &Counters| examined(&inputs, file, !summary, counters, &ours);
    let (mut sums, listed, failures, file) = in_thread(py, cancel.clone(), progress, examine)?
        .map_err(|error| match error {
            DoctorError::Cancelled => PyRuntimeError::new_err(error.to_string()),
            DoctorError::Unreadable(..) => PyOSError::new_err(error.to_string()),
            DoctorError::Unwritable(error) => failed(error).into(),
        })?;
    if let Some(file) = file {
        detached(&cancel, || file.finish())?.map_err(failed)?;
        sums.repaired = repair.as_deref().map(remote::shown);
    }
    let sums = serde_json::to_string(&sums).map_err(io::Error::from)?;
    let counted = match listed {
        None => sums,
        Some(remarks) => joined(&format!("\"remarks\":[{}]", remarks.join(",")), &sums),
    };
    Ok((counted, failures))
}

/// Totals, issues if they are listed, inputs that could not be read, and the new file.
type Examined = (Sums, Option<Vec<String>>, Vec<String>, Option<NewFile>);

fn examined(
    inputs: &Inputs,
    mut file: Option<NewFile>,
    lists: bool,
    counters: &Counters,
    cancel: &Cancel,
) -> Result<Examined, DoctorError> {
    counters.begin(inputs);
    let mut listed = Listed { counters, remarks: lists.then(Vec::new), failures: Vec::new() };
    let out = file.as_mut().map(|file| file as &mut dyn Write);
    let sums = examine(inputs, VariantNames::default(), None, out, &mut listed, cancel)?;
    Ok((sums, listed.remarks, listed.failures, file))
}
