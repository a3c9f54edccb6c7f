//! Two hashes of each game, used to find games that may be duplicates.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Number and hashes of a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) number: u64,
    /// Hash of its start and moves, for a short game also of its tags.
    pub(super) whole: u64,
    /// Hash of its players, start and first moves; 0 if there is none.
    pub(super) beginning: u64,
}

/// Returns a hash that is not 0.
pub(super) fn key(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    // 0 means that there is no key.
    hasher.finish().max(1)
}

/// Divides the games that may be duplicates into lots of about `most` games. All games that a game
/// may be a duplicate of are in its lot. Games with unique keys are in no lot.
pub(super) fn lots(mut keys: Vec<Keys>, most: usize) -> Vec<Vec<u64>> {
    let mut pairs = Vec::new();
    for key_of in [(|keys: &Keys| keys.whole) as fn(&Keys) -> u64, |keys: &Keys| keys.beginning] {
        keys.sort_unstable_by_key(|keys| (key_of(keys), keys.number));
        let equal = keys.chunk_by(|a, b| key_of(a) == key_of(b));
        for games in equal.filter(|games| games.len() > 1 && key_of(&games[0]) != 0) {
            let first = games[0].number;
            pairs.extend(games[1..].iter().map(|game| (first, game.number)));
        }
    }
    drop(keys);
    in_lots(connected(&pairs), most)
}

/// Returns the sets of numbers that are connected by pairs, ordered by their first numbers.
fn connected(pairs: &[(u64, u64)]) -> Vec<Vec<u64>> {
    let mut numbers: Vec<u64> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let place = |number: u64| numbers.binary_search(&number).unwrap_or_default();
    // Each index refers to an earlier one of its set, or to itself if it is the first.
    let mut before: Vec<usize> = (0..numbers.len()).collect();
    for &(a, b) in pairs {
        let (a, b) = (first(&mut before, place(a)), first(&mut before, place(b)));
        before[a.max(b)] = a.min(b);
    }
    let (mut sets, mut set_of): (Vec<Vec<u64>>, HashMap<usize, usize>) = Default::default();
    for (at, &number) in numbers.iter().enumerate() {
        let set = *set_of.entry(first(&mut before, at)).or_insert_with(|| {
            sets.push(Vec::new());
            sets.len() - 1
        });
        sets[set].push(number);
    }
    sets
}

/// Returns the first index of the set that contains an index, and shortens the way to it.
fn first(before: &mut [usize], mut at: usize) -> usize {
    while before[at] != at {
        before[at] = before[before[at]];
        at = before[at];
    }
    at
}

/// Combines sets into lots of up to `most` numbers. A larger set is a lot of its own.
fn in_lots(sets: Vec<Vec<u64>>, most: usize) -> Vec<Vec<u64>> {
    let mut lots: Vec<Vec<u64>> = Vec::new();
    for mut set in sets {
        match lots.last_mut() {
            Some(lot) if lot.len() + set.len() <= most => lot.append(&mut set),
            _ => lots.push(set),
        }
    }
    for lot in &mut lots {
        lot.sort_unstable();
    }
    lots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_connected_stays_together() {
        let keys = |number, whole, beginning| Keys { number, whole, beginning };
        let games = vec![
            keys(1, 7, 0),
            keys(2, 8, 3),
            keys(3, 7, 0),
            keys(4, 9, 3),
            keys(5, 10, 4),
            keys(6, 9, 0),
            keys(7, 11, 5),
            keys(8, 11, 5),
        ];
        let check = |most, expected: &[&[u64]]| assert_eq!(lots(games.clone(), most), expected);
        check(0, &[&[1, 3], &[2, 4, 6], &[7, 8]]);
        check(5, &[&[1, 2, 3, 4, 6], &[7, 8]]);
        check(9, &[&[1, 2, 3, 4, 6, 7, 8]]);
        assert_eq!(lots(Vec::new(), 9), Vec::<Vec<u64>>::new());
    }
}
