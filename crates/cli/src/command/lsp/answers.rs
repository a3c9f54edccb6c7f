//! Answers the requests of editors.

use ide::{
    Action, ActionKind, Completion, CompletionKind, Document, SemanticToken, Symbol, SymbolKind,
};
use serde_json::{Value, json};
use syntax::{SourceId, Span};

use super::client::EXPLAIN;
use super::messages::ErrorCode;
use super::{Open, Server, shapes};

/// An answer, or an error.
pub(super) type Answer = Result<Value, (ErrorCode, String)>;

/// Trigger kind of a request for actions that the user did not ask for.
const AUTOMATIC: u32 = 2;

/// Maximum number of completions in one answer.
const MOST_PROPOSALS: usize = 1000;

/// Returns a Markdown text in the form that the protocol requires.
fn markdown(text: &str) -> Value {
    json!({ "kind": "markdown", "value": text })
}

fn invalid(message: impl Into<String>) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, message.into())
}

impl Server {
    /// Answers a request.
    pub(super) fn answer(&self, method: &str, params: &Value) -> Answer {
        if method == "workspace/executeCommand" {
            return self.command(params);
        }
        let Some(request) = method.strip_prefix("textDocument/") else {
            let message = format!("there is no `{method}`");
            return Err((ErrorCode::MethodNotFound, message));
        };
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        let open = self.open(uri)?;
        let asked = DocumentRequest { server: self, uri, open, document: &open.document, params };
        match request {
            "completion" => asked.completion(),
            "hover" => asked.hover(),
            "signatureHelp" => asked.signature(),
            "definition" => asked.definition(),
            "references" => asked.references(),
            "documentHighlight" => asked.highlights(),
            "prepareRename" => asked.prepare_rename(),
            "rename" => asked.rename(),
            "documentSymbol" => Ok(asked.symbols()),
            "foldingRange" => Ok(asked.folds()),
            "semanticTokens/full" => Ok(asked.colors(&asked.document.semantic_tokens())),
            "semanticTokens/range" => asked.colors_within(),
            "formatting" => Ok(asked.formatting()),
            "inlayHint" => asked.hints(),
            "codeAction" => asked.actions(),
            _ => {
                let message = format!("there is no `{method}`");
                Err((ErrorCode::MethodNotFound, message))
            }
        }
    }

    fn open(&self, uri: &str) -> Result<&Open, (ErrorCode, String)> {
        let open = self.documents.get(uri);
        open.ok_or_else(|| invalid(format!("no document with this address is open: {uri}")))
    }

    /// Runs `cql.explain`, which explains the query at a URI.
    fn command(&self, params: &Value) -> Answer {
        if params["command"] != EXPLAIN {
            return Err(invalid("there is no such command"));
        }
        let document = &self.open(params["arguments"][0].as_str().unwrap_or_default())?.document;
        let is_wrong = |d: &syntax::Diagnostic| d.severity == syntax::Severity::Error;
        if document.diagnostics().iter().any(is_wrong) {
            let message = "the query has errors, so it has no meaning yet";
            return Err((ErrorCode::RequestFailed, message.to_owned()));
        }
        let text = document.text().as_bytes();
        Ok(json!(ide::in_words::meaning(text, document.dialect(), ide::in_words::WIDTH)))
    }
}

/// A request about an open text.
struct DocumentRequest<'a> {
    server: &'a Server,
    uri: &'a str,
    open: &'a Open,
    document: &'a Document,
    params: &'a Value,
}

