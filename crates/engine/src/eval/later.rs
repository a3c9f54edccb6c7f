//! Finds a later position that resembles the current one.
//!
//! Boards are compared by sets of squares: two boards differ if one of their sets does. Moving the
//! later position around gives up to 1800 boards. To compare fewer, the rarest piece that must be
//! present again serves as an anchor: only shifts that bring an equal piece to its square are
//! tried. If `n` pieces may be missing and none must stay, `n` + 1 pieces serve as anchors.

use board::{Board, Color, Piece, Role, Square, SquareSet, Symmetry, shift_set};

use super::evaluator::Evaluator;
use compiler::facts::squares_of_kinds;
use compiler::program::{CountedMen, LaterPosition, Region};

impl Evaluator<'_> {
    /// Whether a later position of the game resembles the current one.
    pub(super) fn has_later_position(&mut self, later: &LaterPosition) -> bool {
        let allowed = match later.squares {
            Some(id) => self.set(id),
            None => SquareSet::ALL,
        };
        let positions = self.positions;
        let here = *self.here();
        let comparison = Comparison::new(later, &here.board, allowed);
        for id in self.at + 1..positions.len() {
            if !self.step() {
                return false;
            }
            self.charge(comparison.n_images());
            let there = positions.position(id);
            let side_fits = later.same_side.is_none_or(|same| same == (here.turn == there.turn));
            if side_fits && self.is_in(later.region, id) && comparison.fits(&there.board) {
                return true;
            }
        }
        false
    }

    /// Whether a position is in a part of the game.
    pub(super) fn is_in(&self, region: Region, id: u32) -> bool {
        match region {
            Region::Everything => true,
            Region::MainLine => self.positions.depth(id) == 0,
            Region::Variations => self.positions.depth(id) > 0,
        }
    }
}

/// The earlier position, with the conditions on the later one.
struct Comparison<'a> {
    later: &'a LaterPosition,
    board: &'a Board,
    allowed: SquareSet,
    /// Pieces of which at least one must be in the later position; `None` without shifts, or if too
    /// few pieces qualify.
    anchors: Option<Vec<(Piece, Square)>>,
}

impl<'a> Comparison<'a> {
    fn new(later: &'a LaterPosition, board: &'a Board, allowed: SquareSet) -> Comparison<'a> {
        let men = board.occupied() & allowed;
        let missing = &later.missing;
        let may_go = men & missing.squares & squares_of_kinds(board, missing.kinds);
        let may_go = if *missing.count.end() > 0 { may_go } else { SquareSet::EMPTY };
        // One piece that must stay, or one more than may be missing.
        let (candidates, n) = match men & !may_go {
            SquareSet::EMPTY => (may_go, (*missing.count.end()).max(0) as usize + 1),
            stay => (stay, 1),
        };
        let anchors = (later.shift && candidates.len() as usize >= n).then(|| {
            let mut anchors: Vec<(Piece, Square)> = candidates
                .into_iter()
                .filter_map(|square| Some((board.piece_at(square)?, square)))
                .collect();
            let frequency = |piece: &Piece| board.pieces(piece.color, piece.role).len();
            anchors.sort_by_cached_key(|(piece, _)| frequency(piece));
            anchors.truncate(n);
            anchors
        });
        Comparison { later, board, allowed, anchors }
    }

    /// Returns the approximate number of images of a board that are compared.
    fn n_images(&self) -> u64 {
        let n_flips = if self.later.flip { 8 } else { 1 };
        n_flips
            * match &self.anchors {
                _ if !self.later.shift => 1,
                Some(anchors) => 4 * anchors.len() as u64,
                None => 15 * 15,
            }
    }

    fn fits(&self, there: &Board) -> bool {
        // No shift or flip adds pieces.
        let men = self.board.occupied() & self.allowed;
        let fewer = men.len() as i32 - there.occupied().len() as i32;
        fewer <= *self.later.missing.count.end()
            && self.counts_fit(there)
            && self.an_image_fits(there)
    }

    /// Whether the later position, neither shifted nor flipped, has the numbers of equal and of
    /// different squares that the query requires.
    fn counts_fit(&self, there: &Board) -> bool {
        let later = self.later;
        if later.different.is_none() && later.same.is_none() {
            return true;
        }
        let different = differing(self.board, there);
        let both = self.board.occupied() & there.occupied();
        let n_different = (different & self.allowed).len() as i32;
        let n_same = (both & !different & self.allowed).len() as i32;
        (later.different.as_ref()).is_none_or(|range| range.contains(&n_different))
            && (later.same.as_ref()).is_none_or(|range| range.contains(&n_same))
    }

    fn an_image_fits(&self, there: &Board) -> bool {
        let flips: &[Symmetry] =
            if self.later.flip { &Symmetry::ALL } else { &[Symmetry::IDENTITY] };
        flips.iter().any(|flip| {
            let board = flip.apply_board(there);
            match &self.anchors {
                _ if !self.later.shift => self.image_fits(&board, (0, 0)),
                Some(anchors) => anchors.iter().any(|&(piece, square)| {
                    let others = board.pieces(piece.color, piece.role);
                    others.into_iter().any(|other| {
                        let dx = square.file() as i8 - other.file() as i8;
                        let dy = square.rank() as i8 - other.rank() as i8;
                        self.image_fits(&board, (dx, dy))
                    })
                }),
                None => (-7..=7).any(|dx| (-7..=7).any(|dy| self.image_fits(&board, (dx, dy)))),
            }
        })
    }

    /// Whether the later board, shifted, resembles the earlier one.
    fn image_fits(&self, there: &Board, (dx, dy): (i8, i8)) -> bool {
        let shifted = |set| shift_set(set, dx, dy, false);
        let allowed = self.allowed;
        let men = self.board.occupied() & allowed;
        let others = shifted(there.occupied()) & allowed;
        let (missing, new) = (men & !others, others & !men);
        let LaterPosition { missing: may_miss, new: may_be_new, .. } = self.later;
        count_fits(may_miss, missing)
            && count_fits(may_be_new, new)
            && covers(may_miss, missing, |kinds| squares_of_kinds(self.board, kinds))
            && covers(may_be_new, new, |kinds| shifted(squares_of_kinds(there, kinds)))
            && self.same_men(there, men & others, shifted)
    }

    /// Whether both boards have the same pieces on all of `squares`.
    fn same_men(
        &self,
        there: &Board,
        squares: SquareSet,
        shifted: impl Fn(SquareSet) -> SquareSet,
    ) -> bool {
        let same =
            |here: SquareSet, there: SquareSet| ((here ^ shifted(there)) & squares).is_empty();
        same(self.board.color(Color::White), there.color(Color::White))
            && Role::ALL.iter().all(|&role| same(self.board.role(role), there.role(role)))
    }
}

