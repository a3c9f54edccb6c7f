//! External programs for queries: correct, late, dead or lying ones.
#![cfg(unix)]

mod support;

use std::fs;
use std::process::Command;

use support::Place;

/// Answers with the ply; the answer at ply 1 is invalid.
const COUNTING: &str = r#"#!/bin/sh
while read -r line; do
  echo "$line" >> asked
  ply=${line#*\"ply\":}
  ply=${ply%%[,\}]*}
  case $ply in
    1) echo '{"a": 1}' ;;
    *) echo "$ply" ;;
  esac
done
"#;

/// An engine that prefers the king's pawn, and looks deeper with a higher limit.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
    uci) echo "id name Fake 1"; echo "option name Threads type spin"
      echo "option name Hash type spin"; echo uciok ;;
    setoption*) echo "$line" >> options ;;
    isready) echo readyok ;;
    position*) fen=${line#position fen } ;;
    go*)
      echo "$line $fen" >> asked
      echo "info depth 1 score cp 5"
      echo "info depth 2 score cp ${line##* }"
      echo "bestmove e2e4 ponder e7e5" ;;
    quit) exit ;;
  esac
done
"#;

const GAMES: &str = "[Event \"a\"]\n\n1.e4 e5 *\n\n[Event \"b\"]\n\n1.e4 e5 *\n";

fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", GAMES);
    for (name, text) in [
        ("count", COUNTING),
        ("fish", ENGINE),
        ("dead", "#!/bin/sh\nexit 7\n"),
        ("late", "#!/bin/sh\nread -r line; exec sleep 60\n"),
        ("loud", "#!/bin/sh\nwhile read -r line; do yes no | head -40000 >&2; echo 1; done\n"),
        ("liar", "#!/bin/sh\nwhile read -r line; do echo hm; done\n"),
    ] {
        place.write_script(name, text);
    }
    place
}

/// Counts the occurrences of a text in the messages.
fn n_times(text: &str, what: &str) -> usize {
    text.matches(what).count()
}

