//! Tools of the assistant, and the functions that run them.
//!
//! `tools.json` describes their parameters and results with the schemas of the protocol.

use std::sync::LazyLock;

use serde_json::{Value, json};

use super::asked::Asked;
use super::call::{Outcome, ToolArgs};
use super::messages::{Answer, ErrorCode};
use super::{counts, games, inputs, one, queries};

/// The tools as the protocol lists them.
static TOOLS: LazyLock<Vec<Value>> = LazyLock::new(|| {
    let text = include_str!("tools.json");
    let mut file: Value =
        serde_json::from_str(text).expect("JSON, since it is part of the program");
    let common = file["common"].take();
    let mut tools = file["tools"].take();
    let tools = tools.as_array_mut().expect("a list, since it is part of the program");
    for tool in &mut *tools {
        for part in ["/inputSchema/properties", "/outputSchema/properties"] {
            let properties = tool.pointer_mut(part).and_then(Value::as_object_mut);
            // A field that several tools have in common is null here.
            for (name, schema) in properties.into_iter().flatten().filter(|field| field.1.is_null())
            {
                *schema = common[name].clone();
            }
        }
        tool["annotations"] = json!({
            "title": tool["title"], "readOnlyHint": true, "idempotentHint": true,
            "openWorldHint": false,
        });
    }
    std::mem::take(tools)
});

/// Returns the list of tools; without `has_values`, for older versions of the protocol, it has no
/// output schemas.
pub(super) fn list(has_values: bool) -> Value {
    let mut tools = TOOLS.clone();
    for tool in tools.iter_mut().filter_map(Value::as_object_mut).filter(|_| !has_values) {
        tool.remove("outputSchema");
    }
    tools.into()
}

fn named(params: &Value) -> Option<&'static Value> {
    TOOLS.iter().find(|tool| params["name"] == tool["name"])
}

/// Whether a call is of a tool that reads games, which takes time.
pub(super) fn reads_games(params: &Value) -> bool {
    named(params).is_some_and(|tool| !tool["inputSchema"]["properties"]["seconds"].is_null())
}

/// Runs a tool.
pub(super) fn call(params: &Value, asked: &Asked<'_>, has_values: bool) -> Answer {
    let tool = named(params).ok_or_else(|| {
        let name = params["name"].as_str().unwrap_or_default();
        let message = format!("there is no tool `{name}`");
        (ErrorCode::InvalidParams, message)
    })?;
    // Wrong arguments are reported to the assistant as text, so that it can correct them.
    let outcome = ToolArgs::new(tool, &params["arguments"])
        .and_then(|given| carry_out(tool, &given, asked))
        .unwrap_or_else(Outcome::Refused);
    let (text, value, is_error) = match outcome {
        Outcome::Text(text) => (text, None, false),
        Outcome::Refused(text) => (text, None, true),
        Outcome::Value(value, text) if has_values => (text, Some(value), false),
        Outcome::Value(value, _) => (value.to_string(), None, false),
    };
    let mut result = json!({ "content": [{ "type": "text", "text": text }], "isError": is_error });
    if let Some(value) = value {
        result["structuredContent"] = value;
    }
    Ok(result)
}

type Function = fn(&ToolArgs<'_>, &Asked<'_>) -> Result<Outcome, String>;

/// The functions of the tools, in their order.
const FUNCTIONS: [(&str, Function); 11] = [
    ("check", |given, _| Ok(queries::check(given.text("query")))),
    ("explain", |given, _| Ok(queries::explain(given.text("query")))),
    ("search", games::search),
    ("count", games::count),
    ("themes", games::themes),
    ("stats", counts::stats),
    ("tree", counts::tree),
    ("game", one::game),
    ("inputs", inputs::inputs),
    ("words", |given, _| Ok(queries::words(given.text("word")))),
    ("cookbook", |given, asked| Ok(queries::cookbook(given.text("find"), asked.subcommands))),
];

fn carry_out(tool: &Value, given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let function = FUNCTIONS.iter().find(|function| tool["name"] == function.0);
    function.expect("a function, as a test checks").1(given, asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_has_a_function_and_all_of_its_schemas() {
        let names: Vec<&str> = TOOLS.iter().filter_map(|tool| tool["name"].as_str()).collect();
        assert_eq!(names, FUNCTIONS.map(|function| function.0));
        for tool in TOOLS.iter() {
            for part in ["inputSchema", "outputSchema"] {
                for (name, schema) in tool[part]["properties"].as_object().into_iter().flatten() {
                    assert!(schema["type"].is_string(), "{part} of {}: {name}", tool["name"]);
                    assert!(schema["description"].is_string(), "{name}");
                }
            }
        }
    }
}
