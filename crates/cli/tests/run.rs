//! `cql run`: several queries over the same games in one pass.

mod support;

use std::fs;
use std::io::Write;

use support::{Place, Ran, files_in};

const GAMES: &str = "\
[White \"Scholar\"]\n[Black \"Pupil\"]\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
[White \"Draw\"]\n[Black \"Other\"]\n\n1.e4 e5 1/2-1/2\n\n\
[White \"Fool\"]\n[Black \"Wise\"]\n\n1.f3 e5 2.g4 Qh4# (2...d5 3.e4) 0-1\n\n";

const MORE: &str = "\
[White \"Legal\"]\n[Black \"Saint Brie\"]\n\n\
1.e4 e5 2.Nf3 d6 3.Bc4 Bg4 4.Nc3 g6 5.Nxe5 Bxd1 6.Bxf7+ Ke7 7.Nd5# 1-0\n\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place.write("more/h.pgn", MORE);
        place.write("mate.cql", "cql() mate comment(\"end\")");
        place.write("check.cql", "cql() check");
        place.write("q/king.cql", "cql() move from [Kk]");
        place.write("q/deep/pawn.cql", "cql(variations) ply==0 move from P");
        place
    }

    /// Returns the names of the files in a directory.
    fn files(&self, directory: &str) -> Vec<String> {
        files_in(&self.path(directory))
    }

    fn succeed(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        ran
    }
}

#[test]
fn each_query_has_the_output_it_has_alone() {
    let place = Place::new();
    place.write("sorted.cql", "cql() sort \"plies\" {mate ply} message(\"m\" gamenumber)");
    place.write("variations.cql", "cql(variations quiet) btm ply>=3");
    let queries = ["mate", "check", "sorted", "variations"];
    for threads in [1, 3] {
        for format in ["pgn", "jsonl", "csv", "fen"] {
            let files = queries.map(|query| format!("{query}.cql")).join(" ");
            place.succeed(&format!(
                "run {files} -i g.pgn -i more --output-dir out --format {format} --threads {threads}"
            ));
            for query in queries {
                place.succeed(&format!("-i g.pgn -i more -o alone --format {format} {query}.cql"));
                let (alone, together) =
                    (place.read("alone"), place.read(&format!("out/{query}.{format}")));
                assert!(!alone.is_empty(), "{query} {format}");
                assert_eq!(together, alone, "{query} {format}");
            }
        }
    }
}

/// Messages of queries about games are in the order of the games, however many threads read them, and
/// each names its query once.
#[test]
fn what_queries_say_is_in_the_order_of_the_games() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(200));
    place.write("a.cql", "cql() check or 3");
    place.write("b.cql", "cql() mate or 3");
    let said = |threads: u32| {
        let line = format!("run a.cql b.cql -i many.pgn --output-dir out --threads {threads}");
        let err = place.run(&line).err;
        let lines = err.lines().filter(|line| line.contains("many.pgn")).map(str::to_owned);
        lines.collect::<Vec<_>>()
    };
    let lines = said(1);
    let number = |line: &String| {
        let (_, rest) = line.split_once("many.pgn:")?.1.split_once(": game ")?;
        rest.split(' ').next()?.parse::<u32>().ok()
    };
    let numbers: Vec<u32> = lines.iter().filter_map(number).collect();
    assert_eq!(numbers.len(), 6, "{lines:?}");
    assert!(numbers.is_sorted(), "{lines:?}");
    assert!(lines[0].starts_with("a: many.pgn:") && lines[1].starts_with("b: many.pgn:"));
    for query in ["a", "b"] {
        let more = format!("{query}: many.pgn: and 597 more faults");
        assert!(lines.contains(&more), "{lines:?}");
    }
    for _ in 0..3 {
        assert_eq!(said(3), lines);
    }
}

