//! Searches the games of an archive on one thread, block by block.
//!
//! For each block, the columns of the game screens are read first, and then, for the games that
//! pass, the columns for evaluation. All memory is reused for the next block.

use std::cell::OnceCell;
use std::ops::Range;
use std::sync::Arc;

use archive::{BLOCK_ROWS, Columns, Coverage, Flags, Rows, SegmentFile, Strips, ThemeSegment};
use engine::KnownWorker;
use flow::{
    Bytes, GameSource, GameStart, Input, Output, RangeWorker, ReadError, RunOptions, SourceFormat,
    SourceRange, Worker,
};
use pgn::RawGame;

use super::blocks::ArchiveReadError;
use super::chooser::{BlockFilter, Wanted};
use super::reader::{ArchiveReader, SourceRows};
use super::stored::{LineCounter, LoadedSegment, Stored, replayed};
use crate::Prefilter;

/// Evaluates queries on the games of an archive; one per thread.
pub(crate) struct ArchiveCursor<'a, W> {
    archived: &'a ArchiveReader<'a>,
    /// Number of games before those of the archive.
    before: u64,
    worker: W,
    chooser: BlockFilter<'a>,
    /// Columns needed to evaluate a game.
    wanted: Columns,
    /// Whether the moves of all chosen games are read in advance.
    has_moves: bool,
    /// The current segment.
    kept: Option<(usize, LoadedSegment)>,
    /// The themes of the current segment, once they are needed: `None` in it if they are not known.
    themes: Option<Option<ThemeSegment<SegmentFile>>>,
    /// The current block.
    rows: Rows,
    at: GameRange<'a>,
    /// Index and text of the source that was opened last.
    text: Option<(usize, Arc<dyn Input + 'a>)>,
    lines: LineCounter,
}

/// The block with the current range of games.
#[derive(Clone, Default)]
struct GameRange<'a> {
    part: Option<&'a SourceRows>,
    block: usize,
    /// Difference between the number of a game and its row.
    shift: u64,
}

impl GameRange<'_> {
    fn row(&self, number: u64) -> usize {
        (number - self.shift) as usize
    }

    fn number(&self, row: usize) -> u64 {
        row as u64 + self.shift
    }
}

