//! Squares that several pieces attack, by direction.

use crate::attacks::knight_attacks;
use crate::board::Board;
use crate::lines::{NOT_A, NOT_H};
use crate::piece::{Color, Role};
use crate::set::SquareSet;

impl Board {
    /// Calls a function with sets of attacked squares, such that a square is in as many of them as
    /// pieces of `men` attack it.
    #[inline(always)]
    pub fn for_each_attack(&self, men: SquareSet, mut show: impl FnMut(SquareSet)) {
        for square in men & self.role(Role::Knight) {
            show(knight_attacks(square));
        }
        self.attacks_by_direction(men).into_iter().map(SquareSet).for_each(show);
    }

    /// Returns the squares that pieces other than knights attack, in each of the eight directions.
    // In the playground, this crate is optimized for speed and its callers are for size. Elsewhere, the call
    // took 4 % of the instructions of a query about attackers.
    #[cfg_attr(target_arch = "wasm32", inline(never))]
    #[cfg_attr(not(target_arch = "wasm32"), inline)]
    fn attacks_by_direction(&self, men: SquareSet) -> [u64; 8] {
        let of = |role| (men & self.role(role)).0;
        // Only the next piece in a direction attacks a square from there.
        let (queens, kings, pawns) = (of(Role::Queen), of(Role::King), of(Role::Pawn));
        let (straight, diagonal) = (of(Role::Rook) | queens, of(Role::Bishop) | queens);
        let [up, down] = Color::ALL.map(|color| kings | pawns & self.color(color).0);
        let sliders = [straight, straight, diagonal, diagonal];
        let empty = !self.occupied().0;
        let [a, b, c, d] =
            attacked_along::<true>(sliders, [kings, kings, up, up], empty, (STEPS, UP_ENDS));
        let [e, f, g, h] =
            attacked_along::<false>(sliders, [kings, kings, down, down], empty, (STEPS, DOWN_ENDS));
        [a, b, c, d, e, f, g, h]
    }
}

/// Differences of the squares of a step up, to the right, and to the upper right and left.
const STEPS: [u64; 4] = [8, 1, 9, 7];

/// Squares where such a step may end, and those where a step back may end: a step never comes from
/// the other edge of the board.
const UP_ENDS: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];
const DOWN_ENDS: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

/// Returns the squares that pieces attack in each of the directions of `steps`, or the opposite
/// ones: `sliders` along lines, `others` the next square.
// Not inlined: if the steps are known, the compiler treats them differently and makes no vectors.
#[inline(never)]
fn attacked_along<const UP: bool>(
    sliders: [u64; 4],
    others: [u64; 4],
    empty: u64,
    (steps, ends): ([u64; 4], [u64; 4]),
) -> [u64; 4] {
    // Moves sets by 2 to the power of `n` steps.
    let moved = |sets: [u64; 4], n: u32, within: [u64; 4]| -> [u64; 4] {
        std::array::from_fn(|i| {
            let step = (steps[i] << n) & 63;
            within[i] & if UP { sets[i] << step } else { sets[i] >> step }
        })
    };
    let joined = |left: [u64; 4], right: [u64; 4]| -> [u64; 4] {
        std::array::from_fn(|i| left[i] | right[i])
    };
    let next = ends.map(|ends| ends & empty);
    let next_two = moved(next, 0, next);
    let next_four = moved(next_two, 1, next_two);
    let reached = joined(sliders, moved(sliders, 0, next));
    let reached = joined(reached, moved(reached, 1, next_two));
    let reached = joined(reached, moved(reached, 2, next_four));
    moved(joined(reached, others), 0, ends)
}
