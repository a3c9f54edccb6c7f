//! Tests positions with a screen: a few instructions per position, before a filter is evaluated.

use std::ops::Range;

use board::{Board, Move, Piece, Placement, Position, Role, SquareSet, Squares};
use compiler::facts::{holds, is_admissible, kind, squares_of_kinds};
use compiler::program::plan::{
    MoveCounter, MoveEnd, MoveLink, MoveTest, PieceMask, PositionScreen, Sum, Test,
};

use syntax::tree::Relation;

use super::boards;
use crate::pawns::{self, Pawns};
use crate::positions::Positions;

/// A walk over consecutive positions that stops at those where a filter may match.
pub(crate) struct Scan<'s> {
    screen: &'s PositionScreen,
    /// Whether the screen requires that no played move proves the existence of a legal move.
    asks_for_ends: bool,
    /// The only positions where the filter may match, a bit each, if they are known.
    candidates: Option<&'s [u64]>,
    /// The first position of a line that may pass, and the one after the last.
    plies: Range<u32>,
    /// Numbers of all pieces and of all pawns at the last position. If they are unchanged at the
    /// next position of a line, so is the material.
    counts: (u32, u32),
    /// Whether the material at the last position passes the screen.
    is_admitted: bool,
    /// If it does not pass, the number of moves before which it cannot.
    n_skipped: usize,
    /// The pawns tested last, and whether they pass the screen.
    pawns: Option<(Pawns, bool)>,
}

