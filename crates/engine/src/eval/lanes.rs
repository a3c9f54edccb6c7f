//! Tests positions of eight games side by side with the screen of a query.
//!
//! An archive has the moves of many games. If the screen of a query is about the board alone, the
//! games are replayed in lanes, and each test is made on eight positions at once. Games in which no
//! position passes the screen are not evaluated, since the query does nothing there. If the query
//! matches at every position that passes, the number of matching positions is known, too.

use board::{LaneBoards, LaneSet, Placement, Squares};
use compiler::facts::squares_of_kinds;
use compiler::program::Program;
use compiler::program::plan::Test;
use pgn::CodedLine;

use super::boards;
use super::screen::sum_holds;
use crate::pawns::{self, Pawns};

/// The part of a position screen that needs only the board and the side to move.
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
        let screen = &program.screen;
        let mut is_exact = screen.is_exact;
        let material = screen.material.iter().map(|sum| Test::Sum(Box::new(sum.clone())));
        let pawns = screen.pawns.iter().map(|pawns| Test::Pawns(Box::new(pawns.clone())));
        let tests = screen.tests.iter().cloned().chain(material).chain(pawns);
        let mut tests: Vec<Test> = tests.filter_map(|test| on_board(test, &mut is_exact)).collect();
        tests.sort_by_key(Test::cost);
        let says_something =
            |test: &Test| !matches!(test, Test::Never | Test::Initial | Test::Turn(_));
        tests.iter().any(says_something).then_some(LaneScreen { tests, is_exact })
    }

    /// Whether the query matches at every position that passes, without effects.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the number of positions that pass in each game; if `is_one_enough`, that is 0 or 1.
    // Not generic, so that it is compiled with the optimization of this crate.
    pub fn count(&self, games: &[CodedLine<'_>], is_one_enough: bool) -> Vec<u32> {
        let mut counts = vec![0; games.len()];
        let test = |boards: &LaneBoards, playing, starting| {
            all_hold(&self.tests, boards, playing, starting)
        };
        let end = |game: usize, n| counts[game] = n;
        pgn::replay_side_by_side(games.iter().copied(), is_one_enough, test, end);
        counts
    }
}

/// Returns those parts of a test that need only the board and the side to move. Clears `is_exact` if
/// that is not all of it.
fn on_board(test: Test, is_exact: &mut bool) -> Option<Test> {
    match test {
        Test::MayBeOver | Test::Move(_) | Test::Promotion(_) => {
            *is_exact = false;
            None
        }
        Test::Any(alternatives) => {
            let all = alternatives.into_iter().map(|tests| {
                let tests = tests.into_iter().filter_map(|test| on_board(test, is_exact));
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

/// Returns those among some lanes in which all tests hold.
fn all_hold(tests: &[Test], boards: &LaneBoards, lanes: u8, starting: u8) -> u8 {
    let mut left = lanes;
    for test in tests {
        left &= holds(test, boards, left, starting);
        if left == 0 {
            break;
        }
    }
    left
}

/// Returns the lanes in which a test holds. Only the bits of `lanes` have a meaning.
#[inline]
fn holds(test: &Test, boards: &LaneBoards, lanes: u8, starting: u8) -> u8 {
    match test {
        Test::Turn(color) => boards.to_move(*color).lanes(),
        Test::Piece(piece, squares) => (boards.pieces_of(*piece) & LaneSet::of(*squares)).lanes(),
        Test::Kinds(kinds, squares) => {
            (squares_of_kinds(boards, *kinds) & LaneSet::of(*squares)).lanes()
        }
        Test::Sum(sum) => sum_holds(sum, boards),
        Test::Board(condition) => boards::condition_holds(condition, boards),
        Test::Pawns(condition) => pawns::condition_holds(condition, Pawns::of(boards)),
        Test::Check => boards.kings_in_check().lanes(),
        Test::Not(tests) => !all_hold(tests, boards, lanes, starting),
        Test::Initial => starting,
        Test::Patterns(patterns) => {
            let matches =
                |&lane: &usize| lanes >> lane & 1 != 0 && patterns.matches(&boards.board(lane));
            (0..board::LANES).filter(matches).fold(0, |all, lane| all | 1 << lane)
        }
        Test::Any(alternatives) => {
            let mut found = 0;
            for tests in alternatives {
                found |= all_hold(tests, boards, lanes & !found, starting);
            }
            found
        }
        // No position passes the first. A screen in lanes does not have the others.
        Test::Never | Test::MayBeOver | Test::Move(_) | Test::Promotion(_) => 0,
    }
}
