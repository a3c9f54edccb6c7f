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
use crate::player::Player;

/// Names in the games that contain the name of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlayerLookup {
    /// Number of games in which the name of White, and that of Black, contains the text.
    pub games: [u64; 2],
    /// Nearest name of a player, or part of one, if no name contains the text.
    pub nearest: Option<String>,
}

/// Looks for a part of the name of a player, in any case of letters.
///
/// # Errors
/// Those of [`prepare`](super::prepare).
pub fn look_up(
    games: &mut Collection<'_>,
    name: &str,
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
    let part = name.to_lowercase();
    let known = all.0.map(|names| names.top(usize::MAX));
    let games = known.each_ref().map(|names| {
        let called = names.iter().filter(|count| count.name.to_lowercase().contains(&part));
        called.map(|count| count.count).sum()
    });
    let words = known.iter().flatten().flat_map(|count| {
        let words = count.name.split([',', ' ', '.']);
        words.filter(|word| word.chars().count() > 2).chain([count.name.as_str()])
    });
    let sought = Player::of_name(name);
    let alike =
        known.iter().flatten().find(|count| sought.may_be_spelled(&Player::of_name(&count.name)));
    let nearest = match (games, alike) {
        ([0, 0], Some(count)) => Some(count.name.as_str()),
        ([0, 0], None) => engine::nearest(name.trim(), words),
        _ => None,
    };
    Ok(PlayerLookup { games, nearest: nearest.map(str::to_owned) })
}

/// Returns why a report about a player with one color, by all `names` of the player, has no games,
/// and the other color if there are games with that. `n_elsewhere` is the number of games without the position. The games are read
/// again.
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
    let name = names.join(" / ");
    if n_elsewhere > 0 {
        let games = counted(n_elsewhere, "game");
        let message = format!("no game of {name} as {color} has this position: {games} without it");
        return Ok((message, None));
    }
    let first = names.first().map_or("", String::as_str);
    let found = look_up(games, first, watch)?;
    let (n_as_other, other) = match color {
        "white" => (found.games[1], "black"),
        _ => (found.games[0], "white"),
    };
    Ok(match found {
        PlayerLookup { nearest: Some(near), .. } => {
            (format!("no player's name contains '{name}'; did you mean '{near}'?"), None)
        }
        _ if n_as_other > 0 => {
            let games = counted(n_as_other, "game");
            (format!("no game has '{name}' as {color}, but {games} as {other}"), Some(other))
        }
        PlayerLookup { games: [0, 0], .. } => (format!("no player's name contains '{name}'"), None),
        _ => (format!("no game of '{name}' as {color} can be counted"), None),
    })
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
