//! The tools that an assistant has: what they are called, what they take, and who carries them out.

use archived::Games;
use flow::Cancel;
use serde_json::{Map, Value, json};

use super::messages::{Answer, ErrorCode};
use super::{games, queries};

/// What a tool comes to: a text, as it is or as a value.
pub(super) enum Outcome {
    Text(String),
    Value(Value),
    /// It cannot be done, which the assistant may mend.
    Refused(String),
}

/// A tool.
struct Tool {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    parameters: &'static [Parameter],
}

/// What a tool takes.
struct Parameter {
    name: &'static str,
    kind: Kind,
    description: &'static str,
}

enum Kind {
    /// A text that must be there.
    Text,
    /// One that may be.
    MaybeText,
    /// A number up to the second; the first if it is not said.
    Number(u64, u64),
    /// Texts.
    Texts,
}

const QUERY: Parameter = Parameter {
    name: "query",
    kind: Kind::Text,
    description: "The query in CQL; the header `cql()` may be left out",
};

const SECONDS: Parameter = Parameter {
    name: "seconds",
    kind: Kind::Number(10, 60),
    description: "How long it may take; then what was found by then is given",
};

const TOOLS: &[Tool] = &[
    Tool {
        name: "check",
        title: "Check a query",
        description: "Says what is wrong with a query, with places and corrections. Nothing is \
                      searched.",
        parameters: &[QUERY],
    },
    Tool {
        name: "explain",
        title: "Explain a query",
        description: "Says in words what a query means.",
        parameters: &[QUERY],
    },
    Tool {
        name: "search",
        title: "Search the games",
        description: "The first games that match a query: players, event, date, result, the \
                      positions that match with their moves, and what the query writes.",
        parameters: &[
            QUERY,
            Parameter {
                name: "limit",
                kind: Kind::Number(10, 200),
                description: "How many games are given",
            },
            Parameter {
                name: "from",
                kind: Kind::Number(1, u64::MAX),
                description: "The number of the game to begin with, such as `next` of the search \
                              before",
            },
            SECONDS,
        ],
    },
    Tool {
        name: "count",
        title: "Count games",
        description: "How many games and positions match a query, all in all or in groups.",
        parameters: &[
            QUERY,
            Parameter {
                name: "by",
                kind: Kind::Texts,
                description: "Columns to group by, such as white, black, result, year, eco, event",
            },
            SECONDS,
        ],
    },
    Tool {
        name: "words",
        title: "The reference",
        description: "What the reference says of a word or a sign of the language, or of the code \
                      of a diagnostic; without one, the list of all words.",
        parameters: &[Parameter {
            name: "word",
            kind: Kind::MaybeText,
            description: "A word such as `path`, a sign such as `->`, a code such as E0203",
        }],
    },
    Tool {
        name: "cookbook",
        title: "The cookbook",
        description: "Queries that are known to work, by theme: openings, tactics, mates, \
                      endgames, pawn structures, studies, statistics. Without words, the list of \
                      all.",
        parameters: &[Parameter {
            name: "find",
            kind: Kind::MaybeText,
            description: "Words that the theme, the title or the text has, such as `knight fork`",
        }],
    },
];

/// The tools as the protocol lists them.
pub(super) fn list() -> Value {
    let tools = TOOLS.iter().map(|tool| {
        let parameters = tool.parameters.iter();
        let properties: Map<String, Value> = parameters
            .map(|parameter| (parameter.name.to_owned(), schema(parameter)))
            .collect();
        let required = tool.parameters.iter();
        let required = required.filter(|parameter| matches!(parameter.kind, Kind::Text));
        let required: Vec<&str> = required.map(|parameter| parameter.name).collect();
        json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": {
                "type": "object", "properties": properties, "required": required,
                "additionalProperties": false,
            },
            "annotations": {
                "title": tool.title, "readOnlyHint": true, "idempotentHint": true,
                "openWorldHint": false,
            },
        })
    });
    tools.collect()
}

