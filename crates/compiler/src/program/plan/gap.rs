//! Repetitions of any move in a path, and what is known of the move behind them.

use board::SquareSet;
use syntax::tree::VariableId;

use crate::program::id::SetId;

/// A repetition of any move.
#[derive(Debug, Clone)]
pub struct Gap {
    /// The node of the dash that is repeated.
    pub node: u32,
    /// What is known of the move behind.
    pub sought: Option<Box<SoughtMove>>,
}

/// What is known of a move, unless it is a castling, null or en passant move.
#[derive(Debug, Clone)]
pub struct SoughtMove {
    /// Kinds of men that may make it, as in `SetFilter::Pieces`.
    pub kinds: u16,
    /// It is a capture, written as one.
    pub captures: bool,
    /// The piece that makes it.
    pub piece: Option<VariableId>,
    /// It goes one of these ways, of which there are [`MAX_WAYS`] at most.
    pub ways: Box<[Way]>,
    /// That is so where these are bound.
    pub required: Box<[VariableId]>,
    /// The search behind the gap may change one of them.
    pub changes: bool,
}

/// More ways than these are not told apart.
pub const MAX_WAYS: usize = 4;

/// What is known of the squares of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Way {
    /// Where it starts.
    pub from: Squares,
    /// Where it ends.
    pub to: Squares,
    /// One of them is between the two; where these are all squares, nothing is known.
    pub over: Squares,
}

/// Squares that depend on variables at most.
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

impl Way {
    /// From anywhere to anywhere.
    pub const ANY: Way = Way {
        from: Squares::EVERY,
        to: Squares::EVERY,
        over: Squares::EVERY,
    };

    /// A way that is both ways at once.
    pub fn and(&self, other: &Way) -> Way {
        let both = |a: &Squares, b: &Squares| Squares::all(vec![a.clone(), b.clone()]);
        Way {
            from: both(&self.from, &other.from),
            to: both(&self.to, &other.to),
            // a square of each of the two may be meant, so one of them is left out
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
        match sets.contains(&Squares::EVERY) {
            true => Squares::EVERY,
            false => Squares::Any(sets.into()),
        }
    }
}
