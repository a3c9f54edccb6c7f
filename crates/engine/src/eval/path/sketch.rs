//! Short descriptions of the moves of a game, used to skip moves that cannot match.

use board::{Square, SquareSet};

use crate::positions::Positions;
use compiler::program::plan::MAX_WAYS;

/// Short description of a move of the game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveSketch {
    from: Square,
    to: Square,
    /// Color and type of the piece that moves, as a bit.
    kind: u16,
    captures: bool,
    /// Whether the move is castling, en passant, a drop or a null move, which this type does not
    /// describe fully.
    pub(super) is_special: bool,
}

/// Descriptions of all moves of a game, indexed by the position that a move leads to.
#[derive(Debug, Default)]
pub(crate) struct MoveSketches(pub(super) Vec<MoveSketch>);

/// Properties required of a move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SketchQuery {
    pub(super) kinds: u16,
    pub(super) captures: bool,
    /// Identities of the pieces that may move, as bits.
    pub(super) pieces: u64,
    pub(super) ways: [Squares; MAX_WAYS],
    pub(super) n_ways: u8,
}

/// Squares of a move, including those that it passes over.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Squares {
    pub(super) from: SquareSet,
    pub(super) to: SquareSet,
    /// One of these squares is passed over; no condition if the set has all squares.
    pub(super) over: SquareSet,
}

impl MoveSketches {
    /// Forgets the game.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Describes all moves, once per game.
    pub(super) fn prepare(&mut self, positions: Positions<'_>) {
        if self.0.is_empty() {
            self.0.extend((0..positions.len()).map(|id| sketch(positions, id)));
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

impl SketchQuery {
    #[inline]
    pub(super) fn admits(&self, sketch: &MoveSketch) -> bool {
        sketch.is_special
            || (self.kinds & sketch.kind != 0
                && (sketch.captures || !self.captures)
                && self.ways[..usize::from(self.n_ways)].iter().any(|way| way.admits(sketch)))
    }
}
