//! Pawn structures: facts that depend only on the squares of the pawns of both colors.

use board::{Board, Color, Role, SquareSet};
use compiler::facts::holds;
use compiler::program::plan::{PawnCondition, PawnNumber, PawnSet};
use syntax::builtin::PawnStructure;

/// The pawns of each color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pawns {
    white: SquareSet,
    black: SquareSet,
}

impl Pawns {
    /// Returns the pawns of a board.
    #[inline]
    pub(crate) fn of(board: &Board) -> Pawns {
        Pawns {
            white: board.pieces(Color::White, Role::Pawn),
            black: board.pieces(Color::Black, Role::Pawn),
        }
    }

    /// Returns the pawns of a color.
    #[inline]
    pub(crate) fn color(self, color: Color) -> SquareSet {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }
}

impl From<[SquareSet; 2]> for Pawns {
    fn from([white, black]: [SquareSet; 2]) -> Pawns {
        Pawns { white, black }
    }
}

/// Returns the pawns of both colors that are of the kind.
pub(crate) fn structure(kind: PawnStructure, pawns: Pawns) -> SquareSet {
    let Pawns { white, black } = pawns;
    of_color(kind, white, black, Color::White) | of_color(kind, black, white, Color::Black)
}

/// Whether a condition holds for these pawns.
pub(crate) fn condition_holds(condition: &PawnCondition, pawns: Pawns) -> bool {
    match condition {
        PawnCondition::NotEmpty(set) => !squares(set, pawns).is_empty(),
        PawnCondition::Compare(relation, left, right) => {
            holds(*relation, &value(left, pawns), &value(right, pawns))
        }
    }
}

fn value(number: &PawnNumber, pawns: Pawns) -> i32 {
    match number {
        PawnNumber::Constant(n) => *n,
        PawnNumber::Count(set) => squares(set, pawns).len() as i32,
    }
}

fn squares(set: &PawnSet, pawns: Pawns) -> SquareSet {
    match set {
        PawnSet::Structure(kind) => structure(*kind, pawns),
        PawnSet::Constant(squares) => *squares,
        PawnSet::Pawns(color, squares) => pawns.color(*color) & *squares,
        PawnSet::Union(sets) => {
            let sets = sets.iter().map(|set| squares(set, pawns));
            sets.fold(SquareSet::EMPTY, |union, set| union | set)
        }
        PawnSet::Intersect(sets) => {
            let [left, right] = &**sets;
            squares(left, pawns) & squares(right, pawns)
        }
        PawnSet::Complement(set) => !squares(set, pawns),
    }
}

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
