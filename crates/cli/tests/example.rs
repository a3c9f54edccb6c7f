//! `cql example` as a process: the query of a passage, its looser forms with their counts, and bad
//! input.

mod support;

use serde_json::Value;
use support::{Place, root};

/// Five games. The second has the passage of the first from another square, the third with other
/// colors; the fourth takes with another piece on another square; the last begins elsewhere.
const GAMES: &str = "[White \"A\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Bxc6 dxc6 5.O-O *\n\n\
    [White \"B\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bc4 a5 4.Bb5 a4 5.Bxc6 dxc6 *\n\n\
    [White \"C\"]\n\n1.e3 e5 2.Nc3 Bb4 3.a3 Bxc3 4.bxc3 *\n\n\
    [White \"D\"]\n\n1.Nf3 d5 2.Ne5 Nc6 3.Nxc6 bxc6 *\n\n\
    [White \"E\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40...Kd7 41.e4 *\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place
    }

    /// Returns the numbers of the games that a query finds.
    fn found(&self, query: &str) -> String {
        self.write("q.cql", query);
        let ran = self.run("q.cql g.pgn --stdout --format csv --per game --columns game");
        assert_eq!(ran.status, Some(0), "{query}: {ran:?}");
        ran.out.lines().skip(1).collect::<Vec<_>>().join(" ")
    }
}

#[test]
fn a_passage_becomes_a_query_that_runs() {
    let place = Place::new();
    let ran = place.run("example g.pgn 3...-4");
    let query = "cql()\nflipcolor {\n  Bb5 nc6 pa7 pd7\n  path quiet firstmatch\n    p--a6\n    \
                 B[x]nc6\n    p[x]Bc6\n}\n";
    let of_first = "the passage is that of game 1; --game N takes another one\n";
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), query, of_first));
    let ran = place.run("example g.pgn 3...-4 --game 1");
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), query, ""));
    assert_eq!(place.found(&ran.out), "1 3");
    let of_two = place.run("example g.pgn 3... 4 --game 1");
    assert_eq!((of_two.status, &*of_two.out), (Some(0), query), "{of_two:?}");
    let of_fen = place.run("example g.pgn 40-41 --game 5");
    assert!(of_fen.out.contains("  Pe2 ke8\n"), "{of_fen:?}");
    assert_eq!(place.found(&of_fen.out), "5");
    let named = place.run("example g.pgn 4. --pieces b5,E1");
    assert_eq!((named.status, &*named.out), (Some(2), ""), "{named:?}");
    let named = place.run("example g.pgn 4. --pieces b5,_e1 --no-index");
    assert!(named.out.contains("  Ke1 Bb5\n"), "{named:?}");
}

#[test]
fn a_query_is_loosened_until_it_finds_enough_games() {
    let place = Place::new();
    let steps = |ran: &support::Ran| {
        let rows = ran.err.lines().skip_while(|line| !line.contains("left out")).skip(1);
        let row = |line: &str| line.split_whitespace().next()?.parse().ok();
        rows.filter_map(row).collect::<Vec<u64>>()
    };
    let ran = place.run("example g.pgn 4 --loosen 1");
    assert_eq!((steps(&ran), &*place.found(&ran.out)), (vec![3], "1 2 3"), "{ran:?}");
    let ran = place.run("example g.pgn 3.-4 --loosen 3");
    assert_eq!((steps(&ran), &*place.found(&ran.out)), (vec![2, 2, 2, 2, 3, 2], "1 2 3"));
    let ran = place.run("example g.pgn 4 --loosen 4");
    let counts = steps(&ran);
    assert!(counts.is_sorted() && counts.last() >= Some(&4), "{ran:?}");
    assert_eq!(place.found(&ran.out), "1 2 3 4");
    assert!(ran.out.contains("[NB][x][nb]\n    p[x][NB]"), "{ran:?}");
    // Standard input is read again, and an archive has the same counts.
    let text = place.run_on("example - 4 --loosen 4", GAMES);
    assert_eq!((&text.out, steps(&text)), (&ran.out, counts.clone()));
    assert_eq!(place.run("index g.pgn").status, Some(0));
    let archive = place.run("example g.pgn 4 --loosen 4 --threads 2");
    assert_eq!((&archive.out, steps(&archive)), (&ran.out, counts));
    let json = place.run("example g.pgn 4 --loosen 4 --json");
    let report: Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!(report["query"], *ran.out);
    let last = report["steps"].as_array().and_then(|steps| steps.last()).expect("a step");
    assert_eq!((&last["games"], &last["left_out"]), (&4.into(), &0.into()));
}

