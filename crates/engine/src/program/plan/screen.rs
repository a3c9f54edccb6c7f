//! What is told from the board by a few instructions, before a filter is evaluated.

use board::{Board, Color, Move, Piece, Position, Role, SquareSet};
use syntax::tree::{Relation, VariableId};

use super::patterns::Patterns;
use super::pawns::PawnCondition;
use crate::facts::{ANYTHING, holds, is_admissible, kind, squares_of_kinds};
use crate::pawns::Pawns;
use crate::positions::Positions;

/// Conditions without which a filter does not match.
#[derive(Debug, Clone, Default)]
pub(crate) struct Screen {
    pub(crate) tests: Box<[Test]>,
    /// Conditions on the numbers of men of each kind, wherever they stand.
    pub(crate) material: Box<[Sum]>,
    /// Conditions on the pawns alone.
    pub(crate) pawns: Box<[PawnCondition]>,
    /// The filter matches wherever they hold.
    pub(crate) is_exact: bool,
}

/// How a forward `find` looks for positions.
#[derive(Debug)]
pub(crate) struct Finder {
    /// Of the body.
    pub(crate) screen: Screen,
    /// What it finds from one position of a line holds for those on the way as well.
    pub(crate) remembers: bool,
    /// As long as these variables have the same values.
    pub(crate) variables: Box<[VariableId]>,
}

#[derive(Debug, Clone)]
pub(crate) enum Test {
    Never,
    /// The start of the game.
    Initial,
    Turn(Color),
    /// A piece of this color and role stands on one of the squares.
    Piece(Piece, SquareSet),
    Kinds(u16, SquareSet),
    Sum(Box<Sum>),
    /// No move but a null move or castling follows in the game: it is not known to go on.
    MayBeOver,
    Move(Box<MoveTest>),
    Patterns(Box<Patterns>),
    Pawns(Box<PawnCondition>),
    /// A promotion to one of the roles follows in the game.
    Promotion(u8),
    /// All of one of the lists hold.
    Any(Box<[Box<[Test]>]>),
}

/// A weighted sum of numbers of men, compared with a number.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Men, i32)>,
    pub(crate) relation: Relation,
    pub(crate) bound: i32,
}

/// Men of some kinds on some squares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Men {
    /// As in [`super::super::SetFilter::Pieces`].
    pub(crate) kinds: u16,
    pub(crate) squares: SquareSet,
}

/// A dash that the move that follows must be admitted by.
#[derive(Debug, Clone)]
pub(crate) struct MoveTest {
    pub(crate) capture: bool,
    pub(crate) left: Men,
    pub(crate) right: Men,
}

impl Screen {
    /// The positions where the filter may match.
    pub(crate) fn scan(&self) -> Scan<'_> {
        Scan {
            screen: self,
            counts: (u32::MAX, u32::MAX),
            is_admitted: false,
            pawns: None,
        }
    }

    #[inline]
    fn passes_tests(&self, positions: &Positions<'_>, id: u32, position: &Position) -> bool {
        let board = &position.board;
        self.tests.iter().all(|test| match test {
            Test::Turn(color) => position.turn == *color,
            Test::Piece(piece, squares) => {
                board.pieces(piece.color, piece.role).intersects(*squares)
            }
            test => test.rarely_holds(positions, id),
        })
    }

    fn admits_material(&self, board: &Board) -> bool {
        self.material.iter().all(|sum| sum.holds(board))
    }

    fn admits_pawns(&self, pawns: Pawns) -> bool {
        self.pawns.iter().all(|condition| condition.holds(pawns))
    }

    /// What remains of some conditions, all of which must hold, in the order in which they are
    /// tested.
    pub(crate) fn of(mut tests: Vec<Test>, is_exact: bool) -> Screen {
        let pieces: Vec<(Piece, SquareSet)> = tests
            .iter()
            .filter_map(|test| match test {
                Test::Piece(piece, squares) => Some((*piece, *squares)),
                _ => None,
            })
            .collect();
        // Those that another implies add nothing.
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
                && let sum = Sum::is_there(Men { kinds, squares })
                && sum.is_of_material()
            {
                *test = Test::Sum(Box::new(sum));
            }
        }
        tests.sort_by_key(Test::cost);
        let material = tests.extract_if(
            ..,
            |test| matches!(test, Test::Sum(sum) if sum.is_of_material()),
        );
        let material = material.filter_map(|test| match test {
            Test::Sum(sum) => Some(*sum),
            _ => None,
        });
        let material = material.collect();
        let pawns = tests.extract_if(.., |test| matches!(test, Test::Pawns(_)));
        let pawns = pawns.filter_map(|test| match test {
            Test::Pawns(condition) => Some(*condition),
            _ => None,
        });
        Screen {
            material,
            pawns: pawns.collect(),
            tests: tests.into(),
            is_exact,
        }
    }
}

/// A walk over consecutive positions; see [`Screen::scan`].
pub(crate) struct Scan<'s> {
    screen: &'s Screen,
    /// Numbers of all men and of all pawns at the last position. From one position of a line to
    /// the next, the material is the same where these are.
    counts: (u32, u32),
    /// What follows from the material there.
    is_admitted: bool,
    /// The pawns that were looked at last, and what follows from them.
    pawns: Option<(Pawns, bool)>,
}

