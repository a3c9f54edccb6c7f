//! Locations, edits and diagnostics in the form of the protocol.

use std::ops::Range;

use ide::{Document, Encoding, Position, SemanticToken};
use serde_json::{Value, json};
use syntax::diagnostic::Edit;
use syntax::{Diagnostic, Severity, SourceId, Span};

/// Returns the location of an offset.
pub(super) fn position(document: &Document, offset: usize, encoding: Encoding) -> Value {
    let place = document.lines().position(document.text(), offset, encoding);
    json!({ "line": place.line, "character": place.character })
}

/// Returns the range of a span.
pub(super) fn range(document: &Document, span: Span, encoding: Encoding) -> Value {
    let place = |offset: u32| position(document, offset as usize, encoding);
    json!({ "start": place(span.start), "end": place(span.end) })
}

/// Returns the offset of a location.
pub(super) fn offset_of(document: &Document, value: &Value, encoding: Encoding) -> Option<usize> {
    // Numbers of more than 32 bits are after the end in any case.
    let number = |value: &Value| Some(value.as_u64()?.min(u64::from(u32::MAX)) as u32);
    let place = Position { line: number(&value["line"])?, character: number(&value["character"])? };
    Some(document.lines().offset(document.text(), place, encoding))
}

/// Returns the offsets of a range.
pub(super) fn range_of(
    document: &Document,
    value: &Value,
    encoding: Encoding,
) -> Option<Range<usize>> {
    let start = offset_of(document, &value["start"], encoding)?;
    let end = offset_of(document, &value["end"], encoding)?;
    Some(start..end.max(start))
}

/// Returns edits of a text in the form of the protocol.
pub(super) fn edits(document: &Document, edits: &[Edit], encoding: Encoding) -> Vec<Value> {
    let edits = edits
        .iter()
        .map(|edit| json!({ "range": range(document, edit.span, encoding), "newText": edit.text }));
    edits.collect()
}

/// Returns all diagnostics of a text.
pub(super) fn diagnostics(document: &Document, uri: &str, encoding: Encoding) -> Vec<Value> {
    let all = document.diagnostics().iter();
    all.map(|found| diagnostic(document, uri, found, encoding)).collect()
}

/// Returns a diagnostic in the form of the protocol.
pub(super) fn diagnostic(
    document: &Document,
    uri: &str,
    found: &Diagnostic,
    encoding: Encoding,
) -> Value {
    let message = match &found.help {
        Some(help) => format!("{}\nhelp: {help}", found.message),
        None => found.message.clone(),
    };
    let notes = found.notes.iter().filter(|(span, _)| span.source == SourceId(0));
    let notes: Vec<Value> = notes
        .map(|(span, note)| {
            let place = json!({ "uri": uri, "range": range(document, *span, encoding) });
            json!({ "location": place, "message": note })
        })
        .collect();
    let mut value = json!({
        "range": range(document, found.span, encoding),
        "severity": match found.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
        },
        "code": found.code,
        "source": "cql",
        "message": message,
    });
    if !notes.is_empty() {
        value["relatedInformation"] = json!(notes);
    }
    // The tag 1 (unnecessary) fades an unused name; 2 (deprecated) strikes out an old form.
    match found.code {
        "W0201" => value["tags"] = json!([1]),
        "W0601" => value["tags"] = json!([2]),
        _ => {}
    }
    value
}

/// Encodes tokens as five numbers each; locations are relative to the token before.
pub(super) fn semantic_tokens(
    document: &Document,
    tokens: &[SemanticToken],
    encoding: Encoding,
) -> Vec<u32> {
    let text = document.text();
    let length = |part: &str| match encoding {
        Encoding::Utf8 => part.len() as u32,
        Encoding::Utf16 => part.encode_utf16().count() as u32,
    };
    let mut data = Vec::new();
    // The text is read in a single pass, since it may be one long line.
    let (mut at, mut lines, mut column) = (0, 0, 0);
    for token in tokens {
        let mut start = token.span.start as usize;
        let end = token.span.end as usize;
        // A token must not contain a line break.
        for part in text[start..end].split_inclusive('\n') {
            for gap in text[at..start].split_inclusive('\n') {
                if gap.ends_with('\n') {
                    (lines, column) = (lines + 1, 0)
                } else {
                    column += length(gap)
                }
            }
            at = start;
            let shown = part.trim_end_matches(['\r', '\n']);
            let kind = token.kind as u32;
            if !shown.is_empty() {
                let is_definition = u32::from(token.is_definition);
                data.extend([lines, column, length(shown), kind, is_definition]);
                (lines, column) = (0, 0);
            }
            start += part.len();
        }
    }
    data
}
