//! Compares the scores of the games of two queries.

use std::collections::BTreeMap;

use engine::{GameRow, RowWriter};

use crate::cell::Cell;
use crate::count::{Outcome, outcome, read_outcome, store_outcome};
use crate::score::{Score, matched_difference};

/// Width of a class of games in rating points, by the difference of the players.
const RATING_STEP: i32 = 100;

/// Width of a class of games in moves, by the first matching position.
const MOVE_STEP: i64 = 5;

/// Stores the result, the ratings and the move number of each game, for [`ScoreComparison`].
#[derive(Debug, Clone)]
pub struct OutcomeWriter {
    /// Part of the name of the player whose score counts, in lower case; `None` for White.
    pub score_of: Option<String>,
}

impl RowWriter for OutcomeWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        store_outcome(outcome(row, self.score_of.as_deref()), out);
        let first = row.positions.first().map_or(0, |first| i64::from(first.move_number));
        Cell::Number(first).store(out);
    }

    fn wants_ratings(&self) -> bool {
        true
    }
}

/// Scores of the games of two queries.
#[derive(Debug, Clone, Default)]
pub struct ScoreComparison {
    /// Scores of all games of each query.
    pub scores: [Score; 2],
    /// Scores by the difference of the ratings and the move number.
    classes: BTreeMap<(i32, i64), [Score; 2]>,
}

/// Difference of the scores of games that are alike.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedDifference {
    /// Difference of the scores, with the 95 % interval.
    pub difference: f64,
    /// Ends of the interval.
    pub interval: [f64; 2],
    /// Number of games of each query in classes that have games of both.
    pub games: [u64; 2],
    /// Number of these classes.
    pub classes: u64,
}

impl ScoreComparison {
    /// Adds a game of the first query (0) or the second (1), as [`OutcomeWriter`] stored it.
    pub fn add(&mut self, query: usize, mut stored: &[u8]) {
        let (points, own, other): Outcome = read_outcome(&mut stored);
        let Some(score) = self.scores.get_mut(query) else {
            return;
        };
        score.add(points, own, other);
        if let Some(Cell::Number(number)) = Cell::read(&mut stored)
            && own > 0
            && other > 0
        {
            let difference = (i32::from(own) - i32::from(other)).div_euclid(RATING_STEP);
            let class = self.classes.entry((difference, number / MOVE_STEP)).or_default();
            class[query].add(points, own, other);
        }
    }

    /// Returns the difference within classes of games with the same difference of ratings, in steps
    /// of 100, and the same move number, in steps of 5. `None` if no class has games of both.
    pub fn matched(&self) -> Option<MatchedDifference> {
        let is_of_both = |class: &&[Score; 2]| class.iter().all(|score| score.decided() > 0);
        let both: Vec<&[Score; 2]> = self.classes.values().filter(is_of_both).collect();
        let (difference, interval) = matched_difference(both.iter().copied())?;
        let games = [0, 1].map(|query| both.iter().map(|class| class[query].decided()).sum());
        Some(MatchedDifference { difference, interval, games, classes: both.len() as u64 })
    }
}
