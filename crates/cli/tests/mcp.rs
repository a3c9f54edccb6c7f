//! `cql mcp` as an assistant sees it: requests and their answers.

mod support;

use std::collections::HashMap;
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
    /// Tools by name, as the server lists them.
    tools: HashMap<String, Value>,
}

impl Assistant {
    /// Starts a server without sending any request.
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
            tools: HashMap::new(),
        }
    }

    /// Starts a server with the historic games.
    fn started() -> Assistant {
        let games = root().join("examples/historic.pgn");
        Assistant::with(&[games.to_str().expect("a path")])
    }

    /// Starts a server, initializes it and lists its tools.
    fn with(games: &[&str]) -> Assistant {
        let mut assistant = Assistant::silent(games);
        let version = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
        assistant.ask("initialize", version);
        assistant.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        let answer = assistant.ask("tools/list", Value::Null);
        let tools = answer["result"]["tools"].as_array().expect("tools");
        let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
        assistant.tools = tools.iter().map(|tool| (name(tool), tool.clone())).collect();
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

    /// Returns the whole answer to a request.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_requests += 1;
        let id = self.n_requests;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.write(&request.to_string());
        let answer = self.read();
        assert_eq!((&answer["jsonrpc"], &answer["id"]), (&json!("2.0"), &json!(id)));
        answer
    }

    /// Calls a tool and returns its result, after checking it against the schema.
    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({ "name": tool, "arguments": arguments }));
        assert!(answer["error"].is_null(), "{answer}");
        let result = answer["result"].clone();
        assert_eq!(result["content"][0]["type"], "text");
        let schema = &self.tools[tool]["outputSchema"];
        match result.get("structuredContent") {
            Some(value) => check_schema(value, schema),
            None => assert!(schema.is_null() || result["isError"] == true, "{result}"),
        }
        result
    }

    /// Returns the text of a call that succeeds.
    fn text(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        let text = &result["content"][0]["text"];
        text.as_str().expect("a text").to_owned()
    }

    /// Returns the message of a call that fails.
    fn refusal(&mut self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], true, "{result}");
        let text = &result["content"][0]["text"];
        text.as_str().expect("a text").to_owned()
    }

    /// Returns the value of a call that succeeds.
    fn value(&mut self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"].clone()
    }
}

/// Checks a value against the schema of its tool.
fn check_schema(value: &Value, schema: &Value) {
    let properties = schema["properties"].as_object().expect("properties");
    for required in schema["required"].as_array().expect("required") {
        let name = required.as_str().expect("a name");
        assert!(!value[name].is_null(), "{name}: {value}");
    }
    for (name, field) in value.as_object().expect("an object") {
        let kind = properties[name.as_str()]["type"].as_str();
        let is_right = match kind {
            Some("boolean") => field.is_boolean(),
            Some("integer") => field.is_u64(),
            Some("number") => field.is_number(),
            Some("string") => field.is_string(),
            Some("object") => field.is_object(),
            Some("array") => field.as_array().is_some_and(|all| {
                let kind = &properties[name.as_str()]["items"]["type"];
                let is_item = |item: &Value| {
                    if kind == "string" { item.is_string() } else { item.is_object() }
                };
                all.iter().all(is_item)
            }),
            _ => false,
        };
        assert!(is_right, "{name} is no {kind:?}: {field}");
    }
}

impl Drop for Assistant {
    fn drop(&mut self) {
        // The server ends at the end of its input.
        drop(self.input.take());
        let status = self.child.wait().expect("it ends");
        assert!(status.success() || std::thread::panicking(), "{status}");
    }
}

#[test]
fn the_version_is_one_that_both_speak() {
    for (asked, expected) in [
        (json!("2025-11-25"), "2025-11-25"),
        (json!("2025-06-18"), "2025-06-18"),
        (json!("2025-03-26"), "2025-03-26"),
        (json!("2024-11-05"), "2024-11-05"),
        (json!("2099-01-01"), "2025-11-25"),
        (json!(7), "2025-11-25"),
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
        assert!(result["capabilities"]["resources"].is_object());
    }
}

