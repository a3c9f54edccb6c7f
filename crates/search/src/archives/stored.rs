//! A game of an archive: moves from columns, everything else read on demand.

use std::cell::{Cell, OnceCell, RefCell, RefMut};

use archive::{Columns, Flags, Rows, Segment, SegmentFile, StoredGame};
use engine::{KnownGame, UsualTags};
use flow::{Input, ReadError};
use pgn::summary::Summary;
use pgn::{CodedLine, GameResult, GameTree, TagTable, Tags};
use syntax::library::Theme;

use super::blocks::ArchiveReadError;
use super::chooser::BlockFilter;

/// The current segment of a thread, and the columns of the current block that few games need.
pub(crate) struct LoadedSegment {
    pub(crate) segment: RefCell<Segment<SegmentFile>>,
    /// These columns, once they are needed: those of tags, or those of moves.
    more: RefCell<Rows>,
    /// All columns of tags.
    columns: Columns,
    table: Cell<TagTable>,
    /// The block of which the columns of these tags are known to be there.
    read: Cell<Option<(usize, UsualTags)>>,
    /// First error from reading these columns.
    pub(crate) failure: RefCell<Option<archive::Error>>,
}

/// Columns with which a game is replayed.
pub(super) fn replayed() -> Columns {
    Columns::of(|name| ["flags", "fen", "result", "moves"].contains(&name))
}

impl LoadedSegment {
    pub(crate) fn new(segment: Segment<SegmentFile>) -> LoadedSegment {
        LoadedSegment {
            segment: RefCell::new(segment),
            more: RefCell::default(),
            columns: Columns::all_but(Columns::of_summaries().with(Columns::of(|name| {
                ["source", "offset", "length", "checksum", "moves"].contains(&name)
            }))),
            table: Cell::default(),
            read: Cell::default(),
            failure: RefCell::default(),
        }
    }

    /// Reads columns of a block in addition to those that searches have read.
    fn read_more(
        &self,
        block: usize,
        columns: Columns,
    ) -> Result<RefMut<'_, Rows>, archive::Error> {
        let mut rows = self.more.borrow_mut();
        self.segment.borrow_mut().read_block(&mut rows, block, columns)?;
        Ok(rows)
    }

    fn note_failure(&self, error: archive::Error) {
        self.failure.borrow_mut().get_or_insert(error);
    }
}

/// Returns the columns of some tags.
fn columns_of(tags: UsualTags) -> Columns {
    let column_of = |tag: &str| match tag {
        "WhiteElo" => "white_elo".to_owned(),
        "BlackElo" => "black_elo".to_owned(),
        other => other.to_ascii_lowercase(),
    };
    let names = UsualTags::NAMES.into_iter();
    let wanted = names.filter(|name| UsualTags::of([*name]).is_some_and(|tag| tags.has(tag)));
    let columns: Vec<String> = wanted.map(column_of).collect();
    Columns::of(|name| name == "flags" || columns.iter().any(|column| column == name))
}

/// A game of an archive.
pub(crate) struct Stored<'a> {
    pub(crate) game: StoredGame<'a>,
    pub(crate) kept: &'a LoadedSegment,
    /// Block of the segment with the game.
    pub(crate) block: usize,
    /// Row of the game in this block.
    pub(crate) row: usize,
    /// Whether the moves have been read together with those of other games.
    pub(crate) has_moves: bool,
    pub(crate) tags: OnceCell<TagTable>,
    pub(crate) input: &'a dyn Input,
    pub(crate) offset: u64,
    pub(crate) length: usize,
    pub(crate) chooser: &'a BlockFilter<'a>,
}

impl Stored<'_> {
    /// Gives the memory of the tags back, for the next game.
    pub(crate) fn done(self) {
        if let Some(table) = self.tags.into_inner() {
            self.kept.table.set(table);
        }
    }

    fn read_tags(&self) -> TagTable {
        let mut table = self.kept.table.take();
        table.clear();
        self.kept.read.set(None);
        match self.kept.read_more(self.block, self.kept.columns) {
            Ok(rows) => {
                let game = rows.game(self.row);
                game.visit_tags(|name, value| table.push(name.as_bytes(), value));
            }
            Err(error) => self.kept.note_failure(error),
        }
        table
    }
}

