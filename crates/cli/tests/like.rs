//! `cql like` as a process: the order of its games in text and archives, images, and bad input.

mod support;

use std::fmt::Write as _;

use serde_json::Value;
use support::Place;

/// The start of all games.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// A position of the third game after three moves of each side.
const RUY: &str = "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R";

/// Five games: the third has the position, the fourth begins elsewhere.
fn games() -> String {
    let other = "r2kqb1r/ppp1pp1p/2n1b2p/8/8/2N1B2P/PPP1PP1P/R2KQB1R";
    format!(
        "[White \"A\"]\n[Event \"one\"]\n[Date \"1990.1.1\"]\n\n1.e4 c5 2.Nf3 d6 *\n\n\
         [White \"B\"]\n\n1.d4 d5 2.c4 e6 *\n\n\
         [White \"C\"]\n[Black \"X, Y\"]\n[ECO \"C70\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 *\n\n\
         [White \"D\"]\n[FEN \"{other} w - - 0 1\"]\n\n1.h4 *\n\n\
         [White \"E\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bc4 *\n"
    )
}

/// Many games whose best positions differ. Some have a variation, some begin without two rooks, and
/// some with a move of Black.
fn many() -> String {
    let mut text = String::new();
    for n in 0..4000_u32 {
        let moves = ["Nf3", "Nc3", "Nh3", "Na3", "e3", "d3", "c3", "b3"];
        let replies = ["Nf6", "Nc6", "e6", "d6", "c6", "b6", "g6", "h6"];
        let (first, second) = (moves[n as usize % 8], replies[n as usize / 8 % 8]);
        let third = ["a3", "a4", "h4", "g4"][n as usize / 64 % 4];
        let start = "1nbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1 w Qk - 0 1";
        let fen = match n {
            _ if n % 11 == 5 => format!("[FEN \"{start}\"]\n"),
            _ if n % 13 == 6 => format!("[FEN \"{START} b KQkq - 0 1\"]\n"),
            _ => String::new(),
        };
        let variation = if n % 7 == 3 { " (2.b4 b5)" } else { "" };
        let moves = match n {
            _ if fen.contains(" b ") => format!("1...{second} 2.{first} a5 3.{third}"),
            _ => format!("1.{first} {second} 2.{third}{variation} a5"),
        };
        let _ = write!(text, "[White \"{n}\"]\n{fen}\n{moves} *\n\n");
    }
    text
}

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", games());
        place
    }

    fn like(&self, line: &str) -> Vec<Value> {
        let ran = self.run(&format!("like {line} --format json"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        serde_json::from_str(&ran.out).expect("JSON")
    }
}

/// Returns the games with the tenths of their likeness and their plies: `3=1000@6`.
fn short(found: &[Value]) -> Vec<String> {
    let short = |game: &Value| {
        let tenths = game["likeness"].as_f64().expect("a number") * 10.0;
        format!("{}={}@{}", game["game"], tenths.floor(), game["ply"])
    };
    found.iter().map(short).collect()
}

#[test]
fn the_best_position_of_each_game_counts() {
    let place = Place::new();
    let found = place.like(&format!("g.pgn {RUY} --best 3"));
    assert_eq!(short(&found)[0], "3=1000@6");
    let (numbers, best) = (found.iter().map(|game| game["game"].clone()), &found[0]);
    assert_eq!(numbers.collect::<Vec<Value>>(), [3, 5, 1]);
    let tags = ["white", "black", "eco", "move", "image", "year", "fen"].map(|name| &best[name]);
    let fen = format!("{RUY} w KQkq - 0 4");
    let expected = ["C", "X, Y", "C70", "3...a6", ""].map(Value::from);
    assert_eq!(tags[..5], expected.iter().collect::<Vec<_>>());
    assert_eq!((tags[5], tags[6].as_str()), (&Value::Null, Some(&*fen)));
    assert_eq!(found[2]["year"], 1990);
    // The filter chooses positions, not only games.
    let later = place.like(&format!("g.pgn {RUY} --best 1 --query ply>6"));
    assert_eq!(short(&later), ["3=985@7"]);
    let first = place.like(&format!("g.pgn {START} --query ply==0"));
    assert_eq!(short(&first)[..4], ["1=1000@0", "2=1000@0", "3=1000@0", "5=1000@0"]);
    let fen = format!("{RUY}_b_-_-_0_1");
    assert_eq!(short(&place.like(&format!("g.pgn {fen} --best 1"))), ["3=1000@6"]);
}

#[test]
fn the_game_of_the_position_is_left_out() {
    let place = Place::new();
    let found = short(&place.like("g.pgn 3:4"));
    assert_eq!(found[0], "5=1000@4");
    assert_eq!(found.len(), 4);
    // Standard input can be read only once.
    let ran = place.run_on("like - 3:4 --format csv --best 1", games());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.lines().nth(1).is_some_and(|line| line.starts_with("100.00,,")), "{ran:?}");
}

