//! Applies the game screen of a query after the moves of a game have been read, before the query is
//! evaluated at all positions.

use pgn::{GameTree, Tags, TreeSummary};

use crate::GameScreen;

/// Applies a game screen to games, as long as that saves more time than it costs.
#[derive(Debug, Default)]
pub(super) struct GamePrefilter {
    /// The screen; without conditions if the query selects games that do not match.
    screen: GameScreen,
    /// Numbers of games that were tested, and of games that failed.
    n_asked: u64,
    n_denied: u64,
    /// Memory for codes of moves.
    codes: Vec<u16>,
}

/// Number of games after which it is decided whether the screen pays.
const N_TRIED: u64 = 128;

/// Least share of games that must fail for the screen to pay: one in this number.
const ENOUGH: u64 = 4;

impl GamePrefilter {
    pub(super) fn by(screen: GameScreen) -> GamePrefilter {
        GamePrefilter { screen, ..GamePrefilter::default() }
    }

    /// Whether the screen proves that the query matches nowhere in the game, has no effect there,
    /// and cannot fail.
    pub(super) fn denies(&mut self, tree: &GameTree, tags: Tags<'_>) -> bool {
        let pays = self.n_asked < N_TRIED || self.n_denied >= self.n_asked / ENOUGH;
        if self.screen.is_open() || !pays || !tree.rules().are_of_chess() {
            return false;
        }
        let summary = TreeSummary::new(tree, tags, std::mem::take(&mut self.codes));
        let is_denied = !self.screen.may_match(&summary);
        self.codes = summary.into_memory();
        self.n_asked += 1;
        self.n_denied += u64::from(is_denied);
        is_denied
    }
}