/// Clients without structured values get them as texts.
#[test]
fn an_older_client_has_values_as_texts() {
    let games = root().join("examples/historic.pgn");
    let mut assistant = Assistant::silent(&[games.to_str().expect("a path")]);
    assistant.ask("initialize", json!({ "protocolVersion": "2025-03-26" }));
    let tools = assistant.ask("tools/list", Value::Null);
    assert!(tools["result"]["tools"][0]["outputSchema"].is_null(), "{tools}");
    let params = json!({ "name": "count", "arguments": { "query": "mate" } });
    let result = assistant.ask("tools/call", params)["result"].clone();
    assert!(result["structuredContent"].is_null(), "{result}");
    let text = result["content"][0]["text"].as_str().expect("a text");
    let value: Value = serde_json::from_str(text).expect("JSON");
    assert_eq!(value, json!({ "games": 11, "positions": 11, "searched": 40 }));
}

#[test]
fn every_tool_is_listed_with_what_it_takes() {
    let mut assistant = Assistant::started();
    let answer = assistant.ask("tools/list", Value::Null);
    let tools = answer["result"]["tools"].as_array().expect("tools").clone();
    let names: Vec<&Value> = tools.iter().map(|tool| &tool["name"]).collect();
    let expected = [
        "check", "explain", "search", "count", "themes", "stats", "tree", "game", "inputs",
        "words", "cookbook",
    ];
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
    assert_eq!(tools[2]["inputSchema"]["properties"]["limit"]["maximum"], 200);
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
    // Notifications and answers get no answer.
    assistant.write(r#"{"jsonrpc":"2.0","method":"no/such"}"#);
    assistant.write(r#"{"jsonrpc":"2.0","id":9,"result":{}}"#);
    assistant
        .write(r#"[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","method":"x"},7]"#);
    let several = assistant.read();
    assert_eq!(several[0], json!({ "jsonrpc": "2.0", "id": 8, "result": {} }));
    assert_eq!(several[1]["error"]["code"], -32600);
    assert_eq!(several.as_array().map(Vec::len), Some(2));
    assert_eq!(assistant.ask("ping", Value::Null)["result"], json!({}));
}

#[test]
fn arguments_that_make_no_sense_are_refused() {
    let mut assistant = Assistant::started();
    for name in [Value::Null, json!("shell")] {
        let params = json!({ "name": name, "arguments": {} });
        let answer = assistant.ask("tools/call", params);
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    // An error that the assistant can correct is the result of the tool.
    for (tool, arguments, expected) in [
        ("search", Value::Null, "`query` is missing"),
        ("search", json!([]), "expected an object as arguments"),
        ("search", json!({ "query": 3 }), "`query` is a string"),
        ("search", json!({ "query": "mate", "limit": -1 }), "`limit` is a number"),
        ("search", json!({ "query": "mate", "limit": 0 }), "`limit` is a number"),
        ("search", json!({ "query": "mate", "limit": 1.5 }), "`limit` is a number"),
        ("search", json!({ "query": "mate", "limit": 201 }), "`limit` is a number from 1 to 200"),
        ("count", json!({ "query": "mate", "limit": 501 }), "`limit` is a number from 1 to 500"),
        ("inputs", json!({ "seconds": 61 }), "`seconds` is a number from 1 to 60"),
        (
            "search",
            json!({ "query": "mate", "file": "/etc/passwd" }),
            "`search` has no parameter `file`",
        ),
        ("count", json!({ "query": "mate", "by": "year" }), "`by` is an array"),
        ("game", json!({}), "`game` is missing"),
        ("game", json!({ "game": 0 }), "`game` is a number"),
    ] {
        let message = assistant.refusal(tool, arguments.clone());
        assert!(message.starts_with(expected), "{arguments}: {message}");
    }
}

#[test]
fn queries_are_checked_and_explained() {
    let mut assistant = Assistant::started();
    let checked = assistant.value("check", json!({ "query": "cql()\nmaet" }));
    assert_eq!(checked["valid"], false);
    let fault = &checked["diagnostics"][0];
    assert_eq!([&fault["line"], &fault["column"]], [&json!(2), &json!(1)]);
    assert_eq!([&fault["code"], &fault["replace"], &fault["by"]], ["E0201", "maet", "mate"]);
    // In a query without a header, locations refer to the text as sent.
    let checked = assistant.value("check", json!({ "query": "btm maet" }));
    assert_eq!(checked["diagnostics"][0]["column"], 5);
    let checked = assistant.value("check", json!({ "query": "flipcolor { mate btm }" }));
    assert_eq!(checked, json!({ "valid": true, "total": 0, "diagnostics": [] }));
    // The text has a line with the same content for each error.
    let text = assistant.text("check", json!({ "query": "cql()\nmaet" }));
    let line = text.lines().nth(1).expect("a fault");
    assert!(line.starts_with("2:1: error[E0201]: "), "{text}");
    assert!(line.ends_with("; write `mate` for `maet`"), "{text}");
    let explained = assistant.text("explain", json!({ "query": "cql() mate" }));
    assert!(explained.contains("mate"), "{explained}");
    let refused = assistant.refusal("explain", json!({ "query": "cql() maet" }));
    assert!(refused.contains("errors"), "{refused}");
    // Every tool reports errors of a query with their fixes.
    for tool in ["explain", "search", "count"] {
        let refused = assistant.refusal(tool, json!({ "query": "btm maet" }));
        assert!(refused.contains("1:5: error[E0201]: "), "{tool}: {refused}");
        assert!(refused.ends_with("; write `mate` for `maet`"), "{tool}: {refused}");
    }
    // Warnings are reported, too.
    let counted = assistant.value("count", json!({ "query": "x = 1 mate" }));
    let warning = counted["warnings"][0].as_str().expect("a warning");
    assert!(warning.contains(": warning["), "{warning}");
    // The header cannot name other games.
    for tool in ["search", "count"] {
        let query = "cql(input other.pgn output found.pgn) mate";
        let found = assistant.value(tool, json!({ "query": query }));
        let told = found["warnings"].as_array().expect("warnings");
        let told: Vec<&str> = told.iter().filter_map(Value::as_str).collect();
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].contains("only the games of the server are searched"), "{told:?}");
        assert!(told[1].contains("`output` of the header is not written"), "{told:?}");
    }
    // A name that no game has.
    for tool in ["search", "count"] {
        let found = assistant.value(tool, json!({ "query": "player \"Greko\" mate" }));
        let hint = found["warnings"][0].as_str().expect("a hint");
        assert!(hint.ends_with("did you mean \"Greco, Gioachino\" (1 game)?"), "{hint}");
    }
    let found = assistant.value("count", json!({ "query": "player \"Greco\" stalemate" }));
    assert!(found["warnings"].is_null(), "{found}");
}

#[test]
fn games_are_found_some_at_a_time() {
    let mut assistant = Assistant::started();
    let query = "mate comment(\"here\")";
    let first = assistant.value("search", json!({ "query": query, "limit": 3 }));
    let games = first["games"].as_array().expect("games");
    assert_eq!(games.len(), 3);
    assert_eq!(games[0]["white"], "Greco, Gioachino");
    assert_eq!(games[0]["positions"], 1);
    let position = &games[0]["first_positions"][0];
    assert_eq!([&position["san"], &position["side"]], ["Bg6#", "black"]);
    assert_eq!(position["comments"], json!(["here"]));
    assert_eq!(games[0]["comments"], json!(["here"]));
    assert_eq!(first["ended_by"], "limit");
    assert!(first["total"].is_null(), "{first}");
    let rest = json!({ "query": query, "limit": 200, "seconds": 60, "from": first["next"] });
    let rest = assistant.value("search", rest);
    assert_eq!(rest["games"].as_array().map(Vec::len), Some(8));
    assert!(rest.get("ended_by").is_none(), "{rest}");
    assert_eq!([&rest["searched_up_to"], &rest["total"]], [40, 8]);
    let past = assistant.value("search", json!({ "query": query, "from": u64::MAX }));
    assert_eq!(past["games"], json!([]));
    // The range in the header still applies.
    let header = "cql(gamenumber 10 20) mate";
    let within = assistant.value("search", json!({ "query": header, "from": 12 }));
    let within = within["games"].as_array().expect("games");
    let is_within = |game: &Value| (12..=20).contains(&game["game"].as_u64().expect("a number"));
    assert!(!within.is_empty() && within.iter().all(is_within), "{within:?}");
    // The text is short, with a line for each game.
    let text = assistant.text("search", json!({ "query": query, "limit": 3 }));
    assert_eq!(text.lines().count(), 4, "{text}");
    assert!(text.contains("game 1: Greco, Gioachino – "), "{text}");
}

#[test]
fn sorted_games_are_the_best_of_all() {
    let mut assistant = Assistant::started();
    let place = Place::empty();
    let games = root().join("examples/historic.pgn");
    place.write("games.pgn", std::fs::read(games).expect("games"));
    for direction in ["", "min"] {
        let query = format!("mate sort {direction} \"men\" #[Aa]");
        place.write("q.cql", format!("cql() {query}"));
        let line = "q.cql games.pgn --limit 3 -o out.csv --per game --columns game,men";
        let ran = place.run(line);
        assert_eq!(ran.status, Some(0), "{}{}", ran.out, ran.err);
        let expected = std::fs::read_to_string(place.path("out.csv")).expect("a table");
        let found = assistant.value("search", json!({ "query": query, "limit": 3 }));
        let rows = found["games"].as_array().expect("games").iter();
        let rows: String =
            rows.map(|game| format!("{},{}\n", game["game"], game["sort"]["men"])).collect();
        assert_eq!(format!("game,men\n{rows}"), expected);
        assert_eq!([&found["total"], &found["searched_up_to"]], [11, 40]);
        let text = assistant.text("search", json!({ "query": query, "limit": 3 }));
        assert!(text.starts_with("11 games match; the best 3:\n"), "{text}");
    }
}

#[test]
fn themes_are_counted_as_by_run() {
    let mut assistant = Assistant::started();
    let place = Place::empty();
    let games = root().join("examples/historic.pgn");
    place.write("games.pgn", std::fs::read(games).expect("games"));
    let ran = place.run("run themes:* games.pgn --cql wtm --summary s.csv");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let summary = place.read("s.csv");
    let expected = summary.lines().skip(1).map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        format!("{} {} {}", cells[0], cells[2], cells[3])
    });
    let mut expected: Vec<String> = expected.collect();
    let found = assistant.value("themes", json!({ "query": "wtm", "seconds": 60 }));
    assert_eq!(found["searched"], 40);
    let themes = found["themes"].as_array().expect("themes");
    let numbers: Vec<u64> = themes.iter().filter_map(|one| one["games"].as_u64()).collect();
    assert!(numbers.is_sorted_by(|a, b| a >= b) && numbers[0] > 0, "{numbers:?}");
    let text = |one: &Value| one["theme"].as_str().unwrap_or_default().to_owned();
    let row = |one: &Value| format!("{} {} {}", text(one), one["games"], one["positions"]);
    let mut rows: Vec<String> = themes.iter().map(row).collect();
    rows.sort();
    expected.sort();
    assert_eq!(rows, expected);
    let some = json!({ "themes": ["DoubleCheck"], "query": "cql(result 1-0)" });
    let found = assistant.value("themes", some.clone());
    assert_eq!(found["themes"].as_array().map(Vec::len), Some(1));
    assert_eq!(found["themes"][0]["meaning"], "check by two pieces");
    let found = assistant.value("themes", json!({ "themes": ["DoubleCheck"] }));
    assert_eq!(found["searched"], 40);
    let found = assistant.value("count", json!({ "query": "(mate or stalemate)" }));
    assert_eq!(found["searched"], 40);
    let text = assistant.text("themes", some);
    assert!(text.starts_with("40 games searched\ndoublecheck: "), "{text}");
    for (wrong, said) in [
        (json!({ "themes": ["forks"] }), "there is no theme 'forks'; did you mean fork?"),
        (json!({ "query": "maet" }), "the query has errors"),
    ] {
        let refused = assistant.refusal("themes", wrong);
        assert!(refused.contains(said), "{refused}");
    }
}

