//! `cql tree` as a process: its counts in text and archives, and refused arguments.

mod support;

use std::collections::BTreeMap;

use board::{Position, polyglot_key, san};
use pgn::{GameTree, Splitter, TagIndex};
use serde_json::Value;
use support::{Place, root};

/// Two orders of moves, one with a variation, one from a position, one with an issue, one of
/// another variant, and one of Chess960 from the normal start.
const GAMES: &str = "\
[Event \"a\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"1990.1.1\"]\n[WhiteElo \"2600\"]\n\
[BlackElo \"2500\"]\n[Result \"1-0\"]\n\n1.d4 Nf6 2.c4 e6 3.Nc3 1-0\n\n\
[Event \"b\"]\n[White \"C\"]\n[Black \"D\"]\n[Date \"2001.2.3\"]\n[Result \"0-1\"]\n\n\
1.c4 e6 2.d4 Nf6 3.Nf3 Bb4+ 0-1\n\n\
[Event \"c\"]\n[Result \"1/2-1/2\"]\n\n1.d4 e6 2.c4 Nf6 3.Nc3 (3.Nf3 Bb4+) (3.g3) d5 1/2-1/2\n\n\
[Event \"d\"]\n[FEN \"rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 9 9\"]\n\n3.g3 *\n\n\
[Event \"e\"]\n[Result \"0-1\"]\n\n1.d4 Nf6 2.c4 e6 3.Nf3 Ke3 0-1\n\n\
[Event \"f\"]\n[Variant \"Crazyhouse\"]\n\n1.d4 Nf6 2.c4 e6 3.Nf3 *\n\n\
[Event \"g\"]\n[Variant \"Chess960\"]\n[Result \"1-0\"]\n\n1.d4 Nf6 2.c4 e6 1-0\n\n\
[Event \"h\"]\n\n1.e4 *\n\n\
[Event \"i\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.a8=Q Kg7 *\n\n\
[Event \"j\"]\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n\n1.a8=R Kg7 *\n\n\
[Event \"k\"]\n\n1.Nf3 Nf6 2.Ng1 Ng8 3.e4 *\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place
    }

    fn tree(&self, line: &str) -> Value {
        let ran = self.run(&format!("tree --json {line}"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        serde_json::from_str(&ran.out).expect("JSON")
    }
}

/// Returns the moves of a tree with their numbers of games.
fn counts(tree: &Value) -> BTreeMap<String, u64> {
    let moves = tree["moves"].as_array().expect("moves");
    let count = |line: &Value| {
        let name = line["move"].as_str().expect("a move");
        (name.to_owned(), line["games"].as_u64().expect("a number"))
    };
    moves.iter().map(count).collect()
}

/// Checks that text and archive give the same tree, and compares it with `expected`: the number of
/// games, of those that end, and of those with each move.
#[track_caller]
fn check(line: &str, expected: &str) {
    let place = Place::new();
    let text = place.run(&format!("tree g.pgn {line} --json"));
    assert_eq!(place.run("index ./g.pgn").status, Some(0));
    let beside = place.run(&format!("tree g.pgn {line} --json"));
    assert_eq!(beside.out, text.out, "{line}");
    let archived = place.run(&format!("tree g.cqa {line} --json --threads 2"));
    assert_eq!((text.status, &text.err), (Some(0), &archived.err), "{line}");
    // An archive names the file as it was named when the archive was built.
    let named = archived.out.replace("\"./g.pgn\"", "\"g.pgn\"");
    assert_eq!(text.out, named, "{line}");
    let tree: Value = serde_json::from_str(&text.out).expect("JSON");
    let moves = counts(&tree);
    let moves: Vec<String> = moves.iter().map(|(mv, n)| format!("{mv} {n}")).collect();
    let found = format!("{} {} {}", tree["games"], tree["ends"], moves.join(" "));
    assert_eq!(found.trim_end(), expected, "{line}");
}

#[test]
fn the_help_shows_a_query_with_as_many_games_as_the_tree() {
    let place = Place::empty();
    place.write(
        "games.pgn",
        std::fs::read(support::root().join("examples/historic.pgn")).expect("games"),
    );
    for (name, n_games) in
        [("Sicilian", 4), ("Ruy_Lopez", 1), ("Italian_Game", 2), ("Queen's_Gambit", 2)]
    {
        let help = place.run(&format!("help {name}"));
        let command = help.out.lines().find(|line| line.contains("tm fen")).expect(name);
        let query = command.split('\'').nth(1).expect(name).replace(' ', "_");
        let searched = place.run(&format!("games.pgn -cql {query} --count --json"));
        assert!(searched.out.contains(&format!("\"games\":{n_games},")), "{name}: {searched:?}");
        let tree = place.tree(&format!("games.pgn {name}"));
        assert_eq!(tree["games"], n_games, "{name}");
    }
}

#[test]
fn moves_follow_the_name_of_an_opening() {
    let place = Place::empty();
    place.write("g.pgn", "1.e4 c5 2.Nf3 *\n\n1.e4 c5 2.c3 *\n");
    assert_eq!(place.tree("g.pgn Sicilian 2.Nf3")["games"], 1);
    let ran = place.run("tree g.pgn Sicilian e6");
    assert!(ran.err.contains("'e6' is not possible here"), "{ran:?}");
}

#[test]
fn names_near_a_player_without_games_are_told() {
    let place = Place::empty();
    place.write("g.pgn", "[White \"Kasparov, Garry\"]\n[Black \"Deep Blue\"]\n\n1.e4 c5 *\n");
    for option in ["-player Kasparow", "-white Kasparow", "-player Garry_Kasparov"] {
        let ran = place.run(&format!("tree g.pgn {option}"));
        assert_eq!(ran.status, Some(0), "{option}: {ran:?}");
        assert!(ran.err.contains("no game is chosen\n"), "{option}: {ran:?}");
        assert!(
            ran.err.contains("did you mean \"Kasparov, Garry\" (1 game)?"),
            "{option}: {ran:?}"
        );
        let ran = place.run(&format!("g.pgn -cql true {option} --count"));
        assert!(
            ran.err.contains("did you mean \"Kasparov, Garry\" (1 game)?"),
            "{option}: {ran:?}"
        );
    }
    assert_eq!(place.run("tree g.pgn -g 1 1 -player Kasparov").status, Some(0));
}

#[test]
fn games_count_that_have_the_position() {
    // Games from other positions or of other variants do not count; this game of Chess960 has the
    // normal start.
    check("", "7 0 Nf3 1 c4 1 d4 4 e4 1");
    check("1.d4 Nf6 2.c4 e6", "6 1 Nc3 2 Nf3 2 g3 1");
    check("c4 e6 d4 Nf6", "6 1 Nc3 2 Nf3 2 g3 1");
    // A game counts once, at the first occurrence of the position.
    check("Nf3 Nf6 Ng1 Ng8", "7 0 Nf3 1 c4 1 d4 4 e4 1");
    check("e4", "2 2");
    check("d4 d5", "0 0");
    // The clocks of a FEN are ignored, its castling rights are not.
    check("rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR_w_KQkq_-_3_77", "6 1 Nc3 2 Nf3 2 g3 1");
    check("rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR_w_KQ_-_0_3", "0 0");
    check("8/P6k/8/8/8/8/8/K7_w_-_-_0_1", "2 0 a8=Q 1 a8=R 1");
    check("Q7/7k/8/8/8/8/8/K7_b_-_-_0_1", "1 0 Kg7 1");
}

#[test]
fn variations_count_if_asked_for() {
    check("1.d4 Nf6 2.c4 e6 --variations", "6 1 Nc3 2 Nf3 3 g3 2");
    check("1.d4 Nf6 2.c4 e6 3.Nf3 --variations", "3 1 Bb4+ 2");
    // Every move that a game has in a repeated position counts.
    check("--variations", "7 0 Nf3 1 c4 1 d4 4 e4 2");
}

#[test]
fn the_figures_are_those_of_the_games() {
    let place = Place::new();
    let tree = place.tree("g.pgn 1.d4 Nf6 2.c4 e6");
    let line = &tree["moves"][0];
    assert_eq!((&line["move"], &line["uci"]), (&"Nc3".into(), &"b1c3".into()));
    let figures = [
        ("white", 1),
        ("draws", 1),
        ("black", 0),
        ("elo", 2600),
        ("rated", 1),
        ("last_year", 1990),
    ];
    for (name, n) in figures {
        assert_eq!(line[name], n, "{name}");
    }
    // One game says nothing about a performance.
    assert_eq!(line["performance"], Value::Null);
    let example = &line["example"];
    assert_eq!(
        (&example["input"], &example["game"], &example["white"]),
        (&"g.pgn".into(), &1.into(), &"A".into())
    );
    assert_eq!(tree["line"], serde_json::json!(["d4", "Nf6", "c4", "e6"]));
}

#[test]
fn the_table_has_the_moves_in_order() {
    let place = Place::new();
    let ran = place.run("tree g.pgn 1.d4 Nf6 2.c4 e6 --depth 2 --min-games 2");
    let expected = "\
6 games have the position after d4 Nf6 c4 e6, Indian Defense: East Indian Game

move     games  share white  draw black  score     95%  exp   elo  perf rated  last
3.Nc3        2  33.3%   50%   50%    0%    75%  20-97%  64%  2600     -     1  1990  A - B 1990, 1-0
3.Nf3        2  33.3%    0%    0%  100%     0%   0-66%    -     -     -     0  2001  C - D 2001, 0-1  Indian Defense: Anti-Nimzo-Indian
(end)        1  16.7%
all          6 100.0%   40%   20%   40%    50%  17-83%  64%  2600     -     1  2001
";
    assert_eq!(ran.out, expected);
    assert_eq!(ran.err, "1 game is not counted because of other rules\n");
    let ran = place.run("tree g.pgn e4 --csv");
    assert!(ran.out.starts_with("line,move,uci,games,white,"), "{ran:?}");
    let ran = place.run("tree g.pgn --depth 2 --csv");
    let line = "\nd4 Nf6,Nf6,g8f6,3,2,0,1,2500,,1990,g.pgn,1,A,B,1990.01.01,1-0,Indian Defense,0.3333,0.0615,0.7923,0.3599,,1\n";
    assert!(ran.out.contains(line), "{}", ran.out);
}

/// Games of three players, in which 2.d4 and 3.Bd3 are new from 2005 on.
const DATED: &str = "\
[White \"Carlsen, M\"]\n[Black \"Short, N\"]\n[Date \"1999.??.??\"]\n[Result \"1-0\"]\n\n1.e4 e5 2.Nf3 Nc6 1-0\n\n\
[White \"Short, N\"]\n[Black \"Carlsen, M\"]\n[Date \"2001.5.1\"]\n[Result \"0-1\"]\n\n1.e4 e5 2.Nf3 Nf6 0-1\n\n\
[White \"Short, N\"]\n[Black \"Adams, M\"]\n[Date \"2005.2.3\"]\n[Result \"1/2-1/2\"]\n\n1.e4 e5 2.d4 exd4 1/2-1/2\n\n\
[White \"Adams, M\"]\n[Black \"Carlsen, M\"]\n[Date \"2005.2.1\"]\n[Result \"1-0\"]\n\n1.e4 e5 2.d4 exd4 1-0\n\n\
[White \"Adams, M\"]\n[Black \"Short, N\"]\n[Result \"*\"]\n\n1.e4 e5 2.f4 *\n\n";

/// Runs a tree of [`DATED`] on text and archive, which agree.
#[track_caller]
fn dated(line: &str) -> String {
    let place = Place::empty();
    place.write("g.pgn", DATED);
    let text = place.run(&format!("tree g.pgn {line}"));
    assert_eq!((text.status, &*text.err), (Some(0), ""), "{line}: {text:?}");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert_eq!(place.run(&format!("tree g.cqa --threads 2 {line}")).out, text.out, "{line}");
    text.out
}

#[test]
fn the_score_may_be_that_of_a_player() {
    let out = dated("--score-of cARLSEN e4 e5 --csv");
    let scores: Vec<(&str, &str)> = out
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            // Names of players have commas in quotes.
            (fields[1], fields[fields.len() - 6])
        })
        .collect();
    // A win with either color; a loss and a game of others; a game of others.
    assert_eq!(scores, [("Nf3", "1"), ("d4", "0"), ("f4", "")], "{out}");
    let place = Place::empty();
    place.write("g.pgn", DATED);
    let ran = place.run("tree g.pgn --score-of Nobody");
    assert!(ran.err.contains("no game with the position and a result has a player"), "{ran:?}");
}

