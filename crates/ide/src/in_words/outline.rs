//! Explains a query as an outline.

use syntax::Dialect;
use syntax::explain::{Sentence, filters, header, relations};
use syntax::parse::{ParseOptions, Source, parse};
use syntax::span::LineIndex;
use syntax::tree::{Query, Type};

use crate::{older, wrap};

/// Width of the line numbers.
const GUTTER: usize = 5;

/// Explains a query in CQL 6.2.
pub(super) fn of(text: &[u8], width: usize) -> String {
    let query = query_of(text);
    let mut out = String::new();
    let header = header(&query.header);
    if !header.is_empty() {
        out += "Settings of the header\n";
        for line in header {
            wrapped(&mut out, "", 2, width, &format!("- {line}"));
        }
        out.push('\n');
    }
    let filters = filters(&query);
    out += match filters.len() {
        1 => "A position matches if this condition holds\n",
        _ => "A position matches if all of these conditions hold\n",
    };
    add_all(&filters, text, width, &mut out);
    out
}

fn query_of(text: &[u8]) -> Query {
    let source = Source { name: "", text };
    let options = ParseOptions { require_header: false, ..ParseOptions::default() };
    parse(&source, &[], &options).query
}

/// Explains a query in CQL 6.2 in one sentence; `None` if parts of it have labels, by which others name
/// them.
pub(super) fn in_a_sentence(text: &[u8]) -> Option<String> {
    let conditions: Option<Vec<String>> = filters(&query_of(text)).iter().map(joined).collect();
    conditions.map(|conditions| conditions.join("; "))
}

/// Returns a sentence with those below it.
fn joined(sentence: &Sentence) -> Option<String> {
    let below: Vec<String> = sentence.below.iter().map(joined).collect::<Option<_>>()?;
    let text = sentence.text.as_str();
    let whole = match text.strip_suffix(':') {
        _ if below.is_empty() => text.to_owned(),
        Some("all of these hold") => below.join(" and "),
        Some("with the board as it is, or with White and Black exchanged") => {
            format!("with White and Black as here, or exchanged: {}", below.join(" and "))
        }
        Some(text) if text.starts_with("one of these") => format!("either {}", below.join(", or ")),
        _ => format!("{text} {}", below.join(", and ")),
    };
    sentence.label.is_empty().then_some(whole)
}

/// Explains the relations of a query in an older dialect; empty if there are none.
pub(super) fn of_relations(text: &[u8], dialect: Dialect, width: usize) -> String {
    let relations = relations(text, dialect);
    let mut out = match relations.len() {
        0 => return String::new(),
        1 => "Meaning of the relation\n".to_owned(),
        _ => "Meaning of the relations\n".to_owned(),
    };
    add_all(&relations, text, width, &mut out);
    out.push('\n');
    out
}

/// Explains the conditions of a query in an older dialect that has no translation as a whole; empty
/// if none can be explained.
pub(super) fn of_conditions(text: &[u8], dialect: Dialect, width: usize) -> String {
    let sentences = older::conditions(text, dialect);
    if sentences.is_empty() {
        return String::new();
    }
    let mut out = "\n".to_owned();
    add_all(&sentences, text, width, &mut out);
    out
}

fn add_all(sentences: &[Sentence], text: &[u8], width: usize, out: &mut String) {
    let mut outline = Outline { lines: LineIndex::of(text), line: 0, width, out };
    for sentence in sentences {
        outline.add(sentence, 0);
    }
}

struct Outline<'a> {
    lines: LineIndex,
    /// Line of the query that was printed last.
    line: usize,
    /// Maximum width of a line.
    width: usize,
    out: &'a mut String,
}

impl Outline<'_> {
    fn add(&mut self, sentence: &Sentence, depth: usize) {
        let line = match sentence.span {
            Some(span) => self.lines.line(span.start as usize),
            None => self.line,
        };
        let gutter = if line == self.line { String::new() } else { line.to_string() };
        self.line = line;
        let label = match sentence.label.as_str() {
            "" => String::new(),
            label if label.starts_with('(') => format!("{label} "),
            label => format!("{}: ", label.trim_end()),
        };
        let ty = match sentence.ty {
            None => "",
            Some(Type::Boolean) => " [condition]",
            Some(Type::Set) => " [set]",
            Some(Type::Numeric) => " [number]",
            Some(Type::String) => " [string]",
            Some(Type::Position) => " [position]",
        };
        let text = format!("- {label}{}{ty}", sentence.text);
        wrapped(self.out, &gutter, GUTTER + 2 * depth, self.width, &text);
        for below in &sentence.below {
            self.add(below, depth + 1);
        }
    }
}

/// Appends a text wrapped into indented lines, the first of them after `front`.
pub(super) fn wrapped(out: &mut String, front: &str, indent: usize, width: usize, text: &str) {
    let front = match front {
        "" => String::new(),
        front => format!("{front:>width$}", width = GUTTER - 1),
    };
    // Deeply indented text still gets room for some words.
    let width = width.max(indent + 40);
    let front = format!("{front:indent$}");
    wrap::wrapped(out, &front, indent + 2, width, text.split(' '));
}