#[test]
fn the_summary_says_what_each_query_came_to() {
    let place = Place::new();
    let ran = place.succeed("run mate.cql q -i g.pgn -i more --output-dir out");
    let expected = "query,games,matches,positions,share,faults,status\n\
                    mate,4,3,3,0.750000,0,complete\n\
                    pawn,4,4,4,1.000000,0,complete\n\
                    king,4,1,1,0.250000,0,complete\n";
    assert_eq!(place.read("out/summary.csv"), expected);
    assert_eq!(place.files("out"), ["king.pgn", "mate.pgn", "pawn.pgn", "summary.csv"]);
    assert!(ran.out.starts_with("query  games  matches"), "{ran:?}");
    assert!(ran.err.contains("3 queries of 4 games"), "{ran:?}");
    // Without any output, only the table is printed.
    let before = place.files(".");
    let ran = place.succeed("run mate.cql q/king.cql -i g.pgn");
    assert_eq!(ran.out.lines().count(), 3, "{ran:?}");
    assert_eq!(place.files("."), before);
    place.succeed("run mate.cql -i g.pgn --summary s.csv");
    assert!(place.read("s.csv").ends_with("mate,3,2,2,0.666667,0,complete\n"));
}

#[test]
fn themes_of_the_library_are_queries() {
    let place = Place::new();
    let one = place.succeed("run themes:smothered themes:quietmove g.pgn");
    let lines: Vec<&str> = one.out.lines().collect();
    assert_eq!(lines.len(), 3, "{one:?}");
    assert!(lines[1].starts_with("smothered  ") && lines[2].starts_with("quietmove"), "{one:?}");
    let all = place.succeed("run themes:* -i g.pgn -i more --summary s.csv");
    assert!(all.err.contains("64 queries of 4 games"), "{all:?}");
    assert!(place.read("s.csv").contains("attackonf7,4,2,2,"), "{all:?}");
    let ran = place.run("run themes:forks g.pgn");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("did you mean fork? (themes:* stands for"), "{ran:?}");
    let ran = place.run("run themes:pin g.pgn");
    assert!(ran.err.contains("did you mean absolutepin or relativepin?"), "{ran:?}");
    assert_eq!(place.run("run themes:Fork g.pgn").status, Some(0));
}

#[test]
fn texts_of_messages_are_in_the_order_of_the_games() {
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(4000));
    for name in ["a", "b"] {
        let query = format!("cql() initial message(\"{name}\" gamenumber)");
        place.write(&format!("{name}.cql"), query);
    }
    for threads in [1, 3] {
        let line = format!("run a.cql b.cql many.pgn --threads {threads}");
        let ran = place.succeed(&line);
        let told = ran.out.lines().filter(|line| line.starts_with("Game: "));
        let line = |n, name| format!("Game: {n} move 1(wtm): {name}{n}");
        let expected = (1..=12_000).flat_map(|n| [line(n, "a"), line(n, "b")]);
        assert!(told.eq(expected), "{threads}: {}", &ran.out[..2000]);
    }
}

