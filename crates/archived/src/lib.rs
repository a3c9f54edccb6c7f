//! Games of archives: searched by their columns, and by their text only where it takes that.
//!
//! What comes of a search is what comes of the text. So games that have faults, or of which the
//! columns do not know enough, are read from their text as if there were no archive; and there is
//! none where the text is not the one that it was made of.
//!
//! Names mean [`Games`], archives among them or beside them. These are cut into [stretches](Stretch)
//! that are searched by an archive or as they stand, and a [`Walk`] goes through all of them. Who
//! counts or compares games instead has [`Blocks`] of their columns. A walk can also be cut into
//! [pieces](Pieces), of which others make games again. Archives are [made](make) here, too, in the same
//! way for all. Nothing is printed here: who wants to know is
//! told why an archive is [not used](Unused).

mod asked;
mod blocks;
mod games;
mod make;
mod pieces;
mod screens;
mod searcher;
mod stored;
mod stretches;
mod walk;

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use archive::{Archive, BLOCK_ROWS, Form};
use flow::{Bytes, Cancel, Format, GameSource, Input, Origin, Place};
use input::Inputs;

pub use asked::Asked;
pub use blocks::{Blocks, Chosen, piece};
pub use games::{Games, NotFound, archive};
pub use make::{Heard, KeepText, Made, MakeOptions, make};
pub use pieces::{CutPiece, Piece, Pieces, Slice};
pub use screens::Screens;
use searcher::Searcher;
pub use stretches::{Stretch, Unused};
pub use walk::{Walk, sources_of};

/// Something that gave games to an archive.
struct Source {
    origin: Origin,
    /// The place of its file among the inputs.
    file: usize,
}

/// Games of one source in one segment.
#[derive(Clone)]
struct Part {
    games: Range<u64>,
    segment: usize,
    /// The row of the first of them.
    row: usize,
    source: usize,
}

/// An archive that says what its files say.
pub struct Archived<'i> {
    name: String,
    archive: Archive,
    inputs: &'i Inputs,
    sources: Vec<Source>,
    parts: Vec<Part>,
    /// Of a slice, the numbers of its games in the archive, and how many games come before the
    /// archive.
    only: Option<(Range<u64>, u64)>,
    /// What was found to be wrong with it.
    damage: OnceLock<String>,
    /// What ends reading it.
    cancel: Cancel,
    /// Games of it that were seen.
    n_seen: AtomicU64,
}