impl DocumentRequest<'_> {
    fn offset(&self) -> Result<usize, (ErrorCode, String)> {
        let place = &self.params["position"];
        let offset = shapes::offset_of(self.document, place, self.server.client.encoding);
        offset.ok_or_else(|| invalid("a position is missing"))
    }

    /// Returns the span that the request is about.
    fn within(&self) -> Result<Span, (ErrorCode, String)> {
        let range = &self.params["range"];
        let range = shapes::range_of(self.document, range, self.server.client.encoding);
        let range = range.ok_or_else(|| invalid("a range is missing"))?;
        Ok(Span::new(SourceId(0), range.start, range.end))
    }

    fn range(&self, span: Span) -> Value {
        shapes::range(self.document, span, self.server.client.encoding)
    }

    fn location(&self, span: Span) -> Value {
        json!({ "uri": self.uri, "range": self.range(span) })
    }

    fn edits(&self, edits: &[syntax::diagnostic::Edit]) -> Vec<Value> {
        shapes::edits(self.document, edits, self.server.client.encoding)
    }

    fn completion(&self) -> Answer {
        let mut found = self.document.completions(self.offset()?);
        let is_incomplete = found.len() > MOST_PROPOSALS;
        if is_incomplete {
            self.keep_the_likeliest(&mut found);
        }
        // All completions replace the same span.
        let range = found.first().map(|completion| self.range(completion.span));
        let items: Vec<Value> =
            found.iter().map(|completion| self.proposal(completion, range.as_ref())).collect();
        Ok(json!({ "isIncomplete": is_incomplete, "items": items }))
    }

    /// Keeps the completions that begin with the text already written; after them, words of the
    /// language come before names of the query.
    fn keep_the_likeliest(&self, found: &mut Vec<Completion>) {
        found.sort_by_cached_key(|completion| {
            let span = completion.span;
            let written = &self.document.text()[span.start as usize..span.end as usize];
            let is_begun = completion.label.starts_with(written);
            let is_word =
                matches!(completion.kind, CompletionKind::Filter | CompletionKind::Keyword);
            (!is_begun, !is_word)
        });
        found.truncate(MOST_PROPOSALS);
    }

    fn proposal(&self, completion: &Completion, range: Option<&Value>) -> Value {
        let has_snippets = self.server.client.has_snippets;
        let (text, format) =
            if has_snippets { (&completion.template, 2) } else { (&completion.label, 1) };
        let mut item = json!({
            "label": completion.label,
            "kind": match completion.kind {
                CompletionKind::Function => 3,
                CompletionKind::Variable => 6,
                CompletionKind::Dictionary => 7,
                CompletionKind::Filter | CompletionKind::Keyword => 14,
            },
            "sortText": format!("{}{}", completion.rank, completion.label),
            "insertTextFormat": format,
            "textEdit": { "range": range, "newText": text },
        });
        if !completion.detail.is_empty() {
            item["detail"] = json!(completion.detail);
        }
        if !completion.sentence.is_empty() {
            item["documentation"] = json!(completion.sentence);
        }
        item
    }

    fn hover(&self) -> Answer {
        let hover = self.document.hover(self.offset()?);
        let hover = hover.map(|hover| {
            json!({ "contents": markdown(&hover.markdown), "range": self.range(hover.span) })
        });
        Ok(json!(hover))
    }

    fn signature(&self) -> Answer {
        let found = self.document.signature(self.offset()?);
        let help = found.map(|signature| {
            let parameters = signature.parameters.iter();
            let parameters: Vec<Value> =
                parameters.map(|&(start, end)| json!({ "label": [start, end] })).collect();
            let mut shown = json!({ "label": signature.label, "parameters": parameters });
            if !signature.sentence.is_empty() {
                shown["documentation"] = json!(signature.sentence);
            }
            // An index after the last parameter means that none is active.
            let active = signature.active.unwrap_or(parameters.len());
            json!({ "signatures": [shown], "activeSignature": 0, "activeParameter": active })
        });
        Ok(json!(help))
    }

    fn definition(&self) -> Answer {
        let found = self.document.definition(self.offset()?);
        Ok(json!(found.map(|span| self.location(span))))
    }

    fn references(&self) -> Answer {
        let offset = self.offset()?;
        let definition = self.document.definition(offset);
        let with_definition = self.params["context"]["includeDeclaration"] != false;
        let found = self.document.references(offset).into_iter();
        let found = found.filter(|span| with_definition || Some(*span) != definition);
        Ok(found.map(|span| self.location(span)).collect())
    }

    fn highlights(&self) -> Answer {
        let names = self.document.names();
        let found = names.at(self.offset()?);
        let places = found.into_iter().flat_map(|found| names.places(found.name));
        let places = places.map(|place| {
            let kind = if place.is_write { 3 } else { 2 };
            json!({ "range": self.range(place.span), "kind": kind })
        });
        Ok(places.collect())
    }

    fn prepare_rename(&self) -> Answer {
        let found = self.document.name_at(self.offset()?);
        let found = found
            .map(|(span, name)| json!({ "range": self.range(span), "placeholder": name.text }));
        Ok(json!(found))
    }

    fn rename(&self) -> Answer {
        let new = self.params["newName"].as_str().unwrap_or_default();
        match self.document.rename(self.offset()?, new) {
            Ok(edits) => Ok(json!({ "changes": { (self.uri): self.edits(&edits) } })),
            Err(error) => Err((ErrorCode::RequestFailed, error.to_string())),
        }
    }

    fn symbols(&self) -> Value {
        let symbols = self.document.symbols();
        let symbols = symbols.iter().map(|symbol| self.symbol(symbol));
        symbols.collect()
    }

    fn symbol(&self, symbol: &Symbol) -> Value {
        let kind = match symbol.kind {
            SymbolKind::Header => 2,
            SymbolKind::Function => 12,
            SymbolKind::Variable => 13,
            SymbolKind::Dictionary => 19,
            SymbolKind::Sort => 20,
        };
        // Some clients reject symbols without a name.
        let name = if symbol.name.is_empty() { "sort" } else { &symbol.name };
        if self.server.client.has_tree_of_symbols {
            json!({
                "name": name,
                "detail": symbol.detail,
                "kind": kind,
                "range": self.range(symbol.span),
                "selectionRange": self.range(symbol.selection),
            })
        } else {
            json!({ "name": name, "kind": kind, "location": self.location(symbol.span) })
        }
    }

    fn folds(&self) -> Value {
        let folds = self.document.folds();
        let folds = folds.iter().map(|fold| {
            let mut value = json!({ "startLine": fold.first, "endLine": fold.last });
            if fold.is_comment {
                value["kind"] = json!("comment");
            }
            value
        });
        folds.collect()
    }

    fn colors(&self, tokens: &[SemanticToken]) -> Value {
        let encoding = self.server.client.encoding;
        json!({ "data": shapes::semantic_tokens(self.document, tokens, encoding) })
    }

    /// Returns the colors of the visible part of the text.
    fn colors_within(&self) -> Answer {
        let within = self.within()?;
        let tokens = self.document.semantic_tokens();
        let first = tokens.partition_point(|token| token.span.end <= within.start);
        let last = tokens.partition_point(|token| token.span.start < within.end);
        Ok(self.colors(tokens.get(first..last).unwrap_or_default()))
    }

    /// Formats a text. A text with errors stays as it is; its diagnostics have been reported.
    fn formatting(&self) -> Value {
        let edit = self.document.format().unwrap_or_default();
        json!(self.edits(edit.as_slice()))
    }

    fn hints(&self) -> Answer {
        let hints = self.document.hints(self.within()?);
        let encoding = self.server.client.encoding;
        let hints = hints.iter().map(|hint| {
            let place = shapes::position(self.document, hint.offset, encoding);
            json!({ "position": place, "label": hint.label, "kind": 1 })
        });
        Ok(hints.collect())
    }

    fn actions(&self) -> Answer {
        let only = self.params["context"]["only"].as_array();
        let is_wanted = |action: &&Action| {
            let kind = kind_of(action.kind);
            let matches = |only: &Value| {
                let rest = only.as_str().and_then(|only| kind.strip_prefix(only));
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            };
            only.is_none_or(|only| only.iter().any(matches))
        };
        let within = self.within()?;
        // An automatic request only shows a light beside the text. It is repeated when diagnostics
        // arrive, and rewrites of the whole text are not worth a light at each position of the
        // cursor.
        let is_automatic = self.params["context"]["triggerKind"] == AUTOMATIC;
        let actions = if !is_automatic {
            self.document.actions(within)
        } else if self.open.is_fresh {
            Vec::new()
        } else {
            self.document.fixes(within)
        };
        let actions = actions.iter().filter(is_wanted);
        Ok(actions.map(|action| self.action(action)).collect())
    }

    fn action(&self, action: &Action) -> Value {
        let mut value = json!({
            "title": action.title,
            "kind": kind_of(action.kind),
            "edit": { "changes": { (self.uri): self.edits(&action.edits) } },
        });
        if let Some(fault) = action.mends.and_then(|n| self.document.diagnostics().get(n)) {
            let encoding = self.server.client.encoding;
            let fault = shapes::diagnostic(self.document, self.uri, fault, encoding);
            value["diagnostics"] = json!([fault]);
            value["isPreferred"] = json!(true);
        }
        value
    }
}

fn kind_of(kind: ActionKind) -> &'static str {
    match kind {
        ActionKind::QuickFix => "quickfix",
        ActionKind::Rewrite => "refactor.rewrite",
        ActionKind::FixAll => "source.fixAll",
    }
}
