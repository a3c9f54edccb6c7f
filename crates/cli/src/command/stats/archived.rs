//! Counts archived games from their columns, or from their text if the columns do not show that a
//! game has no issues.
//!
//! A segment stores each text once. A thread counts texts by number while it is in a segment, and
//! reads the texts themselves only when it leaves the segment.

use std::ops::Range;

use archive::{Flags, Rows, Texts};
use babson::{Archived, Blocks, Chosen};
use flow::{Output, RangeWorker};
use pgn::{TagTable, VariantNames};

use super::{Counter, Stats};

/// Counts the archived games of a thread.
pub(super) struct Columns<'a> {
    blocks: Blocks<'a>,
    variants: &'a VariantNames,
    wanted: archive::Columns,
    /// Segment whose texts are being counted.
    segment: Option<usize>,
    tags: Vec<TagCount>,
    /// Numbers of tags whose texts are not counted.
    others: [u64; 3],
    /// Counts of the segments that the thread has left.
    stats: Stats,
    from_text: Vec<usize>,
}

/// Accessor of a column of texts.
type TextsOf = fn(&Rows) -> &Texts;

/// Counts of the texts of a tag in a segment.
struct TagCount {
    name: &'static [u8],
    column: TextsOf,
    /// Number of occurrences of each text.
    counts: Vec<u64>,
}

impl<'a> Columns<'a> {
    pub(super) fn new(archived: &'a Archived<'a>, variants: &'a VariantNames) -> Columns<'a> {
        let tags: [(&str, TextsOf); 8] = [
            ("Event", |rows| &rows.event),
            ("Site", |rows| &rows.site),
            ("Date", |rows| &rows.date),
            ("Round", |rows| &rows.round),
            ("White", |rows| &rows.white),
            ("Black", |rows| &rows.black),
            ("ECO", |rows| &rows.eco),
            ("FEN", |rows| &rows.fen),
        ];
        let others = ["white_elo", "black_elo", "result", "moves"];
        let wanted = archive::Columns::of(|name| {
            let mut names = tags.iter().map(|(name, _)| name);
            others.contains(&name)
                || Blocks::PLACES.contains(&name)
                || names.any(|tag| tag.eq_ignore_ascii_case(name))
        });
        let tags = tags.map(|(name, column)| TagCount {
            name: name.as_bytes(),
            column,
            counts: Vec::new(),
        });
        Columns {
            blocks: Blocks::new(archived, 0),
            variants,
            wanted,
            segment: None,
            tags: tags.into(),
            others: [0; 3],
            stats: Stats::default(),
            from_text: Vec::new(),
        }
    }

    /// Returns the counts that are not part of the results of chunks.
    pub(super) fn finish(mut self) -> Stats {
        self.leave_segment();
        for (name, n) in OTHERS.iter().zip(self.others) {
            if n > 0 {
                self.stats.tags.add(name, n);
            }
        }
        self.stats
    }

    fn count(&mut self, games: &Range<u64>, out: &mut Output<Stats>) -> Result<(), String> {
        // The texts of a segment are available until the first block of another one is read.
        let segment = self.blocks.segment_of(games);
        if segment != self.segment {
            self.leave_segment();
            self.segment = segment;
        }
        let chosen = self.blocks.read(games, self.wanted, out)?;
        let stats = &mut out.results;
        self.from_text.clear();
        for row in chosen.rows.clone() {
            let rows = self.blocks.rows();
            if !rows.game(row).flags().has(Flags::SOUND) {
                self.from_text.push(row);
                continue;
            }
            for tag in &mut self.tags {
                if let Some(number) = (tag.column)(rows).number(row) {
                    tag.add(number);
                }
            }
            for (n, has) in self.others.iter_mut().zip(has_others(rows, row)) {
                *n += u64::from(has);
            }
            stats.see_row(rows, row);
        }
        self.read(&chosen, stats)
    }

    /// Counts games from their text.
    fn read(&mut self, chosen: &Chosen, stats: &mut Stats) -> Result<(), String> {
        let rows = std::mem::take(&mut self.from_text);
        let make = || Counter::new(self.variants);
        let read = self.blocks.read_text(chosen, &rows, make, |mut out| {
            stats.add(std::mem::take(&mut out.results));
            stats.see_skipped(&out);
        });
        self.from_text = rows;
        read
    }

    /// Counts the tags of the segment that the thread was in, by their texts.
    fn leave_segment(&mut self) {
        let mut table = TagTable::default();
        for tag in &mut self.tags {
            let texts = (tag.column)(self.blocks.rows());
            for (number, count) in tag.counts.drain(..).enumerate() {
                if let Some(text) = texts.text(number as u32).filter(|_| count > 0) {
                    table.clear();
                    table.push(tag.name, text);
                    self.stats.see_tags(table.tags(), count);
                }
            }
        }
    }
}

impl TagCount {
    fn add(&mut self, number: u32) {
        let number = number as usize;
        if self.counts.len() <= number {
            self.counts.resize(number + 1, 0);
        }
        self.counts[number] += 1;
    }
}

impl Stats {
    /// Counts the columns of a game except its texts.
    fn see_row(&mut self, rows: &Rows, row: usize) {
        let game = rows.game(row);
        let plies = game.moves().len() as u64;
        self.n_read += 1;
        self.results[game.result() as usize] += 1;
        self.plies += plies;
        self.longest = self.longest.max(plies);
        self.positions += 1 + plies;
    }
}

/// Tags without texts, in the order of [`has_others`].
const OTHERS: [&[u8]; 3] = [b"WhiteElo", b"BlackElo", b"Result"];

/// Returns which of the tags in [`OTHERS`] a game has. Every game counts as having the last one,
/// Result.
fn has_others(rows: &Rows, row: usize) -> [bool; 3] {
    let flags = rows.game(row).flags();
    let [white, black] = [&rows.white_elo, &rows.black_elo].map(|elos| elos.get(row) > 0);
    [white || flags.has(Flags::EMPTY_WHITE_ELO), black || flags.has(Flags::EMPTY_BLACK_ELO), true]
}

impl RangeWorker for Columns<'_> {
    type Results = Stats;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Stats>) -> Vec<u64> {
        if let Err(reason) = self.count(games, out) {
            out.failure = Some(reason);
        }
        Vec::new()
    }

    fn game(&mut self, _: u64, _: &mut Output<Stats>) {}
}
