//! Symmetries of the board: the dihedral group, translations, and the exchange of colors.
//!
//! A symmetry is three bits — transpose first, then mirror files, then mirror ranks — so that
//! composition and inverse are a few bit operations and a set is mapped by the usual bit tricks.

use std::fmt;

use crate::attacks::Direction;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// One of the eight symmetries of the square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symmetry(u8);

const FILES: u8 = 1;
const RANKS: u8 = 2;
const TRANSPOSE: u8 = 4;

impl Symmetry {
    /// (x, y) stays.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// (x, 7−y): ranks mirrored.
    pub const REFLECT_H: Symmetry = Symmetry(RANKS);
    /// (7−x, y): files mirrored.
    pub const REFLECT_V: Symmetry = Symmetry(FILES);
    /// (7−x, 7−y).
    pub const ROTATE180: Symmetry = Symmetry(FILES | RANKS);
    /// (y, x).
    pub const REFLECT_A1H8: Symmetry = Symmetry(TRANSPOSE);
    /// (7−y, x).
    pub const COUNTERCLOCKWISE90: Symmetry = Symmetry(TRANSPOSE | FILES);
    /// (y, 7−x).
    pub const CLOCKWISE90: Symmetry = Symmetry(TRANSPOSE | RANKS);
    /// (7−y, 7−x).
    pub const REFLECT_A8H1: Symmetry = Symmetry(TRANSPOSE | FILES | RANKS);

    /// The whole group, in the order in which the `flip` family of transforms lists it.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::IDENTITY,
        Symmetry::REFLECT_A1H8,
        Symmetry::REFLECT_H,
        Symmetry::COUNTERCLOCKWISE90,
        Symmetry::REFLECT_V,
        Symmetry::CLOCKWISE90,
        Symmetry::ROTATE180,
        Symmetry::REFLECT_A8H1,
    ];

    /// Name of the symmetry in `currenttransform`; empty for the identity.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::REFLECT_H => "reflect_h",
            Symmetry::REFLECT_V => "reflect_v",
            Symmetry::ROTATE180 => "rotate180",
            Symmetry::REFLECT_A1H8 => "reflect_a1h8",
            Symmetry::COUNTERCLOCKWISE90 => "counterclockwise90",
            Symmetry::CLOCKWISE90 => "clockwise90",
            Symmetry::REFLECT_A8H1 => "reflect_a8h1",
            _ => "",
        }
    }

    const fn transposes(self) -> bool {
        self.0 & TRANSPOSE != 0
    }

    /// The two mirror bits of this symmetry, exchanged if a transposition is moved past them.
    const fn mirrors_past(self, transposition: bool) -> u8 {
        let mirrors = self.0 & 3;
        if transposition { (mirrors & 1) << 1 | mirrors >> 1 } else { mirrors }
    }

    /// The symmetry that applies this one first and `next` to its result.
    #[must_use]
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let mirrors = self.mirrors_past(next.transposes()) ^ next.0 & 3;
        Symmetry(mirrors | (self.0 ^ next.0) & TRANSPOSE)
    }

    /// The symmetry that undoes this one.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        Symmetry(self.mirrors_past(self.transposes()) | self.0 & TRANSPOSE)
    }

    /// Image of a square.
    #[inline]
    #[must_use]
    pub const fn apply(self, sq: Square) -> Square {
        let (mut x, mut y) = (sq.file(), sq.rank());
        if self.transposes() {
            (x, y) = (y, x);
        }
        if self.0 & FILES != 0 {
            x = 7 - x;
        }
        if self.0 & RANKS != 0 {
            y = 7 - y;
        }
        Square::from_coords(x, y)
    }

    /// Image of a set of squares.
    #[inline]
    #[must_use]
    pub const fn apply_set(self, set: SquareSet) -> SquareSet {
        let mut bits = set.0;
        if self.transposes() {
            bits = transpose(bits);
        }
        if self.0 & FILES != 0 {
            bits = bits.reverse_bits().swap_bytes();
        }
        if self.0 & RANKS != 0 {
            bits = bits.swap_bytes();
        }
        SquareSet(bits)
    }

    /// Image of a direction.
    #[must_use]
    pub fn apply_direction(self, direction: Direction) -> Direction {
        let (mut dx, mut dy) = direction.delta();
        if self.transposes() {
            (dx, dy) = (dy, dx);
        }
        if self.0 & FILES != 0 {
            dx = -dx;
        }
        if self.0 & RANKS != 0 {
            dy = -dy;
        }
        Direction::from_delta(dx, dy).unwrap_or(direction)
    }

    /// Image of a placement.
    #[must_use]
    pub fn apply_board(self, board: &Board) -> Board {
        Board {
            roles: board.roles.map(|set| self.apply_set(set)),
            colors: board.colors.map(|set| self.apply_set(set)),
        }
    }

    /// Whether light squares become dark ones.
    #[must_use]
    pub const fn swaps_light_and_dark(self) -> bool {
        matches!(self.0 & 3, FILES | RANKS)
    }
}

