//! `cql annotate` as a process: the games that it writes, runs that are stopped, refused arguments.
#![cfg(unix)]

mod support;

use std::process::{Command, Stdio};
use std::time::Duration;
use std::{fs, thread};

use support::Place;

/// An engine that likes the side to move by 17 centipawns, sees the mate after 2.g4 and has no
/// value after 2.Nf3. It records the questions, and dies at the fifth one if there is a file
/// `mortal`, at the first one and only once with a file `frail`.
const ENGINE: &str = r#"#!/bin/sh
while read -r line; do
  case $line in
    uci) echo "id name Fake 1"; echo uciok ;;
    isready) echo readyok ;;
    position*) fen=${line#position fen } ;;
    go*)
      if [ -f mortal ] && [ "$(wc -l < asked)" -ge 4 ]; then exit 7; fi
      if [ -f frail ]; then rm frail; exit 7; fi
      if [ -f slow ]; then sleep 0.2; fi
      echo "$line $fen" >> asked
      case $fen in
        */6P1/5P2/*) echo "info depth 2 score mate 1" ;;
        */4P3/5N2/*) echo "info depth 2" ;;
        *) echo "info depth 2 score cp 17" ;;
      esac
      echo "bestmove e2e4" ;;
    quit) exit ;;
  esac
done
"#;

const MATE: &str = "[Event \"a\"]\n[Result \"0-1\"]\n\n{ start } 1. f3 $6 (1. e4 e5) 1... e5 \
                    { [%clk 0:03:00] book }\n2. g4?? Qh4# 0-1\n";
const OTHER: &str = "% a line of a program\n[Event \"b\"]\r\n[Foo \"bar\"]\r\n\r\n1.e4 {good {very} \
                     [%eval 0.3]} c5 ; a remark\n2.Nf3! *\n";
const ATOMIC: &str = "[Event \"c\"]\n[Variant \"Atomic\"]\n\n1.e4 *\n";

/// Creates two games and one of a variant, and the engine.
fn new() -> Place {
    let place = Place::empty();
    place.write("g.pgn", format!("{MATE}\n{OTHER}\n\n\n{ATOMIC}"));
    place.write_script("fish", ENGINE);
    place
}

fn n_asked(place: &Place) -> usize {
    place.read("asked").lines().count()
}

#[test]
fn evaluations_are_added_and_nothing_else_changes() {
    let place = new();
    // Two threads can ask about the same position before either has an answer.
    let ran = place.run("annotate g.pgn -engine ./fish -depth 3 -threads 1 -o o.pgn");
    let said = "3 games with 6 new evaluations written to o.pgn\n1 evaluation kept\n\
                1 position without a value of the engine left as it is\n\
                1 game of other variants copied unchanged\n";
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), said, ""));
    let expected = "[Event \"a\"]\n[Result \"0-1\"]\n\n{ [%eval 0.17] start } 1. f3 $6 \
                    {[%eval -0.17]} (1. e4 e5) 1... e5 { [%eval 0.17] [%clk 0:03:00] book }\n2. \
                    g4?? {[%eval #-1]} Qh4# 0-1\n\n\
                    % a line of a program\n[Event \"b\"]\r\n[Foo \"bar\"]\r\n\r\n{[%eval 0.17]} \
                    1.e4 {good {very} [%eval 0.3]} c5 {[%eval 0.17]} ; a remark\n2.Nf3! \
                    *\n\n\n\n";
    assert_eq!(place.read("o.pgn"), expected.to_owned() + ATOMIC);
    // The start of both games is one question.
    assert_eq!(n_asked(&place), 6, "{}", place.read("asked"));
    assert!(!place.path("o.pgn.answers").exists());
    // The evaluations are those that queries read.
    let found = place.run("o.pgn -cql evalmate==-1_or_eval==30 -s");
    assert!(found.out.contains("2 matches of 3 games"), "{found:?}");
    // Only the position without a value is asked again.
    let again = place.run("annotate o.pgn -engine ./fish -depth 3 -threads 1 -o p.pgn --json");
    assert!(again.out.contains("\"evaluations\": 0") && again.out.contains("\"kept\": 7"));
    assert_eq!(place.read("p.pgn"), place.read("o.pgn"));
    assert_eq!(n_asked(&place), 7);
}

#[test]
fn variations_and_older_evaluations_are_evaluated_on_request() {
    let place = new();
    let ran = place.run("annotate g.pgn -engine ./fish -nodes 9 -o o.pgn --variations --again");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let new = place.read("o.pgn");
    assert!(new.contains("(1. e4 {[%eval -0.17]} e5 {[%eval 0.17]}) 1... e5"), "{new}");
    assert!(new.contains("1.e4 {good {very} [%eval -0.17]} c5"), "{new}");
    assert!(place.read("asked").lines().all(|line| line.starts_with("go nodes 9 ")));
}

#[test]
fn games_are_selected() {
    let place = new();
    place.write("foo.cql", "cql() tag \"Foo\"");
    for (options, n_games, first) in [
        ("--limit 1", 1, "\"a\""),
        ("--query tag_\"Foo\"", 1, "\"b\""),
        ("--query ply==3 --limit 1", 1, "\"a\""),
        ("--query false", 0, ""),
        ("-event b", 1, "\"b\""),
        ("--query tag_\"Foo\" --exclude --limit 1", 1, "\"a\""),
        ("--query sort_gamenumber --limit 1", 1, "\"c\""),
        // The query may ask the engine, too.
        ("-gamenumber 1 2 --query engine_mate_(depth_1)==-1", 1, "\"a\""),
        ("foo.cql", 1, "\"b\""),
    ] {
        let ran = place
            .run(&format!("annotate g.pgn -engine ./fish -time 0.5 -threads 1 -o o.pgn {options}"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.out.starts_with(&format!("{n_games} game")), "{options}: {ran:?}");
        let new = place.read("o.pgn");
        assert_eq!(new.matches("[Event ").count(), n_games, "{options}");
        assert!(new.contains(first), "{options}: {new}");
    }
    assert!(place.read("asked").starts_with("go movetime 500 "));
}

#[test]
fn every_number_of_threads_writes_the_same() {
    let place = new();
    let games: String = (0..60).map(|n| format!("[Round \"{n}\"]\n{MATE}\n")).collect();
    place.write("many.pgn", games);
    let written = ["1", "4"].map(|n| {
        let ran =
            place.run(&format!("annotate many.pgn -engine ./fish -depth 1 -threads {n} -o o.pgn"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        place.read("o.pgn")
    });
    assert_eq!(written[0], written[1]);
    assert_eq!(written[0].matches("[%eval").count(), 60 * 4);
}

#[test]
fn a_run_goes_on_where_the_engine_died() {
    let place = new();
    place.write("mortal", "");
    place.write("asked", "");
    let line = "annotate g.pgn -engine ./fish -depth 3 -o o.pgn -threads 1";
    let ran = place.run(line);
    assert_eq!(ran.status, Some(1));
    let expected = "game 2 of g.pgn: the engine has no answer for the position rnbqkbnr/pp1ppppp/";
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert!(ran.err.contains("o.pgn is not written, and the answers so far are kept in"));
    assert!(ran.err.contains("exit status: 7"), "{}", ran.err);
    assert!(!place.path("o.pgn").exists());
    fs::remove_file(place.path("mortal")).expect("removed");
    let ran = place.run(line);
    assert_eq!(ran.err, "o.pgn.answers has 4 answers of an earlier run\n");
    assert!(ran.out.contains("3 games with 6 new"), "{ran:?}");
    assert_eq!(n_asked(&place), 6);
    assert!(!place.path("o.pgn.answers").exists());
}

#[test]
fn an_engine_that_died_is_started_again() {
    let place = new();
    place.write("frail", "");
    let ran = place.run("annotate g.pgn -engine ./fish -depth 3 -o o.pgn -threads 1");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.err.contains("exit status: 7"), "{ran:?}");
    assert!(ran.out.contains("3 games with 6 new"), "{ran:?}");
}

#[test]
fn a_run_goes_on_where_it_was_killed() {
    let place = new();
    place.write("slow", "");
    let line = "annotate g.pgn -engine ./fish -depth 3 -o o.pgn -threads 1";
    let mut process =
        place.line(line).stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("started");
    let has_answers = || {
        let store = fs::read_to_string(place.path("o.pgn.answers"));
        store.is_ok_and(|store| store.lines().count() > 2)
    };
    let waited = (0..600).any(|_| {
        thread::sleep(Duration::from_millis(50));
        has_answers()
    });
    process.kill().expect("killed");
    process.wait().expect("ended");
    assert!(waited && !place.path("o.pgn").exists());
    let ran = place.run(line);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    // One answer at most was lost.
    assert!(n_asked(&place) <= 6 + 1, "{ran:?}");
}

#[test]
fn what_cannot_be_done_is_said_at_once() {
    let place = new();
    place.write("notes", "mine");
    place.write("n.pgn.answers", "mine");
    place.write_script("dead", "#!/bin/sh\nexit 7\n");
    for (options, said) in [
        ("-depth 3 -o o.pgn", "no engine is given"),
        ("-engine ./fish -o o.pgn", "no limit is given for the search"),
        ("-engine ./dead -depth 3 -o o.pgn", "the engine ./dead ended without an answer"),
        ("-engine ./none -depth 3 -o o.pgn", "cannot be started"),
        ("-engine ./fish -depth 3 -o g.pgn", "g.pgn"),
        ("-engine ./fish -depth 3 -o notes", "is kept"),
        ("-engine ./fish -depth 3 -o n.pgn", "n.pgn.answers is not a store of engine answers"),
        ("-engine ./fish -depth 3 -o o.pgn -enginestore g.pgn", "not a store of engine answers"),
        ("-engine ./fish -depth 3 -o o.csv", "its name is that of a csv file"),
        ("-engine ./fish -depth 3 -o store -enginestore ./store", "store is the store of"),
        ("-engine ./fish -depth 3 -o store -enginestore store --force", "store is the store of"),
        ("-engine ./fish -time 60 -o o.pgn", "--time must be less than --enginetimeout"),
        ("-engine ./fish -time 0 -o o.pgn", "a number of seconds"),
        ("-engine ./fish -depth 3 -nodes 3 -o o.pgn", "cannot be used with"),
        ("-engine ./fish -depth 3", "--output"),
        ("-engine ./fish -depth 3 -o o.pgn -query nosuch", "nosuch"),
        ("-engine ./fish -depth 3 -o o.pgn none.pgn", "none.pgn"),
    ] {
        let ran = place.run(&format!("annotate g.pgn {options}"));
        assert!(ran.status.is_some_and(|status| status > 0), "{options}: {ran:?}");
        assert!(ran.err.contains(said), "{options}: {}", ran.err);
        assert!(!place.path("o.pgn").exists(), "{options}");
    }
    assert_eq!(place.read("g.pgn"), format!("{MATE}\n{OTHER}\n\n\n{ATOMIC}"));
    assert_eq!(place.read("notes") + &place.read("n.pgn.answers"), "minemine");
    assert!(
        place.read("store").starts_with("# what engines said") && !place.path("o.csv").exists()
    );
    for line in ["dedup g.pgn -o o.html", "doctor g.pgn -o o.html", "tree g.pgn --book o.pgn"] {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.err.contains("its name is that of a"), "{line}: {ran:?}");
        assert!(!place.path("o.html").exists() && !place.path("o.pgn").exists(), "{line}");
    }
}

#[test]
fn games_that_cannot_be_read_are_copied() {
    let place = new();
    let bad =
        "\u{feff}[Event \"x\"]\n\n1.e4 {no end\n\n\n[Event \"y\"]\n\n1.e4 *\n{after the last}";
    place.write("bad.pgn", bad);
    place.write("more.pgn", bad);
    let ran = place.run("annotate bad.pgn more.pgn -engine ./fish -depth 3 -o o.pgn");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.contains("2 games with 4 new"), "{ran:?}");
    assert!(ran.out.contains("2 games copied unchanged, since the moves cannot"), "{ran:?}");
    let new = bad.replace("1.e4 *", "{[%eval 0.17]} 1.e4 {[%eval -0.17]} *");
    let second = new.trim_start_matches('\u{feff}');
    assert_eq!(place.read("o.pgn"), format!("{new}\n\n{second}"));
    let ran = place.run("annotate bad.pgn -engine ./fish -depth 3 -o o.pgn --limit 1");
    assert!(ran.out.contains("1 game left out, since the moves cannot be found"), "{ran:?}");
    assert!(place.read("o.pgn").ends_with("{[%eval -0.17]} *\n\n"));
    // A bracket in a game without tags would hide its moves.
    place.write("bare.pgn", "1.e4 e5 1-0\n");
    let ran = place.run("annotate bare.pgn -engine ./fish -depth 3 -o b.pgn");
    assert!(ran.out.contains("1 game copied unchanged, since comments would"), "{ran:?}");
    assert_eq!(place.read("b.pgn"), "1.e4 e5 1-0\n");
    // The moves before an illegal one are evaluated, and the others copied.
    place.write("cut.pgn", "[Event \"x\"]\n\n1.e4 Ke3 2.d4 *\n");
    let ran = place.run("annotate cut.pgn -engine ./fish -depth 3 -o o.pgn");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.read("o.pgn").ends_with("1.e4 {[%eval -0.17]} Ke3 2.d4 *\n"));
    // They are named as in a search, whether games are chosen or not.
    assert!(ran.err.contains("`Ke3` is illegal"), "{ran:?}");
    assert!(ran.err.contains("2 moves are not read"), "{ran:?}");
    let ran = place.run("annotate cut.pgn -engine ./fish -depth 3 -o o.pgn --query true");
    assert_eq!(ran.err.matches("`Ke3` is illegal").count(), 1, "{ran:?}");
    place.write("start.pgn", "[SetUp \"1\"]\n[FEN \"8/9 w\"]\n\n1.e4 *\n");
    let ran = place.run("annotate start.pgn -engine ./fish -depth 3 -o o.pgn");
    assert!(ran.err.contains("the FEN tag is no position"), "{ran:?}");
    assert_eq!(place.read("o.pgn"), place.read("start.pgn"));
}

#[test]
fn stockfish_annotates_games() {
    let names = ["stockfish", "/usr/games/stockfish"];
    let is_there = |name: &&str| Command::new(name).arg("quit").output().is_ok();
    let Some(name) = names.into_iter().find(is_there) else {
        eprintln!("skipped: there is no stockfish");
        return;
    };
    let place = new();
    let ran = place.run(&format!("annotate g.pgn -engine {name} -nodes 2000 -o o.pgn"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.read("o.pgn").contains("2. g4?? {[%eval #-1]} Qh4# 0-1\n"));
    let found = place.run("o.pgn -cql evalmate==-1_btm -s");
    assert!(found.out.contains("1 matches of 3 games"), "{found:?}");
}
