//! The search of a path as it is defined: depth first, with all effects.
//!
//! What is pending lies on a stack of tasks, so that neither long games nor many repetitions go
//! deep. A guided search knows the best match beforehand ([`super::solve`]). It enters a move only
//! where the way to that match goes on, which leaves out nothing that lasts: comments of moves
//! that are given up vanish, and what filters at one position do is still done.

use std::collections::HashMap;

use super::super::evaluator::Evaluator;
use super::super::slot::Slot;
use super::focus::Focus;
use super::kept::{Kept, Within};
use super::table::{Hit, Table};
use super::task::{Moves, Task};
use compiler::automaton::{Automaton, State, Step, Strategy};
use compiler::facts::Operands;
use compiler::limits::Limit;
use compiler::program::*;

/// Values of `max` up to this one never count.
const LEAST: i32 = -100_000_000;

/// What a step costs besides where it may be one of too many.
const RISK: u64 = 2;

/// So many moves out of focus are passed over in the time of a step.
pub(super) const MOVES_PER_STEP: u64 = 16;

/// What a search has found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) best: Option<Hit>,
    pub(super) kept: Kept,
    /// The atomic variables when the best match was recorded.
    pub(super) atomic: Vec<Slot>,
}

/// Whether the search knows where it goes.
pub(super) enum Guide<'t> {
    Nobody,
    /// To the first match like this one; with `keepallbest` to all that are as good.
    To(Hit, &'t mut Table),
}

/// An arrival where the search is, and what there was before.
struct Entered {
    arrival: (u64, u32),
    n_kept: usize,
    n_comments: usize,
    /// Without the moves that have led here.
    n_tasks: usize,
}

/// A search of a path.
pub(super) struct Search<'s, 'a, 'p> {
    pub(super) e: &'s mut Evaluator<'a>,
    pub(super) path: &'p Path,
    pub(super) automaton: &'p Automaton,
    pub(super) focus: Focus,
    pub(super) start: u32,
    /// How many moves have been made.
    pub(super) count: i32,
    pub(super) found: Found,
    /// The number of comments at the start.
    base: usize,
    pub(super) tasks: Vec<Task>,
    /// Arrivals all of whose best matches have been kept, where each is entered only once.
    known: HashMap<(u64, u32), Within>,
    /// Those that have been entered and not been left.
    entered: Vec<Entered>,
    /// Atomic variables to be restored, by entered move.
    saved: Vec<Slot>,
    done: bool,
}

impl<'s, 'a, 'p> Search<'s, 'a, 'p> {
    pub(super) fn new(e: &'s mut Evaluator<'a>, path: &'p Path, focus: Focus) -> Self {
        let base = e.mark();
        Search {
            start: e.at,
            path,
            automaton: &path.automaton,
            focus,
            count: 0,
            found: Found::default(),
            base,
            tasks: std::mem::take(&mut e.state.path_tasks),
            known: HashMap::new(),
            entered: Vec::new(),
            saved: Vec::new(),
            done: false,
            e,
        }
    }

    /// Searches from the start.
    pub(super) fn run(mut self, mut guide: Guide<'_>) -> Found {
        self.tasks.push(Task::Visit(Automaton::START));
        while let Some(task) = self.tasks.pop() {
            let next = match task {
                Task::Visit(state) => Some(state),
                Task::Moves(moves) => self.try_moves(moves, &mut guide),
                Task::Cross(crossing) => self.cross(crossing),
            };
            if let Some(state) = next {
                self.visit(state, &mut guide);
            }
            if self.done {
                break;
            }
        }
        self.finish()
    }

    /// The result where nobody wants comments.
    pub(super) fn found_without_comments(mut self, best: Option<Hit>) -> Found {
        if let Some(hit) = best {
            self.found.kept = Kept::new(hit.end, &[], false);
            self.found.atomic = self.e.atomic_values(self.path);
        }
        self.found.best = best;
        self.finish()
    }

    fn finish(mut self) -> Found {
        self.tasks.clear();
        self.e.state.path_tasks = self.tasks;
        self.found
    }

    /// Goes on in a state until a move gives up or there is nothing more to do here.
    fn visit(&mut self, mut state: State, guide: &mut Guide<'_>) {
        loop {
            if !self.step() {
                return;
            }
            // where nothing is pending a match is compared even after the first one
            let decided = self.path.flags.firstmatch && self.found.best.is_some();
            if decided && !self.automaton.is_end(state) {
                return;
            }
            let step = self.automaton.step(state, self.room());
            if step == Step::End {
                if self.e.at != self.start {
                    self.complete(guide);
                }
                return;
            }
            state = match step {
                Step::Test(filter, next) if self.e.matches(filter) => next,
                Step::Fork(first, second) => match self.crossing(first, second) {
                    Some(crossing) => match self.cross(crossing) {
                        Some(exit) => exit,
                        None => return,
                    },
                    None => {
                        self.tasks.push(Task::Visit(second));
                        first
                    }
                },
                Step::Move(dash, next) => {
                    let Some(moves) = self.moves(dash, next) else {
                        return;
                    };
                    match self.try_moves(moves, guide) {
                        Some(next) => next,
                        None => return,
                    }
                }
                _ => return,
            };
        }
    }

