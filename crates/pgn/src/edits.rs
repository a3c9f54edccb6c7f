//! Collects the changes that a query makes to a game: texts added to positions, comments removed,
//! tags set.

use std::borrow::Cow;
use std::ops::Range;

/// Maximum length in bytes of a comment with added texts.
const MERGE_LIMIT: usize = 4500;
/// Length in bytes above which not even the note about a cut is added.
const MERGE_STOP: usize = 4800;
const CUT_NOTE: &[u8] = b"[cql truncate]...";

/// Changes to one game, in the order in which they happen. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// The added texts, one after the other, each once if it is added several times in a row.
    bytes: Vec<u8>,
    texts: Vec<Text>,
    added: Vec<Added>,
    removed: Vec<u32>,
    tags: Vec<(Vec<u8>, Vec<u8>)>,
    removed_tags: Vec<Vec<u8>>,
}

/// A text that is added.
#[derive(Clone, Debug)]
struct Text {
    place: Range<usize>,
    /// Whether the text alone becomes a comment unchanged.
    is_kept: bool,
}

/// A text added to a node.
#[derive(Clone, Copy, Debug)]
struct Added {
    node: u32,
    /// Index of the text.
    text: u32,
}

impl Edits {
    /// Removes all changes.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.texts.clear();
        self.added.clear();
        self.removed.clear();
        self.tags.clear();
        self.removed_tags.clear();
    }

    /// Whether there are no changes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty()
            && self.removed.is_empty()
            && self.tags.is_empty()
            && self.removed_tags.is_empty()
    }

    /// Adds a text to the comment of a node. An empty text adds nothing.
    pub fn add_comment(&mut self, node: usize, text: &[u8]) {
        if text.is_empty() {
            return;
        }
        if self.texts.last().is_none_or(|last| self.bytes[last.place.clone()] != *text) {
            let start = self.bytes.len();
            self.bytes.extend_from_slice(text);
            let is_kept = text.iter().all(|byte| !matches!(byte, b'{' | b'}' | 127..));
            let is_kept = is_kept && text.len() <= MERGE_LIMIT;
            self.texts.push(Text { place: start..self.bytes.len(), is_kept });
        }
        self.repeat_comment(node);
    }

    /// Adds the text that was added last, to another node.
    pub fn repeat_comment(&mut self, node: usize) {
        if let Some(last) = self.texts.len().checked_sub(1) {
            self.added.push(Added { node: node as u32, text: last as u32 });
        }
    }

    fn text(&self, added: Added) -> &[u8] {
        &self.bytes[self.texts[added.text as usize].place.clone()]
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

    /// Removes a tag of the game. A tag that is set remains, as do `FEN` and the seven tags that
    /// every game has.
    pub fn remove_tag(&mut self, name: &[u8]) {
        self.removed_tags.push(name.to_vec());
    }

    /// Returns the changes sorted by node.
    pub(crate) fn sorted(&self) -> SortedEdits<'_> {
        let mut added = Cow::from(&self.added);
        if !added.is_sorted_by_key(|added| added.node) {
            added.to_mut().sort_by_cached_key(|added| added.node);
        }
        let mut removed = self.removed.clone();
        removed.sort_by_cached_key(|&node| node);
        SortedEdits { edits: self, added, removed, n_passed: 0, earlier: Vec::new() }
    }
}

/// Changes by node, for queries in ascending order of the nodes.
pub(crate) struct SortedEdits<'a> {
    edits: &'a Edits,
    /// Sorted by node, then by the order of addition.
    added: Cow<'a, [Added]>,
    removed: Vec<u32>,
    /// Number of added texts of nodes that have been passed.
    n_passed: usize,
    /// Indexes of the added texts of one node that are already in its comment.
    earlier: Vec<usize>,
}

/// Fate of the comment of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Merged {
    /// The comment stays as it is.
    Unchanged,
    /// The comment is removed.
    Removed,
    /// There is a new comment.
    New,
}

impl<'a> SortedEdits<'a> {
    /// Returns the extra tags of a game, with the tags that are set.
    pub(crate) fn merge_tags(
        &self,
        mut tags: Vec<(&'a [u8], &'a [u8])>,
    ) -> Vec<(&'a [u8], &'a [u8])> {
        let removed = &self.edits.removed_tags;
        tags.retain(|tag| !removed.iter().any(|removed| removed == tag.0));
        for (name, value) in &self.edits.tags {
            match tags.iter_mut().find(|tag| tag.0 == name) {
                Some(tag) => tag.1 = value,
                None => tags.push((name, value)),
            }
        }
        tags
    }

    /// Whether a tag that is not one of the extra tags is removed.
    pub(crate) fn removes_tag(&self, name: &[u8]) -> bool {
        self.edits.removed_tags.iter().any(|removed| removed == name)
    }

