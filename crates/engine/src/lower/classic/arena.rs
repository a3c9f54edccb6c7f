//! Nodes that are the same are made once.
//!
//! Thousands of images of a list share most of their parts, and two images are equal just when
//! they have the same number. A node is found again by its key: what tells it from other nodes of
//! its arena.

use std::collections::HashMap;

use syntax::Span;
use syntax::tree::{Arithmetic, Relation};

use crate::lower::Arenas;
use crate::program::*;

/// What a node is known by. Keys of different kinds begin with different numbers.
pub(super) type Key = Vec<u64>;

/// The arenas of a program with what is in them.
#[derive(Default)]
pub(super) struct Nodes {
    pub(super) arenas: Arenas,
    /// The list that is lowered.
    pub(super) here: Span,
    bools: HashMap<Key, BoolId>,
    sets: HashMap<Key, SetId>,
    nums: HashMap<Key, NumId>,
}

impl Nodes {
    /// Arenas that hold something already.
    pub(super) fn behind(arenas: Arenas) -> Nodes {
        Nodes {
            arenas,
            ..Nodes::default()
        }
    }

    pub(super) fn bool(&mut self, key: Key, filter: impl FnOnce() -> BoolFilter) -> BoolId {
        *self
            .bools
            .entry(key)
            .or_insert_with(|| self.arenas.new_bool(filter(), self.here))
    }

    pub(super) fn set(&mut self, key: Key, filter: impl FnOnce() -> SetFilter) -> SetId {
        *self.sets.entry(key).or_insert_with(|| {
            self.arenas.sets.push(filter());
            SetId((self.arenas.sets.len() - 1) as u32)
        })
    }

    pub(super) fn num(&mut self, key: Key, filter: impl FnOnce() -> NumFilter) -> NumId {
        *self.nums.entry(key).or_insert_with(|| {
            self.arenas.nums.push(filter());
            NumId((self.arenas.nums.len() - 1) as u32)
        })
    }

    pub(super) fn text(&mut self, filter: TextFilter) -> TextId {
        self.arenas.new_text(filter, self.here)
    }

    pub(super) fn constant(&mut self, value: bool) -> BoolId {
        self.bool(vec![1, u64::from(value)], || BoolFilter::Constant(value))
    }

    /// Whether the node never matches.
    pub(super) fn is_false(&self, id: BoolId) -> bool {
        matches!(
            self.arenas.bools[id.0 as usize],
            BoolFilter::Constant(false)
        )
    }

    fn is_true(&self, id: BoolId) -> bool {
        matches!(self.arenas.bools[id.0 as usize], BoolFilter::Constant(true))
    }

    /// All of them, in order; those behind one that fails are not evaluated.
    pub(super) fn all(&mut self, mut items: Vec<BoolId>) -> BoolId {
        items.retain(|&id| !self.is_true(id));
        if let Some(&never) = items.iter().find(|&&id| self.is_false(id)) {
            return never;
        }
        match items[..] {
            [] => self.constant(true),
            [item] => item,
            _ => self.bool(key(2, &items), || BoolFilter::All(items.into())),
        }
    }

    /// One of them; those behind it are not evaluated.
    pub(super) fn any(&mut self, mut items: Vec<BoolId>) -> BoolId {
        items.retain(|&id| !self.is_false(id));
        let mut seen = std::collections::HashSet::new();
        items.retain(|&id| seen.insert(id));
        match items[..] {
            [] => self.constant(false),
            [item] => item,
            _ => self.bool(key(3, &items), || BoolFilter::Any(items.into())),
        }
    }

    /// One of them, and all are evaluated, each as often as it is named.
    pub(super) fn evaluated_any(&mut self, items: Vec<BoolId>) -> BoolId {
        self.bool(key(4, &items), || BoolFilter::Orbit(items.into()))
    }

    /// All of them, and all are evaluated.
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
            _ => self.bool(vec![5, u64::from(id.0)], || BoolFilter::Not(id)),
        }
    }

    pub(super) fn non_empty(&mut self, set: SetId) -> BoolId {
        match self.is_empty(set) {
            true => self.constant(false),
            false => self.bool(vec![6, u64::from(set.0)], || BoolFilter::NonEmpty(set)),
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

    pub(super) fn squares(&mut self, squares: board::SquareSet) -> SetId {
        self.set(vec![1, squares.0], || SetFilter::Constant(squares))
    }

    pub(super) fn intersect(&mut self, left: SetId, right: SetId) -> SetId {
        if left == right {
            return left;
        }
        self.set(vec![2, u64::from(left.0), u64::from(right.0)], || {
            SetFilter::Intersect(left, right)
        })
    }

    pub(super) fn union(&mut self, left: SetId, right: SetId) -> SetId {
        self.set(vec![3, u64::from(left.0), u64::from(right.0)], || {
            SetFilter::Union(left, right)
        })
    }

    pub(super) fn number(&mut self, n: i32) -> NumId {
        self.num(vec![1, n as u64], || NumFilter::Constant(n))
    }

    pub(super) fn arithmetic(&mut self, op: Arithmetic, left: NumId, right: NumId) -> NumId {
        let key = vec![2, op as u64, u64::from(left.0), u64::from(right.0)];
        self.num(key, || NumFilter::Arithmetic(op, left, right))
    }

    /// A filter with one operand and no other data, by a number of its own.
    pub(super) fn measure(
        &mut self,
        kind: u64,
        operand: u64,
        filter: impl FnOnce() -> NumFilter,
    ) -> NumId {
        self.num(vec![3, kind, operand], filter)
    }

    pub(super) fn compare(&mut self, op: Relation, left: NumId, right: NumId) -> BoolId {
        let key = vec![7, op as u64, u64::from(left.0), u64::from(right.0)];
        self.bool(key, || BoolFilter::CompareNumbers(op, left, right))
    }

    /// Whether a number is in a range; no number is in none.
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
        let key = vec![4, u64::from(n.0), u64::from(high.0)];
        let limited = self.num(key, || NumFilter::Relation(Relation::LessEqual, n, high));
        self.compare(Relation::LessEqual, low, limited)
    }
}

fn key(kind: u64, items: &[BoolId]) -> Key {
    let items = items.iter().map(|id| u64::from(id.0));
    std::iter::once(kind).chain(items).collect()
}
