//! `cql mcp` as an assistant sees it: each request with its answer.

mod support;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};
use support::{Place, root};

/// An assistant that has started the server.
struct Assistant {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_requests: u64,
}

impl Assistant {
    /// Without having said anything.
    fn silent(games: &[&str]) -> Assistant {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cql"))
            .arg("mcp")
            .args(games)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        Assistant {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("its output")),
            child,
            n_requests: 0,
        }
    }

    /// With the historic games.
    fn started() -> Assistant {
        let games = root().join("examples/historic.pgn");
        let mut assistant = Assistant::silent(&[games.to_str().expect("a path")]);
        let version = json!({ "protocolVersion": "2025-06-18", "capabilities": {} });
        assistant.ask("initialize", version);
        assistant.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        assistant
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().expect("it listens");
        writeln!(input, "{line}").expect("written");
        input.flush().expect("written");
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The whole answer to a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(&request.to_string());
        let answer = self.read();
        assert_eq!(
            (&answer["jsonrpc"], &answer["id"]),
            (&json!("2.0"), &json!(id))
        );
        answer
    }

    /// What a tool comes to.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask(
            "tools/call",
            json!({ "name": tool, "arguments": arguments }),
        );
        assert!(answer["error"].is_null(), "{answer}");
        let result = answer["result"].clone();
        assert_eq!(result["content"][0]["type"], "text");
        if let Some(value) = result.get("structuredContent") {
            let text = result["content"][0]["text"].as_str().expect("a text");
            let said: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(&said, value);
        }
        result
    }

    /// The text of a tool that succeeds.
    fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        let text = &result["content"][0]["text"];
        text.as_str().expect("a text").to_owned()
    }

    /// Why a tool does not.
    fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = &result["content"][0]["text"];
        text.as_str().expect("a text").to_owned()
    }

    /// The value of a tool that succeeds.
    fn value(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // It ends with its input.
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        assert!(status.success() || std::thread::panicking(), "{status}");
    }
}

#[test]
fn the_version_is_one_that_both_speak() {
    for (asked, expected) in [
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2099-01-01"), "2025-06-18"),
        (json!(7), "2025-06-18"),
    ] {
        let mut assistant = Assistant::silent(&[]);
        let early = assistant.ask("tools/list", json!({}));
        assert_eq!(early["error"]["code"], -32600, "{early}");
        assert_eq!(assistant.ask("ping", Value::Null)["result"], json!({}));
        let answer = assistant.ask("initialize", json!({ "protocolVersion": asked }));
        let result = &answer["result"];
        assert_eq!(result["protocolVersion"], expected, "{asked}");
        assert_eq!(result["serverInfo"]["name"], "cql");
        assert!(result["capabilities"]["tools"].is_object());
    }
}

