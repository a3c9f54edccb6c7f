//! Evaluates `path`: finds the best sequence of moves that its constituents describe.
//!
//! The search is defined as depth first over moves and alternatives of the pattern, with all
//! effects of the filters on the way. The match with the greatest count (or value of `max`) wins,
//! the first one among equals. [`search`] does exactly that. If filters only match, [`solve`] finds
//! the same match with a table ([`table`]), and `search` only follows the way to it, for the
//! comments.

mod annotate;
mod focus;
mod gap;
mod kept;
pub(super) mod progress;
mod search;
pub(super) mod sketch;
mod solve;
pub(super) mod table;
pub(super) mod task;

use super::evaluator::Evaluator;
use super::keyed::Keyed;
use super::slot::Slot;
use compiler::automaton::{Automaton, Strategy};
use compiler::program::*;
use focus::Focus;
use progress::{Best, PathProgress, PathStatus};
use search::{Guide, PathMatches, PathSearch};
use syntax::tree::VariableId;
use table::{Hit, MemoTable};

/// Number of cells that the tables of one pattern may have together: 3 MiB.
const MAX_KEYED: u64 = 1 << 18;

impl Evaluator<'_> {
    /// Returns the best match of a path from the current position if its value is in the range.
    pub(super) fn run_path(&mut self, id: PathId) -> Option<Best> {
        let path = &self.program.paths[id.0 as usize];
        let start = self.at;
        let banned = &self.state.banned[path.index as usize];
        if path.flags.nestban && banned.binary_search(&start).is_ok() {
            return None;
        }
        let linearized = self.linearized.take();
        let focus = self.focus_of(path);
        let mark = self.mark();
        if let Some(dash) = path.automaton.opening
            && (!self.opens(dash, focus) || !self.finds_needs(&path.automaton, focus))
        {
            self.drop_comments(mark);
            self.linearized = linearized;
            return None;
        }
        let outer = self.path.replace(PathProgress { start, count: 0, best_end: None });
        let atomic_before: Vec<Slot> = self.atomic_values(path);
        let found = self.search_path(path, focus);
        self.limit_at(|| path.span);
        self.set_atomic_values(path, &atomic_before);
        self.path = outer;
        self.linearized = linearized;
        self.go_to(start);

        let result = found.best.and_then(|hit| self.accept(path, focus, hit));
        self.drop_comments(mark);
        let (best, count) = result?;
        let PathMatches { kept, atomic, .. } = found;
        let ends = kept.emit(&mut self.state.notes);
        self.bound_comments();
        self.annotate_path(path, focus, count, best, &ends);
        if path.flags.nestban {
            let ids = std::iter::successors(self.positions.parent(best.end), |&id| {
                self.positions.parent(id)
            });
            let banned = &mut self.state.banned[path.index as usize];
            for id in ids.take_while(|&id| id >= start) {
                if let Err(place) = banned.binary_search(&id) {
                    banned.insert(place, id);
                }
            }
        }
        self.state.path_status = Some(PathStatus { start, end: best.end, count });
        self.set_atomic_values(path, &atomic);
        Some(best)
    }

    /// Whether the dash admits a move in focus from here.
    #[inline]
    fn opens(&mut self, dash: DashId, focus: Focus) -> bool {
        let positions = self.positions;
        let mut children = positions.children(self.at);
        if !children.any(|child| self.in_focus(focus, child)) {
            return false;
        }
        let program = self.program;
        let dash = &program.dashes[dash.0 as usize];
        let operands = self.operands(dash);
        positions
            .children(self.at)
            .any(|child| self.admits(dash, child, operands) && self.in_focus(focus, child))
    }

    /// Whether the moves that a path needs follow, as far as that is easily told.
    #[inline]
    fn finds_needs(&mut self, automaton: &Automaton, focus: Focus) -> bool {
        let Some(needs) = automaton.needs.as_deref() else {
            return true;
        };
        let are_told = self.positions.line().is_some() && !self.positions.is_imagined(self.at);
        let is_bound = |&variable: &VariableId| *self.slot(variable) != Slot::Unbound;
        !are_told
            || !needs.required.iter().all(is_bound)
            || self.has_moves(needs.n_moves, focus)
                && needs.moves.iter().all(|sought| self.has_move(sought, focus))
    }

    /// Whether so many moves in focus follow.
    fn has_moves(&mut self, n: u32, focus: Focus) -> bool {
        let (at, n_positions) = (self.at, self.positions.len());
        if !matches!(focus, Focus::Pieces { .. }) {
            return n < n_positions - at;
        }
        let mut next = at;
        (0..n).all(|_| {
            next = self.next_in_focus(focus, next + 1, n_positions);
            next < n_positions
        })
    }

    fn search_path(&mut self, path: &Path, focus: Focus) -> PathMatches {
        let automaton = &path.automaton;
        if self.positions.is_imagined(self.at) {
            // tables know only the positions of the game
            return PathSearch::new(self, path, focus).run(Guide::Nobody);
        }
        if let Some(bounds) = automaton.any_moves
            && self.positions.line().is_some()
        {
            let best = self.most_moves(bounds, focus);
            return PathSearch::new(self, path, focus).found_without_comments(best);
        }
        let Strategy::Tabled { whole_game, comments } = automaton.strategy else {
            return PathSearch::new(self, path, focus).run(Guide::Nobody);
        };
        // a path is never evaluated within itself
        let mut table = std::mem::take(self.table(automaton));
        table.prepare(automaton.n_arrivals(), self.positions.len(), whole_game);
        let mut search = PathSearch::new(self, path, focus);
        let best = search.solve_from_start(&mut table);
        let found = match best {
            Some(hit) if comments || path.flags.keepallbest => {
                search.run(Guide::To(hit, &mut table))
            }
            _ => search.found_without_comments(best),
        };
        *self.table(automaton) = table;
        found
    }

    /// Finds the most moves in focus, within bounds, in a game without variations.
    fn most_moves(&mut self, (least, most): (u32, u32), focus: Focus) -> Option<Hit> {
        let (at, n_positions) = (self.at, self.positions.len());
        let n_left = n_positions - at - 1;
        let (n, end) = match focus {
            Focus::All => (n_left.min(most), at + n_left.min(most)),
            Focus::Color(_) => {
                let n = n_left.div_ceil(2).min(most);
                (n, (at + 2 * n).saturating_sub(1))
            }
            Focus::Pieces { .. } => {
                let (mut n, mut end) = (0, at);
                // The first move is the next one.
                while n < most {
                    let next = self.next_in_focus(focus, end + 1, n_positions);
                    if next == n_positions || n == 0 && next > at + 1 {
                        break;
                    }
                    (n, end) = (n + 1, next);
                }
                (n, end)
            }
        };
        self.charge(u64::from(n));
        let score = if focus == Focus::All { self.positions.ply(end) } else { n };
        (n >= least.max(1)).then_some(Hit { score: score as i32, end })
    }

    /// Returns the table of a pattern for the current values of the variables.
    fn table(&mut self, automaton: &Automaton) -> &mut MemoTable {
        let index = automaton.index as usize;
        let n_positions = u64::from(self.positions.len());
        let state = &mut *self.state;
        if automaton.variables.is_empty() {
            if state.tables.len() <= index {
                state.tables.resize_with(index + 1, MemoTable::default);
            }
            return &mut state.tables[index];
        }
        if state.keyed_tables.len() <= index {
            state.keyed_tables.resize_with(index + 1, Keyed::default);
        }
        let n_cells = automaton.n_arrivals().saturating_mul(n_positions);
        let n_max = MAX_KEYED / n_cells.max(1);
        let tables = &mut state.keyed_tables[index];
        tables.entry(&automaton.variables, &state.slots, n_max, MemoTable::forget)
    }

    /// Returns the value of a match and its number of moves, if the value is in the range of the
    /// path.
    fn accept(&mut self, path: &Path, focus: Focus, hit: Hit) -> Option<(Best, i32)> {
        if self.state.fault.is_some() {
            return None;
        }
        let count = match focus {
            Focus::All => (self.positions.ply(hit.end) - self.positions.ply(self.at)) as i32,
            _ => self.n_moves_on_the_way(focus, hit.end) as i32,
        };
        let value = match path.max {
            Some(_) => hit.score,
            None => count,
        };
        let in_range = self.in_range(value, path.range.as_ref(), path.span);
        let end = hit.end;
        in_range.then_some((Best { value, end }, count))
    }

    /// Returns the number of moves in focus from here to `end`.
    fn n_moves_on_the_way(&mut self, focus: Focus, end: u32) -> usize {
        let way = self.at as usize + 1..=end as usize;
        if matches!(focus, Focus::Pieces { .. }) && self.positions.line().is_some() {
            let moved = self.moved_pieces().get(way).unwrap_or_default();
            return moved.iter().filter(|moved| focus.is_about(**moved)).count();
        }
        self.moves_on_the_way(focus, end).len()
    }

    /// Returns the positions after the moves in focus from here to `end`, last one first.
    fn moves_on_the_way(&mut self, focus: Focus, end: u32) -> Vec<u32> {
        let start = self.at;
        let positions = self.positions;
        std::iter::successors(Some(end), |&id| positions.parent(id))
            .take_while(|&id| id != start)
            .filter(|&id| self.in_focus(focus, id))
            .collect()
    }

    fn atomic_values(&self, path: &Path) -> Vec<Slot> {
        path.atomic.iter().map(|&v| self.slot(v).clone()).collect()
    }

    fn set_atomic_values(&mut self, path: &Path, values: &[Slot]) {
        for (&variable, value) in path.atomic.iter().zip(values) {
            self.bind(variable, value.clone());
        }
    }

    pub(super) fn path_count(&mut self, inside: bool) -> Option<i32> {
        if inside {
            self.path.as_ref().map(|p| p.count)
        } else {
            self.state.path_status.map(|s| s.count)
        }
    }

    pub(super) fn path_start(&mut self, inside: bool) -> Option<u32> {
        if inside {
            self.path.as_ref().map(|p| p.start)
        } else {
            self.state.path_status.map(|s| s.start)
        }
    }

    pub(super) fn path_last_position(&mut self, inside: bool) -> Option<u32> {
        if inside {
            self.path.as_ref().and_then(|p| p.best_end)
        } else {
            self.state.path_status.map(|s| s.end)
        }
    }
}
