//! Explains a query in words.

use syntax::Span;
use syntax::explain::{Sentence, filters, header, sentence_of};
use syntax::tree::Filter;

use crate::Document;

/// Size in bytes above which texts are not explained at an offset, because that would take too long
/// while a person waits.
const LARGEST: usize = 100_000;

/// An explanation of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The meaning of the header, one line for each parameter.
    pub header: Vec<String>,
    /// The filters; a position matches if all of them do.
    pub filters: Vec<Sentence>,
}

impl Document {
    /// Explains the query; `None` if it has errors or is written in an older dialect.
    pub fn explain(&self) -> Option<Explanation> {
        let parsed = self.parsed();
        if self.lexed().tokens.is_empty() || !parsed.is_ok() {
            return None;
        }
        Some(Explanation { header: header(&parsed.query.header), filters: filters(&parsed.query) })
    }

    /// Returns the sentence for the smallest filter that begins at an offset.
    pub(crate) fn sentence_at(&self, start: u32) -> Option<String> {
        if self.text().len() > LARGEST {
            return None;
        }
        let parsed = self.parsed();
        if !parsed.is_ok() {
            return None;
        }
        let there = parsed.query.filters.iter().filter(|f| is_at(f, start));
        let sentences: Vec<Sentence> = there.map(|f| sentence_of(&parsed.query, f)).collect();
        smallest_at(&sentences, start)
    }
}

/// Returns the sentence whose filter has the smallest of the spans that begin at an offset.
pub(crate) fn smallest_at(sentences: &[Sentence], start: u32) -> Option<String> {
    let mut found: Option<(u32, &Sentence)> = None;
    let mut open: Vec<&Sentence> = sentences.iter().collect();
    while let Some(sentence) = open.pop() {
        open.extend(&sentence.below);
        let span = sentence.span.filter(|span| span.start == start);
        let is_smaller = |span: &Span| found.is_none_or(|(end, _)| span.end < end);
        if let Some(span) = span.filter(is_smaller) {
            found = Some((span.end, sentence));
        }
    }
    found.map(|(_, sentence)| in_full(sentence))
}

/// Whether an offset is within a filter, or within a function that the filter calls.
fn is_at(filter: &Filter, place: u32) -> bool {
    let mut found = filter.span.start <= place && place < filter.span.end;
    if !found {
        filter.for_each_child(&mut |child| found = found || is_at(child, place));
    }
    found
}

/// Formats a sentence in Markdown, with its parts as a list below it.
fn in_full(sentence: &Sentence) -> String {
    let mut text = sentence.text.clone();
    add_below(sentence, 0, &mut text);
    text
}

fn add_below(sentence: &Sentence, depth: usize, text: &mut String) {
    for below in &sentence.below {
        let label = match below.label.as_str() {
            "" => String::new(),
            label => format!("{label} "),
        };
        *text += &format!("\n{}* {label}{}", "  ".repeat(depth), below.text);
        add_below(below, depth + 1, text);
    }
}
