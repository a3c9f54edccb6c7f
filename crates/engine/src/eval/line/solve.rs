//! Searches a line whose filters only match: every arrival once.

use super::super::path::table::{Hit, MemoTable};
use super::search::{LineSearch, Neighbors};
use compiler::automaton::{Automaton, Instr, State, Take};

/// A pending task of the search.
enum LineSolveTask {
    Visit(State, u32),
    Neighbors(State, Neighbors),
    /// Ends the search of an arrival, stores its best match, and restores the earlier one, `below`.
    Close {
        arrival: u64,
        at: u32,
        below: Option<Hit>,
    },
}

impl LineSearch<'_, '_, '_> {
    /// Returns the first best match from the start.
    pub(super) fn solve_from_start(&mut self, table: &mut MemoTable) -> Option<Hit> {
        let tasks = vec![LineSolveTask::Visit(Automaton::START, self.start)];
        self.solve(tasks, None, table)
    }

    /// Returns the first best match from a state after a taken position.
    pub(super) fn arrival(&mut self, next: State, at: u32, table: &mut MemoTable) -> Option<Hit> {
        let arrival = self.automaton.arrival(next);
        if let Some(known) = table.get(arrival, at) {
            return known;
        }
        let tasks = vec![LineSolveTask::Neighbors(next, self.neighbors(at))];
        let ending = self.ending(next, at);
        let hit = self.solve(tasks, ending, table);
        self.e.go_to(at);
        hit
    }

    /// Returns the match that ends at the position just taken, if the state can end.
    fn ending(&self, next: State, at: u32) -> Option<Hit> {
        let ends = self.automaton.can_end(next);
        ends.then(|| self.hit(at)).flatten()
    }

    fn solve(
        &mut self,
        mut tasks: Vec<LineSolveTask>,
        mut best: Option<Hit>,
        table: &mut MemoTable,
    ) -> Option<Hit> {
        while let Some(task) = tasks.pop() {
            if !self.e.step() {
                break;
            }
            match task {
                LineSolveTask::Visit(state, at) => {
                    if self.line.flags.firstmatch && best.is_some() {
                        continue;
                    }
                    if let Some(take) = self.next_take(state, at, &mut tasks) {
                        self.try_taking(take, at, &mut best, &mut tasks, table);
                    }
                }
                LineSolveTask::Neighbors(state, mut neighbors) => {
                    if let Some(at) = self.next(&mut neighbors) {
                        tasks.push(LineSolveTask::Neighbors(state, neighbors));
                        tasks.push(LineSolveTask::Visit(state, at));
                    }
                }
                LineSolveTask::Close { arrival, at, below } => {
                    table.set(arrival, at, best);
                    let hit = std::mem::replace(&mut best, below);
                    Hit::offer(&mut best, hit);
                }
            }
        }
        best
    }

    /// Goes on in a state until a position is to be taken.
    fn next_take(
        &mut self,
        mut state: State,
        at: u32,
        tasks: &mut Vec<LineSolveTask>,
    ) -> Option<Take> {
        if self.is_passed_over(at) {
            tasks.push(LineSolveTask::Neighbors(state, self.neighbors(at)));
            return None;
        }
        loop {
            match self.automaton.step(state, self.room(at)) {
                Instr::Fork(first, second) => {
                    tasks.push(LineSolveTask::Visit(second, at));
                    state = first;
                }
                Instr::Take(take) => return Some(take),
                _ => return None,
            }
        }
    }

    fn try_taking(
        &mut self,
        take: Take,
        at: u32,
        best: &mut Option<Hit>,
        tasks: &mut Vec<LineSolveTask>,
        table: &MemoTable,
    ) {
        let arrival = self.automaton.arrival(take.next);
        let mark = self.e.mark();
        let matched = self.e.at(at, |e| e.matches(take.filter));
        self.e.drop_comments(mark);
        if !matched {
            return;
        }
        if let Some(known) = table.get(arrival, at) {
            Hit::offer(best, known);
            return;
        }
        let below = std::mem::replace(best, self.ending(take.next, at));
        tasks.push(LineSolveTask::Close { arrival, at, below });
        tasks.push(LineSolveTask::Neighbors(take.next, self.neighbors(at)));
    }
}
