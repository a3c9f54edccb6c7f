//! `cql prepare` as a process: its figures agree with those of the tree, of counts and of queries
//! about the same games, and everything that is missing is said.

mod support;

use serde_json::Value;
use support::{Place, Ran};

/// Games of a player with White, one with Black, one of another player, and one from a position.
/// The moves have an isolated pawn, a rook ending, clocks and evaluations.
fn games() -> String {
    let lines = [
        "1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Be2 e5 7.Nb3 Be7",
        "1.e4 c5 2.Nf3 d6 3.d4 cxd4 4.Nxd4 Nf6 5.Nc3 a6 6.Bg5 e6 7.f4 Be7 8.Qf3 Qc7 9.O-O-O",
        "1.e4 e6 2.d4 d5 3.e5 c5 4.c3 Nc6 5.Nf3 Qb6 6.a3 c4",
        "1.d4 d5 2.c4 e6 3.Nc3 Nf6 4.Bg5 Be7 5.e3 O-O",
    ];
    let mut text = String::new();
    for n in 0..24 {
        let (year, result) = (1990 + n / 4, ["1-0", "1/2-1/2", "0-1", "1-0", "*"][n % 5]);
        let (own, other) = (2500 + n, if n == 7 { 0 } else { 2300 + 37 * n });
        let opponent = ["Bo, B", "Cy <b>&'x'", "Di, D"][n % 3];
        text += &format!(
            "[Event \"E{n}\"]\n[Date \"{year}.05.{:02}\"]\n[White \"Lee, Ann\"]\n\
             [Black \"{opponent}\"]\n[WhiteElo \"{own}\"]\n[BlackElo \"{other}\"]\n\
             [Result \"{result}\"]\n\n{} {result}\n\n",
            n + 1,
            lines[n % lines.len()]
        );
    }
    text + "[White \"Bo, B\"]\n[Black \"Lee, Ann\"]\n[Result \"0-1\"]\n\n1.e4 c5 0-1\n\n\
        [White \"Bo, B\"]\n[Black \"Di, D\"]\n[Result \"1-0\"]\n\n1.e4 e5 1-0\n\n\
        [White \"Lee, Ann\"]\n[Black \"Di, D\"]\n[Result \"1-0\"]\n\
        [FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n\n1.e4 1-0\n\n"
}

/// Games with clocks and evaluations.
const ANNOTATED: &str = "\
[White \"Lee, Ann\"]\n[Black \"Bo\"]\n[Result \"0-1\"]\n\n\
1.e4 {[%eval 0.30] [%clk 0:10:00]} e5 {[%eval 0.30] [%clk 0:10:00]} \
2.Qh5 {[%eval -0.90] [%clk 0:05:00]} Nc6 {[%eval -0.90] [%clk 0:09:00]} \
3.Bc4 {[%eval -0.90] [%clk 0:00:59]} Nf6 {[%eval #1] [%clk 0:08:00]} \
4.Qxf7# {[%clk 0:00:30]} 1-0\n\n\
[White \"Lee, Ann\"]\n[Black \"Di\"]\n[Result \"1/2-1/2\"]\n\n1.e4 e5 1/2-1/2\n";

fn place(games: &str) -> Place {
    let place = Place::empty();
    place.write("g.pgn", games);
    place
}

trait Json {
    fn json(&self, line: &str) -> Value;
}

impl Json for Place {
    #[track_caller]
    fn json(&self, line: &str) -> Value {
        let ran: Ran = self.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{line}: {error}: {ran:?}"))
    }
}

const KORCHNOI: &str = "\
[White \"Korchnoi, Viktor\"]\n[Black \"A\"]\n[BlackElo \"2600\"]\n\n1.e4 e5 1-0\n\n\
[White \"Kortschnoj, V\"]\n[Black \"B\"]\n\n1.e4 e5 0-1\n\n\
[White \"Kortschnoj, V\"]\n[Black \"B\"]\n\n1.e4 c5 0-1\n\n\
[White \"Kortschnoj, Igor\"]\n[Black \"B\"]\n\n1.e4 e5 0-1\n\n";

