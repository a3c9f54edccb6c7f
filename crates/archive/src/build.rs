//! Making archives, or going on with them.
//!
//! Rows come in the order of the games and fill one segment after the other. Each segment is put in
//! its place before the manifest names it, so whatever ends a run, the segments that are done stay,
//! and the next run goes on behind them ([`plan`](super::plan)).

use std::collections::{HashSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flow::{Bytes, FaultKind, Format, GameSource, Output, Results, RunOptions, Unreadable, Worker};
use pgn::RawGame;

use crate::encode::{Encoder, skip};
use crate::error::Error;
use crate::fresh::Fresh;
use crate::manifest::{ArchivedFile, ArchivedSource, Form, Manifest, SegmentEntry, shown};
use crate::plan::Kept;
use crate::rows::{Rows, SEGMENT_GAMES};

/// A segment is full with so many moves, too: games are short, but need not be.
const SEGMENT_MOVES: usize = 32 << 20;

/// What the games of a chunk become.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The number of each game that has a row.
    numbers: Vec<u64>,
    rows: Rows,
}

/// A game whose evaluation panicked has no row, which is noticed.
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

/// Notes the sources as they are opened, for the builder that gets their games later.
#[derive(Clone, Debug, Default)]
pub struct Opened(Arc<Mutex<VecDeque<Noted>>>);

/// A source, and its name as results have it.
type Noted = (Arc<str>, ArchivedSource);

impl Opened {
    /// Notes a source of the file that has this place among the files.
    pub fn note(&self, file: usize, source: &GameSource<'_>) {
        let is_packed = matches!(source.bytes, Bytes::InOrder(_));
        let form = match (&source.format, is_packed) {
            (Format::Pgn, false) => Form::Pgn,
            (Format::Pgn, true) => Form::PackedPgn,
            (Format::Lines(_), false) => Form::Lines,
            (Format::Lines(_), true) => Form::PackedLines,
        };
        let archived = ArchivedSource {
            name: source.name.to_string(),
            file: file as u64,
            form,
            games: 0,
            text: None,
        };
        let mut sources = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sources.push_back((source.name.clone(), archived));
    }

    /// The source of this name, which is one that was noted; those before it gave nothing.
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

/// Makes an archive of rows.
pub struct Builder {
    folder: PathBuf,
    /// What is in place, and what is known of the files by now …
    manifest: Manifest,
    /// … by this name.
    name: &'static str,
    kept: Kept,
    /// As messages name the files.
    named: Vec<String>,
    opened: Opened,
    /// The source whose games come now, and the names of all so far.
    current: Option<Arc<str>>,
    names: HashSet<String>,
    /// The games of the next segment, and where the first of them begins.
    rows: Rows,
    start: (u64, u64),
    segment_games: usize,
}

impl Builder {
    /// Begins behind the segments that are kept of an older archive of these files.
    pub(crate) fn new(
        folder: &Path,
        name: &'static str,
        old: Option<Manifest>,
        named: Vec<String>,
        files: Vec<ArchivedFile>,
        kept: Kept,
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
            for (file, old) in manifest
                .files
                .iter_mut()
                .zip(&old.files)
                .take(kept.first_file)
            {
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
            opened: Opened::default(),
            current: None,
            names,
            rows: Rows::default(),
            start: (0, 0),
            segment_games: SEGMENT_GAMES,
        }
    }

    /// Makes segments of fewer games than [`SEGMENT_GAMES`]. An archive goes on with the same number.
    pub fn set_segment_games(&mut self, n: usize) {
        self.segment_games = n.clamp(1, SEGMENT_GAMES);
    }

    /// Has the archive have the text of its games from now on, which [`keep_texts`](crate::keep_texts)
    /// puts into it when it is made. An archive that has it goes on having it without this.
    pub fn set_keeps_text(&mut self) {
        self.manifest.set_keeps_text(true);
    }

    /// Where reading begins.
    #[must_use]
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// How the builder gets to know the sources.
    #[must_use]
    pub fn opened(&self) -> Opened {
        self.opened.clone()
    }

    /// How many games there are by now.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        self.manifest.games + self.rows.len() as u64
    }

