//! Pieces of games that can be searched apart, in other processes and on other machines.

use std::io;
use std::path::{Path, PathBuf};

use ::shards::{Manifest, Size, Stretch, stretches};
use flow::{Bytes, Cancel, Input, Place};
use input::Part;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::source::Source;
use crate::wait::detached;

/// Consecutive games of a file, or of a shard that was made of one. It can be pickled.
#[pyclass(frozen, get_all, eq, module = "babson")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Its place among all, from 0.
    index: u64,
    /// The file.
    path: String,
    /// What the games come from.
    input: String,
    /// Where it begins there: the byte, …
    offset: u64,
    /// … the number of its first game, from 1, …
    game: u64,
    /// … and the line, from 1.
    line: u64,
    /// The byte before which its games begin; None if the file has no others.
    end: Option<u64>,
    /// How many games it has.
    games: u64,
    /// How many games come before its input.
    games_before: u64,
    /// The size of the file.
    bytes: u64,
}

#[pymethods]
impl Shard {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "it is made by pickle")]
    fn new(
        index: u64,
        path: String,
        input: String,
        offset: u64,
        game: u64,
        line: u64,
        end: Option<u64>,
        games: u64,
        games_before: u64,
        bytes: u64,
    ) -> Shard {
        Shard {
            index,
            path,
            input,
            offset,
            game,
            line,
            end,
            games,
            games_before,
            bytes,
        }
    }

    #[expect(clippy::type_complexity, reason = "the fields in their order")]
    fn __getnewargs__(
        &self,
    ) -> (
        u64,
        String,
        String,
        u64,
        u64,
        u64,
        Option<u64>,
        u64,
        u64,
        u64,
    ) {
        (
            self.index,
            self.path.clone(),
            self.input.clone(),
            self.offset,
            self.game,
            self.line,
            self.end,
            self.games,
            self.games_before,
            self.bytes,
        )
    }

    fn __repr__(&self) -> String {
        let Shard {
            index,
            path,
            game,
            games,
            ..
        } = self;
        format!("<Shard {index}: {games} games of {path} from game {game}>")
    }
}

impl Shard {
    /// What is read of the file, if it is still what it was.
    pub(crate) fn part(&self, cancel: &Cancel) -> PyResult<Part> {
        let path = &self.path;
        if size_of(Path::new(path), cancel)? != self.bytes {
            let path = remote::shown(Path::new(path));
            let message = format!("{path} has been changed since it was cut");
            return Err(PyOSError::new_err(message));
        }
        Ok(Part {
            path: PathBuf::from(path),
            name: self.input.clone(),
            start: Place {
                offset: self.offset,
                game: self.game,
                line: self.line,
            },
            end: self.end,
            games_before: self.games_before,
        })
    }
}

/// The size of a file, or of what is behind an address.
fn size_of(path: &Path, cancel: &Cancel) -> PyResult<u64> {
    let size = match path.to_str().filter(|_| remote::is_address(path)) {
        None => std::fs::metadata(path).map(|metadata| metadata.len()),
        Some(address) => match detached(cancel, || remote::open(address, cancel))? {
            Ok(remote::Opened::Anywhere(object)) => Ok(object.size()),
            Ok(remote::Opened::InOrder(_)) => Err(io::Error::other(
                "the server gives no pieces of files: search it as it is",
            )),
            Err(error) => Err(error),
        },
    };
    size.map_err(|error| {
        // As Python says it, so that the kind of error stays.
        io::Error::new(
            error.kind(),
            format!("cannot read {}: {error}", remote::shown(path)),
        )
        .into()
    })
}

/// Cuts games into about `n` pieces. Those of a manifest are its shards; what is packed stays whole.
#[pyfunction]
pub(crate) fn shards(py: Python<'_>, paths: Vec<PathBuf>, n: u64) -> PyResult<Vec<Shard>> {
    match paths.as_slice() {
        [path] if is_manifest(path)? => of_manifest(path),
        _ => of_files(py, paths, n),
    }
}