    /// Counts a step. Searches that can take exponential time are not given as many.
    pub(super) fn step(&mut self) -> bool {
        let is_risky = match self.automaton.strategy {
            Strategy::Plain => self.automaton.wants_table,
            Strategy::Tabled { .. } => self.automaton.is_large,
        };
        if is_risky {
            self.e.charge(RISK);
        }
        self.done |= !self.e.step();
        !self.done
    }

    /// How many moves can follow here at most.
    pub(super) fn room(&self) -> u32 {
        self.e.positions.end(self.e.at) - self.e.at - 1
    }

    /// The moves that a dash is to be tried on.
    pub(super) fn moves(&mut self, dash: DashId, next: State) -> Option<Moves> {
        let candidate = self.e.positions.first_child(self.e.at)?;
        let mark = self.e.mark();
        let operands = match self.focus {
            Focus::All => {
                let program = self.e.program;
                self.e.operands(&program.dashes[dash.0 as usize])
            }
            // evaluated before each move
            _ => Operands::default(),
        };
        Some(Moves {
            dash,
            next,
            from: self.e.at,
            count: self.count,
            operands,
            candidate,
            end: self.e.positions.end(self.e.at),
            mark,
            entered: false,
        })
    }

    /// Enters the next move that matches; what comes behind it is returned.
    fn try_moves(&mut self, mut moves: Moves, guide: &mut Guide<'_>) -> Option<State> {
        if moves.entered {
            self.leave_arrival();
            self.leave(&moves);
        }
        while let Some((child, operands)) = self.next_move(&mut moves) {
            self.enter();
            if self.leads_on(&moves, child, operands) && self.goes_to(guide, moves.next, child) {
                let next = moves.next;
                moves.entered = true;
                self.tasks.push(Task::Moves(moves));
                self.e.go_to(child);
                self.count += 1;
                self.set_progress(self.count);
                return Some(next);
            }
            self.leave(&moves);
            if self.done {
                break;
            }
        }
        None
    }

    /// The next position behind a move that the dash admits, and the operands of the dash there.
    pub(super) fn next_move(&mut self, moves: &mut Moves) -> Option<(u32, Operands)> {
        let program = self.e.program;
        let dash = &program.dashes[moves.dash.0 as usize];
        while moves.candidate < moves.end {
            if !self.step() {
                return None;
            }
            if matches!(self.focus, Focus::Pieces { .. }) && moves.from != self.start {
                self.pass_over_unfocused(moves);
                if moves.candidate == moves.end {
                    return None;
                }
            }
            let child = moves.candidate;
            let focused = self.e.in_focus(self.focus, child);
            // the first move is made at once, for later ones those out of focus are passed over
            moves.candidate = match focused || moves.from == self.start {
                true => self.e.positions.end(child),
                false => child + 1,
            };
            let skipped = self.path.flags.primary && self.e.positions.sibling_index(child) > 0;
            if !focused || skipped {
                continue;
            }
            let mut operands = moves.operands;
            let admitted = match self.focus {
                Focus::All => self.e.admits(dash, child, operands),
                focus => {
                    let head = self.e.positions.parent(child).unwrap_or(moves.from);
                    self.e.at(head, |e| {
                        let all = e.operands(dash);
                        operands = e.focused_operands(focus, child, all);
                        e.admits(dash, child, operands)
                    })
                }
            };
            if admitted {
                return Some((child, operands));
            }
        }
        None
    }

    /// Goes on to the next move of pieces in focus, which need not be the first from here.
    #[inline(never)]
    fn pass_over_unfocused(&mut self, moves: &mut Moves) {
        let (from, end) = (moves.candidate, moves.end);
        moves.candidate = self.e.next_in_focus(self.focus, from, end);
        let passed = u64::from(moves.candidate - from) / MOVES_PER_STEP;
        self.e.charge(passed);
    }

    /// Whether the promotion and the filters attached to a dash match behind the move to `child`.
    pub(super) fn leads_on(&mut self, moves: &Moves, child: u32, operands: Operands) -> bool {
        let program = self.e.program;
        let dash = &program.dashes[moves.dash.0 as usize];
        if dash.promotion.is_none() && dash.target.is_none() {
            return true;
        }
        let head = match self.focus {
            Focus::All => moves.from,
            _ => self.e.positions.parent(child).unwrap_or(moves.from),
        };
        self.set_progress(self.count + 1);
        let result = self.e.at(head, |e| e.leads_on(dash, child, operands));
        self.set_progress(self.count);
        result
    }

