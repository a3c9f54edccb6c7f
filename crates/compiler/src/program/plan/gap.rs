//! Repetitions of any move in a path, and known facts about the move after them.

use board::SquareSet;
use syntax::tree::VariableId;

use crate::program::id::SetId;

/// A repetition of any move.
#[derive(Debug, Clone)]
pub struct Gap {
    /// The node of the dash that is repeated.
    pub node: u32,
    /// Known facts about the move after the gap.
    pub sought: Option<Box<SoughtMove>>,
}

/// Known facts about a move, unless it is a castling, null or en passant move.
#[derive(Debug, Clone)]
pub struct SoughtMove {
    /// Types of the pieces that may make it, as in `SetFilter::Pieces`.
    pub kinds: u16,
    /// Whether it is a capture, written as one.
    pub captures: bool,
    /// Variable that holds the piece that makes it.
    pub piece: Option<VariableId>,
    /// Ways that the move may go, at most [`MAX_WAYS`].
    pub ways: Box<[MoveSquares]>,
    /// Variables that must be bound for these facts to hold.
    pub required: Box<[VariableId]>,
    /// Whether the search after the gap may change one of these variables.
    pub changes: bool,
}

impl SoughtMove {
    /// Whether the facts depend on the values of variables.
    pub(crate) fn depends(&self) -> bool {
        let is_fixed = |squares: &Squares| matches!(squares, Squares::These(_));
        let mut ways = self.ways.iter();
        !ways.all(|way| is_fixed(&way.from) && is_fixed(&way.to))
    }
}

/// Moves that a match of a path needs after the position, in a game without variations.
#[derive(Debug, Clone)]
pub struct Needs {
    /// The least number of moves in focus.
    pub n_moves: u32,
    /// Moves that every match makes after the first one.
    pub moves: Box<[SoughtMove]>,
    /// Variables that must be bound for a search to leave no trace if it finds nothing.
    pub required: Box<[VariableId]>,
}

/// Maximum number of ways that are distinguished.
pub const MAX_WAYS: usize = 4;

/// Known facts about the squares of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveSquares {
    /// Squares where the move may start.
    pub from: Squares,
    /// Squares where the move may end.
    pub to: Squares,
    /// Squares of which one is between the two; all squares if nothing is known.
    pub over: Squares,
}

/// Squares that depend on nothing but variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Squares {
    /// These and no others.
    These(SquareSet),
    /// The value of a filter that is the same at all positions.
    Set(SetId),
    /// The value of such a filter, or all squares where that is empty.
    SetUnlessEmpty(SetId),
    /// The squares in all of these sets.
    All(Box<[Squares]>),
    /// The squares in one of these sets.
    Any(Box<[Squares]>),
}

impl MoveSquares {
    /// From anywhere to anywhere.
    pub const ANY: MoveSquares =
        MoveSquares { from: Squares::EVERY, to: Squares::EVERY, over: Squares::EVERY };

    /// The way of a move that goes both ways at once.
    pub fn and(&self, other: &MoveSquares) -> MoveSquares {
        let both = |a: &Squares, b: &Squares| Squares::all(vec![a.clone(), b.clone()]);
        MoveSquares {
            from: both(&self.from, &other.from),
            to: both(&self.to, &other.to),
            // the two may mean different squares between, so one of them is left out
            over: match &self.over {
                over if *over == Squares::EVERY => other.over.clone(),
                over => over.clone(),
            },
        }
    }
}

impl Squares {
    /// All squares.
    pub const EVERY: Squares = Squares::These(SquareSet::ALL);

    /// The squares in all of the sets.
    pub fn all(mut sets: Vec<Squares>) -> Squares {
        sets.retain(|set| *set != Squares::EVERY);
        match sets.pop() {
            None => Squares::EVERY,
            Some(set) if sets.is_empty() => set,
            Some(set) => {
                sets.push(set);
                Squares::All(sets.into())
            }
        }
    }

    /// The squares in one of the sets.
    pub fn any(sets: Vec<Squares>) -> Squares {
        if sets.contains(&Squares::EVERY) { Squares::EVERY } else { Squares::Any(sets.into()) }
    }
}
