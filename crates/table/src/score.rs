//! Score of games from the side of one player: results, an interval, the expected score and the
//! performance.

use std::sync::atomic::{AtomicU64, Ordering};

use engine::{Color, GameResult};

/// Quantile of the normal distribution that leaves 2.5 % above it.
const Z: f64 = 1.959_963_984_540_054;

/// Greatest difference of a performance to the average rating of the opponents.
const FARTHEST: f64 = 800.0;

/// Least number of games of a performance: as many as FIDE requires for a first rating. With fewer,
/// the number says little, and without a loss it is 800 points above the opponents.
const LEAST_RATED: u64 = 5;

/// Unit of the sum of expected scores. Whole numbers make the sum independent of its order.
const UNIT: f64 = 1e9;

/// Result of a game from the side of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Points {
    /// The player lost.
    Loss,
    /// The game was drawn.
    Draw,
    /// The player won.
    Win,
}

impl Points {
    /// Returns the result of a game from the side of a player; `None` if it is unknown.
    pub fn of(result: GameResult, side: Color) -> Option<Points> {
        match (result, side) {
            (GameResult::Unknown, _) => None,
            (GameResult::Draw, _) => Some(Points::Draw),
            (GameResult::WhiteWins, Color::White) | (GameResult::BlackWins, Color::Black) => {
                Some(Points::Win)
            }
            _ => Some(Points::Loss),
        }
    }
}

/// Returns the side of the player whose name contains a text, which is in lower case: that of White
/// if both do. `name` returns the name of a player.
pub fn side_of(text: &str, name: impl Fn(Color) -> String) -> Option<Color> {
    Color::ALL.into_iter().find(|&color| name(color).to_lowercase().contains(text))
}

/// Sums of games, each from the side of a player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Score {
    /// Number of losses, draws and wins, by [`Points`].
    results: [u64; 3],
    /// Sum of the player's ratings, and number of known ones.
    elos: (u64, u64),
    /// Sum of the opponents' ratings in games with a result, number of these games, and the score
    /// in them in half-points.
    against: (u64, u64, u64),
    /// Sum of the expected scores in games with a result and both ratings, and number of these
    /// games.
    expected: (u64, u64),
}

impl Score {
    /// Adds a game. Unknown ratings are 0.
    pub fn add(&mut self, points: Option<Points>, own: u16, other: u16) {
        if own > 0 {
            self.elos.0 += u64::from(own);
            self.elos.1 += 1;
        }
        let Some(points) = points else {
            return;
        };
        self.results[points as usize] += 1;
        if other > 0 {
            self.against.0 += u64::from(other);
            self.against.1 += 1;
            self.against.2 += points as u64;
        }
        if own > 0 && other > 0 {
            self.expected.0 += expected(own, other);
            self.expected.1 += 1;
        }
    }

    /// Adds the sums of other games.
    pub fn merge(&mut self, other: &Score) {
        for (sum, n) in self.results.iter_mut().zip(other.results) {
            *sum += n;
        }
        self.elos.0 += other.elos.0;
        self.elos.1 += other.elos.1;
        self.against.0 += other.against.0;
        self.against.1 += other.against.1;
        self.against.2 += other.against.2;
        self.expected.0 += other.expected.0;
        self.expected.1 += other.expected.1;
    }

    /// Returns the number of games with this result.
    pub fn n_of(&self, points: Points) -> u64 {
        self.results[points as usize]
    }

    /// Returns the number of games with a result.
    pub fn decided(&self) -> u64 {
        self.results.iter().sum()
    }

    /// Returns the score as a share of the games with a result; `None` if there are none.
    pub fn share(&self) -> Option<f64> {
        let half_points = 2 * self.n_of(Points::Win) + self.n_of(Points::Draw);
        (self.decided() > 0).then(|| half_points as f64 / (2 * self.decided()) as f64)
    }

    /// Returns the 95 % interval of the score: that of Wilson (1927), with half-points as halves.
    pub fn interval(&self) -> Option<[f64; 2]> {
        self.share().map(|share| wilson(share, self.decided() as f64))
    }

    /// Returns the score that the Elo formula expects of the ratings.
    pub fn expected(&self) -> Option<f64> {
        let (sum, n) = self.expected;
        (n > 0).then(|| sum as f64 / UNIT / n as f64)
    }

