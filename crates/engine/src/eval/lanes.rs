//! Tests positions of eight games side by side with the screen of a query.
//!
//! An archive has the moves of many games. If the screen of a query is about the board and the moves
//! before and after, the games are replayed in lanes, and each test is made on eight positions at
//! once. The query does nothing at the other positions, and is not evaluated there. If it matches at
//! every position that passes, their number is that of the matching positions.

use std::ops::Range;

use board::{LaneEnds, LanePositions, LaneSet, Placement, SquareSet, Squares};
use compiler::facts::squares_of_kinds;
use compiler::program::Program;
use compiler::program::plan::{BoardCondition, BoardSet, MoveCounter, Test};
use pgn::CodedLine;

use super::boards;
use super::screen::{stand_on, sum_holds};
use crate::pawns::{self, Pawns};

/// The part of a position screen that needs only the board, the side to move, and the moves before
/// and after.
#[derive(Debug, Clone)]
pub struct LaneScreen {
    /// All of them must hold.
    tests: Vec<Test>,
    is_exact: bool,
}

impl LaneScreen {
    /// Returns the screen of a program, unless it is of no use: it has no such tests, or the query
    /// also selects games without a match.
    pub fn of(program: &Program) -> Option<LaneScreen> {
        if program.needs_every_game().is_some() {
            return None;
        }
        let screen = &program.wide_screen;
        let mut is_exact = screen.is_exact;
        let material = screen.material.iter().map(|sum| Test::Sum(Box::new(sum.clone())));
        let pawns = screen.pawns.iter().map(|pawns| Test::Pawns(Box::new(pawns.clone())));
        let tests = screen.tests.iter().cloned().chain(material).chain(pawns);
        let mut tests: Vec<Test> = tests.filter_map(|test| visible(test, &mut is_exact)).collect();
        tests = tests.iter().filter(|test| !is_implied(test, &tests)).cloned().collect();
        tests.sort_by_cached_key(Test::cost);
        let says_something = |test: &Test| {
            !matches!(test, Test::Never | Test::Initial | Test::Turn(_) | Test::MayBeOver)
        };
        tests.iter().any(says_something).then_some(LaneScreen { tests, is_exact })
    }

