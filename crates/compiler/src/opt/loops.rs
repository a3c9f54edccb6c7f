//! Decides loops over squares for all squares at once.
//!
//! `square x in [qrbn] {A attacks x >= 2}` asks one question of each square. If the body is made of
//! questions whose answer for every square is itself a set of squares (the squares that a set
//! attacks, those that attack it, the number of attacks), the loop is a few operations on sets.
//!
//! Parts that do not read the loop's variable are evaluated only if a square has passed the parts
//! before, as in the loop itself.
//!
//! If a loop contains another one, the condition of the inner loop is usually about both squares.
//! It is tested on all squares of the outer loop at once, for those squares of the inner loop that
//! satisfy whatever does not depend on the outer one: `square s in a { 2 <= square t in [qr] {A
//! attacks t (a attacks t) == s} }` first finds the attacked `t`, and gives up if it is only one.
//!
//! A body with an effect (`sort`, `comment`) is evaluated square by square, but only for squares
//! that satisfy the conditions before the effect: for the others it fails and leaves nothing
//! behind. These conditions must not depend on anything that the effect changes.

use syntax::builtin::SetsToSet;
use syntax::tree::{Relation, VariableId};

use super::choices::LoopVariables;
use super::peephole::{designator, steps};
use crate::effects::{Analysis, Effects, Flags};
use crate::facts::{EMPTY, holds};
use crate::program::plan::{Between, OtherSquares, SquareCondition};
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
            let bound = bound.with(square_loop.variable);
            let is_certain = effects.is_pure() && !effects.flags.has(Flags::OTHER_FAULTS);
            let leaves_nothing =
                (is_certain || bound.is_silent(&effects)) && !effects.flags.has(Flags::COMMENTS);
            let variable = square_loop.variable;
            let mut reader = LoopAnalyzer { program, analysis: &mut analysis, variable, bound };
            let whole = if leaves_nothing { reader.condition(square_loop.body) } else { None };
            let least = match whole {
                Some(_) => None,
                None => reader.least(square_loop.body, &effects),
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

/// Whether a condition says all that a filter does.
#[derive(Clone, Copy)]
enum Exactness {
    Exact,
    Necessary,
}

/// The number of squares, not 0, that a comparison requires at least.
fn least_number(relation: Relation, n: i32) -> Option<(usize, Exactness)> {
    let (least, exactness) = match relation {
        Relation::GreaterEqual => (n, Exactness::Exact),
        Relation::Greater => (n.checked_add(1)?, Exactness::Exact),
        Relation::Equal => (n, Exactness::Necessary),
        _ => return None,
    };
    (least > 0).then_some((least as usize, exactness))
}

struct LoopAnalyzer<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    variable: VariableId,
    /// The variables that are bound in the body.
    bound: LoopVariables,
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
            BoolFilter::At(position, body) => {
                let reads = self.analysis.pos(*position).reads;
                let is_other = !reads.contains(&self.variable.0);
                let body = if is_other { self.condition(*body) } else { None };
                Some(SquareCondition::At(*position, Box::new(body?)))
            }
            BoolFilter::NonEmpty(set) => {
                self.not_empty(*set).or_else(|| self.others(*set, 1, Exactness::Exact))
            }
            BoolFilter::CompareCount(relation, set, n) => {
                let of_square = self.count(*relation, *set, *n);
                of_square.or_else(|| match least_number(*relation, *n)? {
                    (least, exactness @ Exactness::Exact) => self.others(*set, least, exactness),
                    (_, Exactness::Necessary) => None,
                })
            }
            BoolFilter::SetsEqual(left, right) => {
                self.equal(*left, *right).or_else(|| self.equal(*right, *left))
            }
            BoolFilter::Subset(squares, set) => self.between(*squares, *set, true),
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
    fn least(&mut self, body: BoolId, effects: &Effects) -> Option<SquareCondition> {
        let (program, mut conditions) = (self.program, Vec::new());
        for &item in program.conjuncts(&body) {
            let of_item = self.analysis.bool(item);
            let is_silent = self.bound.is_silent(&of_item);
            if is_silent && is_kept(&of_item, effects) {
                let condition = self.condition(item).or_else(|| self.necessary(item));
                // The loop itself tests a condition that no square changes.
                conditions.extend(condition.filter(|c| !matches!(c, SquareCondition::Fixed(_))));
            }
            if !is_silent {
                conditions.extend(self.sorted(item, effects));
                break;
            }
        }
        (!conditions.is_empty()).then(|| SquareCondition::All(conditions.into()))
    }

    /// A condition on all squares for which `sort` notes a number: the comparison below it.
    fn sorted(&mut self, item: BoolId, effects: &Effects) -> Option<SquareCondition> {
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
                if self.bound.is_silent(&of_body) && is_kept(&of_body, effects) =>
            {
                self.numbers(*relation, *left, *right)
            }
            _ => None,
        }
    }

    /// A condition that holds wherever the filter matches, although it may hold elsewhere.
    fn necessary(&mut self, id: BoolId) -> Option<SquareCondition> {
        match self.program.bools[id.0 as usize] {
            BoolFilter::NonEmpty(set) => self.others(set, 1, Exactness::Necessary),
            BoolFilter::CompareCount(relation, set, n) => {
                let (least, _) = least_number(relation, n)?;
                self.others(set, least, Exactness::Necessary)
            }
            _ => None,
        }
    }

    /// The condition that a loop over other squares finds a number of them.
    fn others(
        &mut self,
        set: SetId,
        least: usize,
        exactness: Exactness,
    ) -> Option<SquareCondition> {
        let program = self.program;
        let SetFilter::Loop(inner) = &program.sets[set.0 as usize] else {
            return None;
        };
        let effects = self.analysis.set(set);
        let domain = self.other(inner.domain)?;
        if inner.piece || effects.flags.has(Flags::COMMENTS) || !self.bound.is_silent(&effects) {
            return None;
        }
        let mut reader = LoopAnalyzer {
            program,
            analysis: &mut *self.analysis,
            variable: inner.variable,
            bound: self.bound.with(inner.variable),
        };
        let (mut other, mut related) = (Vec::new(), Vec::new());
        for &item in program.conjuncts(&inner.body) {
            let reads = reader.analysis.bool(item).reads;
            let is_related = reads.contains(&self.variable.0);
            reader.variable = if is_related { self.variable } else { inner.variable };
            match (reader.condition(item), exactness) {
                (Some(condition), _) if is_related => related.push(condition),
                (Some(condition), _) => other.push(condition),
                (None, Exactness::Exact) => return None,
                (None, Exactness::Necessary) => {}
            }
        }
        // Otherwise the inner loop has too many squares.
        let is_short = !other.is_empty()
            || designator(&program.sets[domain.0 as usize]).is_some_and(|of| of.0 & EMPTY == 0);
        let says_something = !other.is_empty() || !related.is_empty();
        (is_short && says_something).then(|| {
            SquareCondition::Others(Box::new(OtherSquares {
                variable: inner.variable,
                domain,
                other: SquareCondition::All(other.into()),
                related: (!related.is_empty()).then(|| SquareCondition::All(related.into())),
                least,
            }))
        })
    }

    fn conditions(&mut self, items: &[BoolId]) -> Option<Box<[SquareCondition]>> {
        items.iter().map(|&item| self.condition(item)).collect()
    }

    /// The set, if it does not depend on the square.
    fn other(&mut self, set: SetId) -> Option<SetId> {
        let reads = self.analysis.set(set).reads;
        (!reads.contains(&self.variable.0)).then_some(set)
    }

    /// The set, if evaluating it earlier or later goes unnoticed.
    fn certain(&mut self, set: SetId) -> Option<SetId> {
        let effects = self.analysis.set(set);
        self.bound.is_silent(&effects).then_some(set)
    }

    /// Whether the set is the square of the loop.
    fn is_square(&self, set: SetId) -> bool {
        matches!(self.program.sets[set.0 as usize], SetFilter::Variable(id, _) if id == self.variable)
    }

    /// Returns the steps from the square of the loop to those of a set that consists of them.
    fn steps(&self, set: SetId) -> Option<Vec<(i8, i8)>> {
        if self.is_square(set) {
            return Some(vec![(0, 0)]);
        }
        match &self.program.sets[set.0 as usize] {
            SetFilter::Union(left, right) => {
                Some([self.steps(*left)?, self.steps(*right)?].concat())
            }
            SetFilter::Direction(directions, range, operand, _) => {
                let (first, then) = (self.steps(*operand)?, steps(directions, *range)?);
                // A step off the board does not come back.
                let goes_on = |one: i8, other: i8| i16::from(one) * i16::from(other) >= 0;
                let pairs = first.iter().flat_map(|&one| then.iter().map(move |&two| (one, two)));
                let sums = pairs.map(|(one, two)| {
                    let is_sum = goes_on(one.0, two.0) && goes_on(one.1, two.1);
                    let sum = (one.0 + two.0, one.1 + two.1);
                    let is_near = sum.0.abs() < 8 && sum.1.abs() < 8;
                    is_sum.then_some(Some(sum).filter(|_| is_near))
                });
                let sums: Option<Vec<Option<(i8, i8)>>> = sums.collect();
                Some(sums?.into_iter().flatten().collect())
            }
            _ => None,
        }
    }

    /// The condition that a set has a square, if it is about squares some steps away.
    fn shifted(&mut self, set: SetId) -> Option<SquareCondition> {
        let (left, right, is_intersection) = match self.program.sets[set.0 as usize] {
            SetFilter::Intersect(left, right) => (left, right, true),
            SetFilter::Attacks(left, right) => (left, right, false),
            _ => return None,
        };
        let (steps, condition) = match (self.steps(left), self.steps(right)) {
            (Some(steps), None) => {
                let other = self.other(right)?;
                let attacks = SquareCondition::Attacks(other);
                (steps, if is_intersection { SquareCondition::In(other) } else { attacks })
            }
            (None, Some(steps)) => {
                let other = self.other(left)?;
                let attacked = SquareCondition::AttackedBy(other);
                (steps, if is_intersection { SquareCondition::In(other) } else { attacked })
            }
            _ => return None,
        };
        Some(SquareCondition::Shifted(steps.into(), Box::new(condition)))
    }

    fn not_empty(&mut self, set: SetId) -> Option<SquareCondition> {
        self.not_empty_here(set).or_else(|| self.shifted(set))
    }

    fn not_empty_here(&mut self, set: SetId) -> Option<SquareCondition> {
        match self.program.sets[set.0 as usize] {
            SetFilter::Intersect(left, right) if self.is_square(left) => {
                self.other(right).map(SquareCondition::In)
            }
            SetFilter::Intersect(left, right) if self.is_square(right) => {
                self.other(left).map(SquareCondition::In)
            }
            SetFilter::Intersect(left, right) => {
                let between = self.between(left, right, false);
                between.or_else(|| self.between(right, left, false))
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

    /// The condition that two sets are equal, of which the first one depends on the square.
    fn equal(&mut self, left: SetId, right: SetId) -> Option<SquareCondition> {
        let right = self.other(right)?;
        if self.is_square(left) {
            return Some(SquareCondition::Is(right));
        }
        let right = self.certain(right)?;
        match self.program.sets[left.0 as usize] {
            SetFilter::Attacks(men, square) if self.is_square(square) => {
                Some(SquareCondition::AttackersAre(self.other(men)?, right))
            }
            _ => None,
        }
    }

    /// Returns the condition that all or some `squares` are between the square and others.
    fn between(&mut self, squares: SetId, set: SetId, all: bool) -> Option<SquareCondition> {
        let SetFilter::OfSets(SetsToSet::Between, one, other) = self.program.sets[set.0 as usize]
        else {
            return None;
        };
        let end = match (self.is_square(one), self.is_square(other)) {
            (true, false) => self.other(other)?,
            (false, true) => self.other(one)?,
            _ => return None,
        };
        let (end, squares) = (self.certain(end)?, self.other(squares)?);
        Some(SquareCondition::Between(Between { end, squares, all }))
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

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::program::SetFilter;
    use crate::program::plan::SquareCondition;

    /// The condition of the outer loop of a query, and whether it is all that the loop asks.
    fn condition(query: &str) -> Option<(SquareCondition, bool)> {
        let program = testing::compiled(query);
        let mut loops = program.sets.iter().filter_map(|set| match set {
            SetFilter::Loop(square_loop) => Some(square_loop),
            _ => None,
        });
        let outer = loops.next_back().expect("a loop");
        let whole = outer.condition.as_deref().map(|condition| (condition.clone(), true));
        whole.or_else(|| outer.least.as_deref().map(|condition| (condition.clone(), false)))
    }

    /// The least number of squares of the inner loop, if the outer loop tests all of its squares
    /// for each of them, and whether that is all.
    fn inner_loop(query: &str) -> Option<(usize, bool)> {
        let (condition, whole) = condition(query)?;
        match condition {
            SquareCondition::Others(others) => Some((others.least, whole)),
            SquareCondition::All(conditions) => conditions.iter().find_map(|part| match part {
                SquareCondition::Others(others) => Some((others.least, whole)),
                _ => None,
            }),
            _ => None,
        }
    }

    #[test]
    fn loops_in_loops_are_exchanged() {
        let check = |query: &str, want| assert_eq!(inner_loop(query), want, "{query}");
        check("square s in a {2 <= square t in q {A->t {a->t}==s}}", Some((2, true)));
        check("square s in a {2 < square t in q {A->t parent:{s->t}}}", Some((3, true)));
        check("square s in a {2 == square t in q {t->s}}", Some((2, false)));
        check("square s in a {square t in q {A->t type s > 2}}", Some((1, false)));
        check("square s in a {square t in q {t->s} comment(s)}", Some((1, false)));
        // the inner loop has all squares
        check("square s in a {square t in . {t->s}}", None);
        // its variable may be bound, which is an error
        check("t=a1 square s in a {square t in q {t->s}}", None);
        check("square s in a {square s in q {s->k}}", None);
        check("square s in a {2 >= square t in q {t->s}}", None);
        check("square s in a {square t in s {A->t}}", None);
    }

    #[test]
    fn conditions_on_single_squares_are_sets() {
        let is_whole = |query: &str| condition(query).is_some_and(|(_, whole)| whole);
        for query in [
            "square s in a {{a->s}==q}",
            "square s in a {q=={a->s}}",
            "square s in a {s=={a->k}}",
            "square s in a {parent:{s->k}}",
            "square s in a {to in between(s k)}",
            "square s in a {between(k s) & Q}",
            "square s in a {A->up 1 s}",
            "square s in a {down 0 7 (left 1 s|right 1 s) & P not horizontal s attacks k}",
        ] {
            assert!(is_whole(query), "{query}");
        }
        for query in [
            "square s in a {{a->s}=={A->s}}",
            "square s in a {to in between(s s)}",
            // The second step comes back to the board.
            "square s in a {right 1 (left 1 s) & Q}",
            "square s in a {up 1 s attacks up 2 s}",
        ] {
            assert!(!is_whole(query), "{query}");
        }
    }
}