fn schema(parameter: &Parameter) -> Value {
    let mut schema = match parameter.kind {
        Kind::Text | Kind::MaybeText => json!({ "type": "string" }),
        Kind::Number(default, u64::MAX) => {
            json!({ "type": "integer", "minimum": 1, "default": default })
        }
        Kind::Number(default, most) => {
            json!({ "type": "integer", "minimum": 1, "maximum": most, "default": default })
        }
        Kind::Texts => json!({ "type": "array", "items": { "type": "string" } }),
    };
    schema["description"] = json!(parameter.description);
    schema
}

/// Has a tool carried out.
pub(super) fn call(params: &Value, collection: Option<&Games>, cancel: &Cancel) -> Answer {
    let name = params["name"].as_str().unwrap_or_default();
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool = tool.ok_or_else(|| invalid(format!("there is no tool `{name}`")))?;
    let given = Given::new(tool, &params["arguments"])?;
    let outcome = match tool.name {
        "check" => queries::check(given.text("query")),
        "explain" => queries::explain(given.text("query")),
        "words" => queries::words(given.text("word")),
        "cookbook" => queries::cookbook(given.text("find")),
        "count" => games::count(&given, collection, cancel),
        _ => games::search(&given, collection, cancel),
    };
    let (text, value, is_error) = match outcome {
        Outcome::Text(text) => (text, None, false),
        Outcome::Refused(text) => (text, None, true),
        Outcome::Value(value) => (value.to_string(), Some(value), false),
    };
    let mut result = json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
    if let Some(value) = value {
        result["structuredContent"] = value;
    }
    Ok(result)
}

fn invalid(message: String) -> (ErrorCode, String) {
    (ErrorCode::InvalidParams, message)
}

/// What a tool was given, which is what it takes.
pub(super) struct Given<'a> {
    tool: &'static Tool,
    arguments: Option<&'a Map<String, Value>>,
}

impl<'a> Given<'a> {
    fn new(tool: &'static Tool, arguments: &'a Value) -> Result<Given<'a>, (ErrorCode, String)> {
        let arguments = match arguments {
            Value::Null => None,
            Value::Object(arguments) => Some(arguments),
            _ => return Err(invalid("arguments are an object".to_owned())),
        };
        for (name, value) in arguments.into_iter().flatten() {
            let mut parameters = tool.parameters.iter();
            let parameter = parameters.find(|parameter| parameter.name == name);
            let parameter =
                parameter.ok_or_else(|| invalid(format!("`{}` takes no `{name}`", tool.name)))?;
            let (is_right, what) = match parameter.kind {
                Kind::Text | Kind::MaybeText => (value.is_string(), "a string"),
                Kind::Number(..) => (value.as_u64().is_some_and(|n| n > 0), "a number from 1 on"),
                Kind::Texts => {
                    let texts = value.as_array();
                    let is_right = texts.is_some_and(|texts| texts.iter().all(Value::is_string));
                    (is_right, "an array of strings")
                }
            };
            if !is_right {
                return Err(invalid(format!("`{name}` is {what}")));
            }
        }
        let given = Given { tool, arguments };
        for parameter in tool.parameters {
            if matches!(parameter.kind, Kind::Text) && given.get(parameter.name).is_none() {
                return Err(invalid(format!("`{}` is missing", parameter.name)));
            }
        }
        Ok(given)
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.arguments.and_then(|arguments| arguments.get(name))
    }

    /// A text; empty if there is none.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Texts; none if nothing is said of them.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.get(name).and_then(Value::as_array);
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// A number, as large as it may be.
    pub(super) fn number(&self, name: &str) -> u64 {
        let mut parameters = self.tool.parameters.iter();
        let (default, most) = match parameters.find(|parameter| parameter.name == name) {
            Some(Parameter {
                kind: Kind::Number(default, most),
                ..
            }) => (*default, *most),
            _ => (0, u64::MAX),
        };
        let given = self.get(name).and_then(Value::as_u64);
        given.unwrap_or(default).min(most)
    }
}