#[test]
fn the_summary_is_printed_for_programs_as_well() {
    let place = Place::new();
    place.write("bad.cql", "cql() chek");
    place.write("endless.cql", "cql() x=0 while (x>=0) x=1");
    place.write("says.cql", "cql() initial message(\"hello\")");
    let report = |line: &str, status: i32| -> serde_json::Value {
        let ran = place.run(&format!("run --json -i g.pgn {line}"));
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
        serde_json::from_str(&ran.out).expect("JSON")
    };
    let all = report("q/king bad says.cql --output-dir out --keep-going", 1);
    let bad = serde_json::json!({
        "query": "bad", "file": "bad.cql", "games": null, "matches": null, "positions": null,
        "faults": null, "status": "errors in the query", "output": null,
    });
    assert_eq!(all["queries"][1], bad);
    let says = serde_json::json!({
        "query": "says", "file": "says.cql", "games": 3, "matches": 3, "positions": 3,
        "faults": 0, "status": "complete", "output": "out/says.pgn",
    });
    assert_eq!(all["queries"][2], says);
    assert_eq!((&all["games"], &all["queries"][0]["file"]), (&3.into(), &"q/king.cql".into()));
    assert!(all["threads"].is_u64() && all["seconds"].is_number(), "{all}");
    let table = report("mate says -o all.csv --limit 1", 0);
    assert_eq!(table["queries"][0]["output"], "all.csv");
    assert_eq!(table["queries"][0]["status"], "limit reached");
    place.write("g.pgn", GAMES.repeat(5));
    let given_up = report("endless mate --output-dir out2 --steps 1000", 1);
    assert_eq!(given_up["queries"][0]["output"], serde_json::Value::Null);
    assert_eq!(report("mate", 0)["queries"][0]["output"], serde_json::Value::Null);
    // In a file, which a second run replaces.
    for _ in 0..2 {
        let printed = report("mate says --summary s.json", 0);
        let written: serde_json::Value = serde_json::from_str(&place.read("s.json")).expect("JSON");
        assert_eq!(written, printed);
    }
}

#[test]
fn all_queries_may_be_texts() {
    let place = Place::new();
    let ran = place.succeed("run mate stalemate g.pgn --summary s.csv");
    assert!(place.read("s.csv").contains("\nstalemate,3,0,0,"), "{ran:?}");
    // A text with an error is no file that cannot be read.
    for query in ["ply>2.5", "clock/60.0<1", "mat<1"] {
        for line in [format!("run {query} g.pgn"), format!("run mate {query} g.pgn")] {
            let ran = place.run(&line);
            assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
            assert!(ran.err.contains("--> query:1:"), "{line}: {ran:?}");
        }
    }
}

