//! Divides games into partitions that can be searched separately, and reassembles them.
//!
//! Nothing is written. Games of an archive are divided by number, at the ends of blocks. Other
//! games are read once and divided where a game certainly ends. The boundaries depend only on the
//! games and the number of partitions, so dividing the same games again gives the same partitions.

use std::ops::Range;
use std::path::{Path, PathBuf};

use archive::{Archive, ArchiveState, Error, Refusal};
use flow::{Bytes, Cancel, GameStart};
use input::{FilePartition, IndivisibleInput, Inputs, ReadOptions};
use shards::Error as CutError;

use super::games::{Games, NotFound};
use super::groups::InputGroup;
use super::reader::ArchiveReader;
use super::walk::ScanPlan;

/// Consecutive games of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partition {
    /// Games that are read from their text.
    Text(FilePartition),
    /// Games that are searched by their archive.
    Archive(ArchivePartition),
}

/// Consecutive games of an archive, all of one source, with their numbers and source name among all
/// games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchivePartition {
    /// Path or address of the archive's folder.
    pub archive: PathBuf,
    /// Identifies this version of the archive, see [`archive::Manifest::id`].
    pub id: String,
    /// Numbers of the games in the archive.
    pub games: Range<u64>,
    /// Name of the source.
    pub name: String,
    /// Number of the first game in the source.
    pub game: u64,
    /// Number of games before those of the source.
    pub games_before: u64,
}

impl Partition {
    /// Name of the games' source.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Partition::Text(part) => &part.name,
            Partition::Archive(slice) => &slice.name,
        }
    }
}

impl ArchivePartition {
    /// Number of games before those of the archive.
    fn games_before_archive(&self) -> u64 {
        let before = self.games_before.saturating_add(self.game);
        before.saturating_sub(self.games.start)
    }
}

/// Games divided into partitions.
#[derive(Debug, Default)]
pub struct Partitions {
    /// The partitions, in order.
    pub pieces: Vec<PlannedPartition>,
    /// Value of `lastgamenumber` for all games; `None` if there are archives.
    pub last_game_number: Option<u64>,
    /// Identifies these games and their division.
    pub id: String,
}

/// A partition, with its place among the others.
#[derive(Debug)]
pub struct PlannedPartition {
    /// Games of the partition.
    pub piece: Partition,
    /// Number of games.
    pub n_games: u64,
    /// Index, from 0, of the equal part of all bytes in which the partition begins.
    pub nth: u64,
}

impl ScanPlan<'_> {
    /// Divides the games into about `n` partitions: at the ends of files, and at the ends of `n`
    /// equal parts of all bytes. Compressed files are not divided. With `keeps_damaged`, a file
    /// that cannot be read to its end is included, and searching its last partition reports the
    /// damage. `go_on` is called now and then and cancels the work by returning `false`.
    ///
    /// # Errors
    /// Games cannot be read, or their source cannot be divided.
    pub fn cut(
        &self,
        n: u64,
        keeps_damaged: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Partitions, CutError> {
        let files: Vec<Result<(&Path, u64), IndivisibleInput>> = self.inputs.files().collect();
        let mut bytes = 0;
        for group in self.groups {
            match group {
                InputGroup::Archive(archived, _) => bytes += archived.size().1,
                InputGroup::Text(range) => {
                    for file in &files[range.clone()] {
                        let no_file =
                            |input: &IndivisibleInput| CutError::Indivisible(input.0.clone());
                        let (_, size) = file.as_ref().map_err(no_file)?;
                        bytes += size;
                    }
                }
            }
        }
        let mut cutting = Cutting {
            step: bytes.div_ceil(n.max(1)).max(1),
            keeps_damaged,
            bytes_before: 0,
            games_before: 0,
            described: String::new(),
            cut: Partitions { last_game_number: Some(0), ..Partitions::default() },
        };
        for group in self.groups {
            match group {
                InputGroup::Archive(archived, _) => cutting.archive(archived),
                InputGroup::Text(range) => cutting.text(self.inputs, range, &files, go_on)?,
            }
        }
        Ok(cutting.finish())
    }
}

