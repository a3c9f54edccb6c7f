//! `find`: the current position and those after (or before) it.

use super::Evaluator;
use crate::program::Find;

impl Evaluator<'_> {
    /// The candidates of a `find`, nearest first.
    fn candidates(&self, find: &Find) -> Candidates {
        let ply = self.positions.ply(self.at);
        match find.backward {
            false => Candidates::Forward {
                ids: self.at..self.positions.end(self.at),
                last_ply: find
                    .depth
                    .map_or(u32::MAX, |depth| ply.saturating_add(depth)),
            },
            true => Candidates::Backward {
                next: Some(self.at),
                first_ply: find.depth.map_or(0, |depth| ply.saturating_sub(depth)),
            },
        }
    }

    /// The first candidate at which the body matches.
    pub(super) fn find_position(&mut self, find: &Find) -> Option<u32> {
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

    /// How many candidates match, if the number is in the range.
    pub(super) fn find_count(&mut self, find: &Find) -> Option<i32> {
        let Some(range) = &find.range else {
            return None;
        };
        let (min, max) = self.range(range)?;
        let mut found = Vec::new();
        let mut candidates = self.candidates(find);
        while let Some(candidate) = candidates.next(self) {
            if !self.step() {
                return None;
            }
            if self.at(candidate, |e| e.matches(find.body)) {
                found.push(candidate);
            }
        }
        let count = found.len() as i32;
        if count < min || count > max {
            return None;
        }
        if !find.quiet {
            for (i, &position) in found.iter().enumerate() {
                let text = format!("Found {} of {count}", i + 1);
                self.automatic_comment(position, text.into_bytes());
            }
        }
        Some(count)
    }

    /// Whether the filter matches, of either kind.
    pub(super) fn find_matches(&mut self, find: &Find) -> bool {
        match find.range {
            Some(_) => self.find_count(find).is_some(),
            None => self.find_position(find).is_some(),
        }
    }
}

enum Candidates {
    Forward {
        ids: std::ops::Range<u32>,
        last_ply: u32,
    },
    Backward {
        next: Option<u32>,
        first_ply: u32,
    },
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
