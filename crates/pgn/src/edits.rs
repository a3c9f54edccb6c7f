//! Changes that a query makes to a game: texts added to positions, comments removed, tags set.

use std::ops::Range;

use crate::write::WriteOptions;

/// A comment may not become longer by adding to it.
const MERGE_LIMIT: usize = 4500;
/// From here on not even the note that something was cut off is added.
const MERGE_STOP: usize = 4800;
const CUT_NOTE: &[u8] = b"[cql truncate]...";

/// Changes to one game, collected in the order in which they happen. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Text of everything added.
    bytes: Vec<u8>,
    added: Vec<(u32, Range<usize>)>,
    removed: Vec<u32>,
    tags: Vec<(Vec<u8>, Vec<u8>)>,
}

impl Edits {
    /// Forgets all changes.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.added.clear();
        self.removed.clear();
        self.tags.clear();
    }

    /// Whether nothing is to be changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.tags.is_empty()
    }

    /// Adds a text to the comment of a node. An empty one adds nothing.
    pub fn add_comment(&mut self, node: usize, text: &[u8]) {
        if !text.is_empty() {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(text);
            self.added.push((node as u32, start..self.bytes.len()));
        }
    }

    /// Removes the original comment of a node.
    pub fn remove_comment(&mut self, node: usize) {
        self.removed.push(node as u32);
    }

    /// Sets a tag; the last value counts.
    pub fn set_tag(&mut self, name: &[u8], value: &[u8]) {
        match self.tags.iter_mut().find(|tag| tag.0 == name) {
            Some(tag) => tag.1 = value.to_vec(),
            None => self.tags.push((name.to_vec(), value.to_vec())),
        }
    }

    /// The changes by node.
    pub(crate) fn sorted(&self) -> SortedEdits<'_> {
        let mut added: Vec<u32> = (0..self.added.len() as u32).collect();
        added.sort_by_key(|&i| self.added[i as usize].0);
        let mut removed = self.removed.clone();
        removed.sort_unstable();
        SortedEdits {
            edits: self,
            added,
            removed,
        }
    }
}

pub(crate) struct SortedEdits<'a> {
    edits: &'a Edits,
    /// Indices of added texts, by node, then in the order of their creation.
    added: Vec<u32>,
    removed: Vec<u32>,
}

/// What becomes of a comment.
pub(crate) struct Merged {
    /// The new comment, or that there is none; `None` if nothing changes.
    pub(crate) replacement: Option<Option<Vec<u8>>>,
    /// The comment would have become too long.
    pub(crate) ignored: bool,
}

impl<'a> SortedEdits<'a> {
    /// The extra tags of a game with the tags set.
    pub(crate) fn merge_tags(
        &self,
        mut tags: Vec<(&'a [u8], &'a [u8])>,
    ) -> Vec<(&'a [u8], &'a [u8])> {
        for (name, value) in &self.edits.tags {
            match tags.iter_mut().find(|tag| tag.0 == name) {
                Some(tag) => tag.1 = value,
                None => tags.push((name, value)),
            }
        }
        tags
    }

    fn texts(&self, node: usize) -> impl Iterator<Item = &'a [u8]> {
        let edits = self.edits;
        let node_of = |i: &u32| edits.added[*i as usize].0 as usize;
        let start = self.added.partition_point(|i| node_of(i) < node);
        let own = self.added[start..]
            .iter()
            .take_while(move |i| node_of(i) == node);
        own.map(move |&i| &edits.bytes[edits.added[i as usize].1.clone()])
    }

    /// Merges the texts added to a node into its original comment.
    pub(crate) fn merge_comment(
        &self,
        node: usize,
        original: Option<&[u8]>,
        options: &WriteOptions,
    ) -> Merged {
        let removed = self.removed.binary_search(&(node as u32)).is_ok();
        let unchanged = Merged {
            replacement: removed.then_some(None),
            ignored: false,
        };
        // A removed comment counts with its length nevertheless.
        let mut total = original.map_or(0, <[u8]>::len);
        let remaining = original.filter(|_| !removed).unwrap_or_default();
        let mut comment = remaining.to_vec();
        let mut earlier: Vec<&[u8]> = Vec::new();
        for text in self.texts(node) {
            if options.unique_comments {
                if earlier.contains(&text) {
                    continue;
                }
                earlier.push(text);
            }
            let new_total = total + text.len();
            if new_total > MERGE_STOP {
                break;
            }
            if new_total > MERGE_LIMIT {
                comment.extend_from_slice(CUT_NOTE);
                break;
            }
            if total > 0 {
                comment.push(b' ');
            }
            comment.extend_from_slice(text);
            total = new_total;
        }
        if comment.len() == remaining.len() {
            return unchanged;
        }
        if comment.len() > MERGE_LIMIT {
            return Merged {
                ignored: true,
                ..unchanged
            };
        }
        for byte in &mut comment {
            match byte {
                b'{' | b'}' => *byte = b'_',
                127.. => *byte = b'?',
                _ => {}
            }
        }
        Merged {
            replacement: Some(Some(comment)),
            ignored: false,
        }
    }
}