/// State of dividing games into partitions.
struct Cutting {
    /// Size of a partition in bytes.
    step: u64,
    keeps_damaged: bool,
    /// Numbers of bytes and games before the current ones.
    bytes_before: u64,
    games_before: u64,
    /// Description of all games so far, from which the identifier is computed.
    described: String,
    cut: Partitions,
}

impl Cutting {
    fn archive(&mut self, archived: &ArchiveReader<'_>) {
        let (n_games, bytes) = archived.size();
        let share = |game: u64| u128::from(bytes) * u128::from(game - 1) / u128::from(n_games);
        for games in archived.ranges(0) {
            let at = self.bytes_before + u64::try_from(share(games.start)).unwrap_or(bytes);
            let nth = at / self.step;
            let Some(origin) = archived.origin(games.start) else {
                continue;
            };
            let games_before = self.games_before + origin.games_before;
            let n_games = games.end - games.start;
            if let Some(PlannedPartition {
                piece: Partition::Archive(slice),
                n_games: n_before,
                nth: before,
            }) = self.cut.pieces.last_mut()
                && (slice.games.end, slice.games_before, *before)
                    == (games.start, games_before, nth)
            {
                slice.games.end = games.end;
                *n_before += n_games;
                continue;
            }
            let slice = ArchivePartition {
                archive: archived.archive.folder().to_owned(),
                id: archived.archive.manifest().id().to_owned(),
                game: games.start - origin.games_before,
                games,
                name: origin.name.to_string(),
                games_before,
            };
            self.cut.pieces.push(PlannedPartition {
                piece: Partition::Archive(slice),
                n_games,
                nth,
            });
        }
        self.bytes_before += bytes;
        self.games_before += n_games;
        self.cut.last_game_number = None;
    }

