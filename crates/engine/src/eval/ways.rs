//! Properties of the moves that lead from the start of the game to a position.
//!
//! They are computed for all positions at once, when a filter needs them for the first time: the
//! way to a position is the way to its parent and one move.

use board::Color;

use super::evaluator::Evaluator;
use crate::positions::Positions;

/// Properties of the way to a position.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Way {
    /// Whether the way contains a null move or a variation by White.
    leaves_virtual_mainline: bool,
    /// Number of variations by White on the way; at most 2, since more make no difference.
    n_tries: u8,
}

impl Way {
    /// Returns the way extended by the move that leads to a position.
    fn and(self, positions: &Positions<'_>, to: u32) -> Way {
        let Some(mv) = positions.mv(to) else {
            return self;
        };
        let white_moved = positions.position(to).turn == Color::Black;
        let is_try = white_moved && positions.sibling_index(to) > 0;
        Way {
            leaves_virtual_mainline: self.leaves_virtual_mainline || mv.is_null() || is_try,
            n_tries: (self.n_tries + u8::from(is_try)).min(2),
        }
    }
}

impl Evaluator<'_> {
    /// `virtualmainline`
    pub(super) fn is_virtual_mainline(&mut self) -> bool {
        !self.way_here().leaves_virtual_mainline
    }

    /// `try`
    pub(super) fn is_try(&mut self) -> bool {
        self.way_here().n_tries == 1
    }

    /// Returns the way to the current position.
    fn way_here(&mut self) -> Way {
        let positions = self.positions;
        let ways = &mut self.state.ways;
        if ways.is_empty() {
            ways.push(Way::default());
            for id in 1..positions.len() {
                let before = positions.parent(id).unwrap_or(0) as usize;
                let before = ways.get(before).copied().unwrap_or_default();
                ways.push(before.and(&positions, id));
            }
        }
        // an imagined position continues a position of the game
        let is_imagined = |id: &u32| positions.is_imagined(*id);
        let imagined: Vec<u32> = self.ancestry().take_while(is_imagined).collect();
        let last = imagined.last().map_or(Some(self.at), |&id| positions.parent(id));
        let known = last.and_then(|id| self.state.ways.get(id as usize));
        let known = known.copied().unwrap_or_default();
        let moves = imagined.into_iter().rev();
        moves.fold(known, |way, id| way.and(&positions, id))
    }
}