#[test]
fn the_first_query_may_be_a_text() {
    let place = Place::new();
    let ran = place.cql(&["run", "{mate result 1-0}", "check", "g.pgn", "--output-dir", "texts"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.contains("\nmate-result-1-0  "), "{ran:?}");
    assert_eq!(place.files("texts"), ["check.pgn", "mate-result-1-0.pgn", "summary.csv"]);
    let ran = place.cql(&["run", "――", "g.pgn", "--output-dir", "symbols"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(place.files("symbols"), ["query.pgn", "summary.csv"]);
    for nothing in ["nosuch", "nosuch.cql"] {
        let ran = place.run(&format!("run {nothing} g.pgn"));
        assert!(ran.err.contains(&format!("cannot read {nothing}")), "{ran:?}");
    }
}

#[test]
fn one_table_holds_the_rows_of_all() {
    let place = Place::new();
    place.write("sorted.cql", "cql() sort \"plies\" {mate ply}");
    let check = |options: &str, expected: &str| {
        let ran = place.succeed(&format!(
            "run sorted.cql mate.cql check.cql -i g.pgn -i more {options} --stdout"
        ));
        assert_eq!(ran.out, expected, "{options}");
        assert!(ran.err.contains("query"), "{ran:?}");
    };
    check(
        "--format csv --columns game,ply",
        "query,game,ply\nsorted,1,7\nmate,1,7\ncheck,1,7\nsorted,3,4\nmate,3,4\ncheck,3,4\n\
         sorted,4,13\nmate,4,13\ncheck,4,11\ncheck,4,13\n",
    );
    check(
        "--format jsonl --columns ply,query --limit 1",
        "{\"ply\":7,\"query\":\"sorted\"}\n{\"ply\":7,\"query\":\"mate\"}\n\
         {\"ply\":7,\"query\":\"check\"}\n",
    );
    check(
        "--format tsv --per game --columns query,positions --exclude",
        "query\tpositions\nsorted\t0\nmate\t0\ncheck\t0\n",
    );
    place.succeed("run mate.cql sorted.cql -i g.pgn -o all.csv");
    let all = place.read("all.csv");
    let lines: Vec<&str> = all.lines().collect();
    assert!(lines[0].starts_with("query,input,game,"), "{all}");
    let n_fields = |line: &str| line.split(',').count();
    assert!(lines.len() == 5 && lines.iter().all(|line| n_fields(line) == n_fields(lines[0])));
    place.succeed("run mate.cql sorted.cql -i g.pgn -o all.parquet");
    assert!(fs::metadata(place.path("all.parquet")).expect("a file").len() > 100);
}

#[test]
fn limits_hold_for_each_query() {
    let place = Place::new();
    place.succeed("run mate.cql check.cql q -i g.pgn -i more --output-dir out --limit 1");
    let summary = place.read("out/summary.csv");
    let check = |line: &str| assert!(summary.contains(line), "{line}: {summary}");
    check("mate,1,1,1,1.000000,0,limit reached\n");
    check("king,4,1,1,0.250000,0,limit reached\n");
    assert_eq!(place.read("out/mate.pgn").matches("[White ").count(), 1);

    place.write("some.cql", "cql(gamenumber 2 3) initial");
    place.succeed("run some.cql mate.cql -i g.pgn -i more --output-dir out2");
    let summary = place.read("out2/summary.csv");
    assert!(summary.contains("some,2,2,2,"), "{summary}");
    assert!(summary.contains("mate,4,3,3,"), "{summary}");
    place.succeed("run mate.cql -i g.pgn -i more --output-dir out3 --gamenumber 3-4");
    assert!(place.read("out3/summary.csv").contains("mate,2,2,2,"));
}

#[test]
fn errors_of_all_queries_are_shown_before_anything_runs() {
    let place = Place::new();
    place.write("bad.cql", "cql() mate chek");
    place.write("worse.cql", "cql() {");
    let ran = place.run("run bad.cql mate.cql worse.cql -i g.pgn --output-dir out");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("bad.cql:1:12"), "{ran:?}");
    assert!(ran.err.contains("worse.cql:1:"), "{ran:?}");
    assert!(ran.err.contains("errors in 2 of 3 queries"), "{ran:?}");
    assert!(!place.path("out").exists());

    let ran = place.run("run bad.cql mate.cql -i g.pgn --output-dir out --keep-going");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(place.files("out"), ["mate.pgn", "summary.csv"]);
    let summary = place.read("out/summary.csv");
    assert!(summary.contains("\nbad,,,,,,errors in the query\nmate,3,2,2,"), "{summary}");
    let ran = place.run("run bad.cql -i g.pgn --keep-going");
    assert_eq!(ran.status, Some(1), "{ran:?}");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let place = Place::new();
    place.write("other/mate.cql", "cql() mate");
    place.write("summary.cql", "cql() mate");
    fs::create_dir(place.path("empty")).expect("a directory");
    let before = place.files(".");
    let check = |line: &str, status: i32, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        assert_eq!(ran.out, "", "{line}");
    };
    check("run mate.cql", 2, "no games to search");
    check("run -i g.pgn", 2, "needs QUERY… GAMES");
    check("run mate.cql -i g.pgn --gamenumber 3-1", 2, "a range such as 1-100");
    check("run mate.cql -i g.pgn --input-format x", 2, "pgn");
    let mate = |rest: &str, expected: &str| check(&format!("run mate.cql {rest}"), 1, expected);
    mate("other/mate.cql -i g.pgn", "two queries have the name 'mate'");
    mate("none.cql -i g.pgn", "cannot read none.cql");
    mate("empty -i g.pgn", "expected names that end in .cql");
    mate("-i g.pgn -o all.pgn", "--output-dir");
    mate("-i g.pgn -o all.csv --count", "--output-dir");
    mate("-i g.pgn -o all.csv --sample 2", "--sample");
    mate("-i g.pgn -o all.csv --output-dir out", "only one of them");
    mate("-i g.pgn --format csv", "these options need an output");
    mate("-i g.pgn --json --stdout --format csv", "only one of them");
    mate("-i g.pgn -o all.csv --columns nothing", "mate: there is no column 'nothing'");
    mate("-i g.pgn --output-dir out --summary out/mate.pgn", "cannot be the same file");
    mate("-i none.pgn", "cannot read none.pgn");
    mate("-i g.pgn --summary g.pgn", "overwrite the input");
    mate("-i g.pgn --output-dir g.pgn/out", "cannot create the directory g.pgn/out");
    let summary = "run summary.cql -i g.pgn --output-dir out --format csv";
    check(summary, 1, "summary.csv");
    assert_eq!(place.files("."), before);
    assert_eq!(place.read("g.pgn"), GAMES);
}

#[test]
fn queries_that_share_something_between_games_run_on_one_thread() {
    let place = Place::new();
    place.write("count.cql", "cql() persistent Count=0\n initial\n Count+=1\n comment(Count)");
    let ran = place.succeed("run mate.cql count.cql -i g.pgn --output-dir out --threads 4");
    assert!(
        ran.err
            .contains("count: running single-threaded because the query has a persistent variable"),
        "{ran:?}"
    );
    assert!(ran.err.contains("using 1 thread"), "{ran:?}");
    assert!(ran.out.contains("count: "), "{ran:?}");
}

#[test]
fn a_query_that_takes_too_many_steps_is_given_up_alone() {
    let place = Place::new();
    place.write("endless.cql", "cql() x=0 while (x>=0) x=1");
    place.write("many.pgn", GAMES.repeat(5));
    let ran = place.run("run endless.cql mate.cql -i many.pgn --output-dir out --steps 1000");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("endless: the query takes too many steps"), "{ran:?}");
    assert_eq!(place.files("out"), ["mate.pgn", "summary.csv"]);
    let summary = place.read("out/summary.csv");
    assert!(summary.contains("\nendless,,,,,,too many steps\nmate,15,10,10,"), "{summary}");
}

