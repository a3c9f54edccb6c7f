//! The maps of the board that classic transform words stand for.
//!
//! A word is a set of maps; several words are all compositions of one map each, in any order. A
//! composition is again a symmetry and a shift, with or without an exchange of colors, so there are
//! at most 3600 maps in all.
//!
//! Shifts keep edges: a square on the edge that a step moves away from belongs to the image, too.
//! So a pawn on a4, shifted right, is a pawn on a4 or b4: an edge matters because the board ends
//! there.

use board::{Direction, SquareSet, Symmetry};
use syntax::classic::tree::Transform;
use syntax::designator::PieceSet;
use syntax::tree::TransformFamily;

use crate::board_map::turned;

/// The farthest shift that differs from shorter ones.
const FARTHEST: i8 = 7;

/// A symmetry of the board, then a shift.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Map {
    symmetry: Symmetry,
    shift: (i8, i8),
    swaps_colors: bool,
}

impl Map {
    pub(super) const IDENTITY: Map =
        Map { symmetry: Symmetry::IDENTITY, shift: (0, 0), swaps_colors: false };

    fn flip(symmetry: Symmetry) -> Map {
        Map { symmetry, ..Map::IDENTITY }
    }

    fn shift(dx: i8, dy: i8) -> Map {
        Map { shift: (dx, dy), ..Map::IDENTITY }
    }

    fn swap_colors() -> Map {
        Map { symmetry: Symmetry::REFLECT_H, swaps_colors: true, ..Map::IDENTITY }
    }

    /// This map, followed by `next`.
    fn then(self, next: Map) -> Map {
        let (dx, dy) = turned(next.symmetry, self.shift);
        let limited = |d: i8| d.clamp(-FARTHEST, FARTHEST);
        Map {
            symmetry: self.symmetry.then(next.symmetry),
            shift: (limited(dx + next.shift.0), limited(dy + next.shift.1)),
            swaps_colors: self.swaps_colors != next.swaps_colors,
        }
    }

    /// Applies the map to squares.
    pub(super) fn squares(self, squares: SquareSet) -> SquareSet {
        let (dx, dy) = self.shift;
        shift_keeping_edges(self.symmetry.apply_set(squares), dx, dy)
    }

    /// Applies the map to piece types.
    pub(super) fn kinds(self, kinds: PieceSet) -> PieceSet {
        if self.swaps_colors { kinds.swap_colors() } else { kinds }
    }

    /// Applies the map to a direction.
    pub(super) fn direction(self, direction: Direction) -> Direction {
        self.symmetry.apply_direction(direction)
    }

    pub(super) fn swaps_colors(self) -> bool {
        self.swaps_colors
    }

    /// Returns a number below [`N_MAPS`] that is different for each map.
    fn index(self) -> usize {
        let symmetry = Symmetry::ALL.iter().position(|&s| s == self.symmetry);
        let (dx, dy) = self.shift;
        let side = 2 * FARTHEST as usize + 1;
        let shift = (dx + FARTHEST) as usize * side + (dy + FARTHEST) as usize;
        (usize::from(self.swaps_colors) * 8 + symmetry.unwrap_or(0)) * side * side + shift
    }
}

/// Number of maps.
const N_MAPS: usize = 2 * 8 * 15 * 15;

/// Moves a set step by step. The edge that a step moves away from keeps its squares.
fn shift_keeping_edges(mut set: SquareSet, dx: i8, dy: i8) -> SquareSet {
    for _ in 0..dx.unsigned_abs() {
        set = if dx > 0 {
            set.shift_right() | set & SquareSet::file(0)
        } else {
            set.shift_left() | set & SquareSet::file(7)
        };
    }
    for _ in 0..dy.unsigned_abs() {
        set = if dy > 0 {
            set.shift_up() | set & SquareSet::rank(0)
        } else {
            set.shift_down() | set & SquareSet::rank(7)
        };
    }
    set
}

