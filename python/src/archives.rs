//! Builds archives and brings them up to date.

use std::path::PathBuf;

use archive::{Error, Refusal};
use babson::{KeepText, KeepThemes, MakeOptions};
use flow::{Cancel, RunOptions};
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use syntax::parse::theme_set;

use crate::source::Source;
use crate::wait::{Counters, in_thread};

/// Builds an archive of files, or brings one up to date. If `self_contained` is `None`, an existing
/// archive stays as it is in this respect, and likewise if `themes` is `None`; themes with names are
/// added to those that it keeps, and no names remove all. Returns the number of games in the archive, and the
/// number of those that it already had.
#[pyfunction]
#[pyo3(signature = (paths, folder, self_contained, themes, threads, progress))]
pub(crate) fn index(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    folder: PathBuf,
    self_contained: Option<bool>,
    themes: Option<Vec<String>>,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64)> {
    if folder.extension().is_none_or(|extension| extension != "cqa") {
        return Err(PyValueError::new_err("the name of an archive must end in .cqa"));
    }
    let cancel = Cancel::default();
    let inputs = Source::of_files(paths).inputs(&cancel)?;
    let paths = inputs.paths().flatten();
    if paths.chain([folder.as_path()]).any(remote::is_address) {
        let message = "an archive is built from local files in a local folder: copy files here \
                       first, or the archive there later";
        return Err(PyValueError::new_err(message));
    }
    if inputs.paths().any(|path| path.is_none()) {
        return Err(PyValueError::new_err("an archive needs files"));
    }
    let wanted = MakeOptions {
        text: match self_contained {
            None => KeepText::AsBefore,
            Some(true) => KeepText::Yes,
            Some(false) => KeepText::No,
        },
        themes: match themes {
            None => KeepThemes::AsBefore,
            Some(names) if names.is_empty() => KeepThemes::No,
            Some(names) => KeepThemes::With(
                theme_set(&names.join(","))
                    .map_err(|unknown| PyValueError::new_err(unknown.to_string()))?,
            ),
        },
        ..MakeOptions::default()
    };
    let options = RunOptions {
        threads: flow::n_threads(threads),
        size: inputs.size(),
        ..RunOptions::new(cancel.clone())
    };
    let make = move |counters: &Counters| {
        counters.begin(&inputs);
        let made = babson::make(&inputs, &folder, wanted, &options, &mut |heard| {
            counters.set(heard.games, 0);
        })?;
        let made = made.ok_or_else(|| Error::unreadable("", Refusal::Ended))?;
        Ok((made.manifest.games, made.kept))
    };
    let made: Result<(u64, u64), Error> = in_thread(py, cancel, progress, make)?;
    made.map_err(|error| PyOSError::new_err(error.to_string()))
}
