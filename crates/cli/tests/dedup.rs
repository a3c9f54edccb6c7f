//! `cql dedup` as a process: its list, its output and refused arguments.

mod support;

use serde_json::Value;
use support::Place;

const MOVES: &str = "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 \
                     Nb8 10.d4 Nbd7";

/// A game of these players.
fn game(white: &str, black: &str, moves: &str) -> String {
    format!(
        "[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"1985.09.03\"]\n[Result \"1-0\"]\n\n\
         {moves} 1-0\n\n"
    )
}

impl Place {
    /// The second file repeats the first game, and has the beginning of another one.
    fn new() -> Place {
        let place = Place::empty();
        let longer = format!("{MOVES} 11.c4 c6");
        let first = game("Karpov, Anatoly", "Kasparov, G", MOVES) + &game("A", "B", "1.e4 e5");
        place.write("a.pgn", first + &game("Tal, M", "Smyslov, V", &longer));
        let annotated = format!("{MOVES} {{good}}");
        let second = game("Karpov,A", "Kasparov,Garry", &annotated) + &game("A", "C", "1.e4 e5");
        place.write("b.pgn", second + &game("Tal,Mikhail", "Smyslov,V", MOVES));
        place
    }
}

#[test]
fn duplicates_are_listed() {
    let place = Place::new();
    let ran = place.run("dedup a.pgn b.pgn");
    let expected = "\
a.pgn: game 1, Karpov, Anatoly - Kasparov, G 1985, 1-0: equal to game 1 of b.pgn
b.pgn: game 3, Tal, Mikhail - Smyslov, V 1985, 1-0: nearly equal to game 3 of a.pgn
6 games: 1 equal to another, 1 nearly equal
1 game with the moves of another game, but different players or a different year
";
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), expected, ""));
    let ran = place.run("dedup --keep first a.pgn b.pgn --threads 2");
    let line = "b.pgn: game 1, Karpov, A - Kasparov, Garry 1985, 1-0: equal to game 1 of a.pgn\n";
    assert!(ran.out.starts_with(line), "{ran:?}");
    let ran = place.run("dedup --moves-only a.pgn b.pgn");
    assert!(ran.out.contains("6 games: 3 equal to another, 0 nearly"), "{ran:?}");
    let ran = place.run("dedup a.pgn");
    assert_eq!(ran.out, "3 games: 0 equal to another, 0 nearly equal\n");
}

#[test]
fn the_others_are_written_as_they_are() {
    let place = Place::new();
    let ran = place.run("dedup a.pgn b.pgn -o out.pgn");
    assert!(ran.out.ends_with("\n5 games written to out.pgn\n"), "{ran:?}");
    let (a, b) = (place.read("a.pgn"), place.read("b.pgn"));
    let behind_first = a.find("[White \"A\"]").expect("the second game");
    assert_eq!(place.read("out.pgn"), a[behind_first..].to_owned() + &b);
    let ran = place.run("dedup a.pgn b.pgn -o out.pgn --near");
    assert!(ran.out.ends_with("\n4 games written to out.pgn\n"), "{ran:?}");
    let ran = place.run("dedup out.pgn");
    assert_eq!(ran.out, "4 games: 0 equal to another, 0 nearly equal\n");
    // For an archive the text of its files is read, for a pipe a copy.
    assert_eq!(place.run("index -o all.cqa a.pgn b.pgn").status, Some(0));
    let ran = place.run("dedup all.cqa -o again.pgn --near");
    assert_eq!((ran.status, place.read("again.pgn")), (Some(0), place.read("out.pgn")));
    let ran = place.run_on("dedup - -o third.pgn --near", a + &b);
    assert_eq!((ran.status, place.read("third.pgn")), (Some(0), place.read("out.pgn")));
}

#[test]
fn json_has_what_the_lines_have() {
    let place = Place::new();
    let ran = place.run("dedup --json a.pgn b.pgn -o out.pgn");
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let first = serde_json::json!({
        "input": "a.pgn", "game": 1, "white": "Karpov, Anatoly", "black": "Kasparov, G",
        "date": "1985.09.03", "result": "1-0", "kind": "equal",
        "of": {"input": "b.pgn", "game": 1},
    });
    assert_eq!(found["duplicates"][0], first);
    let sums = ["games", "equal", "near", "same_moves", "unreadable", "written"];
    assert_eq!(sums.map(|name| found[name].as_u64()), [6, 1, 1, 1, 0, 5].map(Some));
    let ran = place.run("dedup --json a.pgn");
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&found["duplicates"], &found["written"]), (&serde_json::json!([]), &Value::Null));
}

#[test]
fn nothing_is_lost() {
    let place = Place::new();
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        assert!(!place.path("out.pgn").exists(), "{line}");
    };
    check("dedup a.pgn -o a.pgn", "the output would overwrite the input: a.pgn");
    check("dedup a.pgn none.pgn -o out.pgn", "because some could not be read");
    place.write("letter", "Dear reader");
    check("dedup a.pgn -o letter", "cannot write letter");
    // Games of unknown variants are not compared. Damaged games are compared as far as they can be
    // read.
    let games = format!(
        "[Variant \"Bughouse\"]\n\n{MOVES} *\n\n[Variant \"Bughouse\"]\n\n{MOVES} *\n\n\
         {MOVES} Ke7 *\n\n[White \"A\"]\n\n{MOVES} Qh9 {{note}} *\n"
    );
    place.write("odd.pgn", games);
    let ran = place.run("dedup odd.pgn -o odd-out.pgn");
    assert!(ran.out.contains("4 games: 1 equal to another"), "{ran:?}");
    assert!(ran.out.contains("2 games not compared"), "{ran:?}");
    assert!(ran.out.contains("3 games written"), "{ran:?}");
}

#[test]
fn games_that_are_not_compared_are_counted_by_the_reason() {
    let place = Place::empty();
    let of_fen = |fen: &str| format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n1. Ke2 *\n\n");
    let no_king = of_fen("8/8/8/8/8/8/8/4K3 w - - 0 1");
    let variant = "[Variant \"Bughouse\"]\n\n1. e4 d5 2. P@e5 *\n\n";
    place.write("g.pgn", format!("{no_king}{variant}{no_king}{}", game("A", "B", "1.e4")));
    let ran = place.run("dedup g.pgn");
    let said = "1 game not compared: cql cannot play their variant\n2 games not compared: no game \
                begins from their FEN; `cql doctor` shows why\n";
    assert!(ran.out.contains(said), "{ran:?}");
    let ran = place.run("dedup g.pgn --json");
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((&report["other_rules"], &report["without_start"]), (&1.into(), &2.into()));
    let ran = place.run("doctor g.pgn");
    assert!(ran.out.contains("invalid FEN"), "{ran:?}");
}
