//! Fits diagnostics into the width of a terminal.
//!
//! The renderer shows only the part of a line around what is underlined, if there is room for that
//! and for its label. A text without room gets an excerpt or a note of its own.

use std::borrow::Cow;
use std::ops::Range;

use ide::wrap::wrapped;

use super::excerpt::{Lines, Place};
use super::first_of;

/// Columns that the renderer keeps on both sides of what is underlined.
const MARGINS: usize = 12;

/// Columns for the lines that connect both ends of a range of several lines.
const CONNECTIONS: usize = 3;

/// Smallest width for which lines are cut.
const NARROWEST: usize = 40;

/// The part of a line around an edit, and the place of the edit in it.
pub(super) type Cut = (String, Range<usize>);

/// A terminal.
pub(super) struct Screen {
    width: usize,
    /// Columns before an excerpt: the number of the line, and a bar.
    front: usize,
}

impl Screen {
    /// Creates a terminal for excerpts of texts with at most this number of lines.
    pub(super) fn new(width: usize, n_lines: usize) -> Screen {
        Screen { width: width.max(NARROWEST), front: n_lines.to_string().len() + 3 }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// Returns the number of columns before a note or a help below an excerpt.
    pub(super) fn front_of_notes(&self) -> usize {
        self.front + "note: ".len()
    }

    /// Returns the number of columns for an excerpt.
    fn room(&self) -> usize {
        self.width - self.front - CONNECTIONS
    }

    /// Whether these columns can be shown together, whatever is before and after them.
    pub(super) fn has_room(&self, columns: &Range<usize>) -> bool {
        columns.end <= self.room() || columns.len() <= self.room() - MARGINS
    }

    /// Returns a text in lines that fit after `front` columns.
    pub(super) fn fitted<'t>(&self, text: Cow<'t, str>, front: usize) -> Cow<'t, str> {
        let width = self.width.saturating_sub(front);
        if text.lines().all(|line| line.chars().count() <= width) {
            return text;
        }
        let mut out = String::new();
        text.lines().for_each(|line| wrapped(&mut out, "", 0, width, line.split(' ')));
        out.truncate(out.trim_end().len());
        Cow::Owned(out)
    }

    /// Returns what is underlined for a range: the first part of it, if all of it has no room. A label
    /// without room is left to a note.
    pub(super) fn place(&self, lines: &Lines, range: &Range<usize>, label: &str) -> Place {
        let text = lines.text();
        let most = self.room() - MARGINS;
        let mut range = first_of(text, range.clone(), most);
        let mut columns = columns(text, &range);
        if !self.has_room(&columns) {
            let line = text[range.start..].find('\n').map_or(text.len(), |at| range.start + at);
            range = first_of(text, range.start..line, most);
            columns = self::columns(text, &range);
        }
        let with_label = columns.start..columns.end + 1 + label.chars().count();
        // Only a longer line is cut, so that the label moves to the left.
        let is_cut = self.longest(text, &range) > self.width - self.front;
        let has_label = !label.is_empty()
            && (with_label.end <= self.room() || is_cut && self.has_room(&with_label));
        Place { range, has_label, columns: if has_label { with_label } else { columns } }
    }

    /// Returns the width of the longest line of a range.
    fn longest(&self, text: &str, range: &Range<usize>) -> usize {
        let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
        let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
        text[start..end].lines().map(width).max().unwrap_or(0)
    }

    /// Returns the part of a line around an edit of it, with `…` for the rest, and the place of the
    /// edit in it. `None` if the line is shown as it is: it fits, or the edit alone does not.
    pub(super) fn around(&self, line: &str, range: &Range<usize>, added: &str) -> Option<Cut> {
        let line = line.trim_end_matches('\n');
        let removed = line.get(range.clone())?;
        if line.contains('\n') || added.contains('\n') {
            return None;
        }
        let (before, after) = (&line[..range.start], &line[range.end..]);
        let changed = width(removed).max(width(added));
        let room = self.width - self.front;
        if width(before) + changed + width(after) <= room {
            return None;
        }
        let spare = room.checked_sub(changed + 2)?;
        // A side leaves the room that it does not need to the other.
        let n_before = (spare / 2).max(spare.saturating_sub(width(after))).min(width(before));
        let front = if n_before == width(before) {
            before.to_owned()
        } else {
            let skipped = before.chars().count().saturating_sub(n_before);
            ['…'].into_iter().chain(before.chars().skip(skipped)).collect::<String>()
        };
        let start = front.len();
        let end = table::cut(after, spare - n_before + 1);
        Some((format!("{front}{removed}{end}"), start..start + removed.len()))
    }
}

