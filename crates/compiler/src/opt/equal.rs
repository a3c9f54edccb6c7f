//! Removes conditions that repeat an earlier one.
//!
//! Of several conditions that must all match, one that is equal to an earlier one matches if it is
//! reached; of alternatives, it fails if it is reached. Only filters are compared that depend on
//! nothing but the board, the move and the game: they read no variable, so that nothing between the
//! two conditions can change their value, and they have no effects.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};
use std::mem::discriminant;

use crate::program::{BoolFilter, BoolId, NumFilter, NumId, Program, SetFilter, SetId};

/// Removes repeated conditions.
pub(super) fn remove(program: &mut Program) {
    for index in 0..program.bools.len() {
        let items = match &program.bools[index] {
            BoolFilter::All(items) | BoolFilter::Any(items) if items.len() > 1 => items,
            _ => continue,
        };
        let mut known = BTreeSet::new();
        let is_first = |id: &BoolId| {
            let mut key = Key { program, bytes: Vec::new() };
            !key.add_bool(*id) || known.insert(key.bytes)
        };
        let left: Vec<BoolId> = items.iter().copied().filter(is_first).collect();
        if left.len() < items.len()
            && let BoolFilter::All(items) | BoolFilter::Any(items) = &mut program.bools[index]
        {
            *items = left.into();
        }
    }
}

/// Bytes that equal filters have in common, and no others: of a node, its variant and its parts.
/// Methods return `false` if the filter may depend on more than the position.
struct Key<'p> {
    program: &'p Program,
    bytes: Vec<u8>,
}

/// Keeps all bytes, so that different values never have the same key.
impl Hasher for Key<'_> {
    fn write(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    fn finish(&self) -> u64 {
        0
    }
}

impl Key<'_> {
    fn add(&mut self, value: impl Hash) -> bool {
        value.hash(self);
        true
    }

    fn add_bool(&mut self, id: BoolId) -> bool {
        use BoolFilter as B;
        let filter = &self.program.bools[id.0 as usize];
        self.add(discriminant(filter));
        match filter {
            B::Constant(value) => self.add(value),
            B::Turn(color) => self.add(color),
            B::Predicate(word) => self.add(word),
            B::Fen(pieces) => self.add(pieces),
            B::Result(result) => self.add(result),
            B::GameTextContains(part, text) => self.add((part, text)),
            B::All(items) | B::Any(items) => {
                self.add(items.len()) && items.iter().all(|&item| self.add_bool(item))
            }
            B::Not(item) => self.add_bool(*item),
            B::NonEmpty(a) => self.add_set(*a),
            B::CompareCount(relation, a, n) => self.add((relation, n)) && self.add_set(*a),
            B::SetsEqual(a, b) | B::SetsDiffer(a, b) | B::Subset(a, b) => self.add_sets(*a, *b),
            B::CompareNumbers(relation, a, b) => self.add(relation) && self.add_nums(*a, *b),
            _ => false,
        }
    }

    fn add_num(&mut self, id: NumId) -> bool {
        use NumFilter as N;
        let filter = &self.program.nums[id.0 as usize];
        self.add(discriminant(filter));
        match filter {
            N::Constant(value) => self.add(value),
            N::Source(word) => self.add(word),
            N::Elo(color) => self.add(color),
            N::Cardinality(a) => self.add_set(*a),
            N::AttackPairs(a, b) => self.add_sets(*a, *b),
            N::OfSet(word, a) => self.add(word) && self.add_set(*a),
            N::Arithmetic(operator, a, b) => self.add(operator) && self.add_nums(*a, *b),
            _ => false,
        }
    }

    fn add_nums(&mut self, a: NumId, b: NumId) -> bool {
        self.add_num(a) && self.add_num(b)
    }

    fn add_set(&mut self, id: SetId) -> bool {
        use SetFilter as S;
        let filter = &self.program.sets[id.0 as usize];
        self.add(discriminant(filter));
        match filter {
            S::Constant(squares) => self.add(squares),
            S::Pieces { kinds, squares } => self.add((kinds, squares)),
            S::Piece(piece, squares) => self.add((piece, squares)),
            S::Color(color, squares) => self.add((color, squares)),
            S::PawnStructure(word) => self.add(word),
            S::Source(word) => self.add(word),
            S::Union(a, b) | S::Intersect(a, b) | S::Attacks(a, b) | S::AttackedBy(a, b) => {
                self.add_sets(*a, *b)
            }
            S::Complement(a) => self.add_set(*a),
            S::OfSet(word, a) => self.add(word) && self.add_set(*a),
            S::OfSets(word, a, b) => self.add(word) && self.add_sets(*a, *b),
            _ => false,
        }
    }

    fn add_sets(&mut self, a: SetId, b: SetId) -> bool {
        self.add_set(a) && self.add_set(b)
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::compiled;
    use crate::program::BoolFilter;

    #[test]
    fn repeated_conditions_are_removed() {
        let n_items = |query: &str| {
            let program = compiled(query);
            match &program.bools[program.root.0 as usize] {
                BoolFilter::All(items) | BoolFilter::Any(items) => items.len(),
                _ => 1,
            }
        };
        assert_eq!(n_items(&"not Ka1 ".repeat(1000)), 1);
        assert_eq!(n_items("not Ka1 not Ka2 not Ka1"), 2);
        assert_eq!(n_items("check or mate or check"), 2);
        assert_eq!(n_items("#(A attacks k) > 1 wtm #(A attacks k) > 1"), 2);
        assert_eq!(n_items("#(A attacks k) > 1 #(A attacks k) > 2 #(A attacks r) > 1"), 3);
        assert_eq!(n_items("power A > 3 power A > 3 power a > 3"), 2);
        assert_eq!(n_items("x = 1 x == 1 x = 2 x == 1"), 4, "a variable may change");
        assert_eq!(n_items("comment(\"a\") comment(\"a\")"), 2);
        assert_eq!(n_items("find check find check"), 2);
    }
}
