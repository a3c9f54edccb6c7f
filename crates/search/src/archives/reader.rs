//! An open archive as a source of games.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use archive::{
    Archive, ArchivedSource, BLOCK_ROWS, Error, Manifest, Rows, SegmentFile, TextAccess,
    ThemeSegment,
};
use flow::{
    Bytes, Cancel, GameSource, GameStart, Input, Origin, Output, ReadError, Results, SourceFormat,
};
use input::Inputs;
use syntax::library::ThemeSet;

use super::blocks::ArchiveReadError;
use super::themes::OpenThemes;

/// A source whose games are stored in the archive.
pub(super) struct Source {
    pub(super) origin: Origin,
    /// Index of the source's file in the inputs.
    file: usize,
    /// Number of the source among those of its file, from 0.
    member: usize,
    /// Whether the text has bytes that are not UTF-8.
    pub(super) is_not_utf8: bool,
    /// The text that the archive stores of the source, if the file cannot be read in part.
    pub(super) stored: Option<Result<Arc<dyn Input>, Error>>,
}

impl Source {
    /// Says where results come from, and what is known of the text. `before` is the number of games
    /// before the archive.
    pub(super) fn tell<R>(&self, before: u64, out: &mut Output<R>) {
        out.origin.name = self.origin.name.clone();
        out.origin.games_before = before + self.origin.games_before;
        out.is_not_utf8 = self.is_not_utf8;
    }
}

/// Consecutive games that come from one source and are stored in one segment.
#[derive(Clone)]
pub(super) struct SourceRows {
    /// Numbers of the games in the archive, from 1.
    pub(super) games: Range<u64>,
    pub(super) segment: usize,
    /// Row of the first game in the segment.
    pub(super) row: usize,
    pub(super) source: usize,
}

/// An open archive whose source files have not changed since it was built.
pub struct ArchiveReader<'i> {
    name: String,
    pub(super) archive: Archive,
    inputs: &'i Inputs,
    pub(super) sources: Vec<Source>,
    parts: Vec<SourceRows>,
    /// For a part of an archive: the numbers of its games in the archive, and the number of games
    /// before the archive in the whole search. `None` for a complete archive.
    pub(super) only: Option<(Range<u64>, u64)>,
    /// The themes that the archive keeps, once they are needed.
    themes: OnceLock<Result<Option<OpenThemes>, Error>>,
    /// First damage found while reading; the search then continues with the text.
    damage: OnceLock<ReadError>,
    /// Handle that cancels reading.
    pub(super) cancel: Cancel,
    /// Number of games searched so far, for progress.
    n_seen: AtomicU64,
}

