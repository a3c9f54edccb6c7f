//! Echoes that look only at the positions that can match.
//!
//! The body of an echo is mostly a conjunction. Of its leading conditions, those without effects
//! are sorted by what they depend on: the second position alone (tested once for every position
//! of a game), the first alone (tested once for every first position), the order of the two, and
//! sets of the one that must equal sets of the other (looked up by their values). What remains is
//! the list of positions for which the body is evaluated in full, in the order of their ids, so
//! the result is the one of trying them all: a position that is passed over would have failed a
//! condition before anything in the body could leave a trace.

use syntax::tree::{Relation, VariableId};

use crate::effects::{Analysis, Effects, Flags};
use crate::program::*;

/// What an echo can know before it evaluates its body.
#[derive(Debug, Clone, Default)]
pub(crate) struct EchoPlan {
    /// Must match at the second position.
    pub(crate) target: Vec<BoolId>,
    /// Must match at the first position.
    pub(crate) source: Vec<BoolId>,
    /// Sets at the second position, and those at the first that must be equal to them.
    pub(crate) keys: Vec<(SetId, SetId)>,
    /// The second position must have the greater id.
    pub(crate) ascending: bool,
    /// The second position must have the smaller id.
    pub(crate) descending: bool,
}

/// Makes plans for all echoes.
pub(super) fn plan(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let mut plans = Vec::new();
    let mut of_bools = Vec::new();
    for (index, filter) in program.bools.iter().enumerate() {
        if let BoolFilter::Echo(echo) = filter {
            let planner = Planner::new(program, echo.source, echo.target);
            if let Some(plan) = planner.plan(&mut analysis, &[echo.body]) {
                of_bools.push((index, plans.len() as u32));
                plans.push(plan);
            }
        }
    }
    let mut of_nums = Vec::new();
    for (index, filter) in program.nums.iter().enumerate() {
        if let NumFilter::Echo(echo) = filter {
            let planner = Planner::new(program, echo.source, echo.target);
            let conditions: &[BoolId] = match &program.nums[echo.body.0 as usize] {
                NumFilter::Flow(Flow::Block(conditions, _)) => conditions,
                _ => continue,
            };
            if let Some(plan) = planner.plan(&mut analysis, conditions) {
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
        Planner {
            program,
            source,
            target,
            plan: EchoPlan::default(),
        }
    }

    fn plan(mut self, analysis: &mut Analysis<'_>, conditions: &[BoolId]) -> Option<EchoPlan> {
        self.add_all(analysis, conditions);
        let plan = self.plan;
        let useful = plan.ascending
            || plan.descending
            || !plan.target.is_empty()
            || !plan.source.is_empty()
            || !plan.keys.is_empty();
        useful.then_some(plan)
    }

    /// Adds conditions up to the first that has effects; `false` where there is one.
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
                let key = self
                    .key(analysis, *left, *right)
                    .or_else(|| self.key(analysis, *right, *left));
                self.plan.keys.extend(key);
            }
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

    /// A set at the second position that must equal one at the first.
    fn key(
        &self,
        analysis: &mut Analysis<'_>,
        target: SetId,
        source: SetId,
    ) -> Option<(SetId, SetId)> {
        if !self.reads_target_only(&analysis.set(target)) {
            return None;
        }
        match self.program.sets[source.0 as usize] {
            SetFilter::Flow(Flow::At(position, set))
                if self.is_variable(position, self.source)
                    && analysis.set(set).reads.is_empty() =>
            {
                Some((target, set))
            }
            _ => None,
        }
    }

    fn reads_target_only(&self, effects: &Effects) -> bool {
        effects.reads.iter().all(|&v| v == self.target.0)
    }

    fn is_variable(&self, position: PosId, variable: VariableId) -> bool {
        matches!(
            self.program.positions[position.0 as usize],
            PosFilter::Variable(v, _) if v == variable
        )
    }
}

/// Whether evaluating a condition of the body goes unnoticed, once both variables are bound.
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
