//! The moves of a game in brief, to pass over those that are not sought.

use board::{Square, SquareSet};

use crate::positions::Positions;
use compiler::program::plan::MAX_WAYS;

/// What a move of the game is like, in brief.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveSketch {
    from: Square,
    to: Square,
    /// The kind of the man that moves, as a bit.
    kind: u16,
    captures: bool,
    /// Castling, en passant, a drop or a null move, of which this says too little.
    pub(super) is_special: bool,
}

/// The sketches of all moves of a game, by the position that a move leads to.
#[derive(Debug, Default)]
pub(crate) struct MoveSketches(pub(super) Vec<MoveSketch>);

/// What is asked of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sought {
    pub(super) kinds: u16,
    pub(super) captures: bool,
    /// By identity.
    pub(super) pieces: u64,
    pub(super) ways: [Squares; MAX_WAYS],
    pub(super) n_ways: u8,
}

/// The squares of a move, those over which it leads among them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Squares {
    pub(super) from: SquareSet,
    pub(super) to: SquareSet,
    /// Any if these are all.
    pub(super) over: SquareSet,
}

impl MoveSketches {
    /// Forgets the game.
    pub(in crate::eval) fn clear(&mut self) {
        self.0.clear();
    }

    /// Sketches all moves, once a game.
    pub(super) fn prepare(&mut self, positions: Positions<'_>) {
        if self.0.is_empty() {
            self.0
                .extend((0..positions.len()).map(|id| sketch(positions, id)));
        }
    }
}

fn sketch(positions: Positions<'_>, id: u32) -> MoveSketch {
    let parent = positions.parent(id).unwrap_or(0);
    let Some(mv) = positions.mv(id) else {
        return MoveSketch {
            from: Square::A1,
            to: Square::A1,
            kind: 0,
            captures: false,
            is_special: true,
        };
    };
    let position = positions.position(parent);
    MoveSketch {
        from: mv.from(),
        to: mv.to(),
        kind: 1 << (6 * position.turn as u16 + mv.role() as u16),
        captures: mv.captured_square(&position.board).is_some(),
        is_special: mv.is_castle() || mv.is_null() || mv.is_en_passant() || mv.is_drop(),
    }
}

impl Squares {
    #[inline]
    fn admits(&self, sketch: &MoveSketch) -> bool {
        let over = |from, to| board::between(from, to).intersects(self.over);
        self.from.contains(sketch.from)
            && self.to.contains(sketch.to)
            && (self.over == SquareSet::ALL || over(sketch.from, sketch.to))
    }
}

impl Sought {
    #[inline]
    pub(super) fn admits(&self, sketch: &MoveSketch) -> bool {
        sketch.is_special
            || (self.kinds & sketch.kind != 0
                && (sketch.captures || !self.captures)
                && self.ways[..usize::from(self.n_ways)]
                    .iter()
                    .any(|way| way.admits(sketch)))
    }
}
