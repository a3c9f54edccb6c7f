//! Searches of files as a library.

use std::fs;
use std::path::{Path, PathBuf};

use babson::flow::{Cancel, RunOptions};
use babson::input::{self, Inputs};
use babson::{
    CommentLevel, CompileOptions, Dialect, Error, Fault, InputFormat, Limits, MatchedGame, Program,
    ReadOptions, SearchOptions, Selection, search_files,
};
use tempfile::TempDir;

/// Games whose White tag is the number of the game.
fn games(first: u32, n: u32) -> String {
    (first..first + n).map(|i| format!("[White \"{i}\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n")).collect()
}

fn names(directory: &TempDir, texts: &[&str]) -> Vec<PathBuf> {
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
        let options = SearchOptions { threads, ..SearchOptions::default() };
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
fn whoever_watches_hears_what_a_search_comes_to() {
    let directory = TempDir::new().expect("a directory");
    let repaired = "[White \"x\"]\n\n1. e4 e5 2. Ke4 *\n\n";
    let text = games(1, 600) + repaired + "[Variant \"Bughouse\"]\n\n1. e4 *\n\n" + &games(603, 1);
    let names = names(&directory, &[&text, &games(1, 2)]);
    let folder = names[1].with_extension("cqa");
    archive(&folder, &names[1]);
    fs::write(&names[1], games(1, 3)).expect("written");
    let program = Program::new("mate").expect("a correct query");
    let matches = search_files(&names, &program, &SearchOptions::default()).expect("files");
    let watch = matches.watch().clone();
    assert_eq!(matches.filter(Result::is_ok).count(), 604);
    assert_eq!(watch.fraction(), Some(1.0));
    let report = watch.report();
    assert_eq!((report.games, report.matches, report.positions), (606, 604, 604));
    let told = |fault: &Fault| (fault.game, fault.searched);
    let told: Vec<(u64, bool)> = report.faults.iter().map(told).collect();
    assert_eq!(told, [(0, true), (601, true), (602, false)]);
    // An archive that is not used is no issue.
    assert_eq!(report.n_faults, 2);
    let lines: Vec<String> = report.faults.iter().map(Fault::to_string).collect();
    assert!(lines[0].starts_with(&*folder.to_string_lossy()), "{lines:?}");
    assert!(lines[0].ends_with("; searching the text instead"), "{lines:?}");
    assert!(lines[1].contains("0.pgn:2403: game 601: "), "{lines:?}");
}

#[test]
fn a_file_that_is_cut_is_in_the_report() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("cut.pgn.gz");
    // A gzip header without data.
    fs::write(&path, [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]).expect("written");
    let program = Program::new("mate").expect("a correct query");
    let matches = search_files([&path], &program, &SearchOptions::default()).expect("files");
    let watch = matches.watch().clone();
    let errors: Vec<Error> = matches.map(|game| game.expect_err("cut")).collect();
    let [Error::Input(unreadable)] = errors.as_slice() else {
        panic!("{errors:?}");
    };
    let report = watch.report();
    assert_eq!((report.games, report.n_faults), (0, 1));
    assert_eq!(report.faults[0].message, unreadable.error.to_string());
    let cause = unreadable.error.cause().downcast_ref();
    assert!(matches!(cause, Some(input::Error::CutOff { what: "gzip", .. })), "{cause:?}");
    assert!(!report.faults[0].searched);
}

#[test]
fn a_file_fails_after_its_last_games() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("cut.pgn.gz");
    let text = games(1, 300);
    // A gzip header, and a stored block that is not the last one.
    let length = u16::try_from(text.len()).expect("a short text");
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0];
    bytes.extend(length.to_le_bytes());
    bytes.extend((!length).to_le_bytes());
    bytes.extend(text.as_bytes());
    fs::write(&path, bytes).expect("written");
    let program = Program::new("mate").expect("a correct query");
    let matches = search_files([&path], &program, &SearchOptions::default()).expect("files");
    let results: Vec<Result<MatchedGame, Error>> = matches.collect();
    assert!(results.iter().filter(|result| result.is_ok()).count() >= 299, "{}", results.len());
    assert!(matches!(results.last(), Some(Err(Error::Input(_)))), "{:?}", results.last());
}

