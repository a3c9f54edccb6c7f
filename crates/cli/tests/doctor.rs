//! `cql doctor` and `cql stats` as programs, and the table of damaged games in the manual.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use pgn::doctor::FindingKind;

const GAMES: &str = "\
[Event \"a\"]\n[White \"Smith, J\"]\n[Date \"2001.05.??\"]\n[Result \"1-0\"]\n\n1.  e4   e5 (1... c5) 1-0\n\n\n\
[Event \"b\"]\n[White \"Smith, J\"]\n[Date \"1999.??.??\"]\n[Result \"*\"]\n\n1. e4 Ke7 2. d4 *\n\n\
[Event \"c\"]\n[ECO \"B20\"]\n[Result \"*\"]\n\n1. e4 {never *\n\n\
[Event \"d\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4#0-1\n";

const REPAIRED: &str = "\
[Event \"a\"]\n[White \"Smith, J\"]\n[Date \"2001.05.??\"]\n[Result \"1-0\"]\n\n1.  e4   e5 (1... c5) 1-0\n\n\n\
[Event \"b\"]\n[White \"Smith, J\"]\n[Date \"1999.??.??\"]\n[Result \"*\"]\n\n1. e4 {Ke7 2. d4} *\n\n\
[Event \"c\"]\n[ECO \"B20\"]\n[Result \"*\"]\n\n1. e4 {never} *\n\n\
[Event \"d\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

fn place(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, text) in files {
        fs::write(dir.path().join(name), text).expect("written");
    }
    dir
}

fn cql(dir: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .stdin(Stdio::null())
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The doctor examines only PGN, so that nothing sends other formats to it.
#[test]
fn the_doctor_is_advised_for_games_that_it_examines() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n";
    let lines = [board, board, "8/8/8/8 w\n"].concat();
    let dir = place(&[("g.epd", lines.as_bytes()), ("g.pgn", GAMES.as_bytes())]);
    for command in ["stats", "tree", "dedup", "index -o x.cqa"] {
        let said = |file: &str| {
            let ran = cql(dir.path(), &format!("{command} {file}"));
            text(&ran.stdout) + &text(&ran.stderr)
        };
        let of_lines = said("g.epd");
        assert!(of_lines.contains("`cql GAMES -cql true --count` shows"), "{command}: {of_lines}");
        assert!(!of_lines.contains("cql doctor"), "{command}: {of_lines}");
    }
    let of_pgn = text(&cql(dir.path(), "stats g.pgn").stdout);
    assert!(of_pgn.contains("`cql doctor` shows where"), "{of_pgn}");
}