/// The maps that a word stands for.
fn of_word(word: Transform) -> Vec<Map> {
    use Symmetry as S;
    let identity_and = |symmetry| vec![Map::IDENTITY, Map::flip(symmetry)];
    let along = |steps: &[(i8, i8)]| {
        let distances = (-FARTHEST..=FARTHEST).filter(|&n| n != 0);
        let shifts =
            distances.flat_map(|n| steps.iter().map(move |&(x, y)| Map::shift(n * x, n * y)));
        std::iter::once(Map::IDENTITY).chain(shifts).collect()
    };
    match word {
        Transform::Flip => S::ALL.into_iter().map(Map::flip).collect(),
        Transform::FlipHorizontal => identity_and(S::REFLECT_H),
        Transform::FlipVertical => identity_and(S::REFLECT_V),
        Transform::FlipDiagonal => identity_and(S::REFLECT_A1H8),
        Transform::FlipOffDiagonal => identity_and(S::REFLECT_A8H1),
        Transform::FlipColor => vec![Map::IDENTITY, Map::swap_colors()],
        Transform::Shift => (-FARTHEST..=FARTHEST)
            .flat_map(|dx| (-FARTHEST..=FARTHEST).map(move |dy| Map::shift(dx, dy)))
            .collect(),
        Transform::ShiftHorizontal => along(&[(1, 0)]),
        Transform::ShiftVertical => along(&[(0, 1)]),
        Transform::ShiftDiagonal => along(&[(1, 1), (1, -1)]),
        Transform::ShiftMainDiagonal => along(&[(1, 1)]),
        Transform::ShiftOffDiagonal => along(&[(1, -1)]),
    }
}

/// The maps that several words stand for, the identity first.
pub(super) fn of_words(words: &[Transform]) -> Vec<Map> {
    let sets: Vec<Vec<Map>> = significant(words).into_iter().map(of_word).collect();
    // for each set of words, as bits, the compositions of exactly these words
    let mut compositions: Vec<Vec<Map>> = vec![vec![Map::IDENTITY]];
    for chosen in 1usize..1 << sets.len() {
        let mut seen = [false; N_MAPS];
        let mut maps = Vec::new();
        for (i, last) in sets.iter().enumerate() {
            if chosen >> i & 1 == 0 {
                continue;
            }
            for &before in &compositions[chosen & !(1 << i)] {
                for map in last.iter().map(|&last| before.then(last)) {
                    if !std::mem::replace(&mut seen[map.index()], true) {
                        maps.push(map);
                    }
                }
            }
        }
        compositions.push(maps);
    }
    let mut maps = compositions.pop().unwrap_or_default();
    maps.sort_by_cached_key(|&map| if map == Map::IDENTITY { 0 } else { 1 + map.index() });
    maps
}

/// The words, without those that add nothing to the others.
fn significant(words: &[Transform]) -> Vec<Transform> {
    use Transform as T;
    let mut words = words.to_vec();
    if words.contains(&T::ShiftHorizontal) && words.contains(&T::ShiftVertical) {
        words.push(T::Shift);
    }
    let flips = words.contains(&T::Flip);
    let shifts = words.contains(&T::Shift);
    words.retain(|word| match word {
        T::Flip | T::Shift | T::FlipColor => true,
        T::FlipHorizontal | T::FlipVertical | T::FlipDiagonal | T::FlipOffDiagonal => !flips,
        T::ShiftHorizontal
        | T::ShiftVertical
        | T::ShiftDiagonal
        | T::ShiftMainDiagonal
        | T::ShiftOffDiagonal => !shifts,
    });
    words.sort_by_cached_key(|&word| word as u32);
    words.dedup();
    words
}

