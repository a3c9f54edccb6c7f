//! Makes equal nodes only once.
//!
//! Thousands of images of a list share most of their parts, and two images are equal exactly if
//! they have the same id. A node is found again by its key, which distinguishes it from other nodes
//! of its arena.

use std::collections::HashMap;

use board::{Color, SquareSet};
use syntax::Span;
use syntax::builtin::{NumberSource, Predicate, SetToNumber};
use syntax::designator::PieceSet;
use syntax::token::GameResult;
use syntax::tree::{Arithmetic, Relation, VariableId};

use crate::lower::Arenas;
use crate::program::*;

/// Key of a condition.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum BoolKey {
    Constant(bool),
    WholeGame,
    All(Box<[BoolId]>),
    Any(Box<[BoolId]>),
    EvaluatedAny(Box<[BoolId]>),
    Not(BoolId),
    NonEmpty(SetId),
    HasNumber(NumId),
    Compare(Relation, NumId, NumId),
    Player(Color),
    Result(GameResult),
    Predicate(Predicate),
    Turn(Color),
    /// A counter is set to 0.
    Reset(VariableId),
    /// A counter is raised by 1.
    Count(VariableId),
    Move(MoveRequirement),
    Sequence {
        enters_variations: bool,
        gapped: bool,
        elements: Box<[BoolId]>,
    },
    /// The offset in the text distinguishes relations, the squares their images.
    Relation {
        start: u32,
        squares: Option<SetId>,
    },
}

/// Requirements on one and the same move.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct MoveRequirement {
    pub(super) from: Option<SetId>,
    pub(super) to: Option<SetId>,
    pub(super) promote: Option<u8>,
    pub(super) en_passant: bool,
    /// Whether the move may not enter a variation.
    pub(super) primary: bool,
}

/// Key of a set.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum SetKey {
    Squares(SquareSet),
    Intersect(SetId, SetId),
    Union(SetId, SetId),
    Kinds(PieceSet, SquareSet),
    Man(VariableId),
    /// The steps are in order.
    Ray(Ray),
}

/// Key of a number.
#[derive(PartialEq, Eq, Hash)]
pub(super) enum NumKey {
    Constant(i32),
    Arithmetic(Arithmetic, NumId, NumId),
    /// A number, if it is at most another one.
    Limited(NumId, NumId),
    Counter(VariableId),
    Source(NumberSource),
    OfSet(SetToNumber, SetId),
    Elo(Color),
    Cardinality(SetId),
    AttackPairs(SetId, SetId),
    /// The steps are in order.
    Rays(Ray),
}

/// The arenas of a program, with an index of their nodes.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) arenas: Arenas,
    /// Span of the lowered list.
    pub(super) here: Span,
    bools: HashMap<BoolKey, BoolId>,
    sets: HashMap<SetKey, SetId>,
    nums: HashMap<NumKey, NumId>,
}

impl Nodes {
    /// Starts with arenas that already have nodes.
    pub(super) fn behind(arenas: Arenas) -> Nodes {
        Nodes { arenas, ..Nodes::default() }
    }

    pub(super) fn bool(&mut self, key: BoolKey, filter: impl FnOnce() -> BoolFilter) -> BoolId {
        *self.bools.entry(key).or_insert_with(|| self.arenas.new_bool(filter(), self.here))
    }

    pub(super) fn set(&mut self, key: SetKey, filter: impl FnOnce() -> SetFilter) -> SetId {
        *self.sets.entry(key).or_insert_with(|| {
            self.arenas.sets.push(filter());
            SetId((self.arenas.sets.len() - 1) as u32)
        })
    }

    pub(super) fn num(&mut self, key: NumKey, filter: impl FnOnce() -> NumFilter) -> NumId {
        *self.nums.entry(key).or_insert_with(|| {
            self.arenas.nums.push(filter());
            NumId((self.arenas.nums.len() - 1) as u32)
        })
    }

    pub(super) fn text(&mut self, filter: TextFilter) -> TextId {
        self.arenas.new_text(filter, self.here)
    }

    pub(super) fn predicate(&mut self, predicate: Predicate) -> BoolId {
        self.bool(BoolKey::Predicate(predicate), || BoolFilter::Predicate(predicate))
    }

    pub(super) fn source(&mut self, source: NumberSource) -> NumId {
        self.num(NumKey::Source(source), || NumFilter::Source(source))
    }

    pub(super) fn constant(&mut self, value: bool) -> BoolId {
        self.bool(BoolKey::Constant(value), || BoolFilter::Constant(value))
    }

    /// Whether the node never matches.
    pub(super) fn is_false(&self, id: BoolId) -> bool {
        matches!(self.arenas.bools[id.0 as usize], BoolFilter::Constant(false))
    }

    fn is_true(&self, id: BoolId) -> bool {
        matches!(self.arenas.bools[id.0 as usize], BoolFilter::Constant(true))
    }