#[test]
fn a_program_is_told_the_position() {
    let place = new();
    let filter = "commandpipe(\"p\" event \" \" 3) == \"2\" comment(\"two\")";
    let options = ["-pipe", "p=./count", "-pipetimeout", "600", "-s"];
    let ran = place.cql(&[&["g.pgn", "-cql", filter][..], &options].concat());
    // The invalid second answer is reported once, and makes the run fail.
    assert_eq!(n_times(&ran.err, "does not answer with a string"), 1, "{}", ran.err);
    assert_eq!(ran.status, Some(1));
    let asked = place.read("asked");
    let mut lines = asked.lines();
    let first = lines.next().expect("a question");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(first, format!(r#"{{"game":1,"ply":0,"fen":"{start}","args":["a"," ","3"]}}"#));
    assert_eq!(asked.lines().count(), 6);
    assert!(ran.out.contains("2 matches of 2 games"), "{}", ran.out);
}

#[test]
fn programs_that_do_not_answer_are_reported_once() {
    for (command, seconds, said) in [
        ("p=./dead", "600", "ended without an answer (exit status: 7)"),
        ("p=./late", "1", "does not answer within 1 s"),
        ("p=yes", "600", "does not answer with a string"),
        ("p=cat /dev/zero", "600", "sends an endless line"),
        ("p=./liar", "600", "does not answer with a string"),
    ] {
        let place = new();
        let filter = "commandpipe(\"p\") or ply == 2";
        let options = ["-pipe", command, "-pipetimeout", seconds, "-s"];
        let ran = place.cql(&[&["g.pgn", "-cql", filter][..], &options].concat());
        assert_eq!(n_times(&ran.err, said), 1, "{command}: {}", ran.err);
        assert_eq!(n_times(&ran.err, "commandpipe \"p\""), 1, "{}", ran.err);
        assert!(ran.out.contains("2 matches of 2 games"), "{}", ran.out);
        assert_eq!(ran.status, Some(1));
    }
}

#[test]
fn complaints_of_a_program_are_passed_on() {
    let place = new();
    let line = "g.pgn -cql commandpipe(\"p\") -pipe p=./loud -pipetimeout 600 -threads 1";
    let ran = place.run(line);
    assert!(ran.out.contains("2 matches of 2 games"), "{}", ran.out);
    assert_eq!(ran.status, Some(0));
    assert!(ran.err.starts_with("no\n"), "{}", ran.err);
    assert!(ran.err.contains("further messages of this program are not shown"));
    assert!(ran.err.len() < 100_000);
}

#[test]
fn options_about_programs_that_nobody_asks_are_reported() {
    let place = new();
    place.write("q.cql", "cql() mate\n");
    place.write("r.cql", "cql() check\n");
    let check = |line: &str, said: &[&str]| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        assert_eq!(n_times(&ran.err, "has no effect"), said.len(), "{line}: {}", ran.err);
        for said in said {
            assert!(ran.err.contains(said), "{line}: {}", ran.err);
        }
    };
    let engine = "-engine has no effect: the query does not ask the engine by `engine`\n";
    check("g.pgn -cql ply==1 -engine ./fish -engineoption Hash=1", &[engine]);
    let pipe = "-pipe b has no effect: the query does not ask it by `commandpipe(\"b\")`\n";
    check("g.pgn -cql commandpipe(\"a\")~~\".\" -pipe a=./count -pipe b=./dead -s -g 9", &[pipe]);
    let tables = "-tablebases has no effect: the query does not read tables by `tablebase`\n";
    check("g.pgn -cql ply==1 -tablebases . -pipe b=./dead", &[tables, pipe]);
    let none = "-engine has no effect: no query asks the engine by `engine`\n";
    check("run q.cql r.cql g.pgn --engine ./fish", &[none]);
    check("run q.cql g.pgn --engine ./fish", &[engine]);
    assert!(!place.path("asked").exists());
}

/// Endless outputs of an engine in place of an answer, each with the message about it.
const FLOODS: [(&str, &str, &str); 7] = [
    ("uci", "exec yes option name A type spin", "does not answer within 1 s; expected 'uciok'"),
    ("uci", "exec tr '\\0' x < /dev/zero", "sends an endless line; expected 'uciok'"),
    ("uci", "sleep 1000 & exec yes no >&2", "does not answer within 1 s; expected 'uciok'"),
    (
        "uci",
        "exec >&-; exec sleep 1000",
        "ended without an answer (its output is closed); expected 'uciok'",
    ),
    ("isready", "exec sleep 1000", "does not answer within 1 s; expected 'readyok'"),
    ("isready", "exec yes info string x", "does not answer within 1 s; expected 'readyok'"),
    (
        "go*",
        "exec yes info depth 1 score cp 5 pv e2e4",
        "does not answer within 1 s; expected 'bestmove'",
    ),
];

#[test]
fn an_engine_takes_no_more_than_its_time() {
    for (word, what, said) in FLOODS {
        let place = new();
        // The engine checks for this word first.
        let head = format!("case $line in\n    {word}) {what} ;;\n");
        place.write_script("flood", &ENGINE.replacen("case $line in\n", &head, 1));
        // A quarter of the output of one of them in that time.
        let ran = place.shell(
            "ulimit -v 1000000; cql -i g.pgn -cql 'engine (depth 5) > 0' -o o.pgn -threads 1 \
             -engine ./flood -enginetimeout 1",
        );
        let all = format!("{}{}", ran.out, ran.err);
        assert!(all.contains("the engine ./flood"), "{what}: {all}");
        assert!(all.contains(said), "{what}: {all}");
        assert_eq!(ran.status, Some(1), "{what}");
        assert!(all.len() < 100_000);
    }
}

#[test]
fn an_engine_that_floods_ends_with_the_run() {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    if !Command::new(&python).arg("--version").output().is_ok_and(|o| o.status.success()) {
        eprintln!("skipped: there is no {python}");
        return;
    }
    let place = new();
    place.write("flood.py", include_str!("attacks/engine-flood.py"));
    let ran = place.shell(&format!(
        "ulimit -v 1000000; cql -cql 'engine (depth 5) > 0' -i g.pgn -o o.pgn \
         -engine '{python} flood.py' -enginetimeout 2"
    ));
    assert!(ran.out.contains("does not answer within 2 s"), "{}", ran.out);
    assert_eq!(ran.status, Some(1));
    assert!(!place.path("o.pgn").exists());
}

#[test]
fn what_cannot_be_asked_is_said_before_the_first_game() {
    let place = new();
    let pipe = "commandpipe(\"p\")";
    let engine = "engine (depth 1)";
    for (filter, options, said) in [
        (pipe, &[][..], "-pipe p=COMMAND"),
        (pipe, &["-pipe", "q=./count"], "-pipe p=COMMAND"),
        (pipe, &["-pipe", "p=./nothing"], "cannot start ./nothing"),
        (pipe, &["-pipe", "p=./count", "-secure"], "--secure forbids"),
        (engine, &[], "-engine COMMAND"),
        (engine, &["-engine", "./nothing"], "cannot be started"),
        (engine, &["-engine", "./dead"], "ended without an answer"),
        (engine, &["-engine", "./fish", "-secure"], "--secure forbids"),
        (engine, &["-engine", "./fish", "-enginestore", "g.pgn"], "not a store of engine answers"),
        (
            engine,
            &["-engine", "./fish", "-engineoption", "Hush=32"],
            "the engine ./fish has no such option: Hush",
        ),
        ("check", &["-pipe", "p"], "a name, '=' and a value"),
        ("check", &["-pipe", "a b=c"], "letters, digits"),
        ("check", &["-pipetimeout", "0"], "from 1 to 86400"),
    ] {
        let ran = place.cql(&[&["g.pgn", "-cql", filter, "-o", "o.pgn"][..], options].concat());
        assert!(ran.out.contains(said), "{filter} {options:?}: {}", ran.out);
        assert_eq!(ran.status, Some(1));
        assert!(!place.path("o.pgn").exists());
    }
    assert!(!place.path("asked").exists());
}

#[test]
fn an_engine_is_asked_once_for_each_position() {
    let place = new();
    let filter = "engine (depth 7) == 7 engine to (depth 7) == e4 engine (nodes 9) == 9";
    let options = ["-engine", "./fish", "-engineoption", "Hash=32", "-s"];
    let line = [&["g.pgn", "-cql", filter][..], &options, &["-enginestore", "kept"]].concat();
    let ran = place.cql(&line);
    // White is to move at the start and after 1.e4 e5; the score of Black has the other sign.
    assert!(ran.out.contains("2 matches of 2 games"), "{}{}", ran.out, ran.err);
    assert_eq!(ran.status, Some(0));
    assert_eq!(place.read("asked").lines().count(), 5);
    let set = "setoption name Threads value 1\nsetoption name Hash value 32\n";
    assert_eq!(place.read("options"), set);
    fs::remove_file(place.path("asked")).expect("removed");
    let again = place.cql(&line);
    assert_eq!(again.status, Some(0));
    assert!(again.out.contains("2 matches of 2 games"));
    assert!(!place.path("asked").exists(), "all of it is in the store");
    // An engine with other options may answer differently.
    let mut other = line;
    other[6] = "Hash=64";
    assert_eq!(place.cql(&other).status, Some(0));
    assert_eq!(place.read("asked").lines().count(), 5);
}

#[test]
fn an_engine_is_asked_without_impossible_castling_rights() {
    let place = new();
    let game = "[FEN \"4k3/8/8/8/8/8/8/4K2R w KQkq - 0 9\"]\n\n*\n";
    place.write("g.pgn", game);
    let asked = "go depth 7 4k3/8/8/8/8/8/8/4K2R w K - 0 1\n";
    let ran = place.run("annotate g.pgn -engine ./fish -depth 7 -o o.pgn");
    assert_eq!((ran.status, place.read("asked").as_str()), (Some(0), asked), "{ran:?}");
    let said = "the engine ./fish is asked without castling rights that the pieces do not allow, \
                as in 4k3/8/8/8/8/8/8/4K2R w KQkq - 0 9";
    assert!(ran.err.contains(said), "{ran:?}");
    fs::remove_file(place.path("asked")).expect("removed");
    let ran = place.cql(&["g.pgn", "-cql", "engine (depth 7) == 7", "-engine", "./fish", "-s"]);
    assert_eq!((ran.status, place.read("asked").as_str()), (Some(0), asked), "{ran:?}");
}

#[test]
fn no_output_replaces_the_store() {
    let place = new();
    place.write("q.cql", "cql() engine (depth 7) == 7");
    for line in ["q.cql -i g.pgn -o kept.csv", "run q.cql g.pgn -o kept.csv"] {
        for _ in 0..2 {
            let ran = place.run(&format!("{line} --force -engine ./fish -enginestore kept.csv"));
            assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
            let all = format!("{}{}", ran.out, ran.err);
            assert!(all.contains("would overwrite the input: kept.csv"), "{line}: {ran:?}");
            assert!(place.read("kept.csv").starts_with("# what engines said"), "{line}");
        }
        fs::remove_file(place.path("kept.csv")).expect("removed");
    }
}

/// An engine with several lines and chances. Line `n` is `n` times as bad.
const LINES: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
    uci) echo "id name Lines 1"; echo "option name MultiPV type spin default 1"
      echo "option name UCI_ShowWDL type check"; echo uciok ;;
    *MultiPV*) lines=${line##* } ;;
    *ShowWDL*) wdl=" wdl 600 300 100" ;;
    isready) echo readyok ;;
    go*)
      echo "$line lines ${lines:-1}" >> asked
      echo "info depth 1 multipv 1 score cp 60$wdl pv e2e4 e7e5 g1f3"
      if [ "${lines:-1}" -gt 1 ]; then
        echo "info depth 1 multipv 2 score cp 30$wdl pv d2d4 d7d5"
      fi
      echo "bestmove e2e4" ;;
    quit) exit ;;
  esac
