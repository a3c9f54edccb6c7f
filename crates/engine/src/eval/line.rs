//! Evaluates `line`: finds the longest sequence of positions that its constituents describe.
//!
//! Unlike a path, a line consists of positions, beginning with the current one, and it goes on to
//! the next position before it chooses among the alternatives of its pattern. Lines are searched as
//! paths are: depth first with all effects ([`search`]), or with a table if filters only match
//! ([`solve`]). The argument for the table is that of `path::table`, where an arrival is a state
//! after a position.

mod search;
mod solve;

use syntax::tree::CommentLevel;

use super::evaluator::Evaluator;
use super::path::progress::Best;
use super::path::table::MemoTable;
use compiler::automaton::Strategy;
use compiler::program::*;
use search::{Guide, LineMatch, LineSearch};

impl Evaluator<'_> {
    /// Returns the best match of a line from the current position if its length is in the range.
    pub(super) fn run_line(&mut self, line: &LineFilter) -> Option<Best> {
        let start = self.at;
        let banned = &self.state.trackers[line.index as usize].banned;
        if line.flags.nestban && banned.binary_search(&start).is_ok() {
            return None;
        }
        let mark = self.mark();
        let linearized = self.linearized.take();
        let found = self.search_line(line);
        self.limit_at(|| line.span);
        self.linearized = linearized;
        self.go_to(start);
        self.drop_comments(mark);

        let Some(best) = found.best else {
            return self.empty_line(line);
        };
        let end = best.end;
        let n_moves = self.positions.ply(end).abs_diff(self.positions.ply(start)) as i32;
        let value = if line.flags.single_color { n_moves / 2 + 1 } else { n_moves + 1 };
        if self.state.fault.is_some() {
            return None;
        }
        if !self.in_range(value, line.range.as_ref(), line.span) {
            return None;
        }
        self.state.notes.extend(found.notes);
        if line.flags.nestban {
            self.ban_line(line, end);
        }
        if !line.flags.quiet && self.level() == CommentLevel::Normal {
            let mut text = format!("End line of length {value} that starts at ").into_bytes();
            text.extend(self.position_text(start));
            self.automatic_comment(end, text);
            let mut text = b"Start line that ends at ".to_vec();
            text.extend(self.position_text(end));
            self.automatic_comment(start, text);
        }
        Some(Best { value, end })
    }

    /// Returns the value of a line without positions, for the case that no other line matches.
    fn empty_line(&mut self, line: &LineFilter) -> Option<Best> {
        if !line.may_be_empty || self.state.fault.is_some() {
            return None;
        }
        let in_range = self.in_range(0, line.range.as_ref(), line.span);
        in_range.then_some(Best { value: 0, end: self.at })
    }

    fn search_line(&mut self, line: &LineFilter) -> LineMatch {
        let automaton = &line.automaton;
        if self.positions.is_imagined(self.at) {
            // Tables know only the positions of the game.
            return LineSearch::new(self, line).run(Guide::Nobody);
        }
        let Strategy::Tabled { whole_game, comments } = automaton.strategy else {
            return LineSearch::new(self, line).run(Guide::Nobody);
        };
        let index = automaton.index as usize;
        if self.state.tables.len() <= index {
            self.state.tables.resize_with(index + 1, MemoTable::default);
        }
        // a line is never evaluated within itself
        let mut table = std::mem::take(&mut self.state.tables[index]);
        table.prepare(automaton.n_arrivals(), self.positions.len(), whole_game);
        let mut search = LineSearch::new(self, line);
        let found = match search.solve_from_start(&mut table) {
            Some(hit) if comments => search.run(Guide::To(hit, &mut table)),
            best => LineMatch { best, notes: Vec::new() },
        };
        self.state.tables[index] = table;
        found
    }

    /// Bans the positions of a match as starts of other matches.
    fn ban_line(&mut self, line: &LineFilter, end: u32) {
        let start = self.at;
        let positions = self.positions;
        let turn = |id: u32| positions.position(id).turn;
        let ids = std::iter::successors(Some(end), |&id| positions.parent(id))
            .take_while(|&id| id >= start)
            .filter(|&id| !line.flags.single_color || turn(id) == turn(start));
        let banned = &mut self.state.trackers[line.index as usize].banned;
        for id in ids {
            if let Err(place) = banned.binary_search(&id) {
                banned.insert(place, id);
            }
        }
    }
}