impl Scan<'_> {
    /// The first position, from `from` up to `end`, where the filter may match. The next walk
    /// begins behind it.
    #[inline]
    pub(crate) fn next(&mut self, positions: &Positions<'_>, from: u32, end: u32) -> Option<u32> {
        let screen = self.screen;
        let Some(line) = positions.line() else {
            return (from..end).find(|&id| {
                let position = positions.position(id);
                screen.admits_material(&position.board)
                    && screen.passes_tests(positions, id, position)
                    && screen.admits_pawns(Pawns::of(&position.board))
            });
        };
        let rest = line.get(from as usize..end as usize)?;
        let mut positions_from = (from..).zip(rest);
        let found = if screen.material.is_empty() && screen.pawns.is_empty() {
            // Nothing is remembered from one position to the next.
            positions_from.find(|&(id, position)| screen.passes_tests(positions, id, position))
        } else {
            positions_from.find(|&(id, position)| {
                self.admits_material(&position.board)
                    && screen.passes_tests(positions, id, position)
                    && self.admits_pawns(&position.board)
            })
        };
        found.map(|(id, _)| id)
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
            self.is_admitted = self.screen.admits_material(board);
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
                let admitted = self.screen.admits_pawns(pawns);
                self.pawns = Some((pawns, admitted));
                admitted
            }
        }
    }
}

impl Test {
    #[inline(never)]
    fn rarely_holds(&self, positions: &Positions<'_>, id: u32) -> bool {
        let position = positions.position(id);
        let board = &position.board;
        match self {
            Test::Never => false,
            Test::Initial => id == 0,
            Test::Kinds(kinds, squares) => squares_of_kinds(board, *kinds).intersects(*squares),
            Test::MayBeOver => may_be_over(positions, id),
            Test::Move(test) => test.holds(positions, id, board),
            Test::Patterns(patterns) => patterns.matches(board),
            Test::Turn(color) => position.turn == *color,
            Test::Piece(piece, squares) => {
                board.pieces(piece.color, piece.role).intersects(*squares)
            }
            Test::Sum(sum) => sum.holds(board),
            Test::Pawns(condition) => condition.holds(Pawns::of(board)),
            Test::Promotion(roles) => promotion_follows(positions, id, *roles),
            Test::Any(alternatives) => alternatives
                .iter()
                .any(|tests| tests.iter().all(|test| test.rarely_holds(positions, id))),
        }
    }

    /// Cheap tests and such as seldom hold come first.
    pub(crate) fn cost(&self) -> u32 {
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
            Test::Sum(sum) => 14 + sum.terms.len() as u32,
            Test::Kinds(..) => 30,
            Test::MayBeOver => 40,
            Test::Move(_) => 50,
            Test::Patterns(_) => 60,
            Test::Pawns(_) => 70,
            Test::Promotion(_) => 80,
            Test::Any(alternatives) => 50 + alternatives.len() as u32,
        }
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
    id == 0 || !positions.goes_on_by(id, |mv| !mv.is_null() && !mv.is_castle())
}

impl MoveTest {
    #[inline]
    fn holds(&self, positions: &Positions<'_>, id: u32, board: &Board) -> bool {
        positions.goes_on_by(id, |mv| {
            // Most moves are of another man; castling is of two, a null move of none.
            let moved = Piece {
                color: positions.position(id).turn,
                role: mv.role(),
            };
            (self.left.kinds & kind(moved) != 0 || mv.is_castle() || mv.is_null()) && {
                let operands = (self.left.stand_on(board), self.right.stand_on(board));
                is_admissible(mv, board, self.capture, operands)
            }
        })
    }
}

impl Sum {
    /// That there are such men.
    pub(crate) fn is_there(men: Men) -> Sum {
        Sum {
            terms: vec![(men, 1)],
            relation: Relation::Greater,
            bound: 0,
        }
    }

    /// Whether it depends on nothing but how many men there are of each kind.
    fn is_of_material(&self) -> bool {
        let mut men = self.terms.iter().map(|(men, _)| men);
        men.all(|men| men.squares == SquareSet::ALL && men.kinds >> 12 == 0)
    }

    fn holds(&self, board: &Board) -> bool {
        let terms = self.terms.iter();
        let sum = terms
            .map(|(men, weight)| men.stand_on(board).len() as i32 * weight)
            .sum();
        holds(self.relation, &sum, &self.bound)
    }
}

impl Men {
    /// All squares, whatever they hold.
    pub(crate) const ANYTHING: Men = Men {
        kinds: ANYTHING,
        squares: SquareSet::ALL,
    };

    pub(crate) fn is_anything(self) -> bool {
        self == Men::ANYTHING
    }

    /// The men that are in both.
    pub(crate) fn and(self, other: Men) -> Men {
        Men {
            kinds: self.kinds & other.kinds,
            squares: self.squares & other.squares,
        }
    }

    #[inline]
    fn stand_on(self, board: &Board) -> SquareSet {
        let kinds = self.kinds;
        if kinds.is_power_of_two() && kinds < 1 << 12 {
            let index = kinds.trailing_zeros() as usize;
            let color = if index < 6 {
                Color::White
            } else {
                Color::Black
            };
            board.pieces(color, Role::ALL[index % 6]) & self.squares
        } else {
            squares_of_kinds(board, kinds) & self.squares
        }
    }

    pub(crate) fn of_role(self, role: Role) -> Men {
        Men {
            kinds: self.kinds & (1 << role as u16 | 1 << (6 + role as u16)),
            ..self
        }
    }
}