#[test]
fn faults_have_places_and_the_status_is_1() {
    let dir = place(&[("g.pgn", GAMES.as_bytes()), ("r.pgn", REPAIRED.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn");
    assert_eq!(ran.status.code(), Some(1));
    let out = text(&ran.stdout);
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("g.pgn:14:7: game 2 (byte 166): `Ke7` is illegal in "), "{out}");
    assert!(lines[0].ends_with("; no further move of the game is read"), "{out}");
    assert!(lines[1].starts_with("g.pgn:20:7: game 3 (byte 223): "), "{out}");
    assert!(lines[1].ends_with("the game is left out"), "{out}");
    assert!(
        lines[2].starts_with("g.pgn:25:20: game 4 (byte 280): no blank between sign and result"),
        "{out}"
    );
    assert_eq!(lines.last(), Some(&"4 games, 3 of them faulty"), "{out}");
    let summary = text(&cql(dir.path(), "doctor --summary g.pgn").stdout);
    assert!(!summary.contains("g.pgn:"), "{summary}");
    assert!(summary.contains("1         1  illegal move"), "{summary}");

    let ran = cql(dir.path(), "doctor r.pgn");
    assert_eq!(ran.status.code(), Some(0));
    assert_eq!(text(&ran.stdout), "4 games, no faults\n");
}

#[test]
fn what_follows_the_last_game_is_named_and_kept() {
    let game = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 *\n";
    let check = |rest: &str, new: &str, status: i32| {
        let dir = place(&[("a.pgn", format!("{game}{rest}").as_bytes())]);
        let ran = cql(dir.path(), "doctor a.pgn --repair new.pgn");
        assert_eq!(ran.status.code(), Some(status), "{}", text(&ran.stdout));
        let repaired = fs::read_to_string(dir.path().join("new.pgn")).expect("written");
        assert_eq!(repaired, format!("{game}{new}"));
        let named = text(&ran.stdout).contains(" (byte 35): text after");
        assert_eq!(named, status == 1, "{}", text(&ran.stdout));
    };
    check("\n{c}\n{d}\n", "\n; {c}\n; {d}\n", 1);
    check("\nконец\n", "\n\n; конец\n", 1);
    check("\n% a line\n; another\n", "\n% a line\n; another\n", 0);
}

/// A game with as many faults as the doctor looks for, all on one line.
#[test]
fn many_faults_of_a_line_take_no_longer_than_as_many_lines() {
    let variations = |between: &str| -> Vec<u8> {
        let all = format!("(1... c5 1-0){between}").repeat(15_000);
        format!("[Event \"a\"]\n[Result \"*\"]\n\n1. e4 e5 {all}*\n").into_bytes()
    };
    let dir = place(&[("one.pgn", &variations(" ")), ("many.pgn", &variations("\n"))]);
    let time = |name: &str| {
        let start = std::time::Instant::now();
        let out = text(&cql(dir.path(), &format!("doctor {name}")).stdout);
        assert!(out.contains("15000         1  text after the result"), "{out}");
        start.elapsed()
    };
    let (many, one) = (time("many.pgn"), time("one.pgn"));
    assert!(one < 10 * many, "{one:?}, {many:?}");
}

#[test]
fn games_are_apart_in_the_repaired_file() {
    let games = "  [Event \"a\"]\n\n1. e4 1-0\n[Event \"b\"]\n\n1. d4 {never\n[Event \"c\"]\n*\n[Event \"d\"]\n\n1. c4";
    let tag_results = games.replace("\"]", "\"]\n[Result \"*\"]").replace("1-0", "*");
    let dir = place(&[("a.pgn", tag_results.as_bytes()), ("b.pgn", tag_results.as_bytes())]);
    let ran = cql(dir.path(), "doctor a.pgn b.pgn --repair new.pgn");
    assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stderr));
    let repaired = fs::read_to_string(dir.path().join("new.pgn")).expect("written");
    let tags = |event: &str| format!("[Event \"{event}\"]\n[Result \"*\"]\n\n");
    let [a, b, c, d] = ["a", "b", "c", "d"].map(tags);
    let file = format!("  \n{a}1. e4 *\n\n{b}1. d4 {{never}} *\n\n{c}*\n\n{d}1. c4 *");
    assert_eq!(repaired, format!("{file}\n\n{file}"));
    let ran = cql(dir.path(), "doctor new.pgn");
    assert_eq!(text(&ran.stdout), "8 games, no faults\n");
}

#[test]
fn the_report_is_printed_for_programs_as_well() {
    let dir = place(&[
        ("g.pgn", GAMES.as_bytes()),
        ("r.pgn", REPAIRED.as_bytes()),
        ("old.pgn", REPAIRED.replace('\n', "\r").as_bytes()),
    ]);
    let report = |line: &str, status: i32| -> serde_json::Value {
        let ran = cql(dir.path(), &format!("doctor --json {line}"));
        assert_eq!(ran.status.code(), Some(status), "{line}");
        serde_json::from_slice(&ran.stdout).expect("JSON")
    };
    let all = report("g.pgn old.pgn missing.pgn", 1);
    assert_eq!(
        all["remarks"][1],
        serde_json::json!({
            "file": "g.pgn", "line": 20, "column": 7, "game": 3, "byte": 223,
            "fault": "comment never closed", "what": "comment never closed, game skipped",
            "done": "the game is left out",
        })
    );
    assert_eq!(
        all["remarks"][3],
        serde_json::json!({
            "file": "old.pgn", "line": 1, "column": 1, "byte": 0, "fault": "line end of CR alone",
            "what": "all lines end with CR alone", "done": "read as line ends",
        })
    );
    assert_eq!(all["remarks"].as_array().map(Vec::len), Some(4), "{all}");
    for (name, expected) in [
        ("files", 2),
        ("files_not_read", 1),
        ("games", 8),
        ("faulty_games", 3),
        ("games_not_repaired", 0),
    ] {
        assert_eq!(all[name], expected, "{name}: {all}");
    }
    assert_eq!(all["repaired"], serde_json::Value::Null);
    let illegal = serde_json::json!({ "name": "illegal move", "count": 1, "games": 1 });
    let faults = all["faults"].as_array().expect("a list");
    assert!(faults.contains(&illegal), "{all}");

    let repaired = report("g.pgn --repair new.pgn", 1);
    assert_eq!(repaired["repaired"], "new.pgn");
    let done = repaired["remarks"][0]["done"].as_str().expect("a text");
    assert!(done.starts_with("repaired: "), "{done}");
    assert_eq!(report("r.pgn", 0)["remarks"], serde_json::json!([]));
    let sums = report("g.pgn --summary", 1);
    assert_eq!((&sums["games"], sums.get("remarks")), (&4.into(), None));
}

