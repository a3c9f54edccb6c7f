//! Pawn structures: facts that depend only on the squares of the pawns of both colors.

use board::{Color, LANES, LaneSet, Piece, Placement, Role, SquareSet, Squares};
use compiler::facts::holds;
use compiler::program::plan::{PawnCondition, PawnNumber, PawnSet};
use syntax::builtin::PawnStructure;

/// The pawns of each color, on one board or on several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pawns<S = SquareSet> {
    white: S,
    black: S,
}

impl<S: Squares> Pawns<S> {
    /// Returns the pawns of a board.
    #[inline]
    pub(crate) fn of(board: &impl Placement<Set = S>) -> Pawns<S> {
        Pawns::from(Color::ALL.map(|color| board.pieces_of(Piece { color, role: Role::Pawn })))
    }

    /// Returns the pawns of a color.
    #[inline]
    pub(crate) fn color(self, color: Color) -> S {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl<S> From<[S; 2]> for Pawns<S> {
    fn from([white, black]: [S; 2]) -> Pawns<S> {
        Pawns { white, black }
    }
}

/// Pawns of several positions, which are tested together.
#[derive(Default)]
pub(crate) struct PawnsTogether {
    pawns: [LaneSet; 2],
    n: usize,
}

impl PawnsTogether {
    /// Adds the pawns of White and of Black. If there is no room for more, tests all of them.
    /// Returns whether some of them meet the conditions.
    #[inline]
    pub(crate) fn add(&mut self, pawns: [SquareSet; 2], conditions: &[PawnCondition]) -> bool {
        for (several, added) in self.pawns.iter_mut().zip(pawns) {
            several.0[self.n] = added.0;
        }
        self.n += 1;
        self.n == LANES && self.meet(conditions)
    }

    /// Whether some of the pawns that have not been tested meet all conditions.
    #[inline(never)]
    pub(crate) fn meet(&mut self, conditions: &[PawnCondition]) -> bool {
        let [white, black] = self.pawns;
        let mut lanes = ((1_u32 << self.n) - 1) as u8;
        self.n = 0;
        for condition in conditions {
            if lanes == 0 {
                break;
            }
            lanes &= condition_holds(condition, Pawns { white, black });
        }
        lanes != 0
    }
}

/// Returns the pawns of both colors that are of the kind.
pub(crate) fn structure<S: Squares>(kind: PawnStructure, pawns: Pawns<S>) -> S {
    structure_of(kind, Color::White, pawns) | structure_of(kind, Color::Black, pawns)
}

/// Returns the pawns of a color that are of the kind.
// Always inline, so that each color has code of its own.
#[inline(always)]
fn structure_of<S: Squares>(kind: PawnStructure, color: Color, pawns: Pawns<S>) -> S {
    let (own, other) = (pawns.color(color), pawns.color(!color));
    own.zip(other, |own, other| of_color(kind, own, other, color))
}

/// Whether a condition holds for these pawns.
pub(crate) fn condition_holds<S: Squares>(condition: &PawnCondition, pawns: Pawns<S>) -> S::Answer {
    match condition {
        PawnCondition::NotEmpty(set) => squares(set, pawns).has_some(),
        PawnCondition::Compare(relation, left, right) => {
            let numbers = (value(left, pawns), value(right, pawns));
            S::compare(numbers.0, numbers.1, |left, right| holds(*relation, &left, &right))
        }
    }
}

fn value<S: Squares>(number: &PawnNumber, pawns: Pawns<S>) -> S::Number {
    match number {
        PawnNumber::Constant(n) => S::number(*n),
        PawnNumber::Count(set) => squares(set, pawns).count(),
    }
}

fn squares<S: Squares>(set: &PawnSet, pawns: Pawns<S>) -> S {
    match set {
        PawnSet::Structure(kind, None) => structure(*kind, pawns),
        PawnSet::Structure(kind, Some(Color::White)) => structure_of(*kind, Color::White, pawns),
        PawnSet::Structure(kind, Some(Color::Black)) => structure_of(*kind, Color::Black, pawns),
        PawnSet::Constant(squares) => S::of(*squares),
        PawnSet::Pawns(color, squares) => pawns.color(*color) & S::of(*squares),
        PawnSet::Union(sets) => {
            let sets = sets.iter().map(|set| squares(set, pawns));
            sets.fold(S::of(SquareSet::EMPTY), |union, set| union | set)
        }
        PawnSet::Intersect(sets) => {
            let [left, right] = &**sets;
            squares(left, pawns) & squares(right, pawns)
        }
        PawnSet::Complement(set) => !squares(set, pawns),
    }
}

#[inline(always)]
fn of_color(kind: PawnStructure, own: SquareSet, other: SquareSet, color: Color) -> SquareSet {
    match kind {
        // There is an own pawn on a neighboring file.
        PawnStructure::ConnectedPawns => own & adjacent_files(own),
        PawnStructure::IsolatedPawns => own & !adjacent_files(own),
        PawnStructure::DoubledPawns => own & (ahead(own, Color::White) | ahead(own, Color::Black)),
        PawnStructure::PassedPawns => {
            // Squares that enemy pawns guard or block on their way.
            let files = other | other.shift_left() | other.shift_right();
            own - ahead(files, !color)
        }
    }
}

/// Returns all squares of the files next to the files of `pawns`.
#[inline(always)]
fn adjacent_files(pawns: SquareSet) -> SquareSet {
    let mut ranks = pawns.0;
    ranks |= ranks >> 32;
    ranks |= ranks >> 16;
    ranks |= ranks >> 8;
    let files = ranks & 0xff;
    let beside = (files << 1 | files >> 1) & 0xff;
    SquareSet(beside * 0x0101_0101_0101_0101)
}

/// Returns all squares in front of some squares, as seen by `color`.
#[inline(always)]
fn ahead(squares: SquareSet, color: Color) -> SquareSet {
    let mut ahead = match color {
        Color::White => squares.shift_up(),
        Color::Black => squares.shift_down(),
    };
    for ranks in [8, 16, 32] {
        ahead |= match color {
            Color::White => SquareSet(ahead.0 << ranks),
            Color::Black => SquareSet(ahead.0 >> ranks),
        };
    }
    ahead
}

#[cfg(test)]
mod tests {
    use board::Square;

    use super::*;

    #[test]
    fn pawns_ahead() {
        let square = |name: &str| Square::parse(name.as_bytes()).expect("a square").set();
        for (color, from, want) in [
            (Color::White, "e6", "[e7,e8]"),
            (Color::White, "a8", "[]"),
            (Color::Black, "h3", "[h1,h2]"),
            (Color::Black, "e1", "[]"),
        ] {
            let squares: Vec<String> =
                ahead(square(from), color).into_iter().map(|s| s.to_string()).collect();
            assert_eq!(format!("[{}]", squares.join(",")), want);
        }
    }
}
