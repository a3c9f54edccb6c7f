//! Maps of the board onto itself: a symmetry, then a shift.
//!
//! All transforms that keep the colors are such maps, and so are their compositions. A map works
//! on the infinite board; squares that end up outside of the real one are dropped at the end.

use board::{SquareSet, Symmetry};

pub use crate::transform::TransformStep;

/// A map of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BoardMap {
    symmetry: Symmetry,
    shift: (i8, i8),
}

impl BoardMap {
    /// The map that changes nothing.
    pub const IDENTITY: BoardMap = BoardMap { symmetry: Symmetry::IDENTITY, shift: (0, 0) };

    /// The map of a step of a transform: `flipcolor` mirrors the ranks, a rotation by 45 degrees
    /// changes no squares.
    pub fn of(step: TransformStep) -> BoardMap {
        let (symmetry, shift) = match step {
            TransformStep::Identity | TransformStep::Rotate45(_) => (Symmetry::IDENTITY, (0, 0)),
            TransformStep::Dihedral(symmetry) => (symmetry, (0, 0)),
            TransformStep::InvertColor => (Symmetry::REFLECT_H, (0, 0)),
            TransformStep::Shift(dx, dy) => (Symmetry::IDENTITY, (dx, dy)),
        };
        BoardMap { symmetry, shift }
    }

    /// This map, followed by `next`.
    pub fn then(self, next: BoardMap) -> BoardMap {
        let (dx, dy) = turned(next.symmetry, self.shift);
        BoardMap {
            symmetry: self.symmetry.then(next.symmetry),
            shift: (dx + next.shift.0, dy + next.shift.1),
        }
    }

    /// The map that undoes this one.
    #[inline]
    pub fn inverse(self) -> BoardMap {
        let symmetry = self.symmetry.inverse();
        let (dx, dy) = turned(symmetry, self.shift);
        BoardMap { symmetry, shift: (-dx, -dy) }
    }

    /// The map that does the same on a board that `step` has turned. Shifts do not turn anything.
    pub fn seen_through(self, step: TransformStep) -> BoardMap {
        let turn = BoardMap { shift: (0, 0), ..BoardMap::of(step) };
        turn.inverse().then(self).then(turn)
    }

    /// Applies the map to squares.
    #[inline]
    pub fn apply(self, set: SquareSet) -> SquareSet {
        let (dx, dy) = self.shift;
        shifted(self.symmetry.apply_set(set), dx, dy)
    }

    /// A number that distinguishes the map from others.
    pub fn key(self) -> u32 {
        let index = Symmetry::ALL.iter().position(|&s| s == self.symmetry);
        let byte = |n: i8| u32::from(n as u8);
        (index.unwrap_or(0) as u32) << 16 | byte(self.shift.0) << 8 | byte(self.shift.1)
    }
}

/// The set `dx` files to the right and `dy` ranks up, in a few steps however far that is.
#[inline]
fn shifted(set: SquareSet, dx: i8, dy: i8) -> SquareSet {
    let n_files = dx.unsigned_abs().min(8);
    let n_ranks = dy.unsigned_abs().min(8);
    // the files that stay on the board
    let files = if dx < 0 { 0xffu64 >> n_files << n_files } else { 0xffu64 >> n_files };
    let all_ranks = (files & 0xff) * 0x0101_0101_0101_0101;
    let bits = set.0 & all_ranks;
    let bits = if dx < 0 { bits >> n_files } else { bits << n_files };
    let by_ranks = 8 * u32::from(n_ranks);
    SquareSet(
        if dy < 0 { bits.checked_shr(by_ranks) } else { bits.checked_shl(by_ranks) }.unwrap_or(0),
    )
}

/// The image of a shift under a symmetry.
pub fn turned(symmetry: Symmetry, (dx, dy): (i8, i8)) -> (i8, i8) {
    let step = TransformStep::Dihedral(symmetry);
    let (right, up) = (step.direction((1, 0)), step.direction((0, 1)));
    (dx * right.0 + dy * up.0, dx * right.1 + dy * up.1)
}

#[cfg(test)]
mod tests {
    use board::Square;

    use super::*;

    fn maps() -> Vec<BoardMap> {
        let shifts = [(0, 0), (2, -1), (-3, 0)];
        Symmetry::ALL
            .into_iter()
            .flat_map(|symmetry| shifts.map(|shift| BoardMap { symmetry, shift }))
            .collect()
    }

    #[test]
    fn group_laws() {
        for a in maps() {
            assert_eq!(a.then(a.inverse()), BoardMap::IDENTITY, "{a:?}");
            assert_eq!(a.inverse().then(a), BoardMap::IDENTITY, "{a:?}");
            for b in maps() {
                for square in [Square::from_coords(3, 3), Square::from_coords(4, 2)] {
                    let one_by_one = b.apply(a.apply(square.set()));
                    let at_once = a.then(b).apply(square.set());
                    // on the way a square may leave the board and come back
                    assert!(one_by_one.is_subset(at_once), "{a:?} {b:?}");
                }
                assert_eq!(a.key() == b.key(), a == b, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn shifts_are_those_of_the_board() {
        for set in [SquareSet::ALL, SquareSet(0x8100_0000_1824_0081), SquareSet(1 << 27)] {
            for dx in -14..=14 {
                for dy in -14..=14 {
                    let want = board::shift_set(set, dx, dy, false);
                    assert_eq!(shifted(set, dx, dy), want, "{set:?} {dx} {dy}");
                }
            }
        }
    }

    #[test]
    fn maps_of_a_turned_board() {
        let mirror = BoardMap::of(TransformStep::Dihedral(Symmetry::REFLECT_H));
        let turn = TransformStep::Dihedral(Symmetry::CLOCKWISE90);
        let want = BoardMap::of(TransformStep::Dihedral(Symmetry::REFLECT_V));
        assert_eq!(mirror.seen_through(turn), want);
        let up = BoardMap::of(TransformStep::Shift(0, 2));
        let down = BoardMap::of(TransformStep::Shift(0, -2));
        assert_eq!(up.seen_through(TransformStep::InvertColor), down);
        assert_eq!(up.seen_through(TransformStep::Shift(1, 1)), up);
    }
}
