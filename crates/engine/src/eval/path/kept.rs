//! The matches that `keepallbest` keeps, and the comments that they had when they were recorded.
//!
//! Matches that are found one after the other share the comments that were not dropped in
//! between. Each comment is emitted once: all of the last match, then what is left of the one
//! before, and so on.

use std::collections::HashSet;

use super::super::notes::{Note, Notes};
use compiler::limits::Limits;

/// The kept matches; at least one as soon as something has been found.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Where they end, the best match first.
    ends: Vec<u32>,
    /// The comments of the last one.
    notes: Notes,
    /// What earlier ones had besides, backward.
    older: Notes,
    /// When `older` is to be looked through for equal comments.
    limit: usize,
}

impl Kept {
    /// The first match.
    pub(super) fn new(end: u32, notes: &[Note]) -> Kept {
        Kept {
            ends: vec![end],
            notes: notes.iter().cloned().collect(),
            older: Notes::default(),
            limit: 1000,
        }
    }

    /// Another match that is as good, whose first `shared` comments are those of the last. With
    /// `merging`, nothing that is equal needs to be kept twice. `false` if there is no more room.
    pub(super) fn add(
        &mut self,
        end: u32,
        notes: &[Note],
        shared: usize,
        merging: bool,
        limits: &Limits,
    ) -> bool {
        // the best end is named again if it is reached again
        if !merging || !self.ends[1..].contains(&end) {
            self.ends.push(end);
        }
        let n = self.notes.len();
        let own = self.notes.drain(shared.min(n)..n);
        self.older.extend(own.rev());
        self.notes = notes.iter().cloned().collect();
        if merging && self.older.len() > self.limit {
            let mut seen = HashSet::new();
            let older = std::mem::take(&mut self.older).into_iter().rev();
            let kept: Vec<Note> = older.filter(|note| seen.insert(note.clone())).collect();
            self.older = kept.into_iter().rev().collect();
            self.limit = 2 * self.older.len() + 1000;
        }
        let n = self.older.len().max(self.ends.len());
        n as u64 <= limits.comments && self.older.n_bytes() as u64 <= limits.comment_bytes
    }

    /// Adds the comments to `to`; the ends are returned.
    pub(super) fn emit(self, to: &mut Notes) -> Vec<u32> {
        to.extend(self.notes);
        to.extend(self.older.into_iter().rev());
        self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(text: &str) -> Vec<Note> {
        let note = |c: char| Note {
            position: 0,
            text: [c as u8].into(),
        };
        text.chars().map(note).collect()
    }

    #[test]
    fn each_comment_is_emitted_once_the_last_match_first() {
        let check = |matches: &[(u32, &str, usize)], want_ends: &[u32], want: &str| {
            let (end, first, _) = matches[0];
            let mut kept = Kept::new(end, &notes(first));
            for &(end, text, shared) in &matches[1..] {
                assert!(kept.add(end, &notes(text), shared, true, &Limits::default()));
            }
            let mut out = Notes::default();
            assert_eq!(kept.emit(&mut out), want_ends);
            assert_eq!(&out[..], notes(want), "{matches:?}");
        };
        check(&[(3, "pa", 0)], &[3], "pa");
        check(&[(3, "pa", 0), (5, "pb", 1)], &[3, 5], "pba");
        check(
            &[(3, "pqab", 0), (5, "pqc", 2), (6, "pd", 1)],
            &[3, 5, 6],
            "pdqcab",
        );
        check(
            &[(3, "", 0), (3, "", 0), (3, "", 0), (4, "", 0)],
            &[3, 3, 4],
            "",
        );
    }

    #[test]
    fn equal_comments_do_not_pile_up() {
        let mut kept = Kept::new(1, &notes("a"));
        for i in 0..10_000 {
            assert!(kept.add(1 + (i + 1) % 2, &notes("bc"), 0, true, &Limits::default()));
            assert!(kept.older.len() < 2100 && kept.ends.len() <= 3);
        }
        let limits = Limits {
            comments: 100,
            ..Limits::default()
        };
        let mut kept = Kept::new(1, &notes("a"));
        let n = (0..1000).find(|_| !kept.add(1, &notes("b"), 0, false, &limits));
        assert_eq!(n, Some(99));
    }
}