done
"#;

#[test]
fn an_engine_gives_several_lines() {
    let place = new();
    place.write_script("lines", LINES);
    let start = "engine (depth 5 multipv 3) == 60 engine (depth 5 multipv 3 line 2) == 30 \
                 engine bestmove (depth 5 line 2) == \"d2d4\" \
                 not engine (depth 5 multipv 3 line 3) engine (depth 5) == 60 \
                 engine pv (depth 5 multipv 3 line 2) == \"d4 d5\" \
                 engine pv (depth 5) == \"e4 e5 Nf3\" \
                 engine wdl win (depth 5) == 600 engine wdl draw (depth 5) == 300 \
                 engine wdl loss (depth 5) == 100";
    let options = ["-engine", "./lines", "-enginestore", "kept", "-threads", "1"];
    let line = [&["g.pgn", "-cql", start][..], &options].concat();
    for _ in 0..2 {
        let ran = place.cql(&line);
        assert!(ran.out.contains("2 matches of 2 games"), "{ran:?}");
        assert_eq!((ran.status, &*ran.err), (Some(0), ""));
        // Once for each number of lines: after 1.e4 the first filter fails, and after 1...e5 the
        // line of the engine is not legal.
        let asked = place.read("asked");
        let count = |n: u32| n_times(&asked, &format!("go depth 5 lines {n}"));
        assert_eq!([count(1), count(2), count(3)], [2, 2, 3], "{asked}");
    }
    // A store with scores alone lacks moves, so the program asks the engine for them.
    place.write("asked", "");
    fs::remove_file(place.path("kept")).expect("removed");
    for (filter, n_asked) in [
        ("engine (depth 5) == 60", 3),
        ("initial engine pv (depth 5) == \"e4 e5 Nf3\"", 4),
        ("initial engine (depth 5) == 60", 4),
        ("initial engine wdl win (depth 5) == 600", 5),
    ] {
        let ran = place.cql(&[&["g.pgn", "-cql", filter][..], &options].concat());
        assert!(ran.out.contains("2 matches of 2 games"), "{filter}: {ran:?}");
        assert_eq!(place.read("asked").lines().count(), n_asked, "{filter}");
    }
}

