//! Making archives.

use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;

use archive::{Builder, Chunk, Encoder, Error, Lock, Manifest, Plan};
use flow::{Cancel, GameSource, Output, RunOptions, Unreadable};
use input::Inputs;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::source::Source;
use crate::wait::{Counters, Running, Watch};

/// Makes an archive of files, or brings one up to date. How many games it has, and how many of them
/// were there before.
#[pyfunction]
#[pyo3(signature = (paths, folder, threads, progress))]
pub(crate) fn index(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    folder: PathBuf,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64)> {
    if folder
        .extension()
        .is_none_or(|extension| extension != "cqa")
    {
        return Err(PyValueError::new_err("the name of an archive ends in .cqa"));
    }
    let cancel = Cancel::default();
    let inputs = Source::of_files(paths).inputs(&cancel)?;
    let files: Option<Vec<PathBuf>> = inputs
        .paths()
        .map(|path| path.map(Path::to_owned))
        .collect();
    let files = files.ok_or_else(|| PyValueError::new_err("an archive needs files"))?;
    if files
        .iter()
        .chain([&folder])
        .any(|file| remote::is_address(file))
    {
        let message =
            "an archive is made of files and in a folder: copy them to here first, or it to there";
        return Err(PyValueError::new_err(message));
    }
    let watch = Watch::new(progress);
    let counters = watch.counters();
    let (sender, receiver) = sync_channel(1);
    let ours = cancel.clone();
    let make = move || {
        let making = Making {
            inputs: &inputs,
            folder: &folder,
            threads,
            cancel: &ours,
            counters: &counters,
        };
        // Where nobody listens, nobody needs to know.
        let _ = sender.send(making.make(&files));
    };
    py.detach(|| {
        let mut running = Running::start(cancel, receiver, watch, make)?;
        let made = running.next(true)?;
        let made = made.ok_or_else(|| PyRuntimeError::new_err("the archive has failed"))?;
        running.tell_end()?;
        made.map_err(|error| PyOSError::new_err(error.to_string()))
    })
}

/// An archive in the making.
struct Making<'a> {
    inputs: &'a Inputs,
    folder: &'a Path,
    threads: usize,
    cancel: &'a Cancel,
    counters: &'a Counters,
}

impl Making<'_> {
    fn make(&self, files: &[PathBuf]) -> Result<(u64, u64), Error> {
        // What there is to do must still be so when it is done.
        let _lock = Lock::take(self.folder)?;
        match archive::plan(self.folder, files, self.cancel)? {
            Plan::Done(manifest) => Ok((manifest.games, manifest.games)),
            Plan::Build(builder) => {
                let kept = builder.kept().games;
                Ok((self.build(*builder)?.games, kept))
            }
        }
    }

    /// Reads the games behind those that are kept.
    fn build(&self, mut builder: Builder) -> Result<Manifest, Error> {
        let kept = *builder.kept();
        let opened = builder.opened();
        let mut is_first = true;
        let sources = self.inputs.sources_from(kept.first_file);
        let sources = sources.map(move |(file, source)| {
            let mut source: Result<GameSource<'_>, Unreadable> = source;
            if let Ok(source) = &mut source {
                if mem::take(&mut is_first) {
                    source.games_before = Some(kept.games_before);
                }
                opened.note(file, source);
            }
            source
        });
        let options = RunOptions {
            threads: match self.threads {
                0 => thread::available_parallelism().map_or(1, usize::from),
                threads => threads,
            },
            first_game: kept.games + 1,
            size: self.inputs.size(),
            ..RunOptions::new(self.cancel.clone())
        };
        self.counters.begin(self.inputs);
        let mut failed = None;
        let mut sink = |out: Output<Chunk>| {
            self.counters.set(builder.n_games(), 0);
            builder.take(out).map_err(|error| {
                failed = Some(error);
                io::Error::other("the archive cannot be written")
            })
        };
        let ran = flow::run(Box::new(sources), &options, Encoder::default, &mut sink);
        if let Some(error) = failed {
            return Err(error);
        }
        let (summary, _) = ran.map_err(|error| Error::Unreadable(error.to_string()))?;
        match summary.cancelled {
            true => Err(Error::Unreadable("it was ended early".to_owned())),
            false => builder.finish(),
        }
    }
}