#[test]
fn moves_that_were_not_played_before_a_date_are_new() {
    let check = |since: &str, expected: &[&str]| {
        let out = dated(&format!("--since {since} e4 --depth 3 --json"));
        let tree: Value = serde_json::from_str(&out).expect("JSON");
        let mut new = Vec::new();
        let mut open = vec![&tree];
        while let Some(node) = open.pop() {
            if let Some(first) = node.get("novelty") {
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                new.push(format!("{} {}", text(&node["move"]), text(&first["date"])));
            }
            open.extend(node["moves"].as_array().into_iter().flatten());
        }
        new.sort();
        assert_eq!(new, expected, "{since}");
    };
    // The answer to a new move is not new, nor is a move of a game without a date.
    check("2005", &["d4 2005.02.01"]);
    check("2005-02-01", &["d4 2005.02.01"]);
    check("2005-02-02", &[]);
    check("2001.05", &["Nf6 2001.05.01", "d4 2005.02.01"]);
    let out = dated("--since 2005 e4 e5");
    assert!(
        out.contains("2.d4         2  40.0%")
            && out.contains("  new: Adams, M - Carlsen, M 2005, 1-0"),
        "{out}"
    );
    let place = Place::empty();
    place.write("g.pgn", DATED);
    let wrong = ["x", "2005-13", "0", "2005-1-1-1", "", "2015-02-30", "1900-2-29", "2048"];
    for date in wrong {
        let ran = place.cql(&["tree", "g.pgn", "--since", date]);
        assert_eq!(ran.status, Some(2), "{date}: {ran:?}");
    }
}

