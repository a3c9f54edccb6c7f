//! Counts of the games in a position, and of those that continue with each move.

use std::sync::Arc;

use board::{Color, Move};
use pgn::{Date, GameResult};
use serde::Serialize;

/// Data of a game that are added to each of its positions.
#[derive(Clone, Copy)]
pub(super) struct Played {
    pub(super) result: GameResult,
    /// Ratings of White and Black, 0 if unknown.
    pub(super) ratings: [u16; 2],
    pub(super) date: Date,
    pub(super) number: u64,
}

/// Game of the players with the highest ratings, or the first of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Best {
    rating: u32,
    number: u64,
    pub(super) example: Example,
}

/// Game shown as an example.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Input that contains the game.
    pub input: String,
    /// Number of the game in its input.
    pub game: u64,
    /// Player with the white pieces.
    pub white: String,
    /// Player with the black pieces.
    pub black: String,
    /// Date of the game.
    pub date: String,
    /// Result of the game.
    pub result: &'static str,
}

/// Data of an example that are not needed for counting.
pub(super) struct ExampleNames {
    pub(super) input: Arc<str>,
    pub(super) games_before: u64,
    pub(super) white: String,
    pub(super) black: String,
}

/// Position, or the move that leads to it.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct TreeNode {
    pub(super) games: u64,
    /// Number of games by [`GameResult`].
    pub(super) results: [u64; 4],
    /// Sum of the ratings of the player that counts, and number of known ratings.
    elos: (u64, u64),
    /// Sum of the ratings of opponents in games with a result, number of these games, and the score
    /// against them in half-points.
    against: (u64, u64, u64),
    pub(super) last_year: u16,
    /// Number of games in which no further move was played.
    pub(super) ends: u64,
    pub(super) best: Option<Box<Best>>,
    /// Moves played from here, in no particular order.
    pub(super) moves: Vec<(Move, TreeNode)>,
}

impl TreeNode {
    /// Counts a game for a player.
    pub(super) fn add(
        &mut self,
        played: &Played,
        player: Color,
        names: &mut dyn FnMut() -> ExampleNames,
    ) {
        self.games += 1;
        self.results[played.result as usize] += 1;
        let own = u64::from(played.ratings[player.index()]);
        let other = u64::from(played.ratings[(!player).index()]);
        if own > 0 {
            self.elos.0 += own;
            self.elos.1 += 1;
        }
        if let Some(points) = half_points(played.result, player)
            && other > 0
        {
            self.against.0 += other;
            self.against.1 += 1;
            self.against.2 += points;
        }
        self.last_year = self.last_year.max(played.date.year);
        let rating = played.ratings.iter().copied().map(u32::from).sum();
        let is_better = |old: &Best| is_better((rating, played.number), old);
        if self.best.as_deref().is_none_or(is_better) {
            let ExampleNames { input, games_before, white, black } = names();
            let example = Example {
                input: input.to_string(),
                game: played.number - games_before,
                white,
                black,
                date: played.date.to_string(),
                result: played.result.as_str(),
            };
            self.best = Some(Box::new(Best { rating, number: played.number, example }));
        }
    }

    /// Returns the node after a move, created if it is missing.
    pub(super) fn child(&mut self, mv: Move) -> &mut TreeNode {
        let at = match self.moves.iter().position(|(known, _)| *known == mv) {
            Some(at) => at,
            None => {
                self.moves.push((mv, TreeNode::default()));
                self.moves.len() - 1
            }
        };
        &mut self.moves[at].1
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: TreeNode) {
        self.games += other.games;
        for (sum, n) in self.results.iter_mut().zip(other.results) {
            *sum += n;
        }
        self.elos.0 += other.elos.0;
        self.elos.1 += other.elos.1;
        self.against.0 += other.against.0;
        self.against.1 += other.against.1;
        self.against.2 += other.against.2;
        self.last_year = self.last_year.max(other.last_year);
        self.ends += other.ends;
        if let Some(best) = other.best
            && self.best.as_deref().is_none_or(|old| is_better((best.rating, best.number), old))
        {
            self.best = Some(best);
        }
        for (mv, node) in other.moves {
            self.child(mv).merge(node);
        }
    }

