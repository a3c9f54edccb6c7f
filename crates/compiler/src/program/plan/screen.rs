//! Position screens: conditions that are tested on the board by a few instructions, before a filter
//! is evaluated. The evaluator decides how to test them.

use board::{Color, Piece, Role, SquareSet};
use syntax::tree::{Relation, VariableId};

use super::MoveEnd;
use super::board::BoardCondition;
use super::patterns::Patterns;
use super::pawns::PawnCondition;
use crate::facts::{ANYTHING, PAWNS, kind, pieces_of};

/// Conditions without which a filter does not match.
#[derive(Debug, Clone, Default)]
pub struct PositionScreen {
    /// Conditions on single positions, cheap and rare ones first.
    pub tests: Box<[Test]>,
    /// Conditions on the numbers of pieces of each type, on any squares.
    pub material: Box<[Sum]>,
    /// Types of pieces, and how many of these there may be at most.
    pub most: Option<(u16, u32)>,
    /// Conditions on the pawns alone.
    pub pawns: Box<[PawnCondition]>,
    /// Whether the filter matches wherever these conditions hold.
    pub is_exact: bool,
}

/// Method by which a forward `find` looks for positions.
#[derive(Debug)]
pub struct FindPlan {
    /// The screen of the body.
    pub screen: PositionScreen,
    /// Whether the result from one position of a line holds for those on the way as well.
    pub remembers: bool,
    /// Variables that must have the same values for that.
    pub variables: Box<[VariableId]>,
}

/// A test of a position.
#[derive(Debug, Clone)]
pub enum Test {
    /// No position passes.
    Never,
    /// The position is the start of the game.
    Initial,
    /// The side to move.
    Turn(Color),
    /// The number of moves before, or of the next move, is in a relation to a number.
    Time(MoveCounter, Relation, i32),
    /// A piece of this color and role is on one of the squares.
    Piece(Piece, SquareSet),
    /// A piece of one of the types is on one of the squares; an empty square is a type, too.
    Kinds(u16, SquareSet),
    /// A sum of numbers of pieces is in a relation to a number.
    Sum(Box<Sum>),
    /// No move except a null move or castling follows in the game, so the game may be over.
    MayBeOver,
    /// The side to move is in check, or it has at most so many legal moves as far as that is seen at
    /// a glance.
    FewMoves(u32),
    /// A move of this kind follows in the game.
    Move(Box<MoveTest>),
    /// An image of a pattern matches.
    Patterns(Box<Patterns>),
    /// A condition on the pawns.
    Pawns(Box<PawnCondition>),
    /// A condition on who attacks what.
    Board(Box<BoardCondition>),
    /// The side to move is in check.
    Check,
    /// A promotion to one of the roles follows in the game.
    Promotion(u8),
    /// A later move goes from or to a square of an earlier one. Of positions with variations nothing
    /// is said.
    Link(Box<MoveLink>),
    /// So many moves later, all of the tests pass. Of positions with variations nothing is said.
    Later(u32, Box<[Test]>),
    /// All tests of one of the lists pass.
    Any(Box<[Box<[Test]>]>),
    /// Not all of the tests pass, which say exactly what they stand for.
    Not(Box<[Test]>),
}

/// A way to count the moves before a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MoveCounter {
    /// All moves of both sides.
    Ply,
    /// As moves are numbered: from 1 on, with a move of each side.
    MoveNumber,
}

/// A weighted sum of numbers of pieces, compared with a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Sum {
    /// Pieces, and the weight of each of them.
    pub terms: Vec<(PieceMask, i32)>,
    /// Relation of the sum …
    pub relation: Relation,
    /// … to this number.
    pub bound: i32,
}

/// Pieces of some types on some squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceMask {
    /// Mask of piece types, as in [`super::super::SetFilter::Pieces`].
    pub kinds: u16,
    /// Squares of the pieces.
    pub squares: SquareSet,
}

