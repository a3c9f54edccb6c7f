//! Games chosen by their numbers.

/// Set of games, by their numbers through all sources.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameSet {
    /// A bit for each number.
    words: Vec<u64>,
    len: u64,
}

impl GameSet {
    /// Number of games.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Number of games up to the one with this number.
    pub fn len_up_to(&self, last: u64) -> u64 {
        let whole = usize::try_from(last / 64).unwrap_or(usize::MAX).min(self.words.len());
        let rest = self.words.get(whole).map_or(0, |word| word << (63 - last % 64));
        let words = self.words[..whole].iter().copied().chain([rest]);
        words.map(|word| u64::from(word.count_ones())).sum()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Whether the game with this number is in the set.
    pub fn has(&self, number: u64) -> bool {
        let word = usize::try_from(number / 64).ok().and_then(|at| self.words.get(at));
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a game.
    fn insert(&mut self, number: u64) {
        let at = (number / 64) as usize;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        self.len += u64::from(!self.has(number));
        self.words[at] |= 1 << (number % 64);
    }
}

impl FromIterator<u64> for GameSet {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> GameSet {
        let mut set = GameSet::default();
        numbers.into_iter().for_each(|number| set.insert(number));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_games_that_were_added() {
        let set: GameSet = [3, 64, 200, 3].into_iter().collect();
        let all: Vec<u64> = (0..1000).filter(|&number| set.has(number)).collect();
        assert_eq!((all, set.len()), (vec![3, 64, 200], 3));
        assert!(!set.has(u64::MAX) && GameSet::default().is_empty());
        let up_to = [2, 3, 63, 64, 65, 199, 200, 256, u64::MAX].map(|last| set.len_up_to(last));
        assert_eq!(up_to, [0, 1, 1, 2, 2, 2, 3, 3, 3]);
    }
}
