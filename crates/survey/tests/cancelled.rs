//! Counts that are cancelled before the last game.

use std::io::Cursor;
use std::sync::Arc;

use babson::UnusedArchive;
use flow::{Cancel, GameSet, Output, RunOptions};
use input::{Inputs, ReadOptions};
use pgn::VariantNames;
use survey::target::Target;
use survey::tree::TreeOptions;
use survey::{Collection, Error, PassProgress, Watch, duplicates, stats, tree};

const GAMES: usize = 1000;

/// Cancels the count after the first chunk.
struct Stop(Cancel);

impl Watch for Stop {
    fn read(&mut self, _: &Output<()>, _: PassProgress) {
        self.0.cancel();
    }

    fn report(&mut self, _: &Output<()>) {}

    fn unused(&mut self, _: &UnusedArchive) {}
}

/// Counts games until the count is cancelled.
fn counted<T>(count: impl FnOnce(&mut Collection<'_>, &mut Stop) -> T) -> T {
    counted_of(None, count)
}

/// Counts some of the games until the count is cancelled; `None` stands for all.
fn counted_of<T>(
    chosen: Option<GameSet>,
    count: impl FnOnce(&mut Collection<'_>, &mut Stop) -> T,
) -> T {
    let games = "[White \"A\"]\n\n1. e4 *\n\n".repeat(GAMES);
    let cancel = Cancel::default();
    let inputs = Inputs::of_reader("g.pgn", Cursor::new(games), ReadOptions::default(), &cancel);
    let groups = babson::Games::from(inputs);
    let options = RunOptions { chunk_bytes: 1 << 10, ..RunOptions::new(cancel.clone()) };
    let inputs = &groups.inputs;
    let groups = groups.groups(false, &cancel, &mut |_| {});
    let games = Collection::new(inputs, groups, options, VariantNames::default());
    let mut games = games.choosing(chosen.map(Arc::new));
    count(&mut games, &mut Stop(cancel))
}

#[test]
fn statistics_and_trees_are_those_of_the_games_so_far() {
    let stats = counted(|games, watch| stats::count(games, watch)).expect("counts");
    let report = stats.report(1);
    assert!(stats.is_cancelled && (1..GAMES as u64).contains(&report.games), "{report:?}");
    assert_eq!(report.players[0].count, report.games);
    assert_eq!(report.plies, report.games);
    let target = Target::parse("").expect("the normal start");
    let options = TreeOptions { depth: 1, ..TreeOptions::default() };
    let tree = counted(|games, watch| tree::count(games, &target, options, watch));
    let tree = tree.expect("a tree");
    let report = tree.report(&target, 1);
    assert!(tree.is_cancelled && (1..GAMES as u64).contains(&tree.n_read), "{report:?}");
    assert_eq!((report.figures.games, report.moves[0].figures.games), (tree.n_read, tree.n_read));
}

#[test]
fn games_that_were_chosen_but_not_read_do_not_count() {
    let half = |number: &u64| number.is_multiple_of(2);
    let chosen: GameSet = (1..=GAMES as u64).filter(half).collect();
    let stats = counted_of(Some(chosen), |games, watch| stats::count(games, watch));
    let stats = stats.expect("counts");
    let report = stats.report(1);
    let counted: u64 = report.results.iter().map(|result| result.count).sum();
    assert!(stats.is_cancelled && report.games < GAMES as u64 / 2, "{report:?}");
    assert_eq!(report.games, counted);
}

#[test]
fn some_of_the_duplicates_are_none() {
    let rules = duplicates::Rules::default();
    let found = counted(|games, watch| duplicates::find(games, rules, watch));
    assert!(matches!(found, Err(Error::Cancelled)), "{found:?}");
}
