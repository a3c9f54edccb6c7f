//! Order and number of the moves of a tree.

use std::cmp::Ordering;

use survey::tree::{Figures, Line, TreeMove};

/// Column by which moves are ordered.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum Order {
    /// The most frequent moves first
    #[default]
    Games,
    /// The greatest share of White's wins first
    White,
    /// The greatest share of draws first
    Draw,
    /// The greatest share of Black's wins first
    Black,
    /// The best score first
    Score,
    /// The greatest lower end of the 95 % interval first
    Sure,
    /// The best score compared with the expected one first
    Surplus,
    /// The highest average rating first
    Elo,
    /// The highest performance first
    Perf,
    /// The latest last game first
    Last,
}

impl Order {
    /// Returns the value by which moves are ordered; `None` comes last.
    fn key(self, figures: &Figures) -> Option<f64> {
        let share = |n: u64| {
            let decided = figures.white + figures.draws + figures.black;
            (decided > 0).then(|| n as f64 / decided as f64)
        };
        match self {
            Order::Games => Some(figures.games as f64),
            Order::White => share(figures.white),
            Order::Draw => share(figures.draws),
            Order::Black => share(figures.black),
            Order::Score => figures.score,
            Order::Sure => figures.score_low,
            Order::Surplus => {
                figures.score.zip(figures.expected_score).map(|(score, expected)| score - expected)
            }
            Order::Elo => figures.elo.map(|elo| elo as f64),
            Order::Perf => figures.performance.map(|performance| performance as f64),
            Order::Last => figures.last_year.map(f64::from),
        }
    }

    /// Compares moves by their figures; moves that are equal stay in their order, by games.
    fn compare(self, a: &Figures, b: &Figures) -> Ordering {
        let key = |figures| self.key(figures).unwrap_or(f64::NEG_INFINITY);
        key(b).total_cmp(&key(a))
    }

    /// Orders moves, also those that follow, and keeps the first `top` in each position.
    pub(super) fn arrange(self, moves: &mut Vec<TreeMove>, top: usize) {
        moves.sort_by(|a, b| self.compare(&a.figures, &b.figures));
        moves.truncate(top);
        moves.iter_mut().for_each(|next| self.arrange(&mut next.moves, top));
    }

    /// Orders whole continuations, and keeps the first `top`.
    pub(super) fn arrange_lines(self, lines: &mut Vec<Line>, top: usize) {
        lines.sort_by(|a, b| self.compare(&a.figures, &b.figures));
        lines.truncate(top);
    }
}