/// The maps of a transform that the command line puts around the query; `None` for a rotation by 45
/// degrees, which turns no squares.
pub(super) fn of_family(family: TransformFamily) -> Option<Vec<Map>> {
    use TransformFamily as F;
    Some(match family {
        F::Flip => of_word(Transform::Flip),
        F::FlipColor => of_word(Transform::FlipColor),
        F::FlipHorizontal => of_word(Transform::FlipHorizontal),
        F::FlipVertical => of_word(Transform::FlipVertical),
        F::Shift => of_word(Transform::Shift),
        F::ShiftHorizontal => of_word(Transform::ShiftHorizontal),
        F::ShiftVertical => of_word(Transform::ShiftVertical),
        F::ReverseColor => vec![Map::swap_colors()],
        F::Rotate90 => [
            Symmetry::IDENTITY,
            Symmetry::COUNTERCLOCKWISE90,
            Symmetry::ROTATE180,
            Symmetry::CLOCKWISE90,
        ]
        .map(Map::flip)
        .to_vec(),
        F::Rotate45 => return None,
    })
}

/// All compositions of a map of `inner` with one of `outer` after it.
pub(super) fn product(inner: &[Map], outer: &[Map]) -> Vec<Map> {
    let mut seen = [false; N_MAPS];
    let mut maps = Vec::new();
    for &first in inner {
        for map in outer.iter().map(|&second| first.then(second)) {
            if !std::mem::replace(&mut seen[map.index()], true) {
                maps.push(map);
            }
        }
    }
    maps
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Square;

    fn squares(text: &str) -> SquareSet {
        text.split_whitespace()
            .map(|name| Square::parse(name.as_bytes()).expect("a square"))
            .collect()
    }

    #[test]
    fn edges_are_kept() {
        for (set, (dx, dy), want) in [
            ("a4", (3, 0), "a4 b4 c4 d4"),
            ("d4", (3, 0), "g4"),
            ("a2 c2 h2", (1, 0), "a2 b2 d2"),
            ("h8", (-1, -1), "h8 g8 h7 g7"),
            ("a1", (0, 2), "a1 a2 a3"),
            ("d4", (-4, 0), ""),
            ("d4", (0, 5), ""),
            ("a4", (-1, 0), ""),
        ] {
            let image = Map::shift(dx, dy).squares(squares(set));
            assert_eq!(image, squares(want), "{set} by {dx}, {dy}");
        }
    }

    #[test]
    fn words_have_their_numbers_of_maps() {
        use Transform as T;
        for (words, n) in [
            (vec![], 1),
            (vec![T::Flip], 8),
            (vec![T::FlipHorizontal], 2),
            (vec![T::FlipDiagonal], 2),
            (vec![T::FlipColor], 2),
            (vec![T::Shift], 225),
            (vec![T::ShiftHorizontal], 15),
            (vec![T::ShiftDiagonal], 29),
            (vec![T::ShiftMainDiagonal], 15),
            (vec![T::ShiftHorizontal, T::ShiftVertical], 225),
            (vec![T::FlipHorizontal, T::FlipVertical], 4),
            (vec![T::FlipHorizontal, T::FlipDiagonal], 5),
            (vec![T::Flip, T::FlipHorizontal, T::FlipDiagonal], 8),
            (vec![T::Shift, T::Flip], 1800),
            (vec![T::FlipColor, T::Shift, T::Flip, T::ShiftDiagonal], 3600),
            (vec![T::FlipDiagonal, T::ShiftHorizontal], 44),
        ] {
            let maps = of_words(&words);
            assert_eq!(maps.len(), n, "{words:?}");
            assert_eq!(maps[0], Map::IDENTITY, "{words:?}");
            let mut reversed = words.clone();
            reversed.reverse();
            assert_eq!(of_words(&reversed), maps, "{words:?} in another order");
        }
    }

    #[test]
    fn compositions_do_what_their_parts_do_one_after_the_other() {
        let set = squares("d4 e5 c3 a1 h6");
        let flips = of_words(&[Transform::Flip, Transform::FlipColor]);
        let shift = Map::shift(2, -3);
        for &first in &flips {
            for &second in &flips {
                let composed = first.then(second).then(shift).squares(set);
                let one_by_one = shift.squares(second.squares(first.squares(set)));
                assert_eq!(composed, one_by_one, "{first:?} {second:?}");
            }
            // a flip turns what was shifted before
            let composed = shift.then(first).squares(set);
            let one_by_one = first.squares(shift.squares(set));
            assert_eq!(composed, one_by_one, "{first:?}");
        }
    }
}