#[test]
fn faults_of_games_are_told_once_and_those_of_queries_by_their_names() {
    let place = Place::new();
    let odd = "[White \"A\"]\n[Variant \"Bughouse\"]\n\n1.e4 *\n\n[White \"B\"]\n\n1.e4 e5";
    place.write("odd.pgn", format!("{GAMES}{odd}"));
    place.write("fails.cql", "cql() ply==7 x=int \"a\"");
    let ran = place.run("run mate.cql check.cql fails.cql -i odd.pgn --output-dir out");
    assert_eq!(ran.err.matches("the game was kept").count(), 1, "{ran:?}");
    assert_eq!(ran.err.matches("1 game of variants").count(), 1, "{ran:?}");
    assert_eq!(place.read("out/mate.pgn").matches("[White ").count(), 2);

    let ran = place.run("run mate.cql -i odd.pgn --output-dir strict --strict");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(place.files("strict"), [""; 0]);
}

#[test]
fn older_results_in_a_searched_directory_are_left_out() {
    let place = Place::new();
    for _ in 0..2 {
        place.succeed("run mate.cql check.cql -i . --output-dir results");
        assert!(place.read("results/summary.csv").contains("mate,4,3,3,"));
    }
}

#[test]
fn what_follows_the_last_game_that_is_wanted_is_of_no_interest() {
    let place = Place::new();
    // A game without an end after those within the limit.
    place.write("bad.pgn", format!("{GAMES}[White \"x\"]\n\n1.e4 {{never *\n\n{GAMES}"));
    let ran = place.succeed("run mate check -i bad.pgn -i none.pgn --limit 1");
    assert!(!ran.err.contains("bad.pgn"), "{ran:?}");
    assert!(ran.err.contains("of 1 game in"), "{ran:?}");
    assert!(ran.out.contains("limit reached"), "{ran:?}");
    // One of the queries continues to the end.
    place.write("never.cql", "cql() stalemate");
    let ran = place.run("run mate never -i bad.pgn --limit 1");
    assert!(ran.err.contains("bad.pgn:"), "{ran:?}");
}