impl<'s> Scan<'s> {
    /// Starts a walk over the positions that pass the screen.
    pub(crate) fn new(screen: &'s PositionScreen) -> Scan<'s> {
        Scan {
            screen,
            candidates: None,
            plies: plies_of(screen),
            asks_for_ends: (screen.tests.iter()).any(|test| matches!(test, Test::MayBeOver)),
            counts: (u32::MAX, u32::MAX),
            is_admitted: false,
            n_skipped: 1,
            pawns: None,
        }
    }

    /// Restricts the walk to positions of a line whose bits are set.
    pub(crate) fn among(self, candidates: Option<&'s [u64]>) -> Scan<'s> {
        Scan { candidates, ..self }
    }

    /// Returns the first position from `from` up to `end` where the filter may match. Start the
    /// next search after that position.
    #[inline]
    pub(crate) fn next(&mut self, positions: &Positions<'_>, from: u32, end: u32) -> Option<u32> {
        let screen = self.screen;
        let may_match = |id: &u32| {
            let position = positions.position(*id);
            admits_material(screen, &position.board)
                && passes_tests(screen, positions, *id, position)
                && admits_pawns(screen, Pawns::of(&position.board))
        };
        if let Some(candidates) = self.candidates {
            return set_bits(candidates, from).take_while(|id| *id < end).find(may_match);
        }
        let Some(line) = positions.line() else {
            return (from..end).find(may_match);
        };
        let (from, end) = (from.max(self.plies.start), end.min(self.plies.end));
        let rest = line.get(from as usize..end as usize)?;
        if self.asks_for_ends {
            return self.next_end(positions, from, end);
        }
        // Plain loops: a search with a closure would call it for every position.
        if screen.material.is_empty() && screen.pawns.is_empty() {
            // Nothing is cached from one position to the next.
            for (id, position) in (from..).zip(rest) {
                if passes_tests(screen, positions, id, position) {
                    return Some(id);
                }
            }
        } else {
            let of_chess = positions.rules().are_of_chess();
            let mut at = 0;
            while let Some(position) = rest.get(at) {
                let id = from + at as u32;
                let is_admitted = self.admits_material(&position.board);
                if is_admitted
                    && passes_tests(screen, positions, id, position)
                    && self.admits_pawns(&position.board)
                {
                    return Some(id);
                }
                // A move of chess captures one piece at most.
                at += if is_admitted || !of_chess { 1 } else { self.n_skipped };
            }
        }
        None
    }

    /// Does the same as [`Scan::next`] on a line where the move played from a position is enough
    /// to rule out nearly all positions.
    // Not inlined, so that the other loops are.
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

    /// Whether the numbers of pieces pass the screen.
    #[inline]
    fn admits_material(&mut self, board: &Board) -> bool {
        if self.screen.material.is_empty() {
            return true;
        }
        let counts = (board.occupied().len(), board.role(Role::Pawn).len());
        if counts != self.counts {
            self.counts = counts;
            self.is_admitted = admits_material(self.screen, board);
            let (kinds, most) = self.screen.most.unwrap_or_default();
            let surplus = squares_of_kinds(board, kinds).len().saturating_sub(most);
            self.n_skipped = surplus.max(1) as usize;
        }
        self.is_admitted
    }

    /// Whether the pawns pass the screen. Their structure costs some time, but mostly stays the
    /// same for several positions.
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

/// Returns the positions of a line whose numbers of moves pass the screen, and perhaps some around
/// them.
fn plies_of(screen: &PositionScreen) -> Range<u32> {
    let mut plies = 0..u32::MAX;
    for test in &screen.tests {
        let &Test::Time(counter, relation, n) = test else {
            continue;
        };
        let (least, most) = match relation {
            Relation::Less => (0, n.saturating_sub(1)),
            Relation::LessEqual => (0, n),
            Relation::Greater => (n.saturating_add(1), i32::MAX),
            Relation::GreaterEqual => (n, i32::MAX),
            Relation::Equal => (n, n),
            _ => continue,
        };
        // The move with a number is one of two or three, whichever side began.
        let first_with = |n: i32| match counter {
            MoveCounter::Ply => n,
            MoveCounter::MoveNumber => n.saturating_mul(2).saturating_sub(3),
        };
        let number = |n: i32| u32::try_from(n.max(0)).unwrap_or(u32::MAX);
        plies.start = plies.start.max(number(first_with(least)));
        let after = match counter {
            MoveCounter::Ply => most.saturating_add(1),
            MoveCounter::MoveNumber => most.saturating_mul(2),
        };
        plies.end = plies.end.min(number(after));
    }
    plies
}

/// Iterates over the numbers of the bits that are set, from a number on.
fn set_bits(words: &[u64], from: u32) -> impl Iterator<Item = u32> {
    let first = from / 64;
    let rest = words.iter().zip(0_u32..).skip(first as usize);
    rest.flat_map(move |(&word, number)| {
        let mut word = if number == first { word & u64::MAX << (from % 64) } else { word };
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros();
            word &= word.wrapping_sub(1);
            (bit < 64).then_some(64 * number + bit)
        })
    })
}

#[inline]
fn passes_tests(
    screen: &PositionScreen,
    positions: &Positions<'_>,
    id: u32,
    position: &Position,
) -> bool {
    let board = &position.board;
    screen.tests.iter().all(|test| match test {
        Test::Turn(color) => position.turn == *color,
        Test::Piece(piece, squares) => board.pieces(piece.color, piece.role).intersects(*squares),
        Test::MayBeOver => may_be_over(positions, id),
        // The other tests need more instructions, which would keep this function from being
        // inlined.
        test => rarely_holds(test, positions, id, position),
    })
}

fn admits_material(screen: &PositionScreen, board: &Board) -> bool {
    screen.material.iter().all(|sum| sum_holds(sum, board))
}

fn admits_pawns(screen: &PositionScreen, pawns: Pawns) -> bool {
    let mut conditions = screen.pawns.iter();
    conditions.all(|condition| pawns::condition_holds(condition, pawns))
}

#[inline(never)]
fn rarely_holds(test: &Test, positions: &Positions<'_>, id: u32, position: &Position) -> bool {
    let passes = |test: &Test| rarely_holds(test, positions, id, position);
    match test {
        Test::Initial => id == 0,
        Test::Time(MoveCounter::Ply, relation, n) => {
            holds(*relation, &(positions.ply(id) as i32), n)
        }
        Test::Time(MoveCounter::MoveNumber, relation, n) => {
            holds(*relation, &positions.move_number(id), n)
        }
        Test::MayBeOver => may_be_over(positions, id),
        Test::Move(test) => move_holds(test, positions, id, &position.board),
        Test::Later(n_moves, tests) => {
            let Some(line) = positions.line() else {
                return true;
            };
            let later = id + n_moves;
            line.get(later as usize).is_some_and(|position| {
                tests.iter().all(|test| rarely_holds(test, positions, later, position))
            })
        }
        Test::Link(link) => is_linked(link, positions, id),
        Test::Promotion(roles) => promotion_follows(positions, id, *roles),
        Test::Any(alternatives) => alternatives.iter().any(|tests| tests.iter().all(passes)),
        Test::Not(tests) => !tests.iter().all(passes),
        Test::Check => positions.is_check(id, position),
        Test::FewMoves(n) => {
            let has_more = positions.rules().are_of_chess() && position.has_free_moves(n + 1);
            !has_more || position.is_check()
        }
        test => holds_on_board(test, position),
    }
}

/// Whether an imagined position passes. It is not the first one of a game, and no move follows it.
#[inline]
pub(super) fn admits_unplayed(screen: &PositionScreen, position: &Position) -> bool {
    let board = &position.board;
    let mut tests = screen.tests.iter();
    (screen.material.is_empty() || admits_material(screen, board))
        && tests.all(|test| holds_unplayed(test, position))
        && (screen.pawns.is_empty() || admits_pawns(screen, Pawns::of(board)))
}

fn holds_unplayed(test: &Test, position: &Position) -> bool {
    match test {
        Test::MayBeOver | Test::FewMoves(_) => true,
        Test::Any(alternatives) => {
            alternatives.iter().any(|tests| tests.iter().all(|test| holds_unplayed(test, position)))
        }
        Test::Not(tests) => !tests.iter().all(|test| holds_unplayed(test, position)),
        test => holds_on_board(test, position),
    }
}

/// Whether a test holds that needs only the board and the side to move. Other tests do not hold.
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
        Test::Check => position.is_check(),
        Test::Never
        | Test::Initial
        | Test::Time(..)
        | Test::MayBeOver
        | Test::FewMoves(_)
        | Test::Move(_)
        | Test::Promotion(_)
        | Test::Later(..)
        | Test::Link(_)
        | Test::Any(_)
        | Test::Not(_) => false,
    }
}