    /// Advances to a node, and returns whether texts are added to it. Nodes must be passed in
    /// ascending order.
    #[inline]
    pub(crate) fn has_texts(&mut self, node: usize) -> bool {
        while let Some(added) = self.added.get(self.n_passed) {
            if added.node as usize >= node {
                return added.node as usize == node;
            }
            self.n_passed += 1;
        }
        false
    }

    /// Advances to a node, as [`SortedEdits::has_texts`] does, and returns the first node from
    /// there on with added texts.
    pub(crate) fn next_with_texts(&mut self, node: usize) -> Option<usize> {
        self.has_texts(node);
        let next = self.added.get(self.n_passed)?;
        Some(next.node as usize)
    }

    /// Returns the text added to the current node, which has no comment, if it is the only one and
    /// becomes the comment unchanged. The number is the same for the same text.
    #[inline]
    pub(crate) fn only_text(&self, node: usize) -> Option<(u32, &'a [u8])> {
        let added = *self.added.get(self.n_passed)?;
        let next = self.added.get(self.n_passed + 1);
        let is_only = next.is_none_or(|next| next.node as usize != node);
        let is_kept = self.edits.texts[added.text as usize].is_kept;
        (is_only && is_kept).then(|| (added.text, self.edits.text(added)))
    }

    /// Whether a text, by its number, is the only one added to the current node.
    #[inline]
    pub(crate) fn has_only(&self, number: u32) -> bool {
        match self.added.get(self.n_passed..) {
            Some([here, next, ..]) => here.text == number && next.node != here.node,
            Some([here]) => here.text == number,
            _ => false,
        }
    }

    /// Passes the only text of the current node, and returns the next node with added texts.
    #[inline]
    pub(crate) fn pass(&mut self) -> Option<usize> {
        self.n_passed += 1;
        self.added.get(self.n_passed).map(|added| added.node as usize)
    }

    /// Whether the comments of a node are removed, all of them.
    pub(crate) fn removes_comment(&self, node: usize) -> bool {
        !self.removed.is_empty() && self.removed.binary_search(&(node as u32)).is_ok()
    }

