//! Decides loops over squares for all squares at once.
//!
//! `square x in [qrbn] {A attacks x >= 2}` asks one question of each square. If the body is made of
//! questions whose answer for every square is itself a set of squares (the squares that a set
//! attacks, those that attack it, the number of attacks), the loop is a few operations on sets.
//!
//! Parts that do not read the loop's variable are evaluated only if a square has passed the parts
//! before, as in the loop itself.
//!
//! A body with an effect (`sort`, `comment`) is evaluated square by square, but only for squares
//! that satisfy the conditions before the effect: for the others it fails and leaves nothing
//! behind. These conditions must not depend on anything that the effect changes.

use syntax::tree::{Relation, VariableId};

use super::choices::LoopVariables;
use crate::effects::{Analysis, Effects, Flags};
use crate::facts::holds;
use crate::program::plan::SquareCondition;
use crate::program::*;

/// Finds the conditions of all loops.
pub(super) fn find_conditions(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let mut found = Vec::new();
    for (index, filter) in program.sets.iter().enumerate() {
        if let SetFilter::Loop(square_loop) = filter
            && !square_loop.piece
        {
            let effects = analysis.bool(square_loop.body);
            let has = |flags| effects.flags.has(flags);
            let leaves_nothing = effects.is_pure() && !has(Flags::COMMENTS | Flags::OTHER_FAULTS);
            let mut reader =
                LoopAnalyzer { program, analysis: &mut analysis, variable: square_loop.variable };
            let whole = if leaves_nothing { reader.condition(square_loop.body) } else { None };
            let least = match whole {
                Some(_) => None,
                None => reader.least(square_loop.body, &effects, &bound),
            };
            found.push((index, whole, least));
        }
    }
    for (index, whole, least) in found {
        if let SetFilter::Loop(square_loop) = &mut program.sets[index] {
            square_loop.condition = whole.map(Box::new);
            square_loop.least = least.map(Box::new);
        }
    }
}

/// Whether a filter makes no comments and has the same value for a square, whatever the body of a
/// loop with these effects has done for other squares.
fn is_kept(filter: &Effects, body: &Effects) -> bool {
    let changing =
        Flags::COMMENTS | Flags::STATE | Flags::PROGRESS | Flags::BEST | Flags::LINEARIZED;
    !filter.flags.has(changing) && filter.reads.iter().all(|v| !body.writes.contains(v))
}

struct LoopAnalyzer<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    variable: VariableId,
}

impl LoopAnalyzer<'_, '_> {
    fn condition(&mut self, id: BoolId) -> Option<SquareCondition> {
        let reads = self.analysis.bool(id).reads;
        if !reads.contains(&self.variable.0) {
            return Some(SquareCondition::Fixed(id));
        }
        match &self.program.bools[id.0 as usize] {
            BoolFilter::All(items) => Some(SquareCondition::All(self.conditions(items)?)),
            BoolFilter::Any(items) => Some(SquareCondition::Any(self.conditions(items)?)),
            BoolFilter::Not(item) => Some(SquareCondition::Not(Box::new(self.condition(*item)?))),
            BoolFilter::NonEmpty(set) => self.not_empty(*set),
            BoolFilter::CompareCount(relation, set, n) => self.count(*relation, *set, *n),
            BoolFilter::CompareNumbers(relation, left, right) => {
                self.numbers(*relation, *left, *right)
            }
            _ => None,
        }
    }

    fn numbers(
        &mut self,
        relation: Relation,
        left: NumId,
        right: NumId,
    ) -> Option<SquareCondition> {
        let number = |id: NumId| &self.program.nums[id.0 as usize];
        match (number(left), number(right)) {
            (NumFilter::AttackPairs(men, squares), NumFilter::Constant(n)) => {
                self.attacked_so_often(*men, *squares, relation, *n)
            }
            (NumFilter::Cardinality(set), NumFilter::Constant(n)) => self.count(relation, *set, *n),
            _ => None,
        }
    }