/// Whether a later move goes on from an earlier one as required.
fn is_linked(link: &MoveLink, positions: &Positions<'_>, id: u32) -> bool {
    if positions.line().is_none() {
        return true;
    }
    let move_after = |n: u32| {
        let child = id + n + 1;
        if child < positions.len() { positions.mv(child) } else { None }
    };
    let Some(later) = move_after(link.later) else {
        return false;
    };
    // These move several pieces, or none on the board.
    let is_special =
        |mv: Move| mv.is_castle() || mv.is_en_passant() || mv.is_null() || mv.is_drop();
    let fits = |square, end: Option<(u32, MoveEnd)>| {
        end.is_none_or(|(n, end)| {
            move_after(n).is_none_or(|earlier| {
                let other = if end == MoveEnd::From { earlier.from() } else { earlier.to() };
                is_special(earlier) || other == square
            })
        })
    };
    is_special(later) || fits(later.from(), link.from) && fits(later.to(), link.to)
}

/// Whether a promotion to one of the roles follows later.
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

/// Whether this played move proves that there is a legal move. Castling does not, since games
/// contain illegal castling.
fn proves_a_move(mv: Move) -> bool {
    !mv.is_null() && !mv.is_castle()
}

#[inline]
fn move_holds(test: &MoveTest, positions: &Positions<'_>, id: u32, board: &Board) -> bool {
    positions.goes_on_by(id, |mv| {
        // Most moves are of another piece. Castling moves two pieces, a null move none, and a drop
        // one that is not on the board yet.
        let moved = Piece { color: positions.position(id).turn, role: mv.role() };
        let is_special = mv.is_castle() || mv.is_null() || mv.is_drop();
        (test.left.kinds & kind(moved) != 0 || is_special) && {
            let operands = (stand_on(test.left, board), stand_on(test.right, board));
            is_admissible(mv, board, test.capture, operands)
        }
    })
}

/// Whether the sum is in its relation to its bound.
pub(super) fn sum_holds<B: Placement>(sum: &Sum, board: &B) -> <B::Set as Squares>::Answer {
    if let Some((men, n)) = sum.least() {
        // Several sets lose a square together faster than their squares are counted.
        let all = stand_on(men, board);
        let without_one =
            |set: B::Set| set.zip(set, |set, _| SquareSet(set.0 & set.0.wrapping_sub(1)));
        return (1..n).fold(all, |set, _| without_one(set)).has_some();
    }
    if let Some(men) = sum.none() {
        // A test for emptiness is faster than a count.
        let found = stand_on(men, board);
        let inverse = |set: SquareSet, _| {
            if set.is_empty() { SquareSet::ALL } else { SquareSet::EMPTY }
        };
        return found.zip(found, inverse).has_some();
    }
    let none = B::Set::number(0);
    let terms = sum.terms.iter();
    let total = terms.fold(none, |total, (men, weight)| {
        let count = stand_on(*men, board).count();
        B::Set::combine(total, count, |total, count| total + count * weight)
    });
    B::Set::compare(total, none, |total, _| holds(sum.relation, &total, &sum.bound))
}

/// Returns the squares of the pieces.
#[inline]
pub(super) fn stand_on<B: Placement>(men: PieceMask, board: &B) -> B::Set {
    let kinds = men.kinds;
    let squares = B::Set::of(men.squares);
    if kinds.is_power_of_two() && kinds < 1 << 12 {
        board.pieces_of(Piece::ALL[kinds.trailing_zeros() as usize]) & squares
    } else {
        squares_of_kinds(board, kinds) & squares
    }
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::plies_of;
    use crate::{CompileOptions, Source, compile};

    #[test]
    fn times_bound_the_positions_of_a_line() {
        let check = |query: &str, expected: Range<u32>| {
            let source = Source { name: "test.cql", text: query.as_bytes() };
            let compiled = compile(&source, &[], &CompileOptions::default());
            let program = compiled.program.expect("a correct query");
            assert_eq!(plies_of(&program.screen), expected, "{query}");
        };
        check("cql() movenumber <= 10 check", 0..20);
        check("cql() ply >= 20 wtm ply < 25", 20..25);
        check("cql() movenumber == 3", 3..6);
        check("cql() 4 < ply", 0..u32::MAX);
        check("cql() ply > 4", 5..i32::MAX as u32);
        check("cql() check or ply > 4", 0..u32::MAX);
    }
}
