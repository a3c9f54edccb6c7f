//! Plans echoes so that they look only at positions that can match.
//!
//! The body of an echo is mostly a conjunction. Of its leading conditions, those without effects
//! are sorted by what they depend on: the second position alone (tested once for every position of
//! a game), the first alone (tested once for every first position), the order of the two, and sets,
//! numbers, sides to move and boards of the one that must equal those of the other (looked up by a
//! hash of their values). The body is evaluated in full only for the positions that remain, in the
//! order of their ids, so the result equals that of trying them all: a position that is skipped
//! would have failed a condition before anything in the body could leave a trace.

use syntax::builtin::{NumberSource, PositionsToNumber, SetToNumber};
use syntax::tree::{Relation, VariableId};

use crate::effects::{Analysis, Effects, Flags};
use crate::program::plan::{EchoKey, EchoPlan};
use crate::program::*;

/// Makes plans for all echoes.
pub(super) fn plan(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let mut plans = Vec::new();
    let mut of_bools = Vec::new();
    for (index, filter) in program.bools.iter().enumerate() {
        if let BoolFilter::Echo(echo) = filter {
            let planner = Planner::new(program, echo.source, echo.target);
            if let Some(plan) = planner.plan(&mut analysis, &[echo.body], None) {
                of_bools.push((index, plans.len() as u32));
                plans.push(plan);
            }
        }
    }
    let mut of_nums = Vec::new();
    for (index, filter) in program.nums.iter().enumerate() {
        if let NumFilter::Echo(echo) = filter {
            let planner = Planner::new(program, echo.source, echo.target);
            let (conditions, value): (&[BoolId], NumId) = match &program.nums[echo.body.0 as usize]
            {
                NumFilter::Flow(Flow::Block(conditions, value)) => (conditions, *value),
                _ => (&[], echo.body),
            };
            if let Some(plan) = planner.plan(&mut analysis, conditions, Some(value)) {
                of_nums.push((index, plans.len() as u32));
                plans.push(plan);
            }
        }
    }
    for (index, plan) in of_bools {
        if let BoolFilter::Echo(echo) = &mut program.bools[index] {
            echo.plan = Some(plan);
        }
    }
    for (index, plan) in of_nums {
        if let NumFilter::Echo(echo) = &mut program.nums[index] {
            echo.plan = Some(plan);
        }
    }
    program.echo_plans = plans;
}

struct Planner<'p> {
    program: &'p Program,
    source: VariableId,
    target: VariableId,
    plan: EchoPlan,
}

