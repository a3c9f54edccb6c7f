//! Finds conditions on attacks and pins that depend on the board alone.
//!
//! A condition that looks at nothing but the board, has no effect and cannot end in an error needs
//! no evaluator: it is a test of a [screen](super::screen). The test pays only if the condition is
//! about attacks or pins. Its conditions on pieces alone have cheaper tests, which come first.

use board::SquareSet;

use super::peephole::designator;
use crate::facts::KINGS;
use crate::program::plan::{BoardChoice, BoardCondition, BoardSet, SquareCondition};
use crate::program::{BoolFilter, NumFilter, Program, SetFilter, SetId};

impl BoardCondition {
    /// Returns the filter as a condition on the board, if it is one and is about attacks.
    pub(super) fn of(program: &Program, filter: &BoolFilter) -> Option<BoardCondition> {
        let of = |id: SetId| BoardSet::of(program, id).filter(BoardSet::asks_for_attacks);
        Some(match filter {
            BoolFilter::NonEmpty(set) => BoardCondition::NotEmpty(of(*set)?),
            BoolFilter::CompareCount(relation, set, n) => {
                BoardCondition::Count(*relation, of(*set)?, *n)
            }
            BoolFilter::CompareNumbers(relation, left, right) => {
                let number = |id: crate::program::NumId| &program.nums[id.0 as usize];
                match (number(*left), number(*right)) {
                    (NumFilter::Cardinality(set), NumFilter::Constant(n)) => {
                        BoardCondition::Count(*relation, of(*set)?, *n)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        })
    }
}

impl BoardSet {
    fn of(program: &Program, id: SetId) -> Option<BoardSet> {
        let of = |id: &SetId| BoardSet::of(program, *id);
        let filter = &program.sets[id.0 as usize];
        if let SetFilter::Piece(piece, squares) = filter {
            return Some(BoardSet::Piece(*piece, *squares));
        }
        if let Some((kinds, squares)) = designator(filter) {
            return Some(BoardSet::Kinds(kinds, squares));
        }
        Some(match filter {
            SetFilter::Constant(squares) => BoardSet::Constant(*squares),
            SetFilter::Union(left, right) => BoardSet::Union([of(left)?, of(right)?].into()),
            SetFilter::Intersect(left, right) => {
                BoardSet::Intersect(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::Complement(operand) => BoardSet::Complement(Box::new(of(operand)?)),
            SetFilter::Attacks(left, right) => {
                BoardSet::Attackers(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::AttackedBy(left, right) => {
                BoardSet::Attacked(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::Pin(pin) => {
                let or_all = |id: &Option<SetId>| match id {
                    Some(id) => of(id),
                    None => Some(BoardSet::Constant(SquareSet::ALL)),
                };
                let to = match &pin.to {
                    Some(to) => of(to)?,
                    None => BoardSet::Kinds(KINGS, SquareSet::ALL),
                };
                let sets = [or_all(&pin.from)?, or_all(&pin.through)?, to];
                BoardSet::Pins(Box::new(sets), pin.value)
            }
            SetFilter::Loop(square_loop) if !square_loop.piece => {
                let condition = square_loop.condition.as_ref()?;
                let choice = BoardChoice::of(program, condition)?;
                BoardSet::Chosen(Box::new(of(&square_loop.domain)?), Box::new(choice))
            }
            SetFilter::Orbit(images) => {
                BoardSet::Union(images.iter().map(of).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    fn asks_for_attacks(&self) -> bool {
        match self {
            BoardSet::Constant(_) | BoardSet::Piece(..) | BoardSet::Kinds(..) => false,
            BoardSet::Union(sets) => sets.iter().any(BoardSet::asks_for_attacks),
            BoardSet::Intersect(sets) => sets.iter().any(BoardSet::asks_for_attacks),
            BoardSet::Complement(set) => set.asks_for_attacks(),
            BoardSet::Attackers(_)
            | BoardSet::Attacked(_)
            | BoardSet::Chosen(..)
            | BoardSet::Pins(..) => true,
        }
    }
}

impl BoardChoice {
    fn of(program: &Program, condition: &SquareCondition) -> Option<BoardChoice> {
        let set = |id: &SetId| BoardSet::of(program, *id);
        let all = |conditions: &[SquareCondition]| {
            let of = |condition| BoardChoice::of(program, condition);
            conditions.iter().map(of).collect::<Option<_>>()
        };
        Some(match condition {
            SquareCondition::Fixed(_)
            | SquareCondition::Is(_)
            | SquareCondition::AttackersAre(..)
            | SquareCondition::Between(_)
            | SquareCondition::At(..)
            | SquareCondition::Others(_) => return None,
            SquareCondition::In(id) => BoardChoice::In(set(id)?),
            SquareCondition::AttackedBy(id) => BoardChoice::AttackedBy(set(id)?),
            SquareCondition::Attacks(id) => BoardChoice::Attacks(set(id)?),
            SquareCondition::AttackedSoOften(id, relation, n) => {
                BoardChoice::AttackedSoOften(set(id)?, *relation, *n)
            }
            SquareCondition::All(conditions) => BoardChoice::All(all(conditions)?),
            SquareCondition::Any(conditions) => BoardChoice::Any(all(conditions)?),
            SquareCondition::Not(condition) => {
                BoardChoice::Not(Box::new(BoardChoice::of(program, condition)?))
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::program::plan::Test;

    #[test]
    fn what_asks_for_attacks_alone_is_tested_by_the_screen() {
        let check = |query: &str, n_tests: usize, is_exact: bool| {
            let program = testing::compiled(query);
            let tests = program.screen.tests.iter();
            let n_found = tests.filter(|test| matches!(test, Test::Board(_))).count();
            assert_eq!((n_found, program.screen.is_exact), (n_tests, is_exact), "{query}");
        };
        check("A attacks k", 1, true);
        check("#(A attacks [qr]) > 2 pin from B through q to k", 2, true);
        check("pin", 1, true);
        check("square x in N { x attacks k x attacks q }", 1, true);
        check("square x in [qr] { #(A attacks x) > 2 not a attacks x }", 1, true);
        check("A attacks k ply > 10", 1, false);
        // There is a cheaper test, the test would cost more, or the condition is not on the board.
        check("Q", 0, true);
        check("Ka1 or A attacks k", 0, true);
        check("x = k A attacks x", 0, false);
        check("square x in N { x attacks k wtm }", 0, false);
        check("path focus A attacks k --", 0, false);
    }
}