#[test]
fn the_games_are_counted_as_by_the_commands() {
    let place = Place::empty();
    place.write("h.pgn", std::fs::read(root().join("examples/historic.pgn")).expect("games"));
    let file = place.path("h.pgn");
    let mut assistant = Assistant::with(&[file.to_str().expect("a path")]);
    let said = |line: &str| {
        let mut said: Value = serde_json::from_str(&place.run(line).out).expect("JSON");
        said.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
        said
    };
    let mut expected = said("stats h.pgn --json --top 3");
    expected["kinds_of_faults"] = expected["faults"].take();
    expected.as_object_mut().expect("an object").remove("faults");
    assert_eq!(assistant.value("stats", json!({ "top": 3 })), expected);
    let text = assistant.text("stats", json!({ "top": 3 }));
    assert!(text.contains("\nresults: 1-0 ("), "{text}");
    // The example is named by the path that the server was given.
    let name = |tree: Value| tree.to_string().replace(&*file.to_string_lossy(), "h.pgn");
    let position = json!({ "position": "1.e4 e5", "depth": 2, "limit": 500 });
    let mut expected = said("tree h.pgn 1.e4 e5 --depth 2 --json");
    expected["searched"] = said("stats h.pgn --json")["games"].take();
    let tree = assistant.value("tree", position);
    assert_eq!(name(tree.clone()), name(expected));
    // At most so many moves, and the least number of their games.
    let few = assistant.value("tree", json!({ "position": "e4 e5", "depth": 2, "limit": 3 }));
    let least = few["min_games"].as_u64().expect("a number");
    let moves = few["moves"].as_array().expect("moves");
    assert!((1..=3).contains(&moves.len()), "{few}");
    assert!(moves.iter().all(|one| one["games"].as_u64() >= Some(least)), "{few}");
    let text = assistant.text("tree", json!({ "limit": 3 }));
    assert!(text.contains("games have the position\ne4: "), "{text}");
    assert!(text.contains("moves in fewer than "), "{text}");
    let refused = assistant.refusal("tree", json!({ "position": "1.e5" }));
    assert!(refused.starts_with("'e5' is not possible here; possible: "), "{refused}");
}