#[test]
fn images_are_named_and_cost_five_points() {
    let place = Place::new();
    let own = "r1bqk2r/ppp2ppp/2n2n2/3p4/3P4/2N2B2/PPP2PPP/R1BQ1RK1";
    let check = |options: &str, fen: &str, image: &str, likeness: f64| {
        place.write("i.pgn", format!("[FEN \"{fen} w - - 0 1\"]\n\n*\n"));
        let found = place.like(&format!("i.pgn {own} {options}"));
        let found = (found[0]["image"].as_str(), found[0]["likeness"].as_f64());
        assert_eq!(found, (Some(image), Some(likeness)), "{options} {fen}");
    };
    let mirror = "r2kqb1r/ppp2ppp/2n2n2/4p3/4P3/2B2N2/PPP2PPP/1KR1QB1R";
    check("--mirror", mirror, "mirror", 95.0);
    check("--mirror --colors --shift", mirror, "mirror", 95.0);
    check("--mirror --colors", own, "", 100.0);
}

#[test]
fn text_and_archive_have_the_same_best_games() {
    let place = Place::empty();
    place.write("m.pgn", many());
    let fen = "rnbqkb1r/1ppppppp/5n2/p7/P7/2N5/1PPPPPPP/R1BQKBNR";
    let line = format!("like m.pgn {fen} --mirror --best 70 --format csv");
    let text = place.run(&line);
    assert_eq!(text.status, Some(0), "{text:?}");
    // The order is that of a query without a shortcut: by likeness, then by number.
    place.write(
        "q.cql",
        format!(
            "cql() sort \"like\" max(likeness(\"{fen}\" pawns 6000 pieces 2000 kings 1000 material \
             1000) likeness(\"r1bkqbnr/ppppppp1/2n5/7p/7P/5N2/PPPPPPP1/RNBKQB1R\") - 500)"
        ),
    );
    let sorted =
        place.run("q.cql m.pgn --stdout --format csv --per game --columns game --limit 70");
    let column = |text: &str, n: usize| -> Vec<String> {
        let lines = text.lines().skip(1);
        lines.map(|line| line.split(',').nth(n).unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(column(&text.out, 3), column(&sorted.out, 0));
    assert_eq!(column(&text.out, 3).len(), 70);
    assert_eq!(place.run("index m.pgn").status, Some(0));
    for options in ["", "--threads 1", "--threads 3", "--no-index", "--no-index --threads 3"] {
        assert_eq!(place.run(&format!("{line} {options}")).out, text.out, "{options}");
    }
}

#[test]
fn games_are_lines_with_boards_on_demand() {
    let place = Place::new();
    let ran = place.run(&format!("like g.pgn {RUY} --best 2"));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 3, "{ran:?}");
    assert!(lines[0].starts_with(" like  game  players"), "{ran:?}");
    assert!(lines[1].starts_with("100.0     3  C – X"), "{ran:?}");
    assert!(lines[1].ends_with(&format!("{RUY} w KQkq - 0 4")), "{ran:?}");
    let ran = place.run(&format!("like g.pgn {RUY} --best 2 --board --mirror"));
    assert!(ran.out.contains("image"), "{ran:?}");
    assert!(ran.out.contains("      8  r . b q k b n r\n"), "{ran:?}");
    let none = place.run(&format!("like g.pgn {RUY} --query false"));
    assert_eq!((none.status, &*none.out), (Some(0), ""));
    assert!(none.err.contains("no game of g.pgn"), "{none:?}");
}

#[test]
fn bad_input_is_refused() {
    let place = Place::new();
    place.write("empty.pgn", "");
    for (line, status, message) in [
        ("g.pgn 9:1", 1, "there is no game 9 in g.pgn"),
        ("g.pgn 2:5", 1, "game 2 of g.pgn ends at ply 4, before ply 5"),
        ("g.pgn 0:5", 1, "'0:5' is not a position"),
        ("g.pgn 1:-5", 1, "'1:-5' is not a position"),
        ("g.pgn x", 1, "'x' is not a position"),
        ("g.pgn 8/8/8/8/8/8/8/8", 1, "is not a FEN: a side does not have exactly one king"),
        ("g.pgn 8/8/8/8/8/8/8/9", 1, "is not a FEN"),
        ("g.pgn k7/8/pp7/8/8/8/8/7K", 1, "is not a FEN: rank 6 has 9 squares, not 8"),
        ("g.pgn k7/8/1/8/8/8/8/7K", 1, "is not a FEN: rank 6 has 1 square, not 8"),
        ("g.pgn rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP", 1, "the board has 7 ranks, not 8"),
        ("g.pgn", 2, "give a position after g.pgn"),
        ("1:2", 2, "give the games before the position"),
        ("nothing.pgn 1:2", 1, "cannot read nothing.pgn"),
        ("empty.pgn 1:2", 1, "there are no games in empty.pgn"),
        ("g.pgn 1:2 --pawns 0 --pieces 0 --kings 0 --material 0", 2, "are all 0"),
        ("g.pgn 1:2 --pawns -3", 2, "a weight is a number that is not negative"),
        ("g.pgn 1:2 --kings NaN", 2, "a weight is a number that is not negative"),
        ("g.pgn 1:2 --material inf", 2, "a weight is a number that is not negative"),
        ("g.pgn 1:2 --best 0", 2, "--best"),
        ("g.pgn 1:2 --query mat", 1, "unknown name `mat`"),
        ("g.pgn 1:2 --query sort_\"x\"_ply", 1, "--cql cannot sort"),
    ] {
        let ran = place.run(&format!("like {line}"));
        assert_eq!((ran.status, &*ran.out), (Some(status), ""), "{line}: {ran:?}");
        assert!(ran.err.contains(message), "{line}: {ran:?}");
    }
}