/// A dash that must admit the move that follows.
#[derive(Debug, Clone)]
pub struct MoveTest {
    /// Whether it is a capture of `right`, else a move to its squares.
    pub capture: bool,
    /// Pieces that may move.
    pub left: PieceMask,
    /// Pieces that are captured, or destinations.
    pub right: PieceMask,
}

/// The squares that a later move has in common with earlier ones.
#[derive(Debug, Clone)]
pub struct MoveLink {
    /// Number of moves between the position and the later move.
    pub later: u32,
    /// The square where it starts, as an end of the move after this number of
    /// others.
    pub from: Option<(u32, MoveEnd)>,
    /// The square where it ends.
    pub to: Option<(u32, MoveEnd)>,
}

impl PositionScreen {
    /// Whether the conditions say all of the filter even in a screen of several filters that is not
    /// exact, which leaves [`Test::Not`] out.
    pub fn is_exact_in_a_list(&self) -> bool {
        self.is_exact && !self.tests.iter().any(|test| matches!(test, Test::Not(_)))
    }

    /// Makes the screen of conditions that must all hold: drops redundant ones, and puts the others
    /// in the order in which they are tested.
    pub fn of(mut tests: Vec<Test>, is_exact: bool) -> PositionScreen {
        // These seldom fail, and would be tested a second time.
        tests.retain(|test| is_exact || !matches!(test, Test::Not(_)));
        let pieces: Vec<(Piece, SquareSet)> = tests
            .iter()
            .filter_map(|test| match test {
                Test::Piece(piece, squares) => Some((*piece, *squares)),
                _ => None,
            })
            .collect();
        // Conditions that another one implies add nothing.
        let mut seen = Vec::new();
        tests.retain(|test| match test {
            Test::Kinds(kinds, squares) => !pieces
                .iter()
                .any(|(piece, narrower)| kinds & kind(*piece) != 0 && narrower.is_subset(*squares)),
            Test::Piece(piece, squares) => {
                let is_new = !seen.contains(&(*piece, *squares));
                seen.push((*piece, *squares));
                is_new
            }
            _ => true,
        });
        for test in &mut tests {
            if let Test::Kinds(kinds, squares) = *test
                && let sum = Sum::is_there(PieceMask { kinds, squares })
                && sum.is_of_material()
            {
                *test = Test::Sum(Box::new(sum));
            }
        }
        tests.sort_by_cached_key(Test::cost);
        let material =
            tests.extract_if(.., |test| matches!(test, Test::Sum(sum) if sum.is_of_material()));
        let material = material.filter_map(|test| match test {
            Test::Sum(sum) => Some(*sum),
            _ => None,
        });
        let material: Box<[Sum]> = material.collect();
        let pawns = tests.extract_if(.., |test| matches!(test, Test::Pawns(_)));
        let pawns = pawns.filter_map(|test| match test {
            Test::Pawns(condition) => Some(*condition),
            _ => None,
        });
        let (pawns, most) = (pawns.collect(), most_pieces(&material));
        PositionScreen { material, most, pawns, tests: tests.into(), is_exact }
    }
}

/// Returns the types of pieces of which the material leaves fewer than a game begins with, and their
/// greatest number. Pawns are left out, since they also become other pieces.
fn most_pieces(material: &[Sum]) -> Option<(u16, u32)> {
    let bounds = material.iter().filter_map(|sum| {
        let most = match sum.relation {
            Relation::Equal | Relation::LessEqual => sum.bound,
            Relation::Less => sum.bound - 1,
            _ => return None,
        };
        let kinds = sum.terms.iter().fold(0, |all, (men, _)| all | men.kinds);
        let at_start: i32 = pieces_of(kinds).map(|piece| [8, 2, 2, 2, 1, 1][piece % 6]).sum();
        let counts = sum.terms.iter().all(|(_, weight)| *weight > 0) && kinds & PAWNS == 0;
        (counts && most < at_start).then_some((kinds, most.max(0) as u32))
    });
    bounds.reduce(|(kinds, most), (others, other)| (kinds | others, most + other))
}

