//! Builds archives and resumes unfinished ones.
//!
//! Rows are written in the order of the games and fill one segment after the other. Each segment
//! file is complete before the manifest lists it. So however a run ends, its finished segments
//! stay, and the next run resumes after them ([`plan`](super::plan)).

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flow::{
    Bytes, FaultKind, GameSource, Output, Results, RunOptions, SourceError, SourceFormat, Worker,
};
use pgn::RawGame;

use crate::encode::{Encoder, skip};
use crate::error::{Error, Refusal};
use crate::fresh::Fresh;
use crate::manifest::{ArchivedFile, ArchivedSource, Manifest, SegmentEntry, TextAccess, shown};
use crate::plan::ReusablePrefix;
use crate::rows::{Rows, SEGMENT_GAMES};

/// Number of moves that fill a segment even with few games, since a game can be very long.
const SEGMENT_MOVES: usize = 32 << 20;

/// Rows of the games of one chunk.
#[derive(Debug, Default)]
pub struct Chunk {
    /// Number of each game that has a row.
    numbers: Vec<u64>,
    rows: Rows,
}

/// A game whose evaluation panicked has no row; [`Builder::take`] reports it.
impl Results for Chunk {}

impl Worker for Encoder {
    type Results = Chunk;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Chunk>) {
        self.encode(raw, &mut out.results.rows);
        out.results.numbers.push(number);
    }

    fn skipped(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Chunk>) {
        skip(raw.offset, &mut out.results.rows);
        out.results.numbers.push(number);
    }
}

/// Records the sources as they are opened, for the builder that receives their games later.
#[derive(Clone, Debug, Default)]
pub struct SourceLog(Arc<Mutex<VecDeque<LoggedSource>>>);

/// A source with its name as results give it.
type LoggedSource = (Arc<str>, ArchivedSource);

impl SourceLog {
    /// Records a source of the file with this index.
    pub fn note(&self, file: usize, source: &GameSource<'_>) {
        let is_packed = matches!(source.bytes, Bytes::InOrder(_));
        let form = match (&source.format, is_packed) {
            (SourceFormat::Pgn, false) => TextAccess::Pgn,
            (SourceFormat::Pgn, true) => TextAccess::PackedPgn,
            (SourceFormat::Lines(_), false) => TextAccess::Lines,
            (SourceFormat::Lines(_), true) => TextAccess::PackedLines,
        };
        let archived = ArchivedSource {
            name: source.name.to_string(),
            file: file as u64,
            form,
            games: 0,
            is_not_utf8: false,
            text: None,
        };
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sources.push_back((source.name.clone(), archived));
    }

    /// Returns the recorded source with this name. Sources recorded before it had no games and are
    /// dropped.
    fn take(&self, name: &Arc<str>) -> Option<ArchivedSource> {
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some((noted, source)) = sources.pop_front() {
            if Arc::ptr_eq(&noted, name) {
                return Some(source);
            }
        }
        None
    }
}

/// Writes the segments and the manifest of an archive.
pub struct Builder {
    folder: PathBuf,
    /// Manifest of the segments written so far, …
    manifest: Manifest,
    /// … and the file name under which it is written.
    name: &'static str,
    kept: ReusablePrefix,
    /// The files as messages name them.
    named: Vec<String>,
    opened: SourceLog,
    /// Name of the source whose games arrive now, and the names of all sources so far.
    current: Option<Arc<str>>,
    names: HashSet<String>,
    /// Games of the next segment; index of the source and byte offset in it of the first one.
    rows: Rows,
    start: (u64, u64),
    segment_games: usize,
}

impl Builder {
    /// Starts after the segments that are kept of an older archive of these files.
    pub(crate) fn new(
        folder: &Path,
        name: &'static str,
        old: Option<Manifest>,
        named: Vec<String>,
        files: Vec<ArchivedFile>,
        kept: ReusablePrefix,
    ) -> Builder {
        let mut manifest = Manifest::new(files);
        if let Some(old) = old {
            manifest.set_keeps_text(old.keeps_text());
            manifest.segments = old.segments;
            manifest.segments.truncate(kept.segments);
            manifest.games = kept.games;
            manifest.sources = old.sources;
            let first_file = kept.first_file as u64;
            manifest.sources.retain(|source| source.file < first_file);
            for (file, old) in manifest.files.iter_mut().zip(&old.files).take(kept.first_file) {
                file.games = old.games;
            }
        }
        let names = manifest.sources.iter().map(|source| source.name.clone());
        let names = names.collect();
        Builder {
            folder: folder.to_owned(),
            manifest,
            name,
            kept,
            named,
            opened: SourceLog::default(),
            current: None,
            names,
            rows: Rows::default(),
            start: (0, 0),
            segment_games: SEGMENT_GAMES,
        }
    }

