//! Restricts loops whose square is one of the next move.
//!
//! `piece hero in P { path focus hero -- … }` asks for every pawn whether it walks far. But a path
//! begins with a move that follows, and at most one of the pieces in the loop makes it (in a line
//! of the game). If the body begins with a path, after nothing but silent conditions, it fails
//! unnoticed for all other squares of the domain, which are left out. Assignments may come before
//! the path, too, if nothing reads the variable outside of loops that assign it first.
//!
//! A silent condition leaves nothing behind and cannot end in an error. The variables that it reads
//! are certain to be bound if only a loop binds them and they are read only inside of it.

use syntax::tree::VariableId;

use crate::effects::{Analysis, Effects, Flags};
use crate::program::plan::MoveEnd;
use crate::program::*;

/// The variables that are bound wherever they are read, and unbound where a loop begins: only loops
/// bind them, none of these loops is inside of another, and they are read only in such a loop. (The
/// images of a transform are loops over the same variable beside each other.)
#[derive(Clone)]
pub(crate) struct LoopVariables {
    /// The variables that are bound wherever they are read.
    bound: Vec<bool>,
    /// Those that are unbound where a loop over them begins.
    free: Vec<bool>,
    /// Those that are read only after the list of conditions around has assigned them: leaving the
    /// assignment out goes unnoticed if the rest of the list is left out as well.
    local: Vec<bool>,
}

impl LoopVariables {
    /// Finds these variables of a program.
    pub(crate) fn of(program: &Program, analysis: &mut Analysis<'_>) -> LoopVariables {
        let n = program.variables.len();
        let mut in_loops = vec![false; n];
        // variables that are kept from other games are bound already
        let variables = program.variables.iter();
        let mut others: Vec<bool> = variables.map(|v| v.persistent.is_some()).collect();
        let sets = program.sets.iter().filter_map(|filter| match filter {
            SetFilter::Loop(square_loop) => Some(square_loop),
            _ => None,
        });
        let bools = program.bools.iter().filter_map(|filter| match filter {
            BoolFilter::ForAll(square_loop) => Some(square_loop),
            _ => None,
        });
        for square_loop in sets.chain(bools) {
            let variable = square_loop.variable.0;
            let inside = analysis.bool(square_loop.body).loops;
            in_loops[variable as usize] = true;
            others[variable as usize] |= inside.contains(&variable);
        }
        for (index, filter) in program.bools.iter().enumerate() {
            let mut other = |v: VariableId| others[v.0 as usize] = true;
            match filter {
                BoolFilter::DictionaryLoop(variable, ..) => other(*variable),
                BoolFilter::Call(arguments, _) => arguments.iter().for_each(|&(v, _)| other(v)),
                BoolFilter::WholeGame(game) => game.men.iter().for_each(|m| other(m.variable)),
                _ => {}
            }
            let effects = analysis.bool(BoolId(index as u32));
            effects.writes.iter().for_each(|&v| other(VariableId(v)));
        }
        for path in &program.paths {
            path.atomic.iter().for_each(|v| others[v.0 as usize] = true);
        }
        // variables that are read outside of all loops over them
        let outside = analysis.reads_of_all();
        outside.iter().for_each(|&v| others[v as usize] = true);
        let pairs = in_loops.into_iter().zip(others);
        let bound: Vec<bool> = pairs.map(|(in_loop, other)| in_loop && !other).collect();
        LoopVariables { free: bound.clone(), local: vec![false; n], bound }
    }

