//! Counts tags and results of a collection.

use std::collections::{BTreeMap, HashMap};

use babson::{Scan, Screens};
use board::Color;
use engine::{KnownGame, KnownWorker};
use flow::{Output, Results, Worker};
use pgn::{RawGame, TagIndex, Tags, decode};
use serde_json::{Value, json};

use crate::pass::{Host, options, tell};

/// Maximum number of different names that are counted, so that memory does not grow with the file.
const NAMES: usize = 1 << 19;

/// Number of the most frequent names that are reported.
const TOLD: usize = 12;

/// Counts tags and results of a collection and reports the counts.
///
/// # Errors
/// The games cannot be read.
pub fn stats<H: Host>(host: &H) -> Result<(), String> {
    let mut all = Counts::default();
    let mut failures = Vec::new();
    let mut sink = |out: Output<Counts>| {
        host.read(out.n_bytes, out.n_games, 0);
        all.add(out.results);
        let failure = out.failure.map(|why| format!("{}: {why}", out.origin.name));
        failures.extend(failure);
        Ok(())
    };
    let every_game = Screens::open([]);
    let options = options(host);
    let run = host.games().scan(&every_game, &options, &Counter::default, &mut |_| {}, &mut sink);
    let (summary, _) = run.map_err(|error| error.to_string())?;
    let mut end = all.tell(summary.n_games);
    end["failures"] = json!(failures);
    end["stopped"] = json!(summary.cancelled);
    tell(host, &json!({ "end": end }))
}

/// Counts the tags and results of games; there is one for each thread.
#[derive(Debug, Default)]
pub(crate) struct Counter {
    index: TagIndex,
    buffer: Vec<u8>,
}

impl Worker for Counter {
    type Results = Counts;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Counts>) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = *self.index.tags(text);
        let last = text.rsplit(|byte| byte.is_ascii_whitespace());
        let last = last.into_iter().find(|word| !word.is_empty());
        let at_end = last.and_then(result_of);
        let result = at_end.or_else(|| result_of(tags.raw(b"Result").unwrap_or_default()));
        out.results.see(tags, result);
    }
}

impl KnownWorker for Counter {
    fn known_game(&mut self, game: &dyn KnownGame, _: u64, out: &mut Output<Counts>) {
        let tags = game.tags();
        // The result at the end of the movetext takes precedence over the tag.
        let result = result_of(tags.raw(b"Result").unwrap_or_default());
        out.results.see(tags, result);
    }
}

/// Returns the result with this text.
fn result_of(text: &[u8]) -> Option<&'static str> {
    let all = ["1-0", "0-1", "1/2-1/2", "*"];
    all.into_iter().find(|result| result.as_bytes() == text)
}

/// Counts of a collection.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    years: BTreeMap<u16, u64>,
    results: BTreeMap<&'static str, u64>,
    elos: BTreeMap<u16, u64>,
    players: HashMap<Vec<u8>, u64>,
    events: HashMap<Vec<u8>, u64>,
    openings: HashMap<Vec<u8>, u64>,
}

/// A panic on a game leaves the counts as they are.
impl Results for Counts {}

impl Counts {
    fn see(&mut self, tags: Tags<'_>, result: Option<&'static str>) {
        let date = tags.date();
        if date.year > 0 {
            *self.years.entry(date.year).or_default() += 1;
        }
        *self.results.entry(result.unwrap_or("*")).or_default() += 1;
        if !matches!(tags.event(), b"?" | b"") {
            count(&mut self.events, tags.event(), 1);
        }
        for color in Color::ALL {
            let player = tags.player(color);
            if !matches!(&*player, b"?" | b"") {
                count(&mut self.players, &player, 1);
            }
            let name: &[u8] = match color {
                Color::White => b"WhiteElo",
                Color::Black => b"BlackElo",
            };
            let elo = tags.raw(name).and_then(|elo| std::str::from_utf8(elo).ok());
            if let Some(elo) = elo.and_then(|elo| elo.parse::<u16>().ok())
                && (1..5000).contains(&elo)
            {
                *self.elos.entry(elo / 100 * 100).or_default() += 1;
            }
        }
        if let Some(eco) = tags.eco() {
            count(&mut self.openings, &eco.as_bytes()[..3], 1);
        }
    }

    fn add(&mut self, other: Counts) {
        for (year, n) in other.years {
            *self.years.entry(year).or_default() += n;
        }
        for (result, n) in other.results {
            *self.results.entry(result).or_default() += n;
        }
        for (elo, n) in other.elos {
            *self.elos.entry(elo).or_default() += n;
        }
        for (name, n) in other.players {
            count(&mut self.players, &name, n);
        }
        for (name, n) in other.events {
            count(&mut self.events, &name, n);
        }
        for (name, n) in other.openings {
            count(&mut self.openings, &name, n);
        }
    }

    fn tell(&self, n_games: u64) -> Value {
        json!({
            "games": n_games,
            "results": self.results.iter().collect::<Vec<_>>(),
            "years": self.years.iter().collect::<Vec<_>>(),
            "elos": self.elos.iter().collect::<Vec<_>>(),
            "players": most(&self.players),
            "nPlayers": self.players.len(),
            "events": most(&self.events),
            "nEvents": self.events.len(),
            "openings": most(&self.openings),
            "nOpenings": self.openings.len(),
        })
    }
}

fn count(counts: &mut HashMap<Vec<u8>, u64>, name: &[u8], n: u64) {
    if let Some(count) = counts.get_mut(name) {
        *count += n;
    } else if counts.len() < NAMES {
        counts.insert(name.to_vec(), n);
    }
}

/// Returns the most frequent names; equally frequent ones are in alphabetical order.
fn most(counts: &HashMap<Vec<u8>, u64>) -> Value {
    let mut names: Vec<(&Vec<u8>, &u64)> = counts.iter().collect();
    names.sort_unstable_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    let told = names.into_iter().take(TOLD);
    told.map(|(name, n)| json!([decode(name), n])).collect()
}