#[test]
fn a_repaired_file_differs_only_where_it_was_said() {
    let dir = place(&[("g.pgn", GAMES.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stdout).ends_with("\nwrote r.pgn\n"), "{}", text(&ran.stdout));
    let repaired = fs::read(dir.path().join("r.pgn")).expect("written");
    assert_eq!(text(&repaired), REPAIRED);
    assert_eq!(fs::read(dir.path().join("g.pgn")).expect("kept"), GAMES.as_bytes());
}

#[test]
fn the_input_is_never_overwritten() {
    let dir = place(&[("g.pgn", GAMES.as_bytes())]);
    for target in ["g.pgn", "./g.pgn"] {
        let ran = cql(dir.path(), &format!("doctor g.pgn --repair {target}"));
        assert_eq!(ran.status.code(), Some(1));
        assert!(text(&ran.stderr).contains("would overwrite the input"), "{target}");
    }
    assert_eq!(fs::read(dir.path().join("g.pgn")).expect("kept"), GAMES.as_bytes());
    let ran = cql(dir.path(), "doctor none.pgn --repair r.pgn");
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stderr).contains("cannot read none.pgn"));
    assert!(!dir.path().join("r.pgn").exists(), "nothing was complete");
}

#[test]
fn games_that_cannot_be_repaired_are_kept() {
    let long = format!("[Event \"l\"]\n[Result \"*\"]\n\n{}*\n\n", "-- {much} ".repeat(120_000));
    // A comment without an end that is longer than a game may be.
    let open = format!("[Event \"o\"]\n[Result \"*\"]\n\n1. e4 {{{}\n\n", "much ".repeat(700_000));
    let clean = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 *\n\n";
    let games = format!("{clean}{long}{clean}{open}{clean}");
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    for place in ["6:1: game 2 (byte 35)", "16:1: game 4 (byte 1200099)"] {
        let kept = format!("g.pgn:{place}: cannot be repaired completely; the game is kept");
        assert!(out.contains(&kept), "{out}");
    }
    assert!(out.ends_with("; 2 could not be repaired completely and still have faults\n"), "{out}");
    let repaired = fs::read(dir.path().join("r.pgn")).expect("written");
    assert!(text(&repaired) == games, "{} {}", repaired.len(), games.len());
}

#[test]
fn what_only_other_programs_refuse_is_named() {
    let games = "[Variant \"Foo\"]\n[Result \"*\"]\n\n1. e4 K@e5 *\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4Q3/4K3 w - - 0 1\"]\n[Result \"*\"]\n\n1. Kd2 *\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4Q3/4K3 b - - 0 1\"]\n[Result \"*\"]\n\n1... Kd7 *\n";
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    assert_eq!(ran.status.code(), Some(1), "{out}");
    assert!(
        out.contains("g.pgn:4:7: game 1 (byte 36): `K@` is neither a move nor an annotation"),
        "{out}"
    );
    assert!(
        out.contains("game 2 (byte 56): Black is in check, and it is not Black's turn"),
        "{out}"
    );
    assert!(!out.contains("game 3"), "{out}");
    assert_eq!(text(&fs::read(dir.path().join("r.pgn")).expect("written")), games);
}