#[test]
fn a_header_may_be_missing_and_options_have_names() {
    let options = CompileOptions {
        dialect: Some(Dialect::Cql6),
        limits: Limits::default(),
        level: Some(CommentLevel::Quiet),
        ..CompileOptions::default()
    };
    let search_options = SearchOptions {
        how: ReadOptions { format: Some(InputFormat::Pgn), ..ReadOptions::default() },
        ..SearchOptions::default()
    };
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 2)]);
    let found = |program: Program| {
        let matches = search_files(&names, &program, &search_options).expect("files");
        matches.filter(Result::is_ok).count()
    };
    for query in ["mate", "cql() mate"] {
        assert_eq!(found(Program::new(query).expect("a correct query")), 2);
        assert_eq!(found(Program::with_options(query, &options).expect("correct")), 2);
    }
}

#[test]
fn a_query_that_needs_another_file_is_refused() {
    let error = Program::new("cql() similarposition \"a.pgn\"").expect_err("refused");
    assert!(matches!(error, Error::Unsupported("similarposition")), "{error}");
}

#[test]
fn the_last_game_has_its_number_in_files_and_in_texts() {
    let directory = TempDir::new().expect("a directory");
    let text = games(1, 20);
    let files = names(&directory, &[&text]);
    let program = Program::new("cql(gamenumber 3 12) gamenumber == lastgamenumber initial");
    let program = program.expect("a correct query");
    let numbers = |matches: &mut dyn Iterator<Item = Result<MatchedGame, Error>>| {
        let numbers = matches.map(|game| game.expect("no faults").row.number);
        numbers.collect::<Vec<u64>>()
    };
    let options = SearchOptions::default();
    let mut of_files = search_files(&files, &program, &options).expect("files");
    assert_eq!(numbers(&mut of_files), [12]);
    assert_eq!(numbers(&mut program.search(text.as_bytes())), [12]);
    let none = names(&directory, &["[Event \"x\"]\n\n1. e4 *\n"]);
    let mut of_files = search_files(&none, &program, &options).expect("files");
    let error = of_files.next().expect("a result").expect_err("no last game").to_string();
    assert!(error.contains("lastgamenumber: there is no game with a White tag"), "{error}");
}

#[test]
fn the_best_games_come_first() {
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 300)]);
    let program = Program::new("mate sort \"number\" gamenumber").expect("a correct query");
    let numbers = |selection| {
        let options = SearchOptions { selection, ..SearchOptions::default() };
        let matches = search_files(&names, &program, &options).expect("files");
        matches.map(|game| game.expect("no faults").row.number).collect::<Vec<u64>>()
    };
    let limit = Selection { limit: Some(2), ..Selection::default() };
    let sorted = numbers(limit);
    assert_eq!(numbers(Selection::default())[..2], sorted[..]);
    assert_eq!(numbers(Selection { is_unsorted: true, ..limit }), [1, 2]);
    assert_eq!(sorted, [300, 299]);
    let sample = Selection { sample: Some((5, 1)), ..Selection::default() };
    let (drawn, again) = (numbers(sample), numbers(sample));
    assert_eq!((drawn.len(), &drawn), (5, &again));
    assert!(drawn.is_sorted_by(|a, b| a > b), "{drawn:?}");
    assert_eq!(numbers(Selection { is_unsorted: true, ..sample }).len(), 5);
    assert!(numbers(Selection { limit: Some(0), ..limit }).is_empty());
}

#[test]
fn a_query_that_is_given_up_says_so_whatever_the_threads() {
    let directory = TempDir::new().expect("a directory");
    let endless = "[White \"x\"]\n\n1. e4 e5 *\n\n";
    // The tenth game is in the third file.
    let texts = [endless.repeat(4), endless.repeat(5), endless.repeat(4) + &games(14, 30)];
    let names = names(&directory, &texts.each_ref().map(String::as_str));
    let mut options = CompileOptions::default();
    options.limits.steps = 1000;
    let query = "cql() {player \"x\" x = 0 loop { x += 1 x < 100000 }} or mate";
    let program = Program::with_options(query, &options).expect("a correct query");
    let check = |results: Vec<Result<MatchedGame, Error>>| {
        let faults = results.iter().map(|result| match result {
            Err(Error::Game { fault, .. }) => fault.number,
            Err(Error::TooManySteps) => 0,
            other => panic!("{other:?}"),
        });
        let expected: Vec<u64> = (1..=10).chain([0]).collect();
        assert_eq!(faults.collect::<Vec<u64>>(), expected);
    };
    for threads in [1, 2, 4] {
        let options = SearchOptions { threads, ..SearchOptions::default() };
        let matches = search_files(&names, &program, &options).expect("files");
        check(matches.collect());
    }
    check(program.search(texts.concat().as_bytes()).collect());
    // Nine games do not end the search.
    let nine = endless.repeat(9) + &games(10, 30);
    let found = program.search(nine.as_bytes());
    assert_eq!(found.filter(Result::is_ok).count(), 30);
}

