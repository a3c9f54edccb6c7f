//! Call of a tool: its arguments, which the schemas of its parameters check, and its result.

use serde_json::{Map, Value};

/// Result of a tool.
pub(super) enum Outcome {
    Text(String),
    /// Structured value, with its essence as text: some clients show the value, others the text.
    Value(Value, String),
    /// Refusal with a reason; the assistant may correct its request.
    Refused(String),
}

/// Whether a value fits the schema of a parameter, and a description of those that do.
fn fits(schema: &Value, value: &Value) -> (bool, String) {
    let (is_right, what) = match schema["type"].as_str() {
        Some("string") => (value.is_string(), "a string"),
        Some("array") => {
            let texts = value.as_array();
            let is_right = texts.is_some_and(|texts| texts.iter().all(Value::is_string));
            (is_right, "an array of strings")
        }
        _ => {
            let most = schema["maximum"].as_u64();
            let right = 1..=most.unwrap_or(u64::MAX);
            let is_right = value.as_u64().is_some_and(|n| right.contains(&n));
            let what = most.map(|most| format!("a number from 1 to {most}"));
            return (is_right, what.unwrap_or_else(|| "a number of at least 1".to_owned()));
        }
    };
    (is_right, what.to_owned())
}

/// Arguments of a call, checked against the parameters of the tool.
pub(super) struct ToolArgs<'a> {
    parameters: &'static Value,
    arguments: Option<&'a Map<String, Value>>,
}

impl<'a> ToolArgs<'a> {
    pub(super) fn new(tool: &'static Value, arguments: &'a Value) -> Result<ToolArgs<'a>, String> {
        let arguments = match arguments {
            Value::Null => None,
            Value::Object(arguments) => Some(arguments),
            _ => return Err("expected an object as arguments".to_owned()),
        };
        let schema = &tool["inputSchema"];
        let parameters = &schema["properties"];
        for (name, value) in arguments.into_iter().flatten() {
            let Some(schema) = parameters.get(name) else {
                let tool = tool["name"].as_str().unwrap_or_default();
                return Err(format!("`{tool}` has no parameter `{name}`"));
            };
            let (is_right, what) = fits(schema, value);
            if !is_right {
                return Err(format!("`{name}` is {what}"));
            }
        }
        let given = ToolArgs { parameters, arguments };
        let required = schema["required"].as_array().into_iter().flatten();
        let mut required = required.filter_map(Value::as_str);
        match required.find(|name| given.get(name).is_none()) {
            Some(name) => Err(format!("`{name}` is missing")),
            None => Ok(given),
        }
    }

    fn get(&self, name: &str) -> Option<&'a Value> {
        self.arguments.and_then(|arguments| arguments.get(name))
    }

    /// Returns a text; empty if it is missing.
    pub(super) fn text(&self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns a list of texts; empty if it is missing.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.get(name).and_then(Value::as_array);
        let texts = texts.into_iter().flatten().filter_map(Value::as_str);
        texts.map(str::to_owned).collect()
    }

    /// Returns a number, or else its default.
    pub(super) fn number(&self, name: &str) -> u64 {
        let default = self.parameters[name]["default"].as_u64();
        self.get(name).and_then(Value::as_u64).or(default).unwrap_or_default()
    }
}
