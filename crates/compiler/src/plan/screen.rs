//! Describes the conditions of a position screen in words, for the plan of a query.

use board::Color;
use syntax::designator::{Designator, PieceSet};
use syntax::explain::designator;
use syntax::tree::Relation;

use crate::facts::kind;
use crate::program::plan::{MoveCounter, MoveTest, PieceMask, PositionScreen, Sum, Test};

impl PositionScreen {
    /// The conditions that hold at a position which passes the screen, a clause for each.
    pub fn words(&self) -> Vec<String> {
        let material = self.material.iter().map(of_sum);
        let pawns = self.pawns.iter().map(|_| PAWNS.to_owned());
        once(material.chain(self.tests.iter().map(of_test)).chain(pawns))
    }
}

/// Description of a condition on pawns alone.
const PAWNS: &str = "the pawns stand as is asked for, which is tested once for positions with the \
                     same pawns";

fn of_test(test: &Test) -> String {
    match test {
        Test::Never => "nothing: no position can match".to_owned(),
        Test::Initial => "it is the first position of the game".to_owned(),
        Test::Turn(Color::White) => "White is to move".to_owned(),
        Test::Turn(Color::Black) => "Black is to move".to_owned(),
        Test::Time(MoveCounter::Ply, relation, n) => {
            format!("the number of moves (of either side) up to here {} {n}", sign(*relation))
        }
        Test::Time(MoveCounter::MoveNumber, relation, n) => {
            format!("the number of the move {} {n}", sign(*relation))
        }
        Test::Piece(piece, squares) => {
            let kinds = kind(*piece);
            let squares = *squares;
            format!("there are {}", PieceMask { kinds, squares }.words())
        }
        Test::Kinds(kinds, squares) => {
            let (kinds, squares) = (*kinds, *squares);
            format!("there are {}", PieceMask { kinds, squares }.words())
        }
        Test::Sum(sum) => of_sum(sum),
        Test::MayBeOver => {
            "no move follows in the game, or only castling or a null move".to_owned()
        }
        Test::Move(test) => of_move(test),
        Test::Pawns(_) => PAWNS.to_owned(),
        Test::Board(_) => "pieces attack or pin each other as the query says".to_owned(),
        Test::Check => "the side to move is in check".to_owned(),
        Test::FewMoves(n) => {
            format!("the side to move is in check, or has no more than {n} moves at first sight")
        }
        Test::Promotion(_) => "a promotion follows in the game".to_owned(),
        Test::Later(1, tests) => format!("after the next move, {}", of_all(tests)),
        Test::Later(n, tests) => format!("{n} moves later, {}", of_all(tests)),
        Test::Link(link) => format!("the move {} later goes on from an earlier one", link.later),
        Test::Any(alternatives) => {
            let words: Vec<String> = alternatives.iter().map(|tests| of_all(tests)).collect();
            format!("one of these: {}", words.join("; or "))
        }
        Test::Not(tests) => format!("not this: {}", of_all(tests)),
        Test::Patterns(patterns) => {
            format!("the pieces stand as in one of {} forms of the condition", patterns.n_images())
        }
    }
}

fn of_all(tests: &[Test]) -> String {
    once(tests.iter().map(of_test)).join(" and ")
}

/// Returns each of some clauses once: tests that differ may have the same words.
pub(super) fn once(clauses: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = Vec::new();
    for clause in clauses {
        if !seen.contains(&clause) {
            seen.push(clause);
        }
    }
    seen
}

fn of_move(test: &MoveTest) -> String {
    let what = if test.capture { "a capture" } else { "a move" };
    let by =
        if test.left.is_anything() { String::new() } else { format!(" by {}", test.left.words()) };
    let onto = match (test.right.is_anything(), test.capture) {
        (true, _) => String::new(),
        (_, true) => format!(" of {}", test.right.words()),
        (_, false) => format!(" to {}", test.right.words()),
    };
    format!("{what}{by}{onto} follows in the game")
}

/// Describes a condition on numbers of pieces in words.
pub(super) fn of_sum(sum: &Sum) -> String {
    if let [(men, _)] = sum.terms[..]
        && *sum == Sum::is_there(men)
    {
        return format!("there are {}", men.words());
    }
    let mut text = String::new();
    for (men, weight) in &sum.terms {
        let sign = match (*weight < 0, text.is_empty()) {
            (true, true) => "-",
            (true, false) => " - ",
            (false, true) => "",
            (false, false) => " + ",
        };
        text += sign;
        if weight.unsigned_abs() != 1 {
            text += &format!("{} x ", weight.unsigned_abs());
        }
        text += &format!("the number of {}", men.words());
    }
    format!("{text} {} {}", sign(sum.relation), sum.bound)
}

/// Returns the words of a relation.
pub(super) fn sign(relation: Relation) -> &'static str {
    match relation {
        Relation::Equal => "is",
        Relation::NotEqual => "is not",
        Relation::Less => "is less than",
        Relation::LessEqual => "is at most",
        Relation::Greater => "is greater than",
        Relation::GreaterEqual => "is at least",
        other => other.text(),
    }
}

impl PieceMask {
    /// The pieces and their squares, as CQL writes them.
    pub fn words(self) -> String {
        designator(Designator::new(PieceSet(self.kinds), self.squares.0))
    }
}