/// The scanner sees two games, the reader one: the game goes on after a result in a variation.
#[test]
fn a_game_that_was_cut_in_two_is_joined() {
    let games = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 (1... c5 1-0 ) 2. Nf3 (2. f4 * ) 2... Nc6 1-0\n\n\
        [Event \"b\"]\n[Result \"*\"]\n\n1. d4 *\n";
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    assert!(out.contains("game 2 (byte 50): the game before goes on"), "{out}");
    let repaired = text(&fs::read(dir.path().join("r.pgn")).expect("written"));
    let expected = games.replace(" 1-0 )", " {1-0} )").replace(" * )", " {*} )");
    assert_eq!(repaired, expected);
}

#[test]
fn encodings_and_line_ends() {
    let utf16: Vec<u8> = GAMES.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let clean = REPAIRED.replace('\n', "\r");
    let dir = place(&[("utf16.pgn", &utf16), ("old.pgn", clean.as_bytes())]);
    fs::write(dir.path().join("g.pgn"), GAMES).expect("written");
    for command in ["doctor --json", "stats --json"] {
        let of = |name: &str| {
            let ran = cql(dir.path(), &format!("{command} {name}"));
            let out = text(&ran.stdout).replace(name, "");
            // Everything but the size is as for UTF-8.
            let lines = out.lines().filter(|line| !line.contains("bytes"));
            (ran.status.code(), lines.collect::<Vec<_>>().join("\n"))
        };
        assert_eq!(of("utf16.pgn"), of("g.pgn"), "{command}");
    }
    let ran = cql(dir.path(), "doctor old.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    assert!(out.starts_with("old.pgn:1:1: all lines end with CR alone"), "{out}");
    assert_eq!(ran.status.code(), Some(1));
    let repaired = fs::read(dir.path().join("r.pgn")).expect("written");
    assert_eq!(text(&repaired), REPAIRED);
}

#[test]
fn statistics() {
    let dir = place(&[("g.pgn", GAMES.as_bytes()), ("empty.pgn", b"")]);
    let ran = cql(dir.path(), "stats --json g.pgn empty.pgn");
    // A game is left out.
    assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stderr));
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let check = |field: &str, want: serde_json::Value| {
        assert_eq!(report[field], want, "{field}");
    };
    check("files", 2.into());
    check("games", 4.into());
    check("games_left_out", 1.into());
    check("bytes", GAMES.len().into());
    check("plies", 7.into());
    check("variations", 1.into());
    check("first_date", "1999.??.??".into());
    check("last_date", "2001.05.??".into());
    check("faulty_games", 3.into());
    check("distinct_players", 1.into());
    assert_eq!(report["players"][0]["name"], "Smith, J");
    assert_eq!(report["players"][0]["count"], 2);
    assert_eq!(report["results"][0]["count"], 1);
    assert_eq!(report["tags"][0]["name"], "Event");
    let table = text(&cql(dir.path(), "stats g.pgn").stdout);
    assert!(table.contains("1999.??.?? to 2001.05.??"), "{table}");
    assert!(table.contains("         1  illegal move"), "{table}");
    let empty = cql(dir.path(), "stats empty.pgn");
    assert_eq!(empty.status.code(), Some(0));
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(text).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn statistics_are_the_same_for_any_packing_and_threads() {
    let many = GAMES.repeat(300);
    let dir = place(&[("g.pgn", many.as_bytes()), ("p.pgn.gz", &gzip(many.as_bytes()))]);
    fs::create_dir(dir.path().join("d")).expect("a directory");
    let parts = [("a.pgn", 100), ("b.pgn", 200)];
    for (name, n) in parts {
        fs::write(dir.path().join("d").join(name), GAMES.repeat(n)).expect("written");
    }
    let stats = |line: &str| {
        let ran = cql(dir.path(), &format!("stats --json {line}"));
        // Games are left out.
        assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stderr));
        let mut report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
        report["files"] = 0.into();
        report
    };
    let expected = stats("g.pgn --threads 1");
    assert_eq!(expected["games"], 1200);
    assert_eq!(expected["games_left_out"], 300);
    assert_eq!(expected["faulty_games"], 900);
    for line in ["g.pgn --threads 5", "p.pgn.gz", "d", "d/*.pgn --threads 3"] {
        assert_eq!(stats(line), expected, "{line}");
    }
}

