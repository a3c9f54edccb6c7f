//! Looks for the name of a player among all games, if the games that are meant do not exist.

use archive::{Columns, Rows};
use babson::{ArchiveReadError, ArchiveRows};
use board::Color;
use flow::{Output, Results, Worker};
use pgn::summary::player_name;
use pgn::{RawGame, TagIndex};
use table::counted;

use crate::Names;
use crate::collection::{Collection, Error, RowWorker, Sum, Watch};

/// Names in the games that contain parts of the name of a player.
struct PlayerLookup {
    /// Number of games in which the name of White, and that of Black, contains one of the parts.
    games: [u64; 2],
    /// The parts that no name contains, each with the nearest name of a player, or part of one.
    unknown: Vec<(String, Option<String>)>,
}

/// Looks for parts of the name of a player, in any case of letters.
fn look_up(
    games: &mut Collection<'_>,
    names: &[String],
    watch: &mut dyn Watch,
) -> Result<PlayerLookup, Error> {
    let mut all = Players::default();
    let passed = games.pass(false, &NameReader::default, watch, &mut |players, _| {
        all.add(players);
        Ok(())
    })?;
    if passed.is_cancelled {
        return Err(Error::Cancelled);
    }
    let parts: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut is_known = vec![false; parts.len()];
    let known = all.0.map(|names| names.top(usize::MAX));
    let games = known.each_ref().map(|counts| {
        let n_games = counts.iter().map(|count| {
            let name = count.name.to_lowercase();
            let mut is_called = false;
            for (part, is_known) in parts.iter().zip(&mut is_known) {
                let contains = name.contains(part);
                *is_known |= contains;
                is_called |= contains;
            }
            if is_called { count.count } else { 0 }
        });
        n_games.sum()
    });
    let known = known.iter().flatten().map(|count| (count.name.as_str(), count.count));
    let known: Vec<(&str, u64)> = known.collect();
    let unknown = names.iter().zip(is_known).filter(|(_, is_known)| !is_known);
    let unknown = unknown.map(|(name, _)| (name.clone(), nearest_of(name, &known)));
    Ok(PlayerLookup { games, unknown: unknown.collect() })
}

/// Returns the spelling of a name that finds most games, or else the most similar name or word of a
/// name.
fn nearest_of(name: &str, known: &[(&str, u64)]) -> Option<String> {
    let words = known.iter().flat_map(|(known, _)| {
        let words = known.split([',', ' ', '.']);
        words.filter(|word| word.chars().count() > 2).chain([*known])
    });
    let nearest = || engine::nearest(name.trim(), words).map(str::to_owned);
    engine::spelling_of_player(name, known).or_else(nearest)
}

/// Returns why a report about a player with one color, by all `names` of the player, has no games,
/// and the other color if there are games with that. `n_elsewhere` is the number of games without
/// the position. The games are read again.
///
/// # Errors
/// Those of [`prepare`](super::prepare).
pub fn why_none(
    names: &[String],
    color: &str,
    n_elsewhere: u64,
    games: &mut Collection<'_>,
    watch: &mut dyn Watch,
) -> Result<(String, Option<&'static str>), Error> {
    let mut names = names.to_vec();
    names.sort_unstable();
    if n_elsewhere > 0 {
        let (name, games) = (names.join(" / "), counted(n_elsewhere, "game"));
        let message = format!("no game of {name} as {color} has this position: {games} without it");
        return Ok((message, None));
    }
    let PlayerLookup { games, unknown } = look_up(games, &names, watch)?;
    names.retain(|name| unknown.iter().all(|(other, _)| other != name));
    let (n_as_other, other) = match color {
        "white" => (games[1], "black"),
        _ => (games[0], "white"),
    };
    let other = Some(other).filter(|_| n_as_other > 0);
    let mut said = Vec::new();
    if !unknown.is_empty() {
        let unknown = unknown.iter().map(|(name, near)| match near {
            Some(near) => format!("'{name}' (did you mean '{near}'?)"),
            None => format!("'{name}'"),
        });
        let unknown: Vec<String> = unknown.collect();
        said.push(format!("no player's name contains {}", unknown.join(" or ")));
    }
    let known: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let known = known.join(" or ");
    match other {
        Some(other) => {
            let games = counted(n_as_other, "game");
            said.push(format!("no game has {known} as {color}, but {games} as {other}"));
        }
        None if names.is_empty() => {}
        None => said.push(format!("no game of {known} as {color} can be counted")),
    }
    Ok((said.join("; "), other))
}

/// Names of White and Black.
#[derive(Debug, Default)]
struct Players([Names; 2]);

impl Results for Players {}

impl Sum for Players {
    fn add(&mut self, other: Players) {
        for (names, more) in self.0.iter_mut().zip(other.0) {
            names.add_all(more);
        }
    }
}

/// Reads the names of a thread.
#[derive(Default)]
struct NameReader {
    index: TagIndex,
    buffer: Vec<u8>,
    /// Names of rows.
    players: Players,
}

impl Worker for NameReader {
    type Results = Players;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Players>) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let tags = self.index.tags(text);
        for (names, color) in out.results.0.iter_mut().zip(Color::ALL) {
            names.add(&tags.player(color), 1);
        }
    }
}

impl RowWorker for NameReader {
    fn columns() -> Columns {
        Columns::of(|name| {
            ["white", "black"].contains(&name) || ArchiveRows::PLACES.contains(&name)
        })
    }

    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        _: u64,
        _: &mut Output<Players>,
    ) -> Result<bool, ArchiveReadError> {
        for (names, column) in self.players.0.iter_mut().zip([&rows.white, &rows.black]) {
            names.add(&player_name(column.get(row)), 1);
        }
        Ok(true)
    }

    fn finish(self) -> Players {
        self.players
    }
}