/// Returns the columns of a range, from the leftmost to the rightmost one.
fn columns(text: &str, range: &Range<usize>) -> Range<usize> {
    let column = |at: usize| {
        let line = text[..at].rfind('\n').map_or(0, |at| at + 1);
        width(&text[line..at])
    };
    let (start, end) = (column(range.start), column(range.end));
    start.min(end)..start.max(end)
}

/// Returns the width of a part of a line, in which a tab has four columns.
fn width(text: &str) -> usize {
    text.chars().map(|c| if c == '\t' { 4 } else { 1 }).sum()
}

#[cfg(test)]
mod tests {
    use syntax::diagnostic::Diagnostic;
    use syntax::{SourceId, Span};

    use crate::report::{ColorChoice, ReportStyle, Reporter, SourceText};

    fn rendered(text: &str, diagnostic: &Diagnostic, width: usize) -> String {
        let look = ReportStyle { color: ColorChoice::Never, ..ReportStyle::default() };
        let source = SourceText::new("q.cql", text);
        let reporter = Reporter::of_width(&[source], look, &std::io::stdout(), Some(width));
        reporter.report(diagnostic)
    }

    /// Checks that no line is too wide, and that the carets stand under the word.
    fn check(text: &str, diagnostic: &Diagnostic, width: usize, underlined: Option<&str>) {
        let shown = rendered(text, diagnostic, width);
        for line in shown.lines() {
            assert!(line.chars().count() <= width, "{width}: {text}\n{shown}");
        }
        let lines: Vec<&str> = shown.lines().collect();
        let carets = lines.iter().position(|line| line.contains('^')).expect("carets");
        let columns: Vec<usize> = lines[carets].match_indices('^').map(|(at, _)| at).collect();
        let above: Vec<char> = lines[carets - 1].chars().collect();
        let word: String = columns.iter().filter_map(|&at| above.get(at)).collect();
        if let Some(underlined) = underlined {
            assert_eq!(word, underlined, "{width}: {text}\n{shown}");
        }
        let told: String = shown.split_whitespace().filter(|word| *word != "|").collect();
        for told_once in
            [&*diagnostic.message, &diagnostic.label(), diagnostic.help.as_deref().unwrap_or("")]
        {
            let told_once: String = told_once.split_whitespace().collect();
            assert!(told.contains(&told_once), "{width}: {told_once}\n{shown}");
        }
    }

    #[test]
    fn on_a_terminal_no_line_is_wider_and_carets_stand_under_their_word() {
        let words: Vec<String> = (100..140).map(|n| format!("w{n}")).collect();
        let line = words.join(" ");
        let texts = [line.clone(), format!("cql()\n\n{line}\nmate"), line[..70].to_owned()];
        for text in &texts {
            for (at, _) in text.match_indices('w') {
                let span = |start: usize, end: usize| Span::new(SourceId(0), start, end);
                let here = span(at, at + 4);
                let error = Diagnostic::error("E0201", here, "unknown name `of many letters and words`")
                    .with_help("this is no word of the language; a variable must be assigned before (further up in the text)");
                let first = text.find('w').unwrap_or(0);
                for width in [40, 60, 80, 100] {
                    check(text, &error, width, text.get(at..at + 4));
                    let noted = error
                        .clone()
                        .with_note(span(first, first + 4), "another place that is told");
                    check(text, &noted, width, None);
                    let edited = error.clone().with_edit(here, "checkmate");
                    check(text, &edited, width, text.get(at..at + 4));
                    let all = Diagnostic { span: span(at, text.len()), ..error.clone() };
                    check(text, &all, width, None);
                }
            }
        }
    }

    #[test]
    fn the_rest_of_a_line_is_cut_around_an_edit() {
        let text = format!("{} chek {}", "a ".repeat(60).trim(), "b ".repeat(60).trim());
        let at = text.find("chek").expect("the word");
        let span = Span::new(SourceId(0), at, at + 4);
        let error = Diagnostic::error("E0201", span, "unknown name `chek`").with_edit(span, "mate");
        let shown = rendered(&text, &error, 60);
        let line = |sign: char| shown.lines().find(|line| line.starts_with(&format!("1 {sign} ")));
        let [before, after] = ['-', '+'].map(|sign| line(sign).expect("a line"));
        for (line, word) in [(before, "a chek b"), (after, "a mate b")] {
            assert!(line.contains(word) && line.ends_with('…'), "{line}");
            assert!(line[4..].starts_with('…'), "{line}");
        }
        // A replacement that has no room is shown as a whole.
        let long = "check ".repeat(20);
        let error = Diagnostic::error("E0201", span, "unknown name `chek`").with_edit(span, &*long);
        assert!(rendered(&text, &error, 60).contains(long.trim()));
    }
}