    /// These variables, and those that lists of conditions assign for themselves. For conditions
    /// that are tested in place of the query as a whole: a filter that reads such a variable may not
    /// be evaluated before its list.
    pub(crate) fn with_local<'p>(
        mut self,
        program: &'p Program,
        analysis: &mut Analysis<'p>,
    ) -> LoopVariables {
        for variable in assigned_in_lists(program, analysis, &self) {
            self.bound[variable.0 as usize] = true;
            self.local[variable.0 as usize] = true;
        }
        self
    }

    /// Whether a filter with these effects reads a variable that its list assigns.
    pub(super) fn reads_local(&self, effects: &Effects) -> bool {
        effects.reads.iter().any(|&variable| self.local[variable as usize])
    }

    /// Whether a filter assigns a silent value to a variable that nothing outside of its list reads.
    pub(crate) fn is_local_assignment(&self, analysis: &mut Analysis<'_>, filter: BoolId) -> bool {
        self.local.contains(&true)
            && assignment(analysis, self, filter).is_some_and(|v| self.local[v.0 as usize])
    }

    /// These variables, and another one that is bound.
    pub(super) fn with(&self, variable: VariableId) -> LoopVariables {
        let mut variables = self.clone();
        variables.bound[variable.0 as usize] = true;
        variables
    }

    pub(super) fn has(&self, variable: VariableId) -> bool {
        self.bound[variable.0 as usize]
    }

    /// Whether a filter with these effects can be left out unnoticed where its value does not
    /// matter.
    pub(crate) fn is_silent(&self, effects: &Effects) -> bool {
        let may_be_unbound = effects.flags.has(Flags::UNBOUND);
        effects.is_pure()
            && !effects.flags.has(Flags::HARD_FAULTS)
            && (!may_be_unbound || effects.reads.iter().all(|&v| self.has(VariableId(v))))
            && self.may_enter(effects)
    }

    /// Whether no loop with these effects finds its variable bound.
    pub(super) fn may_enter(&self, effects: &Effects) -> bool {
        let may_be_bound = effects.flags.has(Flags::REBOUND);
        !may_be_bound || effects.loops.iter().all(|&v| self.free[v as usize])
    }
}

/// Restricts the loops of a program.
pub(super) fn restrict(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let local = local_variables(program, &mut analysis, &bound);
    let mut found = Vec::new();
    for (index, filter) in program.sets.iter().enumerate() {
        if let SetFilter::Loop(square_loop) = filter
            && bound.has(square_loop.variable)
        {
            let mut reader = ChoiceFinder {
                program,
                analysis: &mut analysis,
                bound: &bound,
                local: &local,
                variable: square_loop.variable,
            };
            found.extend(reader.end(square_loop.body).map(|end| (index, end)));
        }
    }
    for (index, end) in found {
        if let SetFilter::Loop(square_loop) = &mut program.sets[index] {
            square_loop.by_move = Some(end);
        }
    }
}

/// Returns the variables that are read only in loops that assign them first, whatever the square.
fn local_variables<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
) -> Vec<VariableId> {
    let mut assigning: Vec<(VariableId, Vec<SetId>)> = Vec::new();
    for (index, filter) in program.sets.iter().enumerate() {
        let SetFilter::Loop(square_loop) = filter else {
            continue;
        };
        for item in program.conjuncts(&square_loop.body) {
            let assigned = assignment(analysis, bound, *item);
            if assigned.is_none() && !bound.is_silent(&analysis.bool(*item)) {
                break;
            }
            let Some(variable) = assigned else {
                continue;
            };
            let is_read = analysis.set(square_loop.domain).reads.contains(&variable.0);
            let is_kept = program.variables[variable.0 as usize].persistent.is_some();
            if is_read || is_kept {
                continue;
            }
            let id = SetId(index as u32);
            match assigning.iter_mut().find(|(known, _)| *known == variable) {
                Some((_, loops)) => loops.push(id),
                None => assigning.push((variable, vec![id])),
            }
        }
    }
    let is_local = |(variable, loops): (VariableId, Vec<SetId>)| {
        let reads = Analysis::without(program, &loops).reads_of_all();
        (!reads.contains(&variable.0)).then_some(variable)
    };
    assigning.into_iter().filter_map(is_local).collect()
}

/// Maximum number of variables whose assignments are looked past.
const MOST_ASSIGNED: usize = 16;

