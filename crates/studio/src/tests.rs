//! Tests the server over a socket, with a minimal client.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};

use flow::Cancel;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::{ServerOptions, serve};

/// Server with games of its own.
struct Studio {
    port: u16,
    token: String,
    door: PathBuf,
    folder: TempDir,
    cancel: Cancel,
    thread: Option<JoinHandle<()>>,
}

const GAMES: &str = "[White \"Fool\"]\n[Black \"Sch\\\"olar\"]\n[WhiteElo \"1200\"]\n[Result \"0-1\"]\n\n\
    1. f3 e5 2. g4 {[%clk 0:01:00] oh} Qh4# 0-1\n\n\
    [White \"Quiet\"]\n[Date \"1999.01.01\"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *\n\n\
    [White \"Third\"]\n\n1. f4 e6 2. g4 Qh4# 0-1\n";

/// The same games as another file.
fn other(n: usize) -> String {
    GAMES.to_owned() + &"\n".repeat(n)
}

impl Studio {
    fn start(games: &str) -> Studio {
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("games.pgn");
        fs::write(&file, games).expect("written");
        Studio::with(folder, vec![file])
    }

    fn with(folder: TempDir, games: Vec<PathBuf>) -> Studio {
        let kept = folder.path().join("kept");
        Studio::with_kept(folder, games, kept)
    }

    fn with_engine(engine: Option<std::sync::Arc<dyn crate::Analyst>>) -> Studio {
        let folder = TempDir::new().expect("a folder");
        Studio::with_options(folder, ServerOptions { engine, ..ServerOptions::default() })
    }

    fn with_kept(folder: TempDir, games: Vec<PathBuf>, kept: PathBuf) -> Studio {
        Studio::with_options(
            folder,
            ServerOptions { games, keep_in: Some(kept), ..ServerOptions::default() },
        )
    }

    fn with_options(folder: TempDir, options: ServerOptions) -> Studio {
        let cancel = Cancel::default();
        let options = ServerOptions { threads: 2, has_door: true, ..options };
        let (sender, receiver) = mpsc::channel();
        let handle = cancel.clone();
        let thread = thread::spawn(move || {
            let ready =
                |ready: &crate::BoundServer| sender.send(ready.clone()).expect("a listener");
            serve(options, &handle, ready).expect("a server");
        });
        let ready = receiver.recv().expect("it is ready");
        let (address, token) = ready.link.split_once("/#token=").expect("a token");
        let port = address.rsplit_once(':').expect("a port").1;
        let door = ready.door.expect("a door");
        let text = fs::read_to_string(&door).expect("a door");
        assert!(text.contains(&ready.link), "{text}");
        Studio {
            port: port.parse().expect("a number"),
            token: token.to_owned(),
            door,
            folder,
            cancel,
            thread: Some(thread),
        }
    }

    /// Returns status, head and body of a response.
    fn raw(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> (u16, String, Vec<u8>) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("a server");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nconnection: close\r\n\
             content-length: {}\r\n{headers}\r\n",
            self.port,
            body.len()
        );
        stream.write_all(head.as_bytes()).expect("sent");
        stream.write_all(body).expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
        let (head, body) = answer.split_at(end.expect("a head") + 4);
        let head = String::from_utf8_lossy(head).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
        let body = if head.contains("transfer-encoding: chunked") {
            unchunked(body)
        } else {
            body.to_vec()
        };
        (status.expect("a status"), head, body)
    }

    fn ask(&self, method: &str, path: &str, body: &Value) -> (u16, Value) {
        let headers = format!("x-studio-token: {}\r\n", self.token);
        let (status, _, answer) = self.raw(method, path, &headers, body.to_string().as_bytes());
        (status, serde_json::from_slice(&answer).expect("JSON"))
    }

    fn lines(&self, path: &str, body: &Value) -> Vec<Value> {
        let headers = format!("x-studio-token: {}\r\n", self.token);
        let (status, _, answer) = self.raw("POST", path, &headers, body.to_string().as_bytes());
        assert_eq!(status, 200, "{}", String::from_utf8_lossy(&answer));
        let answer = String::from_utf8(answer).expect("text");
        let lines = answer.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        // The progress depends on the time, and so does the state of the files.
        let is_told = |line: &Value| line.get("progress").or(line.get("stamp")).is_none();
        lines.filter(is_told).collect()
    }

    /// Returns the end of an answer in lines.
    fn end(&self, path: &str, body: &Value) -> Value {
        let lines = self.lines(path, body);
        let last = lines.last().expect("an end");
        assert!(last.get("end").is_some(), "{last}");
        last["end"].clone()
    }

    /// Returns the state of the files that a search tells.
    fn stamp(&self) -> Value {
        let headers = format!("x-studio-token: {}\r\n", self.token);
        let body = json!({ "query": "mate", "collections": [1] }).to_string();
        let (_, _, answer) = self.raw("POST", "/api/search", &headers, body.as_bytes());
        let answer = String::from_utf8(answer).expect("text");
        let lines = answer.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        let mut stamps = lines.filter_map(|line: Value| line.get("stamp").cloned());
        stamps.next().expect("a state")
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        self.cancel.cancel();
        let thread = self.thread.take().expect("a server");
        assert!(thread.join().is_ok() || thread::panicking());
    }
}

fn unchunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    loop {
        let end = rest.windows(2).position(|two| two == b"\r\n").expect("a size");
        let size = std::str::from_utf8(&rest[..end]).expect("digits");
        let size = usize::from_str_radix(size, 16).expect("a size");
        if size == 0 {
            return body;
        }
        body.extend(&rest[end + 2..end + 2 + size]);
        rest = &rest[end + 4 + size..];
    }
}

#[test]
fn the_page_answers_as_every_front_end() {
    let all: Value = serde_json::from_str(include_str!("../../search/tests/doors.json"))
        .expect("the cases of all front ends");
    let parts = all["games"].as_array().expect("games").iter();
    let games = parts.map(|part| {
        let n = part[0].as_u64().expect("a number");
        part[1].as_str().expect("a text").repeat(n as usize)
    });
    let studio = Studio::start(&games.collect::<String>());
    for case in all["cases"].as_array().expect("cases") {
        // The page has no limits: it shows all games, and puts them in order itself.
        if !case["steps"].is_null() || !case["limit"].is_null() {
            continue;
        }
        let search = json!({ "query": case["query"], "collections": [1] });
        let lines = studio.lines("/api/search", &search);
        let last = lines.last().expect("an end");
        if let Some(error) = case["error"].as_str() {
            let told = last["error"].as_str().unwrap_or_default();
            assert!(told.starts_with(error), "{case}: {lines:?}");
            continue;
        }
        let numbers = |name: &str| {
            let found = lines.iter().filter_map(|line| match name {
                "faults" => line["fault"]["game"].as_u64(),
                _ => line[0].as_u64(),
            });
            let mut found: Vec<u64> = found.collect();
            found.sort_unstable();
            found
        };
        let wanted = |name: &str| {
            let all = case[name].as_array().expect("numbers").iter();
            let mut wanted: Vec<u64> = all.map(|n| n.as_u64().expect("a number")).collect();
            wanted.sort_unstable();
            wanted
        };
        assert_eq!(numbers("matches"), wanted("matches"), "{case}: {lines:?}");
        assert_eq!(numbers("faults"), wanted("faults"), "{case}: {lines:?}");
        assert_eq!(last["end"]["games"], case["games"], "{case}");
    }
}

#[test]
fn nobody_comes_in_without_the_token() {
    let studio = Studio::start(GAMES);
    let (status, head, page) = studio.raw("GET", "/", "", b"");
    assert_eq!(status, 200);
    assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
    assert!(!String::from_utf8_lossy(&page).contains(&studio.token));
    for path in ["/api/state", "/api/workspace", "/api/book/tour/first.md"] {
        let (status, _, body) = studio.raw("GET", path, "", b"");
        assert_eq!(status, 401, "{path}");
        assert!(String::from_utf8_lossy(&body).contains("address"));
    }
    let token = format!("x-studio-token: {}\r\n", studio.token);
    let elsewhere = format!("{token}origin: http://evil.example\r\n");
    let (status, ..) = studio.raw("POST", "/api/search", &elsewhere, b"{}");
    assert_eq!(status, 403);
    let path = "/api/../../../../etc/passwd";
    for path in [path, "//etc/passwd", "/assets/../Cargo.toml", "/download/x"] {
        let (status, ..) = studio.raw("GET", path, &token, b"");
        assert!([400, 404].contains(&status), "{path} {status}");
    }
    let (status, state) = studio.ask("GET", "/api/state", &json!({}));
    assert_eq!((status, &state["collections"][0]["name"]), (200, &json!("games.pgn")));
}