    /// Reads the games behind those that are kept, and finishes. `sources` are those of the files
    /// from [`Kept::first_file`] on, each with the place of its file; `heard` is told how many games
    /// there are by now, and how many faults were found. None if it was cancelled.
    ///
    /// # Errors
    /// The games cannot be read, the archive cannot be written, or a file was changed meanwhile.
    pub fn read<'s>(
        mut self,
        sources: impl Iterator<Item = (usize, Result<GameSource<'static>, Unreadable>)> + Send + 's,
        options: &RunOptions,
        heard: &mut dyn FnMut(u64, u64),
    ) -> Result<Option<Manifest>, Error> {
        let kept = self.kept;
        let opened = self.opened();
        let mut is_first = true;
        let sources = sources.map(move |(file, source)| {
            let mut source: Result<GameSource<'s>, Unreadable> = source;
            if let Ok(source) = &mut source {
                if std::mem::take(&mut is_first) {
                    source.games_before = Some(kept.games_before);
                }
                opened.note(file, source);
            }
            source
        });
        let options = RunOptions {
            first_game: kept.games + 1,
            ..options.clone()
        };
        let mut failed = None;
        let mut n_faulty = 0;
        let mut sink = |out: Output<Chunk>| {
            n_faulty += out.faults.len() as u64;
            heard(self.n_games(), n_faulty);
            self.take(out).map_err(|error| {
                failed = Some(error);
                io::Error::other("the archive cannot be written")
            })
        };
        let ran = flow::run(Box::new(sources), &options, Encoder::default, &mut sink);
        heard(self.n_games(), n_faulty);
        if let Some(error) = failed {
            return Err(error);
        }
        let (summary, _) = ran.map_err(|error| Error::Unreadable(error.to_string()))?;
        match summary.cancelled {
            true => Ok(None),
            false => self.finish().map(Some),
        }
    }

    /// Takes the rows of the next games, and writes segments as they become full.
    ///
    /// # Errors
    /// A source cannot be read to its end, a game could not be read because of a defect here, or a
    /// segment cannot be written.
    pub fn take(&mut self, out: Output<Chunk>) -> Result<(), Error> {
        self.see_source(&out);
        if let Some(failure) = &out.failure {
            let name = &out.origin.name;
            return Err(Error::Unreadable(format!("{name}: {failure}")));
        }
        let numbers = &out.results.numbers;
        let rows = &out.results.rows;
        // What was kept is counted again, and not noted.
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

    /// Takes note of where games come from.
    fn see_source(&mut self, out: &Output<Chunk>) {
        let name = &out.origin.name;
        if self
            .current
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, name))
        {
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
            // Members of an archive may have the same name, as may files of two folders.
            source.name.clone_from(&stable);
            let mut number = 1;
            while !self.names.insert(source.name.clone()) {
                number += 1;
                source.name = format!("{stable} ({number})");
            }
            self.manifest.sources.push(source);
        }
    }

    /// The files before this one have been read to their ends.
    fn close_files(&mut self, end: usize) {
        // Those before are closed, and sources stand in the order of their files.
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

    /// Counts games of the source.
    fn count(&mut self, n: u64) {
        if let Some(source) = self.manifest.sources.last_mut() {
            source.games += n;
        }
    }

    /// Whether a segment of so many games and moves is full.
    fn is_full(&self, n_games: usize, n_moves: usize) -> bool {
        n_games >= self.segment_games || n_moves >= SEGMENT_MOVES
    }

    /// Notes where a segment begins, if it begins now.
    fn begin_with(&mut self, offset: u64) {
        if self.rows.is_empty() {
            let source = self.manifest.sources.len().saturating_sub(1);
            self.start = (source as u64, offset);
        }
    }

    /// Writes the games that have come, and lets the manifest name the segment.
    fn write_segment(&mut self) -> Result<(), Error> {
        let failed = |error| Error::of_file(&self.folder, &error);
        let mut fresh = Fresh::create(&self.folder).map_err(failed)?;
        let (bytes, footer) = self.rows.write(&mut fresh).map_err(failed)?;
        let checksum = shown(footer);
        // Never that of an older segment, which the manifest may still name.
        let number = self.manifest.segments.len();
        let name = format!("{number:05}-{}.arrow", &checksum[..8]);
        fresh.put(&self.folder, &name)?;
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

    /// Ends the archive: all games have come. If it is to have their text, it takes the place of an
    /// older one when that is there, too ([`keep_texts`](crate::keep_texts)).
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

/// Where a line begins that is no game, which every search leaves out.
fn left_out_at(out: &Output<Chunk>, number: u64) -> Result<u64, Error> {
    let mut faults = out.faults.iter();
    let fault = faults.find(|fault| fault.number == number && fault.kind == FaultKind::Skipped);
    let name = &out.origin.name;
    match fault {
        Some(fault) => Ok(fault.offset),
        None => {
            let message =
                format!("{name}: game {number} could not be read, a defect of this program");
            Err(Error::Unreadable(message))
        }
    }
}
