//! Opening trees: the moves played from a position.

mod book;
mod count;
mod node;
pub(crate) mod reader;
mod report;
mod rows;

use board::Color;
use flow::Results;
use pgn::Date;

use crate::collection::{Collection, Error, Sum, Watch};
use crate::target::Target;
pub use book::{Book, book};
use count::{Counting, TreeCounter};
pub use node::Example;
use node::TreeNode;
pub(crate) use report::joined;
pub use report::{Figures, Line, TreeMove, TreeReport, tenths};

/// Settings of a count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeOptions<'o> {
    /// Number of half-moves that are counted after the position.
    pub depth: usize,
    /// Whether moves of variations count.
    pub variations: bool,
    /// Date from which moves may be new; `None` does not look for new moves.
    pub since: Option<Date>,
    /// Player whose score counts.
    pub score_of: ScoreOf<'o>,
}

/// Player whose score counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreOf<'o> {
    /// The player who makes the move; in the position, the one to move.
    #[default]
    Mover,
    /// The player to move in the position, also for the opponent's moves.
    First,
    /// The player whose name contains a text, in any case of letters.
    Player(&'o str),
    /// The player of a color.
    Side(Color),
}

/// Tree of the moves played from a position.
#[derive(Debug, Default)]
pub struct Tree {
    tally: Tally<TreeNode>,
    /// Date from which moves may be new.
    since: Option<Date>,
    /// Whether the count was cancelled before the last game.
    pub is_cancelled: bool,
    /// Number of games that were read.
    pub n_read: u64,
}

impl Tree {
    /// Games that are not counted.
    #[must_use]
    pub fn omitted(&self) -> Omitted {
        self.tally.omitted
    }

    /// Whether a game with the position counts for the score.
    #[must_use]
    pub fn has_scores(&self) -> bool {
        self.tally.counts.score.decided() > 0
    }

    /// Returns a number of games such that at most `most` moves have as many.
    #[must_use]
    pub fn games_of_most(&self, most: usize) -> u64 {
        let mut all = Vec::new();
        self.tally.counts.add_sizes(&mut all);
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.get(most).map_or(1, |games| games + 1)
    }
}

/// Counts the moves played from a position.
///
/// # Errors
/// Threads are lacking, or `watch` ends the count. If it is cancelled, the counts are those of the
/// games so far.
pub fn count(
    games: &mut Collection<'_>,
    target: &Target,
    options: TreeOptions<'_>,
    watch: &mut dyn Watch,
) -> Result<Tree, Error> {
    count_reporting(games, target, options, true, watch)
}

/// Counts the moves like [`count`]; `reports` tells whether `watch` receives the issues of games.
pub(crate) fn count_reporting(
    games: &mut Collection<'_>,
    target: &Target,
    options: TreeOptions<'_>,
    reports: bool,
    watch: &mut dyn Watch,
) -> Result<Tree, Error> {
    let mut tally = Tally::default();
    let TreeOptions { depth, variations, since, score_of } = options;
    let variants = games.variants.clone();
    let lower;
    let score_of = match score_of {
        ScoreOf::Player(name) => {
            lower = name.to_lowercase();
            ScoreOf::Player(&lower)
        }
        other => other,
    };
    let looks_for_first = since.is_some();
    let counting = Counting { target, depth, variations, looks_for_first, score_of };
    let make = || TreeCounter::new(counting, &variants);
    let passed = games.pass(reports, &make, watch, &mut |counts, _| {
        tally.add(counts);
        Ok(())
    })?;
    Ok(Tree { tally, since, is_cancelled: passed.is_cancelled, n_read: passed.n_games })
}

/// Games that are not counted, or only by an assumption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Omitted {
    /// Number of games of unknown variants that were read by the rules of chess.
    pub assumed: u64,
    /// Number of games of variants with other rules.
    pub other_rules: u64,
    /// Number of games that cannot be read.
    pub skipped: u64,
}

/// Counts of some games.
#[derive(Debug, Default)]
pub(crate) struct Tally<C> {
    pub(crate) counts: C,
    pub(crate) omitted: Omitted,
}

/// A panic on a game leaves the tally as it is.
impl<C: Sum> Results for Tally<C> {}

impl<C: Sum> Sum for Tally<C> {
    fn add(&mut self, other: Tally<C>) {
        self.counts.add(other.counts);
        self.omitted.assumed += other.omitted.assumed;
        self.omitted.other_rules += other.omitted.other_rules;
        self.omitted.skipped += other.omitted.skipped;
    }

    fn add_skipped(&mut self, n: u64) {
        self.omitted.skipped += n;
    }
}
