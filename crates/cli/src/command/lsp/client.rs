//! The capabilities of the client, and the capabilities that the server announces.

use ide::{Encoding, SemanticKind, Settings};
use serde_json::{Value, json};

/// Capabilities of the client.
pub(super) struct Client {
    /// The unit of columns.
    pub(super) encoding: Encoding,
    /// Whether the client fills in the placeholders of templates.
    pub(super) has_snippets: bool,
    /// Whether the client shows nested symbols.
    pub(super) has_tree_of_symbols: bool,
}

impl Client {
    /// Reads the parameters of `initialize`.
    pub(super) fn new(parameters: &Value) -> Client {
        let capabilities = &parameters["capabilities"];
        let encodings = &capabilities["general"]["positionEncodings"];
        let encodings = encodings.as_array().into_iter().flatten();
        let mut encodings = encodings.filter_map(Value::as_str);
        let document = &capabilities["textDocument"];
        let has = |value: &Value| value.as_bool().unwrap_or(false);
        Client {
            // UTF-8 needs no conversion of columns; every client supports UTF-16.
            encoding: if encodings.any(|encoding| encoding == "utf-8") {
                Encoding::Utf8
            } else {
                Encoding::Utf16
            },
            has_snippets: has(&document["completion"]["completionItem"]["snippetSupport"]),
            has_tree_of_symbols: has(
                &document["documentSymbol"]["hierarchicalDocumentSymbolSupport"],
            ),
        }
    }

    /// Returns the answer to `initialize`.
    pub(super) fn capabilities(&self) -> Value {
        let legend: Vec<&str> = SemanticKind::ALL.into_iter().map(token_type).collect();
        json!({
            "serverInfo": { "name": "cql", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": match self.encoding {
                    Encoding::Utf8 => "utf-8",
                    Encoding::Utf16 => "utf-16",
                },
                "textDocumentSync": { "openClose": true, "change": 2 },
                "completionProvider": {},
                "hoverProvider": true,
                "signatureHelpProvider": { "triggerCharacters": ["(", " "] },
                "definitionProvider": true,
                "referencesProvider": true,
                "documentHighlightProvider": true,
                "renameProvider": { "prepareProvider": true },
                "documentSymbolProvider": true,
                "foldingRangeProvider": true,
                "semanticTokensProvider": {
                    "legend": { "tokenTypes": legend, "tokenModifiers": ["definition"] },
                    "full": true,
                    "range": true,
                },
                "documentFormattingProvider": true,
                "inlayHintProvider": true,
                "codeActionProvider": {
                    "codeActionKinds": ["quickfix", "refactor.rewrite", "source.fixAll"],
                },
                "executeCommandProvider": { "commands": [EXPLAIN] },
            },
        })
    }
}

/// The command that explains the query at a URI in words.
pub(super) const EXPLAIN: &str = "cql.explain";

/// Returns the name of a kind in the protocol.
fn token_type(kind: SemanticKind) -> &'static str {
    match kind {
        SemanticKind::Comment => "comment",
        SemanticKind::Keyword => "keyword",
        SemanticKind::Designator => "enumMember",
        SemanticKind::Function => "function",
        SemanticKind::Parameter => "parameter",
        SemanticKind::Variable => "variable",
        SemanticKind::Dictionary => "class",
        SemanticKind::String => "string",
        SemanticKind::Number => "number",
        SemanticKind::Operator => "operator",
    }
}

/// Reads the settings of a client: `dialect` and `warnDeprecated`.
pub(super) fn settings(value: &Value) -> Settings {
    Settings {
        dialect: super::dialect_of(value),
        warn_deprecated: value["warnDeprecated"].as_bool().unwrap_or(false),
        ..Settings::default()
    }
}
