//! Preparation for an opponent or an opening: what the games of a player with one color, or the
//! games with a position, have in common.
//!
//! A first pass reads the games that are meant and collects what is in their tags, openings, clocks
//! and evaluations (`profile`). The opening tree, the queries for structures and endings
//! (`features`) and the model games then read these games only. All figures are therefore those of
//! the same games, and agree with what the tree and the queries give by themselves.

mod annotations;
mod features;
mod html;
mod players;
mod profile;
mod report;

use std::cmp::Reverse;

use board::Color;
use pgn::Date;

use crate::collection::{Collection, Error, Sum, Watch};
use crate::target::Target;
use crate::tree::{self, Omitted, ScoreOf, Tally};
pub use html::page;
pub use players::why_none;
use profile::{Candidate, FullGame, FullGames, FullReader, Profile, Profiler};
pub use report::{Figures, Omissions, PrepareReport};

/// Number of model games.
const MODELS: usize = 5;

/// Games to prepare for.
#[derive(Clone, Copy, Debug)]
pub struct Question<'q> {
    /// Position that the games must have; the tree begins there.
    pub target: &'q Target,
    /// Color of the player whose score counts.
    pub side: Color,
    /// Parts of the name of this player, in any case of letters: a game counts if the name contains
    /// one of them. Empty for all players.
    pub players: &'q [String],
    /// Date from which games and moves are new.
    pub since: Option<Date>,
    /// Number of half-moves of the tree.
    pub depth: usize,
    /// Smallest number of games of a move in the tree; `None` chooses it by the number of games.
    pub min_games: Option<u64>,
}

/// Reads the games and reports about those that are meant.
///
/// # Errors
/// Those of [`tree::count`], and [`Error::Cancelled`].
pub fn prepare(
    games: &mut Collection<'_>,
    question: Question<'_>,
    watch: &mut dyn Watch,
) -> Result<PrepareReport, Error> {
    let variants = games.variants.clone();
    let mut tally = Tally::<Profile>::default();
    let make = || Profiler::new(question, &variants);
    let passed = games.pass(true, &make, watch, &mut |counts, _| {
        tally.add(counts);
        Ok(())
    })?;
    if passed.is_cancelled {
        return Err(Error::Cancelled);
    }
    let Tally { counts: mut profile, omitted } = tally;
    let Omitted { assumed, other_rules, skipped } = omitted;
    profile.outcomes.sort_unstable_by_key(|outcome| outcome.number);
    if question.target.moves.is_empty() {
        profile.join_families();
    }
    let min_games = question.min_games.unwrap_or_else(|| usual_least(profile.all.games));
    let options = tree::TreeOptions {
        depth: question.depth,
        variations: false,
        since: question.since,
        score_of: ScoreOf::Side(question.side),
    };
    let is_empty = profile.outcomes.is_empty();
    let (mut features, mut models) = (Vec::new(), Vec::new());
    let mut tree = tree::Tree::default();
    if !is_empty {
        games.choose(profile.outcomes.iter().map(|outcome| outcome.number).collect());
        tree = tree::count_reporting(games, question.target, options, false, watch)?;
        if tree.is_cancelled {
            return Err(Error::Cancelled);
        }
        features = features::count(games, question.side, &profile.outcomes, watch)?;
        let numbers = model_numbers(&profile);
        models = full_games(games, &numbers, watch)?;
    }
    let tree = tree.report(question.target, min_games);
    let elsewhere = profile.elsewhere;
    let omitted = report::Omissions { assumed, other_rules, skipped, elsewhere };
    Ok(PrepareReport::new(&question, &profile, tree, min_games, &features, &models, omitted))
}

/// Returns the number of games that a move of the tree has at least, if none is given: a fiftieth.
fn usual_least(games: u64) -> u64 {
    games.div_ceil(50).max(2).min(games.max(1))
}

/// Chooses the model games: those against the opponents with the highest ratings, first one of each
/// opening.
fn model_numbers(profile: &Profile) -> Vec<u64> {
    let mut best: Vec<(Reverse<usize>, Candidate)> = Vec::new();
    for candidates in profile.candidates.values() {
        // The first of each opening come before all others.
        let ranked = candidates.iter().enumerate();
        best.extend(ranked.map(|(rank, &candidate)| (Reverse(rank.min(1)), candidate)));
    }
    best.sort_unstable_by(|a, b| b.cmp(a));
    best.iter().take(MODELS).map(|(_, candidate)| candidate.number.0).collect()
}

/// Reads games in full, in the order of `numbers`.
fn full_games(
    games: &mut Collection<'_>,
    numbers: &[u64],
    watch: &mut dyn Watch,
) -> Result<Vec<FullGame>, Error> {
    if numbers.is_empty() {
        return Ok(Vec::new());
    }
    games.choose(numbers.iter().copied().collect());
    let variants = games.variants.clone();
    let mut tally = Tally::<FullGames>::default();
    let passed = games.pass(false, &|| FullReader::new(&variants), watch, &mut |counts, _| {
        tally.add(counts);
        Ok(())
    })?;
    if passed.is_cancelled {
        return Err(Error::Cancelled);
    }
    let mut found = tally.counts.0;
    found.sort_by_key(|game| numbers.iter().position(|&number| number == game.number));
    Ok(found)
}
