//! Searches a path whose filters only match: every arrival once.
//!
//! The order of the search is that of [`super::search`], on a separate stack. A frame belongs to an
//! arrival and collects its first best match. When everything reachable from the arrival has been
//! tried, the match is stored in the table and passed to the frame below. Ends right after a move
//! are offered immediately, because there `firstmatch` still compares siblings.

use std::collections::HashSet;

use super::search::PathSearch;
use super::table::{Hit, MemoTable};
use super::task::DashMoves;
use compiler::automaton::{Automaton, Instr, State};

/// A pending task of the search.
enum PathSolveTask {
    Visit(State),
    Moves(DashMoves),
    /// Ends the search of an arrival and continues the search below it.
    Close {
        arrival: u64,
        below: Frame,
    },
}

/// State of the arrival that is being searched.
struct Frame {
    best: Option<Hit>,
    at: u32,
    count: i32,
    /// States visited here, recorded if a state can be visited twice. Everything reachable from a
    /// state is offered at its first visit.
    seen: HashSet<State>,
}

impl PathSearch<'_, '_, '_> {
    /// Returns the first best match from the start.
    pub(super) fn solve_from_start(&mut self, table: &mut MemoTable) -> Option<Hit> {
        let at = self.e.at;
        self.solve(Automaton::START, at, 0, table)
    }

    /// Returns the first best match from an arrival.
    pub(super) fn arrival(
        &mut self,
        state: State,
        at: u32,
        count: i32,
        table: &mut MemoTable,
    ) -> Option<Hit> {
        let arrival = self.automaton.arrival(state);
        if let Some(known) = table.get(arrival, at) {
            return known;
        }
        let hit = self.solve(state, at, count, table);
        if self.e.state.fault.is_none() {
            table.set(arrival, at, hit);
        }
        hit
    }

    fn solve(&mut self, state: State, at: u32, count: i32, table: &mut MemoTable) -> Option<Hit> {
        let (outer_at, outer_count) = (self.e.at, self.count);
        let mut frame = Frame { best: None, at, count, seen: HashSet::new() };
        self.go_to(&frame);
        let mut tasks = vec![PathSolveTask::Visit(state)];
        while let Some(task) = tasks.pop() {
            if !self.step() {
                break;
            }
            match task {
                PathSolveTask::Visit(state) => {
                    self.visit_solving(state, &mut frame, &mut tasks, table)
                }
                PathSolveTask::Moves(moves) => {
                    let next = self.try_solving(moves, &mut frame, &mut tasks, table);
                    tasks.extend(next.map(PathSolveTask::Visit));
                }
                PathSolveTask::Close { arrival, below } => {
                    table.set(arrival, frame.at, frame.best);
                    let best = std::mem::replace(&mut frame, below).best;
                    Hit::offer(&mut frame.best, best);
                    self.go_to(&frame);
                }
            }
        }
        self.e.go_to(outer_at);
        self.count = outer_count;
        self.set_progress(outer_count);
        frame.best
    }

    fn go_to(&mut self, frame: &Frame) {
        self.e.go_to(frame.at);
        self.count = frame.count;
        self.set_progress(frame.count);
    }

    /// Goes on in a state until nothing is left to do here.
    fn visit_solving(
        &mut self,
        mut state: State,
        frame: &mut Frame,
        tasks: &mut Vec<PathSolveTask>,
        table: &MemoTable,
    ) {
        let mark = self.e.mark();
        while self.step() {
            if self.is_decided(frame) && !self.automaton.is_end(state) {
                return;
            }
            let step = self.automaton.step(state, self.room());
            if step == Instr::End {
                if self.e.at != self.start {
                    self.offer_end(frame, self.e.at, self.count);
                }
                return;
            }
            state = match step {
                Instr::Test(filter, next) => {
                    let matched = self.e.matches(filter);
                    self.e.drop_comments(mark);
                    if !matched {
                        return;
                    }
                    next
                }
                Instr::Fork(first, second) => {
                    if self.automaton.nullable_repeats && !frame.seen.insert(state) {
                        return;
                    }
                    tasks.push(PathSolveTask::Visit(second));
                    first
                }
                Instr::Move(dash, next) => {
                    let Some(moves) = self.moves(dash, next) else {
                        return;
                    };
                    self.e.drop_comments(mark);
                    match self.try_solving(moves, frame, tasks, table) {
                        Some(next) => next,
                        None => return,
                    }
                }
                _ => return,
            };
        }
    }

    /// Whether `firstmatch` ends the search.
    fn is_decided(&self, frame: &Frame) -> bool {
        self.path.flags.firstmatch && frame.best.is_some()
    }

    /// Looks up the arrivals after the matching moves. The first one that has not been searched
    /// becomes the frame, and its state is returned.
    fn try_solving(
        &mut self,
        mut moves: DashMoves,
        frame: &mut Frame,
        tasks: &mut Vec<PathSolveTask>,
        table: &MemoTable,
    ) -> Option<State> {
        let ends = self.automaton.is_end(moves.next);
        loop {
            if !ends && self.is_decided(frame) {
                return None;
            }
            let (child, operands) = self.next_move(&mut moves)?;
            let matched = self.leads_on(&moves, child, operands);
            self.e.drop_comments(moves.mark);
            if !matched {
                continue;
            }
            if ends {
                self.offer_end(frame, child, moves.count + 1);
                continue;
            }
            let arrival = self.automaton.arrival(moves.next);
            if let Some(known) = table.get(arrival, child) {
                Hit::offer(&mut frame.best, known);
                continue;
            }
            let opened =
                Frame { best: None, at: child, count: moves.count + 1, seen: HashSet::new() };
            let below = std::mem::replace(frame, opened);
            let next = moves.next;
            // the remaining moves are tried when the frame has been closed
            tasks.push(PathSolveTask::Moves(moves));
            tasks.push(PathSolveTask::Close { arrival, below });
            self.go_to(frame);
            return Some(next);
        }
    }

    fn offer_end(&mut self, frame: &mut Frame, end: u32, count: i32) {
        let mark = self.e.mark();
        let hit = self.hit(end, count);
        self.e.drop_comments(mark);
        Hit::offer(&mut frame.best, hit);
    }
}
