//! Tests `cql lsp` from the side of an editor: each request with its answer.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// URI of the text in most tests.
const QUERY: &str = "file:///query.cql";

/// An editor with a running server.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    n_requests: u64,
    /// Notifications that no test has read yet.
    told: Vec<Value>,
}

impl Editor {
    /// Starts the server without sending a message.
    fn silent() -> Editor {
        let mut child = Command::new(env!("CARGO_BIN_EXE_cql"))
            .args(["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server");
        Editor {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("its output")),
            child,
            n_requests: 0,
            told: Vec::new(),
        }
    }

    /// Starts the server with these capabilities and settings. Returns the answer to `initialize`
    /// as well.
    fn started(capabilities: Value, settings: Value) -> (Editor, Value) {
        let mut editor = Editor::silent();
        let answer = editor.ask(
            "initialize",
            json!({ "capabilities": capabilities, "initializationOptions": settings }),
        );
        editor.tell("initialized", json!({}));
        (editor, answer)
    }

    /// Starts the server and opens a text.
    fn with(text: &str) -> Editor {
        let capabilities = json!({ "textDocument": {
            "completion": { "completionItem": { "snippetSupport": true } },
            "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
        }});
        let (mut editor, _) = Editor::started(capabilities, Value::Null);
        editor.open(text);
        editor
    }

