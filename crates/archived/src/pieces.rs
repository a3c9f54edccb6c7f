//! Games in pieces that can be searched apart: cut without writing anything, and put together again.
//!
//! Games that have an archive are cut by their numbers, where its blocks end; others are read once,
//! and cut where games end without doubt. Where that is depends on the games and the number of
//! pieces alone, so whoever cuts the same games has the same pieces.

use std::ops::Range;
use std::path::{Path, PathBuf};

use archive::{Archive, Error, Standing};
use flow::{Bytes, Cancel, Place};
use input::{How, Inputs, Part};
use shards::Error as CutError;

use crate::{Archived, Games, NotFound, Stretch, Walk};

/// Consecutive games of one source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// They are read from their text.
    Text(Part),
    /// They are searched by their archive.
    Archive(Slice),
}

/// Consecutive games of an archive, all of one source, with the numbers and the name that they have
/// in the whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Slice {
    /// The folder of the archive, or its address.
    pub archive: PathBuf,
    /// What tells the archive from any other, and from what it becomes.
    pub id: String,
    /// The numbers of the games in the archive.
    pub games: Range<u64>,
    /// What their source is called.
    pub name: String,
    /// The number of the first of them in the source.
    pub game: u64,
    /// How many games come before those of the source.
    pub games_before: u64,
}

impl Piece {
    /// What the source of the games is called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Piece::Text(part) => &part.name,
            Piece::Archive(slice) => &slice.name,
        }
    }
}

impl Slice {
    /// How many games come before those of the archive.
    fn games_before_archive(&self) -> u64 {
        let before = self.games_before.saturating_add(self.game);
        before.saturating_sub(self.games.start)
    }
}

/// Games that were cut.
#[derive(Debug, Default)]
pub struct Pieces {
    /// All of them, in order.
    pub pieces: Vec<CutPiece>,
    /// What `lastgamenumber` says of all games; it is not known where there are archives.
    pub last_game_number: Option<u64>,
    /// What tells these games, in these pieces, from any others.
    pub id: String,
}

/// A piece of games that were cut.
#[derive(Debug)]
pub struct CutPiece {
    /// The games.
    pub piece: Piece,
    /// How many there are.
    pub n_games: u64,
    /// In which of the equal parts of all bytes it begins, from 0.
    pub nth: u64,
}

