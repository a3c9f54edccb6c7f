//! Evaluates `find`: searches the current position and those after (or before) it.

use super::evaluator::Evaluator;
use super::keyed::Keyed;
use super::screen::Scan;
use super::state::{CountedLine, SearchedLine};
use compiler::program::Find;
use syntax::tree::CommentLevel;

impl Evaluator<'_> {
    /// Returns the candidates of a `find`, nearest first.
    fn candidates(&self, find: &Find) -> Candidates {
        let ply = self.positions.ply(self.at);
        if find.backward {
            Candidates::Backward {
                next: Some(self.at),
                first_ply: find.depth.map_or(0, |depth| ply.saturating_sub(depth)),
            }
        } else {
            Candidates::Forward {
                ids: self.at..self.positions.end(self.at),
                last_ply: find.depth.map_or(u32::MAX, |depth| ply.saturating_add(depth)),
            }
        }
    }

    /// Returns the first candidate at which the body matches.
    pub(super) fn find_position(&mut self, find: &Find) -> Option<u32> {
        let found = self.first_candidate(find);
        self.limit_at(|| find.span);
        found
    }

    fn first_candidate(&mut self, find: &Find) -> Option<u32> {
        if let Some(finder) = find.finder
            && self.positions.line().is_some()
        {
            let found = self.find_in_line(find, finder)?;
            if !find.quiet {
                self.automatic_comment(found, b"Found".to_vec());
            }
            return Some(found);
        }
        let mut candidates = self.candidates(find);
        while let Some(candidate) = candidates.next(self) {
            if !self.step() {
                return None;
            }
            if self.at(candidate, |e| e.matches(find.body)) {
                if !find.quiet {
                    self.automatic_comment(candidate, b"Found".to_vec());
                }
                return Some(candidate);
            }
        }
        None
    }

    /// Does the same as [`Self::find_position`], forward in a game without variations.
    fn find_in_line(&mut self, find: &Find, index: u32) -> Option<u32> {
        let finder = &self.program.finders[index as usize];
        let end = self.positions.len();
        if finder.remembers
            && let Some(last) = *self.searched_line(index)
            && (last.from..last.found.unwrap_or(end - 1) + 1).contains(&self.at)
        {
            return last.found;
        }
        let mut scan = Scan::new(&finder.screen);
        let mut from = self.at;
        let mut found = None;
        while let Some(candidate) = scan.next(&self.positions, from, end) {
            if !self.step() {
                return None;
            }
            from = candidate + 1;
            if finder.screen.is_exact || self.at(candidate, |e| e.matches(find.body)) {
                found = Some(candidate);
                break;
            }
        }
        if finder.remembers && self.state.fault.is_none() {
            let from = self.at;
            *self.searched_line(index) = Some(SearchedLine { from, found });
        }
        found
    }

    /// Returns the result of the last search with the current values of the variables.
    fn searched_line(&mut self, index: u32) -> &mut Option<SearchedLine> {
        let variables = &self.program.finders[index as usize].variables;
        let lines = &mut self.state.searched_lines[index as usize];
        let n_max = Keyed::<Option<SearchedLine>>::MAX;
        lines.entry(variables, &self.state.slots, n_max, |line| *line = None)
    }

    /// Returns the number of candidates that match if it is in the range.
    pub(super) fn find_count(&mut self, find: &Find) -> Option<i32> {
        let Some(range) = &find.range else {
            return None;
        };
        let (min, max) = self.range(range, find.span)?;
        let finder = find.finder.filter(|_| self.positions.line().is_some());
        let kept = finder.filter(|&index| self.program.finders[index as usize].remembers);
        let mut line = match kept {
            Some(index) => std::mem::take(self.counted_line(index)),
            None => CountedLine::default(),
        };
        match finder {
            Some(index) => self.find_all_in_line(find, index, &mut line),
            None => self.find_all(find, &mut line),
        }
        if self.state.fault.is_some() {
            self.limit_at(|| find.span);
            return None;
        }
        let at = self.at;
        let n_found = match finder {
            Some(_) => line.found.partition_point(|&position| position >= at),
            None => line.found.len(),
        };
        let count = n_found as i32;
        let is_in_range = (min..=max).contains(&count);
        if is_in_range && !find.quiet && self.level() == CommentLevel::Normal {
            for (i, &position) in line.found[..n_found].iter().rev().enumerate() {
                let text = format!("Found {} of {count}", i + 1);
                self.automatic_comment(position, text.into_bytes());
            }
        }
        if let Some(index) = kept {
            *self.counted_line(index) = line;
        }
        is_in_range.then_some(count)
    }

    /// Finds all candidates that match, the last one first.
    fn find_all(&mut self, find: &Find, line: &mut CountedLine) {
        let mut candidates = self.candidates(find);
        while let Some(candidate) = candidates.next(self) {
            if self.step() && self.at(candidate, |e| e.matches(find.body)) {
                line.found.push(candidate);
            }
            if self.state.fault.is_some() {
                break;
            }
        }
        line.found.reverse();
    }

    /// Adds the matching positions of a game without variations from the current one on, as far as
    /// they are not known yet.
    fn find_all_in_line(&mut self, find: &Find, index: u32, line: &mut CountedLine) {
        let finder = &self.program.finders[index as usize];
        let n_positions = self.positions.len();
        let (mut from, end) = (self.at, n_positions - line.n_known);
        if from >= end {
            return;
        }
        let mut scan = Scan::new(&finder.screen);
        let mut found = Vec::new();
        while let Some(candidate) = scan.next(&self.positions, from, end) {
            if !self.step() {
                return;
            }
            from = candidate + 1;
            if finder.screen.is_exact || self.at(candidate, |e| e.matches(find.body)) {
                found.push(candidate);
            }
            if self.state.fault.is_some() {
                return;
            }
        }
        line.n_known = n_positions - self.at;
        line.found.extend(found.into_iter().rev());
    }

    /// Returns the known results of a `find` that counts, with the current values of the variables.
    fn counted_line(&mut self, index: u32) -> &mut CountedLine {
        let variables = &self.program.finders[index as usize].variables;
        let lines = &mut self.state.counted_lines[index as usize];
        let n_max = Keyed::<CountedLine>::MAX;
        lines.entry(variables, &self.state.slots, n_max, |line| {
            line.n_known = 0;
            line.found.clear();
        })
    }

    /// Whether the filter matches, with or without a range.
    pub(super) fn find_matches(&mut self, find: &Find) -> bool {
        match find.range {
            Some(_) => self.find_count(find).is_some(),
            None => self.find_position(find).is_some(),
        }
    }
}

enum Candidates {
    Forward { ids: std::ops::Range<u32>, last_ply: u32 },
    Backward { next: Option<u32>, first_ply: u32 },
}

impl Candidates {
    fn next(&mut self, evaluator: &Evaluator<'_>) -> Option<u32> {
        let positions = &evaluator.positions;
        match self {
            Candidates::Forward { ids, last_ply } => loop {
                let id = ids.next()?;
                if positions.ply(id) <= *last_ply {
                    return Some(id);
                }
                ids.start = positions.end(id);
            },
            Candidates::Backward { next, first_ply } => {
                let current = (*next).filter(|&id| positions.ply(id) >= *first_ply)?;
                *next = positions.parent(current);
                Some(current)
            }
        }
    }
}