#[test]
fn games_are_counted_in_groups() {
    let mut assistant = Assistant::started();
    let all = assistant.value("count", json!({ "query": "cql() mate" }));
    assert_eq!(all, json!({ "games": 11, "positions": 11, "searched": 40 }));
    let by = json!({ "query": "mate", "by": ["result"] });
    let counted = assistant.value("count", by.clone());
    let groups = counted["groups"].as_array().expect("groups");
    let sizes: Vec<u64> = groups.iter().filter_map(|group| group["games"].as_u64()).collect();
    assert!(sizes.is_sorted_by(|a, b| a >= b), "{counted}");
    assert_eq!((groups[0]["result"].as_str(), sizes.iter().sum()), (Some("1-0"), 11_u64));
    assert_eq!(counted["total_groups"], groups.len());
    let text = assistant.text("count", by);
    assert!(text.starts_with("11 of 40 games match, in 11 positions; "), "{text}");
    let few = assistant.value("count", json!({ "query": "true", "by": ["game"], "limit": 2 }));
    assert_eq!(few["groups"].as_array().map(Vec::len), Some(2));
    assert_eq!(few["total_groups"], 40);
    let refused = assistant.refusal("count", json!({ "query": "mate", "by": ["nosuch"] }));
    assert!(refused.contains("nosuch"), "{refused}");
}