/// Returns the variables that are read only in lists of conditions that assign them first, after the
/// assignment.
fn assigned_in_lists<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
) -> Vec<VariableId> {
    let bound_elsewhere = bound_by_filters(program);
    let mut assigning: Vec<(VariableId, Vec<BoolId>)> = Vec::new();
    for (index, filter) in program.bools.iter().enumerate() {
        let BoolFilter::All(items) = filter else {
            continue;
        };
        let mut read: Vec<u32> = Vec::new();
        for &item in items {
            let effects = analysis.bool(item);
            read.extend(&effects.reads);
            let Some(variable) = assignment(analysis, bound, item) else {
                continue;
            };
            let is_kept = program.variables[variable.0 as usize].persistent.is_some();
            if is_kept || read.contains(&variable.0) || bound_elsewhere.contains(&variable) {
                continue;
            }
            let id = BoolId(index as u32);
            match assigning.iter_mut().find(|(known, _)| *known == variable) {
                Some((_, lists)) => lists.push(id),
                None => assigning.push((variable, vec![id])),
            }
        }
    }
    // Each of them takes an analysis of the program.
    assigning.truncate(MOST_ASSIGNED);
    let is_local = |(variable, lists): (VariableId, Vec<BoolId>)| {
        let reads = Analysis::without_bools(program, &lists).reads_of_all();
        (!reads.contains(&variable.0)).then_some(variable)
    };
    assigning.into_iter().filter_map(is_local).collect()
}

/// Returns the variables that filters other than assignments bind, which may find them bound.
fn bound_by_filters(program: &Program) -> Vec<VariableId> {
    let mut bound = Vec::new();
    for filter in &program.sets {
        if let SetFilter::Loop(square_loop) = filter {
            bound.push(square_loop.variable);
        }
    }
    for filter in &program.bools {
        match filter {
            BoolFilter::ForAll(square_loop) => bound.push(square_loop.variable),
            BoolFilter::DictionaryLoop(variable, ..) => bound.push(*variable),
            BoolFilter::WholeGame(game) => bound.extend(game.men.iter().map(|man| man.variable)),
            BoolFilter::Echo(echo) => bound.extend([echo.source, echo.target]),
            _ => {}
        }
    }
    for filter in &program.nums {
        if let NumFilter::Echo(echo) = filter {
            bound.extend([echo.source, echo.target]);
        }
    }
    bound
}

/// The variable to which a filter assigns a silent value.
pub(super) fn assignment(
    analysis: &mut Analysis<'_>,
    bound: &LoopVariables,
    filter: BoolId,
) -> Option<VariableId> {
    let (variable, effects) = match analysis.program().bools[filter.0 as usize] {
        BoolFilter::Assign(variable, value) => (variable, analysis.value(value)),
        BoolFilter::AssignNonEmpty(variable, set) | BoolFilter::AssignPiece(variable, set) => {
            (variable, analysis.set(set))
        }
        _ => return None,
    };
    (bound.is_silent(&effects) && !effects.flags.has(Flags::COMMENTS)).then_some(variable)
}

struct ChoiceFinder<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    bound: &'a LoopVariables,
    /// The variables that may be assigned before the path.
    local: &'a [VariableId],
    variable: VariableId,
}

impl ChoiceFinder<'_, '_> {
    /// The end of a move that the first path of the body requires, if all conditions before are
    /// silent.
    fn end(&mut self, body: BoolId) -> Option<MoveEnd> {
        let program = self.program;
        for &item in program.conjuncts(&body) {
            if let Some(path) = path_of(program, item) {
                return self.end_of_path(path);
            }
            let effects = self.analysis.bool(item);
            let assigned = assignment(self.analysis, self.bound, item);
            if !self.bound.is_silent(&effects)
                && assigned.is_none_or(|variable| !self.local.contains(&variable))
            {
                return None;
            }
        }
        None
    }

    fn end_of_path(&mut self, path: PathId) -> Option<MoveEnd> {
        let program = self.program;
        let path = &program.paths[path.0 as usize];
        let dash = &program.dashes[path.automaton.opening?.0 as usize];
        for set in [path.focus, dash.left, dash.right].into_iter().flatten() {
            let effects = self.analysis.set(set);
            if !self.bound.is_silent(&effects) {
                return None;
            }
        }
        if self.is_variable(dash.left) || self.is_variable(path.focus) && !path.flags.focus_capture
        {
            Some(MoveEnd::From)
        } else if self.is_variable(dash.right) {
            Some(if dash.capture { MoveEnd::Captured } else { MoveEnd::To })
        } else {
            None
        }
    }