/// Returns the files in a folder and the folder itself, each with its mode.
#[cfg(unix)]
fn modes(folder: &Path) -> Vec<(PathBuf, u32)> {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: PathBuf| {
        let metadata = fs::metadata(&path).expect("there");
        (path, metadata.permissions().mode() & 0o777)
    };
    let entries = fs::read_dir(folder).expect("a folder");
    let files = entries.map(|entry| mode(entry.expect("an entry").path()));
    files.chain([mode(folder.to_owned())]).collect()
}

#[cfg(unix)]
#[test]
fn nobody_else_reads_what_a_studio_has() {
    let studio = Studio::start(GAMES);
    let folder = studio.door.parent().expect("a folder").to_owned();
    let as_another = |command: &str| {
        let output = std::process::Command::new("setpriv")
            .args(["--reuid=65534", "--regid=65534", "--clear-groups", "sh", "-c", command])
            .output();
        match output {
            Ok(output) => String::from_utf8_lossy(&output.stdout).into_owned(),
            Err(_) => String::new(),
        }
    };
    let open = format!("cat {0}/* {0}/*/* {1}; ls {0}", folder.display(), studio.door.display());
    if as_another("id -u").trim() == "65534" {
        assert_eq!(as_another(&open), "");
    } else {
        eprintln!("not tried as another user: this needs root and setpriv");
    }
    let is_private = |(path, mode): &(PathBuf, u32)| {
        assert_eq!(*mode, if path.is_dir() { 0o700 } else { 0o600 }, "{}", path.display());
    };
    modes(&folder).iter().for_each(is_private);
    // The file is removed once the page has authenticated, and not before.
    assert_eq!(studio.raw("GET", "/", "", b"").0, 200);
    assert_eq!(studio.raw("GET", "/api/state", "", b"").0, 401);
    assert!(studio.door.exists());
    assert_eq!(studio.ask("GET", "/api/state", &json!({})).0, 200);
    assert!(!studio.door.exists());

    let headers = format!("x-studio-token: {}\r\nx-studio-name: new.pgn\r\n", studio.token);
    assert_eq!(studio.raw("POST", "/api/collections", &headers, other(1).as_bytes()).0, 200);
    let request =
        json!({ "query": "cql() mate", "values": [], "collections": [1], "format": "pgn" });
    let lines = studio.lines("/api/export", &request);
    assert!(lines.iter().any(|line| line.get("end").is_some()), "{lines:?}");
    let change = json!({ "version": 0, "state": "x" });
    assert_eq!(studio.ask("PUT", "/api/workspace", &change).0, 200);
    let found = modes(&folder);
    // lock, games, export and folder
    assert_eq!(found.len(), 4, "{found:?}");
    found.iter().for_each(is_private);
    let kept = modes(&studio.folder.path().join("kept"));
    assert_eq!(kept.len(), 3, "{kept:?}");
    kept.iter().for_each(is_private);
    if as_another("id -u").trim() == "65534" {
        assert_eq!(as_another(&open), "");
    }
}

#[test]
fn two_studios_do_not_overwrite_each_other() {
    let first = Studio::start(GAMES);
    let place = TempDir::new().expect("a folder");
    let second = Studio::with_kept(place, Vec::new(), first.folder.path().join("kept"));
    let put = |studio: &Studio, version: u64, state: &str| {
        let change = json!({ "version": version, "state": state });
        studio.ask("PUT", "/api/workspace", &change)
    };
    assert_eq!(put(&first, 0, "a"), (200, json!({ "version": 1 })));
    let theirs = (409, json!({ "version": 1, "state": "a" }));
    assert_eq!(put(&second, 0, "b"), theirs);
    assert_eq!(put(&second, 1, "b"), (200, json!({ "version": 2 })));
    let now = json!({ "version": 2, "state": "b" });
    assert_eq!(first.ask("GET", "/api/workspace", &json!({})), (200, now));
}

#[test]
fn games_come_in_lines_and_whole() {
    let studio = Studio::start(GAMES);
    let query = "cql() mate sort \"men\" #[Aa] comment(\"here\")";
    let search = json!({ "query": query, "values": ["power A", "k"], "collections": [1] });
    let lines = studio.lines("/api/search", &search);
    assert_eq!(lines[0]["start"]["sort"], json!(["men"]));
    let input = lines[1]["input"].as_str().expect("a file");
    assert!(input.ends_with("games.pgn"), "{input}");
    let first = json!([
        1,
        1,
        0,
        "Fool",
        "Sch\"olar",
        "",
        "",
        "",
        "",
        1200,
        0,
        2,
        1,
        "here",
        [32],
        [39, "e8"]
    ]);
    assert_eq!(lines[2], first);
    assert_eq!(lines[3][0], 3);
    let end = &lines[4]["end"];
    assert_eq!(
        [&end["games"], &end["matches"], &end["stopped"]],
        [&json!(3), &json!(2), &json!(false)]
    );

    let game = json!({
        "collections": [1], "input": input, "number": 3, "in_input": 3, "offset": lines[3][2],
    });
    let (_, third) = studio.ask("POST", "/api/game", &json!({ "query": query, "game": game }));
    assert_eq!(third["isMatch"], true);
    let whole = &third["game"];
    assert_eq!(whole["tags"][0], json!(["White", "Third"]));
    assert_eq!(whole["matches"][0]["id"], 4);
    assert_eq!(whole["moves"][4]["san"], "Qh4#");
    // The text that is copied has no marks of the query.
    let pgn = third["pgn"].as_str().expect("text");
    assert!(pgn.contains("Qh4#") && !pgn.contains("CQL}"), "{third}");

    // A game that does not match is shown, too.
    let (_, other) =
        studio.ask("POST", "/api/game", &json!({ "query": "cql() R == 3", "game": game }));
    assert_eq!((&other["isMatch"], &other["game"]["matches"]), (&json!(false), &json!([])));
    let moved = json!({
        "collections": [1], "input": input, "number": 9, "in_input": 9, "offset": 99_999,
    });
    let (status, error) = studio.ask("POST", "/api/game", &json!({ "game": moved }));
    assert_eq!(status, 404, "{error}");
    assert!(error["error"].as_str().is_some_and(|why| why.contains("has moved")), "{error}");
    let secret = json!({
        "collections": [1], "input": "/etc/passwd", "number": 1, "in_input": 1, "offset": 0,
    });
    let (status, error) = studio.ask("POST", "/api/game", &json!({ "game": secret }));
    assert_eq!(status, 404, "{error}");
    assert!(error["error"].as_str().is_some_and(|why| why.contains("no longer there")), "{error}");
}

#[test]
fn every_game_is_found_where_nothing_is_asked() {
    let studio = Studio::start(GAMES);
    let lines = studio.lines("/api/search", &json!({ "query": " ", "collections": [1] }));
    let numbers: Vec<&Value> = lines.iter().filter_map(|line| line.get(0)).collect();
    assert_eq!(numbers, [1, 2, 3]);
}

#[test]
fn a_query_may_not_touch_files() {
    let studio = Studio::start(GAMES);
    let target = studio.folder.path().join("stolen");
    let write = format!("cql() writefile(\"{}\" \"x\")", target.display());
    let lines = studio.lines("/api/search", &json!({ "query": write, "collections": [1] }));
    assert!(!target.exists());
    assert!(lines.iter().any(|line| line.get("fault").is_some()), "{lines:?}");
    let read = "cql() similarposition \"/etc/passwd.pgn\"";
    let lines = studio.lines("/api/search", &json!({ "query": read, "collections": [1] }));
    assert!(lines[0]["error"].as_str().expect("refused").contains("may not read"));
}

#[test]
fn what_is_wrong_is_said() {
    let studio = Studio::start(GAMES);
    let lines = studio.lines("/api/search", &json!({ "query": "cql()\nmaet", "collections": [1] }));
    assert!(lines[0]["error"].as_str().expect("an error").starts_with("line 2: "));
    let (status, _) = studio.ask("POST", "/api/search", &json!({ "collections": [7] }));
    assert_eq!(status, 404);
    let (status, _) = studio.ask("POST", "/api/search", &json!({ "collections": [] }));
    assert_eq!(status, 400);
    for (path, body) in
        [("/api/ask", json!({ "what": "x", "text": "" })), ("/api/find", json!({ "word": "x" }))]
    {
        let (status, _) = studio.ask("POST", path, &body);
        assert_eq!(status, 400);
    }
    let (status, found) = studio.ask("POST", "/api/find", &json!({ "words": "fork" }));
    assert_eq!((status, &found["ideas"][0]["title"]), (200, &json!("Knight fork")));
    fs::remove_file(studio.folder.path().join("games.pgn")).expect("removed");
    let lines = studio.lines("/api/search", &json!({ "query": "cql() mate", "collections": [1] }));
    let last = lines.last().expect("a line");
    assert!(last["error"].as_str().expect("an error").contains("games.pgn"), "{last}");
}