    /// Adds the numbers of games of the moves from here on.
    pub(super) fn add_sizes(&self, all: &mut Vec<u64>) {
        for (_, node) in &self.moves {
            all.push(node.games);
            node.add_sizes(all);
        }
    }

    /// Returns the average rating of the player.
    pub(super) fn elo(&self) -> Option<u64> {
        rounded(self.elos.0, self.elos.1)
    }

    /// Returns the performance rating: the rating at which the player's score against these
    /// opponents would be expected, limited to 800 points from their average.
    pub(super) fn performance(&self) -> Option<i64> {
        let (sum, n, points) = self.against;
        let average = sum as f64 / n as f64;
        let share = points as f64 / (2 * n) as f64;
        let difference = -400.0 * (1.0 / share - 1.0).log10();
        (n > 0).then(|| (average + difference.clamp(-800.0, 800.0)).round() as i64)
    }

    /// Returns the number of games with a result.
    pub(super) fn decided(&self) -> u64 {
        self.games - self.results[GameResult::Unknown as usize]
    }

    /// Returns the share of a result in the games that have one, in percent.
    pub(super) fn percent(&self, result: GameResult) -> Option<u64> {
        rounded(100 * self.results[result as usize], self.decided())
    }
}

/// Whether a game is the better example: its players are stronger, or it comes first.
fn is_better((rating, number): (u32, u64), old: &Best) -> bool {
    rating > old.rating || rating == old.rating && number < old.number
}

fn half_points(result: GameResult, player: Color) -> Option<u64> {
    match (result, player) {
        (GameResult::Unknown, _) => None,
        (GameResult::Draw, _) => Some(1),
        (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => Some(2),
        _ => Some(0),
    }
}

/// Returns a rounded quotient; `None` for division by zero.
fn rounded(sum: u64, n: u64) -> Option<u64> {
    (sum + n / 2).checked_div(n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(games: &[(GameResult, [u16; 2])]) -> TreeNode {
        let mut node = TreeNode::default();
        for (at, &(result, ratings)) in games.iter().enumerate() {
            let played = Played { result, ratings, date: Date::default(), number: at as u64 + 1 };
            let mut names = || ExampleNames {
                input: "a".into(),
                games_before: 0,
                white: at.to_string(),
                black: String::new(),
            };
            node.add(&played, Color::Black, &mut names);
        }
        node
    }

    #[test]
    fn performance_is_what_the_score_says() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        let check = |games: &[(GameResult, [u16; 2])], elo, performance| {
            let node = node(games);
            assert_eq!((node.elo(), node.performance()), (elo, performance), "{games:?}");
        };
        check(&[], None, None);
        check(&[(Unknown, [2500, 2400])], Some(2400), None);
        check(&[(Draw, [2500, 0])], None, Some(2500));
        check(&[(WhiteWins, [2500, 2400])], Some(2400), Some(1700));
        check(&[(BlackWins, [2500, 2401]), (Draw, [0, 2400])], Some(2401), Some(3300));
        // Three of four points: 191 points more.
        let games = [(BlackWins, [2000, 1]), (Draw, [2000, 1])];
        check(&games, Some(1), Some(2191));
    }

    #[test]
    fn the_example_is_of_the_strongest_players_whatever_is_counted_first() {
        use GameResult::Draw;
        let games = [(Draw, [2500, 0]), (Draw, [2400, 100]), (Draw, [1, 2])];
        let whole = node(&games);
        assert_eq!(whole.best.as_ref().map(|best| best.number), Some(1));
        let mut merged = TreeNode::default();
        merged.merge(node(&games));
        assert_eq!(merged, whole);
        merged.merge(node(&[(Draw, [2500, 1])]));
        let best = merged.best.as_ref().expect("an example");
        assert_eq!((best.rating, merged.games, &*best.example.white), (2501, 4, "0"));
    }
}
