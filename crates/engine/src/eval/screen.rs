//! Whether positions pass a screen: tests of a few instructions, before a filter is evaluated.

use board::{Board, Color, Move, Piece, Position, Role, SquareSet};
use compiler::facts::{holds, is_admissible, kind, squares_of_kinds};
use compiler::program::plan::{Men, MoveTest, Screen, Sum, Test};

use super::boards;
use crate::pawns::{self, Pawns};
use crate::positions::Positions;

/// A walk over consecutive positions, to those where a filter may match.
pub(crate) struct Scan<'s> {
    screen: &'s Screen,
    /// It only lets pass where no move was played that proves that there is one.
    asks_for_ends: bool,
    /// Numbers of all men and of all pawns at the last position. From one position of a line to
    /// the next, the material is the same where these are.
    counts: (u32, u32),
    /// What follows from the material there.
    is_admitted: bool,
    /// The pawns that were looked at last, and what follows from them.
    pawns: Option<(Pawns, bool)>,
}

impl<'s> Scan<'s> {
    /// A walk to what the screen lets pass.
    pub(crate) fn new(screen: &'s Screen) -> Scan<'s> {
        Scan {
            screen,
            asks_for_ends: (screen.tests.iter()).any(|test| matches!(test, Test::MayBeOver)),
            counts: (u32::MAX, u32::MAX),
            is_admitted: false,
            pawns: None,
        }
    }

    /// The first position, from `from` up to `end`, where the filter may match. The next walk
    /// begins behind it.
    #[inline]
    pub(crate) fn next(&mut self, positions: &Positions<'_>, from: u32, end: u32) -> Option<u32> {
        let screen = self.screen;
        let Some(line) = positions.line() else {
            return (from..end).find(|&id| {
                let position = positions.position(id);
                admits_material(screen, &position.board)
                    && passes_tests(screen, positions, id, position)
                    && admits_pawns(screen, Pawns::of(&position.board))
            });
        };
        let rest = line.get(from as usize..end as usize)?;
        if self.asks_for_ends {
            return self.next_end(positions, from, end);
        }
        // Loops rather than searches by closures, which would be called for every position.
        if screen.material.is_empty() && screen.pawns.is_empty() {
            // Nothing is remembered from one position to the next.
            for (id, position) in (from..).zip(rest) {
                if passes_tests(screen, positions, id, position) {
                    return Some(id);
                }
            }
        } else {
            for (id, position) in (from..).zip(rest) {
                if self.admits_material(&position.board)
                    && passes_tests(screen, positions, id, position)
                    && self.admits_pawns(&position.board)
                {
                    return Some(id);
                }
            }
        }
        None
    }

    /// As [`Scan::next`], of a line where nearly all positions are passed over for the move alone that
    /// was played there.
    // Not inlined, so that the other walks are.
    #[inline(never)]
    fn next_end(&self, positions: &Positions<'_>, mut from: u32, end: u32) -> Option<u32> {
        while from < end {
            let id = match from {
                0 => 0,
                _ => positions.first_not_followed_by(from, proves_a_move),
            };
            if id >= end {
                break;
            }
            let position = positions.position(id);
            if admits_material(self.screen, &position.board)
                && passes_tests(self.screen, positions, id, position)
                && admits_pawns(self.screen, Pawns::of(&position.board))
            {
                return Some(id);
            }
            from = id + 1;
        }
        None
    }

    /// Whether the numbers of men pass.
    #[inline]
    fn admits_material(&mut self, board: &Board) -> bool {
        if self.screen.material.is_empty() {
            return true;
        }
        let counts = (board.occupied().len(), board.role(Role::Pawn).len());
        if counts != self.counts {
            self.counts = counts;
            self.is_admitted = admits_material(self.screen, board);
        }
        self.is_admitted
    }

    /// Whether the pawns pass. Their structure takes some computing, and they are the same at
    /// several positions, mostly.
    #[inline]
    fn admits_pawns(&mut self, board: &Board) -> bool {
        if self.screen.pawns.is_empty() {
            return true;
        }
        let pawns = Pawns::of(board);
        match self.pawns {
            Some((last, admitted)) if last == pawns => admitted,
            _ => {
                let admitted = admits_pawns(self.screen, pawns);
                self.pawns = Some((pawns, admitted));
                admitted
            }
        }
    }
}

#[inline]
fn passes_tests(screen: &Screen, positions: &Positions<'_>, id: u32, position: &Position) -> bool {
    let board = &position.board;
    screen.tests.iter().all(|test| match test {
        Test::Turn(color) => position.turn == *color,
        Test::Piece(piece, squares) => board.pieces(piece.color, piece.role).intersects(*squares),
        Test::MayBeOver => may_be_over(positions, id),
        // Nothing else is told by a few instructions: it would keep this from being inlined.
        test => rarely_holds(test, positions, id),
    })
}

fn admits_material(screen: &Screen, board: &Board) -> bool {
    screen.material.iter().all(|sum| sum_holds(sum, board))
}

fn admits_pawns(screen: &Screen, pawns: Pawns) -> bool {
    let mut conditions = screen.pawns.iter();
    conditions.all(|condition| pawns::condition_holds(condition, pawns))
}

#[inline(never)]
fn rarely_holds(test: &Test, positions: &Positions<'_>, id: u32) -> bool {
    let position = positions.position(id);
    match test {
        Test::Initial => id == 0,
        Test::MayBeOver => may_be_over(positions, id),
        Test::Move(test) => move_holds(test, positions, id, &position.board),
        Test::Promotion(roles) => promotion_follows(positions, id, *roles),
        Test::Any(alternatives) => alternatives
            .iter()
            .any(|tests| tests.iter().all(|test| rarely_holds(test, positions, id))),
        test => holds_on_board(test, position),
    }
}

/// Whether an imagined position passes: it is not the first of a game, and nothing follows.
#[inline]
pub(super) fn admits_unplayed(screen: &Screen, position: &Position) -> bool {
    let board = &position.board;
    let mut tests = screen.tests.iter();
    (screen.material.is_empty() || admits_material(screen, board))
        && tests.all(|test| holds_unplayed(test, position))
        && (screen.pawns.is_empty() || admits_pawns(screen, Pawns::of(board)))
}

fn holds_unplayed(test: &Test, position: &Position) -> bool {
    match test {
        Test::MayBeOver => true,
        Test::Any(alternatives) => alternatives
            .iter()
            .any(|tests| tests.iter().all(|test| holds_unplayed(test, position))),
        test => holds_on_board(test, position),
    }
}

/// Whether a test holds that asks for nothing but the board and the side to move; others do not.
#[inline(always)]
fn holds_on_board(test: &Test, position: &Position) -> bool {
    let board = &position.board;
    match test {
        Test::Kinds(kinds, squares) => squares_of_kinds(board, *kinds).intersects(*squares),
        Test::Patterns(patterns) => patterns.matches(board),
        Test::Turn(color) => position.turn == *color,
        Test::Piece(piece, squares) => board.pieces(piece.color, piece.role).intersects(*squares),
        Test::Sum(sum) => sum_holds(sum, board),
        Test::Board(condition) => boards::condition_holds(condition, board),
        Test::Pawns(condition) => pawns::condition_holds(condition, Pawns::of(board)),
        Test::Never
        | Test::Initial
        | Test::MayBeOver
        | Test::Move(_)
        | Test::Promotion(_)
        | Test::Any(_) => false,
    }
}

/// Whether a promotion to one of the roles follows.
fn promotion_follows(positions: &Positions<'_>, id: u32, roles: u8) -> bool {
    let promotes = |id| {
        let role = positions.mv(id).and_then(Move::promotion);
        role.is_some_and(|role| roles & 1 << role.index() != 0)
    };
    (id + 1..positions.end(id)).any(promotes)
}

#[inline]
fn may_be_over(positions: &Positions<'_>, id: u32) -> bool {
    id == 0 || !positions.goes_on_by(id, proves_a_move)
}

/// Whether there is a legal move where this one was played: games have castling where it is not
/// legal.
fn proves_a_move(mv: Move) -> bool {
    !mv.is_null() && !mv.is_castle()
}

#[inline]
fn move_holds(test: &MoveTest, positions: &Positions<'_>, id: u32, board: &Board) -> bool {
    positions.goes_on_by(id, |mv| {
        // Most moves are of another man; castling is of two, a null move of none, and a drop of one
        // that is not there yet.
        let moved = Piece {
            color: positions.position(id).turn,
            role: mv.role(),
        };
        let is_special = mv.is_castle() || mv.is_null() || mv.is_drop();
        (test.left.kinds & kind(moved) != 0 || is_special) && {
            let operands = (stand_on(test.left, board), stand_on(test.right, board));
            is_admissible(mv, board, test.capture, operands)
        }
    })
}

fn sum_holds(sum: &Sum, board: &Board) -> bool {
    let terms = sum.terms.iter();
    let total = terms
        .map(|(men, weight)| stand_on(*men, board).len() as i32 * weight)
        .sum();
    holds(sum.relation, &total, &sum.bound)
}

/// The squares that such men stand on.
#[inline]
fn stand_on(men: Men, board: &Board) -> SquareSet {
    let kinds = men.kinds;
    if kinds.is_power_of_two() && kinds < 1 << 12 {
        let index = kinds.trailing_zeros() as usize;
        let color = if index < 6 {
            Color::White
        } else {
            Color::Black
        };
        board.pieces(color, Role::ALL[index % 6]) & men.squares
    } else {
        squares_of_kinds(board, kinds) & men.squares
    }
}