#[test]
fn puzzles_get_the_names_of_what_matches() {
    let place = Place::empty();
    let table = "PuzzleId,FEN,Moves,Extra\r\n\
        a,q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1,h2h1n d5c7,\"x, y\"\r\n\
        \r\n\
        b,q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1,h2h1q,\n\
        faulty,no position,h2h1q,z\n";
    place.write("p.csv", table);
    place.write("more.csv", "PuzzleId,FEN,Moves,Extra\nc,8/8/8/8/8/8/k6p/4K3 b - - 0 1,h2h1q,1\n");
    place.write("fork.cql", "cql() N attacks k");
    place.write("queen.cql", "cql() q attacks K");
    let want = "PuzzleId,FEN,Moves,Extra,CqlThemes\n\
        a,q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1,h2h1n d5c7,\"x, y\",fork\n\
        b,q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1,h2h1q,,queen\n\
        faulty,no position,h2h1q,z,\n\
        c,8/8/8/8/8/8/k6p/4K3 b - - 0 1,h2h1q,1,queen\n";
    for threads in ["1", "3"] {
        let line = "run --tag-puzzles t.csv fork.cql queen.cql p.csv more.csv";
        let ran = place.run(&format!("{line} --cql ply>0 --threads {threads}"));
        // One line of the table is damaged.
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert_eq!(place.read("t.csv"), want, "{ran:?}");
    }
    // A table of the user is named when it is replaced, the output of an earlier run is not.
    let line = "run --tag-puzzles t.csv themes:fork more.csv";
    let replaced = "t.csv exists and holds a table with other columns: it is replaced";
    assert!(!place.run(line).err.contains("replaced"));
    place.write("t.csv", "White,Black,Result,ply,fen\na,b,*,1,mine\n");
    assert!(place.run(line).err.contains(replaced));
    place.write("t.pgn", "[Event \"mine\"]\n\n*\n");
    let ran = place.run("run --tag-puzzles t.pgn themes:fork more.csv");
    assert!(ran.err.contains("its name is that of a pgn file"), "{ran:?}");
    assert_eq!(place.read("t.pgn"), "[Event \"mine\"]\n\n*\n");
    // A run replaces its own output only.
    place.write("t.csv", "my notes");
    let ran = place.run("run --tag-puzzles t.csv themes:fork p.csv");
    assert!(ran.err.contains("cannot write t.csv"), "{ran:?}");
    assert_eq!(place.read("t.csv"), "my notes");
    place.write("g.pgn", "[Event \"a\"]\n\n1.e4 *\n");
    let ran = place.run("run --tag-puzzles u.csv themes:fork g.pgn");
    assert!(ran.err.contains("table of Lichess puzzles"), "{ran:?}");
    let ran = place.run("run --tag-puzzles p.csv themes:fork p.csv");
    assert!(ran.err.contains("overwrite the input"), "{ran:?}");
    assert!(!place.path("u.csv").exists());
}

#[test]
fn a_query_on_a_truncated_input_is_incomplete() {
    let place = Place::new();
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(GAMES.repeat(9).as_bytes()).expect("memory");
    let packed = encoder.finish().expect("memory");
    place.write("cut.pgn.gz", &packed[..packed.len() / 2]);
    let ran = place.run("run mate.cql check.cql -i cut.pgn.gz -i g.pgn --summary s.csv");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(ran.out.matches("  input incomplete\n").count(), 2, "{ran:?}");
    assert!(place.read("s.csv").contains(",input incomplete\n"));
    // Enough games were found before the end.
    let ran = place.run("run mate.cql -i cut.pgn.gz --limit 1 --output-dir out");
    assert!(ran.out.contains("  limit reached\n"), "{ran:?}");
}
