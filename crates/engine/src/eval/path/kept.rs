//! Stores the matches for `keepallbest`, with the comments that existed when each was recorded.
//!
//! Matches found one after another share the comments that were not dropped in between. Each
//! comment is emitted once: first all comments of the last match, then the remaining ones of the
//! match before it, and so on.
//!
//! If equal comments are merged, a guided search enters an arrival only once, since a second visit
//! would find the same matches again. But the comments of the last visit come first. Therefore the
//! comments kept within an arrival are grouped ([`BestMatches::close`]), and each later visit
//! refers to the group ([`BestMatches::repeat`]).

use std::collections::HashMap;

use super::super::notes::{CommentList, Note};
use compiler::limits::Limits;

/// The kept matches; at least one once a match has been found.
#[derive(Debug, Default)]
pub(super) struct BestMatches {
    /// Ends of the matches, the best match first.
    ends: Vec<u32>,
    /// Comments of the last match that have not been dropped since.
    notes: CommentList,
    /// Dropped comments of the last match and further comments of earlier matches, in
    /// reverse order of output.
    older: Vec<Older>,
    /// Entries like those of `older`, for each arrival that the search has left.
    within: Vec<Vec<Older>>,
    /// Comments that `older` and `within` refer to.
    texts: CommentList,
    /// Indices into `texts`, if equal comments are merged.
    known: Option<HashMap<Note, u32>>,
    /// Number of all [`Older`] entries.
    n_older: u64,
}

/// A comment or group of comments that matches had besides the comments of the last match.
#[derive(Debug, Clone, Copy)]
enum Older {
    /// An index into [`BestMatches::texts`].
    Comment(u32),
    /// The group of an arrival, an index into [`BestMatches::within`].
    Arrival(Within),
}

/// A group of everything kept within one arrival.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within(u32);

impl BestMatches {
    /// Starts with the first match. With `merging`, equal comments are kept once.
    pub(super) fn new(end: u32, notes: &[Note], merging: bool) -> BestMatches {
        BestMatches {
            ends: vec![end],
            notes: notes.iter().cloned().collect(),
            known: merging.then(HashMap::new),
            ..BestMatches::default()
        }
    }

    /// Records that the search drops its comments from index `len` on.
    #[inline]
    pub(super) fn drop_from(&mut self, len: usize) {
        if len < self.notes.len() {
            self.put_away(len);
        }
    }

    fn put_away(&mut self, len: usize) {
        let n = self.notes.len();
        for note in self.notes.drain(len..n).rev() {
            let next = self.texts.len() as u32;
            let place = match &mut self.known {
                Some(known) => *known.entry(note.clone()).or_insert(next),
                None => next,
            };
            if place == next {
                self.texts.push(note);
            }
            self.older.push(Older::Comment(place));
            self.n_older += 1;
        }
    }

    /// Adds another match with an equal score and these comments. Returns `false` if a limit is
    /// exceeded.
    pub(super) fn add(&mut self, end: u32, notes: &[Note], limits: &Limits) -> bool {
        // the best end is repeated if it is reached again
        if self.known.is_none() || !self.ends[1..].contains(&end) {
            self.ends.push(end);
        }
        self.notes.extend(notes.iter().skip(self.notes.len()).cloned());
        let n = self.texts.len().max(self.ends.len());
        let n_bytes = self.texts.n_bytes() as u64 + self.n_older * size_of::<Older>() as u64;
        n as u64 <= limits.comments && n_bytes <= limits.comment_bytes
    }

    /// Returns the number of entries before an arrival is entered, for [`BestMatches::close`].
    pub(super) fn open(&self) -> usize {
        self.older.len()
    }

    /// Groups the entries of an arrival that is left. It was entered with `len` comments, when
    /// [`BestMatches::open`] returned `opened`.
    pub(super) fn close(&mut self, opened: usize, len: usize) -> Within {
        self.drop_from(len);
        let within = Within(self.within.len() as u32);
        self.within.push(self.older.split_off(opened));
        self.repeat(within);
        within
    }

