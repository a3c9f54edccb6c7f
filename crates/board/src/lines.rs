//! Moves sets of squares along lines, on one board or on several side by side.

use crate::piece::Role;
use crate::placement::{Placement, Squares};
use crate::set::SquareSet;

/// All files but the first, the first two, the last, and the last two: a step to the right never
/// ends on the first file, and so on.
pub(crate) const NOT_A: u64 = !0x0101_0101_0101_0101;
pub(crate) const NOT_AB: u64 = !0x0303_0303_0303_0303;
pub(crate) const NOT_H: u64 = !0x8080_8080_8080_8080;
pub(crate) const NOT_GH: u64 = !0xC0C0_C0C0_C0C0_C0C0;

/// Moves all squares by `STEP`, the difference of the indices of two squares; `ENDS` are the squares
/// where a step may end.
#[inline(always)]
pub(crate) fn step<const STEP: i32, const ENDS: u64, S: Squares>(set: S) -> S {
    set.zip(set, |set, _| SquareSet(moved::<STEP>(set.0) & ENDS))
}

#[inline(always)]
const fn moved<const STEP: i32>(set: u64) -> u64 {
    if STEP > 0 { set << STEP } else { set >> -STEP }
}

/// Returns the squares that lines in one direction reach from the squares of a set, up to and
/// including the first one that is not empty.
#[inline(always)]
pub(crate) fn slide<const STEP: i32, const ENDS: u64, S: Squares>(from: S, empty: S) -> S {
    step::<STEP, ENDS, S>(fill::<STEP, ENDS, S>(from, empty))
}

/// Returns the squares of a set and the empty ones that lines in one direction reach from there.
#[inline(always)]
pub(crate) fn fill<const STEP: i32, const ENDS: u64, S: Squares>(from: S, empty: S) -> S {
    from.zip(empty, |from, empty| {
        let (mut reached, mut open) = (from.0, empty.0 & ENDS);
        reached |= open & moved::<STEP>(reached);
        open &= moved::<STEP>(open);
        reached |= open & moved::<STEP>(moved::<STEP>(reached));
        open &= moved::<STEP>(moved::<STEP>(open));
        reached |= open & moved::<STEP>(moved::<STEP>(moved::<STEP>(moved::<STEP>(reached))));
        SquareSet(reached)
    })
}

/// Calls a macro for each of the eight directions: with its step and the squares where such a step
/// may end, the same for the step back, and whether the direction is diagonal.
macro_rules! for_directions {
    ($do:ident) => {
        $do!(8, { !0 }, -8, { !0 }, false);
        $do!(-8, { !0 }, 8, { !0 }, false);
        $do!(1, NOT_A, -1, NOT_H, false);
        $do!(-1, NOT_H, 1, NOT_A, false);
        $do!(9, NOT_A, -9, NOT_H, true);
        $do!(-9, NOT_H, 9, NOT_A, true);
        $do!(7, NOT_H, -7, NOT_A, true);
        $do!(-7, NOT_A, 7, NOT_H, true);
    };
}
pub(crate) use for_directions;

/// Kind of rays: their directions, where they start, and the end that is the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RayKind {
    /// A bit for each direction, that of its step and nine more.
    directions: u32,
    /// Whether rays start only at line pieces, in the directions in which they move.
    attack: bool,
    /// Whether the first squares are the result, rather than the last ones.
    first: bool,
}

impl RayKind {
    /// Returns the rays in the directions of these steps of one square.
    #[must_use]
    pub fn new(steps: &[(i8, i8)], attack: bool, first: bool) -> RayKind {
        let bit = |&(dx, dy): &(i8, i8)| 1 << (i32::from(dx) + 8 * i32::from(dy) + 9);
        RayKind { directions: steps.iter().map(bit).fold(0, |all, bit| all | bit), attack, first }
    }

    /// Returns the first or the last squares of all rays through some points. Each point between the
    /// first and the last is on an occupied square, and no others are occupied on the way.
    #[must_use]
    pub fn find<P: Placement>(self, board: &P, points: &[P::Set]) -> P::Set {
        let mut found = P::Set::of(SquareSet::EMPTY);
        let [starts, points @ ..] = points else {
            return found;
        };
        let empty = !board.occupied();
        let (mut straight, mut diagonal) = (*starts, *starts);
        if self.attack {
            let queens = board.role(Role::Queen);
            straight = straight & (board.role(Role::Rook) | queens);
            diagonal = diagonal & (board.role(Role::Bishop) | queens);
        }
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                let starts = if $diagonal { diagonal } else { straight };
                if self.directions >> ($step + 9) & 1 != 0 && !starts.is_empty() {
                    let first = self.first;
                    let along = along::<$step, $ends, $back, $starts, P::Set>;
                    found = found | along(starts, points, empty, first);
                }
            };
        }
        for_directions!(add);
        found
    }
}

/// Returns the first or the last squares of rays in one direction.
fn along<const STEP: i32, const ENDS: u64, const BACK: i32, const STARTS: u64, S: Squares>(
    from: S,
    points: &[S],
    empty: S,
    first: bool,
) -> S {
    let [next, rest @ ..] = points else {
        return from;
    };
    let mut found = slide::<STEP, ENDS, S>(from, empty) & *next;
    if !rest.is_empty() && !found.is_empty() {
        found = along::<STEP, ENDS, BACK, STARTS, S>(found, rest, empty, first);
    }
    if first { slide::<BACK, STARTS, S>(found, empty) & from } else { found }
}
