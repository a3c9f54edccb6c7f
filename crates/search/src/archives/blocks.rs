//! Reads games of an archive for programs that count or compare them: rows of columns, and the text
//! of games that the columns do not represent completely.

use std::error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::Range;
use std::sync::Arc;

use archive::{BLOCK_ROWS, Columns, Error, Rows, Segment, SegmentFile};
use flow::{
    Bytes, FaultKind, GameSource, GameStart, Input, Output, ReadError, RunOptions, SourceFormat,
    SourceRange, Worker,
};

use super::reader::{ArchiveReader, SourceRows};

/// Reads the blocks of an archive on one thread.
pub struct ArchiveRows<'a> {
    archived: &'a ArchiveReader<'a>,
    /// Number of games before those of the archive.
    before: u64,
    segment: Option<(usize, Segment<SegmentFile>)>,
    rows: Rows,
    /// Part and block of the rows that were read last.
    at: Option<(&'a SourceRows, usize)>,
    /// Index and text of the source that was opened last.
    text: Option<(usize, Arc<dyn Input + 'a>)>,
}

/// Reason why games of an archive cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ArchiveReadError {
    /// The archive does not have these games.
    OtherGames,
    /// The archive cannot be read.
    Archive(Error),
    /// The text cannot be read.
    Text(ReadError),
    /// The text differs from the one that was archived.
    Changed,
    /// The moves of a game are damaged in the archive.
    Moves,
    /// A game is damaged in the archive.
    Damaged,
    /// The games of the archive begin elsewhere in the text.
    OtherOffsets,
    /// A game cannot be read because of this error of its archive.
    OfGames(ReadError),
    /// A game of the text could not be read, because of a defect of the program.
    Game,
    /// A thread cannot be started.
    Run(io::Error),
}

impl Display for ArchiveReadError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ArchiveReadError::OtherGames => f.write_str("it has different games"),
            ArchiveReadError::Archive(error) => error.fmt(f),
            ArchiveReadError::Text(error) => error.fmt(f),
            ArchiveReadError::Changed => f.write_str("the file changed while it was searched"),
            ArchiveReadError::Moves => f.write_str("its moves are damaged"),
            ArchiveReadError::Damaged => f.write_str("its archive is damaged"),
            ArchiveReadError::OtherOffsets => {
                f.write_str("its games do not begin at the same offsets as those of the text")
            }
            ArchiveReadError::OfGames(error) => write!(f, "its archive: {error}"),
            ArchiveReadError::Game => f.write_str("one of its games could not be read"),
            ArchiveReadError::Run(error) => error.fmt(f),
        }
    }
}

impl error::Error for ArchiveReadError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            ArchiveReadError::Archive(error) => Some(error),
            ArchiveReadError::Run(error) => Some(error),
            ArchiveReadError::Text(error) | ArchiveReadError::OfGames(error) => Some(error.cause()),
            ArchiveReadError::OtherGames
            | ArchiveReadError::Changed
            | ArchiveReadError::Moves
            | ArchiveReadError::Damaged
            | ArchiveReadError::OtherOffsets
            | ArchiveReadError::Game => None,
        }
    }
}

/// Games of a range, as rows of a block.
#[derive(Clone)]
pub struct Chosen {
    /// Rows of the games.
    pub rows: Range<usize>,
    /// Difference between the number of a game and its row.
    pub shift: u64,
}

