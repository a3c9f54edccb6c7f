//! Prints the counts as a table and as JSON.

use pgn::GameResult;
use serde::Serialize;

use super::{Names, Stats};

impl Stats {
    pub(super) fn report(&self, top: usize) -> Report {
        let results =
            [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown];
        let results = results
            .map(|result| Count { name: result.to_string(), count: self.results[result as usize] });
        let faults =
            self.faults.iter().map(|(kind, count)| Count { name: kind.to_string(), count: *count });
        let lines = Count {
            name: "line without a puzzle or position".to_owned(),
            count: self.left_out - self.n_skipped,
        };
        let faults = faults.chain((lines.count > 0).then_some(lines));
        Report {
            files: self.files,
            bytes: self.bytes,
            games: self.games,
            games_left_out: self.left_out,
            positions: self.positions,
            plies: self.plies,
            games_of_unknown_rules: self.n_unknown_rules,
            average_plies: match self.n_read - self.n_unknown_rules {
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
            distinct_players: self.players.counts.len() as u64,
            players: self.players.top(top),
            distinct_events: self.events.counts.len() as u64,
            events: self.events.top(top),
            openings: self.openings.top(top),
            variants: self.variants.top(top),
            tags: self.tags.top(top.max(20)),
            faulty_games: self.faulty,
            faults: faults.collect(),
        }
    }
}

impl Names {
    /// Returns the most frequent names, equally frequent ones in alphabetical order.
    fn top(&self, n: usize) -> Vec<Count> {
        let mut all: Vec<(&Vec<u8>, &u64)> = self.counts.iter().collect();
        all.sort_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        all.iter()
            .take(n)
            .map(|(name, count)| Count { name: pgn::decode(name).into_owned(), count: **count })
            .collect()
    }
}

/// Name with its number of occurrences.
#[derive(Serialize)]
struct Count {
    name: String,
    count: u64,
}

/// Report as written in JSON.
#[derive(Serialize)]
pub(super) struct Report {
    files: u64,
    bytes: u64,
    games: u64,
    games_left_out: u64,
    positions: u64,
    plies: u64,
    games_of_unknown_rules: u64,
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
    pub(super) fn table(&self) -> String {
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
        if self.games_of_unknown_rules > 0 {
            let row = row("moves not counted", self.games_of_unknown_rules);
            lines.push(row + "  (games of variants that cql cannot play)");
        }
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
            ("faults; `cql doctor` shows where", &self.faults),
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