#[test]
fn other_spellings_of_the_name_are_proposed() {
    let place = place(KORCHNOI);
    let asked = "prepare g.pgn --as white --player Korchnoi";
    for archive in [false, true] {
        assert!(!archive || place.run("index g.pgn").status == Some(0));
        let ran = place.run(&format!("{asked} -o r.html"));
        let said =
            "perhaps other spellings of the name, not counted: --player 'Kortschnoj, V' (2)\n";
        assert!(ran.err.contains(said), "{ran:?}");
        assert!(place.read("r.html").contains("<bdi>Kortschnoj, V</bdi>"));
        let report = place.json(&format!("{asked} --json"));
        let others = serde_json::json!([{ "name": "Kortschnoj, V", "count": 2 }]);
        assert_eq!((&report["games"], &report["other_spellings"]), (&1.into(), &others));
        // One rated game is no performance.
        assert_eq!((&report["rated"], &report["performance"]), (&1.into(), &Value::Null));
        let report = place.json(&format!("{asked} --player Kortschnoj,_V --json"));
        assert_eq!((&report["games"], &report["losses"]), (&3.into(), &2.into()));
        assert_eq!(report["other_spellings"], serde_json::json!([]));
    }
    let ran = place.run("prepare g.pgn --as white --player Kortchnoi --json");
    assert!(ran.err.contains("did you mean 'Kortschnoj'?"), "{ran:?}");
}

#[test]
fn a_report_goes_to_standard_output_or_replaces_a_report() {
    let place = place(&games());
    let asked = "prepare g.pgn --as white --player lee";
    for (name, status) in [("r.pdf", 2), ("report", 2), ("r.HTM", 0)] {
        let ran = place.run(&format!("{asked} -o {name}"));
        assert_eq!((ran.status, place.path(name).exists()), (Some(status), status == 0), "{ran:?}");
    }
    let ran = place.run("prepare g.pgn --as WHITE --player lee -o -");
    assert!(ran.status == Some(0) && ran.out.starts_with("<!DOCTYPE html>"), "{ran:?}");
    assert!(!place.path("-").exists());
    for name in ["r.json", "R.JSON"] {
        for _ in 0..2 {
            let ran = place.run(&format!("{asked} -o {name}"));
            assert_eq!((ran.status, place.read(name).get(..3)), (Some(0), Some("{\n ")), "{ran:?}");
        }
    }
    let own = "{\n  \"name\": \"mine\"\n}\n";
    place.write("r.json", own);
    assert_eq!(place.run(&format!("{asked} -o r.json")).status, Some(1));
    assert_eq!(place.read("r.json"), own);
}

/// Checks that two objects have the same values in these fields.
#[track_caller]
fn same(a: &Value, b: &Value, fields: &[&str]) {
    for field in fields {
        assert!(a.get(field).is_some() && a[field] == b[field], "{field}: {a} {b}");
    }
}

const SCORES: [&str; 7] =
    ["games", "score", "score_low", "score_high", "expected_score", "elo", "performance"];

/// Checks that a tree has the moves and figures of another one.
#[track_caller]
fn same_tree(a: &Value, b: &Value) -> usize {
    same(a, b, &SCORES);
    same(a, b, &["white", "draws", "black"]);
    let [a, b] = [a, b].map(|tree| tree["moves"].as_array().expect("moves"));
    assert_eq!(a.len(), b.len());
    let below: usize = a
        .iter()
        .zip(b)
        .map(|(a, b)| {
            assert_eq!(a["move"], b["move"]);
            same_tree(a, b)
        })
        .sum();
    a.len() + below
}

