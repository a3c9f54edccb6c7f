//! Counts of the games in a position, and of those that continue with each move.

use std::sync::Arc;

use board::{Color, Move};
use flow::Results;
use pgn::{Date, GameResult};
use serde::Serialize;
use table::{Points, Score};

use crate::collection::Sum;

/// Data of a game that are added to each of its positions.
#[derive(Clone, Copy)]
pub(super) struct Played {
    pub(super) result: GameResult,
    /// Ratings of White and Black, 0 if unknown.
    pub(super) ratings: [u16; 2],
    pub(super) date: Date,
    pub(super) number: u64,
    /// Side whose score counts.
    pub(super) side: Side,
    /// Whether the first game with each move is kept.
    pub(super) looks_for_first: bool,
}

/// Side whose score counts.
#[derive(Clone, Copy)]
pub(super) enum Side {
    /// The player who makes the move.
    Mover,
    /// A player of the game; `None` if the player does not take part.
    Of(Option<Color>),
}

/// First game with a move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct First {
    /// Date and number of the game.
    key: (Date, u64),
    example: Example,
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

impl Played {
    /// Returns the game as an example.
    fn example(&self, names: ExampleNames) -> Example {
        let ExampleNames { input, games_before, white, black } = names;
        Example {
            input: input.to_string(),
            game: self.number - games_before,
            white,
            black,
            date: self.date.to_string(),
            result: self.result.as_str(),
        }
    }
}

/// Position, or the move that leads to it.
#[derive(Default, Debug, PartialEq, Eq)]
pub(super) struct TreeNode {
    pub(super) games: u64,
    /// Number of games by [`GameResult`].
    pub(super) results: [u64; 4],
    /// Score of the player that counts.
    pub(super) score: Score,
    pub(super) last_year: u16,
    /// Number of games in which no further move was played.
    pub(super) ends: u64,
    pub(super) best: Option<Box<Best>>,
    /// First game, if it is kept.
    first: Option<Box<First>>,
    /// Whether a game has no date, if the first game is kept.
    has_undated: bool,
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
        let side = match played.side {
            Side::Mover => Some(player),
            Side::Of(side) => side,
        };
        if let Some(side) = side {
            let [own, other] = [side, !side].map(|color| played.ratings[color.index()]);
            self.score.add(Points::of(played.result, side), own, other);
        }
        self.last_year = self.last_year.max(played.date.year);
        let rating = played.ratings.iter().copied().map(u32::from).sum();
        let is_better = |old: &Best| is_better((rating, played.number), old);
        if self.best.as_deref().is_none_or(is_better) {
            let example = played.example(names());
            self.best = Some(Box::new(Best { rating, number: played.number, example }));
        }
        if played.looks_for_first {
            let key = (played.date, played.number);
            let is_undated = played.date.year == 0;
            self.has_undated |= is_undated;
            if !is_undated && self.first.as_ref().is_none_or(|first| key < first.key) {
                self.first = Some(Box::new(First { key, example: played.example(names()) }));
            }
        }
    }

    /// Returns the first game, if it and so all games were played on a date or later.
    pub(super) fn first_since(&self, date: Date) -> Option<&Example> {
        let first = self.first.as_deref().filter(|_| !self.has_undated)?;
        (first.key.0 >= date).then_some(&first.example)
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
        self.score.merge(&other.score);
        self.last_year = self.last_year.max(other.last_year);
        self.ends += other.ends;
        if let Some(best) = other.best
            && self.best.as_deref().is_none_or(|old| is_better((best.rating, best.number), old))
        {
            self.best = Some(best);
        }
        self.has_undated |= other.has_undated;
        if let Some(first) = other.first
            && self.first.as_ref().is_none_or(|old| first.key < old.key)
        {
            self.first = Some(first);
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

    /// Returns the number of games with a result.
    pub(super) fn decided(&self) -> u64 {
        self.games - self.results[GameResult::Unknown as usize]
    }

    /// Returns the share of a result in the games that have one, in percent.
    pub(super) fn percent(&self, result: GameResult) -> Option<u64> {
        rounded(100 * self.results[result as usize], self.decided())
    }
}

impl Results for TreeNode {}

impl Sum for TreeNode {
    fn add(&mut self, other: TreeNode) {
        self.merge(other);
    }
}

/// Whether a game is the better example: its players are stronger, or it comes first.
fn is_better((rating, number): (u32, u64), old: &Best) -> bool {
    rating > old.rating || rating == old.rating && number < old.number
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
            let played = Played {
                result,
                ratings,
                date: Date::default(),
                number: at as u64 + 1,
                side: Side::Mover,
                looks_for_first: false,
            };
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
