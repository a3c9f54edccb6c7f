//! `cql bench`: known figures and refused arguments.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

const GAMES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/historic.pgn");

/// A directory with queries, and many games.
fn place(queries: &[(&str, &str)]) -> tempfile::TempDir {
    let place = tempfile::tempdir().expect("a directory");
    for (name, text) in queries {
        fs::write(place.path().join(name), text).expect("written");
    }
    let games = fs::read(GAMES).expect("the games of the examples");
    fs::write(place.path().join("games.pgn"), games.repeat(20)).expect("written");
    place
}

fn run(place: &Path, arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cql"))
        .arg("bench")
        .args(arguments.split_whitespace())
        .current_dir(place)
        .output()
        .expect("the program runs")
}

fn json(place: &Path, arguments: &str) -> serde_json::Value {
    let output = run(place, &format!("{arguments} --json"));
    let err = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {err}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn the_signature_does_not_depend_on_threads() {
    let place = place(&[
        ("mate.cql", "cql() mate"),
        ("tags.cql", "cql() player \"Morphy\""),
        ("none.cql", "cql() player \"Nobody\""),
        ("last.cql", "cql(gamenumber 2) gamenumber == 2 lastgamenumber == 2"),
    ]);
    // Games, positions, matching games, matching positions.
    let check = |query: &str, expected: [u64; 4]| {
        for threads in ["1", "2", "7"] {
            let arguments = format!("{query}.cql -i games.pgn --runs 2 --threads {threads}");
            let figures = &json(place.path(), &arguments)["queries"][0];
            let names = ["games", "positions", "matching_games", "matching_positions"];
            let found = names.map(|name| figures[name].as_u64().expect("a number"));
            assert_eq!(found, expected, "{arguments}");
        }
    };
    check("mate", [800, 47_420, 220, 220]);
    check("tags", [800, 3_000, 60, 3_000]);
    check("none", [800, 0, 0, 0]);
    check("last", [3, 14, 1, 14]);
}

#[test]
fn figures_are_of_all_queries_in_their_order() {
    let place = place(&[("a.cql", "cql() mate"), ("b.cql", "cql() persistent X=1")]);
    let all = json(place.path(), "b a -i games.pgn --runs 3 --threads 2");
    assert_eq!(all["runs"], 3);
    assert_eq!(all["input"], "games.pgn");
    let [b, a] = all["queries"].as_array().expect("a list").as_slice() else {
        panic!("not two queries: {all}");
    };
    assert_eq!((&b["query"], &a["query"]), (&"b".into(), &"a".into()));
    // Persistent variables require one thread.
    assert_eq!((&b["threads"], &a["threads"]), (&1.into(), &2.into()));
    let size = fs::metadata(place.path().join("games.pgn")).expect("there");
    assert_eq!(a["bytes"], size.len());
    for name in ["wall_seconds", "games_per_second", "bytes_per_second"] {
        assert!(a[name].as_f64().is_some_and(|n| n > 0.0), "{name}: {a}");
    }
    if cfg!(target_os = "linux") {
        assert!(a["peak_memory_bytes"].as_u64().is_some_and(|n| n > 1 << 20), "{a}");
        assert!(a["cpu_seconds"].as_f64().is_some_and(|n| n > 0.0), "{a}");
    }
}

#[test]
fn games_come_from_several_inputs() {
    let place = place(&[("a.cql", "cql() mate")]);
    fs::create_dir(place.path().join("more")).expect("a directory");
    fs::copy(place.path().join("games.pgn"), place.path().join("more/b.pgn")).expect("copied");
    let all = json(place.path(), "a -i games.pgn -i more --runs 1");
    assert_eq!(all["input"], "2 files");
    assert_eq!(all["queries"][0]["games"], 1600);
    assert_eq!(all["queries"][0]["matching_games"], 440);
}

#[test]
fn the_table_has_a_row_for_each_query() {
    let place = place(&[("a.cql", "cql() mate"), ("b.cql", "cql() stalemate")]);
    let output = run(place.path(), "a.cql b.cql -i games.pgn --runs 1 --threads 1");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("games.pgn: 0.38 MB, "), "{text}");
    assert!(lines[1].starts_with("query ") && lines[1].ends_with("peak MiB"), "{text}");
    assert!(lines[2].starts_with("a ") && lines[3].ends_with("/220/220"), "{text}");
    assert!(lines[4].starts_with("b ") && lines[5].ends_with("/0/0"), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    let names: Vec<_> = fs::read_dir(place.path()).expect("there").collect();
    assert_eq!(names.len(), 3, "nothing is written");
}

#[test]
fn a_text_is_measured_like_a_file() {
    let place = place(&[]);
    let ran = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(["bench", "mate foo", "games.pgn", "--runs", "1"])
        .current_dir(place.path())
        .output()
        .expect("the program runs");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(err.contains("--> query:1:6"), "{err}");
    let ran = Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(["bench", "mate or stalemate or mate or mate", "games.pgn", "--runs", "1"])
        .current_dir(place.path())
        .output()
        .expect("the program runs");
    let text = String::from_utf8_lossy(&ran.stdout);
    assert!(text.contains("\nmate or stalema… ") && text.contains("/220/220\n"), "{text}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let place = place(&[
        ("good.cql", "cql() mate"),
        ("bad.cql", "cql() mat"),
        ("file.cql", "cql() writefile(\"out.txt\" \"x\")"),
    ]);
    let check = |arguments: &str, status: i32, expected: &str| {
        let output = run(place.path(), arguments);
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {err}");
        assert!(err.contains(expected), "{arguments}: {err}");
        assert!(output.stdout.is_empty(), "{arguments}");
    };
    check("good", 2, "no games to search");
    check("-i games.pgn", 2, "needs QUERY… GAMES");
    check("good -i games.pgn --runs 0", 2, "1 to 10000");
    check("good -i games.pgn --threads 0", 2, "1 to 4096");
    check("none.cql -i games.pgn", 1, "error: cannot read none.cql");
    check("good -i none.pgn", 1, "error: cannot read none.pgn");
    // Errors are reported before the first query runs.
    check("good bad -i games.pgn", 1, "unknown name `mat`");
    check("file -i games.pgn", 1, "error: measuring file: game 1: ");
    assert!(!place.path().join("out.txt").exists());
}

#[cfg(unix)]
#[test]
fn files_that_cannot_be_read_are_named() {
    let place = place(&[("mate.cql", "cql() mate"), ("check.cql", "cql() check")]);
    let folder = place.path().join("games");
    fs::create_dir(&folder).expect("made");
    fs::copy(GAMES, folder.join("b.pgn")).expect("copied");
    fs::write(folder.join("a.pgn"), b"\x89PNG\r\n\x1a\n").expect("written");
    std::os::unix::fs::symlink("nothing", folder.join("c.pgn")).expect("linked");
    let ran = run(place.path(), "mate.cql check.cql -i games --runs 2 --json");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(1), "{err}");
    for part in ["games/a.pgn: it is a PNG", "games/c.pgn: No such", "that cannot be read: 2\n"] {
        assert_eq!(err.matches(part).count(), 1, "{part}: {err}");
    }
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(
        (&report["queries"][0]["games"], &report["queries"][1]["games"]),
        (&40.into(), &40.into())
    );
    let ran = run(place.path(), "mate.cql -i games/a.pgn");
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(
        ran.status.code() == Some(1) && err.contains("error: cannot read games/a.pgn"),
        "{err}"
    );
}