#[test]
fn a_search_ends_when_the_page_goes() {
    // A query that is slow in each of many games, and one that is slow in a single game.
    let game = "[White \"a\"]\n\n1. e4 *\n\n";
    for (n, rounds) in [(100_000, 20_000), (1, 2_000_000_000)] {
        let query = format!("cql() x = 0 loop {{ x += 1 x < {rounds} }} false");
        check_end_of_search(&game.repeat(n), &query);
    }
}

/// Checks that a search for which a page goes away ends.
fn check_end_of_search(games: &str, query: &str) {
    let studio = Studio::start(games);
    let body = json!({ "query": query, "collections": [1] }).to_string();
    let mut stream = TcpStream::connect(("127.0.0.1", studio.port)).expect("a server");
    let head = format!(
        "POST /api/search HTTP/1.1\r\nhost: 127.0.0.1:{}\r\nx-studio-token: {}\r\ncontent-length: {}\r\n\r\n{body}",
        studio.port,
        studio.token,
        body.len()
    );
    stream.write_all(head.as_bytes()).expect("sent");
    let mut begun = [0; 512];
    assert!(stream.read(&mut begun).expect("an answer") > 0);
    let running = || studio.ask("GET", "/api/state", &json!({})).1["running"].clone();
    assert_eq!(running(), 1);
    drop(stream);
    // Without the cancellation, the search would take much longer.
    let left = std::time::Instant::now();
    while running() != 0 {
        assert!(left.elapsed().as_secs() < 5, "it goes on");
        thread::sleep(std::time::Duration::from_millis(5));
    }
}

#[test]
fn near_names_are_proposed_where_nothing_is_found() {
    let studio = Studio::start(GAMES);
    let near = |query: &str| {
        let lines = studio.lines("/api/search", &json!({ "query": query, "collections": [1] }));
        lines.last().expect("an end")["end"]["near"].clone()
    };
    let found = near("cql() player \"Quite\" mate");
    let line = found[0].as_str().expect("a line");
    assert!(line.ends_with("did you mean \"Quiet\" (1 game)?"), "{line}");
    assert_eq!(near("cql() player \"Quiet\" mate"), json!([]));
    assert_eq!(near("cql() mate"), json!([]));
}

#[test]
fn files_are_dropped_and_taken_away() {
    let studio = Studio::start(GAMES);
    let headers = format!("x-studio-token: {}\r\nx-studio-name: new%20games.pgn\r\n", studio.token);
    let (status, _, _) = studio.raw("POST", "/api/collections", &headers, other(1).as_bytes());
    assert_eq!(status, 200);
    // The same games are not searched twice.
    for (id, text) in [(1, GAMES.to_owned()), (2, other(1))] {
        let (_, _, answer) = studio.raw("POST", "/api/collections", &headers, text.as_bytes());
        let answer: Value = serde_json::from_slice(&answer).expect("JSON");
        assert_eq!((&answer["id"], &answer["isThere"]), (&json!(id), &json!(true)));
        assert_eq!(answer["collections"].as_array().map(Vec::len), Some(2));
    }
    let (_, state) = studio.ask("GET", "/api/state", &json!({}));
    let added = &state["collections"][1];
    assert_eq!((&added["name"], &added["kind"]), (&json!("new games.pgn"), &json!("dropped")));
    let both = json!({ "query": "cql() mate", "collections": [1, 2] });
    let lines = studio.lines("/api/search", &both);
    assert_eq!(lines.last().expect("an end")["end"]["matches"], 4);
    let (status, _) = studio.ask("DELETE", "/api/collections/1", &json!({}));
    assert_eq!(status, 404);
    let (status, left) = studio.ask("DELETE", "/api/collections/2", &json!({}));
    assert_eq!((status, left["collections"].as_array().map(Vec::len)), (200, Some(1)));
}

#[test]
fn a_file_of_a_folder_is_not_added_again() {
    let folder = TempDir::new().expect("a folder");
    let inner = folder.path().join("games/inner");
    fs::create_dir_all(&inner).expect("created");
    fs::write(inner.join("mates.pgn"), GAMES).expect("written");
    let pattern = folder.path().join("games/*/m*.pgn");
    for games in [folder.path().join("games"), pattern] {
        let kept = folder.path().join("kept");
        let options =
            ServerOptions { games: vec![games], keep_in: Some(kept), ..ServerOptions::default() };
        let studio = Studio::with_options(TempDir::new().expect("a folder"), options);
        let headers = format!("x-studio-token: {}\r\nx-studio-name: copy.pgn\r\n", studio.token);
        for (text, id, is_there) in [(GAMES.to_owned(), 1, true), (other(1), 2, false)] {
            let (_, _, answer) = studio.raw("POST", "/api/collections", &headers, text.as_bytes());
            let answer: Value = serde_json::from_slice(&answer).expect("JSON");
            assert_eq!((&answer["id"], &answer["isThere"]), (&json!(id), &json!(is_there)));
        }
    }
}

#[test]
fn a_file_without_games_is_refused_by_its_name() {
    let studio = Studio::start(GAMES);
    let add = |name: &str, body: &[u8]| {
        let headers = format!("x-studio-token: {}\r\nx-studio-name: {name}\r\n", studio.token);
        let (status, _, answer) = studio.raw("POST", "/api/collections", &headers, body);
        (status, String::from_utf8(answer).expect("text"))
    };
    for body in [&b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n"[..], &[0; 5000], b""] {
        let (status, answer) = add("book.pdf", body);
        assert_eq!(status, 400, "{answer}");
        assert!(answer.contains("book.pdf was not added: "), "{answer}");
        assert!(!answer.contains("cql-studio-"), "{answer}");
    }
    // Names are no patterns, no folders and no archives.
    let names = ["..%2f..%2fx", "%2a.pgn", "games.cqa", "", "...", "%5ba%5d.pgn"];
    for (n, name) in (1..).zip(names) {
        let (status, answer) = add(name, other(n).as_bytes());
        assert_eq!(status, 200, "{name}: {answer}");
    }
    let (_, state) = studio.ask("GET", "/api/state", &json!({}));
    for collection in &state["collections"].as_array().expect("collections")[1..] {
        let found = json!({ "query": "cql() mate", "collections": [collection["id"]] });
        let lines = studio.lines("/api/search", &found);
        assert_eq!(lines.last().expect("an end")["end"]["matches"], 2, "{collection}");
    }
}

#[test]
fn exported_games_keep_their_letters_and_comments() {
    let studio = Studio::start("[White \"Körner\"]\n\n1. e4 {ä} {ö} e5 *\n");
    let query = "cql() ply == 1 comment(\"ü\")";
    let body = json!({ "query": query, "collections": [1], "format": "pgn", "name": "x" });
    let address = studio.end("/api/export", &body)["address"].clone();
    let (_, _, file) = studio.raw("GET", address.as_str().expect("an address"), "", b"");
    let file = String::from_utf8(file).expect("UTF-8");
    for text in ["Körner", "ä", "ö", "ü"] {
        assert!(file.contains(text), "{file}");
    }
}

#[test]
fn results_become_a_collection() {
    let studio = Studio::start(GAMES);
    let save = json!({
        "query": "cql() mate", "collections": [1], "format": "pgn", "name": "Mates", "limit": 1,
    });
    let lines = studio.lines("/api/save", &save);
    let end = &lines.last().expect("an end")["end"];
    assert_eq!(end["collections"][1]["name"], "Mates.pgn");
    assert_eq!(end["collections"][1]["kind"], "saved");
    let all = json!({ "query": "", "collections": [end["id"]] });
    let lines = studio.lines("/api/search", &all);
    assert_eq!(lines.last().expect("an end")["end"]["games"], 1);
    let wrong = json!({ "query": "cql() maet", "collections": [1], "format": "pgn", "name": "x" });
    let lines = studio.lines("/api/save", &wrong);
    assert!(lines[0]["error"].is_string(), "{lines:?}");
    let (_, state) = studio.ask("GET", "/api/state", &json!({}));
    assert_eq!(state["collections"].as_array().map(Vec::len), Some(2));
}

