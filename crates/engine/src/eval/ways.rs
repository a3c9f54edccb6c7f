//! Properties of the moves that lead from the start of the game to a position.
//!
//! They are computed for all positions at once, when a filter needs them for the first time: the
//! way to a position is the way to its parent and one move.

use board::Color;

use crate::positions::Positions;

/// Properties of the way to a position.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way {
    /// Whether the way contains a null move or a variation by White.
    leaves_virtual_mainline: bool,
    /// Number of variations by White on the way; at most 2, since more make no difference.
    n_tries: u8,
}

impl Way {
    /// Whether `virtualmainline` matches.
    pub(super) fn is_virtual_mainline(self) -> bool {
        !self.leaves_virtual_mainline
    }

    /// Whether `try` has a value.
    pub(super) fn is_try(self) -> bool {
        self.n_tries == 1
    }

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

/// Way to each position of a game; empty until a filter needs one.
#[derive(Debug, Default)]
pub(crate) struct Ways(Vec<Way>);

impl Ways {
    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the way to a position.
    pub(super) fn to(&mut self, positions: &Positions<'_>, id: u32) -> Way {
        let ways = &mut self.0;
        if ways.is_empty() {
            ways.push(Way::default());
            for id in 1..positions.len() {
                let before = positions.parent(id).unwrap_or(0) as usize;
                let before = ways.get(before).copied().unwrap_or_default();
                ways.push(before.and(positions, id));
            }
        }
        // an imagined position continues a position of the game
        let mut imagined = Vec::new();
        let mut last = Some(id);
        while let Some(id) = last.filter(|&id| positions.is_imagined(id)) {
            imagined.push(id);
            last = positions.parent(id);
        }
        let known = last.and_then(|id| ways.get(id as usize)).copied().unwrap_or_default();
        imagined.into_iter().rev().fold(known, |way, id| way.and(positions, id))
    }
}
