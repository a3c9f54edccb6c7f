//! Answers the requests of the editor about a query. The crate `ide` uses byte offsets, the page
//! offsets in UTF-16 units.

use ide::{ActionKind, CompletionKind, Document, SemanticKind, Settings};
use serde::Deserialize;
use serde_json::{Value, json};
use syntax::diagnostic::Edit;
use syntax::explain::Sentence;
use syntax::{Diagnostic, Severity, SourceId, Span};

use crate::{RequestError, mask};

/// Request about a query, or about a text of the mask.
#[derive(Debug, Deserialize)]
pub struct Question {
    /// Kind of the request.
    what: String,
    text: String,
    /// Start of the range that the request refers to.
    #[serde(default)]
    at: usize,
    #[serde(default)]
    to: Option<usize>,
    /// New name, for a renaming.
    #[serde(default)]
    name: String,
}

/// Answers a request.
///
/// # Errors
/// The kind of the request is unknown, or the new name is not valid.
pub fn ask(question: Question) -> Result<Value, RequestError> {
    match question.what.as_str() {
        "opening" => return Ok(mask::opening(&question.text)),
        "players" => return Ok(mask::players(&question.text)),
        _ => {}
    }
    let asked = EditorRequest {
        units: Units::of(&question.text),
        document: Document::new(
            question.text,
            Settings { header_is_optional: true, ..Settings::default() },
        ),
    };
    let at = asked.units.to_byte(question.at);
    let to = question.to.map_or(at, |to| asked.units.to_byte(to));
    Ok(match question.what.as_str() {
        "check" => asked.check(),
        "complete" => asked.completions(at),
        "hover" => asked.hover(at),
        "signature" => asked.signature(at),
        "format" => asked.format(),
        "actions" => asked.actions(Span::new(SourceId(0), at, to.max(at))),
        "names" => asked.names(at),
        "rename" => asked.rename(at, &question.name)?,
        "explain" => asked.explain(),
        other => {
            return Err(RequestError::Bad(format!("unknown request `{other}`")));
        }
    })
}

/// Converts offsets between bytes and UTF-16 units.
pub(crate) struct Units {
    /// For each byte the unit at which its character begins; empty if both are equal.
    of_bytes: Vec<u32>,
    length: usize,
}

impl Units {
    pub(crate) fn of(text: &str) -> Units {
        let mut of_bytes = Vec::new();
        if !text.is_ascii() {
            let mut unit = 0;
            for c in text.chars() {
                of_bytes.extend(std::iter::repeat_n(unit, c.len_utf8()));
                unit += c.len_utf16() as u32;
            }
            of_bytes.push(unit);
        }
        Units { of_bytes, length: text.len() }
    }

    pub(crate) fn of_byte(&self, byte: u32) -> u32 {
        let byte = (byte as usize).min(self.length);
        self.of_bytes.get(byte).copied().unwrap_or(byte as u32)
    }

    fn to_byte(&self, unit: usize) -> usize {
        if self.of_bytes.is_empty() {
            unit.min(self.length)
        } else {
            let is_before = |found: &u32| (*found as usize) < unit;
            self.of_bytes.partition_point(is_before).min(self.length)
        }
    }
}

/// Text with its offsets.
struct EditorRequest {
    document: Document,
    units: Units,
}

impl EditorRequest {
    fn place(&self, span: Span) -> Value {
        object! { "from": self.units.of_byte(span.start), "to": self.units.of_byte(span.end) }
    }

    fn edits(&self, edits: &[Edit]) -> Value {
        let edits = edits.iter();
        edits.map(|edit| object! { ..self.place(edit.span), "insert": edit.text }).collect()
    }

    /// Returns everything that is shown while the user types.
    fn check(&self) -> Value {
        let found = self.document.diagnostics().iter();
        let found: Vec<Value> = found.map(|one| self.diagnostic(one)).collect();
        let tokens = self.document.semantic_tokens();
        let tokens: Vec<Value> = tokens
            .iter()
            .map(|token| {
                let place = |byte| self.units.of_byte(byte);
                json!([place(token.span.start), place(token.span.end), kind(token.kind)])
            })
            .collect();
        object! { "diagnostics": found, "tokens": tokens }
    }

    fn diagnostic(&self, found: &Diagnostic) -> Value {
        let severity = match found.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut value = object! {
            ..self.place(found.span), "severity": severity, "code": found.code,
            "message": found.message, "help": found.help,
        };
        if let Some(edit) = &found.edit
            && edit.span.source == SourceId(0)
        {
            value["edit"] = self.edits(std::slice::from_ref(&**edit));
        }
        value
    }

