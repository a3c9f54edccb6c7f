//! Excerpts of a text for a diagnostic.
//!
//! The renderer of diagnostics reads all the text it is given. A large text with many errors would
//! be read for each of them, so only the lines around the spans are passed on, and only parts of
//! very long lines.

use std::ops::Range;

use annotate_snippets::Snippet;

use super::screen::Screen;

/// Bytes of a long line that are kept before and after a span. The renderer never shows more.
const AROUND: usize = 400;

/// Largest distance, in bytes, between two spans in one excerpt.
const NEAR: usize = 4000;

/// Indices of spans, with what is underlined for them.
type Places = Vec<(usize, Place)>;

/// The underlined text of a span.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) range: Range<usize>,
    /// Whether the label stands beside the line, not in a note.
    pub(super) has_label: bool,
    /// Columns of line and label, from the leftmost to the rightmost one.
    pub(super) columns: Range<usize>,
}

impl Place {
    /// Creates a place with a label, unless it is empty. There is room for any number of columns.
    pub(super) fn new(range: Range<usize>, label: &str) -> Place {
        Place { range, has_label: !label.is_empty(), columns: 0..0 }
    }
}

/// A text with the offsets of its lines.
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

    /// Returns the number of lines.
    pub(super) fn count(&self) -> usize {
        self.starts.len()
    }

    /// Returns the index of the line that contains a byte.
    fn line_of(&self, at: usize) -> usize {
        self.starts.partition_point(|&start| start <= at) - 1
    }

    /// Returns line and column of a byte, both from 1; columns count characters.
    pub(super) fn place(&self, at: usize) -> (usize, usize) {
        let line = self.line_of(at);
        (line + 1, self.text[self.starts[line]..at].chars().count() + 1)
    }

    /// Returns the lines of a range, or the part around it if they are very long.
    pub(super) fn excerpt(&self, place: &Range<usize>) -> Excerpt<'_> {
        let first = self.line_of(place.start);
        let line_start = self.starts[first];
        let line_end = match self.starts.get(self.line_of(place.end) + 1) {
            Some(&next) => next,
            None => self.text.len(),
        };
        let start = line_start.max(place.start.saturating_sub(AROUND));
        let end = line_end.min(place.end + AROUND);
        Excerpt { lines: self, first, part: super::whole_characters(&self.text, start..end) }
    }

    /// Groups ranges that are near each other, and fit beside each other on a terminal, into
    /// excerpts. Each excerpt comes with the indices of its ranges and their positions in it; the
    /// first one contains the first range.
    pub(super) fn excerpts(
        &self,
        places: impl Iterator<Item = Place>,
        screen: Option<&Screen>,
    ) -> Vec<(Excerpt<'_>, Places)> {
        let mut groups: Vec<(Place, Places)> = Vec::new();
        let joined = |a: &Range<usize>, b: &Range<usize>| a.start.min(b.start)..a.end.max(b.end);
        for (index, place) in places.enumerate() {
            let (range, columns) = (&place.range, &place.columns);
            let near = groups.iter_mut().find(|(all, _)| {
                range.start < all.range.end + NEAR
                    && all.range.start < range.end + NEAR
                    && screen.is_none_or(|screen| screen.has_room(&joined(&all.columns, columns)))
            });
            match near {
                Some((all, members)) => {
                    all.range = joined(&all.range, range);
                    all.columns = joined(&all.columns, columns);
                    members.push((index, place));
                }
                None => groups.push((place.clone(), vec![(index, place)])),
            }
        }
        let groups = groups.into_iter().map(|(all, mut members)| {
            let excerpt = self.excerpt(&all.range);
            for (_, place) in &mut members {
                place.range = excerpt.range(&place.range);
            }
            (excerpt, members)
        });
        groups.collect()
    }
}

/// A part of a text that covers some lines.
pub(super) struct Excerpt<'t> {
    lines: &'t Lines,
    /// Index of its first line.
    first: usize,
    part: Range<usize>,
}

impl<'t> Excerpt<'t> {
    /// Converts a range of the text to one of the excerpt.
    pub(super) fn range(&self, place: &Range<usize>) -> Range<usize> {
        place.start - self.part.start..place.end - self.part.start
    }

    /// Whether the first line lacks its beginning.
    pub(super) fn is_cut(&self) -> bool {
        self.part.start > self.lines.starts[self.first]
    }

    /// Returns the length of the longest line, in bytes.
    pub(super) fn line_length(&self) -> usize {
        let lines = self.text().split('\n');
        lines.map(str::len).max().unwrap_or(0)
    }

    /// Returns the location of a range as the renderer shows it, and the true one. They differ in a
    /// first line without its beginning, where columns count from the cut.
    pub(super) fn shift(&self, name: &str, range: &Range<usize>) -> Option<(String, String)> {
        let before = &self.lines.text[self.part.start..][..range.start];
        let is_shifted = self.is_cut() && !before.contains('\n');
        let shown = |line: usize, column: usize| format!("{name}:{line}:{column}\n");
        is_shifted.then(|| {
            let (line, column) = self.lines.place(self.part.start + range.start);
            (shown(line, before.chars().count() + 1), shown(line, column))
        })
    }

    /// Returns the text of the excerpt.
    pub(super) fn text(&self) -> &'t str {
        &self.lines.text[self.part.clone()]
    }

    pub(super) fn snippet<T: Clone>(&self) -> Snippet<'t, T> {
        self.with_text(self.text())
    }

    /// Returns a snippet with another text in place of that of the excerpt.
    pub(super) fn with_text<'o, T: Clone>(&self, text: &'o str) -> Snippet<'o, T> {
        Snippet::source(text).line_start(self.first + 1)
    }
}