    /// Whether the query matches at every position that passes, without effects.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the number of positions that pass in each game.
    // Not generic, so that it is compiled with the optimization of this crate.
    pub fn count(&self, games: &[CodedLine<'_>]) -> Vec<u32> {
        let mut counts = vec![0; games.len()];
        self.replay(games, |game, _| counts[game] += 1);
        counts
    }

    /// Finds the positions that pass in each game. Returns their place among `positions`, to which
    /// they are added: a bit for each position of the game.
    pub fn find(&self, games: &[CodedLine<'_>], positions: &mut Vec<u64>) -> Vec<Range<usize>> {
        let mut end = positions.len();
        let places = games.iter().map(|game| {
            let start = end;
            end += game.codes.len() / 64 + 1;
            start..end
        });
        let places: Vec<Range<usize>> = places.collect();
        positions.resize(end, 0);
        self.replay(games, |game, ply| positions[places[game].start + ply / 64] |= 1 << (ply % 64));
        places
    }

    fn replay(&self, games: &[CodedLine<'_>], found: impl FnMut(usize, usize)) {
        let test = |at: &LanePositions| all_hold(&self.tests, at, at.playing);
        pgn::replay_side_by_side(games.iter().copied(), test, found);
    }
}

/// Returns those parts of a test that the board and the moves before and after it show. Clears
/// `is_exact` if that is not all of it.
fn visible(test: Test, is_exact: &mut bool) -> Option<Test> {
    match test {
        Test::Promotion(_) | Test::Later(..) | Test::Link(_) | Test::FewMoves(_) => {
            *is_exact = false;
            None
        }
        // Of some moves the ends are not known.
        Test::MayBeOver | Test::Move(_) => {
            *is_exact = false;
            Some(test)
        }
        Test::Any(alternatives) => {
            let all = alternatives.into_iter().map(|tests| {
                let tests = tests.into_iter().filter_map(|test| visible(test, is_exact));
                let tests: Box<[Test]> = tests.collect();
                (!tests.is_empty()).then_some(tests)
            });
            let all: Option<Box<[Box<[Test]>]>> = all.collect();
            *is_exact &= all.is_some();
            all.map(Test::Any)
        }
        // The tests inside are exact, so none of those above is among them.
        test => Some(test),
    }
}

/// Whether one of the tests begins with this one: it asks for squares among those of certain pieces.
/// Such pieces are then looked for only once, and are seldom missing in all lanes.
fn is_implied(test: &Test, tests: &[Test]) -> bool {
    tests.iter().any(|other| {
        let Test::Board(condition) = other else {
            return false;
        };
        let BoardCondition::NotEmpty(BoardSet::Chosen(domain, _)) = &**condition else {
            return false;
        };
        match (test, &**domain) {
            (Test::Piece(piece, on), BoardSet::Piece(same, among)) => (piece, on) == (same, among),
            (Test::Kinds(kinds, on), BoardSet::Kinds(same, among)) => (kinds, on) == (same, among),
            _ => false,
        }
    })
}

/// Returns those among some lanes in which all tests hold.
fn all_hold(tests: &[Test], at: &LanePositions, lanes: u8) -> u8 {
    let mut left = lanes;
    for test in tests {
        left &= holds(test, at, left);
        if left == 0 {
            break;
        }
    }
    left
}

/// Returns the lanes in which a test holds. Only the bits of `lanes` have a meaning.
// Not inlined: the compiler would compute parts of all kinds of tests before the loop over those
// that there are.
#[inline(never)]
fn holds(test: &Test, at: &LanePositions, lanes: u8) -> u8 {
    match test {
        Test::Turn(color) => at.boards.to_move(*color).lanes(),
        Test::Piece(piece, squares) => (at.pieces_of(*piece) & LaneSet::of(*squares)).lanes(),
        Test::Kinds(kinds, squares) => {
            (squares_of_kinds(at, *kinds) & LaneSet::of(*squares)).lanes()
        }
        Test::Sum(sum) => sum_holds(sum, at),
        Test::Board(condition) => boards::condition_holds(condition, at),
        Test::Pawns(condition) => pawns::condition_holds(condition, Pawns::of(at)),
        Test::Check => at.boards.kings_in_check().lanes(),
        Test::Not(tests) => !all_hold(tests, at, lanes),
        Test::Initial => at.starting,
        Test::Time(counter, relation, n) => {
            let numbers = match counter {
                MoveCounter::Ply => at.plies,
                MoveCounter::MoveNumber => at.move_numbers(),
            };
            LaneSet::compare(numbers, LaneSet::number(*n), |number, n| {
                compiler::facts::holds(*relation, &number, &n)
            })
        }
        Test::Patterns(patterns) => {
            let matches =
                |&lane: &usize| lanes >> lane & 1 != 0 && patterns.matches(&at.boards.board(lane));
            (0..board::LANES).filter(matches).fold(0, |all, lane| all | 1 << lane)
        }
        Test::Any(alternatives) => {
            let mut found = 0;
            for tests in alternatives {
                found |= all_hold(tests, at, lanes & !found);
            }
            found
        }
        Test::Move(test) => {
            let LaneEnds { from, to } = at.next.ends();
            let from = (stand_on(test.left, at) & from).lanes();
            from & (stand_on(test.right, at) & to).lanes()
        }
        // No move follows, or one that does not prove that there is a move.
        Test::MayBeOver => {
            let to = at.next.ends().to;
            at.starting | !to.lanes() | !(LaneSet::of(SquareSet::ALL) - to).lanes()
        }
        // No position passes the first. A screen in lanes does not have the others.
        Test::Never | Test::Promotion(_) | Test::Later(..) | Test::Link(_) | Test::FewMoves(_) => 0,
    }
}
