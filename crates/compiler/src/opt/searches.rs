//! Chooses how paths and lines are searched.
//!
//! A pattern whose filters do nothing but match, and make comments at most, has a future that
//! depends only on the state of the pattern and the position of the game: it may be searched with a
//! table (the `path::table` of the evaluator). A table pays if it is used again, that is, if
//! repetitions reach a state in several ways or go on to the end of the game. If filters read
//! variables, there is a table for each choice of their values: a path inside of a loop over
//! squares is evaluated for the same squares at one position after the other.
//!
//! Most paths begin with a dash, and at most positions no move matches it. Trying the dash first
//! saves preparing a search.

use syntax::tree::VariableId;

use crate::automaton::{Automaton, Instr, PatternNode, Strategy};
use crate::effects::{Analysis, Effects, Flags};
use crate::program::*;

/// Sets the strategies of all paths and lines.
pub(super) fn choose(program: &mut Program) {
    let openings = openings(program);
    for (path, opening) in program.paths.iter_mut().zip(openings) {
        path.automaton.opening = opening;
    }
    let variables = variables(program);
    let mut strategies = strategies(program).into_iter();
    let mut index = 0;
    for_each_automaton(program, |automaton| {
        automaton.index = index;
        index += 1;
        if let Some(strategy) = strategies.next() {
            automaton.strategy = strategy;
        }
    });
    for (path, variables) in program.paths.iter_mut().zip(variables) {
        if let Strategy::Tabled { whole_game, .. } = &mut path.automaton.strategy
            && !variables.is_empty()
        {
            *whole_game = true;
            path.automaton.variables = variables;
        }
    }
}

/// For each path, the variables whose values, together with a state and a position, determine the
/// result of its search; empty if something else does as well.
fn variables(program: &Program) -> Vec<Box<[VariableId]>> {
    let mut analysis = Analysis::new(program);
    let mut of_path = |path: &Path| {
        let any_start = path.focus.is_none() && !path.flags.single_color;
        let key = any_start.then(|| analysis.inside_path(path).key(program));
        key.flatten().unwrap_or_default()
    };
    program.paths.iter().map(&mut of_path).collect()
}

/// For each path, the dash with which its search begins, if evaluating the operands once more goes
/// unnoticed.
fn openings(program: &Program) -> Vec<Option<DashId>> {
    let mut analysis = Analysis::new(program);
    let mut opening = |path: &Path| {
        let Instr::Move(id, _) = path.automaton.step(Automaton::START, 0) else {
            return None;
        };
        let dash = &program.dashes[id.0 as usize];
        let operands = [dash.left, dash.right].into_iter().flatten();
        let operands_repeat = operands.into_iter().all(|set| {
            let effects = analysis.set(set);
            let inside = Flags::PROGRESS | Flags::BEST | Flags::LINEARIZED;
            effects.is_pure() && !effects.flags.has(Flags::COMMENTS | inside)
        });
        operands_repeat.then_some(id)
    };
    program.paths.iter().map(&mut opening).collect()
}

/// The strategies, in the order of [`for_each_automaton`].
fn strategies(program: &Program) -> Vec<Strategy> {
    let mut analysis = Analysis::new(program);
    let mut strategies = Vec::new();
    for path in &program.paths {
        let effects = analysis.inside_path(path);
        let any_start = path.focus.is_none() && !path.flags.single_color;
        strategies.push(strategy(&path.automaton, &effects, any_start));
    }
    let bools = program.bools.iter().filter_map(|filter| match filter {
        BoolFilter::Line(line) => Some(line),
        _ => None,
    });
    let nums = program.nums.iter().filter_map(|filter| match filter {
        NumFilter::Line(line) => Some(line),
        _ => None,
    });
    let positions = program.positions.iter().filter_map(|filter| match filter {
        PosFilter::Line(line) => Some(line),
        _ => None,
    });
    for line in bools.chain(nums).chain(positions) {
        let effects = analysis.inside_line(line);
        strategies.push(strategy(&line.automaton, &effects, !line.flags.single_color));
    }
    strategies
}

fn for_each_automaton(program: &mut Program, mut visit: impl FnMut(&mut Automaton)) {
    for path in &mut program.paths {
        visit(&mut path.automaton);
    }
    for filter in &mut program.bools {
        if let BoolFilter::Line(line) = filter {
            visit(&mut line.automaton);
        }
    }
    for filter in &mut program.nums {
        if let NumFilter::Line(line) = filter {
            visit(&mut line.automaton);
        }
    }
    for filter in &mut program.positions {
        if let PosFilter::Line(line) = filter {
            visit(&mut line.automaton);
        }
    }
}

fn strategy(automaton: &Automaton, effects: &Effects, any_start: bool) -> Strategy {
    // the meaning of a `move` filter of a line depends on the child that is tried
    let linearizes = (automaton.nodes().iter())
        .any(|node| matches!(node, PatternNode::Take { linearize: true, .. }));
    let is_pure = effects.is_pure() && !effects.flags.has(Flags::BEST);
    if linearizes || !is_pure || !automaton.wants_table {
        return Strategy::Plain;
    }
    Strategy::Tabled {
        whole_game: any_start && effects.is_fixed(),
        comments: effects.flags.has(Flags::COMMENTS),
    }
}