    /// Returns the average rating of the player.
    pub fn elo(&self) -> Option<u64> {
        let (sum, n) = self.elos;
        (sum + n / 2).checked_div(n)
    }

    /// Returns the number of games of the performance: those with a result and a rated opponent.
    pub fn rated(&self) -> u64 {
        self.against.1
    }

    /// Returns the performance: the rating at which the player's score in the games with a rated
    /// opponent would be expected, limited to 800 points from the average of the opponents; `None`
    /// if these are fewer than five games.
    pub fn performance(&self) -> Option<i64> {
        let (sum, n, points) = self.against;
        let average = sum as f64 / n as f64;
        let share = points as f64 / (2 * n) as f64;
        let difference = -400.0 * (1.0 / share - 1.0).log10();
        (n >= LEAST_RATED).then(|| (average + difference.clamp(-FARTHEST, FARTHEST)).round() as i64)
    }
}

/// Returns the score that the Elo formula expects of a player, in units.
fn expected(own: u16, other: u16) -> u64 {
    /// Greatest difference of ratings whose score is kept. Nearly all pairs of players are nearer,
    /// and the scores take 16 kilobytes.
    const FARTHEST: i32 = 1023;
    /// Scores by the difference, once they have been computed, which takes longer than everything
    /// else that is done with a game.
    static KNOWN: [AtomicU64; 2 * FARTHEST as usize + 1] =
        [const { AtomicU64::new(0) }; 2 * FARTHEST as usize + 1];
    let difference = i32::from(other) - i32::from(own);
    let compute = || {
        let score = 1.0 / (1.0 + 10_f64.powf(f64::from(difference) / 400.0));
        (score * UNIT).round() as u64
    };
    let place = usize::try_from(difference + FARTHEST).ok();
    let Some(known) = place.and_then(|place| KNOWN.get(place)) else {
        return compute();
    };
    match known.load(Ordering::Relaxed) {
        0 => {
            let score = compute();
            known.store(score, Ordering::Relaxed);
            score
        }
        score => score,
    }
}

/// Returns Wilson's interval of a share of `n`.
fn wilson(share: f64, n: f64) -> [f64; 2] {
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    [(middle - half).max(0.0), (middle + half).min(1.0)]
}