    fn open(&mut self, text: &str) {
        let document = json!({ "uri": QUERY, "languageId": "cql", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, version: u64, changes: Value) {
        let document = json!({ "uri": QUERY, "version": version });
        let params = json!({ "textDocument": document, "contentChanges": changes });
        self.tell("textDocument/didChange", params);
    }

    fn write(&mut self, message: &Value) {
        self.write_together(std::slice::from_ref(message));
    }

    fn write_together(&mut self, messages: &[Value]) {
        let texts = messages.iter().map(|message| {
            let text = message.to_string();
            format!("Content-Length: {}\r\n\r\n{text}", text.len())
        });
        let text: String = texts.collect();
        let input = self.input.as_mut().expect("the server listens");
        input.write_all(text.as_bytes()).expect("written");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.write(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send_request(&mut self, method: &str, params: Value) -> u64 {
        self.n_requests += 1;
        let id = self.n_requests;
        self.write(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            let n_bytes = self.output.read_line(&mut line).expect("a header");
            assert!(n_bytes > 0, "the server has ended");
            if let Some(number) = line.strip_prefix("Content-Length: ") {
                length = number.trim().parse().expect("a length");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a message");
        let message: Value = serde_json::from_slice(&bytes).expect("JSON");
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    /// Returns the response to a request, including its error.
    fn response(&mut self, id: u64) -> Value {
        loop {
            let message = self.read();
            if message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        let response = self.response(id);
        assert_eq!(response["error"], Value::Null, "{method}");
        response["result"].clone()
    }

    fn refused(&mut self, method: &str, params: Value) -> Value {
        let id = self.send_request(method, params);
        self.response(id)["error"].clone()
    }

    /// Sends a request about a location in the text.
    fn ask_at(&mut self, request: &str, line: u32, character: u32) -> Value {
        self.ask(&format!("textDocument/{request}"), at(line, character))
    }

    /// Sends a request about the whole text.
    fn ask_all(&mut self, request: &str) -> Value {
        let range = range((0, 0), (999, 0));
        let params = json!({
            "textDocument": { "uri": QUERY },
            "range": range,
            "context": { "diagnostics": [] },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        self.ask(&format!("textDocument/{request}"), params)
    }

    /// Returns the diagnostics published for a version of the text.
    fn faults(&mut self, version: u64) -> Vec<Value> {
        loop {
            let is_it = |told: &Value| told["params"]["version"] == version;
            if let Some(place) = self.told.iter().position(is_it) {
                let told = self.told.remove(place);
                assert_eq!(told["method"], "textDocument/publishDiagnostics");
                assert_eq!(told["params"]["uri"], QUERY);
                let faults = told["params"]["diagnostics"].as_array();
                return faults.expect("a list").clone();
            }
            let message = self.read();
            self.told.push(message);
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // The server ends when its input is closed.
        self.input = None;
        let _ = self.child.wait();
    }
}

fn at(line: u32, character: u32) -> Value {
    json!({
        "textDocument": { "uri": QUERY },
        "position": { "line": line, "character": character },
    })
}

fn range(start: (u32, u32), end: (u32, u32)) -> Value {
    json!({
        "start": { "line": start.0, "character": start.1 },
        "end": { "line": end.0, "character": end.1 },
    })
}

#[test]
fn the_server_begins_and_ends_with_the_client() {
    let (mut editor, answer) = Editor::started(json!({}), Value::Null);
    assert_eq!(answer["serverInfo"]["name"], "cql");
    let capabilities = &answer["capabilities"];
    assert_eq!(capabilities["positionEncoding"], "utf-16");
    assert_eq!(capabilities["textDocumentSync"]["change"], 2);
    assert_eq!(editor.ask("shutdown", Value::Null), Value::Null);
    let error = editor.refused("textDocument/hover", at(0, 0));
    assert_eq!(error["code"], -32600);
    editor.tell("exit", Value::Null);
    let status = editor.child.wait().expect("it ends");
    assert!(status.success(), "{status}");

    let mut editor = Editor::with("cql() mate");
    editor.input = None;
    let status = editor.child.wait().expect("it ends");
    assert!(status.success(), "{status}");
}

#[test]
fn nothing_is_answered_before_the_introduction() {
    let mut editor = Editor::silent();
    let error = editor.refused("textDocument/hover", at(0, 0));
    assert_eq!(error["code"], -32002);
    editor.tell("exit", Value::Null);
    assert!(editor.child.wait().expect("it ends").success());

    let mut editor = Editor::silent();
    let input = editor.input.as_mut().expect("the server listens");
    input.write_all(b"\r\n").expect("written");
    assert_eq!(editor.read()["error"]["code"], -32600);
    editor.tell("exit", Value::Null);
    assert!(editor.child.wait().expect("it ends").success());
}

#[test]
fn faults_are_told() {
    let mut editor = Editor::with("cql()\nmaet\n");
    let faults = editor.faults(1);
    assert_eq!(faults.len(), 1);
    let fault = &faults[0];
    assert_eq!(fault["code"], "E0201");
    assert_eq!(fault["severity"], 1);
    assert_eq!(fault["source"], "cql");
    assert_eq!(fault["range"], range((1, 0), (1, 4)));
    let message = fault["message"].as_str().expect("a text");
    assert!(message.contains("unknown name `maet`\nhelp: "), "{message}");

    editor.change(2, json!([{ "range": range((1, 0), (1, 4)), "text": "mate\nx = 3" }]));
    let faults = editor.faults(2);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!(faults[0]["severity"], 2);
    assert_eq!(faults[0]["tags"], json!([1]));

    editor.change(3, json!([{ "text": "cql() function f(x) {R|x} f(3)" }]));
    let faults = editor.faults(3);
    let related = &faults[0]["relatedInformation"][0];
    assert_eq!(related["location"]["range"], range((0, 26), (0, 30)));

    editor.tell("textDocument/didClose", json!({ "textDocument": { "uri": QUERY } }));
    let told = editor.read();
    assert_eq!(told["params"], json!({ "uri": QUERY, "diagnostics": [] }));
}

#[test]
fn changes_count_as_the_client_does() {
    // A king takes three bytes and one unit, a face four and two.
    for (encodings, start) in [(json!(["utf-16"]), 9), (json!(["utf-8", "utf-16"]), 13)] {
        let capabilities = json!({ "general": { "positionEncodings": encodings } });
        let (mut editor, answer) = Editor::started(capabilities, Value::Null);
        let expected = if start == 9 { "utf-16" } else { "utf-8" };
        assert_eq!(answer["capabilities"]["positionEncoding"], expected);
        editor.open("cql()\n♔ /*😀*/ maet");
        assert_eq!(editor.faults(1)[0]["range"], range((1, start), (1, start + 4)));
        // Two changes; the second refers to the text after the first.
        editor.change(
            2,
            json!([
                { "range": range((1, start), (1, start + 4)), "text": "chekc" },
                { "range": range((1, start + 3), (1, start + 5)), "text": "ck" },
            ]),
        );
        assert_eq!(editor.faults(2), [json!(null); 0]);
    }
}

#[test]
fn words_are_proposed() {
    let mut editor = Editor::with("cql()\nx = 3\npower pas");
    let answer = editor.ask_at("completion", 2, 9);
    let items = answer["items"].as_array().expect("a list");
    let item = |label: &str| items.iter().find(|item| item["label"] == label);
    let pawns = item("passedpawns").expect("a word");
    assert_eq!(pawns["detail"], "a set of squares");
    assert_eq!(pawns["documentation"], "passed pawns");
    assert_eq!(
        pawns["textEdit"],
        json!({ "range": range((2, 6), (2, 9)), "newText": "passedpawns" })
    );
    let between = item("between").expect("a word");
    assert_eq!(between["textEdit"]["newText"], "between(${1:A} ${2:A})");
    assert_eq!(between["insertTextFormat"], 2);
    assert_eq!(item("x"), None, "a number");

    // A client without snippets gets plain words.
    let (mut editor, _) = Editor::started(json!({}), Value::Null);
    editor.open("cql() power ");
    let answer = editor.ask_at("completion", 0, 12);
    let items = answer["items"].as_array().expect("a list");
    let between = items.iter().find(|item| item["label"] == "between");
    assert_eq!(between.expect("a word")["textEdit"]["newText"], "between");
}

#[test]
fn what_a_word_asks_for_is_proposed() {
    let labels = |text: &str, character: usize| -> Vec<(String, Value)> {
        let mut editor = Editor::with(text);
        let answer = editor.ask_at("completion", 0, character as u32);
        let items = answer["items"].as_array().expect("a list").iter();
        let item = |item: &Value| {
            let label = item["label"].as_str().expect("a label");
            (label.to_owned(), item["textEdit"].clone())
        };
        items.map(item).collect()
    };
    let check = |text: &str, expected: &[&str]| {
        let found = labels(text, text.len());
        for label in expected {
            let is_there = found.iter().any(|(found, _)| found == label);
            assert!(is_there, "{text}: no {label} in {found:?}");
        }
    };
    check("cql(", &["input", "gamenumber", "result", "sort matchcount"]);
    check("cql() result ", &["1-0", "0-1", "1/2-1/2"]);
    check("cql() currentmove ", &["--", "--(o-o)"]);
    check("cql() piece ", &["x in A {check}"]);
    check("cql() square x in A {power ", &["x"]);
    check("cql() dictionary ", &["D"]);
    let found = labels("cql() result 1/2 mate", 16);
    let (_, edit) = found.iter().find(|(label, _)| label == "1/2-1/2").expect("it");
    let expected = json!({ "range": range((0, 13), (0, 16)), "newText": "1/2-1/2" });
    assert_eq!(*edit, expected);
}

#[test]
fn faults_are_told_without_a_header_and_with_a_brace_too_few() {
    let codes = |text: &str| -> Vec<String> {
        let faults = Editor::with(text).faults(1);
        let code = |fault: &Value| fault["code"].as_str().unwrap_or_default().to_owned();
        faults.iter().map(code).collect()
    };
    assert_eq!(codes("wtm && btm stalmate"), ["E0501", "E0102", "E0201"]);
    assert_eq!(codes("cql() flip {wtm stalmate"), ["E0017", "E0201"]);
}

#[test]
fn places_are_explained() {
    let mut editor = Editor::with("cql()\npower A > 3");
    let hover = editor.ask_at("hover", 1, 2);
    assert_eq!(hover["range"], range((1, 0), (1, 5)));
    let text = hover["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("the value in pawns of S"), "{text}");
    assert_eq!(editor.ask_at("hover", 9, 9), Value::Null);

    editor.change(2, json!([{ "text": "cql() distance(parent " }]));
    let help = editor.ask_at("signatureHelp", 0, 22);
    assert_eq!(help["activeParameter"], 1);
    let signature = &help["signatures"][0];
    assert_eq!(signature["documentation"], "the number of moves between S and T");
    assert_eq!(signature["parameters"].as_array().map(Vec::len), Some(2));
    assert_eq!(editor.ask_at("signatureHelp", 0, 5), Value::Null);
}

#[test]
fn names_are_found_and_changed() {
    let mut editor = Editor::with("cql()\nx = 3\nx > 2");
    let location = |start, end| json!({ "uri": QUERY, "range": range(start, end) });
    let (definition, used) = (location((1, 0), (1, 1)), location((2, 0), (2, 1)));
    assert_eq!(editor.ask_at("definition", 2, 0), definition);
    assert_eq!(editor.ask_at("definition", 0, 0), Value::Null);
    let mut params = at(2, 1);
    params["context"] = json!({ "includeDeclaration": true });
    let found = editor.ask("textDocument/references", params.clone());
    assert_eq!(found, json!([definition, used]));
    params["context"] = json!({ "includeDeclaration": false });
    let found = editor.ask("textDocument/references", params);
    assert_eq!(found, json!([used]));
    let highlights = editor.ask_at("documentHighlight", 1, 0);
    assert_eq!(
        highlights,
        json!([
            { "range": range((1, 0), (1, 1)), "kind": 3 },
            { "range": range((2, 0), (2, 1)), "kind": 2 },
        ])
    );
    let prepared = editor.ask_at("prepareRename", 2, 0);
    assert_eq!(prepared, json!({ "range": range((2, 0), (2, 1)), "placeholder": "x" }));
    assert_eq!(editor.ask_at("prepareRename", 0, 0), Value::Null);
    let mut params = at(2, 0);
    params["newName"] = json!("n_1");
    let edits = editor.ask("textDocument/rename", params.clone());
    assert_eq!(
        edits["changes"][QUERY],
        json!([
            { "range": range((1, 0), (1, 1)), "newText": "n_1" },
            { "range": range((2, 0), (2, 1)), "newText": "n_1" },
        ])
    );
    params["newName"] = json!("mate");
    let error = editor.refused("textDocument/rename", params);
    assert_eq!(error["code"], -32803);
    let message = error["message"].as_str().expect("a text");
    assert!(message.contains("neither reserved"), "{message}");
}

#[test]
fn a_text_has_parts() {
    let text = "cql()\nfunction f(x) {\n  x\n}\n// a\n// ♔\nsort \"k\" f(1)";
    let mut editor = Editor::with(text);
    let symbols = editor.ask_all("documentSymbol");
    let names: Vec<&str> = symbols
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|symbol| symbol["name"].as_str())
        .collect();
    assert_eq!(names, ["cql", "f", "k"]);
    assert_eq!(symbols[1]["range"], range((1, 0), (3, 1)));
    assert_eq!(symbols[1]["selectionRange"], range((1, 9), (1, 10)));
    assert_eq!(
        editor.ask_all("foldingRange"),
        json!([
            { "startLine": 1, "endLine": 2 },
            { "startLine": 4, "endLine": 5, "kind": "comment" },
        ])
    );
    assert_eq!(
        editor.ask_all("inlayHint"),
        json!([{ "position": { "line": 1, "character": 12 }, "label": ": number", "kind": 1 }])
    );
    let data = editor.ask_all("semanticTokens/full")["data"].clone();
    let data: Vec<u64> = serde_json::from_value(data).expect("numbers");
    // `cql`; `function` one line below; `f`, which is defined there.
    assert_eq!(data[..15], [0, 0, 3, 1, 0, 1, 0, 8, 1, 0, 0, 9, 1, 3, 1]);
    let lines: u64 = data.chunks(5).map(|token| token[0]).sum();
    assert_eq!(lines, 6);
    // `// ♔` has four characters.
    assert!(data.chunks(5).any(|token| token == [1, 0, 4, 0, 0]), "{data:?}");

    let (mut editor, _) = Editor::started(json!({}), Value::Null);
    editor.open(text);
    let symbols = editor.ask_all("documentSymbol");
    assert_eq!(symbols[1]["location"]["range"], range((1, 0), (3, 1)));
}

#[test]
fn a_comment_of_several_lines_is_colored_line_by_line() {
    let mut editor = Editor::with("cql() /* a\nbc */ mate");
    let data = editor.ask_all("semanticTokens/full")["data"].clone();
    assert_eq!(data, json!([0, 0, 3, 1, 0, 0, 6, 4, 0, 0, 1, 0, 5, 0, 0, 0, 6, 4, 1, 0]));
}

#[test]
fn a_part_of_a_changed_text_is_colored() {
    let mut editor = Editor::with("cql()\nmate\nbtm\n");
    let all = editor.ask_all("semanticTokens/full");
    assert_eq!(all, json!({ "data": [0, 0, 3, 1, 0, 1, 0, 4, 1, 0, 1, 0, 3, 1, 0] }));
    editor.change(2, json!([{ "range": range((1, 0), (1, 4)), "text": "check" }]));
    let params = json!({ "textDocument": { "uri": QUERY }, "range": range((1, 0), (2, 0)) });
    let part = editor.ask("textDocument/semanticTokens/range", params);
    assert_eq!(part, json!({ "data": [1, 0, 5, 1, 0] }));
}

#[test]
fn the_likeliest_of_many_words_are_proposed() {
    let mut text = String::from("cql()\n");
    for n in 0..1200 {
        text += &format!("x{n} = {n}\n");
    }
    text += "mate x119";
    let mut editor = Editor::with(&text);
    let found = editor.ask_at("completion", 1201, 9);
    assert_eq!(found["isIncomplete"], true);
    let items = found["items"].as_array().expect("a list");
    assert_eq!(items.len(), 1000);
    for expected in ["x119", "x1199", "check"] {
        assert!(items.iter().any(|item| item["label"] == expected));
    }
    // The many warnings also wait to be read.
    assert!(!editor.faults(1).is_empty());
}

#[test]
fn texts_are_laid_out() {
    let mut editor = Editor::with("cql()\nmate   btm\n");
    assert_eq!(
        editor.ask_all("formatting"),
        json!([{ "range": range((1, 0), (2, 0)), "newText": "mate\nbtm\n" }])
    );
    editor.change(2, json!([{ "text": "cql() maet" }]));
    assert_eq!(editor.ask_all("formatting"), json!([]));
}

#[test]
fn faults_are_mended() {
    let mut editor = Editor::with("cql()\nmaet\nR--k");
    let actions = editor.ask_all("codeAction");
    let actions = actions.as_array().expect("a list");
    let quick = &actions[0];
    assert_eq!(quick["kind"], "quickfix");
    assert_eq!(quick["diagnostics"][0]["code"], "E0201");
    assert_eq!(
        quick["edit"]["changes"][QUERY],
        json!([{ "range": range((1, 0), (1, 4)), "newText": "mate" }])
    );
    let unicode = actions.iter().find(|action| action["title"] == "Write in Unicode");
    assert_eq!(unicode.expect("an action")["kind"], "refactor.rewrite");

    let params = json!({
        "textDocument": { "uri": QUERY },
        "range": range((0, 0), (9, 0)),
        "context": { "diagnostics": [], "only": ["refactor"] },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let mut kinds = actions.as_array().expect("a list").iter().map(|action| &action["kind"]);
    assert!(kinds.all(|kind| kind == "refactor.rewrite"), "{actions}");

    // An automatic request returns quick fixes only.
    assert_eq!(editor.faults(1)[0]["code"], "E0201");
    let params = json!({
        "textDocument": { "uri": QUERY },
        "range": range((0, 0), (9, 0)),
        "context": { "diagnostics": [], "triggerKind": 2 },
    });
    let actions = editor.ask("textDocument/codeAction", params);
    let actions = actions.as_array().expect("a list");
    assert!(actions.iter().all(|action| action["kind"] == "quickfix"));
    assert_eq!(actions.len(), 1);
}

#[test]
fn a_query_is_explained_as_a_whole() {
    let mut editor = Editor::with("cql()\nmate btm");
    let command = json!({ "command": "cql.explain", "arguments": [QUERY] });
    let text = editor.ask("workspace/executeCommand", command.clone());
    let text = text.as_str().expect("a text");
    assert!(text.contains("the side to move is mated"), "{text}");
    editor.change(2, json!([{ "text": "cql() maet" }]));
    let error = editor.refused("workspace/executeCommand", command);
    assert_eq!(error["code"], -32803);
    let other = json!({ "command": "cql.other", "arguments": [QUERY] });
    assert_eq!(editor.refused("workspace/executeCommand", other)["code"], -32602);
}

#[test]
fn settings_count() {
    let settings = json!({ "warnDeprecated": true, "dialect": "cql6" });
    let (mut editor, _) = Editor::started(json!({}), settings);
    editor.open("cql() flipdihedral {Ka1}");
    let faults = editor.faults(1);
    assert_eq!(faults[0]["code"], "W0601");
    assert_eq!(faults[0]["tags"], json!([2]));
    let settings = json!({ "settings": { "cql": { "dialect": "auto" } } });
    editor.tell("workspace/didChangeConfiguration", settings);
    assert_eq!(editor.faults(1), [json!(null); 0]);
}

#[test]
fn what_is_not_understood_is_refused() {
    let mut editor = Editor::with("cql() mate");
    assert_eq!(editor.refused("textDocument/zork", at(0, 0))["code"], -32601);
    assert_eq!(editor.refused("zork", json!({}))["code"], -32601);
    let elsewhere = json!({ "textDocument": { "uri": "file:///none" }, "position": {} });
    assert_eq!(editor.refused("textDocument/hover", elsewhere)["code"], -32602);
    let nowhere = json!({ "textDocument": { "uri": QUERY } });
    for request in ["hover", "completion", "codeAction", "rename"] {
        let error = editor.refused(&format!("textDocument/{request}"), nowhere.clone());
        assert_eq!(error["code"], -32602, "{request}");
    }
    editor.tell("zork", json!({}));
    editor.tell("textDocument/didChange", json!({ "textDocument": { "uri": "file:///none" } }));
    assert!(editor.ask_at("hover", 9, 9).is_object());
    assert_eq!(editor.faults(1), [json!(null); 0]);
}

#[test]
fn what_is_no_message_does_not_end_the_server() {
    let mut editor = Editor::silent();
    for (bytes, code) in [
        (&b"Content-Length: 8\r\n\r\nnot JSON"[..], -32700),
        (b"Content-Length: 4\r\n\r\n\"\xff\xfe\"", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
        (b"Content-Length: 99999999999\r\n\r\n{}\r\n", -32600),
    ] {
        let input = editor.input.as_mut().expect("the server listens");
        input.write_all(bytes).expect("written");
        let answer = editor.read();
        assert_eq!(answer["error"]["code"], code, "{answer}");
        assert_eq!(answer["id"], Value::Null, "{answer}");
    }
    // the same errors after `initialize`; an unpaired surrogate counts as one character
    editor.ask("initialize", json!({ "capabilities": {} }));
    editor.open("cql()\nmate");
    for (body, code) in [("{", -32700), ("{\"id\":7}", -32600)] {
        let input = editor.input.as_mut().expect("the server listens");
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("written");
        loop {
            let answer = editor.read();
            if answer.get("error").is_some() {
                assert_eq!(answer["error"]["code"], code, "{answer}");
                break;
            }
        }
    }
    let change = json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": { "uri": QUERY, "version": 2 },
        "contentChanges": [{ "text": "cql()\nmate // \u{fffd}" }],
    }});
    let change = change.to_string().replace('\u{fffd}', r"\ud83d");
    let input = editor.input.as_mut().expect("the server listens");
    write!(input, "Content-Length: {}\r\n\r\n{change}", change.len()).expect("written");
    assert_eq!(editor.faults(2), [Value::Null; 0]);
    let hover = editor.ask_at("hover", 1, 1);
    assert!(hover.to_string().contains("mate"), "{hover}");
}

#[test]
fn what_is_taken_back_is_not_answered() {
    let mut editor = Editor::with("cql() mate");
    // The request is canceled while the server answers the first ones.
    let id = editor.n_requests + 50;
    let requests = (editor.n_requests + 1..=id).map(|id| {
        json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/completion", "params": at(0, 6) })
    });
    let mut messages: Vec<Value> = requests.collect();
    messages.push(json!({ "jsonrpc": "2.0", "method": "$/cancelRequest", "params": { "id": id } }));
    editor.write_together(&messages);
    let response = editor.response(id);
    assert_eq!(response["error"]["code"], -32800);
}

/// Many changes in a row are not analyzed one by one.
#[test]
fn typing_does_not_wait_for_faults() {
    let mut editor = Editor::with("cql()\n");
    let n_changes = 300;
    let changes: Vec<Value> = (0..n_changes)
        .map(|n| {
            let document = json!({ "uri": QUERY, "version": n + 2 });
            let change = json!({ "range": range((1, n), (1, n)), "text": "x" });
            let params = json!({ "textDocument": document, "contentChanges": [change] });
            json!({ "jsonrpc": "2.0", "method": "textDocument/didChange", "params": params })
        })
        .collect();
    editor.write_together(&changes);
    let last = u64::from(n_changes) + 1;
    assert_eq!(editor.faults(last)[0]["code"], "E0201");
    assert!(editor.told.len() < n_changes as usize / 2, "{}", editor.told.len());
}

/// The server ends even if the client closes the input, but keeps running without reading.
#[test]
fn the_server_ends_where_nobody_reads() {
    let text = "check R attacks k\n".repeat(1000);
    let mut editor = Editor::with(&text);
    let params = json!({ "textDocument": { "uri": QUERY } });
    for _ in 0..20 {
        editor.send_request("textDocument/semanticTokens/full", params.clone());
    }
    editor.input = None;
    for _ in 0..600 {
        if let Some(status) = editor.child.try_wait().expect("a status") {
            assert!(status.success());
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    let _ = editor.child.kill();
    panic!("the server waits for ever");
}

/// Neovim itself as the client, if it is installed as `nvim` or named by `NVIM_PROGRAM`.
#[test]
fn neovim_understands_the_answers() {
    let neovim = std::env::var_os("NVIM_PROGRAM").unwrap_or_else(|| "nvim".into());
    let version = Command::new(&neovim).arg("--version").output();
    if !version.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no Neovim");
        return;
    }
    let place = tempfile::tempdir().expect("a directory");
    let query = "cql()\nx = 3\nx > 2\npower   A > 3\nmaet // ♔\n";
    std::fs::write(place.path().join("query.cql"), query).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/neovim.lua");
    let output = Command::new(&neovim)
        .args(["--headless", "-u", "NONE", "-n", "-i", "NONE", "-c"])
        .arg(format!("luafile {script}"))
        .current_dir(place.path())
        .env("CQL", env!("CARGO_BIN_EXE_cql"))
        .stdin(Stdio::null())
        .output()
        .expect("Neovim runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let said: Vec<&str> = said.lines().collect();
    let expected = [
        "fault 4:0 unknown name `maet`",
        "proposed true false",
        "hover `power A`: a number",
        "definition 1:0",
        "action did you mean `mate`?",
        "| cql()",
        "| number_ = 3",
        "| number_ > 2",
        "| power A > 3",
        "| mate // ♔",
    ];
    assert_eq!(said, expected, "{}", String::from_utf8_lossy(&output.stderr));
}
