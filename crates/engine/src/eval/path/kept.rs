//! The matches that `keepallbest` keeps, and the comments that they had when they were recorded.
//!
//! Matches that are found one after the other share the comments that were not dropped in
//! between. Each comment is emitted once: all of the last match, then what is left of the one
//! before, and so on.
//!
//! Where equal comments are merged, a guided search enters an arrival once: at a second visit it
//! would find the same matches again. But the comments of the last visit come first. So what is
//! kept within an arrival is put together ([`Kept::close`]), and stands again where the search
//! comes by again ([`Kept::repeat`]).

use std::collections::HashMap;

use super::super::notes::{Note, Notes};
use compiler::limits::Limits;

/// The kept matches; at least one as soon as something has been found.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Where they end, the best match first.
    ends: Vec<u32>,
    /// The comments of the last one that have not been dropped since.
    notes: Notes,
    /// What has been dropped, and what earlier ones had besides, backward.
    older: Vec<Older>,
    /// The same of the arrivals that have been left.
    within: Vec<Vec<Older>>,
    /// The comments of `older` and `within`.
    texts: Notes,
    /// The places of `texts`, if equal comments are merged.
    known: Option<HashMap<Note, u32>>,
    /// The number of all [`Older`].
    n_older: u64,
}

/// Something that matches had besides the comments of the last one.
#[derive(Debug, Clone, Copy)]
enum Older {
    /// A place in [`Kept::texts`].
    Comment(u32),
    /// All that was kept within an arrival, a place in [`Kept::within`].
    Arrival(Within),
}

/// What was kept within an arrival.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within(u32);

impl Kept {
    /// The first match. With `merging`, nothing that is equal needs to be kept twice.
    pub(super) fn new(end: u32, notes: &[Note], merging: bool) -> Kept {
        Kept {
            ends: vec![end],
            notes: notes.iter().cloned().collect(),
            known: merging.then(HashMap::new),
            ..Kept::default()
        }
    }

    /// The comments from the number `len` on are dropped where the search is.
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

    /// Another match that is as good, with these comments. `false` if there is no more room.
    pub(super) fn add(&mut self, end: u32, notes: &[Note], limits: &Limits) -> bool {
        // the best end is named again if it is reached again
        if self.known.is_none() || !self.ends[1..].contains(&end) {
            self.ends.push(end);
        }
        self.notes
            .extend(notes.iter().skip(self.notes.len()).cloned());
        let n = self.texts.len().max(self.ends.len());
        let n_bytes = self.texts.n_bytes() as u64 + self.n_older * size_of::<Older>() as u64;
        n as u64 <= limits.comments && n_bytes <= limits.comment_bytes
    }

    /// How much there is before an arrival is entered.
    pub(super) fn open(&self) -> usize {
        self.older.len()
    }

    /// Leaves an arrival that was entered with `len` comments, when [`Kept::open`] was `opened`.
    pub(super) fn close(&mut self, opened: usize, len: usize) -> Within {
        self.drop_from(len);
        let within = Within(self.within.len() as u32);
        self.within.push(self.older.split_off(opened));
        self.repeat(within);
        within
    }

    /// What was kept within an arrival stands here, too.
    pub(super) fn repeat(&mut self, within: Within) {
        self.older.push(Older::Arrival(within));
        self.n_older += 1;
    }

    /// Adds the comments to `to`; the ends are returned.
    pub(super) fn emit(self, to: &mut Notes) -> Vec<u32> {
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
        let note = |c: char| Note {
            position: 0,
            text: [c as u8].into(),
        };
        text.chars().map(note).collect()
    }

    fn emitted(kept: Kept) -> (Vec<u32>, String) {
        let mut out = Notes::default();
        let ends = kept.emit(&mut out);
        let text = |note: &Note| char::from(note.text[0]);
        (ends, out.iter().map(text).collect())
    }

    /// Another match, before which all but the first `shared` comments are dropped.
    fn add(kept: &mut Kept, end: u32, text: &str, shared: usize) {
        kept.drop_from(shared);
        assert!(kept.add(end, &notes(text), &Limits::default()));
    }

    #[test]
    fn each_comment_is_emitted_once_the_last_match_first() {
        let check = |matches: &[(u32, &str, usize)], want_ends: &[u32], want: &str| {
            let (end, first, _) = matches[0];
            let mut kept = Kept::new(end, &notes(first), true);
            for &(end, text, shared) in &matches[1..] {
                add(&mut kept, end, text, shared);
            }
            assert_eq!(emitted(kept), (want_ends.to_vec(), want.into()));
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
    fn an_arrival_that_is_passed_again_has_the_comments_of_the_last_visit() {
        let mut kept = Kept::new(1, &notes("pa"), true);
        add(&mut kept, 2, "pb", 1);
        let first = kept.close(0, 1);
        kept.drop_from(0);
        let opened = kept.open();
        add(&mut kept, 3, "qc", 0);
        let inner = kept.close(opened, 1);
        kept.repeat(first);
        add(&mut kept, 4, "r", 0);
        kept.repeat(inner);
        // r; what is within the second arrival, which came last; q; the first; p
        assert_eq!(emitted(kept), (vec![1, 2, 3, 4], "rcqbap".into()));
    }

    #[test]
    fn equal_comments_do_not_pile_up() {
        let mut kept = Kept::new(1, &notes("a"), true);
        for i in 0..10_000 {
            add(&mut kept, 1 + (i + 1) % 2, "bc", 0);
            assert!(kept.texts.len() <= 3 && kept.ends.len() <= 3);
        }
        let limits = Limits {
            comments: 100,
            ..Limits::default()
        };
        let mut kept = Kept::new(1, &notes("a"), false);
        let n = (0..1000).find(|_| !kept.add(1, &notes("b"), &limits));
        assert_eq!(n, Some(99));
    }
}
