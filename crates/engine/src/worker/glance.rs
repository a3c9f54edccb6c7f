//! What a query asks of a game as a whole once its moves have been read, before it is evaluated at all
//! positions.

use pgn::{GameTree, Tags, TreeSummary};

use crate::GameScreen;

/// Asks games what a query asks of them, as long as that saves more than it costs.
#[derive(Debug, Default)]
pub(super) struct Glance {
    /// What is asked; nothing, if games are wanted in which the query does not match.
    screen: GameScreen,
    /// The games that were asked, and those that were denied.
    n_asked: u64,
    n_denied: u64,
    /// Memory for codes of moves.
    codes: Vec<u16>,
}

/// After so many games it is known whether asking them pays.
const N_TRIED: u64 = 128;

/// It does if one in so many is denied.
const ENOUGH: u64 = 4;

impl Glance {
    pub(super) fn by(screen: GameScreen) -> Glance {
        Glance {
            screen,
            ..Glance::default()
        }
    }

    /// Whether it is plain that the query matches nowhere in a game, does nothing in it, and meets no
    /// fault.
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
