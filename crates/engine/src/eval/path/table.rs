//! Stores the first best match of each arrival that a search has visited.
//!
//! An *arrival* is a state of a pattern after a move, with the position that the move leads to. If
//! filters only match, everything reachable from an arrival depends on the arrival alone, whatever
//! was matched before. The search is defined as depth first, and only a strictly better match
//! replaces the best one. Hence an arrival contributes its first best match. A second visit, which
//! could only offer the same matches again, contributes nothing. So every arrival is searched once
//! and its first best match is stored here: a pattern of nested repetitions costs states ×
//! positions, not the number of ways through it.
//!
//! This holds for `firstmatch`, too. An arrival visited before any match has been found either
//! finds nothing, and would find nothing again, or ends the search. Within an arrival the rule is
//! that of the whole search. (The one exception, ends after further siblings of the last move, are
//! never arrivals of their own, see [`super::solve`].)
//!
//! Scores are comparable from any start: the ply of the end, the number of focused moves since the
//! only start, or the value of `max`. If filters do not depend on the start, one table serves all
//! starts of a game. If filters depend on variables, there is one table for each combination of
//! their values ([`super::super::keyed`]).

use std::collections::HashMap;

/// A match: its score and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) score: i32,
    pub(crate) end: u32,
}

impl Hit {
    /// Replaces `best` by `other` if `other` is strictly better.
    pub(crate) fn offer(best: &mut Option<Hit>, other: Option<Hit>) {
        if let Some(other) = other
            && best.is_none_or(|best| other.score > best.score)
        {
            *best = Some(other);
        }
    }
}

/// The first best match of every arrival that has been searched.
#[derive(Debug, Default)]
pub(crate) struct MemoTable {
    /// Cells by arrival and position, empty if they would be too many.
    dense: Vec<Cell>,
    sparse: HashMap<(u64, u32), Cell>,
    n_positions: u32,
    /// Current epoch; cells of other epochs are void.
    epoch: u32,
    /// Whether the table is laid out for the current game.
    ready: bool,
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    epoch: u32,
    score: i32,
    end: u32,
}

/// Value of `end` for an arrival without a match.
const NOWHERE: u32 = u32::MAX;

/// Largest number of cells of a dense table: 12 MiB.
const MAX_DENSE: u64 = 1 << 20;

/// Number of entries at which a sparse table is cleared; that costs only time.
const MAX_SPARSE: usize = 1 << 19;

/// Number of entries above which a sparse table is cleared instead of being outdated by the epoch.
const LARGE: usize = 1 << 12;

impl MemoTable {
    /// Forgets the game.
    pub(crate) fn forget(&mut self) {
        self.ready = false;
    }

    /// Prepares the table for a search. Its results are kept if `keep` is set and they are of this
    /// game.
    pub(crate) fn prepare(&mut self, n_arrivals: u64, n_positions: u32, keep: bool) {
        if self.ready && keep {
            return;
        }
        self.epoch = self.epoch.wrapping_add(1);
        if self.epoch == 0 {
            self.dense.clear();
            self.sparse.clear();
            self.epoch = 1;
        }
        if self.sparse.len() > LARGE {
            self.sparse.clear();
        }
        if self.ready {
            return;
        }
        self.ready = true;
        self.n_positions = n_positions;
        let n_cells = n_arrivals.saturating_mul(u64::from(n_positions));
        let n_dense = if n_cells <= MAX_DENSE { n_cells } else { 0 };
        self.dense.resize(n_dense as usize, Cell::default());
    }

    /// Returns the stored result of an arrival: `None` if it has not been searched, `Some(None)` if
    /// it has no match.
    #[inline]
    pub(crate) fn get(&self, arrival: u64, position: u32) -> Option<Option<Hit>> {
        let cell = if self.dense.is_empty() {
            *self.sparse.get(&(arrival, position))?
        } else {
            self.dense[self.place(arrival, position)]
        };
        let hit = (cell.end != NOWHERE).then_some(Hit { score: cell.score, end: cell.end });
        (cell.epoch == self.epoch).then_some(hit)
    }

    /// Stores the first best match of an arrival.
    pub(crate) fn set(&mut self, arrival: u64, position: u32, hit: Option<Hit>) {
        let (score, end) = hit.map_or((0, NOWHERE), |hit| (hit.score, hit.end));
        let cell = Cell { epoch: self.epoch, score, end };
        if self.dense.is_empty() {
            if self.sparse.len() >= MAX_SPARSE {
                self.sparse.clear();
            }
            self.sparse.insert((arrival, position), cell);
        } else {
            let place = self.place(arrival, position);
            self.dense[place] = cell;
        }
    }

    #[inline]
    fn place(&self, arrival: u64, position: u32) -> usize {
        arrival as usize * self.n_positions as usize + position as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_results_are_those_of_the_epoch() {
        for n_arrivals in [3, u64::MAX] {
            let mut table = MemoTable::default();
            let hit = Some(Hit { score: -4, end: 7 });
            table.prepare(n_arrivals, 10, true);
            assert_eq!(table.get(2, 9), None);
            table.set(2, 9, hit);
            table.set(1, 9, None);
            assert_eq!(table.get(2, 9), Some(hit));
            assert_eq!(table.get(1, 9), Some(None));
            assert_eq!(table.get(2, 8), None);
            table.prepare(n_arrivals, 10, true);
            assert_eq!(table.get(2, 9), Some(hit), "kept");
            table.prepare(n_arrivals, 10, false);
            assert_eq!(table.get(2, 9), None, "another start");
            table.set(2, 9, hit);
            table.forget();
            table.prepare(n_arrivals, 4, true);
            assert_eq!((0..4).find_map(|i| table.get(2, i)), None, "another game");
        }
    }

    #[test]
    fn only_better_matches_replace() {
        let hit = |score, end| Some(Hit { score, end });
        let mut best = None;
        for (offer, want) in [
            (None, None),
            (hit(2, 5), hit(2, 5)),
            (hit(2, 6), hit(2, 5)),
            (hit(3, 9), hit(3, 9)),
            (hit(1, 1), hit(3, 9)),
        ] {
            Hit::offer(&mut best, offer);
            assert_eq!(best, want);
        }
    }
}