impl Walk<'_> {
    /// Cuts the games into about `n` pieces: where the games of a file end, and where one of `n`
    /// equal parts of all bytes does. What is packed stays whole. With `keeps_damaged`, a file that
    /// cannot be read to its end is pieces, too: whoever searches them comes to the damage. `go_on` is
    /// asked now and then, and ends the work where it says false.
    ///
    /// # Errors
    /// Games cannot be read, or are not to be had piece by piece.
    pub fn cut(
        &self,
        n: u64,
        keeps_damaged: bool,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<Pieces, CutError> {
        let files: Vec<Result<(&Path, u64), String>> = self.inputs.files().collect();
        let mut bytes = 0;
        for stretch in self.stretches {
            match stretch {
                Stretch::Archive(archived, _) => bytes += archived.size().1,
                Stretch::Text(range) => {
                    for file in &files[range.clone()] {
                        let (_, size) = file.as_ref().map_err(|name| no_file(name))?;
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
            cut: Pieces {
                last_game_number: Some(0),
                ..Pieces::default()
            },
        };
        for stretch in self.stretches {
            match stretch {
                Stretch::Archive(archived, _) => cutting.archive(archived),
                Stretch::Text(range) => cutting.text(self.inputs, range, &files, go_on)?,
            }
        }
        Ok(cutting.finish())
    }
}

/// Said of what can be read only once, and of what is no file any more.
fn no_file(name: &str) -> CutError {
    CutError::Failed(format!(
        "{name} is no file that can be cut where it is: `cql split` makes shards of it"
    ))
}

/// Games on their way into pieces.
struct Cutting {
    /// The size of a piece.
    step: u64,
    keeps_damaged: bool,
    /// How many bytes, and games, come before those of now.
    bytes_before: u64,
    games_before: u64,
    /// All that was seen of the games.
    described: String,
    cut: Pieces,
}

impl Cutting {
    fn archive(&mut self, archived: &Archived<'_>) {
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
            if let Some(CutPiece {
                piece: Piece::Archive(slice),
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
            let slice = Slice {
                archive: archived.archive.folder().to_owned(),
                id: archived.archive.manifest().id().to_owned(),
                game: games.start - origin.games_before,
                games,
                name: origin.name.to_string(),
                games_before,
            };
            self.cut.pieces.push(CutPiece {
                piece: Piece::Archive(slice),
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
        files: &[Result<(&Path, u64), String>],
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
                Err(error) => return Err(CutError::Failed(error.to_string())),
            };
            let (name, file) = (source.name.to_string(), remote::shown(path));
            if last.replace(place) == Some(place) || name != file {
                return Err(CutError::Failed(format!(
                    "{file} has members, which cannot be cut where they are: `cql split` makes shards of \
                     them"
                )));
            }
            let is_packed = matches!(source.bytes, Bytes::InOrder(_));
            let (before, step) = (self.bytes_before, self.step);
            let nth = |offset: u64| (before + offset) / step;
            let is_enough = |start: Place, _, end: u64| !is_packed && nth(end) > nth(start.offset);
            let cut = shards::stretches(source, &is_enough, &mut |_| go_on())?;
            let games_before = self.games_before;
            if let Some(failure) = &cut.failure
                && !self.keeps_damaged
            {
                return Err(CutError::Failed(failure.to_string()));
            }
            let is_damaged = cut.failure.is_some();
            if is_damaged && cut.stretches.is_empty() {
                self.damaged(path, *bytes);
            }
            for stretch in cut.stretches {
                let part = Part {
                    path: path.to_path_buf(),
                    name: name.clone(),
                    start: stretch.start,
                    end: (!is_packed).then_some(stretch.end.offset),
                    games_before,
                    bytes: *bytes,
                };
                self.games_before += stretch.games();
                self.cut.pieces.push(CutPiece {
                    piece: Piece::Text(part),
                    n_games: stretch.games(),
                    nth: nth(stretch.start.offset),
                });
            }
            // The damage belongs to the last of them.
            if is_damaged
                && let Some(CutPiece {
                    piece: Piece::Text(part),
                    ..
                }) = self.cut.pieces.last_mut()
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

    /// A file of which no game can be read.
    fn damaged(&mut self, path: &Path, bytes: u64) {
        let part = Part {
            path: path.to_path_buf(),
            name: remote::shown(path),
            games_before: self.games_before,
            bytes,
            ..Part::default()
        };
        self.cut.pieces.push(CutPiece {
            piece: Piece::Text(part),
            n_games: 0,
            nth: self.bytes_before / self.step,
        });
    }

    fn finish(self) -> Pieces {
        let described = format!("{}{:?}", self.described, self.cut.pieces);
        Pieces {
            id: shards::id(described.as_bytes()),
            ..self.cut
        }
    }
}

impl Default for Piece {
    fn default() -> Piece {
        Piece::Text(Part::default())
    }
}

impl Games {
    /// Pieces of games, in this order. `name` is that of all together.
    ///
    /// # Errors
    /// An archive is not there any more, or not the one that was cut, or the search is cancelled.
    pub fn of_pieces(
        name: &str,
        pieces: impl IntoIterator<Item = Piece>,
        how: How,
        cancel: &Cancel,
    ) -> Result<Games, NotFound> {
        let mut games = Games::from(Inputs::of_parts(name, [], how, cancel));
        for piece in pieces {
            match piece {
                Piece::Text(part) => {
                    let inputs = Inputs::of_parts(name, [part], how, cancel);
                    games.inputs.append(inputs);
                }
                Piece::Archive(slice) => games.add(slice, how, cancel)?,
            }
        }
        Ok(games)
    }

    /// Adds games of an archive, if it is still what it was.
    fn add(&mut self, slice: Slice, how: How, cancel: &Cancel) -> Result<(), NotFound> {
        let refused = |error: Error| NotFound::Archive(slice.archive.clone(), error);
        let found = Games::find(std::slice::from_ref(&slice.archive), how, [], cancel)?;
        let [(_, archive)] = found.archives.as_slice() else {
            return Err(refused(Error::Missing));
        };
        let files = archive.manifest().files.iter();
        let files: Vec<PathBuf> = files.map(|file| PathBuf::from(&file.name)).collect();
        let is_it = archive.manifest().id() == slice.id
            && archive.standing(&files, cancel).map_err(refused)? == Standing::Current;
        if !is_it {
            let changed = "it, or one of its files, has been changed since it was cut";
            return Err(refused(Error::Unreadable(changed.to_owned())));
        }
        let first = self.inputs.paths().count();
        let sliced = Sliced {
            slice,
            archive: archive.clone(),
            files: first..first + files.len(),
        };
        self.slices.push(sliced);
        self.inputs.append(found.inputs);
        Ok(())
    }

    /// The slices as stretches, with their places among the inputs.
    pub(crate) fn slices(
        &self,
        cancel: &Cancel,
    ) -> impl Iterator<Item = (Box<Archived<'_>>, Range<usize>)> {
        self.slices.iter().filter_map(|sliced| {
            let Sliced {
                slice,
                archive,
                files,
            } = sliced;
            let folder = archive.folder();
            let inputs = &self.inputs;
            let archive = archive.clone();
            // There is one: it was cut by its games.
            let archived = Archived::new(folder, archive, inputs, files.start, None, cancel)?;
            Some((Box::new(archived.sliced(slice)), files.clone()))
        })
    }
}

/// Games of an archive among the inputs.
pub(crate) struct Sliced {
    slice: Slice,
    archive: Archive,
    /// The places of its files.
    files: Range<usize>,
}

impl Archived<'_> {
    /// Only these of its games.
    fn sliced(mut self, slice: &Slice) -> Self {
        if let Some(source) = self.part(slice.games.start).map(|part| part.source) {
            self.sources[source].origin.name = slice.name.as_str().into();
        }
        self.only = Some((slice.games.clone(), slice.games_before_archive()));
        self
    }
}