#[test]
fn whole_continuations_come_by_their_games() {
    let lines = |line: &str| -> Vec<String> {
        let out = dated(line);
        out.lines()
            .skip(1)
            .map(|line| line.split(',').take(2).collect::<Vec<_>>().join(" "))
            .collect()
    };
    let all =
        ["1.e4 e5 2.d4 exd4 2", "1.e4 e5 2.Nf3 Nc6 1", "1.e4 e5 2.Nf3 Nf6 1", "1.e4 e5 2.f4 1"];
    assert_eq!(lines("--lines --csv"), all);
    assert_eq!(lines("--lines --csv --top 1"), all[..1]);
    assert_eq!(lines("--lines --csv --min-games 2 e4"), ["1...e5 2.Nf3 2", "1...e5 2.d4 exd4 2"]);
    let out = dated("--lines --depth 3");
    assert!(out.contains("\n1.e4 e5 2.Nf3        2  40.0%   50%    0%   50%    50%"), "{out}");
    let tree: Value = serde_json::from_str(&dated("--lines --json")).expect("JSON");
    assert_eq!(
        (&tree["lines"][0]["line"], &tree["lines"][0]["games"]),
        (&"1.e4 e5 2.d4 exd4".into(), &2.into())
    );
}

#[test]
fn a_book_has_the_moves_by_position() {
    let place = Place::new();
    let entries = |line: &str| {
        let ran = place.run(&format!("tree {line} --book b.bin --force"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        assert_eq!(ran.err, "1 game is not counted because of other rules\n", "{line}");
        let bytes = std::fs::read(place.path("b.bin")).expect("a book");
        let number = |bytes: &[u8]| bytes.iter().fold(0, |n, &byte| n << 8 | u64::from(byte));
        let entry =
            |entry: &[u8]| (number(&entry[..8]), number(&entry[8..10]), number(&entry[10..12]));
        bytes.chunks(16).map(entry).collect::<Vec<_>>()
    };
    let whole = entries("g.pgn");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert_eq!(entries("g.cqa --threads 2"), whole);
    assert!(whole.is_sorted_by_key(|entry| entry.0));
    // After 1.d4 Nf6 2.c4 e6 in any order: 3.Nc3 won and drew; 3.Nf3 and 3.g3 scored nothing.
    let mut position = Position::START;
    for mv in ["d2d4", "g8f6", "c2c4", "e7e6"] {
        let mut moves = board::MoveList::default();
        position.legal_moves(&mut moves);
        position = position.play(*moves.iter().find(|one| one.to_string() == mv).expect("legal"));
    }
    let key = board::polyglot_key(&position);
    let there: Vec<_> = whole.iter().filter(|entry| entry.0 == key).collect();
    let nc3 = 1 << 6 | 18;
    assert_eq!(there, [&(key, nc3, 3)]);
    assert_eq!(entries("g.pgn --depth 1").len(), 1);
    assert_eq!(entries("g.pgn --depth 1 --min-games 5").len(), 0);
    assert_eq!(entries("g.pgn"), whole);
    let ran = place.run("tree g.pgn --book b.bin");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = place.run("tree g.pgn --depth 13");
    assert!(ran.err.contains("only a --book may have more"), "{ran:?}");
}

#[test]
fn moves_come_in_the_order_of_a_column() {
    let check = |order: &str, expected: &[&str]| {
        let tree: Value =
            serde_json::from_str(&dated(&format!("e4 e5 --json {order}"))).expect("JSON");
        let moves = tree["moves"].as_array().expect("moves").iter();
        let moves: Vec<&str> = moves.map(|next| next["move"].as_str().expect("a move")).collect();
        assert_eq!(moves, expected, "{order}");
    };
    check("", &["Nf3", "d4", "f4"]);
    check("--order score", &["d4", "Nf3", "f4"]);
    check("--order black --top 1", &["Nf3"]);
    check("--order last", &["d4", "Nf3", "f4"]);
    check("--order draw --top 2", &["d4", "Nf3"]);
}

#[test]
fn several_inputs_are_counted_together() {
    let place = Place::new();
    place.write("h.pgn", "[WhiteElo \"1\"]\n\n1.b3 *\n\n[WhiteElo \"2\"]\n\n1.b3 *\n");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    let tree = place.tree("g.cqa h.pgn");
    assert_eq!(counts(&tree)["b3"], 2);
    assert_eq!(counts(&tree)["d4"], 4);
    let b3 = tree["moves"].as_array().expect("moves");
    let b3 = b3.iter().find(|line| line["move"] == "b3").expect("a move");
    let example = &b3["example"];
    assert_eq!((&example["input"], &example["game"]), (&"h.pgn".into(), &2.into()));
    for line in ["tree g.cqa g.pgn h.pgn", "tree h.pgn g.pgn g.cqa", "tree g.cqa h.pgn h.pgn"] {
        let ran = place.run(line);
        assert!(ran.out.starts_with("9 games have the normal start"), "{ran:?}");
        assert!(ran.err.contains(" is given more than once; "), "{ran:?}");
    }
    let ran = place.run_on("tree - e4", GAMES);
    assert!(
        ran.out.starts_with("2 games have the position after e4, King's Pawn Game\n"),
        "{ran:?}"
    );
    // If the archive next to the file is damaged, the text is read.
    place.write("n.pgn", "1.e4 *\n");
    assert_eq!(place.run("index n.pgn").status, Some(0));
    let names = std::fs::read_dir(place.path("n.cqa")).expect("an archive");
    for entry in names {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "arrow") {
            std::fs::write(path, "x").expect("written");
        }
    }
    let ran = place.run("tree n.pgn");
    assert!(ran.out.starts_with("1 game has the normal start"), "{ran:?}");
    assert!(
        ran.err.contains("n.cqa: ") && ran.err.ends_with("; reading the text instead\n"),
        "{ran:?}"
    );
    // An outdated archive is not used.
    place.write("g.pgn", "1.e4 *\n\n[Event \"b\"]\n\n1.e4 *\n");
    let ran = place.run("tree g.cqa");
    assert!(ran.out.starts_with("2 games have the normal start"), "{ran:?}");
    assert!(ran.err.contains("its games have changed; reading the text instead"), "{ran:?}");
}

#[test]
fn an_opening_is_a_position() {
    let place = Place::new();
    let ran = place.run("tree g.pgn queen's pawn");
    assert!(ran.out.contains(" games have the position after d4, Queen's Pawn Game"), "{ran:?}");
    let ran = place.run("tree g.pgn Exchange Variation");
    assert!(
        ran.err.starts_with("to count another opening of this name, give its whole name: "),
        "{ran:?}"
    );
}

#[test]
fn what_is_no_position_is_refused() {
    let place = Place::new();
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.out), (Some(1), ""), "{line}");
        assert_eq!(ran.err, expected, "{line}");
    };
    check(
        "tree g.pgn 1.e4 e5 2.Bb4",
        "error: 'Bb4' is not possible here; possible: Be2, Bd3, Bc4, Bb5, Ba6\n  1.e4 e5 2.Bb4\n            \
         ^^^ after e5\n",
    );
    check(
        "tree g.pgn 8/8/8/8/8/8/8/K6x_w_-_-_0_1",
        "error: this is not a FEN: invalid sign 'x' in the board\n  8/8/8/8/8/8/8/K6x w - - 0 1\n  \
         \x20               ^ expected: letters pnbrqk and PNBRQK, digits 1 to 8\n",
    );
    check(
        "tree g.pgn Sicillian",
        "error: Sicillian is neither a file nor a position: give a position after the games, as \
         moves (1.e4 c5), the name of an opening, or a FEN; did you mean 'Sicilian'?\n",
    );
    for line in ["tree g.pgn B20-B99", "prepare g.pgn --opening B20-B99 -o -"] {
        check(
            line,
            "error: B20–B99 is not one position: choose the games of these openings with -cql \
             '\"B20\" <= openingcode <= \"B99\"'\n",
        );
    }
    let ran = place.run("tree g.pgn none.pgn");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("cannot read none.pgn"), "{ran:?}");
}