/// A query that takes too many steps on every game.
const TOO_MANY_STEPS: &str = "while (true) ply";

#[test]
fn a_query_that_is_given_up_says_so_as_in_a_search() {
    let mut assistant = Assistant::started();
    for (tool, arguments) in [
        ("search", json!({ "query": TOO_MANY_STEPS, "seconds": 60 })),
        ("search", json!({ "query": TOO_MANY_STEPS, "seconds": 60, "from": 20 })),
        ("count", json!({ "query": TOO_MANY_STEPS, "seconds": 60 })),
    ] {
        let refused = assistant.refusal(tool, arguments);
        let expected = "the query takes too many steps on each of the first games";
        assert!(refused.starts_with(expected), "{tool}: {refused}");
    }
}

#[test]
fn a_game_is_shown_by_its_number() {
    let folder = tempfile::tempdir().expect("a folder");
    let pgn = "[White \"a\"]\n\n1. e4 {best} *\n\n\
               [Event \"x\"]\n[White \"b\"]\n[Mark \"m\"]\n[Round \"?\"]\n[Date \"1999.??.??\"]\n\n\
               {first} 1. e4 $1 {good} (1. d4 {other}) e5 2. Nf3 1-0\n\n\
               [Variant \"Bughouse\"]\n\n1. e4 *\n";
    let files = ["a.pgn", "b.pgn"].map(|name| folder.path().join(name));
    std::fs::write(&files[0], pgn).expect("written");
    std::fs::write(&files[1], pgn).expect("written");
    let names = files.each_ref().map(|file| file.to_str().expect("a path"));
    let mut assistant = Assistant::with(&names);
    let game = assistant.value("game", json!({ "game": 5 }));
    assert_eq!([&game["game"], &game["game_in_input"], &game["year"]], [5, 2, 1999]);
    assert_eq!([&game["white"], &game["result"]], ["b", "1-0"]);
    assert_eq!([&game["tags"]["Mark"], &game["tags"]["Round"]], ["m", "?"]);
    assert!(game["round"].is_null(), "{game}");
    assert_eq!([&game["n_moves"], &game["n_variations"]], [3, 1]);
    let first = json!({
        "ply": 1, "move_number": 1, "side": "white", "san": "e4", "nags": [1],
        "comments": ["good"],
    });
    assert_eq!(game["moves"][0], first);
    assert_eq!(game["comments"], json!(["first"]));
    let other = assistant.value("game", json!({ "game": 1 }));
    assert!(other["comments"].is_null(), "{other}");
    assert_eq!(other["moves"][0]["comments"], json!(["best"]));
    let text = game["pgn"].as_str().expect("a text");
    for part in ["[Mark \"m\"]", "{first}", "{good}", "1.d4 {other}", "2.Nf3 1-0"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("Game number"), "{text}");
    let said = assistant.text("game", json!({ "game": 5 }));
    assert!(said.ends_with("\n1. e4 e5 2. Nf3"), "{said}");
    for (number, expected) in [
        (7, "there is no game 7: there are 6 games"),
        (3, "game 3 cannot be shown: "),
        (u64::MAX, "there is no game 18446744073709551615"),
    ] {
        let refused = assistant.refusal("game", json!({ "game": number }));
        assert!(refused.starts_with(expected), "{refused}");
    }
    // Games can be read as resources, too.
    let templates = assistant.ask("resources/templates/list", Value::Null);
    let template = &templates["result"]["resourceTemplates"][0]["uriTemplate"];
    let uri = template.as_str().expect("a template").replace("{game}", "5");
    let read = assistant.ask("resources/read", json!({ "uri": uri }));
    assert_eq!(read["result"]["contents"][0]["text"], game["pgn"], "{read}");
    for uri in ["cql:game/0", "cql:game/7", "cql:game/x", "file:///etc/passwd", ""] {
        let answer = assistant.ask("resources/read", json!({ "uri": uri }));
        assert_eq!(answer["error"]["code"], -32002, "{uri}: {answer}");
    }
}

