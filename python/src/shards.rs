//! Shards: consecutive games that other processes and machines can search on their own.

use std::io;
use std::path::{Path, PathBuf};

use ::shards::Manifest;
use babson::{ArchivePartition, Partition, PlannedPartition, ScanPlan};
use flow::{Cancel, GameStart};
use input::FilePartition;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;

use crate::source::Source;
use crate::wait::detached;

/// Consecutive games of a file, of an archive, or of a shard made by `cql split`. It can be
/// pickled.
#[pyclass(frozen, get_all, eq, module = "babson")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shard {
    /// Index among all shards, from 0.
    index: u64,
    /// The file, or the archive.
    path: String,
    /// Name of the input that the games come from.
    input: String,
    /// Offset of the first game in the input, in bytes; 0 for an archive.
    offset: u64,
    /// Number of the first game in the input, from 1.
    game: u64,
    /// Line of the first game in the input, from 1; 0 for an archive.
    line: u64,
    /// Offset before which all games of the shard begin; None if they are the last of the file.
    end: Option<u64>,
    /// Number of games.
    games: u64,
    /// Number of games before the input.
    games_before: u64,
    /// Size of the file in bytes; 0 for an archive.
    bytes: u64,
    /// Identifier of the archive; None if the games are read from a file.
    archive: Option<String>,
    /// Number of the first game in the archive, from 1; None for a file.
    first: Option<u64>,
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
        archive: Option<String>,
        first: Option<u64>,
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
            archive,
            first,
        }
    }

    #[expect(clippy::type_complexity, reason = "the fields in their order")]
    fn __getnewargs__(
        &self,
    ) -> (u64, String, String, u64, u64, u64, Option<u64>, u64, u64, u64, Option<String>, Option<u64>)
    {
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
            self.archive.clone(),
            self.first,
        )
    }

    fn __repr__(&self) -> String {
        let Shard { index, path, game, games, .. } = self;
        format!("<Shard {index}: {games} games of {path} from game {game}>")
    }
}

impl Shard {
    /// Converts a part of a search; `index` is its index among all.
    fn of(cut: PlannedPartition, index: u64) -> PyResult<Shard> {
        let full = |path: PathBuf| -> PyResult<String> {
            let path = if remote::is_address(&path) { path } else { std::path::absolute(path)? };
            Ok(path.to_string_lossy().into_owned())
        };
        Ok(match cut.piece {
            Partition::Text(part) => Shard {
                index,
                path: full(part.path)?,
                input: part.name,
                offset: part.start.offset,
                game: part.start.game,
                line: part.start.line,
                end: part.end,
                games: cut.n_games,
                games_before: part.games_before,
                bytes: part.bytes,
                archive: None,
                first: None,
            },
            Partition::Archive(slice) => Shard {
                index,
                path: full(slice.archive)?,
                input: slice.name,
                offset: 0,
                game: slice.game,
                line: 0,
                end: None,
                games: cut.n_games,
                games_before: slice.games_before,
                bytes: 0,
                archive: Some(slice.id),
                first: Some(slice.games.start),
            },
        })
    }

    /// Converts the shard back. Fails if its file has changed; an archive is checked when it is
    /// opened.
    pub(crate) fn piece(&self, cancel: &Cancel) -> PyResult<Partition> {
        let path = PathBuf::from(&self.path);
        if let (Some(id), Some(first)) = (&self.archive, self.first) {
            return Ok(Partition::Archive(ArchivePartition {
                archive: path,
                id: id.clone(),
                games: first..first.saturating_add(self.games),
                name: self.input.clone(),
                game: self.game,
                games_before: self.games_before,
            }));
        }
        let part = FilePartition {
            path,
            name: self.input.clone(),
            start: GameStart { offset: self.offset, game: self.game, line: self.line },
            end: self.end,
            games_before: self.games_before,
            bytes: self.bytes,
        };
        detached(cancel, || part.check(cancel).map_err(io::Error::from))??;
        Ok(Partition::Text(part))
    }
}

/// Cuts games into about `n` shards. A manifest yields the shards that it lists, a compressed file
/// stays whole, and an archive is cut between its games. A file that cannot be read to its end is
/// an error, or with `keep_damaged` becomes shards as well.
#[pyfunction]
pub(crate) fn shards(
    py: Python<'_>,
    paths: Vec<PathBuf>,
    n: u64,
    keep_damaged: bool,
) -> PyResult<Vec<Shard>> {
    match paths.as_slice() {
        [path] if is_manifest(path)? => of_manifest(path),
        _ => of_files(py, paths, n, keep_damaged),
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
        // In object storage a name that ends in a slash is a folder.
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
    let folder = if remote::is_address(&folder) {
        folder
    } else {
        // A manifest named without a folder is in the current one.
        std::path::absolute(Path::new(".").join(folder))?
    };
    let shards = manifest.shards.iter().zip(0..);
    let shards = shards.map(|(shard, index)| Shard {
        index,
        path: remote::join(&folder, &shard.name).to_string_lossy().into_owned(),
        input: manifest.source(shard).to_owned(),
        offset: shard.offset,
        game: shard.game,
        line: shard.line,
        end: None,
        games: shard.games,
        games_before: shard.games_before_source(),
        bytes: shard.bytes,
        archive: None,
        first: None,
    });
    Ok(shards.collect())
}

fn of_files(
    py: Python<'_>,
    names: Vec<PathBuf>,
    n: u64,
    keep_damaged: bool,
) -> PyResult<Vec<Shard>> {
    let cancel = Cancel::default();
    let games = Source::of_files(names).games(&cancel)?;
    let mut signal = Ok(());
    let mut go_on = || {
        signal = Python::attach(|py| py.check_signals());
        signal.is_ok()
    };
    let cut = py.detach(|| {
        let groups = games.groups(false, &cancel, &mut |_| ());
        let walk = ScanPlan { inputs: &games.inputs, groups: &groups };
        walk.cut(n, keep_damaged, &mut go_on)
    });
    signal?;
    let cut = cut.map_err(|error| PyOSError::new_err(error.to_string()))?;
    let pieces = cut.pieces.into_iter().zip(0..);
    pieces.map(|(piece, index)| Shard::of(piece, index)).collect()
}