/// Whether the number of pieces is in the range. Pieces outside the designator are not allowed, so
/// all pieces count.
fn count_fits(asked: &CountedMen, men: SquareSet) -> bool {
    asked.count.contains(&(men.len() as i32))
}

/// Whether all pieces have the required types and are on the required squares.
fn covers(asked: &CountedMen, men: SquareSet, of_kinds: impl FnOnce(u16) -> SquareSet) -> bool {
    men.is_empty() || men.is_subset(asked.squares) && men.is_subset(of_kinds(asked.kinds))
}

/// Returns the squares with different content.
fn differing(a: &Board, b: &Board) -> SquareSet {
    let colors = Color::ALL.map(|color| a.color(color) ^ b.color(color));
    let roles = Role::ALL.map(|role| a.role(role) ^ b.role(role));
    colors.into_iter().chain(roles).fold(SquareSet::EMPTY, |all, set| all | set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(text: &str) -> Board {
        board::parse_board(text.as_bytes()).expect("a board")
    }

    const NOBODY: CountedMen = CountedMen { kinds: 0xfff, squares: SquareSet::ALL, count: 0..=0 };

    fn exactly() -> LaterPosition {
        LaterPosition {
            region: Region::Everything,
            same_side: Some(true),
            squares: None,
            shift: false,
            flip: false,
            different: None,
            same: None,
            missing: NOBODY,
            new: NOBODY,
        }
    }

    fn check(later: &LaterPosition, allowed: SquareSet, here: &str, there: &str, want: bool) {
        let (here, there) = (board(here), board(there));
        let got = Comparison::new(later, &here, allowed).fits(&there);
        assert_eq!(got, want, "{later:?}");
    }

    #[test]
    fn men_may_be_missing_or_new_only_as_allowed() {
        let all = SquareSet::ALL;
        let here = "4k3/8/8/8/8/8/P1n5/4K3";
        let without_pawn = "4k3/8/8/8/8/8/2n5/4K3";
        let moved_knight = "4k3/8/8/8/8/n7/P7/4K3";
        let changed = "4k3/8/8/8/8/8/n1n5/4K3";
        let white = CountedMen { kinds: 0x3f, count: 1..=100, ..NOBODY };
        let black = CountedMen { kinds: 0xfc0, count: 0..=1, ..NOBODY };
        let missing_white = LaterPosition { missing: white, ..exactly() };
        let moved_black = LaterPosition { missing: black.clone(), new: black, ..exactly() };
        for (later, there, want) in [
            (exactly(), here, true),
            (exactly(), without_pawn, false),
            (missing_white.clone(), without_pawn, true),
            (missing_white.clone(), here, false),
            (missing_white, moved_knight, false),
            (moved_black.clone(), moved_knight, true),
            (moved_black.clone(), without_pawn, false),
            (moved_black, changed, false),
        ] {
            check(&later, all, here, there, want);
        }
    }

    #[test]
    fn boards_are_moved_about() {
        let here = "8/8/8/3N4/8/4k3/8/8";
        let squares = board(here).occupied();
        let flip = LaterPosition { flip: true, ..exactly() };
        let shift = LaterPosition { shift: true, ..exactly() };
        let both = LaterPosition { flip: true, ..shift.clone() };
        let shifted = "8/8/8/8/1N6/8/2k5/8";
        let flipped = "8/8/3k4/8/4N3/8/8/8";
        let moved = "5k2/8/6N1/8/8/8/8/8";
        for (later, there, want) in [
            (exactly(), shifted, false),
            (shift.clone(), shifted, true),
            (shift, moved, false),
            (flip.clone(), flipped, true),
            (flip, moved, false),
            (both.clone(), moved, true),
            (both, "5k2/6N1/8/8/8/8/8/8", false),
        ] {
            check(&later, squares, here, there, want);
        }
    }

    #[test]
    fn the_pattern_may_keep_no_man_in_place() {
        let later = LaterPosition { shift: true, same: Some(0..=0), ..exactly() };
        let here = "8/8/8/3N4/8/4k3/8/8";
        let squares = board(here).occupied();
        check(&later, squares, here, here, false);
        check(&later, squares, here, "8/8/8/4N3/8/5k2/8/8", true);
    }

    #[test]
    fn men_who_may_be_missing_do_not_anchor() {
        let missing = |kinds, count| LaterPosition {
            shift: true,
            missing: CountedMen { kinds, count, ..NOBODY },
            ..exactly()
        };
        let all = SquareSet::ALL;
        let here = "8/8/8/3N4/8/4k3/8/8";
        for (later, there, want) in [
            // shifted off the board, both pieces are missing
            (missing(0xfff, 2..=2), "8/8/8/8/8/8/8/K7", true),
            // the knight may go, the king must stay
            (missing(0x3f, 0..=9), "8/8/8/8/1k6/8/8/8", true),
            (missing(0x3f, 0..=9), "8/8/8/8/1N6/8/8/8", false),
            // either may go
            (missing(0xfff, 1..=1), "8/8/8/8/1N6/8/8/8", true),
            (missing(0xfff, 1..=1), "8/8/8/8/1k6/8/8/8", true),
            (missing(0xfff, 0..=0), "8/8/8/8/1k6/8/8/8", false),
        ] {
            check(&later, all, here, there, want);
        }
    }

    #[test]
    fn anchors_find_what_trying_all_shifts_finds() {
        let boards = [
            "8/8/8/3N4/8/4k3/8/8",
            "8/8/8/8/1N6/8/2k5/8",
            "r6k/8/8/8/8/8/8/R6K",
            "8/8/8/r6k/8/8/8/8",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3",
            "8/4k3/pppppppp/8/8/8/8/4K3",
            "N6N/8/8/8/8/8/8/n6n",
        ];
        for kinds in [0, 0x3f, 0xfff, 1 << 1] {
            for most in [0, 1, 2, 5, 20] {
                let men = CountedMen { kinds, count: 0..=most, ..NOBODY };
                let later = LaterPosition {
                    shift: true,
                    flip: true,
                    missing: men.clone(),
                    new: men,
                    ..exactly()
                };
                for (here, there) in boards.iter().flat_map(|a| boards.map(|b| (*a, b))) {
                    let (here, there) = (board(here), board(there));
                    let anchored = Comparison::new(&later, &here, SquareSet::ALL);
                    let every_shift = Comparison {
                        anchors: None,
                        ..Comparison::new(&later, &here, SquareSet::ALL)
                    };
                    assert_eq!(anchored.fits(&there), every_shift.fits(&there), "{later:?}");
                }
            }
        }
    }
}
