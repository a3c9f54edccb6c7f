//! Puts the matching games of a query into their final order.

use std::io::{self, Read, Seek, Write};

use engine::{Match, QueryResults, SortKey};

use crate::Query;
use crate::spill::Spill;

/// Orders, limits and samples the matching games between the search and their output. Games that
/// are sorted wait until all are found: their keys in memory, their texts in `F`, such as a
/// temporary file.
pub struct Sorter<F>(SortMode<F>);

/// Way in which games wait for their order.
enum SortMode<F> {
    /// All games, in the order of the input.
    AsRead,
    /// All games, sorted, and whether each sort key is ascending.
    Sorted(Spill<F>, Vec<bool>),
    /// The best games or a random sample, sorted.
    Kept(Top<Vec<u8>>),
}

impl<F: Read + Write + Seek> Sorter<F> {
    /// Creates the sorter of a query. `spill` returns an empty store for texts.
    ///
    /// # Errors
    /// Those of `spill`.
    pub fn new(query: &Query, spill: impl FnOnce() -> io::Result<F>) -> io::Result<Sorter<F>> {
        Ok(Sorter(match Top::of(query) {
            None => SortMode::AsRead,
            Some(top) if top.limit.is_none() => {
                SortMode::Sorted(Spill::new(spill()?), top.ascending)
            }
            Some(top) => SortMode::Kept(top),
        }))
    }

    /// Adds the games of a chunk. Those that keep the order of the input go to `write` at once.
    ///
    /// # Errors
    /// Those of `write` and of the store.
    pub fn add(
        &mut self,
        found: QueryResults,
        write: &mut dyn FnMut(QueryResults) -> io::Result<()>,
    ) -> io::Result<()> {
        match &mut self.0 {
            SortMode::AsRead => write(found),
            SortMode::Sorted(spill, _) => spill.add(found),
            SortMode::Kept(top) => {
                for game in &found.matches {
                    top.add(game.sort_keys.clone(), || text(&found, game));
                }
                Ok(())
            }
        }
    }

    /// Passes the games that waited to `each`. Returns the number of games of the result, if it may
    /// differ from the number of matches.
    ///
    /// # Errors
    /// Those of `each`, and texts that cannot be read.
    pub fn finish(self, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<Option<u64>> {
        match self.0 {
            SortMode::AsRead => Ok(None),
            SortMode::Sorted(spill, ascending) => {
                spill.write_sorted(&ascending, each).map(|()| None)
            }
            SortMode::Kept(top) => {
                let games = top.finish();
                games.iter().try_for_each(|game| each(game))?;
                Ok(Some(games.len() as u64))
            }
        }
    }
}

fn text(found: &QueryResults, game: &Match) -> Vec<u8> {
    found.text[game.text.clone()].to_vec()
}

/// The best games of those that were added, or a random sample of them, kept in memory: at most
/// twice the limit, and no fewer than 64.
pub(crate) struct Top<T> {
    /// Number of games to keep; `None` keeps all of them.
    limit: Option<usize>,
    /// Source of a random sample; `None` keeps the best games.
    random: Option<Random>,
    /// Whether each sort key is ascending.
    ascending: Vec<bool>,
    games: Vec<Game<T>>,
    n_added: u64,
}

struct Game<T> {
    /// Index among the games that were added.
    index: u64,
    keys: Vec<SortKey>,
    game: T,
}

impl<T> Top<T> {
    /// Keeps the games that a query selects. `None` if they are the first ones, in the order of the
    /// input.
    pub(crate) fn of(query: &Query) -> Option<Top<T>> {
        let (selection, ascending) = (query.selection(), query.ascending());
        match selection.sample {
            Some((n, seed)) => Some(Top::new(Some(n), Some(Random(seed)), ascending)),
            None if ascending.is_empty() => None,
            None => Some(Top::new(selection.limit, None, ascending)),
        }
    }

    fn new(limit: Option<u64>, random: Option<Random>, ascending: Vec<bool>) -> Top<T> {
        let limit = limit.and_then(|limit| usize::try_from(limit).ok());
        Top { limit, random, ascending, games: Vec::new(), n_added: 0 }
    }

    /// Adds a game. In the end, each game of a sample has had the same chance.
    pub(crate) fn add(&mut self, keys: Vec<SortKey>, game: impl FnOnce() -> T) {
        let index = self.n_added;
        self.n_added += 1;
        let is_below = |limit: usize| self.games.len() < limit;
        match &mut self.random {
            // Reservoir sampling.
            Some(random) if !self.limit.is_none_or(is_below) => {
                let place = usize::try_from(random.below(self.n_added)).ok();
                if let Some(old) = place.and_then(|place| self.games.get_mut(place)) {
                    *old = Game { index, keys, game: game() };
                }
            }
            Some(_) => self.games.push(Game { index, keys, game: game() }),
            None => {
                self.games.push(Game { index, keys, game: game() });
                let is_full = |limit: usize| self.games.len() >= limit.saturating_mul(2).max(64);
                if self.limit.is_some_and(is_full) {
                    self.sort();
                }
            }
        }
    }

    /// Sorts by the keys and keeps the best. Games with equal keys stay in input order.
    fn sort(&mut self) {
        self.games.sort_unstable_by(|a, b| {
            SortKey::compare(&a.keys, &b.keys, &self.ascending).then(a.index.cmp(&b.index))
        });
        self.games.truncate(self.limit.unwrap_or(usize::MAX));
    }

    /// Returns the first key of the last of the best games, if there are as many as the limit.
    #[cfg(feature = "files")]
    pub(crate) fn least(&mut self) -> Option<i64> {
        self.sort();
        let last = self.games.get(self.limit?.checked_sub(1)?)?;
        match last.keys.first() {
            Some(SortKey::Number(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns the games, sorted.
    pub(crate) fn finish(mut self) -> Vec<T> {
        self.sort();
        self.games.into_iter().map(|game| game.game).collect()
    }
}

/// Pseudo-random numbers that are determined by the seed (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number less than `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(key: i64) -> Vec<SortKey> {
        vec![SortKey::Number(key)]
    }

    #[test]
    fn the_best_are_kept() {
        let check = |limit, ascending, expected: &[u64]| {
            let mut top = Top::new(Some(limit), None, vec![ascending]);
            for game in 0..1000_u64 {
                // Each of 0 to 99 ten times, mixed.
                top.add(number((game * 7 % 100) as i64), || game);
                assert!(top.games.len() < 2000.min(limit as usize * 2).max(64));
            }
            assert_eq!(top.finish(), expected);
        };
        check(3, true, &[0, 100, 200]);
        check(2, false, &[57, 157]);
        check(0, true, &[]);
    }

    #[test]
    fn every_game_has_the_same_chance() {
        let mut drawn = [0; 20];
        for seed in 0..2000 {
            let mut top = Top::new(Some(5), Some(Random(seed)), Vec::new());
            (0..20).for_each(|game| top.add(number(0), || game));
            let games = top.finish();
            assert_eq!(games.len(), 5);
            games.into_iter().for_each(|game: usize| drawn[game] += 1);
        }
        // The expected count is 500, with a standard deviation of 19.
        for n in drawn {
            assert!((400..600).contains(&n), "{drawn:?}");
        }
    }

    #[test]
    fn few_games_are_all_drawn() {
        let mut top = Top::new(Some(5), Some(Random(0)), vec![true]);
        (0..3).for_each(|game| top.add(number(-game), || game));
        assert_eq!(top.finish(), [2, 1, 0]);
    }
}
