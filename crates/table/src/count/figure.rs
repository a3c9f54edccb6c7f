//! Figures of a group of games.

use super::Group;
use crate::cell::Cell;
use crate::score::Points;

/// Figure of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Figure {
    Games,
    Positions,
    Share,
    Wins,
    Draws,
    Losses,
    Score,
    Low,
    High,
    Expected,
    Elo,
    Performance,
    Rated,
}

/// Figures that every count has.
pub(crate) const COUNTS: [Figure; 2] = [Figure::Games, Figure::Positions];

/// Figures about results, in the order of the columns.
pub(crate) const SCORES: [Figure; 11] = {
    use Figure::{Draws, Elo, Expected, High, Losses, Low, Performance, Rated, Score, Share, Wins};
    [Share, Wins, Draws, Losses, Score, Low, High, Expected, Elo, Performance, Rated]
};

impl Figure {
    /// Returns the name of the column. Wins and losses are those of White unless a player was
    /// named.
    pub(crate) fn name(self, is_of_player: bool) -> &'static str {
        match self {
            Figure::Games => "games",
            Figure::Positions => "positions",
            Figure::Share => "share",
            Figure::Wins if is_of_player => "wins",
            Figure::Wins => "white",
            Figure::Draws => "draws",
            Figure::Losses if is_of_player => "losses",
            Figure::Losses => "black",
            Figure::Score => "score",
            Figure::Low => "score_low",
            Figure::High => "score_high",
            Figure::Expected => "expected_score",
            Figure::Elo => "elo",
            Figure::Performance => "performance",
            Figure::Rated => "rated",
        }
    }

    /// Returns the figure with this name.
    pub(crate) fn named(name: &str) -> Option<Figure> {
        let mut all = COUNTS.into_iter().chain(SCORES);
        all.find(|figure| figure.name(false) == name || figure.name(true) == name)
    }

    /// Returns the names of all figures.
    pub(crate) fn names(is_of_player: bool) -> impl Iterator<Item = &'static str> {
        COUNTS.into_iter().chain(SCORES).map(move |figure| figure.name(is_of_player))
    }

    /// Whether the figure needs the results of the games.
    pub(crate) fn is_score(self) -> bool {
        !COUNTS.contains(&self) && self != Figure::Share
    }

    /// Returns the value, for tables and objects. `all` is the number of all games.
    pub(super) fn cell(self, group: &Group, all: i64) -> Cell {
        let number = |n: Option<i64>| n.map_or(Cell::Null, Cell::Number);
        let share = |share: Option<f64>| {
            share.map_or(Cell::Null, |share| Cell::Share((share * 1e4).round() as i64))
        };
        let score = &group.score;
        let n_of = |points| Cell::Number(score.n_of(points) as i64);
        match self {
            Figure::Games => Cell::Number(group.games),
            Figure::Positions => Cell::Number(group.positions),
            Figure::Share => share((all > 0).then(|| group.games as f64 / all as f64)),
            Figure::Wins => n_of(Points::Win),
            Figure::Draws => n_of(Points::Draw),
            Figure::Losses => n_of(Points::Loss),
            Figure::Score => share(score.share()),
            Figure::Low => share(score.interval().map(|[low, _]| low)),
            Figure::High => share(score.interval().map(|[_, high]| high)),
            Figure::Expected => share(score.expected()),
            Figure::Elo => number(score.elo().map(|elo| elo as i64)),
            Figure::Performance => number(score.performance()),
            Figure::Rated => Cell::Number(score.rated() as i64),
        }
    }

    /// Returns the value for reading: shares and results in percent, `-` if there is none.
    pub(super) fn shown(self, group: &Group, all: i64) -> String {
        let decided = group.score.decided() as i64;
        match (self, self.cell(group, all)) {
            (_, Cell::Null) => "-".to_owned(),
            (Figure::Share, Cell::Share(n)) => format!("{:.1}%", n as f64 / 100.0),
            (_, Cell::Share(n)) => percent(n as f64 / 1e4),
            (Figure::Wins | Figure::Draws | Figure::Losses, Cell::Number(n)) => match decided {
                0 => "-".to_owned(),
                decided => percent(n as f64 / decided as f64),
            },
            (_, cell) => cell.to_plain(),
        }
    }
}

fn percent(share: f64) -> String {
    format!("{}%", (100.0 * share).round())
}

/// Returns the 95 % interval of the score for reading.
pub(super) fn interval(group: &Group) -> String {
    let ends = group.score.interval();
    ends.map_or("-".to_owned(), |[low, high]| {
        format!("{}-{}", (100.0 * low).round(), percent(high))
    })
}