#[test]
fn an_engine_must_have_the_options_of_the_query() {
    let place = new();
    for (filter, option) in [
        (
            "engine (depth 1 line 2)",
            "MultiPV, which `multipv` and `line` of a query, exercises and the studio need",
        ),
        ("engine wdl win (depth 1) > 500", "UCI_ShowWDL, which `wdl` of a query need"),
    ] {
        let ran = place.cql(&["g.pgn", "-cql", filter, "-engine", "./fish", "-o", "o.pgn"]);
        let said = format!("the engine ./fish has no option {option}");
        assert!(ran.out.contains(&said), "{ran:?}");
        assert_eq!(ran.status, Some(1));
        assert!(!place.path("asked").exists() && !place.path("o.pgn").exists());
    }
}

#[test]
fn every_thread_asks_for_itself() {
    let place = new();
    let games: String = (0..200).map(|_| GAMES).collect();
    place.write("many.pgn", &games);
    let filter = "engine (depth 3) == 3 ply == 2";
    let mut outputs = Vec::new();
    for threads in ["1", "4"] {
        let ran = place.cql(&[
            "many.pgn", "-cql", filter, "-engine", "./fish", "-threads", threads, "-o", "o.pgn",
        ]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        assert!(ran.out.contains("400 matches of 400 games"), "{}", ran.out);
        outputs.push(place.read("o.pgn"));
    }
    assert_eq!(outputs[0], outputs[1]);
}

#[test]
fn several_queries_ask_the_same_programs() {
    let place = new();
    place.write("a.cql", "cql() commandpipe(\"p\") == \"2\"");
    place.write("b.cql", "cql() engine (depth 4) == 4");
    let line =
        "run a.cql b.cql g.pgn --pipe p=./count --pipetimeout 600 --engine ./fish --threads 1";
    let ran = place.run(line);
    assert_eq!(n_times(&ran.err, "commandpipe \"p\""), 1, "{}", ran.err);
    assert!(ran.out.contains("a ") && ran.out.contains("b "), "{}", ran.out);
    let ran = place.run("run a.cql b.cql g.pgn --pipe p=./count");
    assert!(ran.err.contains("-engine COMMAND"), "{}", ran.err);
}

/// Records the requests to Stockfish. `None` if it is not installed; Debian installs it in a folder
/// for games, which may be missing from the path.
fn with_stockfish() -> Option<Place> {
    let names = ["stockfish", "/usr/games/stockfish"];
    let is_there = |name: &&str| Command::new(name).arg("quit").output().is_ok();
    let Some(name) = names.into_iter().find(is_there) else {
        eprintln!("skipped: there is no stockfish");
        return None;
    };
    let place = new();
    // A line is recorded before the engine reads it, since the answer may end the program.
    let recorded = r#"while read -r line; do echo "$line" >> said; echo "$line"; done"#;
    place.write_script("real", &format!("#!/bin/sh\n{recorded} | {name}\n"));
    Some(place)
}

#[test]
fn a_real_engine_sees_a_mate() {
    let Some(place) = with_stockfish() else {
        return;
    };
    place.write("m.pgn", "[Event \"a\"]\n\n1.f3 e5 2.g4 Qh4# *\n");
    let filter = "engine mate (nodes 2000) == -1 engine bestmove (nodes 2000) == \"d8h4\" \
                  engine from (nodes 2000) == d8 engine to (nodes 2000) == h4 \
                  not engine (nodes 2000)";
    let options = ["-engine", "./real", "-enginetimeout", "600", "-s"];
    let line = [&["m.pgn", "-cql", filter, "-enginestore", "kept"][..], &options].concat();
    // White is to move and mated in the last position; no other position is a mate.
    for n_asked in [5, 0] {
        let ran = place.cql(&line);
        let said = format!("{}{}", ran.out, ran.err);
        assert!(said.contains("1 matches of 1 games"), "{said}");
        assert_eq!(ran.status, Some(0), "{said}");
        let asked = place.read("said");
        assert_eq!(n_times(&asked, "go nodes 2000"), n_asked, "{asked}");
        assert_eq!(n_times(&asked, "Threads value 1"), 1, "{asked}");
        fs::remove_file(place.path("said")).expect("removed");
    }
}

#[test]
fn a_real_engine_gives_lines_and_chances() {
    let Some(place) = with_stockfish() else {
        return;
    };
    place.write("m.pgn", "[Event \"a\"]\n\n1.f3 e5 2.g4 Qh4# *\n");
    let filter = "ply == 3 engine pv (nodes 2000) ~~ \"^Qh4#\" \
                  engine bestmove (nodes 2000 multipv 2) == \"d8h4\" \
                  engine (nodes 2000 line 2) > -1000 engine wdl loss (nodes 2000) == 1000 \
                  engine wdl win (nodes 2000) == 0";
    let ran = place.cql(&["m.pgn", "-cql", filter, "-engine", "./real", "-s"]);
    assert!(ran.out.contains("1 matches of 1 games"), "{ran:?}");
    assert_eq!((ran.status, &*ran.err), (Some(0), ""));
}

#[test]
fn a_real_engine_says_the_same_to_every_thread() {
    let Some(place) = with_stockfish() else {
        return;
    };
    let games: String = ["1.e4 e5", "1.d4 d5", "1.c4 c5", "1.e4 c5 2.d4"]
        .map(|moves| format!("[Event \"a\"]\n\n{moves} *\n\n"))
        .concat();
    place.write("many.pgn", &games);
    let filter = "comment(engine (nodes 400) \" \" engine bestmove (nodes 400))";
    let found = ["1", "2"].map(|threads| {
        let options = ["-engine", "./real", "-enginetimeout", "600", "-threads", threads];
        let line = [&["many.pgn", "-cql", filter, "-o", "o.pgn"][..], &options];
        let ran = place.cql(&line.concat());
        assert!(ran.out.contains("4 matches of 4 games"), "{}", ran.out);
        place.read("o.pgn")
    });
    assert_eq!(found[0], found[1]);
}

/// Returns the Python program on the page of the book about endgames.
fn script_of_the_book() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/cookbook/endgames.md");
    let page = fs::read_to_string(page).expect("the page");
    let (_, script) = page.split_once("```python\n").expect("a program");
    let (script, _) = script.split_once("```").expect("its end");
    script.to_owned()
}