#[test]
fn what_is_searched_is_listed() {
    let place = Place::empty();
    let text = "[White \"a\"]\n\n1. e4 *\n\n";
    place.write("a.pgn", text.repeat(3));
    place.write("b.pgn", text.repeat(2));
    let names = ["a.pgn", "b.pgn"].map(|name| place.path(name));
    let names = names.each_ref().map(|name| name.to_str().expect("a path"));
    let listed = || {
        let mut assistant = Assistant::with(&names);
        let value = assistant.value("inputs", json!({}));
        let resources = assistant.ask("resources/list", Value::Null);
        let uri = &resources["result"]["resources"][0]["uri"];
        let read = assistant.ask("resources/read", json!({ "uri": uri }));
        let text = read["result"]["contents"][0]["text"].as_str().expect("a text");
        assert_eq!(serde_json::from_str::<Value>(text).ok().as_ref(), Some(&value));
        value
    };
    let bytes = text.len();
    let inputs = json!([
        { "input": names[0], "games": 3, "bytes": 3 * bytes },
        { "input": names[1], "games": 2, "bytes": 2 * bytes },
    ]);
    let expected = json!({ "inputs": inputs, "total": 2, "games": 5, "bytes": 5 * bytes });
    assert_eq!(listed(), expected);
    assert_eq!(place.run("index a.pgn").status, Some(0));
    let with_archive = listed();
    assert_eq!(with_archive["games"], 5);
    assert_eq!(with_archive["inputs"], expected["inputs"]);
    assert_eq!(with_archive["archives"][0]["games"], 3);
}