    fn completions(&self, at: usize) -> Value {
        let found = self.document.completions(at);
        let found = found.iter().map(|one| {
            let kind = match one.kind {
                CompletionKind::Filter => "filter",
                CompletionKind::Keyword => "keyword",
                CompletionKind::Function => "function",
                CompletionKind::Variable => "variable",
                CompletionKind::Dictionary => "dictionary",
            };
            object! {
                ..self.place(one.span), "label": one.label, "detail": one.detail,
                "sentence": one.sentence, "template": one.template, "rank": one.rank, "kind": kind,
            }
        });
        found.collect()
    }

    fn hover(&self, at: usize) -> Value {
        self.document.hover(at).map_or(
            Value::Null,
            |hover| object! { ..self.place(hover.span), "markdown": hover.markdown },
        )
    }

    fn signature(&self, at: usize) -> Value {
        let found = self.document.signature(at);
        found.map_or(Value::Null, |found| {
            // Labels are ASCII, except for names.
            let units = Units::of(&found.label);
            let parameters = found.parameters.iter();
            let parameters: Vec<[u32; 2]> = parameters
                .map(|&(from, to)| [from, to].map(|byte| units.of_byte(byte as u32)))
                .collect();
            object! {
                "label": found.label, "sentence": found.sentence,
                "parameters": parameters, "active": found.active,
            }
        })
    }

    fn format(&self) -> Value {
        match self.document.format() {
            Ok(edit) => object! { "edits": self.edits(edit.as_slice()) },
            Err(_) => object! { "error": "a query with errors has no layout" },
        }
    }

    fn actions(&self, within: Span) -> Value {
        let actions = self.document.actions(within);
        let actions = actions.iter().map(|action| {
            object! {
                "title": action.title,
                "kind": match action.kind {
                    ActionKind::QuickFix => "fix",
                    ActionKind::Rewrite => "rewrite",
                    ActionKind::FixAll => "all",
                },
                "edits": self.edits(&action.edits),
            }
        });
        actions.collect()
    }

    /// Returns the name at an offset, with its definition and its occurrences.
    fn names(&self, at: usize) -> Value {
        let names = self.document.names();
        let Some(found) = names.at(at) else {
            return Value::Null;
        };
        let name = &names.all[found.name];
        let places = names.places(found.name).map(|place| self.place(place.span));
        object! {
            "text": name.text, "definition": self.place(name.definition),
            "places": places.collect::<Value>(),
        }
    }

    fn rename(&self, at: usize, new: &str) -> Result<Value, RequestError> {
        match self.document.rename(at, new) {
            Ok(edits) => Ok(object! { "edits": self.edits(&edits) }),
            Err(error) => Err(RequestError::Bad(error.to_string())),
        }
    }

    fn explain(&self) -> Value {
        self.document.explain().map_or(Value::Null, |explanation| {
            let filters = explanation.filters.iter();
            object! {
                "header": explanation.header,
                "filters": filters.map(|one| self.sentence(one)).collect::<Value>(),
            }
        })
    }

    fn sentence(&self, sentence: &Sentence) -> Value {
        let below = sentence.below.iter();
        let mut value = object! {
            "label": sentence.label, "text": sentence.text,
            "below": below.map(|one| self.sentence(one)).collect::<Value>(),
        };
        if let Some(span) = sentence.span.filter(|span| span.source == SourceId(0)) {
            value["place"] = self.place(span);
        }
        value
    }
}

fn kind(kind: SemanticKind) -> &'static str {
    match kind {
        SemanticKind::Comment => "comment",
        SemanticKind::Keyword => "keyword",
        SemanticKind::Designator => "designator",
        SemanticKind::Function => "function",
        SemanticKind::Parameter => "parameter",
        SemanticKind::Variable => "variable",
        SemanticKind::Dictionary => "dictionary",
        SemanticKind::String => "string",
        SemanticKind::Number => "number",
        SemanticKind::Operator => "operator",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_page_and_back() {
        for (text, pairs) in [
            ("abc", &[(0, 0), (2, 2), (3, 3), (99, 3)][..]),
            ("♔a😀b", &[(0, 0), (1, 3), (2, 4), (4, 8), (5, 9)]),
        ] {
            let units = Units::of(text);
            for &(unit, byte) in pairs {
                assert_eq!(units.to_byte(unit), byte, "{text} {unit}");
                if unit <= text.len() {
                    assert_eq!(units.of_byte(byte as u32), unit as u32, "{text} {byte}");
                }
            }
        }
        // An offset within a character becomes its end.
        assert_eq!(Units::of("😀b").to_byte(1), 4);
    }

    #[test]
    fn edits_are_where_the_page_counts() {
        let text = "cql()\n// ♔😀\nmaet";
        let asked = EditorRequest {
            units: Units::of(text),
            document: Document::new(text, Settings::default()),
        };
        let found = asked.check();
        let edit = &found["diagnostics"][0]["edit"][0];
        assert_eq!((&edit["from"], &edit["to"]), (&json!(13), &json!(17)));
        assert_eq!(edit["insert"], "mate");
    }
}
