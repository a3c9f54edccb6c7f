//! Counts tags and results of a collection.

use std::collections::BTreeMap;

use babson::{Prefilter, Scan};
use flow::Output;
use pgn::GameResult;
use serde_json::{Value, json};
use survey::{Names, TagCounter, TagCounts};

use crate::error::Error;
use crate::pass::{Host, options, tell};

/// Number of the most frequent names that are reported.
const TOLD: usize = 12;

/// Counts tags and results of a collection and reports the counts.
///
/// # Errors
/// The games cannot be read.
pub fn stats<H: Host>(host: &H) -> Result<(), Error> {
    let mut all = TagCounts::default();
    let mut failures = Vec::new();
    let mut sink = |out: Output<TagCounts>| {
        host.read(out.n_bytes, out.n_games, 0);
        all.add(out.results);
        let failure = out.failure.map(|why| format!("{}: {why}", out.origin.name));
        failures.extend(failure);
        Ok(())
    };
    let every_game = Prefilter::open([]);
    let options = options(host);
    let make = TagCounter::default;
    let (summary, _) = host.games().scan(&every_game, &options, &make, &mut |_| {}, &mut sink)?;
    let n_games = summary.n_games;
    let n_games = host.chosen().map_or(n_games, |chosen| chosen.len_up_to(n_games));
    let found = described(&all, n_games);
    let end = object! { ..found, "failures": failures, "stopped": summary.cancelled };
    Ok(tell(host, &object! { "end": end })?)
}

fn described(counts: &TagCounts, n_games: u64) -> Value {
    use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
    let TagCounts { results, players, events, openings, years, ratings } = counts;
    let results = [Unknown, BlackWins, WhiteWins, Draw]
        .map(|result| (result.as_str(), results[result as usize]))
        .into_iter()
        .filter(|(_, n)| *n > 0);
    let pairs = |counts: &BTreeMap<u16, u64>| json!(counts.iter().collect::<Vec<_>>());
    object! {
        "games": n_games,
        "results": results.collect::<Vec<_>>(),
        "years": pairs(years),
        "elos": pairs(ratings),
        "players": most(players),
        "nPlayers": players.n_distinct(),
        "events": most(events),
        "nEvents": events.n_distinct(),
        "openings": most(openings),
        "nOpenings": openings.n_distinct(),
    }
}

/// Returns the most frequent names with their numbers.
fn most(names: &Names) -> Value {
    names.top(TOLD).into_iter().map(|one| json!([one.name, one.count])).collect()
}