/// Returns the messages and the output of a search with the script, in a game with few pieces and
/// without tables. Modules for Python may replace those that are installed.
fn asked_by_the_script(modules: &[(&str, &str)]) -> Option<(String, String)> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let place = new();
    for (name, text) in modules {
        place.write(&format!("modules/{name}"), text);
    }
    let has_modules = Command::new(&python)
        .args(["-c", "import chess.syzygy"])
        .env("PYTHONPATH", place.path("modules"))
        .output();
    if !has_modules.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 with chess is not installed");
        return None;
    }
    place.write("syzygy.py", script_of_the_book());
    let fen = "[FEN \"8/8/8/8/8/8/4PK2/7k w - - 0 1\"]";
    let game = format!("[Event \"a\"]\n{fen}\n\n1.e4 Kh2 2.Ke2 Kg2 *\n");
    place.write("few.pgn", game);
    let query = "wtm [Aa] <= 5 int commandpipe(\"syzygy\" \"wdl\") == 2 \
                 --(int commandpipe(\"syzygy\" \"wdl\") > -2) \
                 comment(\"dtz \" commandpipe(\"syzygy\" \"dtz\"))";
    let pipe = format!("syzygy={python} syzygy.py .");
    let options = ["-pipe", &pipe, "-pipetimeout", "600", "-s", "-o", "o.pgn"];
    let output = place
        .command(&[&["few.pgn", "-cql", query][..], &options].concat())
        .env("PYTHONPATH", place.path("modules"))
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let is_written = place.path("o.pgn").exists();
    Some((said, if is_written { place.read("o.pgn") } else { String::new() }))
}