    pub(super) fn set_progress(&mut self, count: i32) {
        if let Some(progress) = &mut self.e.path {
            progress.count = count;
        }
    }

    /// Saves what a move may change.
    fn enter(&mut self) {
        for &variable in &self.path.atomic {
            let value = self.e.slot(variable).clone();
            self.saved.push(value);
        }
    }

    /// Takes a move back.
    fn leave(&mut self, moves: &Moves) {
        self.e.go_to(moves.from);
        self.count = moves.count;
        self.set_progress(moves.count);
        self.e.drop_comments(moves.mark);
        self.found.kept.drop_from(moves.mark - self.base);
        let values = self
            .saved
            .split_off(self.saved.len() - self.path.atomic.len());
        self.e.set_atomic_values(self.path, &values);
    }

    /// Whether the way of the guide goes through an arrival.
    fn goes_to(&mut self, guide: &mut Guide<'_>, next: State, child: u32) -> bool {
        let Guide::To(target, table) = guide else {
            return true;
        };
        let target = *target;
        if self.automaton.is_end(next) {
            let hit = self.hit(child, self.count + 1);
            return hit.is_some_and(|hit| self.is_wanted(target, hit));
        }
        let hit = self.arrival(next, child, self.count + 1, table);
        hit.is_some_and(|hit| self.is_wanted(target, hit) && self.is_entered(next, hit, child))
    }

    /// Enters an arrival, unless all its matches have been kept: then the comments that have come
    /// up before it since are kept with them.
    fn is_entered(&mut self, next: State, hit: Hit, child: u32) -> bool {
        if !self.is_merging() {
            return true;
        }
        let arrival = (self.automaton.arrival(next), child);
        let Some(&within) = self.known.get(&arrival) else {
            self.entered.push(Entered {
                arrival,
                n_kept: self.found.kept.open(),
                n_comments: self.e.mark() - self.base,
                n_tasks: self.tasks.len(),
            });
            return true;
        };
        self.keep(hit.end);
        self.found.kept.repeat(within);
        false
    }

    /// The task on top has come back to the moves before an arrival, if it was entered once only.
    fn leave_arrival(&mut self) {
        let n_tasks = self.tasks.len();
        if let Some(entered) = self.entered.pop_if(|entered| entered.n_tasks == n_tasks) {
            let kept = &mut self.found.kept;
            let within = kept.close(entered.n_kept, entered.n_comments);
            self.known.insert(entered.arrival, within);
        }
    }

    fn is_wanted(&self, target: Hit, hit: Hit) -> bool {
        hit.score == target.score && (self.path.flags.keepallbest || hit.end == target.end)
    }

    /// The score of a match that ends at `end` after `count` moves.
    pub(super) fn hit(&mut self, end: u32, count: i32) -> Option<Hit> {
        let score = match (self.path.max, self.focus) {
            (Some(max), _) => {
                self.set_progress(count);
                let value = self.e.at(end, |e| e.number(max));
                self.set_progress(self.count);
                value.filter(|&value| value > LEAST)?
            }
            (None, Focus::All) => self.e.positions.ply(end) as i32,
            (None, _) => count,
        };
        Some(Hit { score, end })
    }

    /// The pattern is complete.
    fn complete(&mut self, guide: &Guide<'_>) {
        let Some(hit) = self.hit(self.e.at, self.count) else {
            return;
        };
        if let Guide::To(target, _) = guide {
            if !self.is_wanted(*target, hit) {
                return;
            }
            self.done = !self.path.flags.keepallbest;
        }
        match self.found.best {
            Some(best) if hit.score < best.score => {}
            Some(best) if hit.score == best.score => {
                if self.path.flags.keepallbest {
                    self.keep(hit.end);
                }
            }
            _ => {
                self.found.best = Some(hit);
                let merging = self.is_merging();
                let notes = &self.e.state.notes[self.base..];
                self.found.kept = Kept::new(hit.end, notes, merging);
                self.found.atomic = self.e.atomic_values(self.path);
                if let Some(progress) = &mut self.e.path {
                    progress.best_end = Some(hit.end);
                }
            }
        }
    }

    /// Keeps a match that is as good as the best one.
    fn keep(&mut self, end: u32) {
        let notes = &self.e.state.notes[self.base..];
        let limits = &self.e.program.settings.limits;
        if !self.found.kept.add(end, notes, limits) {
            self.e.exceed(Limit::Comments);
        }
    }

    /// Whether equal comments of the matches that are kept are written once.
    fn is_merging(&self) -> bool {
        self.path.flags.keepallbest && self.e.program.settings.writing.unique_comments
    }
}