    /// Makes a conjunction, in order; conditions after one that fails are not evaluated.
    pub(super) fn all(&mut self, mut items: Vec<BoolId>) -> BoolId {
        items.retain(|&id| !self.is_true(id));
        if let Some(&never) = items.iter().find(|&&id| self.is_false(id)) {
            return never;
        }
        match items[..] {
            [] => self.constant(true),
            [item] => item,
            _ => {
                let items: Box<[BoolId]> = items.into();
                self.bool(BoolKey::All(items.clone()), || BoolFilter::All(items))
            }
        }
    }

    /// Makes a disjunction; conditions after one that matches are not evaluated.
    pub(super) fn any(&mut self, mut items: Vec<BoolId>) -> BoolId {
        items.retain(|&id| !self.is_false(id));
        let mut seen = std::collections::HashSet::new();
        items.retain(|&id| seen.insert(id));
        match items[..] {
            [] => self.constant(false),
            [item] => item,
            _ => {
                let items: Box<[BoolId]> = items.into();
                self.bool(BoolKey::Any(items.clone()), || BoolFilter::Any(items))
            }
        }
    }

    /// Makes a disjunction of which all conditions are evaluated, each as often as it is listed.
    pub(super) fn evaluated_any(&mut self, items: Vec<BoolId>) -> BoolId {
        let items: Box<[BoolId]> = items.into();
        let key = BoolKey::EvaluatedAny(items.clone());
        self.bool(key, || BoolFilter::Orbit(items))
    }

    /// Makes a conjunction of which all conditions are evaluated.
    pub(super) fn evaluated_all(&mut self, items: Vec<BoolId>) -> BoolId {
        if items.len() == 1 {
            return items[0];
        }
        let failures = items.into_iter().map(|id| self.not(id)).collect();
        let failure = self.evaluated_any(failures);
        self.not(failure)
    }

    pub(super) fn not(&mut self, id: BoolId) -> BoolId {
        match self.arenas.bools[id.0 as usize] {
            BoolFilter::Constant(value) => self.constant(!value),
            _ => self.bool(BoolKey::Not(id), || BoolFilter::Not(id)),
        }
    }

    pub(super) fn non_empty(&mut self, set: SetId) -> BoolId {
        if self.is_empty(set) {
            self.constant(false)
        } else {
            self.bool(BoolKey::NonEmpty(set), || BoolFilter::NonEmpty(set))
        }
    }

    /// Whether the set is empty in all positions.
    pub(super) fn is_empty(&self, set: SetId) -> bool {
        match &self.arenas.sets[set.0 as usize] {
            SetFilter::Constant(squares) => squares.is_empty(),
            SetFilter::Piece(_, squares) | SetFilter::Color(_, squares) => squares.is_empty(),
            SetFilter::Pieces { kinds, squares } => *kinds == 0 || squares.is_empty(),
            SetFilter::Intersect(left, right) => self.is_empty(*left) || self.is_empty(*right),
            _ => false,
        }
    }

    pub(super) fn squares(&mut self, squares: SquareSet) -> SetId {
        self.set(SetKey::Squares(squares), || SetFilter::Constant(squares))
    }

    pub(super) fn intersect(&mut self, left: SetId, right: SetId) -> SetId {
        if left == right {
            return left;
        }
        self.set(SetKey::Intersect(left, right), || SetFilter::Intersect(left, right))
    }

    pub(super) fn union(&mut self, left: SetId, right: SetId) -> SetId {
        self.set(SetKey::Union(left, right), || SetFilter::Union(left, right))
    }

    pub(super) fn number(&mut self, n: i32) -> NumId {
        self.num(NumKey::Constant(n), || NumFilter::Constant(n))
    }

    pub(super) fn arithmetic(&mut self, op: Arithmetic, left: NumId, right: NumId) -> NumId {
        let key = NumKey::Arithmetic(op, left, right);
        self.num(key, || NumFilter::Arithmetic(op, left, right))
    }

    pub(super) fn compare(&mut self, op: Relation, left: NumId, right: NumId) -> BoolId {
        let key = BoolKey::Compare(op, left, right);
        self.bool(key, || BoolFilter::CompareNumbers(op, left, right))
    }

    /// Whether a number is in a range; a missing number is in none.
    pub(super) fn in_range(&mut self, n: NumId, min: i32, max: i32) -> BoolId {
        let low = self.number(min);
        let high = self.number(max);
        if min == max {
            return self.compare(Relation::Equal, n, low);
        }
        if let NumFilter::Cardinality(_) = self.arenas.nums[n.0 as usize] {
            // a comparison of a count with a constant is a node of its own
            let mut bounds = Vec::new();
            if min > 0 {
                bounds.push(self.compare(Relation::GreaterEqual, n, low));
            }
            if max < 64 {
                bounds.push(self.compare(Relation::LessEqual, n, high));
            }
            return self.all(bounds);
        }
        let key = NumKey::Limited(n, high);
        let limited = self.num(key, || NumFilter::Relation(Relation::LessEqual, n, high));
        self.compare(Relation::LessEqual, low, limited)
    }
}