#[test]
fn the_script_of_the_book_asks_tablebases() {
    // The tables say that White wins, and that the moves of White do not keep the win.
    let tables = "def open_tablebase(folder):\n    return Tables()\n\n\
                  class Tables:\n    \
                  def get_wdl(self, board):\n        return 2 if ' w ' in board.fen else None\n    \
                  def get_dtz(self, board):\n        return 7\n";
    let board = "class Board:\n    def __init__(self, fen):\n        self.fen = fen\n";
    let modules = [("chess/__init__.py", board), ("chess/syzygy.py", tables)];
    if let Some((said, written)) = asked_by_the_script(&modules) {
        assert!(said.contains("0 matches of 1 games"), "{said}{written}");
    }
    let lost = tables.replace("None", "0");
    let modules = [("chess/__init__.py", board), ("chess/syzygy.py", &lost)];
    if let Some((said, written)) = asked_by_the_script(&modules) {
        assert!(said.contains("1 matches of 1 games"), "{said}");
        assert_eq!(n_times(&written, "dtz 7"), 2, "{written}");
    }
    // The real modules, if they are installed, have no table in this folder.
    if let Some((said, written)) = asked_by_the_script(&[]) {
        assert!(said.contains("0 matches of 1 games"), "{said}{written}");
    }
}
