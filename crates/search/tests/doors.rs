//! The library answers the cases that all front ends answer (`doors.json`).

use std::fs;

use babson::{
    CompileOptions, Error, Limits, Matches, Program, SearchOptions, Selection, search_files,
};
use serde_json::Value;

const CASES: &str = include_str!("doors.json");

/// Returns the cases and the text of their games.
fn cases() -> (Vec<Value>, String) {
    let mut all: Value = serde_json::from_str(CASES).expect("JSON");
    let games = all["games"].as_array().expect("games").iter().map(|part| {
        let n = part[0].as_u64().expect("a number");
        part[1].as_str().expect("a text").repeat(n as usize)
    });
    let games = games.collect();
    (all["cases"].as_array_mut().expect("cases").drain(..).collect(), games)
}

fn numbers(list: &Value) -> Vec<u64> {
    let numbers = list.as_array().into_iter().flatten();
    numbers.map(|n| n.as_u64().expect("a number")).collect()
}

/// Compares the results of a search with a case.
fn check(case: &Value, mut matches: Matches, told: &str) {
    let watch = matches.watch().clone();
    let (mut found, mut errors) = (Vec::new(), Vec::new());
    for game in matches.by_ref() {
        match game {
            Ok(game) => found.push(game.row.number),
            Err(error) => errors.push(error),
        }
    }
    let last = errors.last().map(Error::to_string).unwrap_or_default();
    if let Some(error) = case["error"].as_str() {
        return assert!(last.starts_with(error) && found.is_empty(), "{told}: {errors:?}");
    }
    assert_eq!(found, numbers(&case["matches"]), "{told}");
    let report = watch.report();
    assert_eq!(report.games, case["games"], "{told}");
    let mut faults: Vec<u64> = report.faults.iter().map(|fault| fault.game).collect();
    faults.dedup();
    assert_eq!(faults, numbers(&case["faults"]), "{told}");
    let mut left_out: Vec<u64> =
        report.faults.iter().filter(|fault| !fault.searched).map(|fault| fault.game).collect();
    left_out.dedup();
    let errors = errors.iter().map(|error| match error {
        Error::Game { fault, .. } => fault.number,
        other => panic!("{told}: {other:?}"),
    });
    assert_eq!(errors.collect::<Vec<u64>>(), left_out, "{told}");
}

#[test]
fn the_library_answers_as_every_front_end() {
    let (cases, games) = cases();
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("g.pgn");
    fs::write(&file, games).expect("written");
    for case in &cases {
        let default = Limits::default();
        let limits = Limits { steps: case["steps"].as_u64().unwrap_or(default.steps), ..default };
        let options = CompileOptions { limits, ..CompileOptions::default() };
        let query = case["query"].as_str().expect("a query");
        let program = Program::with_options(query, &options).expect("a correct query");
        let selection = Selection { limit: case["limit"].as_u64(), ..Selection::default() };
        for threads in [1, 2, 7] {
            let options = SearchOptions { threads, selection, ..SearchOptions::default() };
            let matches = search_files([&file], &program, &options).expect("files");
            check(case, matches, &format!("{case}, {threads} threads"));
        }
    }
}