#[test]
fn figures_are_those_of_the_tree_of_counts_and_of_queries() {
    let place = place(&games());
    let check = |ask: &str, selection: &str| {
        let report = place.json(&format!("prepare g.pgn {ask} --min-games 1 --depth 12 --json"));
        let tree = place.json(&format!("tree g.pgn {selection} --depth 12 --json"));
        assert!(same_tree(&report["tree"], &tree) > 10, "{ask}");
        same(&report, &tree, &SCORES);
        // The tree counts by colors, the report by the player.
        let side = if report["side"] == "white" { ["white", "black"] } else { ["black", "white"] };
        assert_eq!([&report["wins"], &report["losses"]], side.map(|color| &tree[color]), "{ask}");

        let search = "g.pgn --stdout --format jsonl --scores --count-by";
        let counts = |by: &str| -> Vec<Value> {
            let ran = place.run(&format!("{search} {by} {selection} --cql initial"));
            assert_eq!(ran.status, Some(0), "{ran:?}");
            let rows = ran.out.lines().map(|line| serde_json::from_str(line).expect("JSON"));
            // The game from another position has no date.
            rows.filter(|row: &Value| !row[by].is_null()).collect()
        };
        let years = report["years"].as_array().expect("rows");
        let counted = counts("year");
        assert_eq!((years.len(), counted.len()), (6, 6));
        for (row, counted) in years.iter().zip(&counted) {
            same(row, counted, &SCORES);
            same(row, counted, &["year", "wins", "draws", "losses"]);
        }
        let sum = |list: &str| -> u64 {
            let rows = report[list].as_array().expect("rows");
            rows.iter().map(|row| row["games"].as_u64().expect("a number")).sum()
        };
        for list in ["years", "ratings", "openings"] {
            assert_eq!(report["games"], sum(list), "{list}");
        }
        let features = [&report["structures"], &report["endings"]];
        features.into_iter().flat_map(|list| list.as_array().expect("rows")).for_each(|feature| {
            place.write("q.cql", feature["query"].as_str().expect("a query"));
            let found = place
                .run(&format!("q.cql g.pgn {selection} --stdout --format jsonl --scores --count"));
            let found: Value = serde_json::from_str(&found.out).expect("JSON");
            same(feature, &found, &["games"]);
        });
        report
    };
    let white = "--white Lee --score-of lee";
    let report = check("--player lee --as white", white);
    assert_eq!((&report["games"], &report["omitted"]["elsewhere"]), (&24.into(), &1.into()));
    let structures = report["structures"].as_array().expect("rows");
    assert!(structures.iter().any(|row| row["name"] == "French chain"), "{structures:?}");
}

#[test]
fn the_tree_of_an_opening_is_that_of_its_position() {
    let place = place(&games());
    let ask = "prepare g.pgn --opening Najdorf --min-games 1 --depth 8 --json";
    let report = place.json(ask);
    let tree = place.json("tree g.pgn Najdorf --depth 8 --score-of lee --json");
    assert!(same_tree(&report["tree"], &tree) > 5);
    assert_eq!(report["opening"], "Sicilian Defense: Najdorf Variation");
    let said = place.run("prepare g.pgn --opening najdorf -o r.html").out;
    assert!(said.contains(" games of Sicilian Defense: Najdorf Variation written to"), "{said}");
    let black = place.json(&format!("{ask} --as black"));
    assert_eq!([&black["wins"], &black["losses"]], [&report["losses"], &report["wins"]]);
}

#[test]
fn archives_give_the_same_report() {
    let place = place(&(games() + ANNOTATED));
    let ask = "prepare g.pgn --player lee --as white --since 1993 --json";
    let text = place.json(ask);
    assert_eq!(place.run("index ./g.pgn").status, Some(0));
    let mut archived = place.json(ask);
    assert_eq!(archived, text);
    archived = place.json(&format!("{ask} --threads 1"));
    assert_eq!(archived, text);
}

#[test]
fn clocks_and_evaluations_are_counted() {
    let place = place(ANNOTATED);
    let report = place.json("prepare g.pgn --player LEE --as white --json");
    let time = &report["time"];
    assert_eq!(time["games"], 1);
    let trouble = time["trouble"].as_array().expect("rows");
    let of = |who: &str| trouble.iter().find(|row| row["who"] == who).expect("a row");
    // The clock fell from 600 to 59 seconds. The result of the moves counts, not that of the tag.
    assert_eq!((&of("player")["games"], &of("player")["wins"]), (&1.into(), &1.into()));
    assert_eq!(of("nobody")["games"], 0);
    let mistakes = &report["mistakes"];
    assert_eq!(mistakes["games"], 1);
    let rows = mistakes["phases"].as_array().expect("rows");
    let of = |phase: &str, who: &str| {
        let row = rows.iter().find(|row| row["phase"] == phase && row["who"] == who);
        let row = row.expect("a row");
        ["moves", "inaccuracies", "mistakes", "blunders"].map(|field| row[field].clone())
    };
    // 2.Qh5 loses 120 centipawns: a mistake. 3...Nf6 allows mate: a blunder.
    assert_eq!(of("opening", "player"), [2, 0, 1, 0].map(Value::from));
    assert_eq!(of("opening", "opponent"), [3, 0, 0, 1].map(Value::from));
    assert!(!rows.iter().any(|row| row["phase"] == "time trouble"), "{rows:?}");
}