    /// Limits segments to `n` games, at most [`SEGMENT_GAMES`]. Resuming an archive requires the
    /// same limit.
    pub fn set_segment_games(&mut self, n: usize) {
        self.segment_games = n.clamp(1, SEGMENT_GAMES);
    }

    /// Makes the archive store the text of its games, which [`keep_texts`](crate::keep_texts) adds
    /// after the build. An archive that already stores it keeps doing so without this call.
    pub fn set_keeps_text(&mut self) {
        self.manifest.set_keeps_text(true);
    }

    /// The part of the older archive that is kept; reading starts after it.
    #[must_use]
    pub fn kept(&self) -> &ReusablePrefix {
        &self.kept
    }

    /// Returns the log in which the caller records each source that it opens.
    #[must_use]
    pub fn opened(&self) -> SourceLog {
        self.opened.clone()
    }

    /// Number of games read so far, including those that are kept.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        self.manifest.games + self.rows.len() as u64
    }

    /// Reads the games after those that are kept, and finishes the archive. `sources` are those of
    /// the files from [`ReusablePrefix::first_file`] on, each with the index of its file. `heard` receives
    /// the number of games and the number of issues so far. Returns `None` if the run was
    /// cancelled.
    ///
    /// # Errors
    /// The games cannot be read, the archive cannot be written, or a file was changed in the
    /// meantime.
    pub fn read<'s>(
        mut self,
        sources: impl Iterator<Item = (usize, Result<GameSource<'static>, SourceError>)> + Send + 's,
        options: &RunOptions,
        heard: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Manifest>, Error> {
        let kept = self.kept;
        let opened = self.opened();
        let mut is_first = true;
        let sources = sources.map(move |(file, source)| {
            let mut source: Result<GameSource<'s>, SourceError> = source;
            if let Ok(source) = &mut source {
                if std::mem::take(&mut is_first) {
                    source.games_before = Some(kept.games_before);
                }
                opened.note(file, source);
            }
            source
        });
        let options = RunOptions { first_game: kept.games + 1, ..options.clone() };
        let mut n_faulty = 0;
        let mut sink = |out: Output<Chunk>| {
            n_faulty += out.faults.len() as u64;
            heard(self.n_games(), n_faulty);
            self.take(out).map_err(io::Error::other)
        };
        let ran = flow::run(Box::new(sources), &options, Encoder::default, &mut sink);
        heard(self.n_games(), n_faulty);
        let (summary, _) = ran.map_err(Error::of_run)?;
        if summary.cancelled { Ok(None) } else { self.finish().map(Some) }
    }

    /// Adds the rows of the next games, and writes each segment that becomes full.
    ///
    /// # Errors
    /// A source cannot be read to its end, a game has no row because of a defect of this program,
    /// or a segment cannot be written.
    pub fn take(&mut self, out: Output<Chunk>) -> Result<(), Error> {
        self.see_source(&out);
        if let Some(source) = self.manifest.sources.last_mut() {
            source.is_not_utf8 |= out.is_not_utf8;
        }
        if let Some(failure) = &out.failure {
            return Err(Error::unreadable(&*out.origin.name, failure.clone()));
        }
        let numbers = &out.results.numbers;
        let rows = &out.results.rows;
        // Games that are kept arrive again: they are counted, but not stored again.
        let end = out.first_game + out.n_games;
        let first = end.min(out.first_game.max(self.kept.games + 1));
        self.count(first - out.first_game);
        let (mut next, mut number) = (0, first);
        while number < end {
            let mut run = 0;
            let mut n_moves = self.rows.moves.n_items();
            while numbers.get(next + run) == Some(&(number + run as u64))
                && !self.is_full(self.rows.len() + run, n_moves)
            {
                n_moves += rows.moves.get(next + run).len();
                run += 1;
            }
            if run == 0 {
                let offset = left_out_at(&out, number)?;
                self.begin_with(offset);
                skip(offset, &mut self.rows);
            } else {
                self.begin_with(rows.offset.get(next));
                self.rows.append(rows, next..next + run);
            }
            let added = run.max(1);
            let before = self.rows.len() - added;
            let source = self.manifest.sources.last();
            let name = source.map(|source| source.name.as_bytes());
            self.rows.source.fill_from(before, name);
            self.count(added as u64);
            next += run;
            number += added as u64;
            if self.is_full(self.rows.len(), self.rows.moves.n_items()) {
                self.write_segment()?;
            }
        }
        Ok(())
    }

    /// Records the source of these games if it is a new one.
    fn see_source(&mut self, out: &Output<Chunk>) {
        let name = &out.origin.name;
        if self.current.as_ref().is_some_and(|current| Arc::ptr_eq(current, name)) {
            return;
        }
        self.current = Some(name.clone());
        if let Some(mut source) = self.opened.take(name) {
            let file = source.file as usize;
            self.close_files(file);
            let named = self.named.get(file).map_or("", String::as_str);
            let member = source.name.strip_prefix(named).unwrap_or_default();
            let given = self.manifest.files.get(file).map(|file| &file.given);
            let stable = given.map_or(member.to_owned(), |given| format!("{given}{member}"));
            // Members of a compressed file may have equal names, as may files of two folders.
            source.name.clone_from(&stable);
            let mut number = 1;
            while !self.names.insert(source.name.clone()) {
                number += 1;
                source.name = format!("{stable} ({number})");
            }
            self.manifest.sources.push(source);
        }
    }

    /// Sets the number of games of the files before `end`, which have been read to their ends.
    fn close_files(&mut self, end: usize) {
        // Earlier files already have theirs, and sources are in the order of their files.
        let files = self.manifest.files.iter_mut().enumerate().take(end);
        let mut sources = self.manifest.sources.iter().rev().peekable();
        for (number, file) in files.rev().take_while(|(_, file)| file.games.is_none()) {
            let mut n_games = 0;
            while let Some(source) = sources.next_if(|source| source.file >= number as u64) {
                n_games += source.games;
            }
            file.games = Some(n_games);
        }
    }

    /// Adds to the number of games of the current source.
    fn count(&mut self, n: u64) {
        if let Some(source) = self.manifest.sources.last_mut() {
            source.games += n;
        }
    }

    /// Whether a segment with this number of games and moves is full.
    fn is_full(&self, n_games: usize, n_moves: usize) -> bool {
        n_games >= self.segment_games || n_moves >= SEGMENT_MOVES
    }

    /// Records the source and offset at which the segment begins, if it has no games yet.
    fn begin_with(&mut self, offset: u64) {
        if self.rows.is_empty() {
            let source = self.manifest.sources.len().saturating_sub(1);
            self.start = (source as u64, offset);
        }
    }

    /// Writes the collected games as a segment, and then lists it in the manifest.
    fn write_segment(&mut self) -> Result<(), Error> {
        let failed = |error| Error::of_file(&self.folder, error);
        let mut fresh = Fresh::create_with_folder(&self.folder).map_err(failed)?;
        let (bytes, footer) = self.rows.write(&mut fresh).map_err(failed)?;
        let checksum = shown(footer);
        // The checksum keeps the name different from that of an older segment, which the manifest
        // on disk may still list.
        let number = self.manifest.segments.len();
        let name = format!("{number:05}-{}.arrow", &checksum[..8]);
        fresh.put_in(&self.folder, &name)?;
        self.manifest.segments.push(SegmentEntry {
            name,
            games: self.rows.len() as u64,
            bytes,
            checksum,
            source: self.start.0,
            offset: self.start.1,
        });
        self.manifest.games += self.rows.len() as u64;
        self.rows.clear();
        self.manifest.write(&self.folder, self.name)
    }

    /// Finishes the archive after the last game. If it is to store the text and that is not there
    /// yet, an older complete archive stays in place until [`keep_texts`](crate::keep_texts) has
    /// added it.
    ///
    /// # Errors
    /// A segment or the manifest cannot be written, or a file was changed while it was read.
    pub fn finish(mut self) -> Result<Manifest, Error> {
        for file in &self.manifest.files {
            file.is_as_before()?;
        }
        self.close_files(self.manifest.files.len());
        if !self.rows.is_empty() {
            self.write_segment()?;
        }
        self.manifest.complete = true;
        self.manifest.settle(&self.folder, self.name)?;
        Ok(self.manifest)
    }
}

/// Returns the byte offset of a line that is not a game and that every search skips.
fn left_out_at(out: &Output<Chunk>, number: u64) -> Result<u64, Error> {
    let mut faults = out.faults.iter();
    let fault = faults.find(|fault| fault.number == number && fault.kind == FaultKind::Skipped);
    let name = &out.origin.name;
    match fault {
        Some(fault) => Ok(fault.offset),
        None => Err(Error::unreadable(&**name, Refusal::Defect(number))),
    }
}