impl<'a> ArchiveRows<'a> {
    /// Creates a reader. `before` is the number of games before those of the archive.
    pub fn new(archived: &'a ArchiveReader<'a>, before: u64) -> ArchiveRows<'a> {
        ArchiveRows { archived, before, segment: None, rows: Rows::default(), at: None, text: None }
    }

    /// Rows that were read last.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// Returns the segment that contains the games of a range.
    pub fn segment_of(&self, games: &Range<u64>) -> Option<usize> {
        let part = self.archived.part(games.start - self.before)?;
        Some(part.segment)
    }

    /// Reads columns of games, which are one of the [ranges](ArchiveReader::ranges) of the archive.
    /// Sets the origin of `out` to their source.
    ///
    /// # Errors
    /// The archive is damaged.
    pub fn read<R>(
        &mut self,
        games: &Range<u64>,
        columns: Columns,
        out: &mut Output<R>,
    ) -> Result<Chosen, ArchiveReadError> {
        let archived = self.archived;
        let first = games.start - self.before;
        let part = archived.part(first).ok_or(ArchiveReadError::OtherGames)?;
        let row = part.row + (first - part.games.start) as usize;
        archived.sources[part.source].tell(self.before, out);
        self.load(part, row / BLOCK_ROWS, columns).map_err(ArchiveReadError::Archive)?;
        self.at = Some((part, row / BLOCK_ROWS));
        let start = row % BLOCK_ROWS;
        Ok(Chosen {
            rows: start..start + (games.end - games.start) as usize,
            shift: games.start - start as u64,
        })
    }

    fn load(&mut self, part: &SourceRows, block: usize, columns: Columns) -> Result<(), Error> {
        if self.segment.as_ref().is_none_or(|(number, _)| *number != part.segment) {
            self.segment = None;
            let opened = self.archived.archive.segment(part.segment)?;
            self.segment = Some((part.segment, opened));
        }
        match &mut self.segment {
            Some((_, segment)) => segment.read_block(&mut self.rows, block, columns),
            None => Err(Error::Missing),
        }
    }

    /// Evaluates the text of some games with a worker; `rows` are their rows in ascending order.
    /// The columns [`ArchiveRows::PLACES`] must be there.
    ///
    /// # Errors
    /// The text cannot be read, or differs from the one that was archived.
    pub fn read_text<W: Worker>(
        &mut self,
        chosen: &Chosen,
        rows: &[usize],
        make_worker: impl Fn() -> W + Sync,
        mut take: impl FnMut(Output<W::Results>),
    ) -> Result<(), ArchiveReadError> {
        let Some((part, _)) = self.at.filter(|_| !rows.is_empty()) else {
            return Ok(());
        };
        let runs = rows.chunk_by(|a, b| a + 1 == *b);
        let pieces = runs.map(|run| self.piece(part, chosen, run)).collect();
        let origin = &self.archived.sources[part.source].origin;
        let source = GameSource {
            name: origin.name.clone(),
            bytes: Bytes::Pieces(self.input(part.source)?, pieces),
            format: SourceFormat::Pgn,
            games_before: Some(self.before + origin.games_before),
            start: GameStart::START,
        };
        let (mut n_games, mut failure) = (0, None);
        let mut sink = |mut out: Output<W::Results>| {
            n_games += out.n_games;
            let mut faults = out.faults.iter();
            if faults.any(|fault| fault.kind == FaultKind::Internal) {
                failure = Some(ArchiveReadError::Game);
            }
            failure = failure.take().or(out.failure.take().map(ArchiveReadError::Text));
            take(out);
            Ok(())
        };
        let options = RunOptions::new(self.archived.cancel.clone());
        let ran = flow::run(source.alone(), &options, make_worker, &mut sink);
        ran.map_err(ArchiveReadError::Run)?;
        match failure {
            Some(failure) => Err(failure),
            None if n_games == rows.len() as u64 || options.cancel.is_cancelled() => Ok(()),
            None => Err(ArchiveReadError::Changed),
        }
    }

    /// Columns required for reading the text of games.
    pub const PLACES: [&'static str; 2] = ["flags", "offset"];

    /// Returns the part of the source that contains a run of rows.
    fn piece(&self, part: &SourceRows, chosen: &Chosen, run: &[usize]) -> SourceRange {
        let (first, last) = (run[0], run[run.len() - 1]);
        let number = chosen.shift + first as u64 - self.before;
        let in_source = number - self.archived.sources[part.source].origin.games_before;
        let offset = |row| self.rows.offset.get(row);
        SourceRange::of_games(in_source, offset(first), offset(last))
    }

    fn input(&mut self, source: usize) -> Result<Arc<dyn Input + 'a>, ArchiveReadError> {
        if self.text.as_ref().is_none_or(|(number, _)| *number != source) {
            self.text = Some((source, self.archived.input(source)?));
        }
        let input = self.text.as_ref().map(|(_, input)| input.clone());
        input.ok_or(ArchiveReadError::Changed)
    }
}
