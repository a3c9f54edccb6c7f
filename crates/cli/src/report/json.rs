//! Writes diagnostics for programs: each is a JSON object in a line of its own.
//!
//! Lines and columns count from 1, columns in characters; bytes count from 0. Ends are exclusive.
//! Later versions only add fields.

use std::borrow::Cow;

use serde::Serialize;
use syntax::diagnostic::{Diagnostic, Severity};
use syntax::span::Span;

use super::excerpt::Lines;

#[derive(Serialize)]
struct Message<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: JsonLocation<'a>,
    label: Cow<'a, str>,
    help: Option<&'a str>,
    edit: Option<Replacement<'a>>,
    notes: Vec<Note<'a>>,
    rendered: &'a str,
}

#[derive(Serialize)]
struct JsonLocation<'a> {
    file: &'a str,
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    byte_start: usize,
    byte_end: usize,
}

/// The edit that the help proposes.
#[derive(Serialize)]
struct Replacement<'a> {
    #[serde(flatten)]
    place: JsonLocation<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct Note<'a> {
    message: &'a str,
    #[serde(flatten)]
    place: JsonLocation<'a>,
}

/// Returns a diagnostic as JSON, without a newline.
pub(super) fn line(diagnostic: &Diagnostic, sources: &[(String, Lines)], rendered: &str) -> String {
    let message = Message {
        code: diagnostic.code,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: &diagnostic.message,
        place: place(diagnostic.span, sources),
        label: diagnostic.label(),
        help: diagnostic.help.as_deref(),
        edit: diagnostic
            .edit
            .as_ref()
            .map(|edit| Replacement { place: place(edit.span, sources), text: &edit.text }),
        notes: diagnostic
            .notes
            .iter()
            .map(|(span, message)| Note { message, place: place(*span, sources) })
            .collect(),
        rendered,
    };
    serde_json::to_string(&message).expect("strings and numbers can be written as JSON")
}

fn place(span: Span, sources: &[(String, Lines)]) -> JsonLocation<'_> {
    let source = sources.get(usize::from(span.source.0));
    let range = source.map_or(0..0, |(_, lines)| super::characters(lines.text(), span));
    let place = |at| source.map_or((1, 1), |(_, lines)| lines.place(at));
    let (line, column) = place(range.start);
    let (end_line, end_column) = place(range.end);
    JsonLocation {
        file: source.map_or("", |(name, _)| name),
        line,
        column,
        end_line,
        end_column,
        byte_start: range.start,
        byte_end: range.end,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syntax::span::SourceId;

    #[test]
    fn places_count_characters_and_bytes() {
        let sources = [("q.cql".to_owned(), Lines::of("cql()\n“é” x\n".to_owned()))];
        let check = |start, end, expected: (usize, usize, usize, usize)| {
            let place = place(Span::new(SourceId(0), start, end), &sources);
            let found = (place.line, place.column, place.end_line, place.end_column);
            assert_eq!(found, expected, "{start}..{end}");
        };
        check(0, 3, (1, 1, 1, 4));
        check(6, 9, (2, 1, 2, 2));
        check(9, 14, (2, 2, 2, 4));
        check(15, 16, (2, 5, 2, 6));
        check(3, 16, (1, 4, 2, 6));
        check(90, 95, (3, 1, 3, 1));
    }

    #[test]
    fn a_diagnostic_is_one_line() {
        let sources = [("q.cql".to_owned(), Lines::of("cql()\nstalmate".to_owned()))];
        let span = Span::new(SourceId(0), 6, 14);
        let diagnostic = Diagnostic::error("E0201", span, "unknown name `stalmate`")
            .with_help("did you mean `stalemate`?")
            .with_edit(span, "stalemate");
        let line = line(&diagnostic, &sources, "shown\n");
        assert_eq!(
            line,
            r#"{"code":"E0201","severity":"error","message":"unknown name `stalmate`","#.to_owned()
                + r#""file":"q.cql","line":2,"column":1,"end_line":2,"end_column":9,"#
                + r#""byte_start":6,"byte_end":14,"label":"not a keyword, and not defined further up","#
                + r#""help":"did you mean `stalemate`?","edit":{"file":"q.cql","line":2,"#
                + r#""column":1,"end_line":2,"end_column":9,"byte_start":6,"byte_end":14,"#
                + r#""text":"stalemate"},"notes":[],"rendered":"shown\n"}"#
        );
    }
}