impl<'a, W: KnownWorker> ArchiveCursor<'a, W> {
    pub(crate) fn new(
        archived: &'a ArchiveReader<'a>,
        before: u64,
        screens: &'a Prefilter,
        worker: W,
    ) -> ArchiveCursor<'a, W> {
        let of_texts = Columns::of(|name| ["offset", "length", "checksum"].contains(&name));
        ArchiveCursor {
            archived,
            before,
            has_moves: worker.uses_moves(),
            chooser: BlockFilter::new(screens, |query| worker.needs_only_count(query)),
            worker,
            wanted: of_texts.with(replayed()),
            kept: None,
            themes: None,
            rows: Rows::default(),
            at: GameRange::default(),
            text: None,
            lines: LineCounter::default(),
        }
    }

    /// Returns the worker, with what it keeps across games.
    pub(crate) fn into_worker(self) -> W {
        self.worker
    }

    /// Returns the numbers of the games of a range that may match.
    fn choose(&mut self, games: &Range<u64>) -> Result<Vec<u64>, archive::Error> {
        let Some((number, kept)) = &mut self.kept else {
            return Err(archive::Error::Missing);
        };
        let (at, segment) = (&self.at, kept.segment.get_mut());
        let (archived, of_themes) = (self.archived, &mut self.themes);
        let mut load = |rows: &mut Rows, Wanted { columns, themes }, games: &[usize]| {
            let strips = Strips::of(games.iter().copied());
            segment.read_strips(rows, at.block, columns, strips)?;
            if themes.is_empty() {
                return Ok(());
            }
            if of_themes.is_none() {
                *of_themes = Some(archived.open_themes(*number, themes)?);
            }
            match of_themes {
                Some(segment) => archived.read_themes(segment, rows, themes),
                None => Ok(()),
            }
        };
        let all = games.clone().map(|number| at.row(number)).collect();
        let left = self.chooser.choose(all, &mut self.rows, &mut load)?;
        if !left.is_empty() {
            let wanted = Wanted { columns: self.wanted, ..Wanted::default() };
            // without games, lists have only their lengths
            load(&mut self.rows, wanted, if self.has_moves { &left } else { &[] })?;
        }
        Ok(left.into_iter().map(|row| at.number(row)).collect())
    }

    /// Opens a segment, unless it is the current one.
    fn enter(&mut self, segment: usize) -> Result<(), archive::Error> {
        if self.kept.as_ref().is_none_or(|kept| kept.0 != segment) {
            (self.kept, self.themes) = (None, None);
            self.kept =
                Some((segment, LoadedSegment::new(self.archived.archive.segment(segment)?)));
        }
        Ok(())
    }

    /// Opens the text of a source, unless it was opened last.
    fn open_text(&mut self, source: usize) -> Result<(), ArchiveReadError> {
        if self.text.as_ref().is_none_or(|(number, _)| *number != source) {
            self.text = Some((source, self.archived.input(source)?));
        }
        Ok(())
    }

    /// Returns the text of a source.
    fn text(&mut self, source: usize) -> Result<Arc<dyn Input + 'a>, ArchiveReadError> {
        self.open_text(source)?;
        let input = self.text.as_ref().map(|(_, input)| input.clone());
        input.ok_or(ArchiveReadError::Changed)
    }

    fn evaluate(
        &mut self,
        part: &SourceRows,
        number: u64,
        out: &mut Output<W::Results>,
    ) -> Result<(), ReadError> {
        let row = self.at.row(number);
        let class = self.rows.game(row).class();
        if class > Coverage::Annotated {
            for (raw, text) in self.read(part, row, number, out)? {
                self.worker.game(&raw.with_text(&text), number, out);
            }
            return Ok(());
        }
        self.open_text(part.source)?;
        let (Some((_, input)), Some((_, kept))) = (&self.text, &self.kept) else {
            return Ok(());
        };
        let (rows, game) = (&self.rows, self.rows.game(row));
        let stored = Stored {
            game,
            kept,
            block: self.at.block,
            row,
            has_moves: self.has_moves,
            tags: OnceCell::new(),
            input: &**input,
            offset: rows.offset.get(row),
            length: rows.length.get(row) as usize,
            chooser: &self.chooser,
        };
        if game.flags().has(Flags::EXACT_TEXTS) {
            self.worker.known_game(&stored, number, out);
            stored.done();
            return match kept.failure.take() {
                Some(failure) => Err(self.archived.note_damage(failure)),
                None => Ok(()),
            };
        }
        let mut text = Vec::new();
        engine::KnownGame::read_text(&stored, &mut text)?;
        let mut raw = RawGame::of(&text);
        raw.offset = stored.offset;
        self.worker.game(&raw, number, out);
        Ok(())
    }

    /// Reads a game from its text and reports its issues.
    fn read(
        &mut self,
        part: &SourceRows,
        row: usize,
        number: u64,
        out: &mut Output<W::Results>,
    ) -> Result<Vec<(RawGame<'static>, Vec<u8>)>, ReadError> {
        let source = &self.archived.sources[part.source];
        let in_source = number - self.before - source.origin.games_before;
        let input = self.text(part.source)?;
        let offset = self.rows.offset.get(row);
        let mut piece = SourceRange::of_games(in_source, offset, offset);
        let start = &mut piece.start;
        start.line = self.lines.line_of(part.source, &*input, start.offset)?;
        let source = GameSource {
            name: source.origin.name.clone(),
            bytes: Bytes::Pieces(input, vec![piece]),
            format: SourceFormat::Pgn,
            games_before: Some(self.before + source.origin.games_before),
            start: GameStart::START,
        };
        let mut caught = Vec::new();
        let mut n_games = 0;
        let mut sink = |mut read: Output<Caught>| {
            n_games += read.n_games;
            out.faults.append(&mut read.faults);
            caught.append(&mut read.results.0);
            if let Some(failure) = read.failure {
                out.failure.get_or_insert(failure);
            }
            Ok(())
        };
        flow::run(source.alone(), &RunOptions::default(), || GameCollector, &mut sink)?;
        match n_games {
            1 => Ok(caught),
            // Damage is recorded, and the search continues with the text.
            _ => Err(self.archived.note_damage(ArchiveReadError::OtherOffsets)),
        }
    }

    /// Records a failure to read a game, or else looks up the lines of its issues.
    fn finish(
        &mut self,
        part: &SourceRows,
        number: u64,
        done: Result<(), ReadError>,
        out: &mut Output<W::Results>,
    ) {
        if let Err(error) = done {
            out.failure.get_or_insert(error);
        }
        let of_game = out.faults.iter_mut().rev();
        for fault in of_game.take_while(|fault| fault.number == number) {
            if fault.line > 0 || fault.is_of_variant() {
                continue;
            }
            let input = self.text(part.source);
            let line = input.map_err(ReadError::from);
            let line =
                line.and_then(|input| self.lines.line_of(part.source, &*input, fault.offset));
            match line {
                Ok(line) => fault.line = line,
                Err(error) => {
                    out.failure.get_or_insert(error);
                }
            }
        }
        // The file may be sound if a text of the archive is not.
        if self.archived.sources[part.source].stored.is_some()
            && let Some(failure) = out.failure.take()
        {
            out.failure = Some(self.archived.note_damage(failure));
        }
    }
}

impl<W: KnownWorker> RangeWorker for ArchiveCursor<'_, W> {
    type Results = W::Results;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<W::Results>) -> Vec<u64> {
        let archived = self.archived;
        let Some(part) = archived.part(games.start - self.before) else {
            return Vec::new();
        };
        let row = part.row + (games.start - self.before - part.games.start) as usize;
        self.at = GameRange {
            part: Some(part),
            block: row / BLOCK_ROWS,
            shift: games.start - (row % BLOCK_ROWS) as u64,
        };
        archived.sources[part.source].tell(self.before, out);
        let chosen = self.enter(part.segment).and_then(|()| self.choose(games));
        chosen.unwrap_or_else(|error| {
            out.failure = Some(archived.note_damage(error));
            Vec::new()
        })
    }

    fn game(&mut self, number: u64, out: &mut Output<W::Results>) {
        if let Some(part) = self.at.part {
            let done = self.evaluate(part, number, out);
            self.finish(part, number, done, out);
        }
    }

    fn passed(&mut self, number: u64, out: &mut Output<W::Results>) {
        let row = self.at.row(number);
        if let Some(part) = self.at.part
            && self.rows.game(row).class() > Coverage::Annotated
        {
            let done = self.read(part, row, number, out).map(drop);
            self.finish(part, number, done, out);
        }
    }
}

/// A worker that collects the games themselves.
struct GameCollector;

#[derive(Debug, Default)]
struct Caught(Vec<(RawGame<'static>, Vec<u8>)>);

impl flow::Results for Caught {}

impl Worker for GameCollector {
    type Results = Caught;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Caught>) {
        out.results.0.push((raw.with_text(&[]), raw.text.to_vec()));
    }
}