impl fmt::Debug for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Symmetry::IDENTITY { "identity" } else { self.name() })
    }
}

/// Exchanges files and ranks: three rounds of swapping blocks of 4, 2 and 1 squares.
const fn transpose(mut bits: u64) -> u64 {
    let t = 0x0F0F_0F0F_0000_0000 & (bits ^ bits << 28);
    bits ^= t ^ t >> 28;
    let t = 0x3333_0000_3333_0000 & (bits ^ bits << 14);
    bits ^= t ^ t >> 14;
    let t = 0x5500_5500_5500_5500 & (bits ^ bits << 7);
    bits ^ t ^ t >> 7
}

/// Moves a set by `dx` files and `dy` ranks; squares leaving the board are dropped.
///
/// With `keep_complete`, the rule of shift transforms: the set moves vertically first, then
/// horizontally, one step at a time; at each vertical step a file that was complete stays
/// complete, at each horizontal step a rank. So `a-h1-8` never changes and `a-h1` changes
/// vertically only.
#[must_use]
pub const fn shift_set(set: SquareSet, dx: i8, dy: i8, keep_complete: bool) -> SquareSet {
    if !keep_complete && dx.unsigned_abs() < 8 && dy.unsigned_abs() < 8 {
        return step_set(set, dx, dy);
    }
    let mut set = set;
    // After eight steps everything that can leave has left.
    let mut steps = if dy.unsigned_abs() > 8 { 8 } else { dy.unsigned_abs() };
    while steps > 0 {
        let kept = if keep_complete { complete_files(set).0 } else { 0 };
        let moved = if dy > 0 { set.shift_up() } else { set.shift_down() };
        set = SquareSet(moved.0 | kept);
        steps -= 1;
    }
    let mut steps = if dx.unsigned_abs() > 8 { 8 } else { dx.unsigned_abs() };
    while steps > 0 {
        let kept = if keep_complete { complete_ranks(set).0 } else { 0 };
        let moved = if dx > 0 { set.shift_right() } else { set.shift_left() };
        set = SquareSet(moved.0 | kept);
        steps -= 1;
    }
    set
}

/// Moves all squares at once; those that would leave the board are lost. No step is longer than the
/// board.
#[inline(always)]
#[must_use]
pub const fn step_set(set: SquareSet, dx: i8, dy: i8) -> SquareSet {
    let left = if dx < 0 { dx.unsigned_abs() } else { 0 };
    let files = 0xFF << left & 0xFF >> (dx.unsigned_abs() - left);
    let staying = set.0 & (0x0101_0101_0101_0101 * files);
    let step = dx + 8 * dy;
    SquareSet(if step < 0 { staying >> -step } else { staying << step })
}

/// Whether a translation turns light squares into dark ones.
#[must_use]
pub const fn shift_swaps_light_and_dark(dx: i8, dy: i8) -> bool {
    (dx ^ dy) & 1 != 0
}

const fn complete_files(set: SquareSet) -> SquareSet {
    let mut all = set.0 & set.0.rotate_left(8);
    all &= all.rotate_left(16);
    SquareSet(all & all.rotate_left(32))
}

const fn complete_ranks(set: SquareSet) -> SquareSet {
    let mut kept = 0;
    let mut rank = 0;
    while rank < 8 {
        let mask = SquareSet::rank(rank);
        if mask.is_subset(set) {
            kept |= mask.0;
        }
        rank += 1;
    }
    SquareSet(kept)
}

impl Board {
    /// The placement with White and Black exchanged, every piece on its square.
    #[must_use]
    pub const fn swap_colors(&self) -> Board {
        Board { roles: self.roles, colors: [self.colors[1], self.colors[0]] }
    }
}

