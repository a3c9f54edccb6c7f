//! `cql stats GAMES…`: what is in files of games.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;

use board::Color;
use pgn::doctor::{Examiner, FindingKind};
use pgn::{Date, GameResult, GameTree, RawGame, TagIndex, Tags, Variant};
use serde::Serialize;

use super::games::GameFile;
use super::text;
use crate::failure::{Failure, context};
use crate::interrupt;

/// Names of one sort that are counted; memory must not grow with the file.
const NAMES: usize = 1 << 20;

/// Say what is in PGN files: games, players, dates, results, tags, faults
///
/// One report is made of all files together. `cql doctor` says where the faults are.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The files to read; - is standard input
    #[arg(required = true, value_hint = clap::ValueHint::FilePath)]
    games: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// How many players, events, openings and tags are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
}

/// Reads all files and prints the report.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    interrupt::listen();
    let mut reader = Reader::default();
    for path in &arguments.games {
        let file = GameFile::open(path)?;
        reader.stats.files += 1;
        reader.stats.bytes += file.size();
        file.each(&mut |raw, _, _| {
            reader.see(raw);
            Ok(())
        })?;
    }
    let report = reader.stats.report(arguments.top);
    let shown = match arguments.json {
        true => serde_json::to_string_pretty(&report)
            .map_err(|error| context("cannot write JSON", &error))?,
        false => report.table(),
    };
    text::print(format!("{shown}\n").as_bytes())
}

/// Counts of names.
#[derive(Default)]
struct Names(HashMap<Vec<u8>, u64>);

impl Names {
    fn add(&mut self, name: &[u8]) {
        if let Some(count) = self.0.get_mut(name) {
            *count += 1;
        } else if self.0.len() < NAMES {
            self.0.insert(name.to_vec(), 1);
        }
    }

    /// The most frequent names, equal ones in the order of the alphabet.
    fn top(&self, n: usize) -> Vec<Count> {
        let mut all: Vec<(&Vec<u8>, &u64)> = self.0.iter().collect();
        all.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        all.iter()
            .take(n)
            .map(|(name, count)| Count {
                name: String::from_utf8_lossy(name).into_owned(),
                count: **count,
            })
            .collect()
    }
}

/// What is counted.
#[derive(Default)]
struct Stats {
    files: u64,
    bytes: u64,
    games: u64,
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
    games_with_date: u64,
    results: [u64; 4],
    players: Names,
    events: Names,
    openings: Names,
    tags: Names,
    variants: Names,
    faulty: u64,
    faults: BTreeMap<FindingKind, u64>,
}

#[derive(Default)]
struct Reader {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    examiner: Examiner,
    stats: Stats,
}

impl Reader {
    fn see(&mut self, raw: &RawGame<'_>) {
        let stats = &mut self.stats;
        stats.games += 1;
        let findings = self.examiner.examine(raw);
        stats.faulty += u64::from(!findings.is_empty());
        for finding in &findings {
            *stats.faults.entry(finding.kind).or_default() += 1;
        }
        if raw.is_skipped() {
            stats.left_out += 1;
            return;
        }
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = self.index.tags(text);
        stats.see_tags(tags);
        self.tree.parse(tags);
        stats.results[self.tree.result() as usize] += 1;
        if matches!(tags.variant(), Variant::Other(_)) {
            return;
        }
        stats.see_moves(&self.tree);
    }
}

