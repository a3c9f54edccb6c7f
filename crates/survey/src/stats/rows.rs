//! Counts archived games by their columns, or by their text if the columns do not show that a game
//! has no issues.
//!
//! A segment stores each text once. A thread counts texts by number while it is in a segment, and
//! reads the texts themselves only when it leaves the segment.

use archive::{Columns, Flags, Rows, Texts};
use babson::{ArchiveReadError, ArchiveRows};
use flow::Output;
use pgn::TagTable;

use super::{Stats, StatsCounter};
use crate::collection::RowWorker;

/// Accessor of a column of texts.
type TextsOf = fn(&Rows) -> &Texts;

/// Tags with their columns of texts.
const TAGS: [(&str, TextsOf); 8] = [
    ("Event", |rows| &rows.event),
    ("Site", |rows| &rows.site),
    ("Date", |rows| &rows.date),
    ("Round", |rows| &rows.round),
    ("White", |rows| &rows.white),
    ("Black", |rows| &rows.black),
    ("ECO", |rows| &rows.eco),
    ("FEN", |rows| &rows.fen),
];

/// Tags without texts, in the order of [`has_others`].
const OTHERS: [&str; 3] = ["WhiteElo", "BlackElo", "Result"];

/// Counts of the texts in the segment that the thread is in.
#[derive(Default)]
pub(super) struct SegmentTexts {
    /// Number of occurrences of each text, for each of the [`TAGS`].
    counts: [Vec<u64>; TAGS.len()],
    /// Number of games with each of the [`OTHERS`].
    others: [u64; OTHERS.len()],
    /// Counts of the segments that the thread has left.
    stats: Stats,
}

/// Returns which of the tags in [`OTHERS`] a game has. Every game counts as having the last one,
/// Result.
fn has_others(rows: &Rows, row: usize) -> [bool; 3] {
    let flags = rows.game(row).flags();
    let [white, black] = [&rows.white_elo, &rows.black_elo].map(|elos| elos.get(row) > 0);
    [white || flags.has(Flags::EMPTY_WHITE_ELO), black || flags.has(Flags::EMPTY_BLACK_ELO), true]
}

impl RowWorker for StatsCounter<'_> {
    fn columns() -> Columns {
        let others = ["white_elo", "black_elo", "result", "moves"];
        Columns::of(|name| {
            others.contains(&name)
                || ArchiveRows::PLACES.contains(&name)
                || TAGS.iter().any(|(tag, _)| tag.eq_ignore_ascii_case(name))
        })
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        _: u64,
        out: &mut Output<Stats>,
    ) -> Result<bool, ArchiveReadError> {
        let game = rows.game(row);
        if !game.flags().has(Flags::SOUND) {
            return Ok(false);
        }
        for ((_, texts), counts) in TAGS.iter().zip(&mut self.texts.counts) {
            if let Some(number) = texts(rows).number(row) {
                let number = number as usize;
                if counts.len() <= number {
                    counts.resize(number + 1, 0);
                }
                counts[number] += 1;
            }
        }
        for (n, has) in self.texts.others.iter_mut().zip(has_others(rows, row)) {
            *n += u64::from(has);
        }
        let stats = &mut out.results;
        let plies = game.moves().len() as u64;
        stats.n_read += 1;
        let ratings = [rows.white_elo.get(row), rows.black_elo.get(row)];
        stats.tags.see_players(game.result(), ratings);
        stats.plies += plies;
        stats.longest = stats.longest.max(plies);
        stats.positions += 1 + plies;
        Ok(true)
    }

    fn leave_segment(&mut self, rows: &Rows) {
        let mut table = TagTable::default();
        let SegmentTexts { counts, stats, .. } = &mut self.texts;
        for ((name, texts), counts) in TAGS.iter().zip(counts) {
            for (number, count) in counts.drain(..).enumerate() {
                if let Some(text) = texts(rows).text(number as u32).filter(|_| count > 0) {
                    table.clear();
                    table.push(name.as_bytes(), text);
                    stats.see_tags(table.tags(), count);
                }
            }
        }
    }

    fn finish(self) -> Stats {
        let SegmentTexts { others, mut stats, .. } = self.texts;
        for (name, n) in OTHERS.iter().zip(others) {
            if n > 0 {
                stats.tag_names.add(name.as_bytes(), n);
            }
        }
        stats
    }
}