    fn text(
        &mut self,
        inputs: &Inputs,
        range: &Range<usize>,
        files: &[Result<(&Path, u64), IndivisibleInput>],
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<(), CutError> {
        let mut last = None;
        for (place, source) in inputs.sources_from(range.start) {
            let Some(Ok((path, bytes))) = files[..range.end].get(place) else {
                break;
            };
            let source = match source {
                Ok(source) => source,
                Err(_) if self.keeps_damaged => {
                    self.damaged(path, *bytes);
                    self.bytes_before += bytes;
                    continue;
                }
                Err(error) => return Err(CutError::Source(error)),
            };
            let (name, file) = (source.name.to_string(), remote::shown(path));
            if last.replace(place) == Some(place) || name != file {
                return Err(CutError::Members(file));
            }
            let is_packed = matches!(source.bytes, Bytes::InOrder(_));
            let (before, step) = (self.bytes_before, self.step);
            let nth = |offset: u64| (before + offset) / step;
            let is_enough =
                |start: GameStart, _, end: u64| !is_packed && nth(end) > nth(start.offset);
            let mut cut = shards::game_runs(source, &is_enough, &mut |_| go_on())?;
            let games_before = self.games_before;
            let failure = cut.failure.take();
            let is_damaged = failure.is_some();
            if let Some(failure) = failure.filter(|_| !self.keeps_damaged) {
                return Err(failure);
            }
            if is_damaged && cut.runs.is_empty() {
                self.damaged(path, *bytes);
            }
            for run in cut.runs {
                let part = FilePartition {
                    path: path.to_path_buf(),
                    name: name.clone(),
                    start: run.start,
                    end: (!is_packed).then_some(run.end.offset),
                    games_before,
                    bytes: *bytes,
                };
                self.games_before += run.games();
                self.cut.pieces.push(PlannedPartition {
                    piece: Partition::Text(part),
                    n_games: run.games(),
                    nth: nth(run.start.offset),
                });
            }
            // The last partition includes the damaged rest of the file.
            if is_damaged
                && let Some(PlannedPartition { piece: Partition::Text(part), .. }) =
                    self.cut.pieces.last_mut()
            {
                part.end = part.end.map(|_| *bytes);
            }
            self.described += &format!("{:?}", (name, bytes, cut.checksum));
            self.bytes_before += bytes;
            if let Some(n) = &mut self.cut.last_game_number {
                *n += cut.last_game_number;
            }
        }
        Ok(())
    }

    /// Adds a file from which no game can be read.
    fn damaged(&mut self, path: &Path, bytes: u64) {
        let part = FilePartition {
            path: path.to_path_buf(),
            name: remote::shown(path),
            games_before: self.games_before,
            bytes,
            ..FilePartition::default()
        };
        self.cut.pieces.push(PlannedPartition {
            piece: Partition::Text(part),
            n_games: 0,
            nth: self.bytes_before / self.step,
        });
    }

    fn finish(self) -> Partitions {
        let described = format!("{}{:?}", self.described, self.cut.pieces);
        Partitions { id: shards::id(described.as_bytes()), ..self.cut }
    }
}

impl Default for Partition {
    fn default() -> Partition {
        Partition::Text(FilePartition::default())
    }
}

impl Games {
    /// Reassembles partitions in this order. `name` is the name of all games together.
    ///
    /// # Errors
    /// An archive is missing or has changed since it was divided, or the search is cancelled.
    pub fn of_pieces(
        name: &str,
        pieces: impl IntoIterator<Item = Partition>,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Result<Games, NotFound> {
        let mut games = Games::from(Inputs::of_parts(name, [], how, cancel));
        for piece in pieces {
            match piece {
                Partition::Text(part) => {
                    let inputs = Inputs::of_parts(name, [part], how, cancel);
                    games.inputs.append(inputs);
                }
                Partition::Archive(slice) => games.add(slice, how, cancel)?,
            }
        }
        Ok(games)
    }

    /// Adds games of an archive, if it has not changed.
    fn add(
        &mut self,
        slice: ArchivePartition,
        how: ReadOptions,
        cancel: &Cancel,
    ) -> Result<(), NotFound> {
        let refused = |error: Error| NotFound::Archive(slice.archive.clone(), error);
        let found = Games::find(std::slice::from_ref(&slice.archive), how, [], cancel)?;
        let [(_, archive)] = found.archives.as_slice() else {
            return Err(refused(Error::Missing));
        };
        let files = archive.manifest().files.iter();
        let files: Vec<PathBuf> = files.map(|file| PathBuf::from(&file.name)).collect();
        let is_it = archive.manifest().id() == slice.id
            && archive.standing(&files, cancel).map_err(refused)? == ArchiveState::Current;
        if !is_it {
            return Err(refused(Error::unreadable("", Refusal::ChangedSinceCut)));
        }
        let first = self.inputs.paths().count();
        let sliced = Sliced { slice, archive: archive.clone(), files: first..first + files.len() };
        self.slices.push(sliced);
        self.inputs.append(found.inputs);
        Ok(())
    }

    /// Returns the slices as input groups, with the ranges of their inputs.
    pub(crate) fn slices(
        &self,
        cancel: &Cancel,
    ) -> impl Iterator<Item = (Box<ArchiveReader<'_>>, Range<usize>)> {
        self.slices.iter().filter_map(|sliced| {
            let Sliced { slice, archive, files } = sliced;
            let folder = archive.folder();
            let inputs = &self.inputs;
            let archive = archive.clone();
            // The archive can be searched, because it was divided by its games.
            let archived = ArchiveReader::new(folder, archive, inputs, files.start, None, cancel)?;
            Some((Box::new(archived.sliced(slice)), files.clone()))
        })
    }
}

/// A slice of an archive among the inputs.
pub(crate) struct Sliced {
    slice: ArchivePartition,
    archive: Archive,
    /// Indexes of the archive's files among the inputs.
    files: Range<usize>,
}

impl ArchiveReader<'_> {
    /// Restricts the archive to the games of a slice.
    fn sliced(mut self, slice: &ArchivePartition) -> Self {
        if let Some(source) = self.part(slice.games.start).map(|part| part.source) {
            self.sources[source].origin.name = slice.name.as_str().into();
        }
        self.only = Some((slice.games.clone(), slice.games_before_archive()));
        self
    }
}