fn is_manifest(path: &Path) -> PyResult<bool> {
    let is_archive = path.extension().is_some_and(|extension| extension == "cqa");
    let has_name = |path: &Path| path.file_name().is_some_and(|name| name == "manifest.json");
    if is_archive || has_name(path) {
        return Ok(!is_archive);
    }
    match path.to_str().filter(|_| remote::is_address(path)) {
        None => Ok(path.join("manifest.json").is_file()),
        // Elsewhere folders have names that end so.
        Some(folder) if folder.ends_with('/') => {
            let manifest = format!("{folder}manifest.json");
            let cancel = Cancel::default();
            Ok(detached(&cancel, || remote::exists(&manifest, &cancel))??)
        }
        Some(_) => Ok(false),
    }
}

fn of_manifest(path: &Path) -> PyResult<Vec<Shard>> {
    let cancel = Cancel::default();
    let read = detached(&cancel, || Manifest::read(path, &cancel))?;
    let (manifest, folder) = read.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let folder = match remote::is_address(&folder) {
        true => folder,
        // A manifest that is named without a folder lies here.
        false => std::path::absolute(Path::new(".").join(folder))?,
    };
    let shards = manifest.shards.iter().zip(0..);
    let shards = shards.map(|(shard, index)| Shard {
        index,
        path: remote::join(&folder, &shard.name)
            .to_string_lossy()
            .into_owned(),
        input: manifest.source(shard).to_owned(),
        offset: shard.offset,
        game: shard.game,
        line: shard.line,
        end: None,
        games: shard.games,
        games_before: shard.games_before_source(),
        bytes: shard.bytes,
    });
    Ok(shards.collect())
}

fn of_files(py: Python<'_>, names: Vec<PathBuf>, n: u64) -> PyResult<Vec<Shard>> {
    let cancel = Cancel::default();
    let inputs = Source::of_files(names).inputs(&cancel)?;
    let text_bytes = inputs.size().unwrap_or(0).div_ceil(n.max(1)).max(1);
    let paths: Vec<Option<&Path>> = inputs.paths().collect();
    let mut shards = Vec::new();
    let (mut games_before, mut last) = (0, None);
    for (place, source) in inputs.sources_from(0) {
        let source = source.map_err(|error| PyOSError::new_err(error.to_string()))?;
        let path = paths.get(place).copied().flatten();
        let path = path.ok_or_else(|| PyOSError::new_err("only files can be cut"))?;
        let given = remote::shown(path);
        let input = source.name.to_string();
        if last.replace(place) == Some(place) || given != input {
            let message = format!("{given} has several members: `cql split` makes shards of it");
            return Err(PyOSError::new_err(message));
        }
        let is_packed = matches!(source.bytes, Bytes::InOrder(_));
        let size = Size {
            games: u64::MAX,
            bytes: if is_packed { u64::MAX } else { text_bytes },
        };
        let mut signal = Ok(());
        let mut go_on = |_| {
            signal = Python::attach(|py| py.check_signals());
            signal.is_ok()
        };
        let cut = py.detach(|| stretches(source, size, &mut go_on));
        signal?;
        let cut = cut.map_err(|error| PyOSError::new_err(error.to_string()))?;
        let bytes = size_of(path, &cancel)?;
        let path = match remote::is_address(path) {
            true => path.to_owned(),
            false => std::path::absolute(path)?,
        };
        let path = path.to_string_lossy().into_owned();
        let n_games = cut.iter().map(Stretch::games).sum::<u64>();
        shards.extend(cut.into_iter().map(|stretch| Shard {
            index: 0,
            path: path.clone(),
            input: input.clone(),
            offset: stretch.start.offset,
            game: stretch.start.game,
            line: stretch.start.line,
            end: (!is_packed).then_some(stretch.end.offset),
            games: stretch.games(),
            games_before,
            bytes,
        }));
        games_before += n_games;
    }
    for (shard, index) in shards.iter_mut().zip(0..) {
        shard.index = index;
    }
    Ok(shards)
}
