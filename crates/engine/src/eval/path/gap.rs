//! Skips any number of arbitrary moves: `(--)*`.
//!
//! See [`compiler::opt`], `gaps`, for the reason that skipping does not change the result.

use board::SquareSet;

use super::super::evaluator::Evaluator;
use super::super::slot::Slot;
use super::focus::Focus;
use super::search::{MOVES_PER_STEP, PathSearch};
use super::sketch::{self, SketchQuery};
use super::task::{Crossing, PathTask};
use crate::positions::Positions;
use compiler::automaton::State;
use compiler::program::plan::{Gap, MAX_WAYS, SoughtMove, Squares};

impl PathSearch<'_, '_, '_> {
    /// Begins to cross the gap whose dash is at `second`; the pattern continues after the gap at
    /// `exit`.
    #[inline]
    pub(super) fn crossing(&mut self, exit: State, second: State) -> Option<Crossing> {
        // most paths have no gap at all
        if self.automaton.gaps.is_empty() { None } else { self.crossing_of_gap(exit, second) }
    }

    fn crossing_of_gap(&mut self, exit: State, second: State) -> Option<Crossing> {
        let automaton = self.automaton;
        let gap = automaton.gap(second)?;
        let start = self.e.at;
        let positions = self.e.positions;
        let left = automaton.iterations_left(second);
        let last_ply = left.map_or(u32::MAX, |left| positions.ply(start).saturating_add(left));
        let mut end = positions.end(start);
        if positions.line().is_some()
            && let Some(left) = left
        {
            end = end.min(start.saturating_add(left).saturating_add(1));
        }
        let sought = self.sought(&automaton.gaps[gap as usize]);
        Some(Crossing { gap, exit, start, count: self.count, next: start, end, last_ply, sought })
    }

    /// Goes to the next position where the pattern after the gap is to be tried, and returns the
    /// state there. If there is no such position, returns to the start of the gap.
    pub(super) fn cross(&mut self, mut crossing: Crossing) -> Option<State> {
        let decided = self.path.flags.firstmatch && self.found.best.is_some();
        let gap = &self.automaton.gaps[crossing.gap as usize];
        if crossing.next > crossing.start && gap.sought.as_ref().is_some_and(|s| s.changes) {
            crossing.sought = self.sought(gap);
        }
        let (start, count) = (crossing.start, crossing.count);
        let position = if decided { None } else { self.next_position(&mut crossing) };
        let Some(position) = position else {
            self.reach(start, count);
            return None;
        };
        let exit = if position == start { crossing.exit } else { crossing.exit.taken() };
        self.tasks.push(PathTask::Cross(crossing));
        let positions = self.e.positions;
        let n_moves = positions.ply(position) - positions.ply(start);
        self.reach(position, count + n_moves as i32);
        Some(exit)
    }

    fn reach(&mut self, position: u32, count: i32) {
        self.e.go_to(position);
        self.count = count;
        self.set_progress(count);
    }

    /// Returns the next position that is followed by a sought move.
    fn next_position(&mut self, crossing: &mut Crossing) -> Option<u32> {
        let first = crossing.next;
        let found = self.e.next_before(crossing);
        let passed = u64::from(crossing.next - first) / MOVES_PER_STEP;
        self.e.charge(passed);
        found
    }

    /// Returns the known properties of the move after the gap, for the current values of the
    /// variables. `None` if nothing is known.
    fn sought(&mut self, gap: &Gap) -> Option<SketchQuery> {
        let sought = gap.sought.as_ref()?;
        let is_bound = |e: &Evaluator<'_>| {
            let mut required = sought.required.iter();
            required.all(|&variable| *e.slot(variable) != Slot::Unbound)
        };
        is_bound(self.e).then(|| self.e.sought_now(sought))
    }
}