#[test]
fn a_number_that_cannot_be_reached_is_said() {
    let place = Place::new();
    let ran = place.run("example g.pgn 4 --loosen 9");
    assert_eq!((ran.status, &*place.found(&ran.out)), (Some(0), "1 2 3 4"), "{ran:?}");
    assert!(
        ran.err.contains("no query of this passage finds 9 games; this one finds 4"),
        "{ran:?}"
    );
    let others = root().join("examples/clocks.pgn");
    let ran = place.cql(&[
        "example",
        "g.pgn",
        "40-41",
        "--game",
        "5",
        "--loosen",
        "2",
        "--in",
        &others.display().to_string(),
    ]);
    assert!(ran.err.contains("game 5 of g.pgn is not in"), "{ran:?}");
    assert_eq!(place.found(&ran.out), "5");
}

#[test]
fn a_limit_is_told_for_every_query_that_exceeds_it() {
    let place = Place::new();
    let games = root().join("examples/historic.pgn").display().to_string();
    let ran = place.cql(&["example", &games, "3-6", "--loosen", "300", "--limits", "steps=300"]);
    let n_told = ran.err.matches("on which the query exceeds a limit\n").count();
    assert!(n_told > 1, "{ran:?}");
}

#[test]
fn bad_input_is_refused() {
    let place = Place::new();
    place.write("empty.pgn", "");
    place.write("illegal.pgn", "1.e4 e5 2.Nf3 Ke4 3.d4 *\n");
    place.write("atomic.pgn", "[Variant \"Atomic\"]\n\n1.e4 e5 *\n");
    place.write("shogi.pgn", "[Variant \"Shogi\"]\n\n1.P-2f *\n");
    place.write("fen.pgn", "[SetUp \"1\"]\n[FEN \"8/8 w\"]\n\n1.e4 e5 *\n");
    for (line, status, message) in [
        ("g.pgn 4-3", 1, "game 1 of g.pgn: the passage is empty"),
        ("g.pgn 4-9", 1, "the game has no move 9: it goes from 1.e4 to 5.O-O"),
        ("g.pgn 1 --game 5", 1, "the game has no move 1: it goes from 40...Kd7 to 41.e4"),
        ("g.pgn 1 --game 6", 1, "there is no game 6 in g.pgn"),
        ("g.pgn 1 --game 0", 2, "--game"),
        ("g.pgn e4", 2, "'e4' is not a passage"),
        ("g.pgn", 2, "needs PASSAGE"),
        ("g.pgn 4 --pieces Ra1", 2, "'Ra1' is not a square"),
        ("g.pgn 4 --pieces e4,d4", 1, "no piece stands on d4 at the start of the passage"),
        ("g.pgn 4 --loosen 0", 2, "--loosen"),
        ("g.pgn 4 --in g.pgn", 2, "--loosen"),
        ("g.pgn 4 --loosen 2 --in nothing.pgn", 1, "cannot read nothing.pgn"),
        ("g.pgn 4 --loosen 2 --in empty.pgn", 1, "there are no games in empty.pgn"),
        ("nothing.pgn 4", 1, "cannot read nothing.pgn"),
        ("empty.pgn 4", 1, "there are no games in empty.pgn"),
        ("illegal.pgn 2", 1, "an illegal move follows 2.Nf3"),
        ("atomic.pgn 1", 1, "the game has other rules than chess"),
        ("shogi.pgn 1", 1, "the game has other rules than chess"),
        ("fen.pgn 1", 1, "game 1 of fen.pgn: "),
    ] {
        let ran = place.run(&format!("example {line}"));
        assert_eq!((ran.status, &*ran.out), (Some(status), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(message), "{line}: {ran:?}");
    }
}