#[test]
fn every_tool_is_listed_with_what_it_takes() {
    let mut assistant = Assistant::started();
    let answer = assistant.ask("tools/list", Value::Null);
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    let expected = ["check", "explain", "search", "count", "words", "cookbook"];
    assert_eq!(names, expected);
    for tool in &tools {
        let schema = &tool["inputSchema"];
        assert_eq!(schema["type"], "object", "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true);
        let properties = schema["properties"].as_object().expect("properties");
        for required in schema["required"].as_array().expect("required") {
            assert!(properties.contains_key(required.as_str().expect("a name")));
        }
    }
    assert_eq!(
        tools[2]["inputSchema"]["properties"]["limit"]["maximum"],
        200
    );
}

#[test]
fn what_cannot_be_understood_is_said_and_the_rest_goes_on() {
    let mut assistant = Assistant::started();
    for (line, code) in [
        ("{", -32700),
        ("hello", -32700),
        ("[]", -32600),
        ("3", -32600),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600),
        (r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, -32600),
    ] {
        assistant.write(line);
        let answer = assistant.read();
        assert_eq!(answer["error"]["code"], code, "{line}");
        assert_eq!(answer["id"], Value::Null, "{line}");
    }
    assert_eq!(assistant.ask("no/such", json!({}))["error"]["code"], -32601);
    // Notifications and answers have no answer.
    assistant.write(r#"{"jsonrpc":"2.0","method":"no/such"}"#);
    assistant.write(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#);
    assistant
        .write(r#"[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]"#);
    let several = assistant.read();
    assert_eq!(
        several[0],
        json!({ "jsonrpc": "2.0", "id": 8, "result": {} })
    );
    assert_eq!(several[1]["error"]["code"], -32600);
    assert_eq!(several.as_array().map(Vec::len), Some(2));
    assert_eq!(assistant.ask("ping", Value::Null)["result"], json!({}));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let mut assistant = Assistant::started();
    for (params, expected) in [
        (json!({}), "there is no tool ``"),
        (
            json!({ "name": "shell", "arguments": {} }),
            "there is no tool `shell`",
        ),
        (json!({ "name": "search" }), "`query` is missing"),
        (
            json!({ "name": "search", "arguments": [] }),
            "arguments are an object",
        ),
        (
            json!({ "name": "search", "arguments": { "query": 3 } }),
            "`query` is a string",
        ),
        (
            json!({ "name": "search", "arguments": { "query": "mate", "limit": -1 } }),
            "`limit` is a number",
        ),
        (
            json!({ "name": "search", "arguments": { "query": "mate", "limit": 0 } }),
            "`limit` is a number",
        ),
        (
            json!({ "name": "search", "arguments": { "query": "mate", "limit": 1.5 } }),
            "`limit` is a number",
        ),
        (
            json!({ "name": "search", "arguments": { "query": "mate", "file": "/etc/passwd" } }),
            "`search` takes no `file`",
        ),
        (
            json!({ "name": "count", "arguments": { "query": "mate", "by": "year" } }),
            "`by` is an array",
        ),
    ] {
        let answer = assistant.ask("tools/call", params.clone());
        assert_eq!(answer["error"]["code"], -32602, "{params}");
        let message = answer["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with(expected), "{params}: {message}");
    }
}

#[test]
fn queries_are_checked_and_explained() {
    let mut assistant = Assistant::started();
    let checked = assistant.value("check", json!({ "query": "cql()\nmaet" }));
    assert_eq!(checked["valid"], false);
    let fault = &checked["diagnostics"][0];
    assert_eq!([&fault["line"], &fault["column"]], [&json!(2), &json!(1)]);
    assert_eq!(
        [&fault["code"], &fault["replace"], &fault["by"]],
        ["E0201", "maet", "mate"]
    );
    // A body alone has the places that it was written at.
    let checked = assistant.value("check", json!({ "query": "btm maet" }));
    assert_eq!(checked["diagnostics"][0]["column"], 5);
    let checked = assistant.value("check", json!({ "query": "flipcolor { mate btm }" }));
    assert_eq!(checked, json!({ "valid": true, "diagnostics": [] }));
    let explained = assistant.text("explain", json!({ "query": "cql() mate" }));
    assert!(explained.contains("mate"), "{explained}");
    let refused = assistant.refusal("explain", json!({ "query": "cql() maet" }));
    assert!(refused.contains("errors"), "{refused}");
}

#[test]
fn games_are_found_some_at_a_time() {
    let mut assistant = Assistant::started();
    let query = "mate comment(\"here\") sort \"men\" #[Aa]";
    let first = assistant.value("search", json!({ "query": query, "limit": 3 }));
    let games = first["games"].as_array().expect("games");
    assert_eq!(games.len(), 3);
    assert_eq!(games[0]["white"], "Greco, Gioachino");
    assert_eq!(games[0]["positions"][0]["last_move"], "Bg6#");
    assert_eq!(games[0]["comments"][0]["text"], "here");
    assert!(games[0]["sort"]["men"].is_u64(), "{first}");
    assert_eq!(first["ended_by"], "limit");
    // What is asked for beyond the bounds is not given.
    let rest =
        json!({ "query": query, "limit": 1_000_000, "seconds": 1_000_000, "from": first["next"] });
    let rest = assistant.value("search", rest);
    assert_eq!(rest["games"].as_array().map(Vec::len), Some(8));
    assert!(rest.get("ended_by").is_none(), "{rest}");
    assert_eq!(rest["searched_up_to"], 40);
    let past = assistant.value("search", json!({ "query": query, "from": u64::MAX }));
    assert_eq!(past["games"], json!([]));
}

#[test]
fn games_are_counted_in_groups() {
    let mut assistant = Assistant::started();
    let all = assistant.value("count", json!({ "query": "cql() mate" }));
    assert_eq!(all, json!({ "games": 11, "positions": 11, "searched": 40 }));
    let by = assistant.value("count", json!({ "query": "mate", "by": ["result"] }));
    let groups = by["groups_as_csv"].as_str().expect("groups");
    assert!(groups.starts_with("result,games,positions\n"), "{groups}");
    assert!(groups.contains("1-0,"), "{groups}");
    let refused = assistant.refusal("count", json!({ "query": "mate", "by": ["nosuch"] }));
    assert!(refused.contains("nosuch"), "{refused}");
}

#[test]
fn an_archive_gives_the_answers_of_its_games() {
    let place = Place::empty();
    let games = std::fs::read(root().join("examples/historic.pgn")).expect("games");
    place.write("games.pgn", &games);
    assert_eq!(place.run("index games.pgn -o games.cqa").status, Some(0));
    let file = place.path("games.pgn");
    let modified = file.metadata().and_then(|file| file.modified());
    let mut assistant = Assistant::silent(&[file.to_str().expect("a path")]);
    assistant.ask("initialize", json!({ "protocolVersion": "2025-06-18" }));
    let mut answers = || {
        let searched = json!({ "query": "mate sort \"men\" #[Aa]", "limit": 3, "from": 2 });
        let counted = json!({ "query": "mate", "by": ["result", "white"] });
        [
            assistant.value("search", searched),
            assistant.value("count", counted),
        ]
    };
    let expected = answers();
    assert_eq!(expected[1]["games"], 11);
    // They come from the columns: there is no text any more.
    place.write("games.pgn", vec![b' '; games.len()]);
    let written = std::fs::File::options().write(true).open(&file);
    let is_as_old = written.and_then(|file| file.set_modified(modified?));
    is_as_old.expect("a file as old as the other");
    assert_eq!(answers(), expected);
}

#[test]
fn nothing_is_touched_but_the_games() {
    let mut assistant = Assistant::started();
    let folder = tempfile::tempdir().expect("a folder");
    let target = folder.path().join("stolen");
    let query = format!("cql() writefile(\"{}\" \"x\")", target.display());
    let told = assistant.value("search", json!({ "query": query }));
    assert!(told["faults"].as_u64() > Some(0), "{told}");
    assert!(!target.exists());
    let query = "cql() similarposition \"/etc/passwd.pgn\"";
    let refused = assistant.refusal("search", json!({ "query": query }));
    assert!(refused.contains("may not read"), "{refused}");
    let refused = assistant.refusal("search", json!({ "query": "cql() maet" }));
    assert!(refused.contains("errors"), "{refused}");
    let mut without = Assistant::silent(&[]);
    without.ask("initialize", json!({ "protocolVersion": "2025-06-18" }));
    let refused = without.refusal("search", json!({ "query": "mate" }));
    assert!(refused.contains("no games were named"), "{refused}");
}

#[test]
fn the_book_is_there() {
    let mut assistant = Assistant::started();
    let entry = assistant.text("words", json!({ "word": "mate" }));
    assert!(entry.starts_with("mate: "), "{entry}");
    assert!(
        assistant
            .text("words", json!({ "word": "E0201" }))
            .contains("E0201")
    );
    let all = assistant.text("words", json!({}));
    assert!(all.split(' ').any(|word| word == "path"), "{all}");
    let near = assistant.refusal("words", json!({ "word": "stalmate" }));
    assert!(near.contains("`stalemate`"), "{near}");
    let fork = assistant.text("cookbook", json!({ "find": "Knight Fork" }));
    assert!(fork.contains("```cql\nflipcolor {"), "{fork}");
    let all = assistant.text("cookbook", json!({}));
    assert!(
        all.contains("Tactics: ") && all.contains("Knight fork"),
        "{all}"
    );
    assert!(!all.contains("```"), "{all}");
    assistant.refusal("cookbook", json!({ "find": "nosuchtheme" }));
}

/// A query that would take hours.
const ENDLESS: &str = "cql() x = 0 loop { x += 1 x < 100000 } false";

fn many_games(folder: &std::path::Path) -> String {
    let file = folder.join("many.pgn");
    std::fs::write(&file, "[White \"a\"]\n\n1. e4 *\n\n".repeat(2_000_000)).expect("written");
    file.display().to_string()
}

#[test]
fn a_request_is_taken_back_while_it_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut assistant = Assistant::silent(&[&many_games(folder.path())]);
    assistant.ask("initialize", json!({ "protocolVersion": "2025-06-18" }));
    let call = |id: &str| {
        let params = json!({ "name": "count", "arguments": { "query": ENDLESS, "seconds": 60 } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    let cancel = |id: &str| {
        let params = json!({ "requestId": id, "reason": "enough" });
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
            .to_string()
    };
    assistant.write(&call("first"));
    assistant.write(&call("second"));
    // The one that waits, and the one that runs.
    assistant.write(&cancel("second"));
    assistant.write(&cancel("first"));
    // Neither is answered, but what comes next is.
    assert_eq!(assistant.ask("ping", Value::Null)["result"], json!({}));
}

#[test]
fn a_search_ends_in_time_and_with_its_client() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut assistant = Assistant::silent(&[&many_games(folder.path())]);
    assistant.ask("initialize", json!({ "protocolVersion": "2025-06-18" }));
    let ended = assistant.value("count", json!({ "query": ENDLESS, "seconds": 1 }));
    assert_eq!(ended["ended_by"], "time", "{ended}");
    assert_eq!(ended["games"], 0);
    let params = json!({ "name": "count", "arguments": { "query": ENDLESS, "seconds": 60 } });
    let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    assistant.write(&request.to_string());
    // Its end is waited for when it is dropped.
}

/// A client may close the input and go on living without reading what is written.
#[test]
fn the_server_ends_where_nobody_reads() {
    let mut assistant = Assistant::started();
    for id in 0..100 {
        assistant.write(&format!(
            r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/list"}}"#
        ));
    }
    assistant.input = None;
    for _ in 0..600 {
        if let Some(status) = assistant.child.try_wait().expect("a status") {
            assert!(status.success());
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let _ = assistant.child.kill();
    panic!("the server waits for ever");
}