#[test]
fn moves_of_a_position_are_counted() {
    let studio = Studio::start(GAMES);
    let tree = |position: &str| {
        let lines = studio.lines("/api/tree", &json!({ "position": position, "collections": [1] }));
        lines.last().expect("an end")["end"].clone()
    };
    let start = tree("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let moves: Vec<&Value> =
        start["moves"].as_array().expect("moves").iter().map(|mv| &mv["move"]).collect();
    assert_eq!((&start["games"], moves.len()), (&json!(3), 3));
    assert!(moves.contains(&&json!("f3")), "{moves:?}");
    assert_eq!(tree("e4")["moves"][0]["uci"], "e7e5");
    assert_eq!(tree("8/8/8/8/8/8/8/K1k5 w - - 0 1")["games"], 0);
    // An archive of no use is noted.
    assert_eq!(start["notes"], json!([]));
    studio.lines("/api/collections/1/archive", &json!({}));
    fs::write(studio.folder.path().join("games.pgn"), GAMES.repeat(2)).expect("written");
    let more = tree("");
    assert_eq!(more["games"], 6);
    assert!(more["notes"][0].as_str().is_some_and(|note| note.contains("changed")), "{more}");
    let (status, _) =
        studio.ask("POST", "/api/tree", &json!({ "position": "8/8", "collections": [1] }));
    assert_eq!(status, 400);
}

#[test]
fn an_archive_that_no_search_uses_is_reported() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("list.epd");
    fs::write(&file, "k7/8/8/8/8/8/8/K7 w - - id \"1\";\n").expect("written");
    let studio = Studio::with(folder, vec![file]);
    let end = studio.end("/api/collections/1/archive", &json!({}));
    assert!(end["unused"].as_str().is_some_and(|why| why.contains("one by one")), "{end}");
    let lines = studio.lines("/api/search", &json!({ "query": "K", "collections": [1] }));
    let is_it = |line: &&Value| line["fault"]["input"].to_string().contains("list.cqa");
    let line = lines.iter().find(is_it).unwrap_or_else(|| panic!("{lines:?}"));
    // Another build would change nothing.
    assert_eq!(line["fault"]["mendedByBuild"], false, "{line}");
}

#[test]
fn what_is_asked_about_listed_games_is_about_these() {
    let studio = Studio::start(GAMES);
    let stamp = studio.stamp();
    let on = |games: Value| {
        json!({
            "query": "mate", "collections": [1], "games": games, "stamp": stamp, "format": "csv",
            "name": "found", "per_game": true, "columns": ["white"], "position": "",
        })
    };
    // The first and the third game have a mate.
    let [both, last, none] = [json!([1, 2]), json!([3]), json!([2])];
    for (games, mates, n) in [(&both, 2, 2), (&last, 1, 1), (&none, 0, 1), (&json!([]), 0, 0)] {
        let body = on(games.clone());
        let address = studio.end("/api/export", &body)["address"].clone();
        let (_, _, file) = studio.raw("GET", address.as_str().expect("an address"), "", b"");
        let n_lines = String::from_utf8_lossy(&file).lines().count();
        assert_eq!(n_lines, mates + 1, "{games}");
        // A report counts only them as searched.
        let mut report = body.clone();
        report["format"] = json!("html");
        let address = studio.end("/api/export", &report)["address"].clone();
        let (_, _, file) = studio.raw("GET", address.as_str().expect("an address"), "", b"");
        let searched =
            if n == 1 { "1 game searched".to_owned() } else { format!("{n} games searched") };
        assert!(String::from_utf8_lossy(&file).contains(&searched), "{games}");
        let rows = studio.end("/api/funnel", &body)["rows"].clone();
        assert_eq!((&rows[0]["games"], &rows[1]["games"]), (&json!(n), &json!(mates)), "{games}");
        assert_eq!(studio.end("/api/tree", &body)["games"], n, "{games}");
        assert_eq!(studio.end("/api/stats", &body)["games"], n, "{games}");
    }
    let saved = studio.end("/api/save", &on(last));
    let all = json!({ "query": "", "collections": [saved["id"]] });
    assert_eq!(studio.end("/api/search", &all)["games"], 1);

    // Numbers of games that have changed mean other games.
    let state = json!({ "collections": [1], "stamp": stamp });
    assert_eq!(studio.ask("POST", "/api/changed", &state).1["changed"], false);
    fs::write(studio.folder.path().join("games.pgn"), GAMES.repeat(2)).expect("written");
    assert_eq!(studio.ask("POST", "/api/changed", &state).1["changed"], true);
    for path in ["/api/export", "/api/funnel", "/api/tree", "/api/stats", "/api/save"] {
        let lines = studio.lines(path, &on(both.clone()));
        let error = lines[0]["error"].as_str().unwrap_or_default();
        assert!(error.contains("changed since the search"), "{path}: {lines:?}");
    }
    assert_ne!(studio.stamp(), stamp);
}

#[test]
fn files_that_left_their_folder_are_named() {
    let folder = TempDir::new().expect("a folder");
    let games = folder.path().join("games");
    fs::create_dir(&games).expect("made");
    for name in ["a.pgn", "b.pgn", "c.pgn"] {
        fs::write(games.join(name), GAMES).expect("written");
    }
    let studio = Studio::with(folder, vec![games.clone()]);
    let stamp = studio.stamp();
    let state = json!({ "collections": [1], "stamp": stamp });
    let changed = |state| studio.ask("POST", "/api/changed", state).1;
    assert_eq!(changed(&state), json!({ "changed": false, "gone": [] }));
    fs::remove_file(games.join("b.pgn")).expect("removed");
    assert_eq!(changed(&state), json!({ "changed": true, "gone": ["b.pgn"] }));
    // The studio refuses questions about these games, and the game.
    let lines = studio.lines("/api/stats", &state);
    let error = lines[0]["error"].as_str().unwrap_or_default();
    assert!(error.contains("no longer there since the search: b.pgn"), "{lines:?}");
    let input = games.join("b.pgn");
    let game =
        json!({ "collections": [1], "input": input, "number": 4, "in_input": 1, "offset": 0 });
    let (_, told) = studio.ask("POST", "/api/game", &json!({ "game": game }));
    assert_eq!(told["error"], "b.pgn is no longer there: it was removed, renamed or moved");
    // Later searches do not make it forgotten at once.
    for n in 0..3 {
        fs::write(games.join("a.pgn"), GAMES.repeat(n + 2)).expect("written");
        assert_ne!(studio.stamp(), stamp);
    }
    assert_eq!(changed(&state)["gone"], json!(["b.pgn"]));
}

#[test]
fn reports_are_made() {
    // A back rank mate in one, by either rook, and the same game again.
    let games = "[White \"Rook, R\"]\n[Black \"King, K\"]\n[Date \"2001.02.03\"]\n[Result \"1-0\"]\n\
        [FEN \"6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ra8# 1-0\n\n";
    let damaged = "[White \"Odd\"]\n\n1. e4 matt e5 *\n\n";
    let studio = Studio::start(&format!("{games}{games}{GAMES}{damaged}"));
    let report = |query: &str, report: Value| {
        let body = json!({ "query": query, "collections": [1], "report": report });
        let lines = studio.lines("/api/report", &body);
        lines.last().expect("an end").clone()
    };
    let made = |query: &str, asked: Value| {
        let made = report(query, asked);
        assert!(made["end"].is_object(), "{made}");
        made["end"].clone()
    };
    let prepare = |player: &str, is_black: bool| {
        json!({
            "kind": "prepare", "player": player, "is_black": is_black, "opening": "", "since": 0,
        })
    };
    let prepared = made("", prepare("fool", false));
    assert_eq!(prepared["games"], 1);
    assert!(
        prepared["texts"]["html"].as_str().is_some_and(|page| page.contains("Fool")),
        "{prepared}"
    );
    let prepared = made("", prepare("Sch\"olar", true));
    assert_eq!(prepared["games"], 1);
    let page = prepared["texts"]["html"].as_str().expect("a page");
    assert!(page.contains("Sch&quot;olar") && !page.contains("Sch\\"), "{page}");
    for (asked, expected) in [
        (prepare("fool", true), "but 1 game as white"),
        (prepare("foul", false), "did you mean"),
        (prepare(" ", false), "name a player, an opening, or both"),
    ] {
        let refused = report("", asked);
        assert!(refused["error"].as_str().is_some_and(|why| why.contains(expected)), "{refused}");
    }
    let mut of_codes = prepare("fool", true);
    of_codes["opening"] = json!("A00-E99");
    let refused = report("", of_codes);
    let said = "in games of A00–E99, no game has 'fool' as black, but 1 game as white";
    assert_eq!(refused["error"], said);

    let puzzles = |theme: &str| json!({ "kind": "puzzles", "mate": 1, "only_mistakes": false, "theme": theme, "limit": 9 });
    let found = made("wtm", puzzles(""));
    assert_eq!((&found["counts"]["exercises"], &found["counts"]["mates"]), (&json!(1), &json!(1)));
    assert_eq!(found["counts"]["refused"]["the position of an earlier exercise"], 1);
    for format in ["pgn", "epd", "csv", "anki.csv", "html"] {
        assert!(found["texts"][format].is_string(), "{format}");
    }
    assert!(found["texts"]["epd"].as_str().is_some_and(|text| text.contains("Ra8#")), "{found}");
    let refused = report("wtm", puzzles("frok"));
    assert!(refused["error"].as_str().is_some_and(|why| why.contains("mean fork?")), "{refused}");

    let sheet = json!({
        "kind": "sheet", "title": "", "is_dense": true, "is_flipped": false, "moves": 1, "limit": 2,
    });
    let laid_out = made("cql() Q", sheet);
    assert_eq!((&laid_out["games"], &laid_out["other"]), (&json!(2), &json!(0)));

    let duplicates = |writes: bool| {
        made("", json!({ "kind": "duplicates", "moves_only": false, "writes": writes }))
    };
    let found = duplicates(false);
    assert_eq!((&found["totals"]["equal"], &found["file"]), (&json!(1), &Value::Null));
    assert_eq!(
        (&found["rows"][0]["game"], &found["rows"][0]["of"]["game"]),
        (&json!(2), &json!(1))
    );
    let fetched = |made: &Value| {
        let address = made["file"]["address"].as_str().expect("an address");
        String::from_utf8(studio.raw("GET", address, "", b"").2).expect("text")
    };
    assert_eq!(fetched(&duplicates(true)).matches("Rook, R").count(), 1);

    let doctor = |writes: bool| made("", json!({ "kind": "doctor", "writes": writes }));
    let examined = doctor(false);
    assert_eq!(examined["sums"]["games"], 6);
    assert_eq!(examined["rows"][0]["game"], 6, "{examined}");
    assert!(fetched(&doctor(true)).contains("Odd"));
}