impl<'p> Planner<'p> {
    fn new(program: &'p Program, source: VariableId, target: VariableId) -> Planner<'p> {
        Planner { program, source, target, plan: EchoPlan::default() }
    }

    fn plan(
        mut self,
        analysis: &mut Analysis<'_>,
        conditions: &[BoolId],
        value: Option<NumId>,
    ) -> Option<EchoPlan> {
        let all = self.add_all(analysis, conditions);
        if let Some(value) = value.filter(|_| all) {
            self.add_value(analysis, value);
        }
        self.plan.is_traceless = all;
        let plan = self.plan;
        let useful = plan.ascending
            || plan.descending
            || plan.distance > 0
            || !plan.target.is_empty()
            || !plan.source.is_empty()
            || !plan.keys.is_empty();
        useful.then_some(plan)
    }

    /// Adds conditions up to the first that has effects; `false` if there is one.
    fn add_all(&mut self, analysis: &mut Analysis<'_>, conditions: &[BoolId]) -> bool {
        conditions.iter().all(|&id| self.add(analysis, id))
    }

    fn add(&mut self, analysis: &mut Analysis<'_>, id: BoolId) -> bool {
        let program = self.program;
        let filter = &program.bools[id.0 as usize];
        if let BoolFilter::All(items) = filter {
            return self.add_all(analysis, items);
        }
        let effects = analysis.bool(id);
        if !leaves_no_trace(&effects) {
            return false;
        }
        match filter {
            BoolFilter::HasPosition(position) => self.add_order(*position),
            BoolFilter::SetsEqual(left, right) => {
                for (target, source) in [(*left, *right), (*right, *left)] {
                    let is_key = self.reads_target_only(&analysis.set(target))
                        && self.is_set_of_source(analysis, source);
                    if is_key {
                        let source = self.set_at_source(source);
                        self.plan.keys_read_source |= !analysis.set(source).reads.is_empty();
                        self.plan.keys.push(EchoKey::Sets(target, source));
                        break;
                    }
                }
            }
            BoolFilter::CompareNumbers(relation, left, right) => {
                self.add_comparison(analysis, *relation, *left, *right);
            }
            BoolFilter::HasNumber(number) => self.add_value(analysis, *number),
            BoolFilter::Not(item) => {
                if let BoolFilter::CompareNumbers(Relation::Equal, left, right) =
                    &program.bools[item.0 as usize]
                {
                    self.add_other_turn(*left, *right);
                }
            }
            BoolFilter::NumbersDiffer(left, right) => self.add_other_turn(*left, *right),
            BoolFilter::CompareCount(relation, set, n) => self.add_board(*relation, *set, *n),
            BoolFilter::At(position, body)
                if self.is_variable(*position, self.source)
                    && analysis.bool(*body).reads.is_empty() =>
            {
                self.plan.source.push(*body);
            }
            _ => {}
        }
        if self.reads_target_only(&effects) {
            self.plan.target.push(id);
        }
        true
    }

    fn add_order(&mut self, position: PosId) {
        let PosFilter::Relation(op, left, right) = self.program.positions[position.0 as usize]
        else {
            return;
        };
        let forward = self.is_variable(left, self.source) && self.is_variable(right, self.target);
        let backward = self.is_variable(left, self.target) && self.is_variable(right, self.source);
        match op {
            Relation::Less | Relation::Ancestor if forward => self.plan.ascending = true,
            Relation::Less | Relation::Ancestor if backward => self.plan.descending = true,
            Relation::Greater | Relation::Descendant if forward => self.plan.descending = true,
            Relation::Greater | Relation::Descendant if backward => self.plan.ascending = true,
            _ => {}
        }
    }

    /// Adds the conditions under which a number has a value.
    fn add_value(&mut self, analysis: &mut Analysis<'_>, number: NumId) {
        let nums = &self.program.nums;
        let NumFilter::Relation(relation, left, right) = &nums[number.0 as usize] else {
            return;
        };
        if !leaves_no_trace(&analysis.num(number)) {
            return;
        }
        if let NumFilter::Cardinality(set) = nums[left.0 as usize]
            && let NumFilter::Constant(n) = nums[right.0 as usize]
        {
            self.add_board(*relation, set, n);
        } else {
            self.add_comparison(analysis, *relation, *left, *right);
        }
    }

    fn add_comparison(
        &mut self,
        analysis: &mut Analysis<'_>,
        relation: Relation,
        left: NumId,
        right: NumId,
    ) {
        if relation == Relation::Equal {
            self.add_equal_numbers(analysis, left, right);
        }
        self.add_distance(relation, left, right);
    }

    /// Adds the minimum distance of the positions.
    fn add_distance(&mut self, relation: Relation, left: NumId, right: NumId) {
        let number = |id: NumId| &self.program.nums[id.0 as usize];
        let is_distance = |id: NumId| match *number(id) {
            NumFilter::OfPositions(PositionsToNumber::Distance, one, other) => {
                self.are_both([one, other])
            }
            _ => false,
        };
        let least = match (relation, number(left), number(right)) {
            (Relation::Greater, _, NumFilter::Constant(n)) if is_distance(left) => {
                n.saturating_add(1)
            }
            (Relation::Less, NumFilter::Constant(n), _) if is_distance(right) => {
                n.saturating_add(1)
            }
            (Relation::GreaterEqual, _, NumFilter::Constant(n)) if is_distance(left) => *n,
            (Relation::LessEqual, NumFilter::Constant(n), _) if is_distance(right) => *n,
            _ => return,
        };
        let least = u32::try_from(least).unwrap_or(0);
        self.plan.distance = self.plan.distance.max(least);
    }

    fn add_equal_numbers(&mut self, analysis: &mut Analysis<'_>, left: NumId, right: NumId) {
        for (target, source) in [(left, right), (right, left)] {
            let is_key = self.reads_target_only(&analysis.num(target))
                && self.is_number_of_source(analysis, source);
            if is_key {
                let source = self.number_at_source(source);
                self.plan.keys_read_source |= !analysis.num(source).reads.is_empty();
                self.plan.keys.push(EchoKey::Numbers(target, source));
                break;
            }
        }
    }

    /// Adds the key of different sides to move if two numbers that must differ are those.
    fn add_other_turn(&mut self, left: NumId, right: NumId) {
        let number = |id: NumId| &self.program.nums[id.0 as usize];
        let is_turn_of_source = |id: NumId| match number(id) {
            NumFilter::Flow(Flow::At(position, body)) => {
                self.is_variable(*position, self.source)
                    && matches!(number(*body), NumFilter::Source(NumberSource::SideToMove))
            }
            _ => false,
        };
        let is_turn = |id: NumId| matches!(number(id), NumFilter::Source(NumberSource::SideToMove));
        if is_turn(left) && is_turn_of_source(right) || is_turn_of_source(left) && is_turn(right) {
            self.plan.keys.push(EchoKey::OtherTurn);
        }
    }

    /// Adds the key of equal boards, from the condition that all squares have the same content.
    fn add_board(&mut self, relation: Relation, set: SetId, n: i32) {
        let SetFilter::SameContent(one, other) = self.program.sets[set.0 as usize] else {
            return;
        };
        let is_all = matches!(
            (relation, n),
            (Relation::Equal | Relation::GreaterEqual, 64) | (Relation::Greater, 63)
        );
        if is_all && self.are_both([one, other]) {
            self.plan.keys.push(EchoKey::Board);
        }
    }

    /// Whether the set is one of the first position, wherever it is evaluated.
    fn is_set_of_source(&self, analysis: &mut Analysis<'_>, set: SetId) -> bool {
        match &self.program.sets[set.0 as usize] {
            SetFilter::Constant(_) => true,
            SetFilter::Flow(Flow::At(position, body)) => {
                self.is_variable(*position, self.source) && analysis.set(*body).reads.is_empty()
            }
            SetFilter::Union(left, right) | SetFilter::Intersect(left, right) => {
                self.is_set_of_source(analysis, *left) && self.is_set_of_source(analysis, *right)
            }
            SetFilter::Complement(operand) | SetFilter::Direction(_, _, operand, _)
                if analysis.set(set).reads == [self.source.0] =>
            {
                self.is_set_of_source(analysis, *operand)
            }
            _ => false,
        }
    }

    /// Whether the number is one of the first position, wherever it is evaluated.
    fn is_number_of_source(&self, analysis: &mut Analysis<'_>, number: NumId) -> bool {
        match &self.program.nums[number.0 as usize] {
            NumFilter::Constant(_) => true,
            NumFilter::Flow(Flow::At(position, body)) => {
                self.is_variable(*position, self.source) && analysis.num(*body).reads.is_empty()
            }
            NumFilter::Cardinality(set)
            | NumFilter::OfSet(SetToNumber::File | SetToNumber::Rank, set) => {
                self.is_set_of_source(analysis, *set)
            }
            NumFilter::Arithmetic(_, left, right) => {
                self.is_number_of_source(analysis, *left)
                    && self.is_number_of_source(analysis, *right)
            }
            _ => false,
        }
    }

    /// The set that has the value of `set` when the first position is the current one.
    fn set_at_source(&self, set: SetId) -> SetId {
        match &self.program.sets[set.0 as usize] {
            SetFilter::Flow(Flow::At(position, body))
                if self.is_variable(*position, self.source) =>
            {
                *body
            }
            _ => set,
        }
    }

    /// The number that has the value of `number` when the first position is the current one.
    fn number_at_source(&self, number: NumId) -> NumId {
        match &self.program.nums[number.0 as usize] {
            NumFilter::Flow(Flow::At(position, body))
                if self.is_variable(*position, self.source) =>
            {
                *body
            }
            _ => number,
        }
    }

    fn reads_target_only(&self, effects: &Effects) -> bool {
        effects.reads.iter().all(|&v| v == self.target.0)
    }

    /// Whether these are the two positions, in any order.
    fn are_both(&self, [one, other]: [PosId; 2]) -> bool {
        let are =
            |one, other| self.is_variable(one, self.source) && self.is_variable(other, self.target);
        are(one, other) || are(other, one)
    }

    fn is_variable(&self, position: PosId, variable: VariableId) -> bool {
        matches!(
            self.program.positions[position.0 as usize],
            PosFilter::Variable(v, _) if v == variable
        )
    }
}

/// Whether evaluating a condition of the body leaves no trace, once both variables are bound.
fn leaves_no_trace(effects: &Effects) -> bool {
    let traces = Flags::COMMENTS
        | Flags::ACTS
        | Flags::STATE
        | Flags::PROGRESS
        | Flags::BEST
        | Flags::SCOPED
        | Flags::LINEARIZED
        | Flags::OTHER_FAULTS;
    effects.writes.is_empty() && !effects.flags.has(traces)
}

#[cfg(test)]
mod tests {
    use super::super::testing;

