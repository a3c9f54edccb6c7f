//! Searches of files as a library.

use std::fs;

use babson::{Error, Program, SearchOptions, search_files};
use tempfile::TempDir;

/// Games by a player with the number of the game as a name.
fn games(first: u32, n: u32) -> String {
    (first..first + n)
        .map(|i| format!("[White \"{i}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n"))
        .collect()
}

fn names(directory: &TempDir, texts: &[&str]) -> Vec<std::path::PathBuf> {
    let write = |(i, text): (usize, &&str)| {
        let path = directory.path().join(format!("{i}.pgn"));
        fs::write(&path, text).expect("written");
        path
    };
    texts.iter().enumerate().map(write).collect()
}

#[test]
fn matches_are_owned_and_in_order_whatever_the_threads() {
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 700), &games(701, 2300)]);
    let program = Program::new("cql() mate").expect("a correct query");
    for threads in [0, 1, 3] {
        let options = SearchOptions {
            threads,
            ..SearchOptions::default()
        };
        let matches = search_files(&names, &program, &options).expect("files");
        let rows: Vec<_> = matches.map(|game| game.expect("a game").row).collect();
        let numbers: Vec<u64> = rows.iter().map(|row| row.number).collect();
        assert_eq!(numbers, (1..=3000).collect::<Vec<u64>>());
        let last = &rows[2999];
        assert_eq!(last.tag(b"White"), Some(&b"3000"[..]));
        assert_eq!(last.number_in_input, 2300);
        assert!(last.input.ends_with("1.pgn"), "{}", last.input);
    }
}

#[test]
fn faults_come_between_the_games() {
    let directory = TempDir::new().expect("a directory");
    let text = games(1, 2) + "[Variant \"Bughouse\"]\n\n1. e4 *\n\n" + &games(4, 1);
    let mut names = names(&directory, &[&text]);
    let program = Program::new("cql() mate").expect("a correct query");
    let options = SearchOptions::default();
    let matches = search_files(&names, &program, &options).expect("files");
    let (games, faults): (Vec<_>, Vec<_>) = matches.partition(Result::is_ok);
    assert_eq!((games.len(), faults.len()), (3, 1));
    let Err(Error::Game { input, fault }) = &faults[0] else {
        panic!("{faults:?}");
    };
    assert!(input.ends_with("0.pgn") && fault.number == 3, "{fault:?}");

    names.push(directory.path().join("missing.pgn"));
    let missing = search_files(&names, &program, &options).expect_err("a file is missing");
    assert!(missing.to_string().contains("missing.pgn"), "{missing}");
    let none: [&str; 0] = [];
    assert!(search_files(none, &program, &options).is_err());
}

#[test]
fn what_needs_more_than_its_games_is_refused() {
    for (query, word) in [
        ("cql() gamenumber == lastgamenumber", "lastgamenumber"),
        ("cql() similarposition \"a.pgn\"", "similarposition"),
    ] {
        let error = Program::new(query).expect_err("refused");
        assert!(matches!(error, Error::Unsupported(found) if found == word));
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[test]
fn a_search_ends_where_nobody_listens_and_another_goes_on() {
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 20_000)]);
    let program = Program::new("cql() mate").expect("a correct query");
    let options = SearchOptions {
        threads: 2,
        ..SearchOptions::default()
    };
    let search = || search_files(&names, &program, &options).expect("files");
    let (mut first, mut second, third) = (search(), search(), search());
    assert!(first.next().is_some());
    drop(first);
    second.cancel().cancel();
    assert!(second.by_ref().count() < 20_000);
    assert_eq!(third.count(), 20_000);
}
