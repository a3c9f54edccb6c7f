//! Searches a path as it is defined: depth first, with all effects.
//!
//! Pending tasks are on a stack, so that long games and many repetitions need no deep recursion. A
//! guided search knows the best match beforehand ([`super::solve`]). It enters a move only if the
//! way to that match continues there. This loses nothing that lasts: comments on abandoned moves
//! vanish anyway, and filters at one position are still evaluated.

use std::collections::HashMap;

use super::super::evaluator::Evaluator;
use super::super::slot::Slot;
use super::focus::Focus;
use super::kept::{BestMatches, Within};
use super::table::{Hit, MemoTable};
use super::task::{DashMoves, PathTask};
use compiler::automaton::{Automaton, Instr, State, Strategy};
use compiler::facts::Operands;
use compiler::limits::Limit;
use compiler::program::*;

/// Values of `max` up to this one never count.
const LEAST: i32 = -100_000_000;

/// Number of extra steps charged per step if the search may take too many.
const RISK: u64 = 2;

/// Number of moves out of focus that can be skipped in the time of one step.
pub(super) const MOVES_PER_STEP: u64 = 16;

/// Result of a search.
#[derive(Debug, Default)]
pub(super) struct PathMatches {
    pub(super) best: Option<Hit>,
    pub(super) kept: BestMatches,
    /// Values of the atomic variables when the best match was recorded.
    pub(super) atomic: Vec<Slot>,
}

/// Tells the search where the best match ends, if that is known.
pub(super) enum Guide<'t> {
    Nobody,
    /// Go to the first match equal to this one, with `keepallbest` to all matches of the same
    /// score.
    To(Hit, &'t mut MemoTable),
}

/// An arrival that the search is in, with the state before it was entered.
struct Entered {
    arrival: (u64, u32),
    n_kept: usize,
    n_comments: usize,
    /// Number of tasks, not counting the moves that led to the arrival.
    n_tasks: usize,
}

/// A search of a path.
pub(super) struct PathSearch<'s, 'a, 'p> {
    pub(super) e: &'s mut Evaluator<'a>,
    pub(super) path: &'p Path,
    pub(super) automaton: &'p Automaton,
    pub(super) focus: Focus,
    pub(super) start: u32,
    /// Number of moves made so far.
    pub(super) count: i32,
    pub(super) found: PathMatches,
    /// Number of comments at the start.
    base: usize,
    pub(super) tasks: Vec<PathTask>,
    /// Arrivals whose best matches have all been kept, if each arrival is entered only once.
    known: HashMap<(u64, u32), Within>,
    /// Arrivals that have been entered and not yet left.
    entered: Vec<Entered>,
    /// Values of atomic variables to be restored, for each entered move.
    saved: Vec<Slot>,
    done: bool,
}

impl<'s, 'a, 'p> PathSearch<'s, 'a, 'p> {
    pub(super) fn new(e: &'s mut Evaluator<'a>, path: &'p Path, focus: Focus) -> Self {
        let base = e.mark();
        PathSearch {
            start: e.at,
            path,
            automaton: &path.automaton,
            focus,
            count: 0,
            found: PathMatches::default(),
            base,
            tasks: std::mem::take(&mut e.state.path_tasks),
            known: HashMap::new(),
            entered: Vec::new(),
            saved: Vec::new(),
            done: false,
            e,
        }
    }

