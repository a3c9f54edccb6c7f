//! Searches a line as it is defined: depth first, with all effects.
//!
//! As for paths, pending tasks are on a stack. A guided search knows the best match and follows
//! only the way to it.

use board::Color;

use super::super::evaluator::Evaluator;
use super::super::notes::Note;
use super::super::path::table::{Hit, MemoTable};
use compiler::automaton::{Automaton, Instr, State, Take};
use compiler::program::LineFilter;

/// The best match, with the comments that existed when it was recorded.
#[derive(Debug, Default)]
pub(super) struct LineMatch {
    pub(super) best: Option<Hit>,
    pub(super) notes: Vec<Note>,
}

/// The positions adjacent to a position that a line may go on with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbors {
    next: Option<u32>,
    end: u32,
}

/// A pending task of the search.
#[derive(Debug)]
enum LineTask {
    /// Goes on in a state with a position that has not been taken yet.
    Visit(State, u32),
    /// Goes on with the next adjacent position.
    Neighbors(State, Neighbors),
    /// Drops the comments made since a mark, after the matches with a taken position have been
    /// searched.
    Leave(usize),
    /// Takes a position once for each child, while `move` filters see only that child.
    Children(Take, u32, Neighbors),
}

/// Tells the search where the best match ends, if that is known.
pub(super) enum Guide<'t> {
    Nobody,
    /// Go to the first match with this end.
    To(Hit, &'t mut MemoTable),
}

/// A search of a line.
pub(super) struct LineSearch<'s, 'a, 'p> {
    pub(super) e: &'s mut Evaluator<'a>,
    pub(super) line: &'p LineFilter,
    pub(super) automaton: &'p Automaton,
    pub(super) start: u32,
    turn: Color,
    found: LineMatch,
    /// Number of comments at the start.
    base: usize,
    tasks: Vec<LineTask>,
    done: bool,
}

impl<'s, 'a, 'p> LineSearch<'s, 'a, 'p> {
    pub(super) fn new(e: &'s mut Evaluator<'a>, line: &'p LineFilter) -> Self {
        LineSearch {
            start: e.at,
            turn: e.here().turn,
            line,
            automaton: &line.automaton,
            found: LineMatch::default(),
            base: e.mark(),
            tasks: Vec::new(),
            done: false,
            e,
        }
    }

    /// Searches from the start and returns the best match.
    pub(super) fn run(mut self, mut guide: Guide<'_>) -> LineMatch {
        self.tasks.push(LineTask::Visit(Automaton::START, self.start));
        while let Some(task) = self.tasks.pop() {
            if !self.e.step() {
                break;
            }
            match task {
                LineTask::Visit(state, at) => self.visit(state, at, &mut guide),
                LineTask::Neighbors(state, mut neighbors) => {
                    if let Some(at) = self.next(&mut neighbors) {
                        self.tasks.push(LineTask::Neighbors(state, neighbors));
                        self.tasks.push(LineTask::Visit(state, at));
                    }
                }
                LineTask::Leave(mark) => self.e.drop_comments(mark),
                LineTask::Children(take, at, children) => self.take_with_child(take, at, children),
            }
            if self.done {
                break;
            }
        }
        self.found
    }

    fn visit(&mut self, mut state: State, at: u32, guide: &mut Guide<'_>) {
        self.e.go_to(at);
        if self.line.flags.firstmatch && self.found.best.is_some() {
            return;
        }
        if self.is_passed_over(at) {
            let neighbors = self.neighbors(at);
            self.tasks.push(LineTask::Neighbors(state, neighbors));
            return;
        }
        loop {
            match self.automaton.step(state, self.room(at)) {
                Instr::Fork(first, second) => {
                    self.tasks.push(LineTask::Visit(second, at));
                    state = first;
                }
                Instr::Take(take) => return self.take(take, at, guide),
                _ => return,
            }
        }
    }