impl Test {
    /// The least cost of a test that looks at more than the squares of pieces and the move played.
    pub(crate) const DEAR: u32 = 62;

    /// Cost of the test; cheap tests, and those that seldom pass, come first.
    pub fn cost(&self) -> u32 {
        match self {
            Test::Never => 0,
            Test::Initial => 1,
            Test::Piece(piece, squares) => {
                2 + match piece.role {
                    Role::Queen => 0,
                    Role::King if squares.len() < 8 => 1,
                    Role::Rook | Role::Bishop | Role::Knight => 2,
                    Role::Pawn => 3,
                    Role::King => 9,
                } + squares.len() / 8
            }
            Test::Turn(_) => 12,
            Test::Time(..) => 13,
            Test::Sum(sum) => 14 + sum.terms.len() as u32,
            Test::Kinds(..) => 30,
            Test::MayBeOver => 40,
            Test::Move(_) => 50,
            Test::Later(..) => 51,
            Test::Link(_) => 52,
            Test::Patterns(_) => 60,
            Test::Check => Test::DEAR,
            Test::FewMoves(_) => 64,
            Test::Board(_) => 65,
            Test::Pawns(_) => 70,
            Test::Promotion(_) => 80,
            Test::Any(alternatives) => {
                let last = alternatives.iter().filter_map(|tests| tests.last());
                let dearest = last.map(Test::cost).filter(|cost| *cost >= Test::DEAR).max();
                dearest.unwrap_or(50) + alternatives.len() as u32
            }
            Test::Not(tests) => 1 + tests.last().map_or(0, Test::cost),
        }
    }
}

impl Sum {
    /// The condition that there are such pieces.
    pub fn is_there(men: PieceMask) -> Sum {
        Sum { terms: vec![(men, 1)], relation: Relation::Greater, bound: 0 }
    }

    /// Returns the pieces and the number from 1 to 4 of them that must be there, if that is all that
    /// the sum says.
    #[inline]
    pub fn least(&self) -> Option<(PieceMask, i32)> {
        let [(men, 1)] = self.terms[..] else {
            return None;
        };
        let n = match self.relation {
            Relation::Greater => self.bound.checked_add(1)?,
            Relation::GreaterEqual => self.bound,
            _ => return None,
        };
        (1..=4).contains(&n).then_some((men, n))
    }

    /// Returns the pieces of which none must be there, if that is all that the sum says.
    #[inline]
    pub fn none(&self) -> Option<PieceMask> {
        let [(men, 1)] = self.terms[..] else {
            return None;
        };
        let is_none = match self.relation {
            Relation::Equal | Relation::LessEqual => self.bound == 0,
            Relation::Less => self.bound == 1,
            _ => false,
        };
        is_none.then_some(men)
    }

    /// Whether the sum depends on nothing but the number of pieces of each type.
    fn is_of_material(&self) -> bool {
        let mut men = self.terms.iter().map(|(men, _)| men);
        men.all(|men| men.squares == SquareSet::ALL && men.kinds >> 12 == 0)
    }
}

impl PieceMask {
    /// All squares, whatever they hold.
    pub const ANYTHING: PieceMask = PieceMask { kinds: ANYTHING, squares: SquareSet::ALL };

    /// Whether these are all squares, whatever they hold.
    pub fn is_anything(self) -> bool {
        self == PieceMask::ANYTHING
    }

    /// The pieces that are in both.
    pub fn and(self, other: PieceMask) -> PieceMask {
        PieceMask { kinds: self.kinds & other.kinds, squares: self.squares & other.squares }
    }

    /// The pieces of one role, of both colors.
    pub fn of_role(self, role: Role) -> PieceMask {
        PieceMask { kinds: self.kinds & (1 << role as u16 | 1 << (6 + role as u16)), ..self }
    }
}