impl<'i> ArchiveReader<'i> {
    /// Opens an archive for the inputs from `first_file` on. The sources are called `names` if
    /// given, with the names of their members, and otherwise keep the names they had when the archive
    /// was built. Returns `None` if a source is neither plain PGN nor compressed PGN whose text is
    /// stored: its games cannot be read individually.
    pub(super) fn new(
        folder: &Path,
        archive: Archive,
        inputs: &'i Inputs,
        first_file: usize,
        names: Option<&[String]>,
        cancel: &Cancel,
    ) -> Option<ArchiveReader<'i>> {
        let manifest = archive.manifest();
        let (mut sources, mut games_before) = (Vec::new(), 0);
        for (place, archived) in manifest.sources.iter().enumerate() {
            let file = archived.file as usize;
            let known = manifest.files.get(file).filter(|_| archived.is_separable())?;
            let is_in_file = archived.form == TextAccess::Pgn;
            let is_there = is_in_file || inputs.is_supplied(first_file + file);
            let stored = if is_there { None } else { Some(archive.text(place).transpose()?) };
            let name = match names.and_then(|names| names.get(file)) {
                Some(name) => {
                    let member = archived.name.strip_prefix(&known.given).unwrap_or_default();
                    format!("{name}{member}")
                }
                None => archived.name.clone(),
            };
            let of_file = |source: &&Source| source.file == first_file + file;
            sources.push(Source {
                origin: Origin { name: name.into(), games_before },
                file: first_file + file,
                member: sources.iter().filter(of_file).count(),
                is_not_utf8: archived.is_not_utf8,
                stored,
            });
            games_before += archived.games;
        }
        Some(ArchiveReader {
            name: remote::shown(folder),
            parts: parts(&archive),
            archive,
            inputs,
            sources,
            only: None,
            themes: OnceLock::new(),
            damage: OnceLock::new(),
            cancel: cancel.clone(),
            n_seen: AtomicU64::new(0),
        })
    }

    /// Returns the ranges of games that are evaluated together: the blocks of the archive. Numbers
    /// are increased by `before`, the number of games in earlier inputs.
    pub fn ranges(&self, before: u64) -> Box<flow::Ranges<'_>> {
        let only = self.only.as_ref().map_or(0..u64::MAX, |only| only.0.clone());
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

    /// Returns the origin of the game with this number.
    pub(super) fn origin(&self, number: u64) -> Option<&Origin> {
        let source = self.part(number)?.source;
        self.sources.get(source).map(|source| &source.origin)
    }

    /// Returns the part that contains the game with this number.
    pub(super) fn part(&self, number: u64) -> Option<&SourceRows> {
        let behind = self.parts.partition_point(|part| part.games.start <= number);
        self.parts.get(behind.checked_sub(1)?)
    }

    /// Opens the themes of a segment if some are wanted; `None` if they are not known.
    pub(super) fn open_themes(
        &self,
        segment: usize,
        wanted: ThemeSet,
    ) -> Result<Option<ThemeSegment<SegmentFile>>, Error> {
        match self.themes(wanted)? {
            Some(themes) => themes.open(&self.archive, segment),
            None => Ok(None),
        }
    }

    /// Reads themes of the block in `rows`, if they are known.
    pub(super) fn read_themes(
        &self,
        segment: &mut Option<ThemeSegment<SegmentFile>>,
        rows: &mut Rows,
        wanted: ThemeSet,
    ) -> Result<(), Error> {
        match (segment, self.themes(wanted)?) {
            (Some(segment), Some(themes)) => themes.read(segment, rows, wanted),
            _ => Ok(()),
        }
    }

    fn themes(&self, wanted: ThemeSet) -> Result<Option<&OpenThemes>, Error> {
        if wanted.is_empty() {
            return Ok(None);
        }
        let themes = self.themes.get_or_init(|| OpenThemes::of(&self.archive));
        themes.as_ref().map(Option::as_ref).map_err(Error::clone)
    }

    /// Opens the text of a source.
    pub(super) fn input(&self, source: usize) -> Result<Arc<dyn Input + 'i>, ArchiveReadError> {
        let Source { origin, file, member, stored, .. } = &self.sources[source];
        let opened = match stored {
            Some(Ok(text)) => self.inputs.stored(&origin.name, text.clone()),
            Some(Err(error)) => return Err(ArchiveReadError::Archive(error.clone())),
            None => self.inputs.unmetered(*file, *member),
        };
        match opened {
            Some(Ok(GameSource {
                bytes: Bytes::Anywhere(input),
                format: SourceFormat::Pgn,
                ..
            })) => Ok(input),
            Some(Err(unreadable)) => Err(ArchiveReadError::Text(unreadable.error)),
            _ => Err(ArchiveReadError::Changed),
        }
    }

    /// Returns the source with this name, for searching its text.
    pub(super) fn source(&self, name: &str) -> Option<GameSource<'i>> {
        let mut sources = self.sources.iter();
        let place = sources.position(|source| *source.origin.name == *name)?;
        let origin = &self.sources[place].origin;
        Some(GameSource {
            name: origin.name.clone(),
            bytes: Bytes::Anywhere(self.input(place).ok()?),
            format: SourceFormat::Pgn,
            games_before: Some(origin.games_before),
            start: GameStart::START,
        })
    }

    /// Records that the archive is damaged, and returns the error for the game being read. Only the
    /// first damage is kept.
    pub(super) fn note_damage(&self, error: impl Into<ReadError>) -> ReadError {
        let error = error.into();
        self.damage.get_or_init(|| error.clone());
        ArchiveReadError::OfGames(error).into()
    }

    /// Returns the damage found so far, if any.
    pub(super) fn damage(&self) -> Option<&ReadError> {
        self.damage.get()
    }

    /// Iterates over the sources: name and number of games.
    pub fn sources(&self) -> impl Iterator<Item = (Arc<str>, u64)> {
        let games = self.archive.manifest().sources.iter().map(|source| source.games);
        self.sources.iter().map(|source| source.origin.name.clone()).zip(games)
    }

    /// Returns the output of each source without games, in order; of none if this is a part of an archive.
    /// `before` is the number of games before the archive.
    pub(super) fn empty_sources<R: Results>(&self, before: u64) -> impl Iterator<Item = Output<R>> {
        let sources = self.sources.iter().zip(&self.archive.manifest().sources);
        let is_empty = |(_, known): &(&Source, &ArchivedSource)| known.games == 0;
        sources.filter(move |source| self.only.is_none() && is_empty(source)).map(
            move |(source, _)| {
                let mut out = Output::default();
                source.tell(before, &mut out);
                out.first_game = out.origin.games_before + 1;
                out
            },
        )
    }

    /// Records that `n_games` more games have been searched. The [meter](Inputs::meter) of the
    /// inputs advances by the corresponding share of the file sizes, so that progress is comparable
    /// with that of a text search.
    pub fn see(&self, n_games: u64) {
        let (all, bytes) = self.size();
        let share = |n: u64| u128::from(bytes) * u128::from(n) / u128::from(all.max(1));
        let before = self.n_seen.fetch_add(n_games, Ordering::Relaxed);
        let n_bytes = share(before + n_games) - share(before);
        let meter = self.inputs.meter();
        meter.add(u64::try_from(n_bytes).unwrap_or(u64::MAX));
    }

    /// Returns the number of games before those of the archive: `before`, the number of games read
    /// so far, or for a part of an archive, its number in the whole search.
    pub fn games_before(&self, before: u64) -> u64 {
        self.only.as_ref().map_or(before, |only| only.1)
    }

    /// Returns the number of games to search and the total size of the source files in bytes.
    pub fn size(&self) -> (u64, u64) {
        let manifest = self.archive.manifest();
        let bytes = manifest.files.iter().map(|file| file.bytes);
        let only = self.only.as_ref();
        let games = only.map_or(manifest.games, |(games, _)| games.end - games.start);
        (games, bytes.sum())
    }

    /// Returns the size of the games in bytes, decompressed if their text is stored: for a part of an
    /// archive, its share of the sources.
    pub fn n_bytes(&self) -> u64 {
        let Manifest { sources, files, .. } = self.archive.manifest();
        let mut sizes: HashMap<u64, u64> = (0..).zip(files.iter().map(|file| file.bytes)).collect();
        let texts =
            || sources.iter().filter_map(|source| Some((source.file, source.text.as_ref()?)));
        sizes.extend(texts().map(|(file, _)| (file, 0)));
        texts().for_each(|(file, text)| *sizes.entry(file).or_default() += text.text_bytes);
        let (games, bytes) = (self.size().0, sizes.values().sum::<u64>());
        let share = u128::from(bytes) * u128::from(games);
        let all = u128::from(self.archive.manifest().games.max(1));
        u64::try_from(share / all).unwrap_or(u64::MAX)
    }

    /// Returns the name of the archive as shown in messages.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// Divides the games of an archive into parts, at the ends of segments and of sources.
fn parts(archive: &Archive) -> Vec<SourceRows> {
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
            parts.push(SourceRows {
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