/// Counts the moves after a position, at its first occurrence in the main line of each game.
fn plain_count(games: &[u8], position: &Position) -> BTreeMap<String, u64> {
    let (mut index, mut tree, mut counts) =
        (TagIndex::default(), GameTree::default(), BTreeMap::new());
    for raw in Splitter::default().split(games, true) {
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let mut line = std::iter::successors(Some(0), |&node| tree.next(node));
        let key = polyglot_key(position);
        let found = line.find(|&node| polyglot_key(&tree.positions()[node]) == key);
        if let Some(next) = found.and_then(|node| tree.next(node))
            && let Some(mv) = tree.move_to(next)
        {
            let name = san(position, mv).to_string();
            *counts.entry(name).or_default() += 1;
        }
    }
    counts
}

#[test]
fn every_tree_is_what_a_plain_count_says() {
    let place = Place::empty();
    let games = std::fs::read(root().join("examples/historic.pgn")).expect("games");
    place.write("h.pgn", &games);
    assert_eq!(place.run("index h.pgn").status, Some(0));
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    let mut n_moves = 0;
    for (number, raw) in Splitter::default().split(&games, true).enumerate() {
        index.scan(raw.text);
        tree.parse(index.tags(raw.text));
        let node = (3 * number) % 17 % tree.len();
        let position = &tree.positions()[node];
        let fen = position.fen();
        let expected = plain_count(&games, position);
        n_moves += expected.len();
        for input in ["h.pgn", "h.cqa"] {
            let ran = place.cql(&["tree", "--json", input, &fen]);
            let found: Value = serde_json::from_str(&ran.out).expect("JSON");
            assert_eq!(counts(&found), expected, "{fen}");
        }
    }
    assert!(n_moves > 60, "{n_moves}");
}
