//! Sorts, limits and samples the matching games.

use std::io;

use engine::{Found, Match, SortKey};
use flow::Output;

use super::Spool;

/// Order and selection of the games between search and output.
pub(super) enum Order {
    /// All games in input order.
    AsRead,
    /// All games, sorted.
    Sorted(Spool),
    /// The best games, sorted.
    Best(Kept),
    /// A random sample of the games.
    Drawn(Kept, Lots),
}

/// At most `limit` games that are kept in memory in the end.
pub(crate) struct Kept {
    limit: usize,
    games: Vec<Game>,
    n_seen: u64,
}

struct Game {
    /// Index among the matching games.
    place: u64,
    keys: Vec<SortKey>,
    text: Vec<u8>,
}

impl Kept {
    pub(crate) fn new(limit: u64) -> Kept {
        Kept { limit: usize::try_from(limit).unwrap_or(usize::MAX), games: Vec::new(), n_seen: 0 }
    }

    fn next(&mut self, found: &Match, text: &[u8]) -> Game {
        self.n_seen += 1;
        Game { place: self.n_seen - 1, keys: found.sort_keys.clone(), text: text.to_vec() }
    }

    /// Adds a game and keeps the best ones. `ascending` has the direction of each key.
    pub(crate) fn add_best(&mut self, found: &Match, text: &[u8], ascending: &[bool]) {
        let game = self.next(found, text);
        self.games.push(game);
        if self.games.len() >= self.limit.saturating_mul(2).max(64) {
            self.sort(ascending);
            self.games.truncate(self.limit);
        }
    }

    /// Adds a game by reservoir sampling: in the end, each has had the same chance.
    pub(super) fn add_drawn(&mut self, found: &Match, text: &[u8], lots: &mut Lots) {
        let game = self.next(found, text);
        if self.games.len() < self.limit {
            self.games.push(game);
        } else {
            let lot = lots.below(self.n_seen);
            let place = usize::try_from(lot).ok();
            if let Some(old) = place.and_then(|place| self.games.get_mut(place)) {
                *old = game;
            }
        }
    }

    /// Sorts by the keys. Games with equal keys stay in input order.
    fn sort(&mut self, ascending: &[bool]) {
        self.games.sort_by(|a, b| {
            SortKey::compare(&a.keys, &b.keys, ascending).then(a.place.cmp(&b.place))
        });
    }

    /// Passes the remaining games to `each`, sorted. Returns their number.
    pub(crate) fn finish(
        mut self,
        ascending: &[bool],
        each: &mut dyn FnMut(&[u8]) -> io::Result<()>,
    ) -> io::Result<u64> {
        self.sort(ascending);
        self.games.truncate(self.limit);
        for game in &self.games {
            each(&game.text)?;
        }
        Ok(self.games.len() as u64)
    }
}

/// Removes everything after the `n`-th match from the results of a chunk. Returns the number of the
/// game with that match, or `None` if there are fewer matches.
pub(crate) fn cut_behind(found: &mut Found, n: u64) -> Option<u64> {
    let last = usize::try_from(n).ok()?.checked_sub(1)?;
    let last = found.matches.get(last)?;
    let (number, end) = (last.number, last.text.end);
    found.matches.truncate(n as usize);
    found.text.truncate(end);
    found.message_ends.retain(|message| message.0 <= number);
    let end = found.message_ends.last().map_or(0, |message| message.1);
    found.messages.truncate(end);
    found.n_matching_positions = found.matches.iter().map(|game| game.n_positions).sum();
    Some(number)
}

/// Removes everything about games after `number` from the output of a chunk: nobody needs their
/// issues, or those of the rest of their source.
pub(crate) fn forget_behind<R>(out: &mut Output<R>, number: u64) {
    out.n_games = out.n_games.min((number + 1).saturating_sub(out.first_game));
    out.faults.retain(|fault| fault.number <= number);
    out.failure = None;
}

/// Pseudo-random numbers that are determined by the seed (SplitMix64).
pub(super) struct Lots(u64);

impl Lots {
    pub(super) fn new(seed: u64) -> Lots {
        Lots(seed)
    }

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

    fn found(number: u64, key: i64) -> Match {
        Match {
            number,
            text: 0..0,
            n_positions: 1,
            n_unwritten_comments: 0,
            sort_keys: vec![SortKey::Number(key)],
        }
    }

    fn texts(kept: Kept, ascending: &[bool]) -> Vec<String> {
        let mut texts = Vec::new();
        kept.finish(ascending, &mut |text| {
            texts.push(String::from_utf8_lossy(text).into_owned());
            Ok(())
        })
        .expect("no errors");
        texts
    }

    #[test]
    fn the_best_are_kept() {
        let check = |limit, ascending, expected: &[&str]| {
            let mut kept = Kept::new(limit);
            for number in 0..1000_u64 {
                // Each of 0 to 99 ten times, mixed.
                let key = (number * 7 % 100) as i64;
                kept.add_best(&found(number, key), number.to_string().as_bytes(), &[ascending]);
                assert!(kept.games.len() < 2000.min(limit as usize * 2).max(64));
            }
            assert_eq!(texts(kept, &[ascending]), expected);
        };
        check(3, true, &["0", "100", "200"]);
        check(2, false, &["57", "157"]);
    }

    #[test]
    fn every_game_has_the_same_chance() {
        let mut drawn = [0; 20];
        for seed in 0..2000 {
            let mut kept = Kept::new(5);
            let mut lots = Lots::new(seed);
            for number in 0..20 {
                kept.add_drawn(&found(number, 0), number.to_string().as_bytes(), &mut lots);
            }
            let texts = texts(kept, &[]);
            assert_eq!(texts.len(), 5);
            for text in texts {
                drawn[text.parse::<usize>().expect("a number")] += 1;
            }
        }
        // The expected count is 500, with a standard deviation of 19.
        for n in drawn {
            assert!((400..600).contains(&n), "{drawn:?}");
        }
    }

    #[test]
    fn few_games_are_all_drawn() {
        let mut kept = Kept::new(5);
        let mut lots = Lots::new(0);
        for number in 0..3 {
            kept.add_drawn(&found(number, -(number as i64)), b"x", &mut lots);
        }
        assert_eq!(texts(kept, &[]).len(), 3);
    }
}
