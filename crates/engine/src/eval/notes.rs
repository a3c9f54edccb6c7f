//! Comments in order of creation, with their total size.

use std::collections::HashSet;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A comment for a position.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Note {
    /// The position at which the comment is written.
    pub(crate) position: u32,
    /// Text of the comment.
    pub(crate) text: Arc<[u8]>,
}

/// Number of bytes that a comment takes besides its text, in the list and in the set of seen
/// comments.
pub(crate) const BESIDES_TEXT: usize = 64;

fn size(note: &Note) -> usize {
    BESIDES_TEXT + note.text.len()
}

/// A list of comments.
#[derive(Debug, Clone, Default)]
pub(crate) struct CommentList {
    list: Vec<Note>,
    n_bytes: usize,
}

impl Deref for CommentList {
    type Target = [Note];

    fn deref(&self) -> &[Note] {
        &self.list
    }
}

impl CommentList {
    /// Returns the total number of bytes of the comments.
    pub(crate) fn n_bytes(&self) -> usize {
        self.n_bytes
    }

    pub(crate) fn push(&mut self, note: Note) {
        self.n_bytes += size(&note);
        self.list.push(note);
    }

    pub(crate) fn extend(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            self.push(note);
        }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.n_bytes = 0;
    }

    /// Drops all comments after the first `len`.
    #[inline]
    pub(crate) fn truncate(&mut self, len: usize) {
        if len < self.list.len() {
            self.drain(len..self.list.len());
        }
    }

    /// Removes a range of comments and returns them.
    pub(crate) fn drain(&mut self, range: Range<usize>) -> std::vec::Drain<'_, Note> {
        let dropped = self.list.get(range.clone()).unwrap_or_default();
        self.n_bytes -= dropped.iter().map(size).sum::<usize>();
        self.list.drain(range)
    }

    /// Removes the comments from `start` on that are in `seen`, and adds the others to `seen`.
    pub(crate) fn keep_new(&mut self, start: usize, seen: &mut HashSet<Note>) {
        let mut end = start;
        for index in start..self.list.len() {
            if seen.insert(self.list[index].clone()) {
                self.list.swap(end, index);
                end += 1;
            }
        }
        self.truncate(end);
    }
}

impl FromIterator<Note> for CommentList {
    fn from_iter<I: IntoIterator<Item = Note>>(notes: I) -> CommentList {
        let mut all = CommentList::default();
        all.extend(notes);
        all
    }
}

impl IntoIterator for CommentList {
    type Item = Note;
    type IntoIter = std::vec::IntoIter<Note>;

    fn into_iter(self) -> Self::IntoIter {
        self.list.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_kept_up_to_date() {
        let note = |text: &str| Note { position: 0, text: text.as_bytes().into() };
        let mut notes: CommentList = ["a", "bb", "ccc", "bb"].map(note).into_iter().collect();
        let sizes = |notes: &CommentList| (notes.len(), notes.n_bytes() - 64 * notes.len());
        assert_eq!(sizes(&notes), (4, 8));
        notes.keep_new(1, &mut HashSet::new());
        assert_eq!(sizes(&notes), (3, 6));
        notes.drain(0..1);
        assert_eq!(sizes(&notes), (2, 5));
        notes.truncate(1);
        notes.truncate(7);
        assert_eq!(sizes(&notes), (1, 2));
        notes.clear();
        assert_eq!(sizes(&notes), (0, 0));
    }
}