#[test]
fn a_sheet_of_a_theme_begins_before_its_first_move() {
    let games = "[White \"Fork\"]\n[FEN \"q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1\"]\n\n\
                 1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n";
    let studio = Studio::start(games);
    let sheet = |before: Value| {
        let report = json!({
            "kind": "sheet", "title": "", "is_dense": false, "is_flipped": false, "moves": 1,
            "before": before, "limit": 2,
        });
        let query = "cql() theme(\"fork\")";
        let body = json!({ "query": query, "collections": [1], "report": report });
        let made = studio.end("/api/report", &body);
        let html = made["texts"]["html"].as_str().expect("a page").to_owned();
        (made["before"].clone(), html)
    };
    let (n_before, html) = sheet(Value::Null);
    assert!(n_before == 1 && html.contains("2.Nc7+"), "{html}");
    let (n_before, html) = sheet(json!(0));
    assert!(n_before == 0 && html.contains("2...Kd7") && !html.contains("Nc7"), "{html}");
}

#[test]
fn a_preparation_can_be_about_codes_of_openings() {
    let games = "[White \"Rook, R\"]\n\n1. e4 c5 2. Nf3 d6 *\n\n\
                 [White \"Rook, R\"]\n\n1. d4 d5 2. c4 e6 *\n\n";
    let studio = Studio::start(games);
    let report = |opening: &str| {
        let report = json!({
            "kind": "prepare", "player": "Rook", "is_black": false, "opening": opening, "since": 0,
        });
        let lines = studio.lines("/api/report", &json!({ "collections": [1], "report": report }));
        lines.last().expect("an end").clone()
    };
    for (opening, n) in [("", 2), ("B20-B99", 1), ("B", 1), ("D3 – D69", 1), ("d4", 1), ("B50", 1)]
    {
        let made = report(opening);
        assert_eq!(made["end"]["games"], n, "{opening}: {made}");
    }
    let made = report("B20-B99");
    assert!(made["end"]["texts"]["html"].as_str().is_some_and(|page| page.contains("B20–B99")));
    assert_eq!(report("A00-A99")["error"], "no game has an opening of A00–A99");
    // The openings of one family are divided, those of several are not.
    let openings = |opening: &str| {
        let made = report(opening);
        let facts = made["end"]["texts"]["json"].as_str().expect("facts");
        let facts: Value = serde_json::from_str(facts).expect("JSON");
        let rows = facts["openings"].as_array().expect("rows").iter();
        rows.map(|row| row["opening"].as_str().unwrap_or("-").to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(openings("b20-b99"), ["Sicilian Defense: Modern Variations"]);
    assert_eq!(openings(""), ["Queen's Gambit Declined", "Sicilian Defense"]);
}

#[test]
fn the_loss_of_a_file_ends_no_search_of_others() {
    let folder = TempDir::new().expect("a folder");
    let [here, gone] = ["here.pgn", "gone.pgn"].map(|name| folder.path().join(name));
    for file in [&here, &gone] {
        fs::write(file, GAMES).expect("written");
    }
    let studio = Studio::with(folder, vec![here.clone(), gone.clone()]);
    fs::remove_file(&gone).expect("removed");
    let lines = studio.lines("/api/search", &json!({ "query": "mate", "collections": [1, 2] }));
    let faults: Vec<&Value> = lines.iter().filter_map(|line| line.get("fault")).collect();
    assert!(faults.len() == 1 && faults[0].to_string().contains("gone.pgn"), "{lines:?}");
    let message = faults[0]["message"].as_str().unwrap_or_default();
    assert!(message.starts_with("no longer there: "), "{message}");
    assert_eq!(lines.last().expect("an end")["end"]["matches"], 2);
    for (path, list) in [("/api/stats", "failures"), ("/api/tree", "notes")] {
        let body = json!({ "collections": [1, 2], "position": "" });
        let end = studio.end(path, &body);
        assert_eq!(end["games"], 3, "{path}");
        assert!(end[list].to_string().contains("gone.pgn"), "{path}: {end}");
    }
    let body = json!({ "query": "mate", "collections": [1, 2], "format": "pgn", "name": "x" });
    for path in ["/api/export", "/api/save"] {
        let lines = studio.lines(path, &body);
        let why = lines[0]["error"].as_str().unwrap_or_default();
        assert!(why.contains("gone.pgn") && why.contains("turn its collection off"), "{why}");
    }
    fs::remove_file(&here).expect("removed");
    let lines = studio.lines("/api/search", &json!({ "query": "mate", "collections": [1, 2] }));
    assert_eq!(lines[0]["error"], "here.pgn is no longer there: it was removed, renamed or moved");
    // Without a state, the page learns whether files can be read again.
    let readable = || studio.ask("POST", "/api/changed", &json!({ "collections": [1, 2] })).1;
    assert_eq!(readable()["changed"], false);
    fs::write(&gone, GAMES).expect("written");
    assert_eq!(readable()["changed"], true);
}

#[test]
fn an_export_says_which_games_it_lacks() {
    let folder = TempDir::new().expect("a folder");
    let games = format!("{GAMES}\n[White \"Odd\"]\n[Variant \"Bughouse\"]\n\n1. e4 *\n\n");
    // A file of gzip without its end: a block that is not the last one, with the plain text.
    let n_bytes = u16::try_from(games.len()).expect("few bytes");
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0];
    packed.extend(n_bytes.to_le_bytes());
    packed.extend((!n_bytes).to_le_bytes());
    packed.extend(games.bytes());
    let file = folder.path().join("cut.pgn.gz");
    fs::write(&file, packed).expect("written");
    let studio = Studio::with(folder, vec![file]);
    let body = json!({ "query": "cql() mate", "collections": [1], "format": "pgn", "name": "x" });
    for path in ["/api/export", "/api/save"] {
        let lines = studio.lines(path, &body);
        let faults: Vec<&Value> = lines.iter().filter_map(|line| line.get("fault")).collect();
        let end = &lines.last().expect("an end")["end"];
        assert_eq!((&end["faults"], &end["leftOut"]), (&json!(2), &json!(2)), "{lines:?}");
        assert_eq!((&faults[0]["game"], &faults[0]["searched"]), (&json!(4), &json!(false)));
        let is_cut = |fault: &Value| fault["input"].to_string().contains("cut.pgn.gz");
        assert!(faults.len() == 2 && is_cut(faults[1]) && faults[1].get("game").is_none());
    }
}

#[test]
fn saved_games_are_written_as_they_are_if_that_is_wanted() {
    let studio = Studio::start(GAMES);
    let text = |plain: bool| {
        let body = json!({
            "query": "cql() mate comment(\"here\")", "collections": [1], "format": "pgn",
            "name": "mates", "plain": plain,
        });
        let address = studio.end("/api/export", &body)["address"].clone();
        let (_, _, file) = studio.raw("GET", address.as_str().expect("an address"), "", b"");
        String::from_utf8(file).expect("text")
    };
    assert!(text(false).contains("here"));
    let plain = text(true);
    assert!(plain.contains("Qh4#") && plain.contains("oh"), "{plain}");
    assert!(!plain.contains("here") && !plain.contains("CQL"), "{plain}");
}

#[test]
fn the_doctor_tells_how_far_it_is() {
    let studio = Studio::start(&GAMES.repeat(20_000));
    let headers = format!("x-studio-token: {}\r\n", studio.token);
    let report = json!({ "kind": "doctor", "writes": false });
    let body = json!({ "collections": [1], "report": report }).to_string();
    let (_, _, answer) = studio.raw("POST", "/api/report", &headers, body.as_bytes());
    let answer = String::from_utf8(answer).expect("text");
    let lines = answer.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    let told: Vec<Value> = lines.filter_map(|line: Value| line.get("progress").cloned()).collect();
    let is_share = |told: &Value| {
        let [bytes, size] = ["bytes", "size"].map(|name| told[name].as_u64());
        bytes > Some(0) && bytes <= size
    };
    assert!(told.iter().any(is_share), "{told:?}");
}

#[test]
fn a_report_that_fails_leaves_no_file() {
    // The doctor repairs no positions.
    let folder = TempDir::new().expect("a folder");
    let positions = folder.path().join("positions.epd");
    fs::write(&positions, "8/8/8/8/8/8/8/K1k5 w - -\n").expect("written");
    let studio = Studio::with(folder, vec![positions]);
    // The first request with the token removes the file that leads to the page.
    assert_eq!(studio.ask("GET", "/api/state", &json!({})).0, 200);
    let files = || fs::read_dir(studio.door.parent().expect("a folder")).expect("a folder").count();
    let before = files();
    let report = json!({ "kind": "doctor", "writes": true });
    let lines = studio.lines("/api/report", &json!({ "collections": [1], "report": report }));
    assert!(lines[0]["error"].is_string(), "{lines:?}");
    assert_eq!(files(), before);
}

/// Engine that finds a mate, or has ended.
#[derive(Debug)]
struct Oracle(bool);

impl crate::Analyst for Oracle {
    fn name(&self) -> String {
        "Oracle 1".to_owned()
    }

    fn follow(&self, fen: &str, tell: &mut crate::TellLines<'_>) -> Result<(), String> {
        assert!(fen.contains(" b "), "{fen}");
        let answer = engine::EngineAnswer {
            mate: Some(1),
            pv: Some("d8h4".to_owned()),
            ..engine::EngineAnswer::default()
        };
        assert!(tell(None) && tell(Some((3, &[answer]))));
        if self.0 { Ok(()) } else { Err("the engine ended".to_owned()) }
    }
}

#[test]
fn an_engine_is_asked_if_there_is_one() {
    let mate = json!({ "fen": "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2" });
    let none = Studio::start(GAMES);
    let (status, answer) = none.ask("POST", "/api/engine", &mate);
    assert!(status == 400 && answer.to_string().contains("--engine"), "{answer}");
    for is_alive in [true, false] {
        let studio = Studio::with_engine(Some(std::sync::Arc::new(Oracle(is_alive))));
        assert_eq!(studio.ask("GET", "/api/state", &json!({})).1["engine"], "Oracle 1");
        let lines = studio.lines("/api/engine", &mate);
        let line = json!({ "score": null, "mate": -1, "moves": ["Qh4#"] });
        assert_eq!(lines[0], json!({ "depth": 3, "lines": [line] }));
        let last =
            if is_alive { json!({ "end": {} }) } else { json!({ "error": "the engine ended" }) };
        assert_eq!(lines[1], last);
        for fen in ["x", "8/8/8/8/8/8/8/8 b - - 0 1"] {
            assert_eq!(studio.ask("POST", "/api/engine", &json!({ "fen": fen })).0, 400, "{fen}");
        }
    }
}

#[test]
fn legal_moves_and_passages_are_answered() {
    let studio = Studio::start(GAMES);
    let fen = "7k/P7/8/8/8/8/8/K7 w - - 0 1";
    let (status, answer) = studio.ask("POST", "/api/moves", &json!({ "fen": fen }));
    assert_eq!((status, answer["moves"].as_array().map(Vec::len)), (200, Some(7)));
    let (status, _) = studio.ask("POST", "/api/moves", &json!({ "fen": "x" }));
    assert_eq!(status, 400);
    let passage = json!({ "pgn": "1. f3 e5 2. g4 Qh4# 0-1", "range": "2.-2..." });
    let (status, answer) = studio.ask("POST", "/api/passage", &passage);
    assert_eq!(status, 200, "{answer}");
    let query = answer["examples"][0]["query"].as_str().expect("a query");
    let found = json!({ "query": query, "collections": [1] });
    let lines = studio.lines("/api/search", &found);
    assert_eq!(lines.last().expect("an end")["end"]["matches"], 2, "{query}");
}

#[test]
fn what_is_in_a_collection_is_counted() {
    let studio = Studio::start(GAMES);
    let end = studio.end("/api/stats", &json!({ "collections": [1] }));
    assert_eq!(end["games"], 3);
    // The result at the end of the movetext counts, as in other commands.
    assert_eq!(end["results"], json!([["*", 1], ["0-1", 2]]));
    assert_eq!(end["years"], json!([[1999, 1]]));
    assert_eq!(end["players"][0], json!(["Fool", 1]));
    assert_eq!(end["players"][2], json!(["Sch\"olar", 1]));
}

#[test]
fn conditions_say_where_they_hold() {
    let studio = Studio::start(GAMES);
    let input = studio.folder.path().join("games.pgn");
    let game = json!({
        "collections": [1], "input": input, "number": 1, "in_input": 1, "offset": 0,
    });
    let holds = |query: &str| {
        let funnel = studio.lines("/api/funnel", &json!({ "query": query, "collections": [1] }));
        let rows = funnel[0]["end"]["rows"].as_array().expect("rows");
        let left: Vec<&Value> = rows.iter().map(|row| &row["games"]).collect();
        assert_eq!(left, [3, 3, 3, 2], "{query}");
        let (_, holds) = studio.ask("POST", "/api/holds", &json!({ "query": query, "game": game }));
        let conditions = holds["conditions"].as_array().expect("conditions");
        let ids: Vec<&Value> = conditions.iter().map(|one| &one["ids"]).collect();
        let wtm = json!([0, 2, 4]);
        assert_eq!(ids, [&json!([0, 1, 2, 3, 4]), &wtm, &wtm, &json!([4])], "{query}");
        holds
    };
    let new = holds("cql() wtm power A > 30 mate");
    assert_eq!(new["valued"], json!([1, 2, 3]));
    assert_eq!(new["values"][1], json!([1, [false, 39, false]]));
    for query in
        ["cql() wtm power 31 99 A mate", "(match (position :wtm :power A 31 99 :mate :markall))"]
    {
        assert_eq!(holds(query)["valued"], json!([]), "{query}");
    }
}

#[test]
fn results_are_exported_in_every_format() {
    let studio = Studio::start(GAMES);
    let export = |format: &str, query: &str| {
        let request = json!({
            "query": query, "collections": [1], "format": format, "name": "found",
            "per_game": true,
        });
        let lines = studio.lines("/api/export", &request);
        let end = lines.last().expect("an end")["end"].clone();
        let address = end["address"].as_str().unwrap_or_else(|| panic!("{lines:?}"));
        let (status, head, file) = studio.raw("GET", address, "", b"");
        assert_eq!(status, 200);
        assert!(head.contains(&format!("filename=\"found.{format}\"")), "{head}");
        assert_eq!(end["bytes"], file.len());
        let (again, ..) = studio.raw("GET", address, "", b"");
        assert_eq!(again, 404, "once");
        file
    };
    let formats = [
        ("pgn", "[Event \"?\"]"),
        ("jsonl", "{\""),
        ("games.jsonl", "{\""),
        ("csv", "input,"),
        ("tsv", "input\t"),
        ("epd", "rnb1kbnr/"),
        ("fen", "rnb1kbnr/"),
        ("html", "<!"),
        ("parquet", "PAR1"),
        ("txt", "games  positions\n"),
    ];
    assert_eq!(formats.len(), table::OutputFormat::ALL.len());
    for (format, beginning) in formats {
        let file = export(format, "cql() mate");
        let text = String::from_utf8_lossy(&file);
        let text = text.trim_start();
        assert!(text.starts_with(beginning), "{format}: {text}");
    }
    let text = export("pgn", "cql() mate sort gamenumber");
    let text = String::from_utf8_lossy(&text);
    let place = |name: &str| text.find(name).expect("a game");
    assert!(place("Third") < place("Fool"), "{text}");
}

#[test]
fn nothing_is_left_of_a_server_that_has_ended() {
    let studio = Studio::start(GAMES);
    let (_, state) = studio.ask("GET", "/api/workspace", &json!({}));
    assert_eq!(state["version"], 0);
    let change = json!({ "version": 0, "state": { "a": 1 } });
    assert_eq!(studio.ask("PUT", "/api/workspace", &change).0, 200);
    assert_eq!(studio.ask("PUT", "/api/workspace", &change).0, 409);
    let kept: &Path = &studio.folder.path().join("kept/studio.json");
    assert!(kept.exists());
}

/// Builds the archive of a file, with its text.
fn archive(folder: &Path, file: &Path) {
    let files = [file.to_owned()];
    let plan = archive::plan(folder, &files, &Cancel::default()).expect("a plan");
    let archive::BuildPlan::Build(mut builder) = plan else {
        panic!("there is an archive already");
    };
    let text = fs::read(file).expect("a file");
    let source = flow::GameSource::pgn(file.display().to_string(), &text[..]);
    builder.opened().note(0, &source);
    let mut sink = |out| builder.take(out).map_err(std::io::Error::other);
    let options = flow::RunOptions::default();
    flow::run(source.alone(), &options, archive::Encoder::default, &mut sink).expect("a run");
    builder.finish().expect("an archive");
    let open = |_| Ok(Box::new(fs::File::open(file).expect("a file")) as Box<dyn Read>);
    archive::keep_texts(folder, open, &mut |_| true).expect("texts");
}

#[test]
fn an_archive_is_searched_when_its_files_are_gone() {
    let folder = TempDir::new().expect("a folder");
    let games = folder.path().join("games.pgn");
    fs::write(&games, GAMES).expect("written");
    let name = folder.path().join("games.cqa");
    archive(&name, &games);
    fs::remove_file(&games).expect("removed");
    let studio = Studio::with(folder, vec![name]);
    let lines = studio.lines("/api/search", &json!({ "query": "cql() mate", "collections": [1] }));
    assert_eq!(lines.last().expect("an end")["end"]["matches"], 2, "{lines:?}");
    let row = &lines[lines.len() - 2];
    let input = lines.iter().find_map(|line| line["input"].as_str());
    let game = json!({
        "collections": [1], "input": input, "number": row[0], "in_input": row[1], "offset": row[2],
    });
    let (_, third) = studio.ask("POST", "/api/game", &json!({ "game": game }));
    assert_eq!(third["game"]["tags"][0], json!(["White", "Third"]));
}

/// Replaces the content of a file with blanks; size and time stay.
fn blank(path: &Path) {
    let metadata = fs::metadata(path).expect("a file");
    let blanks = vec![b' '; usize::try_from(metadata.len()).expect("a size")];
    fs::write(path, blanks).expect("written");
    let file = fs::File::options().write(true).open(path).expect("a file");
    let modified = metadata.modified().expect("a time");
    file.set_modified(modified).expect("as before");
}

#[test]
fn an_archive_answers_as_its_text_does_and_without_it() {
    // Tags that columns have, in the order of the columns.
    let games = "[White \"Fool\"]\n[Result \"0-1\"]\n[WhiteElo \"1200\"]\n\n\
        1. f3 e5 2. g4 Qh4# 0-1\n\n\
        [White \"Quiet\"]\n[Result \"*\"]\n\n1. e4 {oh} e5 2. Nf3 *\n\n\
        [White \"Third\"]\n[Result \"0-1\"]\n\n1. f4 e6 2. g4 Qh4# 0-1\n\n";
    let studio = Studio::start(&games.repeat(700));
    let query = "cql() mate sort \"men\" #[Aa] comment(\"here\")";
    let search = json!({ "query": query, "values": ["power A"], "collections": [1] });
    let counts = json!({
        "query": query, "collections": [1], "format": "csv", "counts": ["white", "result"],
    });
    let funnel = json!({ "query": "cql() mate elo white > 1000", "collections": [1] });
    let answers = || {
        let mut lines = studio.lines("/api/search", &search);
        let end = lines.last_mut().expect("an end");
        end["end"]["seconds"] = Value::Null;
        assert_eq!(end["end"]["matches"], 1400);
        assert_eq!(end["end"]["games"], 2100);
        let end = studio.lines("/api/export", &counts).pop().expect("an end");
        let address = end["end"]["address"].as_str().expect("an address");
        let (_, _, table) = studio.raw("GET", address, "", b"");
        assert!(table.ends_with(b",700,700\n"), "{table:?}");
        let mut stats = studio.lines("/api/stats", &json!({ "collections": [1] }));
        let stats = stats.pop().expect("an end");
        assert_eq!(stats["end"]["results"], json!([["*", 700], ["0-1", 1400]]));
        assert_eq!(stats["end"]["nPlayers"], 3);
        let funnel = studio.lines("/api/funnel", &funnel);
        (lines, table, funnel, stats)
    };
    let by_text = answers();
    studio.lines("/api/collections/1/archive", &json!({}));
    assert_eq!(answers(), by_text);
    // A game is shown from its text; a search reads that only if the query needs it.
    let whole = |number: usize| {
        let row = by_text.0.iter().find(|line| line[0] == number).expect("a row");
        let input = by_text.0.iter().find_map(|line| line["input"].as_str());
        let game = json!({
            "collections": [1], "input": input, "number": number, "in_input": row[1],
            "offset": row[2],
        });
        studio.ask("POST", "/api/game", &json!({ "query": query, "game": game }))
    };
    assert_eq!(whole(2100).1["game"]["tags"][0], json!(["White", "Third"]));
    blank(&studio.folder.path().join("games.pgn"));
    assert_eq!(answers(), by_text);
    assert_eq!(whole(2100).0, 404);
    let noted = json!({ "query": "cql() originalcomment \"oh\"", "collections": [1] });
    let lines = studio.lines("/api/search", &noted);
    let fault = lines.iter().find_map(|line| line["fault"]["message"].as_str());
    assert!(fault.is_some_and(|message| message.contains("changed")), "{lines:?}");
}

#[test]
fn a_list_reads_no_texts_of_archived_games() {
    // Tags that columns do not have, and others in another order.
    let games = "[Opening \"Bird\"]\n[White \"Late\"]\n[WhiteElo \"1200\"]\n[Result \"0-1\"]\n\
        [Event \"Club\"]\n\n1. f4 e6 2. g4 Qh4# 0-1\n\n";
    let studio = Studio::start(&games.repeat(3));
    let list = |openings: bool| {
        let search = json!({ "query": "cql() mate", "collections": [1], "openings": openings });
        let mut lines = studio.lines("/api/search", &search);
        lines.retain(Value::is_array);
        lines
    };
    let [plain, named] = [false, true].map(list);
    assert_eq!(plain.len(), 3);
    assert_eq!(plain[0][3], "Late");
    assert_eq!(plain[0][9], 1200);
    // The name is that of the moves, whatever the tag says.
    assert_eq!((&plain[0][8], &named[0][8]), (&json!(""), &json!("Bird Opening")));
    assert_eq!((&plain[0][7], &named[0][7]), (&json!(""), &json!("A02")));
    studio.lines("/api/collections/1/archive", &json!({}));
    assert_eq!(list(true), named);
    blank(&studio.folder.path().join("games.pgn"));
    assert_eq!(list(false), plain);
    assert_eq!(list(true), named);
}

#[test]
fn an_archive_that_is_of_no_use_is_told() {
    let studio = Studio::start(GAMES);
    studio.lines("/api/collections/1/archive", &json!({}));
    fs::write(studio.folder.path().join("games.pgn"), GAMES.repeat(2)).expect("written");
    let lines = studio.lines("/api/search", &json!({ "query": "cql() mate", "collections": [1] }));
    let end = &lines.last().expect("an end")["end"];
    assert_eq!([&end["matches"], &end["faults"], &end["leftOut"]], [4, 1, 0]);
    let fault = &lines[lines.len() - 2]["fault"];
    let message = "its games have changed; searching the text instead";
    assert_eq!([&fault["message"], &fault["game"]], [&json!(message), &json!(0)]);
    assert_eq!(fault["mendedByBuild"], true, "{fault}");
    let archive = fault["input"].as_str().expect("a name");
    assert!(archive.ends_with("games.cqa"), "{archive}");
}

#[test]
fn an_archive_is_built_beside_the_games() {
    let studio = Studio::start(GAMES);
    let build = || studio.lines("/api/collections/1/archive", &json!({}));
    let state = || {
        let (_, state) = studio.ask("GET", "/api/state", &json!({}));
        state["collections"][0]["archive"].clone()
    };
    assert_eq!(state()["state"], "none");
    let end = json!({ "end": { "name": "games.cqa", "games": 3, "unused": null } });
    assert_eq!(build(), std::slice::from_ref(&end));
    assert_eq!(state()["state"], "there");
    let folder = studio.folder.path().join("games.cqa");
    let made = archive::Archive::open(&folder).expect("an archive");
    assert!(made.check(&Cancel::default(), &mut |_| {}).faults.is_empty());
    // Themes are stored and removed only if that is asked.
    let n_themes = || state()["themes"].as_array().map(Vec::len);
    for (asked, are_there) in [
        (json!({ "themes": true }), true),
        (json!({}), true),
        (json!({ "themes": false }), false),
        (json!({}), false),
    ] {
        studio.lines("/api/collections/1/archive", &asked);
        assert_eq!(n_themes() > Some(0), are_there, "{asked}");
    }
    // New games are added, and an up-to-date archive is left alone.
    assert_eq!(build(), [end]);
    let more = format!("{GAMES}[White \"Fourth\"]\n\n1. d4 *\n");
    fs::write(studio.folder.path().join("games.pgn"), more).expect("written");
    assert_eq!(build()[0]["end"]["games"], 4);
    // A self-contained archive stays self-contained.
    let games = studio.folder.path().join("games.pgn");
    let open = |_| {
        let reader: Box<dyn Read> = Box::new(fs::File::open(&games).expect("games"));
        Ok(reader)
    };
    archive::keep_texts(&folder, open, &mut |_| true).expect("texts");
    fs::write(&games, format!("{GAMES}[White \"Other\"]\n\n1. c4 *\n")).expect("written");
    assert_eq!(build()[0]["end"]["games"], 4);
    let made = archive::Archive::open(&folder).expect("an archive");
    assert!(made.manifest().is_self_contained());
    // A damaged archive is reported and not overwritten.
    fs::write(folder.join("manifest.json"), "{").expect("written");
    assert_eq!(state()["state"], "broken");
    let message = state()["message"].to_string();
    assert!(message.contains("games.cqa"), "{message}");
    let error = build()[0]["error"].to_string();
    assert!(error.contains("cannot build the archive"), "{error}");
}

#[test]
fn archives_that_cannot_be_are_refused() {
    let folder = TempDir::new().expect("a folder");
    let games = folder.path().join("games.pgn");
    fs::write(&games, GAMES).expect("written");
    let taken = folder.path().join("games.cqa");
    fs::write(&taken, "something else").expect("written");
    let pattern = folder.path().join("*.pgn");
    let studio = Studio::with(folder, vec![games, pattern]);
    let build = |id: u32| {
        let path = format!("/api/collections/{id}/archive");
        studio.ask("POST", &path, &json!({}))
    };
    let lines = studio.lines("/api/collections/1/archive", &json!({}));
    let error = lines[0]["error"].to_string();
    assert!(error.contains("games.cqa: it exists and is not an archive"), "{error}");
    assert_eq!(fs::read(&taken).expect("it exists"), b"something else");
    let refused = |id: u32, status: u16, words: &str| {
        let (found, answer) = build(id);
        assert_eq!(found, status, "{answer}");
        let error = answer["error"].to_string();
        assert!(error.contains(words), "{error}");
    };
    refused(2, 400, "cql index -o");
    let headers = format!("x-studio-token: {}\r\nx-studio-name: new.pgn\r\n", studio.token);
    studio.raw("POST", "/api/collections", &headers, other(1).as_bytes());
    refused(3, 400, "dropped or saved on the page");
    refused(9, 404, "no longer here");
    let (_, state) = studio.ask("GET", "/api/state", &json!({}));
    assert_eq!(state["collections"][2]["archive"], Value::Null);
}

#[test]
fn a_damaged_archive_and_a_file_that_is_none_are_said() {
    let folder = TempDir::new().expect("a folder");
    let archive = folder.path().join("a.cqa");
    fs::create_dir(&archive).expect("made");
    fs::write(archive.join("manifest.json"), "{").expect("written");
    let none = folder.path().join("none.pgn");
    fs::write(&none, [0_u8; 4000]).expect("written");
    let studio = Studio::with(folder, vec![archive, none]);
    let lines = studio.lines("/api/search", &json!({ "query": "cql() mate", "collections": [1] }));
    let last = lines.last().expect("a line");
    assert!(last["error"].as_str().is_some_and(|error| error.contains("a.cqa")), "{lines:?}");
    let lines = studio.lines("/api/search", &json!({ "query": "cql() mate", "collections": [2] }));
    assert!(lines.iter().any(|line| line.get("fault").is_some()), "{lines:?}");
}

#[test]
fn messages_call_a_dropped_file_by_the_name_that_the_user_knows() {
    let studio = Studio::start(GAMES);
    let drop = |name: &str, text: &str| {
        let headers = format!("x-studio-token: {}\r\nx-studio-name: {name}\r\n", studio.token);
        let (_, _, answer) = studio.raw("POST", "/api/collections", &headers, text.as_bytes());
        serde_json::from_slice::<Value>(&answer).expect("JSON")
    };
    let faulty =
        "[White \"x\"]\n\n1. e4 Ke7 2. d4 *\n\n[White \"y\"]\n[Variant \"Bughouse\"]\n\n1. e4 *\n";
    let second = drop("my%20games%3A%20*1.pgn", faulty)["id"].clone();
    let third = drop("my%20games%3A%20*1.pgn", &format!("{faulty}\n"))["id"].clone();
    for (id, name) in [(second, "my games: *1.pgn"), (third, "my games: *1 (2).pgn")] {
        let asked = |more: Value| {
            let mut body = json!({ "query": "cql() initial", "collections": [id] });
            for (key, value) in more.as_object().into_iter().flatten() {
                body[key] = value.clone();
            }
            body
        };
        let game = json!({
            "collections": [id], "input": name, "number": 1, "in_input": 1, "offset": 0,
        });
        let (status, shown) = studio.ask("POST", "/api/game", &asked(json!({ "game": game })));
        assert_eq!(status, 200, "{shown}");
        for (path, more) in [
            ("/api/search", json!({})),
            ("/api/report", json!({ "report": { "kind": "doctor", "writes": false } })),
            ("/api/export", json!({ "format": "csv", "columns": ["file"], "name": "x" })),
        ] {
            let lines = json!(studio.lines(path, &asked(more))).to_string();
            assert!(!lines.contains("cql-studio-"), "{path}: {lines}");
            assert!(lines.contains(name) || path == "/api/export", "{path}: {lines}");
        }
    }
    // A file that is refused.
    let refused = drop("none%3F.pgn.gz", "\u{1f}8b nothing")["error"].to_string();
    assert!(refused.contains("none?.pgn.gz was not added"), "{refused}");
    assert!(!refused.contains("cql-studio-"), "{refused}");
}

#[test]
fn the_archive_of_a_compressed_file_is_used() {
    let folder = TempDir::new().expect("a folder");
    let games = folder.path().join("games.pgn.zst");
    // A frame of zstd with one block, which has the plain text.
    let packed = |text: &str| {
        let header = ((text.len() as u32) << 3 | 1).to_le_bytes();
        [&[0x28, 0xb5, 0x2f, 0xfd, 0, 0x50][..], &header[..3], text.as_bytes()].concat()
    };
    fs::write(&games, packed(GAMES)).expect("written");
    let studio = Studio::with(folder, vec![games.clone()]);
    let search = || {
        let body = json!({ "query": "cql() mate", "collections": [1] });
        let mut lines = studio.lines("/api/search", &body);
        for line in &mut lines {
            if let Some(end) = line.get_mut("end") {
                end["seconds"] = json!(0);
            }
            if let Some(input) = line.get_mut("input") {
                let name = Path::new(input.as_str().expect("a name")).file_name();
                *input = json!(name.expect("a name").to_string_lossy());
            }
        }
        lines
    };
    let before = search();
    let built = studio.end("/api/collections/1/archive", &json!({}));
    assert_eq!(built, json!({ "name": "games.cqa", "games": 3, "unused": null }));
    assert_eq!(search(), before);
    // The file is not read: damage that leaves its size and time goes unnoticed.
    let time = fs::metadata(&games).and_then(|data| data.modified()).expect("a time");
    let n = fs::metadata(&games).expect("a file").len() as usize;
    fs::write(&games, vec![b'x'; n]).expect("written");
    let file = fs::File::options().write(true).open(&games).expect("opened");
    file.set_modified(time).expect("set");
    assert_eq!(search(), before);
    // Other games are read from the file, with a note.
    fs::write(&games, packed(&format!("{GAMES}{GAMES}"))).expect("written");
    let lines = json!(search()).to_string();
    assert!(lines.contains("its games have changed"), "{lines}");
    assert!(lines.contains("\"matches\":4"), "{lines}");
}