#[test]
fn new_moves_are_those_of_the_tree() {
    let place = place(&games());
    let report =
        place.json("prepare g.pgn --player lee --as white --since 1990-05-02 --json --min-games 1");
    let new = &report["new"];
    assert_eq!(new["before"]["games"], 1);
    assert_eq!(new["games"], 23);
    let lines: Vec<&str> = new["moves"]
        .as_array()
        .expect("moves")
        .iter()
        .map(|row| row["line"].as_str().expect("a line"))
        .collect();
    assert!(lines.contains(&"1.d4") && lines.contains(&"1.e4 e6"), "{lines:?}");
    // A move after a new one is no new move of its own.
    assert!(!lines.iter().any(|line| line.starts_with("1.d4 ")), "{lines:?}");
}

#[test]
fn the_page_is_complete_and_escapes_names() {
    let place = place(&games());
    let ran = place.run("prepare g.pgn --player lee --as white --since 1993 -o r.html");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let page = place.read("r.html");
    for part in [
        "<title>Lee, Ann as white</title>",
        "Opening tree",
        "Where the games leave theory",
        "Cy &lt;b&gt;&amp;&#39;x&#39;",
        "Pawn structures",
        "No game has clocks",
        "No game has evaluations",
        "New since 1993",
        "cql(matchcount 4 9999)",
    ] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["<script", "http://www.w3", "src=", "<button", "Cy <b>"] {
        assert!(!page.contains(part), "{part}");
    }
    assert_eq!(page.matches("<table").count(), page.matches("</table>").count());
    // A report may replace a report, but no other page.
    let again = "prepare g.pgn --player lee --as white --title My_<title> -o r.html";
    assert_eq!(place.run(again).status, Some(0));
    assert!(place.read("r.html").contains("<h1>My &lt;title&gt;</h1>"));
    place.write("r.html", "<p>mine</p>");
    assert_eq!(place.run(again).status, Some(1));
    assert_eq!(place.read("r.html"), "<p>mine</p>");
}

#[test]
fn what_does_not_exist_is_said() {
    let place = place(&games());
    let check = |line: &str, status: i32, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        assert!(!place.path("r.html").exists(), "{line}");
    };
    let ask = "prepare g.pgn -o r.html --as white";
    check(&format!("{ask} --player Lea"), 1, "did you mean 'Lee'?");
    check(&format!("{ask} --player xyzzy"), 1, "no player's name contains 'xyzzy'");
    check(&format!("{ask} --player Ann --year 2020"), 1, "no game");
    check(&format!("{ask} --player Di,_D"), 1, "10 games as black: use --as black");
    for names in ["--player Ann --player xyzzy", "--player xyzzy --player Ann"] {
        let ran = place.run(&format!("prepare g.pgn --as white {names} --json"));
        assert_eq!(ran.status, Some(0), "{ran:?}");
        assert!(ran.err.contains("no counted game has 'xyzzy' as white\n"), "{ran:?}");
    }
    // Two names of the player say the same in either order.
    for [a, b] in [["Lea", "xyzzy"], ["xyzzy", "Lea"]] {
        let said = "no player's name contains 'Lea' (did you mean 'Lee'?) or 'xyzzy'\n";
        check(&format!("{ask} --player {a} --player {b}"), 1, said);
    }
    for [a, b] in [["Lea", "Di,_D"], ["Di,_D", "Lea"]] {
        let said = "no player's name contains 'Lea' (did you mean 'Lee'?); no game has 'Di, D' as \
                    white, but 10 games as black: use --as black\n";
        check(&format!("{ask} --player {a} --player {b}"), 1, said);
    }
    check(&format!("{ask} --player lee --opening 1.b3"), 1, "no game of lee as white has this");
    check(&format!("{ask} --opening Najdorff"), 1, "did you mean 'Najdorf'?");
    check(&format!("{ask} --opening 1.b3"), 1, "no game has this position");
    check("prepare g.pgn --player lee -o r.html", 2, "--as");
    check("prepare g.pgn -o r.html --as white", 2, "--player");
    check("prepare g.pgn --player lee --as white", 2, "-o REPORT.html");
    check("prepare none.pgn --player lee --as white -o r.html", 1, "none.pgn");
    check("prepare g.pgn --player lee --as white -o r.html --since 2o", 2, "2o");
}