#[test]
fn statistics_of_puzzles_and_of_what_cannot_be_read() {
    let puzzles = "PuzzleId,FEN,Moves\n\
        a,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e2 e8e7\n\
        b,4k3/8/8/8/8/8/8/4K3 w - - 0 1,e1e8\n";
    let dir = place(&[("p.csv", puzzles.as_bytes()), ("bad.pgn", b"\x89PNG\r\n\x1a\n")]);
    let ran = cql(dir.path(), "stats --json p.csv bad.pgn");
    assert_eq!(ran.status.code(), Some(1));
    assert!(text(&ran.stderr).contains("cannot read bad.pgn: it is a PNG picture"));
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(report["games"], 2);
    assert_eq!(report["games_left_out"], 1);
    assert_eq!(report["plies"], 2);
    assert_eq!(report["games_from_fen"], 1);
    assert_eq!(report["faults"][0]["name"], "line without a puzzle or position");
    let ran = cql(dir.path(), "stats bad.pgn");
    assert_eq!(ran.status.code(), Some(1));
    assert!(ran.stdout.is_empty());
}

#[test]
fn packed_games_are_repaired_into_one_plain_file() {
    let clean = "[Event \"z\"]\n[Result \"*\"]\n\n1. e4 *";
    let dir = place(&[
        ("a.pgn.gz", &gzip(GAMES.as_bytes())),
        ("b.pgn", format!("\u{feff}{clean}").as_bytes()),
    ]);
    let ran = cql(dir.path(), "doctor a.pgn.gz b.pgn --repair all.pgn");
    let out = text(&ran.stdout);
    assert_eq!(ran.status.code(), Some(1), "{out}");
    assert!(out.starts_with("a.pgn.gz:14:7: game 2 "), "{out}");
    let repaired = fs::read(dir.path().join("all.pgn")).expect("written");
    assert_eq!(text(&repaired), format!("{REPAIRED}\n\n{clean}"));
    let ran = cql(dir.path(), "doctor all.pgn");
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stdout));
}

#[test]
fn a_cut_archive_gives_what_it_holds() {
    let packed = gzip(GAMES.repeat(2000).as_bytes());
    let dir = place(&[("cut.pgn.gz", &packed[..packed.len() / 2])]);
    let ran = cql(dir.path(), "doctor --summary cut.pgn.gz --repair r.pgn");
    assert_eq!(ran.status.code(), Some(1));
    let err = text(&ran.stderr);
    assert!(err.contains("cut.pgn.gz: the gzip data are cut off"), "{err}");
    assert!(err.contains("games before that"), "{err}");
    let ran = cql(dir.path(), "doctor r.pgn");
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stdout));
}

#[test]
fn the_doctor_says_what_it_cannot_examine() {
    let dir = place(&[
        ("g.pgn", GAMES.as_bytes()),
        ("p.csv", b"PuzzleId,FEN,Moves\n"),
        ("none.pgn", b"\n"),
    ]);
    let ran = cql(dir.path(), "doctor p.csv g.pgn none.pgn missing.pgn");
    assert_eq!(ran.status.code(), Some(1));
    let err = text(&ran.stderr);
    assert!(err.contains("cannot read p.csv: it holds puzzles, positions or JSON"), "{err}");
    assert!(err.contains("none.pgn: contains no games"), "{err}");
    assert!(err.contains("cannot read missing.pgn: "), "{err}");
    assert!(text(&ran.stdout).ends_with("4 games, 3 of them faulty\n"));
    let ran = cql(dir.path(), "doctor p.csv");
    assert_eq!(ran.status.code(), Some(1));
    assert!(ran.stdout.is_empty());
    // A new file that lacks a whole input would look complete.
    let ran = cql(dir.path(), "doctor g.pgn missing.pgn --repair r.pgn");
    assert_eq!(ran.status.code(), Some(1));
    assert!(!dir.path().join("r.pgn").exists());
}

#[test]
fn the_table_of_the_manual_is_true() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/damaged-games.md");
    let page = fs::read_to_string(page).expect("the page is there");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| ")).skip(2).collect();
    let want: Vec<String> = FindingKind::all()
        .map(|kind| format!("| {kind} | {} | {} |", kind.reading(), kind.repair()))
        .collect();
    assert_eq!(rows, want, "the table should be:\n{}", want.join("\n"));
}

