//! Findings, and the edits that repair them.

use std::ops::Range;

use super::kind::FindingKind;
use crate::bytes::is_space;
use crate::parse::has_square;

/// Maximum number of findings in a game: a text with more is no game.
pub(super) const FINDINGS: usize = 20_000;

/// An issue of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// Kind of the issue.
    pub kind: FindingKind,
    /// Byte offset in the text of the game.
    pub at: usize,
    /// Description of the issue; lower case, no full stop.
    pub what: String,
    /// The changes that repair the issue.
    pub(crate) edits: Vec<Edit>,
}

impl Finding {
    pub(super) fn new(
        kind: FindingKind,
        at: usize,
        what: impl Into<String>,
        edits: impl Into<Vec<Edit>>,
    ) -> Finding {
        let mut edits = edits.into();
        for edit in &mut edits {
            edit.respells |= kind.respells();
        }
        Finding { kind, at, what: what.into(), edits }
    }
}

impl Finding {
    /// Whether a word with the name of a square was not understood.
    pub(super) fn is_unread_move(&self, text: &[u8]) -> bool {
        let word = || text[self.at..].split(|b| is_space(*b)).next();
        self.kind.is_unread() && word().is_some_and(has_square)
    }
}

/// A replacement of a byte range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Edit {
    pub(crate) range: Range<usize>,
    pub(crate) text: Vec<u8>,
    /// Whether the replacement spells the words of the range in another way.
    pub(crate) respells: bool,
}

impl Edit {
    pub(crate) fn replace(range: Range<usize>, text: impl Into<Vec<u8>>) -> Edit {
        Edit { range, text: text.into(), respells: false }
    }

    pub(crate) fn insert(at: usize, text: impl Into<Vec<u8>>) -> Edit {
        Edit::replace(at..at, text)
    }

    pub(crate) fn remove(range: Range<usize>) -> Edit {
        Edit::replace(range, "")
    }
}

/// The findings in one game.
#[derive(Debug, Default)]
pub(crate) struct Findings(pub(super) Vec<Finding>);

impl Findings {
    pub(crate) fn add(
        &mut self,
        kind: FindingKind,
        at: usize,
        what: impl Into<String>,
        edits: impl Into<Vec<Edit>>,
    ) {
        if !self.is_full() {
            self.0.push(Finding::new(kind, at, what, edits));
        }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.0.len() >= FINDINGS
    }

    pub(super) fn append(&mut self, others: Findings) {
        self.0.extend(others.0);
    }

    pub(super) fn has(&self, kind: FindingKind) -> bool {
        self.0.iter().any(|finding| finding.kind == kind)
    }

    /// Whether the edits of the others are the same.
    pub(super) fn is_mended_as(&self, others: &Findings) -> bool {
        let edits = |findings: &Findings| -> Vec<Edit> {
            let all = findings.0.iter().flat_map(|finding| &finding.edits);
            all.cloned().collect()
        };
        edits(self) == edits(others)
    }

    pub(super) fn of_kind(&self, kind: FindingKind) -> impl Iterator<Item = &Finding> {
        self.0.iter().filter(move |finding| finding.kind == kind)
    }

    /// Returns the offset of the first word that is no move.
    pub(super) fn first_unread(&self) -> Option<usize> {
        let unread = self.0.iter().filter(|finding| finding.kind.is_unread());
        unread.map(|finding| finding.at).min()
    }
}

/// Returns a text in the form in which a comment can hold it.
pub(super) fn in_comment(text: &[u8]) -> Vec<u8> {
    let inside = text.trim_ascii().iter();
    let replaced = inside.map(|byte| match byte {
        b'{' => b'(',
        b'}' => b')',
        byte => *byte,
    });
    replaced.collect()
}

/// Returns the separator between a text and an insertion after it: `;`, `%` and tags take the rest
/// of their line.
pub(crate) fn separator(text: &[u8], at: usize) -> &'static str {
    let line = text[..at].rsplit(|b| *b == b'\n').next().unwrap_or_default();
    let begins_with = |sign: u8| line.trim_ascii_start().first() == Some(&sign);
    if begins_with(b'[') {
        "\n\n"
    } else if line.contains(&b';') || line.contains(&b'%') {
        "\n"
    } else {
        " "
    }
}