    /// A condition on all squares for which a body with these effects may have an effect.
    fn least(
        &mut self,
        body: BoolId,
        effects: &Effects,
        bound: &LoopVariables,
    ) -> Option<SquareCondition> {
        let bound = bound.with(self.variable);
        let (program, mut conditions) = (self.program, Vec::new());
        for &item in program.conjuncts(&body) {
            let of_item = self.analysis.bool(item);
            let is_silent = bound.is_silent(&of_item);
            if is_silent && is_kept(&of_item, effects) {
                let condition = self.condition(item);
                // The loop itself tests a condition that no square changes.
                conditions.extend(condition.filter(|c| !matches!(c, SquareCondition::Fixed(_))));
            }
            if !is_silent {
                conditions.extend(self.sorted(item, effects, &bound));
                break;
            }
        }
        (!conditions.is_empty()).then(|| SquareCondition::All(conditions.into()))
    }

    /// A condition on all squares for which `sort` notes a number: the comparison below it.
    fn sorted(
        &mut self,
        item: BoolId,
        effects: &Effects,
        bound: &LoopVariables,
    ) -> Option<SquareCondition> {
        let program = self.program;
        let number = |id: NumId| &program.nums[id.0 as usize];
        let BoolFilter::HasNumber(sort) = &program.bools[item.0 as usize] else {
            return None;
        };
        let NumFilter::Flow(Flow::Sort(_, SortFilter { body, .. })) = number(*sort) else {
            return None;
        };
        let of_body = self.analysis.num(*body);
        match number(*body) {
            NumFilter::Relation(relation, left, right)
                if bound.is_silent(&of_body) && is_kept(&of_body, effects) =>
            {
                self.numbers(*relation, *left, *right)
            }
            _ => None,
        }
    }

    fn conditions(&mut self, items: &[BoolId]) -> Option<Box<[SquareCondition]>> {
        items.iter().map(|&item| self.condition(item)).collect()
    }

    /// The set, if it does not depend on the square.
    fn other(&mut self, set: SetId) -> Option<SetId> {
        let reads = self.analysis.set(set).reads;
        (!reads.contains(&self.variable.0)).then_some(set)
    }

    /// Whether the set is the square of the loop.
    fn is_square(&self, set: SetId) -> bool {
        matches!(self.program.sets[set.0 as usize], SetFilter::Variable(id, _) if id == self.variable)
    }

    fn not_empty(&mut self, set: SetId) -> Option<SquareCondition> {
        match self.program.sets[set.0 as usize] {
            SetFilter::Intersect(left, right) if self.is_square(left) => {
                self.other(right).map(SquareCondition::In)
            }
            SetFilter::Intersect(left, right) if self.is_square(right) => {
                self.other(left).map(SquareCondition::In)
            }
            SetFilter::Attacks(left, right) if self.is_square(left) => {
                self.other(right).map(SquareCondition::Attacks)
            }
            SetFilter::Attacks(left, right) if self.is_square(right) => {
                self.other(left).map(SquareCondition::AttackedBy)
            }
            SetFilter::AttackedBy(left, right) if self.is_square(left) => {
                self.other(right).map(SquareCondition::AttackedBy)
            }
            SetFilter::AttackedBy(left, right) if self.is_square(right) => {
                self.other(left).map(SquareCondition::Attacks)
            }
            _ => None,
        }
    }

    fn count(&mut self, relation: Relation, set: SetId, n: i32) -> Option<SquareCondition> {
        match self.program.sets[set.0 as usize] {
            SetFilter::Attacks(men, square) if self.is_square(square) => {
                self.attacked_so_often(men, square, relation, n)
            }
            // The set has one square or none.
            SetFilter::Attacks(left, _)
            | SetFilter::AttackedBy(left, _)
            | SetFilter::Intersect(left, _)
                if self.is_square(left) =>
            {
                let condition = self.not_empty(set)?;
                Some(match (holds(relation, &1, &n), holds(relation, &0, &n)) {
                    (true, true) => SquareCondition::All(Box::default()),
                    (true, false) => condition,
                    (false, true) => SquareCondition::Not(Box::new(condition)),
                    (false, false) => SquareCondition::Any(Box::default()),
                })
            }
            _ => None,
        }
    }

    fn attacked_so_often(
        &mut self,
        men: SetId,
        square: SetId,
        relation: Relation,
        n: i32,
    ) -> Option<SquareCondition> {
        let men = self.other(men)?;
        self.is_square(square).then_some(SquareCondition::AttackedSoOften(men, relation, n))
    }
}
