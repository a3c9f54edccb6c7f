//! The part of a text that a diagnostic is about.
//!
//! What shows a part of a text reads all of it. A text with many faults would be read for each of
//! them, so only the lines around the places are handed on, and of very long lines a part.

use std::ops::Range;

use annotate_snippets::Snippet;

/// Bytes of a long line that are handed on, before and after a place. More are never shown.
const AROUND: usize = 400;

/// Bytes between two places that are shown in one excerpt.
const NEAR: usize = 4000;

/// Places by their numbers, with their ranges.
type Places = Vec<(usize, Range<usize>)>;

/// A text, and where its lines begin.
pub(super) struct Lines {
    text: String,
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn of(text: String) -> Lines {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let starts = std::iter::once(0).chain(ends).collect();
        Lines { text, starts }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The number of the line with a byte, from 0.
    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// Line and column of a byte, from 1; the column in characters.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let line = self.line_of(at);
        (
            line + 1,
            self.text[self.starts[line]..at].chars().count() + 1,
        )
    }

    /// The lines of a place, or what is around it where they are very long.
    pub(super) fn excerpt(&self, place: &Range<usize>) -> Excerpt<'_> {
        let first = self.line_of(place.start);
        let line_start = self.starts[first];
        let line_end = match self.starts.get(self.line_of(place.end) + 1) {
            Some(&next) => next,
            None => self.text.len(),
        };
        let start = line_start.max(place.start.saturating_sub(AROUND));
        let end = line_end.min(place.end + AROUND);
        Excerpt {
            lines: self,
            first,
            part: super::whole_characters(&self.text, start..end),
        }
    }

    /// Excerpts with the ranges of places in them, and which places those are. The first is that of
    /// the first place.
    pub(super) fn excerpts(
        &self,
        places: impl Iterator<Item = Range<usize>>,
    ) -> Vec<(Excerpt<'_>, Places)> {
        let mut groups: Vec<(Range<usize>, Places)> = Vec::new();
        for (index, place) in places.enumerate() {
            let near = groups
                .iter_mut()
                .find(|(all, _)| place.start < all.end + NEAR && all.start < place.end + NEAR);
            match near {
                Some((all, members)) => {
                    *all = all.start.min(place.start)..all.end.max(place.end);
                    members.push((index, place));
                }
                None => groups.push((place.clone(), vec![(index, place)])),
            }
        }
        let groups = groups.into_iter().map(|(all, members)| {
            let excerpt = self.excerpt(&all);
            let members = members.into_iter();
            let members = members.map(|(index, place)| (index, excerpt.range(&place)));
            let members = members.collect();
            (excerpt, members)
        });
        groups.collect()
    }
}

/// Some lines of a text.
pub(super) struct Excerpt<'t> {
    lines: &'t Lines,
    /// The number of the first one, from 0.
    first: usize,
    part: Range<usize>,
}

impl<'t> Excerpt<'t> {
    /// Where a place of the text is in it.
    pub(super) fn range(&self, place: &Range<usize>) -> Range<usize> {
        place.start - self.part.start..place.end - self.part.start
    }

    /// Whether its first line is not there from its beginning.
    pub(super) fn is_cut(&self) -> bool {
        self.part.start > self.lines.starts[self.first]
    }

    /// Bytes of its longest line.
    pub(super) fn line_length(&self) -> usize {
        let lines = self.lines.text[self.part.clone()].split('\n');
        lines.map(str::len).max().unwrap_or(0)
    }

    /// The place of a range as it is shown, and as it is: columns count from where the first line
    /// is cut.
    pub(super) fn shift(&self, name: &str, range: &Range<usize>) -> Option<(String, String)> {
        let before = &self.lines.text[self.part.start..][..range.start];
        let is_shifted = self.is_cut() && !before.contains('\n');
        let shown = |line: usize, column: usize| format!("{name}:{line}:{column}\n");
        is_shifted.then(|| {
            let (line, column) = self.lines.place(self.part.start + range.start);
            (shown(line, before.chars().count() + 1), shown(line, column))
        })
    }

    pub(super) fn snippet<T: Clone>(&self) -> Snippet<'t, T> {
        Snippet::source(&self.lines.text[self.part.clone()]).line_start(self.first + 1)
    }
}