    #[test]
    fn what_must_be_equal_is_looked_up() {
        let check = |body: &str, n_keys: usize| {
            let program = testing::compiled(&format!("echo quiet (s t) {{{body}}}"));
            let n = program.echo_plans.first().map_or(0, |plan| plan.keys.len());
            assert_eq!(n, n_keys, "{body}");
        };
        check("K==s:K s:k==k wtm", 2);
        check("sidetomove==s:sidetomove not K & s:K", 1);
        check("sidetomove!=s:sidetomove wtm", 1);
        check("not sidetomove==s:sidetomove wtm", 1);
        check("#A==s:#A #a==s:#A-1 wtm", 2);
        check("K==up s:K wtm", 1);
        check("#(s & t)==64", 1);
        check("K==s:K #(s & t)==64", 2);
        // nothing after an effect
        check("comment(\"x\") K==s:K wtm", 0);
        check("K==s:K $x=k R==s:R wtm", 1);
        // neither compares the one position with the other
        check("K==t:K #A==t:#a wtm", 0);
        check("#(s & t)>=63 #(s & s)==64 wtm", 0);
    }

    #[test]
    fn a_body_without_a_trace_is_recognized() {
        let check = |body: &str, expected: bool| {
            let program = testing::compiled(&format!("echo quiet (s t) {{{body}}}"));
            assert_eq!(program.echo_plans[0].is_traceless, expected, "{body}");
        };
        check("s<t K==s:K", true);
        check("s<t K==s:K comment(\"x\")", false);
        check("s<t {K==s:K message(\"x\")}", false);
        check("s<t $x=k", false);
    }