    fn take(&mut self, take: Take, at: u32, guide: &mut Guide<'_>) {
        let neighbors = self.neighbors(at);
        if take.linearize && self.line.flags.forward && neighbors.next.is_some() {
            self.tasks.push(LineTask::Children(take, at, neighbors));
            return;
        }
        let mark = self.e.mark();
        if !self.e.matches(take.filter) || !self.goes_through(guide, take.next, at) {
            self.e.drop_comments(mark);
            return;
        }
        if self.automaton.can_end(take.next) {
            self.complete(at, guide);
        }
        self.tasks.push(LineTask::Leave(mark));
        self.tasks.push(LineTask::Neighbors(take.next, neighbors));
    }

    /// Takes a position while `move` filters see only the next child, and goes on with that child.
    fn take_with_child(&mut self, take: Take, at: u32, mut children: Neighbors) {
        if self.line.flags.firstmatch && self.found.best.is_some() {
            return;
        }
        let Some(child) = self.next(&mut children) else {
            return;
        };
        self.tasks.push(LineTask::Children(take, at, children));
        self.e.go_to(at);
        let mark = self.e.mark();
        self.e.linearized = Some(child);
        let matched = self.e.matches(take.filter);
        self.e.linearized = None;
        if !matched {
            self.e.drop_comments(mark);
            return;
        }
        if self.automaton.can_end(take.next) {
            self.complete(at, &Guide::Nobody);
        }
        self.tasks.push(LineTask::Leave(mark));
        self.tasks.push(LineTask::Visit(take.next, child));
    }

    /// Whether `singlecolor` skips a position.
    pub(super) fn is_passed_over(&self, at: u32) -> bool {
        self.line.flags.single_color && self.e.positions.position(at).turn != self.turn
    }

    pub(super) fn neighbors(&self, at: u32) -> Neighbors {
        let positions = self.e.positions;
        if self.line.flags.forward {
            Neighbors { next: positions.first_child(at), end: positions.end(at) }
        } else {
            Neighbors { next: positions.parent(at), end: 0 }
        }
    }

    /// Returns the largest number of positions that can follow, including this one.
    pub(super) fn room(&self, at: u32) -> u32 {
        if self.line.flags.forward {
            self.e.positions.end(at) - at
        } else {
            self.e.positions.ply(at) + 1
        }
    }

    /// Returns the next adjacent position that the flags of the line allow.
    pub(super) fn next(&mut self, neighbors: &mut Neighbors) -> Option<u32> {
        while let Some(at) = neighbors.next {
            let behind = self.e.positions.end(at);
            neighbors.next = (behind < neighbors.end).then_some(behind);
            let is_first = self.e.positions.sibling_index(at) == 0;
            let skipped =
                self.line.flags.primary && !is_first || self.line.flags.secondary && is_first;
            if !skipped || !self.line.flags.forward {
                return Some(at);
            }
        }
        None
    }

    fn goes_through(&mut self, guide: &mut Guide<'_>, next: State, at: u32) -> bool {
        match guide {
            Guide::Nobody => true,
            Guide::To(target, table) => {
                let hit = self.arrival(next, at, table);
                hit.is_some_and(|hit| hit.end == target.end)
            }
        }
    }

    /// Returns the match that ends at `end` if a match may end there. Scores of different starts
    /// are comparable.
    pub(super) fn hit(&self, end: u32) -> Option<Hit> {
        let ply = self.e.positions.ply(end) as i32;
        let score = if self.line.flags.forward { ply } else { -ply };
        (!self.is_passed_over(end)).then_some(Hit { score, end })
    }

    fn complete(&mut self, end: u32, guide: &Guide<'_>) {
        let Some(hit) = self.hit(end) else {
            return;
        };
        if let Guide::To(target, _) = guide {
            if hit.end != target.end {
                return;
            }
            self.done = true;
        }
        if self.found.best.is_none_or(|best| hit.score > best.score) {
            self.found.best = Some(hit);
            self.found.notes = self.e.state.notes[self.base..].to_vec();
        }
    }
}