    /// Searches from the start and returns the result.
    pub(super) fn run(mut self, mut guide: Guide<'_>) -> PathMatches {
        self.tasks.push(PathTask::Visit(Automaton::START));
        while let Some(task) = self.tasks.pop() {
            let next = match task {
                PathTask::Visit(state) => Some(state),
                PathTask::Moves(moves) => self.try_moves(moves, &mut guide),
                PathTask::Cross(crossing) => self.cross(crossing),
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

    /// Returns the result for the case that no comments are needed.
    pub(super) fn found_without_comments(mut self, best: Option<Hit>) -> PathMatches {
        if let Some(hit) = best {
            self.found.kept = BestMatches::new(hit.end, &[], false);
            self.found.atomic = self.e.atomic_values(self.path);
        }
        self.found.best = best;
        self.finish()
    }

    fn finish(mut self) -> PathMatches {
        self.tasks.clear();
        self.e.state.path_tasks = self.tasks;
        self.found
    }

    /// Goes on in a state until a move fails or nothing is left to do here.
    fn visit(&mut self, mut state: State, guide: &mut Guide<'_>) {
        loop {
            if !self.step() {
                return;
            }
            // if no task is pending, a match is compared even after the first one
            let decided = self.path.flags.firstmatch && self.found.best.is_some();
            if decided && !self.automaton.is_end(state) {
                return;
            }
            let step = self.automaton.step(state, self.room());
            if step == Instr::End {
                if self.e.at != self.start {
                    self.complete(guide);
                }
                return;
            }
            state = match step {
                Instr::Test(filter, next) if self.e.matches(filter) => next,
                Instr::Fork(first, second) => match self.crossing(first, second) {
                    Some(crossing) => match self.cross(crossing) {
                        Some(exit) => exit,
                        None => return,
                    },
                    None => {
                        self.tasks.push(PathTask::Visit(second));
                        first
                    }
                },
                Instr::Move(dash, next) => {
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

    /// Counts a step. A search that may take exponential time pays more per step.
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

    /// Returns the largest number of moves that can follow here.
    pub(super) fn room(&self) -> u32 {
        self.e.positions.end(self.e.at) - self.e.at - 1
    }

    /// Returns the moves on which a dash is to be tried.
    pub(super) fn moves(&mut self, dash: DashId, next: State) -> Option<DashMoves> {
        let candidate = self.e.positions.first_child(self.e.at)?;
        let mark = self.e.mark();
        let operands = match self.focus {
            Focus::All => {
                let program = self.e.program;
                self.e.operands(&program.dashes[dash.0 as usize])
            }
            // with a focus, operands are evaluated before each move
            _ => Operands::default(),
        };
        Some(DashMoves {
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

    /// Enters the next matching move and returns the state after it.
    fn try_moves(&mut self, mut moves: DashMoves, guide: &mut Guide<'_>) -> Option<State> {
        if moves.entered {
            self.leave_arrival();
            self.leave(&moves);
        }
        while let Some((child, operands)) = self.next_move(&mut moves) {
            self.enter();
            if self.leads_on(&moves, child, operands) && self.goes_to(guide, moves.next, child) {
                let next = moves.next;
                moves.entered = true;
                self.tasks.push(PathTask::Moves(moves));
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

    /// Returns the position after the next move that the dash admits, with the operands of the dash
    /// there.
    pub(super) fn next_move(&mut self, moves: &mut DashMoves) -> Option<(u32, Operands)> {
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
            // the first constituent must match at once; later ones skip moves out of focus
            moves.candidate = if focused || moves.from == self.start {
                self.e.positions.end(child)
            } else {
                child + 1
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

    /// Skips to the next move of pieces in focus, which need not start at the current position.
    #[inline(never)]
    fn pass_over_unfocused(&mut self, moves: &mut DashMoves) {
        let (from, end) = (moves.candidate, moves.end);
        moves.candidate = self.e.next_in_focus(self.focus, from, end);
        let passed = u64::from(moves.candidate - from) / MOVES_PER_STEP;
        self.e.charge(passed);
    }

    /// Whether the promotion and the target of a dash match, after the move to `child`.
    pub(super) fn leads_on(&mut self, moves: &DashMoves, child: u32, operands: Operands) -> bool {
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

    /// Saves the atomic variables, which a move may change.
    fn enter(&mut self) {
        for &variable in &self.path.atomic {
            let value = self.e.slot(variable).clone();
            self.saved.push(value);
        }
    }

    /// Takes back a move, with the comments and atomic variables that it changed.
    fn leave(&mut self, moves: &DashMoves) {
        self.e.go_to(moves.from);
        self.count = moves.count;
        self.set_progress(moves.count);
        self.e.drop_comments(moves.mark);
        self.found.kept.drop_from(moves.mark - self.base);
        let values = self.saved.split_off(self.saved.len() - self.path.atomic.len());
        self.e.set_atomic_values(self.path, &values);
    }

    /// Whether the way to the target of the guide goes through an arrival.
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

    /// Enters an arrival, unless all its matches have been kept. In that case, keeps them with the
    /// comments made before the arrival since then, and returns `false`.
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

    /// Leaves an arrival if the task just taken from the stack is the one before it.
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

    /// Returns the match that ends at `end` after `count` moves, with its score; `None` if it has
    /// no value.
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

    /// Records a match: the pattern is complete.
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
                self.found.kept = BestMatches::new(hit.end, notes, merging);
                self.found.atomic = self.e.atomic_values(self.path);
                if let Some(progress) = &mut self.e.path {
                    progress.best_end = Some(hit.end);
                }
            }
        }
    }

    /// Keeps a match with the score of the best one.
    fn keep(&mut self, end: u32) {
        let notes = &self.e.state.notes[self.base..];
        let limits = &self.e.program.settings.limits;
        if !self.found.kept.add(end, notes, limits) {
            self.e.exceed(Limit::Comments);
        }
    }

    /// Whether equal comments of kept matches are written once.
    fn is_merging(&self) -> bool {
        self.path.flags.keepallbest && self.e.program.settings.writing.unique_comments
    }
}
