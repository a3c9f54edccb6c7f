//! Counts of what the tags of games say.

use std::collections::BTreeMap;

use board::Color;
use engine::{GameRow, KnownGame, KnownWorker};
use flow::{Output, Results, Worker};
use pgn::{GameResult, GameTree, RawGame, TagIndex, Tags, VariantNames, decode};

use crate::Names;

/// Returns the value of a tag of a row, if it is known.
pub(crate) fn known_tag(row: &GameRow, name: &str) -> Option<String> {
    let value = row.tag(name.as_bytes()).map(|value| decode(value).into_owned());
    value.filter(|value| !value.is_empty() && !value.starts_with('?'))
}

/// Counts of results, and of the players, events, years and ratings in tags.
#[derive(Debug, Default)]
pub struct TagCounts {
    /// Number of games by [`GameResult`].
    pub results: [u64; 4],
    /// Number of games of each player.
    pub players: Names,
    /// Number of games of each event.
    pub events: Names,
    /// Number of games of each ECO code, without extensions.
    pub openings: Names,
    /// Number of games of each year.
    pub years: BTreeMap<u16, u64>,
    /// Number of ratings of players in each hundred.
    pub ratings: BTreeMap<u16, u64>,
}

/// A panic on a game leaves the counts as they are.
impl Results for TagCounts {}

impl TagCounts {
    /// Counts a game.
    pub(crate) fn see_game(&mut self, tags: Tags<'_>, result: GameResult) {
        self.see_tags(tags, 1);
        self.see_players(result, Color::ALL.map(|color| tags.rating(color).value));
    }

    /// Counts the names and the year in the tags of a game, or in tags that `n` games share.
    pub(crate) fn see_tags(&mut self, tags: Tags<'_>, n: u64) {
        for color in Color::ALL {
            let player = tags.player(color);
            if !matches!(&*player, b"?" | b"") {
                self.players.add(&player, n);
            }
        }
        if !matches!(tags.event(), b"?" | b"") {
            self.events.add(tags.event(), n);
        }
        if let Some(eco) = tags.eco() {
            self.openings.add(&eco.as_bytes()[..3], n);
        }
        let year = tags.date().year;
        if year > 0 {
            *self.years.entry(year).or_default() += n;
        }
    }

    /// Counts the result and the ratings of a game; 0 stands for no rating.
    pub(crate) fn see_players(&mut self, result: GameResult, ratings: [u16; 2]) {
        self.results[result as usize] += 1;
        for rating in ratings.into_iter().filter(|&rating| rating > 0) {
            *self.ratings.entry(rating / 100 * 100).or_default() += 1;
        }
    }

    /// Adds the counts of other games.
    pub fn add(&mut self, other: TagCounts) {
        for (sum, n) in self.results.iter_mut().zip(other.results) {
            *sum += n;
        }
        self.players.add_all(other.players);
        self.events.add_all(other.events);
        self.openings.add_all(other.openings);
        for (sums, counts) in [(&mut self.years, other.years), (&mut self.ratings, other.ratings)] {
            for (key, n) in counts {
                *sums.entry(key).or_default() += n;
            }
        }
    }
}

/// Counts the tags and results of games; there is one for each thread.
#[derive(Debug, Default)]
pub struct TagCounter {
    index: TagIndex,
    tree: GameTree,
    buffer: Vec<u8>,
    variants: VariantNames,
}

impl Worker for TagCounter {
    type Results = TagCounts;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<TagCounts>) {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan(text);
        let tags = self.index.tags(text);
        // The result at the end of the movetext takes precedence over the tag.
        self.tree.parse_as(tags, self.variants.variant_of(tags));
        out.results.see_game(*tags, self.tree.result());
    }
}

impl KnownWorker for TagCounter {
    fn known_game(&mut self, game: &dyn KnownGame, _: u64, out: &mut Output<TagCounts>) {
        let tags = game.tags();
        // Such a tag has the result at the end of the movetext.
        out.results.see_game(tags, tags.result());
    }

    fn uses_moves(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use flow::{GameSource, RunOptions};

    use super::*;

    #[test]
    fn results_and_ratings_are_those_of_queries() {
        let games = b"[White \"Ann (2450)\"]\n[Result \"1-0\"]\n\n1. e4 0-1 {so they say}\n\n\
            [White \"Bo\"]\n[WhiteElo \"2499\"]\n[Result \"1/2-1/2\"]\n\n1. e4\n";
        let mut all = TagCounts::default();
        let mut sink = |out: Output<TagCounts>| {
            all.add(out.results);
            Ok(())
        };
        let source = GameSource::pgn("g.pgn", &games[..]).alone();
        flow::run(source, &RunOptions::default(), TagCounter::default, &mut sink).expect("counts");
        let expected =
            [(GameResult::BlackWins, 1), (GameResult::Draw, 1), (GameResult::Unknown, 0)];
        for (result, n) in expected {
            assert_eq!(all.results[result as usize], n, "{result}");
        }
        assert_eq!(all.ratings, BTreeMap::from([(2400, 2)]));
        assert_eq!(all.players.n_distinct(), 2);
    }
}