#[test]
fn one_is_not_several() {
    let place = Place::empty();
    place.write("a.pgn", "[White \"a\"]\n\n1. e4 *\n\n");
    let path = place.path("a.pgn");
    let mut assistant = Assistant::with(&[path.to_str().expect("a path")]);
    let mut check = |tool: &str, arguments: Value, expected: &str| {
        let text = assistant.text(tool, arguments);
        assert!(text.starts_with(expected), "{text}");
    };
    check("search", json!({ "query": "true" }), "1 game matches:\ngame 1: ");
    check("search", json!({ "query": "mate" }), "0 games match");
    check("count", json!({ "query": "wtm" }), "1 of 1 game matches, in 1 position");
    check("count", json!({ "query": "true" }), "1 of 1 game matches, in 2 positions");
    check(
        "count",
        json!({ "query": "true", "by": ["white"] }),
        "1 of 1 game matches, in 2 positions; 1 group\n",
    );
    check("inputs", json!({}), "1 game in 1 input\n");
    let refused = assistant.refusal("game", json!({ "game": 2 }));
    assert!(refused.ends_with("there is 1 game"), "{refused}");
}

#[test]
fn a_long_request_holds_nothing_up_and_tells_how_far_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut assistant = Assistant::with(&[&many_games(folder.path())]);
    let params = json!({
        "name": "count", "arguments": { "query": SLOW, "seconds": 60 },
        "_meta": { "progressToken": "p" },
    });
    let request =
        json!({ "jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params });
    assistant.write(&request.to_string());
    let progress = assistant.read();
    assert_eq!(progress["method"], "notifications/progress", "{progress}");
    let told = &progress["params"];
    assert_eq!(told["progressToken"], "p");
    assert!(told["progress"].as_u64() <= told["total"].as_u64(), "{told}");
    // Meanwhile other requests are answered, including searches.
    let mut ask = |id: u64, method: &str, params: Value| {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        assistant.write(&request.to_string());
        let mut last = told["progress"].as_u64();
        loop {
            let answer = assistant.read();
            if answer["method"] != "notifications/progress" {
                assert_eq!(answer["id"], id, "{answer}");
                return answer["result"].clone();
            }
            let next = answer["params"]["progress"].as_u64();
            assert!(next > last, "{answer}");
            last = next;
        }
    };
    assert_eq!(ask(101, "ping", Value::Null), json!({}));
    let call = |name: &str, arguments: Value| json!({ "name": name, "arguments": arguments });
    let checked = ask(102, "tools/call", call("check", json!({ "query": "mate" })));
    assert_eq!(checked["structuredContent"]["valid"], true, "{checked}");
    let arguments = json!({ "query": "true", "limit": 1 });
    let found = ask(103, "tools/call", call("search", arguments));
    assert_eq!(found["structuredContent"]["games"][0]["game"], 1, "{found}");
    let cancel = json!({ "requestId": "long" });
    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancel });
    assistant.write(&cancel.to_string());
    // Dropping the assistant waits for the search if it has not ended.
    let start = std::time::Instant::now();
    drop(assistant);
    assert!(start.elapsed().as_secs() < 30, "{:?}", start.elapsed());
}

#[test]
fn an_archive_gives_the_answers_of_its_games() {
    let place = Place::empty();
    let games = std::fs::read(root().join("examples/historic.pgn")).expect("games");
    place.write("games.pgn", &games);
    assert_eq!(place.run("index games.pgn -o games.cqa").status, Some(0));
    let file = place.path("games.pgn");
    let modified = file.metadata().and_then(|file| file.modified());
    let mut assistant = Assistant::with(&[file.to_str().expect("a path")]);
    let mut answers = || {
        let searched = json!({ "query": "mate sort \"men\" #[Aa]", "limit": 3, "from": 2 });
        let counted = json!({ "query": "mate", "by": ["result", "white"] });
        [assistant.value("search", searched), assistant.value("count", counted)]
    };
    let expected = answers();
    assert_eq!(expected[1]["games"], 11);
    // The answers come from the columns: the text no longer has any games.
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
    let refused = assistant.refusal("search", json!({ "query": query }));
    assert!(refused.starts_with("the query failed on every game"), "{refused}");
    assert!(refused.contains("; game 1: "), "{refused}");
    assert!(!target.exists());
    let query = format!("cql() mate writefile(\"{}\" \"x\")", target.display());
    let told = assistant.value("search", json!({ "query": query }));
    assert_eq!([&told["faults"], &told["total"]], [11, 0], "{told}");
    assert!(!target.exists());
    let query = "cql() similarposition \"/etc/passwd.pgn\"";
    let refused = assistant.refusal("search", json!({ "query": query }));
    assert!(refused.contains("may not read"), "{refused}");
    let refused = assistant.refusal("search", json!({ "query": "cql() maet" }));
    assert!(refused.contains("errors"), "{refused}");
    let mut without = Assistant::with(&[]);
    let refused = without.refusal("search", json!({ "query": "mate" }));
    assert!(refused.contains("no games to search"), "{refused}");
}