impl Stats {
    fn see_tags(&mut self, tags: Tags<'_>) {
        for (name, _) in tags.iter() {
            self.tags.add(name);
        }
        for color in Color::ALL {
            let player = tags.player(color);
            if !matches!(&*player, b"?" | b"") {
                self.players.add(&player);
            }
        }
        if !matches!(tags.event(), b"?" | b"") {
            self.events.add(tags.event());
        }
        if let Some(eco) = tags.eco() {
            // The three letters of the code, without extensions.
            self.openings.add(&eco.as_bytes()[..3]);
        }
        if let Some(variant) = tags.raw(b"Variant") {
            self.variants.add(variant);
        }
        self.fens += u64::from(tags.fen().is_some());
        let date = tags.date();
        if date.year > 0 {
            self.games_with_date += 1;
            let key = |date: &Date| (date.year, date.month, date.day);
            self.dates = Some(match self.dates {
                None => (date, date),
                Some((first, last)) => (
                    if key(&date) < key(&first) {
                        date
                    } else {
                        first
                    },
                    if key(&date) > key(&last) { date } else { last },
                ),
            });
        }
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

    fn report(&self, top: usize) -> Report {
        let results = [
            GameResult::WhiteWins,
            GameResult::BlackWins,
            GameResult::Draw,
            GameResult::Unknown,
        ];
        let results = results.map(|result| Count {
            name: result.to_string(),
            count: self.results[result as usize],
        });
        let faults = self.faults.iter().map(|(kind, count)| Count {
            name: kind.to_string(),
            count: *count,
        });
        let read = self.games - self.left_out;
        Report {
            files: self.files,
            bytes: self.bytes,
            games: self.games,
            games_left_out: self.left_out,
            positions: self.positions,
            plies: self.plies,
            average_plies: match read {
                0 => 0.0,
                read => (self.plies as f64 / read as f64 * 10.0).round() / 10.0,
            },
            longest_game_plies: self.longest,
            variations: self.variations,
            games_with_variations: self.games_with_variations,
            comments: self.comments,
            annotation_glyphs: self.annotations,
            games_from_fen: self.fens,
            games_with_date: self.games_with_date,
            first_date: self.dates.map(|dates| dates.0.to_string()),
            last_date: self.dates.map(|dates| dates.1.to_string()),
            results: results.into_iter().collect(),
            distinct_players: self.players.0.len() as u64,
            players: self.players.top(top),
            distinct_events: self.events.0.len() as u64,
            events: self.events.top(top),
            openings: self.openings.top(top),
            variants: self.variants.top(top),
            tags: self.tags.top(top.max(20)),
            faulty_games: self.faulty,
            faults: faults.collect(),
        }
    }
}

/// A name and how often it occurs.
#[derive(Serialize)]
struct Count {
    name: String,
    count: u64,
}

/// What is printed.
#[derive(Serialize)]
struct Report {
    files: u64,
    bytes: u64,
    games: u64,
    games_left_out: u64,
    positions: u64,
    plies: u64,
    average_plies: f64,
    longest_game_plies: u64,
    variations: u64,
    games_with_variations: u64,
    comments: u64,
    annotation_glyphs: u64,
    games_from_fen: u64,
    games_with_date: u64,
    first_date: Option<String>,
    last_date: Option<String>,
    results: Vec<Count>,
    distinct_players: u64,
    players: Vec<Count>,
    distinct_events: u64,
    events: Vec<Count>,
    openings: Vec<Count>,
    variants: Vec<Count>,
    tags: Vec<Count>,
    faulty_games: u64,
    faults: Vec<Count>,
}

impl Report {
    fn table(&self) -> String {
        let mut lines = vec![
            row("games", self.games),
            row("bytes", self.bytes),
            row("positions", self.positions),
            format!(
                "{:<22}{:>14}  (main lines; {} a game, {} the longest)",
                "plies", self.plies, self.average_plies, self.longest_game_plies
            ),
            format!(
                "{:<22}{:>14}  (in {} games)",
                "variations", self.variations, self.games_with_variations
            ),
            row("comments", self.comments),
            row("annotation glyphs", self.annotation_glyphs),
            row("games from a FEN", self.games_from_fen),
        ];
        if let (Some(first), Some(last)) = (&self.first_date, &self.last_date) {
            let with = self.games_with_date;
            lines.push(format!("{:<22}{first} to {last}  ({with} games)", "dates"));
        }
        if self.games_left_out > 0 {
            lines.push(row("games left out", self.games_left_out));
        }
        lines.push(row("faulty games", self.faulty_games));
        let players = format!("players ({} in all)", self.distinct_players);
        let events = format!("events ({} in all)", self.distinct_events);
        let lists = [
            ("results", &self.results),
            (&players, &self.players),
            (&events, &self.events),
            ("openings", &self.openings),
            ("variants", &self.variants),
            ("tags", &self.tags),
            ("faults; `cql doctor` says where", &self.faults),
        ];
        for (title, counts) in lists {
            if counts.is_empty() {
                continue;
            }
            lines.push(format!("\n{title}"));
            let items = counts.iter();
            lines.extend(items.map(|item| format!("{:>10}  {}", item.count, item.name)));
        }
        lines.join("\n")
    }
}

fn row(name: &str, value: u64) -> String {
    format!("{name:<22}{value:>14}")
}