    fn is_variable(&self, set: Option<SetId>) -> bool {
        set.is_some_and(|set| {
            matches!(
                self.program.sets[set.0 as usize],
                SetFilter::Variable(v, _) | SetFilter::PieceVariable(v, _) if v == self.variable
            )
        })
    }
}

/// The path that must match before anything else is evaluated, if the condition has one.
fn path_of(program: &Program, condition: BoolId) -> Option<PathId> {
    match &program.bools[condition.0 as usize] {
        BoolFilter::Path(path) => Some(*path),
        BoolFilter::HasNumber(number) => path_of_number(program, *number),
        BoolFilter::CompareNumbers(_, left, right) => path_of_pair(program, *left, *right),
        BoolFilter::HasPosition(position) => match program.positions[position.0 as usize] {
            PosFilter::Path(path) => Some(path),
            _ => None,
        },
        _ => None,
    }
}

fn path_of_number(program: &Program, number: NumId) -> Option<PathId> {
    match &program.nums[number.0 as usize] {
        NumFilter::Path(path) => Some(*path),
        // The value comes before it is offered.
        NumFilter::Flow(Flow::Sort(_, sort)) => path_of_number(program, sort.body),
        NumFilter::Relation(_, left, right) => path_of_pair(program, *left, *right),
        _ => None,
    }
}

/// The path of a comparison, which fails if its left side does.
fn path_of_pair(program: &Program, left: NumId, right: NumId) -> Option<PathId> {
    match program.nums[left.0 as usize] {
        NumFilter::Constant(_) => path_of_number(program, right),
        _ => path_of_number(program, left),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::program::SetFilter;
    use crate::program::plan::MoveEnd;

    /// The restriction of the first loop of a query.
    fn end(query: &str) -> Option<MoveEnd> {
        let program = testing::compiled(query);
        let mut loops = program.sets.iter().filter_map(|set| match set {
            SetFilter::Loop(square_loop) => Some(square_loop.by_move),
            _ => None,
        });
        loops.next().expect("a loop")
    }

    #[test]
    fn squares_of_the_next_move_are_recognized() {
        let check = |query: &str, want| assert_eq!(end(query), want, "{query}");
        check("piece x in P {path focus x --}", Some(MoveEnd::From));
        check("flipcolor {piece x in P {path focus x --}}", Some(MoveEnd::From));
        check("square x in P {wtm path x-- --}", Some(MoveEnd::From));
        check("square x in . {path --x}", Some(MoveEnd::To));
        check("square x in . {path [x]x}", Some(MoveEnd::Captured));
        check("square x in . {path --x --}>=2", Some(MoveEnd::To));
        check("square x in . {2<=path --x --}", Some(MoveEnd::To));
        check("square x in . {x in N path quiet --x}", Some(MoveEnd::To));
        check("piece x in P {sort \"moves\" path focus x -- --}", Some(MoveEnd::From));
        check("piece x in P {home = x & . path focus x -- {not home}}", Some(MoveEnd::From));
        check("flipcolor {piece x in P {y = ply path focus x -- {y > 3}}}", Some(MoveEnd::From));
        // the variable is read elsewhere, before it is assigned, or after a game
        check("piece x in P {home = x & . path focus x --} home", None);
        check("y = 1 piece x in P {y > 1 y = ply path focus x --}", None);
        check("piece x in P {persistent y = ply path focus x --}", None);
        // the piece may be the captured one
        check("piece x in P {path focus capture x --}", None);
        check("square x in . {find check path --x}", None);
        check("square x in . {y=x path --x} y", None);
        check("square x in . {path --* --x}", None);
        // the variable may be bound already, which is an error
        check("x=a1 square x in . {path --x}", None);
        check("square x in P {path --x} square x in . {square x in P {path --x}}", None);
    }
}
