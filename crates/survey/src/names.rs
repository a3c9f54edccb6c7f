//! Counts of names.

use std::collections::HashMap;

use serde::Serialize;

/// Maximum number of different names that are counted, so that memory does not grow with the files.
const MOST: usize = 1 << 20;

/// Counts of names, such as those of players.
#[derive(Debug, Default)]
pub struct Names {
    counts: HashMap<Vec<u8>, u64>,
    /// Whether there were more names than are counted.
    is_cut: bool,
}

/// Name with its number of occurrences.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The name.
    pub name: String,
    /// Number of its occurrences.
    pub count: u64,
}

impl Names {
    /// Number of different names.
    #[must_use]
    pub fn n_distinct(&self) -> u64 {
        self.counts.len() as u64
    }

    /// Returns the `n` most frequent names, equally frequent ones in alphabetical order.
    #[must_use]
    pub fn top(&self, n: usize) -> Vec<Count> {
        let mut all: Vec<(&Vec<u8>, &u64)> = self.counts.iter().collect();
        all.sort_unstable_by(|a, b| b.1.cmp(a.1).then_with(|| a.0.cmp(b.0)));
        all.iter()
            .take(n)
            .map(|(name, count)| Count {
                name: pgn::decode_value(name).into_owned(),
                count: **count,
            })
            .collect()
    }

    /// Whether there were more names than are counted. The order of counting then determines
    /// the missing names.
    #[cfg(feature = "files")]
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(crate) fn add(&mut self, name: &[u8], n: u64) {
        // Games of one collection may spell a name in two encodings.
        let name = pgn::decode(name);
        let name = name.as_bytes();
        if let Some(count) = self.counts.get_mut(name) {
            *count += n;
        } else {
            self.insert(name.to_vec(), n);
        }
    }

    fn insert(&mut self, name: Vec<u8>, n: u64) {
        if self.counts.len() < MOST {
            self.counts.insert(name, n);
        } else {
            self.is_cut = true
        }
    }

    pub(crate) fn add_all(&mut self, other: Names) {
        self.is_cut |= other.is_cut;
        let mut names: Vec<(Vec<u8>, u64)> = other.counts.into_iter().collect();
        if self.counts.len() + names.len() > MOST {
            // The choice of dropped names must not depend on the order of counting.
            names.sort_unstable();
        }
        for (name, count) in names {
            if let Some(sum) = self.counts.get_mut(&name) {
                *sum += count;
            } else {
                self.insert(name, count);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Names;

    #[test]
    fn a_name_is_the_same_in_both_encodings() {
        let mut names = Names::default();
        names.add("Müller".as_bytes(), 1);
        names.add(b"M\xfcller", 2);
        let top: Vec<_> = names.top(9).into_iter().map(|name| (name.name, name.count)).collect();
        assert_eq!(top, [("Müller".to_owned(), 3)]);
    }
}