#[test]
fn a_search_ends_where_nobody_listens_and_another_goes_on() {
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 20_000)]);
    let program = Program::new("cql() mate").expect("a correct query");
    let options = SearchOptions { threads: 2, ..SearchOptions::default() };
    let search = || search_files(&names, &program, &options).expect("files");
    let (mut first, mut second, third) = (search(), search(), search());
    assert!(first.next().is_some());
    drop(first);
    second.cancel().cancel();
    assert!(second.by_ref().count() < 20_000);
    assert_eq!(third.count(), 20_000);
}

/// Builds the archive of a file.
fn archive(folder: &Path, file: &Path) {
    let cancel = Cancel::default();
    let inputs =
        Inputs::find(&[file.to_owned()], ReadOptions::default(), [], &cancel).expect("files");
    let plan = archive::plan(folder, &[file.to_owned()], &cancel).expect("a plan");
    let archive::BuildPlan::Build(builder) = plan else {
        panic!("there is an archive already");
    };
    let made = builder.read(inputs.sources_from(0), &RunOptions::default(), &mut |_, _| {});
    assert!(made.expect("an archive").is_some());
}

/// Overwrites a text in a file with blanks of the same length and restores the file's time.
fn overwrite(path: &Path, text: &str) {
    let modified = || fs::metadata(path).and_then(|file| file.modified());
    let before = modified().expect("a file");
    let all = fs::read_to_string(path).expect("a file");
    assert!(all.contains(text), "{text}");
    fs::write(path, all.replace(text, &" ".repeat(text.len()))).expect("written");
    let file = fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(before).expect("as before");
    drop(file);
    assert_eq!(modified().expect("a file"), before);
}

#[test]
fn games_of_an_archive_are_searched_by_their_columns() {
    let directory = TempDir::new().expect("a directory");
    let quiet = "[White \"quiet\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n";
    let text = format!("{}{quiet}{}", games(1, 1200), games(1202, 3));
    let names = names(&directory, &[&text]);
    archive(&names[0].with_extension("cqa"), &names[0]);
    let program = Program::new("cql() mate sort \"men\" #[Aa]").expect("a correct query");
    let search = |names: &[PathBuf], no_index: bool| -> Vec<MatchedGame> {
        let options = SearchOptions { threads: 2, no_index, ..SearchOptions::default() };
        let matches = search_files(names, &program, &options).expect("files");
        matches.map(|game| game.expect("a game")).collect()
    };
    let by_text = search(&names, true);
    assert_eq!(by_text.len(), 1203);
    assert_eq!(search(&names, false), by_text);
    // An archived game is known without its text; only a matching game is read.
    overwrite(&names[0], quiet);
    assert_eq!(search(&names, false), by_text);
    assert_eq!(search(&[names[0].with_extension("cqa")], true), by_text);
    assert_eq!(search(&names, true)[1200].row.number, 1201);
}

#[test]
fn an_archive_of_other_games_is_left_aside() {
    let directory = TempDir::new().expect("a directory");
    let names = names(&directory, &[&games(1, 3)]);
    let folder = directory.path().join("named.cqa");
    archive(&folder, &names[0]);
    fs::write(&names[0], games(1, 5)).expect("written");
    let program = Program::new("cql() mate").expect("a correct query");
    let options = SearchOptions::default();
    let matches = search_files([&folder], &program, &options).expect("files");
    let found: Vec<MatchedGame> = matches.map(|game| game.expect("a game")).collect();
    assert_eq!(found.len(), 5);
    let check = |what: &str| {
        let error = search_files([&folder], &program, &options).expect_err("it is damaged");
        let error = error.to_string();
        assert!(error.contains("named.cqa") && error.contains(what), "{error}");
    };
    fs::write(folder.join("manifest.json"), "{").expect("written");
    check("it is not a manifest");
    fs::remove_file(folder.join("manifest.json")).expect("removed");
    check("manifest.json is missing");
}
