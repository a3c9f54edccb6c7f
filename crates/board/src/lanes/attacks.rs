//! Attacks and pins on eight boards, by moving sets along lines.

use super::{LaneBoards, LaneSet};
use crate::attacks::knight_attacks;
use crate::lines::{NOT_A, NOT_AB, NOT_GH, NOT_H, for_directions, slide, step};
use crate::piece::{Color, Role};
use crate::placement::Placement;
use crate::set::SquareSet;

/// Returns the squares that knights on a set attack.
#[inline(always)]
fn leaps(from: LaneSet) -> LaneSet {
    let near = step::<1, NOT_A, _>(from) | step::<-1, NOT_H, _>(from);
    let far = step::<2, NOT_AB, _>(from) | step::<-2, NOT_GH, _>(from);
    step::<16, { !0 }, _>(near)
        | step::<-16, { !0 }, _>(near)
        | step::<8, { !0 }, _>(far)
        | step::<-8, { !0 }, _>(far)
}

/// Pieces by the way in which they attack.
struct Attackers {
    straight: LaneSet,
    diagonal: LaneSet,
    knights: LaneSet,
    kings: LaneSet,
    /// Pawns of White and of Black.
    pawns: [LaneSet; 2],
}

impl Attackers {
    #[inline(always)]
    fn of(boards: &LaneBoards, men: LaneSet) -> Attackers {
        let queens = boards.role(Role::Queen);
        let pawns = men & boards.role(Role::Pawn);
        Attackers {
            straight: men & (boards.role(Role::Rook) | queens),
            diagonal: men & (boards.role(Role::Bishop) | queens),
            knights: men & boards.role(Role::Knight),
            kings: men & boards.role(Role::King),
            pawns: Color::ALL.map(|color| pawns & boards.color(color)),
        }
    }

    /// Returns the pieces that attack along lines, and those that attack the next square, in a
    /// direction.
    #[inline(always)]
    fn along<const STEP: i32>(&self, diagonal: bool) -> (LaneSet, LaneSet) {
        if diagonal {
            (self.diagonal, self.kings | self.pawns[usize::from(STEP < 0)])
        } else {
            (self.straight, self.kings)
        }
    }
}

impl LaneBoards {
    /// Returns the squares of `left` that a piece on `right` attacks.
    #[must_use]
    pub fn attacked(&self, left: LaneSet, right: LaneSet) -> LaneSet {
        if left.is_empty() {
            return left;
        }
        let (men, empty) = (Attackers::of(self, right), !self.occupied());
        let mut attacked = leaps(men.knights);
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                let (sliders, others) = men.along::<$step>($diagonal);
                attacked |= step::<$step, $ends, _>(others);
                if !sliders.is_empty() {
                    attacked |= slide::<$step, $ends, _>(sliders, empty);
                }
            };
        }
        for_directions!(add);
        attacked & left
    }

    /// Returns the squares of `left` with a piece that attacks a square of `right`.
    #[must_use]
    pub fn attackers(&self, left: LaneSet, right: LaneSet) -> LaneSet {
        let (men, empty) = (Attackers::of(self, left), !self.occupied());
        let mut found = LaneSet::EMPTY;
        if right.is_empty() {
            return found;
        }
        if !men.knights.is_empty() {
            found |= leaps(right) & men.knights;
        }
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                let (sliders, others) = men.along::<$step>($diagonal);
                if !others.is_empty() {
                    found |= step::<$back, $starts, _>(right) & others;
                }
                if !sliders.is_empty() {
                    found |= slide::<$back, $starts, _>(right, empty) & sliders;
                }
            };
        }
        for_directions!(add);
        found
    }

    /// Calls a function with sets of attacked squares, such that a square is in as many of them as
    /// pieces of `men` attack it.
    #[inline(always)]
    pub fn for_each_attack(&self, men: LaneSet, mut show: impl FnMut(LaneSet)) {
        let (men, empty) = (Attackers::of(self, men), !self.occupied());
        // There are seldom more than two knights, but eight directions in which they move.
        let mut knights = men.knights;
        while !knights.is_empty() {
            let mut attacked = LaneSet::EMPTY;
            for (attacked, knights) in attacked.0.iter_mut().zip(&mut knights.0) {
                let mut rest = SquareSet(*knights).into_iter();
                *attacked = rest.next().map_or(0, |square| knight_attacks(square).0);
                *knights &= knights.wrapping_sub(1);
            }
            show(attacked);
        }
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                // Only the next piece in a direction attacks a square from there.
                let (sliders, others) = men.along::<$step>($diagonal);
                show(slide::<$step, $ends, _>(sliders, empty) | step::<$step, $ends, _>(others));
            };
        }
        for_directions!(add);
    }

    /// Returns the attackers, the pinned pieces and the targets of all pins of a piece of `through`
    /// by one of `from` against a square of `to`.
    #[must_use]
    pub fn pins(&self, from: LaneSet, through: LaneSet, to: LaneSet) -> [LaneSet; 3] {
        let (men, empty) = (Attackers::of(self, from), !self.occupied());
        let mut pins = [LaneSet::EMPTY; 3];
        for color in Color::ALL {
            let own = self.color(color);
            let (straight, diagonal) = (men.straight & own, men.diagonal & own);
            let (pinnable, targets) = (through & self.color(!color), to - own);
            macro_rules! add {
                ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                    let sliders = if $diagonal { diagonal } else { straight };
                    if !sliders.is_empty() {
                        let blockers = slide::<$step, $ends, _>(sliders, empty) & pinnable;
                        if !blockers.is_empty() {
                            let beyond = slide::<$step, $ends, _>(blockers, empty) & targets;
                            let pinned = slide::<$back, $starts, _>(beyond, empty) & blockers;
                            let pinning = slide::<$back, $starts, _>(pinned, empty) & sliders;
                            pins[0] |= pinning;
                            pins[1] |= pinned;
                            pins[2] |= beyond;
                        }
                    }
                };
            }
            for_directions!(add);
        }
        pins
    }
}