    /// Merges the texts added to a node into its original comment; if `unique`, equal texts only
    /// once. In a new comment, `?` replaces each byte beyond ASCII unless it `keeps_letters`. A new
    /// comment replaces the contents of `comment`. The second result is `true` if the
    /// new comment would be too long.
    pub(crate) fn merge_comment(
        &mut self,
        node: usize,
        original: Option<&[u8]>,
        unique: bool,
        keeps_letters: bool,
        comment: &mut Vec<u8>,
    ) -> (Merged, bool) {
        let removed = self.removes_comment(node);
        let unchanged = if removed { Merged::Removed } else { Merged::Unchanged };
        if !self.has_texts(node) {
            return (unchanged, false);
        }
        // The length of a removed comment counts, too.
        let mut total = original.map_or(0, <[u8]>::len);
        let remaining = original.filter(|_| !removed).unwrap_or_default();
        comment.clear();
        comment.extend_from_slice(remaining);
        self.earlier.clear();
        let text_of = |index: usize| self.edits.text(self.added[index]);
        let is_own = |index: &usize| {
            let added = self.added.get(*index);
            added.is_some_and(|added| added.node as usize == node)
        };
        for index in (self.n_passed..).take_while(is_own) {
            let text = text_of(index);
            if unique {
                if self.earlier.iter().any(|&earlier| text_of(earlier) == text) {
                    continue;
                }
                self.earlier.push(index);
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
            return (unchanged, false);
        }
        if comment.len() > MERGE_LIMIT {
            return (unchanged, true);
        }
        for byte in comment {
            match byte {
                b'{' | b'}' => *byte = b'_',
                127.. if !keeps_letters => *byte = b'?',
                _ => {}
            }
        }
        (Merged::New, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_repeated_is_added() {
        let mut edits = Edits::default();
        edits.repeat_comment(1);
        assert!(edits.is_empty(), "there is no text yet");
        edits.add_comment(2, b"a");
        edits.add_comment(3, b"b");
        edits.add_comment(4, b"");
        edits.repeat_comment(5);
        let sorted = edits.sorted();
        let added = sorted.added.iter().map(|added| (added.node, edits.text(*added)));
        assert_eq!(added.collect::<Vec<_>>(), [(2, &b"a"[..]), (3, b"b"), (5, b"b")]);
    }

    /// Merges texts into a comment, which may also be removed.
    fn merge(
        original: Option<&str>,
        removed: bool,
        texts: &[&str],
    ) -> (Option<Option<String>>, bool) {
        let mut edits = Edits::default();
        if removed {
            edits.remove_comment(5);
        }
        for text in texts {
            edits.add_comment(4, b"before");
            edits.add_comment(5, text.as_bytes());
            edits.add_comment(6, b"behind");
        }
        let mut comment = b"of another".to_vec();
        let mut sorted = edits.sorted();
        let only = sorted.has_texts(5).then(|| sorted.only_text(5)).flatten();
        let (merged, ignored) =
            sorted.merge_comment(5, original.map(str::as_bytes), true, false, &mut comment);
        if let Some((_, only)) = only.filter(|_| original.is_none()) {
            assert_eq!((merged, only), (Merged::New, comment.as_slice()));
        }
        let replacement = match merged {
            Merged::Unchanged => None,
            Merged::Removed => Some(None),
            Merged::New => Some(Some(String::from_utf8(comment).unwrap())),
        };
        (replacement, ignored)
    }

    fn check(original: Option<&str>, removed: bool, texts: &[&str], want: Option<Option<&str>>) {
        let (got, ignored) = merge(original, removed, texts);
        let want = want.map(|comment| comment.map(str::to_owned));
        assert_eq!((got, ignored), (want, false), "{original:?} {removed} {texts:?}");
    }

    #[test]
    fn texts_are_joined() {
        check(None, false, &[], None);
        check(Some("o"), false, &[], None);
        check(None, false, &[""], None);
        check(None, false, &["a"], Some(Some("a")));
        check(None, false, &["a", "b", "a"], Some(Some("a b")));
        check(Some("o"), false, &["a", "o"], Some(Some("o a o")));
        check(Some(""), false, &["a"], Some(Some("a")));
        check(Some("o"), true, &["a"], Some(Some(" a")));
        check(Some("o"), true, &[], Some(None));
        check(None, true, &["a"], Some(Some("a")));
        check(Some("{\u{e9}}"), false, &["{a}\n"], Some(Some("_??_ _a_\n")));
    }

    #[test]
    fn a_text_alone_is_a_comment() {
        let check = |texts: &[&str], want: Option<&str>| {
            let mut edits = Edits::default();
            texts.iter().for_each(|text| edits.add_comment(3, text.as_bytes()));
            edits.add_comment(4, b"behind");
            let mut sorted = edits.sorted();
            assert_eq!(sorted.has_texts(3), !texts.is_empty());
            let only = sorted.only_text(3);
            assert_eq!(only.map(|(_, text)| text), want.map(str::as_bytes), "{texts:?}");
        };
        check(&["a b"], Some("a b"));
        check(&["a", "a"], None);
        check(&["{"], None);
        check(&["\u{e9}"], None);
        let long = "x".repeat(MERGE_LIMIT);
        check(&[&long], Some(&long));
        check(&[&(long + "x")], None);
    }

    #[test]
    fn lengths_are_limited() {
        let long = |length| "x".repeat(length);
        let cut = |length| format!("{}{}", long(length), "[cql truncate]...");
        // The limit of the comment counts the blanks between texts, that of the texts does not.
        check(Some(&long(4498)), false, &["a"], Some(Some(&format!("{} a", long(4498)))));
        assert_eq!(merge(Some(&long(4499)), false, &["a"]), (None, true));
        assert_eq!(merge(Some(&long(4499)), false, &["ab"]), (None, true));
        check(Some(&long(4480)), false, &[&long(100)], Some(Some(&cut(4480))));
        assert_eq!(merge(Some(&long(4484)), false, &[&long(100)]), (None, true));
        check(Some(&long(4480)), false, &[&long(321), "b"], None);
        check(Some(&long(4480)), true, &[&long(321), "b"], Some(None));
        check(Some(&long(4600)), true, &["b", "c"], Some(Some("[cql truncate]...")));
        check(
            Some(&long(4400)),
            false,
            &["b", &long(101), "c"],
            Some(Some(&format!("{} b[cql truncate]...", long(4400)))),
        );
    }

    #[test]
    fn tags_are_merged() {
        let mut edits = Edits::default();
        assert!(edits.is_empty());
        for (name, value) in [("Z", "1"), ("A", "2"), ("Z", "3")] {
            edits.set_tag(name.as_bytes(), value.as_bytes());
        }
        let tags = |names: &[(&'static str, &'static str)]| -> Vec<(&'static [u8], &'static [u8])> {
            names.iter().map(|(n, v)| (n.as_bytes(), v.as_bytes())).collect()
        };
        let merged = edits.sorted().merge_tags(tags(&[("A", "x"), ("B", "y")]));
        assert_eq!(merged, tags(&[("A", "2"), ("B", "y"), ("Z", "3")]));
        edits.remove_tag(b"B");
        let merged = edits.sorted().merge_tags(tags(&[("A", "x"), ("B", "y")]));
        assert_eq!(merged, tags(&[("A", "2"), ("Z", "3")]));
        edits.clear();
        assert!(edits.is_empty());
    }
}
