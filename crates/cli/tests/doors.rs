//! Every front end of the program answers the same: games, their order, faults and errors.
//!
//! The cases are in `crates/search/tests/doors.json`. The tests of the library, the studio and the
//! Python package answer them, too.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};
use support::{Place, root};

/// A front end.
#[derive(Debug, Clone, Copy)]
enum Door {
    Command,
    Run,
    /// `cql run` on three shards of the games, put together again.
    Shards,
    Explain,
    Bench,
    Mcp,
}

/// Answer of a front end. Fields that it does not tell are `None`.
#[derive(Debug, Default)]
struct Answer {
    /// Numbers of the matching games, in order.
    matches: Option<Vec<u64>>,
    n_matches: Option<u64>,
    n_games: Option<u64>,
    /// Numbers of the games with faults.
    faults: Option<BTreeSet<u64>>,
    n_faults: Option<u64>,
    error: Option<String>,
}

impl Door {
    const ALL: [Door; 6] =
        [Door::Command, Door::Run, Door::Shards, Door::Explain, Door::Bench, Door::Mcp];

    /// Returns why the front end has no answer to a case; `None` if it has.
    fn lack(self, case: &Value) -> Option<&'static str> {
        let has_limit = !case["limit"].is_null();
        let of_variant = |fault: &Value| [16, 19].iter().any(|game| fault == game);
        let sorts = case["query"].as_str().is_some_and(|query| query.contains("sort"));
        match self {
            Door::Command | Door::Run | Door::Mcp => None,
            Door::Shards if has_limit => Some("a limit of each shard is not one of the whole"),
            Door::Shards if sorts => Some("shards cannot be sorted together (E0506)"),
            Door::Shards if !case["error"].is_null() => Some("a shard does not know the others"),
            Door::Explain | Door::Bench if has_limit => Some("it counts all matches"),
            Door::Explain if case["name"] == "failed everywhere" => {
                Some("it counts the games on which a condition fails")
            }
            Door::Bench
                if !case["faults"].as_array().is_some_and(|all| all.iter().all(of_variant)) =>
            {
                Some("a fault ends the measurement")
            }
            Door::Shards | Door::Explain | Door::Bench => None,
        }
    }

    fn answer(self, place: &Place, case: &Value, threads: &str) -> Answer {
        place.write("q.cql", case["query"].as_str().expect("a query"));
        let mut options = vec!["--threads", threads];
        let steps = case["steps"].as_u64().map(|steps| format!("steps={steps}"));
        if let Some(steps) = &steps {
            options.extend(["--limits", steps]);
        }
        let limit = case["limit"].as_u64().map(|limit| limit.to_string());
        if let Some(limit) = &limit {
            options.extend(["--limit", limit]);
        }
        match self {
            Door::Command => command(place, &options),
            Door::Run => run(place, &options),
            Door::Shards => shards(place, &options),
            Door::Explain => explain(place, &options),
            Door::Bench => bench(place, &options),
            Door::Mcp => mcp(place, case),
        }
    }
}

/// Returns the numbers of games that messages name.
fn games_in(messages: &str) -> BTreeSet<u64> {
    let named = messages.lines().filter_map(|line| {
        let (_, rest) = line.split_once(": game ")?;
        rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
    });
    let variants = [("Bughouse", 16), ("Mine", 19)].into_iter();
    let variants = variants.filter(|(name, _)| messages.contains(name));
    named.chain(variants.map(|(_, game)| game)).collect()
}

/// Returns the message of a search that failed.
fn error_in(text: &str) -> Option<String> {
    let line = text.lines().find(|line| {
        line.contains("the query takes too many steps on each") || line.contains("failed on every")
    })?;
    let start = line.find("the query ")?;
    Some(line[start..].to_owned())
}

fn numbers(jsonl: &str) -> Vec<u64> {
    let rows = jsonl.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    rows.map(|row| row["game"].as_u64().expect("a number")).collect()
}

fn command(place: &Place, options: &[&str]) -> Answer {
    let _ = fs::remove_file(place.path("o.jsonl"));
    let fixed = ["q.cql", "-i", "g.pgn", "-o", "o.jsonl", "--per", "game"];
    let ran = place.cql(&[&fixed, options].concat());
    if let Some(error) = error_in(&ran.out) {
        assert!(!place.path("o.jsonl").exists());
        return Answer { error: Some(error), ..Answer::default() };
    }
    let summary = ran.out.lines().find(|line| line.contains(" matches of ")).expect("a summary");
    Answer {
        matches: Some(numbers(&place.read("o.jsonl"))),
        n_games: summary.split(' ').nth(3).and_then(|n| n.parse().ok()),
        faults: Some(games_in(&ran.err)),
        ..Answer::default()
    }
}

fn run(place: &Place, options: &[&str]) -> Answer {
    let fixed = "run q.cql g.pgn --output-dir d --format jsonl --per game --json --force";
    let fixed: Vec<&str> = fixed.split(' ').collect();
    let ran = place.cql(&[&fixed, options].concat());
    if let Some(error) = error_in(&ran.err) {
        return Answer { error: Some(error), ..Answer::default() };
    }
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    Answer {
        matches: Some(numbers(&place.read("d/q.jsonl"))),
        n_games: told["games"].as_u64(),
        faults: Some(games_in(&ran.err)),
        ..Answer::default()
    }
}