impl Position {
    /// The position seen from the other side: ranks mirrored, colors and turn exchanged.
    #[must_use]
    pub fn flip_colors(&self) -> Position {
        let rights = self.castling.bits();
        Position {
            board: Symmetry::REFLECT_H.apply_board(&self.board.swap_colors()),
            turn: !self.turn,
            castling: CastlingRights::from_bits(rights << 2 | rights >> 2),
            en_passant: self.en_passant.map(Square::flip_rank),
            ..*self
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::set::tests::picture;
    use crate::testing::{any_position, played_position};

    fn any_symmetry() -> impl Strategy<Value = Symmetry> {
        (0usize..8).prop_map(|i| Symmetry::ALL[i])
    }

    #[test]
    fn coordinate_maps() {
        let check = |symmetry: Symmetry, name: &str, map: fn(u8, u8) -> (u8, u8)| {
            assert_eq!(symmetry.name(), name);
            for sq in Square::ALL {
                let (x, y) = map(sq.file(), sq.rank());
                assert_eq!(symmetry.apply(sq), Square::from_coords(x, y), "{name} {sq}");
                assert_eq!(symmetry.apply_set(sq.set()), symmetry.apply(sq).set());
            }
        };
        check(Symmetry::IDENTITY, "", |x, y| (x, y));
        check(Symmetry::REFLECT_H, "reflect_h", |x, y| (x, 7 - y));
        check(Symmetry::REFLECT_V, "reflect_v", |x, y| (7 - x, y));
        check(Symmetry::ROTATE180, "rotate180", |x, y| (7 - x, 7 - y));
        check(Symmetry::REFLECT_A1H8, "reflect_a1h8", |x, y| (y, x));
        check(Symmetry::COUNTERCLOCKWISE90, "counterclockwise90", |x, y| (7 - y, x));
        check(Symmetry::CLOCKWISE90, "clockwise90", |x, y| (y, 7 - x));
        check(Symmetry::REFLECT_A8H1, "reflect_a8h1", |x, y| (7 - y, 7 - x));
    }

    #[test]
    fn group_laws() {
        for a in Symmetry::ALL {
            assert_eq!(a.then(a.inverse()), Symmetry::IDENTITY);
            assert_eq!(a.inverse().then(a), Symmetry::IDENTITY);
            assert_eq!(a.then(Symmetry::IDENTITY), a);
            for b in Symmetry::ALL {
                for sq in Square::ALL {
                    assert_eq!(a.then(b).apply(sq), b.apply(a.apply(sq)), "{a:?} {b:?}");
                }
                for c in Symmetry::ALL {
                    assert_eq!(a.then(b).then(c), a.then(b.then(c)));
                }
            }
            let swapped = a.apply_set(SquareSet::LIGHT) == SquareSet::DARK;
            assert_eq!(a.swaps_light_and_dark(), swapped, "{a:?}");
        }
    }

    #[test]
    fn directions_follow_squares() {
        let middle = Square::from_coords(3, 3);
        for symmetry in Symmetry::ALL {
            for direction in Direction::ALL {
                let (df, dr) = direction.delta();
                let image = symmetry.apply_direction(direction).delta();
                let next = symmetry.apply(middle.offset(df, dr).unwrap());
                assert_eq!(symmetry.apply(middle).offset(image.0, image.1), Some(next));
            }
        }
    }

    #[test]
    fn shifts_keep_complete_lines() {
        let all = SquareSet::ALL;
        let (a_file, rank_1) = (SquareSet::file(0), SquareSet::rank(0));
        let check = |set, dx, dy, want: SquareSet| {
            assert_eq!(shift_set(set, dx, dy, true), want, "{dx} {dy}");
        };
        check(all, 3, -5, all);
        check(rank_1, 5, 0, rank_1);
        check(rank_1, 0, 1, SquareSet::rank(1));
        check(rank_1, -7, 7, SquareSet::rank(7));
        check(rank_1, 0, -1, SquareSet::EMPTY);
        check(a_file, 0, -3, a_file);
        check(a_file, 2, -3, SquareSet::file(2));
        check(a_file | Square::D1.set(), 0, 1, a_file | Square::from_coords(3, 1).set());
        check(Square::A1.set(), 7, 7, Square::H8.set());
        check(Square::A1.set(), -1, 0, SquareSet::EMPTY);
        check(SquareSet::LIGHT, i8::MIN, i8::MAX, SquareSet::EMPTY);
        assert_eq!(shift_set(all, 7, 0, false), SquareSet::file(7));
        assert!(shift_swaps_light_and_dark(-3, 0) && !shift_swaps_light_and_dark(-3, 7));
        // Row by row: the complete fourth rank stays while the rest moves out of it.
        let set = picture(
            ". . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             X X X X X X X X
             . . . . . . X .
             . . . . . . . X
             . . . . . . . .",
        );
        let want = picture(
            ". . . . . . . .
             . . . . . . . .
             . . . . . . . .
             . . . . . . . .
             X X X X X X X X
             . . . . . . . X
             . . . . . . . .
             . . . . . . . .",
        );
        check(set, 1, 0, want);
    }

    proptest! {
        #[test]
        fn sets_are_mapped_square_by_square(bits: u64, symmetry in any_symmetry()) {
            let set = SquareSet(bits);
            let images: SquareSet = set.into_iter().map(|sq| symmetry.apply(sq)).collect();
            prop_assert_eq!(symmetry.apply_set(set), images);
        }

        #[test]
        fn plain_shifts_move_every_square(bits: u64, dx in -9i8..10, dy in -9i8..10) {
            let set = SquareSet(bits);
            let images: SquareSet = set.into_iter().filter_map(|sq| sq.offset(dx, dy)).collect();
            prop_assert_eq!(shift_set(set, dx, dy, false), images);
            prop_assert!(images.is_subset(shift_set(set, dx, dy, true)));
        }

        #[test]
        fn the_other_side_has_the_same_moves(played in played_position(), any in any_position()) {
            for pos in [played, any] {
                let flipped = pos.flip_colors();
                prop_assert_eq!(flipped.flip_colors(), pos);
                prop_assert_eq!(flipped.count_legal(), pos.count_legal());
                prop_assert_eq!(flipped.is_check(), pos.is_check());
                prop_assert_eq!(flipped.is_mate(), pos.is_mate());
            }
        }
    }
}