    #[test]
    fn how_far_the_positions_are_apart() {
        let check = |body: &str, want: u32| {
            let program = testing::compiled(&format!("echo quiet (s t) {{{body}}}"));
            let distance = program.echo_plans.first().map_or(0, |plan| plan.distance);
            assert_eq!(distance, want, "{body}");
        };
        check("distance(s t)>=10 s<t", 10);
        check("s<t distance(t s)>10", 11);
        check("10<distance(s t) distance(s t)>=3", 11);
        check("4<=distance(s t)", 4);
        check("distance(s t)<=10", 0);
        check("10>distance(s t)", 0);
        check("distance(s s)>=10", 0);
        check("distance(s t)>=-1", 0);
        check("not distance(s t)>=10", 0);
        check("comment(\"x\") distance(s t)>=10", 0);
        check("distance(s t)==10", 0);
    }

    #[test]
    fn what_is_asked_of_the_target_is_told_from_the_board() {
        let check = |body: &str, n_tests: usize, is_exact: bool| {
            let program = testing::compiled(&format!("echo quiet (s t) {{{body}}}"));
            let screen = &program.echo_plans[0].screen;
            let n = screen.tests.len() + screen.material.len();
            assert_eq!((n, screen.is_exact), (n_tests, is_exact), "{body}");
        };
        check("t:#[QRqr]<=4 wtm", 2, true);
        check("s<t #[QRqr]<=4 wtm", 2, true);
        check("#t:[QRqr]<=4 wtm", 2, true);
        check("t:#[QRqr]<=t:#[Pp] wtm", 2, true);
        check("s<t Kf3 t:Ra1 mate", 3, false);
        // A condition on the first position says nothing of the second.
        check("s:#[QRqr]<=4 wtm", 1, true);
        check("#s:[QRqr]<=4 wtm", 1, true);
    }
}
