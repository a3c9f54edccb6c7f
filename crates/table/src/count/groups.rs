//! The groups of counts, in little memory.
//!
//! Most groups of a large table, such as one of positions, have a single game. Such a group takes a
//! few bytes besides the text of its key, and not even that once it can no longer be shown.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher};

use crate::score::{Points, Score};

/// Result of a game with the ratings of the player and of the opponent, 0 if unknown.
pub(crate) type Outcome = (Option<Points>, u16, u16);

/// Counts of a group.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    pub(super) games: i64,
    pub(super) positions: i64,
    pub(super) score: Score,
}

impl Group {
    pub(super) fn add(&mut self, n_positions: i64, outcome: Option<Outcome>) {
        self.positions += n_positions;
        if let Some((points, own, other)) = outcome {
            self.games += 1;
            self.score.add(points, own, other);
        }
    }
}

/// Groups by their keys, which are stored cells. A hash of 64 bits stands for each key.
#[derive(Debug, Default)]
pub(super) struct Groups {
    by_hash: HashMap<u64, Kept>,
    /// Groups of several games.
    several: Vec<(Box<[u8]>, Group)>,
    /// The keys of groups of one game, each after its length.
    keys: Vec<u8>,
    /// Number of groups that are shown, those with the most games; `None` for all.
    most: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
enum Kept {
    /// A group of one game, and the place of its key.
    One { at: u64, n_positions: i64, outcome: Outcome },
    /// The index of a group of several games.
    Several(u32),
}

impl Groups {
    /// Creates an empty collection of groups, of which only the `most` with the most games are
    /// shown, if a number is given.
    pub(super) fn new(most: Option<usize>) -> Groups {
        Groups { most, ..Groups::default() }
    }

    /// Counts a game with so many positions in the group of a key.
    pub(super) fn add(&mut self, key: &[u8], n_positions: i64, outcome: Outcome) {
        let mut hasher = DefaultHasher::new();
        hasher.write(key);
        let hash = hasher.finish();
        match self.by_hash.get(&hash).copied() {
            Some(Kept::Several(index)) => {
                self.several[index as usize].1.add(n_positions, Some(outcome));
            }
            Some(Kept::One { n_positions: first, outcome: of_first, .. }) => {
                let mut group = Group::default();
                group.add(first, Some(of_first));
                group.add(n_positions, Some(outcome));
                // No memory holds more groups of several games than this.
                let index = u32::try_from(self.several.len()).unwrap_or(u32::MAX);
                self.by_hash.insert(hash, Kept::Several(index));
                self.several.push((key.into(), group));
                if !self.shows_single_games() {
                    self.keys = Vec::new();
                }
            }
            None => {
                let at = self.keys.len() as u64;
                if self.shows_single_games() {
                    self.keys.extend((key.len() as u64).to_le_bytes());
                    self.keys.extend_from_slice(key);
                }
                self.by_hash.insert(hash, Kept::One { at, n_positions, outcome });
            }
        }
    }

    /// Whether groups of one game may be shown.
    fn shows_single_games(&self) -> bool {
        self.most.is_none_or(|most| self.several.len() < most)
    }

    /// Passes the groups that may be shown with their keys to `each`.
    pub(super) fn finish(mut self, mut each: impl FnMut(&[u8], Group)) {
        let mut least = 0;
        if let Some(most) = self.most.filter(|most| (1..=self.several.len()).contains(most)) {
            let (_, last, _) =
                self.several.select_nth_unstable_by_key(most - 1, |(_, group)| -group.games);
            least = last.1.games;
        }
        let shows_single_games = self.shows_single_games();
        for (key, group) in self.several {
            if group.games >= least {
                each(&key, group);
            }
        }
        for kept in self.by_hash.into_values().filter(|_| shows_single_games) {
            if let Kept::One { at, n_positions, outcome } = kept
                && let Some((length, rest)) = self.keys[at as usize..].split_first_chunk::<8>()
            {
                let mut group = Group::default();
                group.add(n_positions, Some(outcome));
                each(&rest[..u64::from_le_bytes(*length) as usize], group);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the groups that may be shown: their keys, games and positions.
    fn shown(most: Option<usize>, games: &[(&str, i64)]) -> Vec<(String, i64, i64)> {
        let mut groups = Groups::new(most);
        for (key, n_positions) in games {
            groups.add(key.as_bytes(), *n_positions, (None, 0, 0));
        }
        let mut shown = Vec::new();
        groups.finish(|key, group| {
            let key = String::from_utf8_lossy(key).into_owned();
            shown.push((key, group.games, group.positions));
        });
        shown.sort();
        shown
    }

    #[test]
    fn all_groups_that_may_be_shown_have_their_keys() {
        let games =
            [("a", 1), ("b", 2), ("a", 3), ("c", 1), ("d", i64::MAX), ("c", 1), ("c", 1), ("e", 1)];
        let [a, b, c, d, e] =
            [("a", 2, 4), ("b", 1, 2), ("c", 3, 3), ("d", 1, i64::MAX), ("e", 1, 1)]
                .map(|(key, games, positions)| (key.to_owned(), games, positions));
        let all = [a.clone(), b, c.clone(), d, e];
        assert_eq!(shown(None, &games), all);
        assert_eq!(shown(Some(9), &games), all);
        assert_eq!(shown(Some(3), &games), all);
        assert_eq!(shown(Some(2), &games), [a, c.clone()]);
        assert_eq!(shown(Some(1), &games), [c]);
    }
}