    /// Refers to the group of an arrival again, at a later visit.
    pub(super) fn repeat(&mut self, within: Within) {
        self.older.push(Older::Arrival(within));
        self.n_older += 1;
    }

    /// Appends the comments to `to` and returns the ends of the matches.
    pub(super) fn emit(self, to: &mut CommentList) -> Vec<u32> {
        to.extend(self.notes);
        let mut is_told = vec![false; self.texts.len()];
        let mut is_open = vec![false; self.within.len()];
        let mut lists = vec![self.older.iter().rev()];
        while let Some(list) = lists.last_mut() {
            match list.next() {
                None => drop(lists.pop()),
                Some(&Older::Comment(place)) => {
                    let place = place as usize;
                    if !std::mem::replace(&mut is_told[place], true) {
                        to.push(self.texts[place].clone());
                    }
                }
                Some(&Older::Arrival(Within(place))) => {
                    let place = place as usize;
                    if !std::mem::replace(&mut is_open[place], true) {
                        lists.push(self.within[place].iter().rev());
                    }
                }
            }
        }
        self.ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(text: &str) -> Vec<Note> {
        let note = |c: char| Note { position: 0, text: [c as u8].into() };
        text.chars().map(note).collect()
    }

    fn emitted(kept: BestMatches) -> (Vec<u32>, String) {
        let mut out = CommentList::default();
        let ends = kept.emit(&mut out);
        let text = |note: &Note| char::from(note.text[0]);
        (ends, out.iter().map(text).collect())
    }

    /// Adds another match, after dropping all but the first `shared` comments.
    fn add(kept: &mut BestMatches, end: u32, text: &str, shared: usize) {
        kept.drop_from(shared);
        assert!(kept.add(end, &notes(text), &Limits::default()));
    }

    #[test]
    fn each_comment_is_emitted_once_the_last_match_first() {
        let check = |matches: &[(u32, &str, usize)], want_ends: &[u32], want: &str| {
            let (end, first, _) = matches[0];
            let mut kept = BestMatches::new(end, &notes(first), true);
            for &(end, text, shared) in &matches[1..] {
                add(&mut kept, end, text, shared);
            }
            assert_eq!(emitted(kept), (want_ends.to_vec(), want.into()));
        };
        check(&[(3, "pa", 0)], &[3], "pa");
        check(&[(3, "pa", 0), (5, "pb", 1)], &[3, 5], "pba");
        check(&[(3, "pqab", 0), (5, "pqc", 2), (6, "pd", 1)], &[3, 5, 6], "pdqcab");
        check(&[(3, "", 0), (3, "", 0), (3, "", 0), (4, "", 0)], &[3, 3, 4], "");
    }

    #[test]
    fn an_arrival_that_is_passed_again_has_the_comments_of_the_last_visit() {
        let mut kept = BestMatches::new(1, &notes("pa"), true);
        add(&mut kept, 2, "pb", 1);
        let first = kept.close(0, 1);
        kept.drop_from(0);
        let opened = kept.open();
        add(&mut kept, 3, "qc", 0);
        let inner = kept.close(opened, 1);
        kept.repeat(first);
        add(&mut kept, 4, "r", 0);
        kept.repeat(inner);
        // r; the group of the second arrival, visited last; q; the group of the first; p
        assert_eq!(emitted(kept), (vec![1, 2, 3, 4], "rcqbap".into()));
    }

    #[test]
    fn equal_comments_do_not_pile_up() {
        let mut kept = BestMatches::new(1, &notes("a"), true);
        for i in 0..10_000 {
            add(&mut kept, 1 + (i + 1) % 2, "bc", 0);
            assert!(kept.texts.len() <= 3 && kept.ends.len() <= 3);
        }
        let limits = Limits { comments: 100, ..Limits::default() };
        let mut kept = BestMatches::new(1, &notes("a"), false);
        let n = (0..1000).find(|_| !kept.add(1, &notes("b"), &limits));
        assert_eq!(n, Some(99));
    }
}