impl Evaluator<'_> {
    fn sought_now(&mut self, sought: &SoughtMove) -> SketchQuery {
        let positions = self.positions;
        self.state.move_sketches.prepare(positions);
        let pieces = match sought.piece.map(|variable| self.slot(variable)) {
            Some(&Slot::Piece(piece)) => 1 << piece,
            _ => u64::MAX,
        };
        let mut ways = [sketch::Squares::default(); MAX_WAYS];
        for (now, way) in ways.iter_mut().zip(&sought.ways) {
            now.from = self.squares_now(&way.from);
            now.to = self.squares_now(&way.to);
            now.over = self.squares_now(&way.over);
        }
        SketchQuery {
            kinds: sought.kinds,
            captures: sought.captures,
            pieces,
            ways,
            n_ways: sought.ways.len() as u8,
        }
    }

    /// Whether such a move in focus follows after the next one in a game without variations.
    pub(super) fn has_move(&mut self, sought: &SoughtMove, focus: Focus) -> bool {
        let query = self.sought_now(sought);
        let first = self.at + 2;
        if matches!(focus, Focus::Pieces { .. }) {
            self.moved_pieces();
        }
        let moved = &self.state.identities.moved;
        let turn = match focus {
            Focus::Color(color) => Some(color),
            _ => None,
        };
        let positions = self.positions;
        let sketches = self.state.move_sketches.0.get(first as usize..).unwrap_or_default();
        let found = (first..).zip(sketches).position(|(child, sketch)| {
            let is_in_focus = match focus {
                Focus::Pieces { .. } => focus.is_about(moved[child as usize]),
                _ => turn.is_none_or(|turn| positions.position(child - 1).turn == turn),
            };
            is_in_focus && query.admits(sketch)
        });
        self.charge(found.unwrap_or(sketches.len()) as u64 / MOVES_PER_STEP);
        found.is_some()
    }

    fn squares_now(&mut self, squares: &Squares) -> SquareSet {
        match squares {
            Squares::These(squares) => *squares,
            Squares::Set(id) => self.set(*id),
            Squares::SetUnlessEmpty(id) => match self.set(*id) {
                SquareSet::EMPTY => SquareSet::ALL,
                squares => squares,
            },
            Squares::All(sets) => {
                (sets.iter()).fold(SquareSet::ALL, |all, squares| all & self.squares_now(squares))
            }
            Squares::Any(sets) => {
                (sets.iter()).fold(SquareSet::EMPTY, |any, squares| any | self.squares_now(squares))
            }
        }
    }

    /// Finds the next position to be tried and moves the crossing past it.
    fn next_before(&mut self, crossing: &mut Crossing) -> Option<u32> {
        let positions = self.positions;
        let Some(sought) = crossing.sought else {
            return next_in_reach(positions, crossing);
        };
        if sought.pieces != u64::MAX {
            self.moved_pieces();
        }
        let sketches = &self.state.move_sketches.0[..];
        let moved = match sought.pieces {
            u64::MAX => &[],
            _ => &self.state.identities.moved[..],
        };
        let is_sought = |child: u32| {
            let sketch = &sketches[child as usize];
            sought.admits(sketch)
                && (sketch.is_special
                    || (moved.get(child as usize))
                        .is_none_or(|moved| moved.movers & sought.pieces != 0))
        };
        if positions.line().is_some() {
            // without variations, the position before a move has the preceding id
            let last = crossing.end.min(positions.len() - 1);
            let found = (crossing.next..last).find(|&position| is_sought(position + 1));
            crossing.next = found.map_or(crossing.end, |position| position + 1);
            return found;
        }
        loop {
            let position = next_in_reach(positions, crossing)?;
            if positions.children(position).any(is_sought) {
                return Some(position);
            }
        }
    }
}

/// Returns the next position within the gap.
fn next_in_reach(positions: Positions<'_>, crossing: &mut Crossing) -> Option<u32> {
    while crossing.next < crossing.end {
        let position = crossing.next;
        if positions.ply(position) <= crossing.last_ply {
            crossing.next += 1;
            return Some(position);
        }
        crossing.next = positions.end(position);
    }
    None
}
