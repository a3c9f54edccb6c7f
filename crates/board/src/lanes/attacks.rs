//! Attacks and pins on eight boards, by moving sets along lines.

use super::{LaneBoards, LaneSet};
use crate::lines::{NOT_A, NOT_AB, NOT_GH, NOT_H, fill, for_directions, slide, step};
use crate::piece::{Color, Role};
use crate::placement::Placement;

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

    /// Returns the squares that are attacked in a direction.
    #[inline(always)]
    fn attacked<const STEP: i32, const ENDS: u64>(
        &self,
        diagonal: bool,
        empty: LaneSet,
    ) -> LaneSet {
        let (sliders, others) = self.along::<STEP>(diagonal);
        step::<STEP, ENDS, _>(fill::<STEP, ENDS, _>(sliders, empty) | others)
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
                attacked |= men.attacked::<$step, $ends>($diagonal, empty);
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
        let [has_straight, has_diagonal] = [men.straight, men.diagonal].map(|set| !set.is_empty());
        let has_others = !(men.kings | men.pawns[0] | men.pawns[1]).is_empty();
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                let (sliders, others) = men.along::<$step>($diagonal);
                if has_others {
                    found |= step::<$back, $starts, _>(right) & others;
                }
                let has_sliders = if $diagonal { has_diagonal } else { has_straight };
                if has_sliders {
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
        let near = [step::<1, NOT_A, _>(men.knights), step::<-1, NOT_H, _>(men.knights)];
        let far = [step::<2, NOT_AB, _>(men.knights), step::<-2, NOT_GH, _>(men.knights)];
        for side in near {
            show(step::<16, { !0 }, _>(side));
            show(step::<-16, { !0 }, _>(side));
        }
        for side in far {
            show(step::<8, { !0 }, _>(side));
            show(step::<-8, { !0 }, _>(side));
        }
        macro_rules! add {
            ($step:literal, $ends:tt, $back:literal, $starts:tt, $diagonal:literal) => {
                // Only the next piece in a direction attacks a square from there.
                show(men.attacked::<$step, $ends>($diagonal, empty));
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