fn shards(place: &Place, options: &[&str]) -> Answer {
    for folder in ["d3", "o3"] {
        let _ = fs::remove_dir_all(place.path(folder));
    }
    let mut faults = BTreeSet::new();
    for shard in ["1/3", "2/3", "3/3"] {
        let fixed = "run q.cql g.pgn --output-dir d3 --format jsonl --per game --shard";
        let fixed: Vec<&str> = fixed.split(' ').chain([shard]).collect();
        faults.extend(games_in(&place.cql(&[&fixed, options].concat()).err));
    }
    let merged = place.run("merge d3 -o o3");
    assert_eq!(merged.status, Some(0), "{merged:?}");
    let matches = Some(numbers(&place.read("o3/q.jsonl")));
    Answer { matches, faults: Some(faults), ..Answer::default() }
}

fn explain(place: &Place, options: &[&str]) -> Answer {
    let ran = place.cql(&[&["explain", "q.cql", "g.pgn", "--json"], options].concat());
    if let Some(error) = error_in(&ran.err) {
        return Answer { error: Some(error), ..Answer::default() };
    }
    let told: Value = serde_json::from_str(&ran.out).expect("JSON");
    let last = told["conditions"].as_array().and_then(|all| all.last()).expect("a condition");
    Answer {
        n_matches: last["games"].as_u64(),
        n_games: told["games"].as_u64(),
        ..Answer::default()
    }
}

fn bench(place: &Place, options: &[&str]) -> Answer {
    let ran = place.cql(&[&["bench", "q.cql", "g.pgn", "--json", "--runs", "1"], options].concat());
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    let query = &told["queries"][0];
    Answer {
        n_matches: query["matching_games"].as_u64(),
        n_games: query["games"].as_u64(),
        ..Answer::default()
    }
}

fn mcp(place: &Place, case: &Value) -> Answer {
    let mut child = place
        .command(&["mcp", "g.pgn"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the server");
    let limit = case["limit"].as_u64().unwrap_or(100);
    let version = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    let call = json!({ "name": "search", "arguments": { "query": case["query"], "limit": limit } });
    let mut input = child.stdin.take().expect("its input");
    for (id, method, params) in [(1, "initialize", version), (2, "tools/call", call)] {
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        writeln!(input, "{request}").expect("written");
    }
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let answer = lines.nth(1).expect("an answer").expect("a line");
    drop(input);
    child.wait().expect("it ends");
    let answer: Value = serde_json::from_str(&answer).expect("JSON");
    let result = &answer["result"];
    if result["isError"] == true {
        let text = result["content"][0]["text"].as_str().expect("a text");
        return Answer { error: error_in(text), ..Answer::default() };
    }
    let told = &result["structuredContent"];
    let games = told["games"].as_array().expect("games").iter();
    Answer {
        matches: Some(games.map(|game| game["game"].as_u64().expect("a number")).collect()),
        n_games: told["searched_up_to"].as_u64(),
        n_faults: Some(told["faults"].as_u64().unwrap_or(0)),
        ..Answer::default()
    }
}

/// Compares an answer with a case, as far as the front end tells it.
fn check(case: &Value, answer: &Answer, told: &str) {
    let wanted = |name: &str| -> Vec<u64> {
        let all = case[name].as_array().into_iter().flatten();
        all.map(|n| n.as_u64().expect("a number")).collect()
    };
    if let Some(error) = case["error"].as_str() {
        let found = answer.error.as_deref().unwrap_or_default();
        return assert!(found.starts_with(error), "{told}");
    }
    assert_eq!(answer.error, None, "{told}");
    let matches = wanted("matches");
    assert!(answer.matches.is_some() || answer.n_matches.is_some(), "{told}");
    if let Some(found) = &answer.matches {
        assert_eq!(found, &matches, "{told}");
    }
    let n_matches = answer.n_matches.unwrap_or(matches.len() as u64);
    assert_eq!(n_matches, matches.len() as u64, "{told}");
    if let Some(n) = answer.n_games {
        assert_eq!(n, case["games"], "{told}");
    }
    let faults: BTreeSet<u64> = wanted("faults").into_iter().collect();
    if let Some(found) = &answer.faults {
        assert_eq!(found, &faults, "{told}");
    }
    if let Some(n) = answer.n_faults {
        assert_eq!(n, faults.len() as u64, "{told}");
    }
}

#[test]
fn every_front_end_answers_alike() {
    let cases = root().join("crates/search/tests/doors.json");
    let cases = fs::read_to_string(cases).expect("the cases");
    let cases: Value = serde_json::from_str(&cases).expect("JSON");
    let parts = cases["games"].as_array().expect("games").iter();
    let games: String = parts
        .map(|part| {
            let n = part[0].as_u64().expect("a number");
            part[1].as_str().expect("a text").repeat(n as usize)
        })
        .collect();
    let mut lacks = BTreeMap::<&str, usize>::new();
    for is_archived in [false, true] {
        let place = Place::empty();
        place.write("g.pgn", &games);
        if is_archived {
            assert_eq!(place.run("index g.pgn").status, Some(0));
        }
        for case in cases["cases"].as_array().expect("cases") {
            for door in Door::ALL {
                if let Some(why) = door.lack(case) {
                    *lacks.entry(why).or_default() += 1;
                    continue;
                }
                for threads in ["1", "2", "7"] {
                    let answer = door.answer(&place, case, threads);
                    let told = format!("{door:?} {threads} {is_archived} {case}: {answer:?}");
                    check(case, &answer, &told);
                }
            }
        }
    }
    // A front end that learns an answer has fewer.
    let expected = [
        ("a fault ends the measurement", 6),
        ("a limit of each shard is not one of the whole", 6),
        ("a shard does not know the others", 4),
        ("it counts all matches", 12),
        ("it counts the games on which a condition fails", 2),
        ("shards cannot be sorted together (E0506)", 2),
    ];
    assert_eq!(lacks, BTreeMap::from(expected));
}