/// Text after a result belongs to that game, which may have no other fault.
#[test]
fn text_behind_a_result_goes_before_it() {
    let games = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0 {Black resigns}\n\n\
        [Event \"b\"]\n[Result \"1-0\"]\n\n1. d4 d5 1-0 2. c4 *\n\n\
        [Event \"c\"]\n[Result \"*\"]\n\n1. c4 * ; note\n";
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    for what in ["`{Black resigns}`", "`2. c4 *`", "`; note`"] {
        let found = format!("text after the result of the game before: {what}");
        assert!(out.contains(&found), "{out}");
    }
    let repaired = text(&fs::read(dir.path().join("r.pgn")).expect("written"));
    assert_eq!(
        repaired,
        "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 {Black resigns} 1-0\n\n\
        [Event \"b\"]\n[Result \"1-0\"]\n\n1. d4 d5 {2. c4 *} 1-0\n\n\
        [Event \"c\"]\n[Result \"*\"]\n\n1. c4 {note} *\n"
    );
    let ran = cql(dir.path(), "doctor r.pgn");
    assert!(ran.status.success(), "{}", text(&ran.stdout));
}

/// A search skips the word and reads on: the doctor keeps that reading, and says why.
#[test]
fn what_a_search_reads_is_kept() {
    let games = "[Event \"a\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n[Result \"*\"]\n\n\
        1. O-O-O R]xh1 2. Rxh1 *\n";
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
    let out = text(&ran.stdout);
    let kept =
        "cannot be repaired completely: without an unreadable word, other moves would be read";
    assert!(out.contains(kept), "{out}");
    let repaired = text(&fs::read(dir.path().join("r.pgn")).expect("written"));
    assert_eq!(repaired, games);
}

/// Every fault that a message calls repaired is repaired: a second repair finds nothing to do.
#[test]
fn no_repair_is_claimed_that_was_not_made() {
    let start = "[Event \"a\"]\n[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n[Result \"*\"]\n\n";
    let impossible =
        "[Event \"b\"]\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Result \"*\"]\n\n1. e4 *";
    let games = format!("{start}1. O-O-O R]xh1 2. Rxh1 Kd7 *\n\n{impossible} {{late}}\n");
    let dir = place(&[("g.pgn", games.as_bytes())]);
    let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn --json");
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    let remarks = report["remarks"].as_array().expect("a list");
    let said = |name: &str| -> Vec<String> {
        let of = |remark: &serde_json::Value| remark[name].to_string().replace('"', "");
        remarks.iter().map(of).collect()
    };
    let expected = [
        "unreadable word in place of a move",
        "illegal move",
        "not repaired",
        "invalid FEN",
        "not repaired",
        "text that is no game",
    ];
    assert_eq!(said("fault"), expected, "{report:#}");
    let is_made: Vec<bool> =
        said("done").iter().map(|done| done.starts_with("repaired: ")).collect();
    assert_eq!(is_made, [false, true, false, false, false, true], "{report:#}");
    assert_eq!(said("line"), ["5", "1", "1", "8", "7", "11"], "{report:#}");
    assert_eq!(said("column"), ["10", "1", "1", "1", "1", "8"], "{report:#}");
    let repaired = text(&fs::read(dir.path().join("r.pgn")).expect("written"));
    assert!(repaired.contains("R]xh1 2. Rxh1 {Kd7} *"), "{repaired}");
    cql(dir.path(), "doctor r.pgn --repair again.pgn");
    assert_eq!(text(&fs::read(dir.path().join("again.pgn")).expect("written")), repaired);
}

/// A search skips these texts at the ends of a file; other programs see a game there.
#[test]
fn what_stands_at_the_ends_of_a_file() {
    let game = "[Event \"a\"]\n[Result \"*\"]\n\n1. e4 *\n";
    for (before, after, new_before, new_after) in [
        ("\u{200b}", "", "\n", ""),
        ("\u{feff}\u{feff}", "", "\u{feff}\n", ""),
        ("\u{feff}", "\0\0", "\u{feff}", "  "),
        ("éö", "", "; éö\n", ""),
    ] {
        let dir = place(&[("g.pgn", format!("{before}{game}{after}").as_bytes())]);
        let ran = cql(dir.path(), "doctor g.pgn --repair r.pgn");
        assert_eq!(ran.status.code(), Some(1), "{}", text(&ran.stdout));
        let repaired = text(&fs::read(dir.path().join("r.pgn")).expect("written"));
        assert_eq!(repaired, format!("{new_before}{game}{new_after}"));
        let ran = cql(dir.path(), "doctor r.pgn");
        assert!(ran.status.success(), "{}", text(&ran.stdout));
    }
}