impl KnownGame for Stored<'_> {
    fn tags(&self) -> Tags<'_> {
        self.tags.get_or_init(|| self.read_tags()).tags()
    }

    fn has_all_tags(&self) -> bool {
        self.game.has_all_tags()
    }

    fn is_annotated(&self) -> bool {
        self.game.flags().has(Flags::ANNOTATIONS)
    }

    fn theme_positions(&self, theme: Theme, variations: bool) -> Option<u64> {
        let flags = self.game.flags();
        let is_main_line = !(variations && flags.has(Flags::VARIATIONS));
        let known = self.game.theme_positions(theme.number()).filter(|_| is_main_line);
        known.map(u64::from)
    }

    fn has_exact(&self, wanted: UsualTags) -> bool {
        if self.has_all_tags() {
            return true;
        }
        // Ratings are numbers in the columns, and the result may come from the moves.
        let derived = UsualTags::of(["Result", "WhiteElo", "BlackElo"]).unwrap_or_default();
        self.game.flags().has(Flags::EXACT_TEXTS) && !wanted.has(derived)
    }

    fn visit_tags(&self, wanted: UsualTags, visit: &mut dyn FnMut(&str, &[u8])) {
        if wanted == UsualTags::default() {
            return;
        }
        let (kept, place) = (self.kept, Some((self.block, wanted)));
        if kept.read.get() != place {
            if let Err(error) = kept.read_more(self.block, columns_of(wanted)) {
                kept.note_failure(error);
                return;
            }
            kept.read.set(place);
        }
        kept.more.borrow().game(self.row).visit_tags_of(wanted.0, visit);
    }

    fn result(&self) -> Option<GameResult> {
        Some(self.game.result())
    }

    fn n_positions(&self, variations: bool) -> Option<u32> {
        let summary = self.game.summary()?;
        let is_main_line = !(variations && summary.has_variations());
        let plies = summary.plies(false).filter(|_| is_main_line)?;
        Some(u32::from(plies) + 1)
    }

    fn line(&self) -> Option<CodedLine<'_>> {
        if self.has_moves { self.game.line() } else { None }
    }

    fn n_matching(&self, query: usize) -> Option<u32> {
        self.chooser.n_matching(query, self.row)
    }

    fn candidates(&self, query: usize) -> Option<&[u64]> {
        self.chooser.candidates(query, self.row)
    }

    fn build(&self, tree: &mut GameTree) -> Result<(), ReadError> {
        let filled = if self.has_moves {
            self.game.fill(tree)
        } else {
            match self.kept.read_more(self.block, replayed()) {
                Ok(rows) => rows.game(self.row).fill(tree),
                Err(error) => {
                    self.kept.note_failure(error.clone());
                    return Err(error.into());
                }
            }
        };
        filled.map_err(|_| ArchiveReadError::Damaged.into())
    }

    fn offset(&self) -> u64 {
        self.offset
    }

    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), ReadError> {
        let start = text.len();
        flow::resize(text, start + self.length)?;
        read_exactly(self.input, self.offset, &mut text[start..])?;
        if self.game.is_of(&text[start..]) { Ok(()) } else { Err(ArchiveReadError::Changed.into()) }
    }
}

pub(crate) fn read_exactly(
    input: &dyn Input,
    offset: u64,
    bytes: &mut [u8],
) -> Result<(), ReadError> {
    if input.fill_at(offset, bytes)? == bytes.len() {
        Ok(())
    } else {
        Err(ArchiveReadError::Changed.into())
    }
}

/// Counts lines, mostly at ascending offsets.
#[derive(Default)]
pub(crate) struct LineCounter {
    source: usize,
    /// Offset up to which line ends have been counted, and their number.
    at: u64,
    n: u64,
    buffer: Vec<u8>,
}

impl LineCounter {
    /// Returns the line of the byte at `offset`, from 1.
    pub(crate) fn line_of(
        &mut self,
        source: usize,
        input: &dyn Input,
        offset: u64,
    ) -> Result<u64, ReadError> {
        if source != self.source || offset < self.at {
            (self.source, self.at, self.n) = (source, 0, 0);
        }
        while self.at < offset {
            let n = (offset - self.at).min(1 << 20) as usize;
            self.buffer.resize(n, 0);
            read_exactly(input, self.at, &mut self.buffer)?;
            self.n += self.buffer.iter().filter(|&&byte| byte == b'\n').count() as u64;
            self.at += n as u64;
        }
        Ok(self.n + 1)
    }
}
