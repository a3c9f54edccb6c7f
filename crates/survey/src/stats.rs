//! Statistics of games: tags, results, moves and issues.

mod report;
mod rows;

use std::collections::BTreeMap;

use board::Color;
use flow::{FaultKind, Output, Results, Worker};
use pgn::doctor::{Examiner, FindingKind};
use pgn::{Date, GameTree, RawGame, TagIndex, Tags, VariantNames};

use crate::collection::{Collection, Error, Sum, Watch};
use crate::{Names, TagCounts};
pub use report::StatsReport;
use rows::SegmentTexts;

/// Counts all games.
///
/// # Errors
/// Threads are lacking, or `watch` ends the count. If it is cancelled, the counts are those of the
/// games so far.
pub fn count(games: &mut Collection<'_>, watch: &mut dyn Watch) -> Result<Stats, Error> {
    let stats = count_once(games, watch)?;
    if stats.lacks_names() && games.forget_archives() {
        // The missing names depend on the order of counting, so the text is counted instead.
        count_once(games, watch)
    } else {
        Ok(stats)
    }
}

fn count_once(games: &mut Collection<'_>, watch: &mut dyn Watch) -> Result<Stats, Error> {
    let mut stats = Stats::default();
    // In input order, so that the report is the same for any number of threads.
    let variants = games.variants.clone();
    let passed =
        games.pass(true, &|| StatsCounter::new(&variants), watch, &mut |counts, chunk| {
            stats.add(counts);
            stats.bytes += chunk.n_bytes;
            Ok(())
        })?;
    stats.games = passed.n_games;
    stats.files = passed.n_sources;
    stats.is_cancelled = passed.is_cancelled;
    Ok(stats)
}

/// Counts the games of a thread.
struct StatsCounter<'a> {
    variants: &'a VariantNames,
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    examiner: Examiner,
    texts: SegmentTexts,
}

impl<'a> StatsCounter<'a> {
    fn new(variants: &'a VariantNames) -> StatsCounter<'a> {
        StatsCounter {
            variants,
            index: TagIndex::default(),
            tree: GameTree::default(),
            buffer: Vec::new(),
            examiner: Examiner::new(variants.clone()),
            texts: SegmentTexts::default(),
        }
    }
}

impl Worker for StatsCounter<'_> {
    type Results = Stats;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Stats>) {
        // The counts of a game must not depend on the previous game of this thread.
        self.examiner.begin_file();
        let findings = self.examiner.examine(raw);
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = self.index.tags(text);
        let variant = self.variants.variant_of(tags);
        self.tree.parse_as(tags, variant);
        let is_known = self.tree.rules_read(tags, variant).variant().is_some();
        if is_known && let Some(error) = self.tree.impossible_start(tags) {
            out.fault(raw, number, FaultKind::Skipped, error.to_string());
            return self.skipped(raw, number, out);
        }
        let stats = &mut out.results;
        stats.n_read += 1;
        stats.faulty += u64::from(!findings.is_empty());
        for finding in &findings {
            *stats.faults.entry(finding.kind).or_default() += 1;
        }
        stats.see_tags(*tags, 1);
        stats
            .tags
            .see_players(self.tree.result(), Color::ALL.map(|color| tags.rating(color).value));
        if let Some(name) = tags.raw(b"Variant") {
            match variant.rules() {
                Some(_) => stats.variants.add(variant.to_string().as_bytes(), 1),
                None => stats.variants.add(name, 1),
            }
        }
        if is_known { stats.see_moves(&self.tree) } else { stats.n_unknown_rules += 1 }
    }

    fn skipped(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Stats>) {
        let findings = self.examiner.examine(raw);
        let stats = &mut out.results;
        stats.n_skipped += 1;
        for finding in &findings {
            *stats.faults.entry(finding.kind).or_default() += 1;
        }
    }
}

/// Counts of games.
#[derive(Debug, Default)]
pub struct Stats {
    /// Whether the count was cancelled before the last game.
    pub is_cancelled: bool,
    /// Number of sources that could be read, at least in part.
    files: u64,
    bytes: u64,
    games: u64,
    /// Number of games whose tags were read.
    n_read: u64,
    /// Number of these games whose moves follow no known rules.
    n_unknown_rules: u64,
    left_out: u64,
    positions: u64,
    plies: u64,
    longest: u64,
    variations: u64,
    games_with_variations: u64,
    comments: u64,
    annotations: u64,
    fens: u64,
    dates: Option<(Date, Date)>,
    tags: TagCounts,
    tag_names: Names,
    variants: Names,
    faulty: u64,
    faults: BTreeMap<FindingKind, u64>,
    /// Number of skipped games that were reported.
    n_skipped: u64,
}

/// A panic on a game leaves the counts as they are.
impl Results for Stats {}

impl Sum for Stats {
    fn add(&mut self, other: Stats) {
        let sums = [
            (&mut self.n_read, other.n_read),
            (&mut self.n_unknown_rules, other.n_unknown_rules),
            (&mut self.left_out, other.left_out),
            (&mut self.n_skipped, other.n_skipped),
            (&mut self.positions, other.positions),
            (&mut self.plies, other.plies),
            (&mut self.variations, other.variations),
            (&mut self.games_with_variations, other.games_with_variations),
            (&mut self.comments, other.comments),
            (&mut self.annotations, other.annotations),
            (&mut self.fens, other.fens),
            (&mut self.faulty, other.faulty),
        ];
        for (sum, n) in sums {
            *sum += n;
        }
        self.longest = self.longest.max(other.longest);
        if let Some((first, last)) = other.dates {
            self.see_dates(first, last);
        }
        self.tags.add(other.tags);
        self.tag_names.add_all(other.tag_names);
        self.variants.add_all(other.variants);
        for (kind, n) in other.faults {
            *self.faults.entry(kind).or_default() += n;
        }
    }

    fn add_skipped(&mut self, n: u64) {
        self.left_out += n;
        self.faulty += n;
    }

    fn n_faulty(&self) -> u64 {
        self.faulty
    }
}

impl Stats {
    /// Whether there are more names than are counted.
    fn lacks_names(&self) -> bool {
        let TagCounts { players, events, openings, .. } = &self.tags;
        let names = [players, events, openings, &self.tag_names, &self.variants];
        names.iter().any(|names| names.is_cut())
    }

    /// Counts the tags of a game, or tags that `n` games share.
    fn see_tags(&mut self, tags: Tags<'_>, n: u64) {
        for (name, _) in tags.iter() {
            self.tag_names.add(name, n);
        }
        self.tags.see_tags(tags, n);
        self.fens += match tags.fen() {
            Some(_) => n,
            None => 0,
        };
        let date = tags.date();
        if date.year > 0 {
            self.see_dates(date, date);
        }
    }

    /// Extends the range of dates by these two.
    fn see_dates(&mut self, from: Date, to: Date) {
        let (first, last) = self.dates.unwrap_or((from, to));
        self.dates = Some((first.min(from), last.max(to)));
    }

    fn see_moves(&mut self, tree: &GameTree) {
        let line = std::iter::successors(Some(0), |&node| tree.next(node));
        let plies = line.count() as u64 - 1;
        self.plies += plies;
        self.longest = self.longest.max(plies);
        self.positions += tree.len() as u64;
        let mut variations = 0;
        for node in 0..tree.len() {
            self.comments += u64::from(tree.has_comment(node));
            self.annotations += tree.nags(node).len() as u64;
            variations += tree.variations(node).count() as u64;
        }
        self.variations += variations;
        self.games_with_variations += u64::from(variations > 0);
    }
}