impl<'i> Archived<'i> {
    /// An archive of files that stand among the inputs from one of them on. Its sources are called
    /// by these names, or else as they were called when it was made. None if its games cannot be
    /// read one by one.
    fn new(
        folder: &Path,
        archive: Archive,
        inputs: &'i Inputs,
        first_file: usize,
        names: Option<&[String]>,
        cancel: &Cancel,
    ) -> Option<Archived<'i>> {
        let manifest = archive.manifest();
        let (mut sources, mut games_before) = (Vec::new(), 0);
        for archived in &manifest.sources {
            if archived.form != Form::Pgn {
                return None;
            }
            let file = usize::try_from(archived.file).ok()?;
            let name = match names {
                Some(names) => names.get(file)?,
                None => &archived.name,
            };
            sources.push(Source {
                origin: Origin {
                    name: name.as_str().into(),
                    games_before,
                },
                file: first_file + file,
            });
            games_before += archived.games;
        }
        Some(Archived {
            name: remote::shown(folder),
            parts: parts(&archive),
            archive,
            inputs,
            sources,
            only: None,
            damage: OnceLock::new(),
            cancel: cancel.clone(),
            n_seen: AtomicU64::new(0),
        })
    }

    /// The ranges of games that are evaluated together, if so many come before them.
    pub fn ranges(&self, before: u64) -> Box<flow::Ranges<'_>> {
        let only = self
            .only
            .as_ref()
            .map_or(0..u64::MAX, |only| only.0.clone());
        let ranges = self.parts.iter().flat_map(|part| {
            let Range { start, end } = part.games.clone();
            let in_block = (part.row % BLOCK_ROWS) as u64;
            let first_end = end.min(start + BLOCK_ROWS as u64 - in_block);
            let starts = (first_end..end).step_by(BLOCK_ROWS);
            let others = starts.map(move |start| start..end.min(start + BLOCK_ROWS as u64));
            std::iter::once(start..first_end).chain(others)
        });
        let ranges = ranges.map(move |range| range.start.max(only.start)..range.end.min(only.end));
        let ranges = ranges.filter(|range| !range.is_empty());
        Box::new(ranges.map(move |range| range.start + before..range.end + before))
    }

    /// Where a game is from.
    fn origin(&self, number: u64) -> Option<&Origin> {
        let source = self.part(number)?.source;
        self.sources.get(source).map(|source| &source.origin)
    }

    fn part(&self, number: u64) -> Option<&Part> {
        let behind = self
            .parts
            .partition_point(|part| part.games.start <= number);
        self.parts.get(behind.checked_sub(1)?)
    }

    /// The text of a source.
    fn input(&self, source: usize) -> Result<Arc<dyn Input + 'i>, String> {
        match self.inputs.unmetered(self.sources[source].file) {
            Some(Ok(GameSource {
                bytes: Bytes::Anywhere(input),
                format: Format::Pgn,
                ..
            })) => Ok(input),
            Some(Err(unreadable)) => Err(unreadable.message),
            _ => Err(stored::CHANGED.to_owned()),
        }
    }

    /// The source of a name.
    fn source(&self, name: &str) -> Option<GameSource<'i>> {
        let mut sources = self.sources.iter();
        let place = sources.position(|source| *source.origin.name == *name)?;
        let origin = &self.sources[place].origin;
        Some(GameSource {
            name: origin.name.clone(),
            bytes: Bytes::Anywhere(self.input(place).ok()?),
            format: Format::Pgn,
            games_before: Some(origin.games_before),
            start: Place::START,
        })
    }

    /// Notes that it is damaged. The result is what may be said of a game of it.
    fn note_damage(&self, what: String) -> String {
        let message = format!("its archive: {what}");
        self.damage.get_or_init(|| what);
        message
    }

    /// What was found to be wrong with it.
    fn damage(&self) -> Option<&str> {
        self.damage.get().map(String::as_str)
    }

    /// Its sources by their names, and how many games each of them has.
    pub fn sources(&self) -> impl Iterator<Item = (Arc<str>, u64)> {
        let games = self
            .archive
            .manifest()
            .sources
            .iter()
            .map(|source| source.games);
        self.sources
            .iter()
            .map(|source| source.origin.name.clone())
            .zip(games)
    }

    /// Has the [meter](Inputs::meter) of the inputs count so many more of its games as if their part
    /// of the files had been read.
    pub fn see(&self, n_games: u64) {
        let (all, bytes) = self.size();
        let share = |n: u64| u128::from(bytes) * u128::from(n) / u128::from(all.max(1));
        let before = self.n_seen.fetch_add(n_games, Ordering::Relaxed);
        let n_bytes = share(before + n_games) - share(before);
        let meter = self.inputs.meter();
        meter.add(u64::try_from(n_bytes).unwrap_or(u64::MAX));
    }

    /// How many games it has, and bytes its files.
    pub fn size(&self) -> (u64, u64) {
        let manifest = self.archive.manifest();
        let bytes = manifest.files.iter().map(|file| file.bytes);
        let only = self.only.as_ref();
        let games = only.map_or(manifest.games, |(games, _)| games.end - games.start);
        (games, bytes.sum())
    }

    /// As messages name it.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Cuts the games of an archive where segments or sources end.
fn parts(archive: &Archive) -> Vec<Part> {
    let manifest = archive.manifest();
    let mut parts = Vec::new();
    let (mut source, mut source_end) = (0, 1 + manifest.sources.first().map_or(0, |s| s.games));
    let mut next = 1;
    for (segment, entry) in manifest.segments.iter().enumerate() {
        let (start, end) = (next, next + entry.games);
        while next < end {
            while source_end <= next && source + 1 < manifest.sources.len() {
                source += 1;
                source_end += manifest.sources[source].games;
            }
            let part_end = end.min(source_end.max(next + 1));
            parts.push(Part {
                games: next..part_end,
                segment,
                row: (next - start) as usize,
                source,
            });
            next = part_end;
        }
    }
    parts
}