#[test]
fn the_book_is_there() {
    let mut assistant = Assistant::started();
    let entry = assistant.text("words", json!({ "word": "mate" }));
    assert!(entry.starts_with("mate: "), "{entry}");
    assert!(assistant.text("words", json!({ "word": "E0201" })).contains("E0201"));
    let all = assistant.text("words", json!({}));
    assert!(all.split(' ').any(|word| word == "path"), "{all}");
    let near = assistant.refusal("words", json!({ "word": "stalmate" }));
    assert!(near.contains("`stalemate`"), "{near}");
    let fork = assistant.text("cookbook", json!({ "find": "Knight Fork" }));
    assert!(fork.contains("```cql\nflipcolor {"), "{fork}");
    let partly = assistant.text("cookbook", json!({ "find": "knight fork by White" }));
    let expected = "Nothing has all of these words. Without 'White':\n\n## Tactics: Knight fork";
    assert!(partly.starts_with(expected), "{partly}");
    let all = assistant.text("cookbook", json!({}));
    assert!(all.contains("Tactics: ") && all.contains("Knight fork"), "{all}");
    assert!(!all.contains("```"), "{all}");
    assistant.refusal("cookbook", json!({ "find": "nosuchtheme" }));
}

/// A query that takes minutes on all games, but not on a few.
const SLOW: &str = "cql() x = 0 loop { x += 1 x < 2000 } false";

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
    let mut assistant = Assistant::with(&[&many_games(folder.path())]);
    let call = |id: &str| {
        let params = json!({ "name": "count", "arguments": { "query": ENDLESS, "seconds": 60 } });
        json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params }).to_string()
    };
    let cancel = |id: &str| {
        let params = json!({ "requestId": id, "reason": "enough" });
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": params })
            .to_string()
    };
    // Some of them run, the others wait.
    let ids = ["1", "2", "3", "4", "5", "6"];
    ids.iter().for_each(|id| assistant.write(&call(id)));
    ids.iter().rev().for_each(|id| assistant.write(&cancel(id)));
    // None is answered, but the next request is, by the same threads.
    assert_eq!(assistant.ask("ping", Value::Null)["result"], json!({}));
    let found = assistant.value("search", json!({ "query": "true", "limit": 1 }));
    assert_eq!(found["games"][0]["game"], 1);
}

#[test]
fn a_search_ends_in_time_and_with_its_client() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut assistant = Assistant::with(&[&many_games(folder.path())]);
    let ended = assistant.value("count", json!({ "query": ENDLESS, "seconds": 1 }));
    assert_eq!(ended["ended_by"], "time", "{ended}");
    assert_eq!(ended["games"], 0);
    let params = json!({ "name": "count", "arguments": { "query": ENDLESS, "seconds": 60 } });
    let request = json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params });
    assistant.write(&request.to_string());
    // The answer is no count of the games so far, which would be none.
    assistant.input = None;
    let answer = assistant.read();
    let result = &answer["result"];
    assert_eq!((&answer["id"], &result["isError"]), (&json!(7), &json!(true)), "{answer}");
    let text = result["content"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("input of the server was closed"), "{answer}");
    // Dropping the assistant waits for the end of the server.
}

/// A client may close the input and live on without reading the output.
#[test]
fn the_server_ends_where_nobody_reads() {
    let mut assistant = Assistant::started();
    for id in 0..100 {
        assistant.write(&format!(r#"{{"jsonrpc":"2.0","id":"{id}","method":"tools/list"}}"#));
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