/// Returns a share with four digits, as it is written in JSON.
pub fn rounded(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Returns the difference of two scores with its 95 % interval: that of Newcombe (1998, method 10),
/// which is made of the intervals of both. `None` if one has no games with a result.
pub fn difference(a: &Score, b: &Score) -> Option<(f64, [f64; 2])> {
    let (share_a, share_b) = (a.share()?, b.share()?);
    let ([low_a, high_a], [low_b, high_b]) = (a.interval()?, b.interval()?);
    let middle = share_a - share_b;
    let below = (share_a - low_a).hypot(high_b - share_b);
    let above = (high_a - share_a).hypot(share_b - low_b);
    Some((middle, [middle - below, middle + above]))
}

/// Returns the difference of the scores within classes of like games, with its 95 % interval: the
/// risk difference of Mantel and Haenszel with the variance of Sato (1989). Each class has games
/// of both. `None` if there are no classes.
pub(crate) fn matched_difference<'s>(
    classes: impl IntoIterator<Item = &'s [Score; 2]>,
) -> Option<(f64, [f64; 2])> {
    let (mut weights, mut differences, mut p, mut q) = (0.0, 0.0, 0.0, 0.0);
    for [a, b] in classes {
        let (share_a, share_b) = (a.share()?, b.share()?);
        let (n_a, n_b) = (a.decided() as f64, b.decided() as f64);
        let (points_a, points_b, n) = (share_a * n_a, share_b * n_b, n_a + n_b);
        let weight = n_a * n_b / n;
        weights += weight;
        differences += weight * (share_a - share_b);
        p += points_b * (n_a / n).powi(2) - points_a * (n_b / n).powi(2)
            + n_a * n_b * (n_b - n_a) / (2.0 * n * n);
        q += (points_a * (n_b - points_b) + points_b * (n_a - points_a)) / (2.0 * n);
    }
    let difference = differences / weights;
    let half = Z * (difference * p + q).max(0.0).sqrt() / weights;
    (weights > 0.0).then_some((difference, [difference - half, difference + half]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u64, draws: u64, losses: u64) -> Score {
        Score { results: [losses, draws, wins], ..Score::default() }
    }

    #[track_caller]
    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 5e-5, "{found} instead of {expected}");
    }

    #[test]
    fn the_interval_is_that_of_wilson() {
        // binomtest(k, n).proportion_ci(method="wilson") of SciPy 1.17.
        let check = |wins, losses, expected: [f64; 2]| {
            let [low, high] = score(wins, 0, losses).interval().expect("games");
            near(low, expected[0]);
            near(high, expected[1]);
        };
        check(7, 3, [0.39677815, 0.89220866]);
        check(0, 5, [0.0, 0.43448246]);
        check(3, 0, [0.43850297, 1.0]);
        check(530, 470, [0.49901031, 0.56076009]);
        // Two draws count as a win and a loss.
        assert_eq!(score(6, 2, 2).interval(), score(7, 0, 3).interval());
        assert_eq!(score(0, 0, 0).interval(), None);
    }

    #[test]
    fn the_difference_is_that_of_newcombe() {
        // Example (a) of Newcombe's table II: 56/70 and 48/80.
        let found = difference(&score(56, 0, 14), &score(48, 0, 32));
        let (middle, [low, high]) = found.expect("games");
        near(middle, 0.2);
        near(low, 0.0524);
        near(high, 0.3339);
        assert_eq!(difference(&score(1, 0, 0), &score(0, 0, 0)), None);
    }

    #[test]
    fn the_matched_difference_is_that_of_mantel_and_haenszel() {
        // Evaluated in Python, where a simulation of these classes has the same standard error.
        let classes = [[score(8, 0, 12), score(5, 0, 25)], [score(30, 0, 10), score(6, 0, 4)]];
        let (middle, [low, high]) = matched_difference(&classes).expect("classes");
        near(middle, 0.2);
        near(low, -0.002_551);
        near(high, 0.402_551);
        assert_eq!(matched_difference([]), None);
        // Without classes, it is the plain difference.
        let one = matched_difference([&[score(3, 2, 1), score(1, 2, 3)]]).expect("a class").0;
        near(one, 8.0 / 12.0 - 4.0 / 12.0);
    }

    #[test]
    fn the_expected_score_is_that_of_the_elo_formula() {
        let mut sums = Score::default();
        // Without a result or a rating, nothing is expected.
        sums.add(None, 2500, 2400);
        sums.add(Some(Points::Win), 0, 2400);
        assert_eq!(sums.expected(), None);
        sums.add(Some(Points::Win), 2500, 2400);
        near(sums.expected().expect("ratings"), 0.640_065);
        sums.add(Some(Points::Loss), 2000, 2400);
        near(sums.expected().expect("ratings"), (0.640_065 + 1.0 / 11.0) / 2.0);
        assert_eq!(sums.elo(), Some(2333));
    }

    #[test]
    fn performance_is_what_the_score_says() {
        use Points::{Draw, Loss, Win};
        let check = |times, games: &[(Option<Points>, u16, u16)], elo, performance| {
            let mut score = Score::default();
            for _ in 0..times {
                games.iter().for_each(|&(points, own, other)| score.add(points, own, other));
            }
            assert_eq!((score.elo(), score.performance()), (elo, performance), "{games:?}");
            score.rated()
        };
        assert_eq!(check(1, &[], None, None), 0);
        assert_eq!(check(9, &[(None, 2400, 2500)], Some(2400), None), 0);
        check(5, &[(Some(Draw), 0, 2500)], None, Some(2500));
        check(5, &[(Some(Loss), 2400, 2500)], Some(2400), Some(1700));
        let unrated = [(Some(Win), 2401, 2500), (Some(Draw), 2400, 0)];
        // Four games say too little, whatever the number of others.
        assert_eq!(check(4, &unrated, Some(2401), None), 4);
        assert_eq!(check(5, &unrated, Some(2401), Some(3300)), 5);
        // Three of four points: 191 points more.
        check(5, &[(Some(Win), 1, 2000), (Some(Draw), 1, 2000)], Some(1), Some(2191));
    }
}
