//! `cql split`, `cql run --manifest` and `cql merge`: many runs find the same as one.

mod support;

use std::fs;
use std::thread;
use std::time::Duration;

use support::{Place, Ran, files_in, root};

/// Searches that find something, and depend on the numbers, names and lines of games.
const QUERIES: [(&str, &str); 4] = [
    ("mate", "cql() mate comment(\"mate of \" gamenumber \" of \" lastgamenumber)"),
    ("check", "cql(variations) check message(\"check in \" gamenumber \"\\n\")"),
    ("some", "cql(gamenumber 5 23) btm"),
    ("none", "cql() ply==1000"),
];

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        let historic = fs::read(root().join("examples/historic.pgn")).expect("an example");
        place.write("games/a.pgn", &historic);
        place.write(
            "games/b.pgn",
            "[White \"x\"]\n\n1.e4 e5 2.Ke4 *\n\n[White \"y\"]\n\n1.f3 e5 2.g4 Qh4# 0-1",
        );
        place.write("games/none.pgn", "");
        for (name, text) in QUERIES {
            place.write(&format!("q/{name}.cql"), text);
        }
        place
    }

    fn succeed(&self, line: &str) -> Ran {
        let ran = self.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        ran
    }

    fn fail(&self, line: &str, expected: &str) -> Ran {
        let ran = self.run(line);
        assert_ne!(ran.status, Some(0), "{line}: {ran:?}");
        assert!(ran.err.contains(expected), "{line}: {ran:?}");
        ran
    }

    fn split(&self) {
        let ran = self.succeed("split games -o shards --games-per-shard 7");
        assert_eq!(ran.out, "42 games in 7 shards: shards\n");
    }

    /// Returns the result files of a folder, without the manifest of the job.
    fn results(&self, folder: &str) -> Vec<(String, String)> {
        let names = files_in(&self.path(folder)).into_iter();
        let read = |name: String| (name.clone(), self.read(&format!("{folder}/{name}")));
        names.map(read).collect()
    }
}

#[test]
fn shards_together_are_one_run() {
    let place = Place::new();
    place.split();
    let formats = [
        "pgn",
        "jsonl",
        "csv --per game",
        "tsv --value men=A",
        "epd",
        "fen",
        "csv --count",
        "csv --count-by year/50*50 --count-by result",
        "tsv --count-by eco --exclude",
    ];
    for (number, format) in formats.iter().enumerate() {
        let one = format!("one{number}");
        let ran = place.run(&format!("run q games --output-dir {one} --format {format}"));
        let (parts, sum) = (format!("parts{number}"), format!("sum{number}"));
        // In any order, and by more jobs than there are shards.
        let mut messages = Vec::new();
        for part in [3, 1, 9, 2, 4, 5, 8, 7, 6] {
            let line = format!(
                "run q --manifest shards/manifest.json --shard {part}/9 --output-dir {parts} \
                 --format {format} --threads {}",
                part % 3 + 1
            );
            let part = place.run(&line);
            assert!(part.status == Some(0) || part.status == ran.status, "{part:?}");
            messages.extend(part.out.lines().map(str::to_owned).filter(|line| !line.is_empty()));
        }
        place.succeed(&format!("merge {parts} -o {sum}"));
        assert_eq!(place.results(&sum), place.results(&one), "{format}");
        messages.sort();
        let is_message = |line: &&str| line.contains("check in ");
        let mut expected: Vec<&str> = ran.out.lines().filter(is_message).collect();
        expected.sort_unstable();
        assert!(expected.len() > 50 && messages == expected, "{messages:?}");
    }
    let found = place.read("one0/mate.pgn");
    assert!(found.contains("mate of 42 of 42"), "{found}");
    assert_eq!(place.read("one8/none.tsv"), place.read("sum8/none.tsv"));
}

/// Runs all jobs on games that are not split, in any order, and merges the results.
fn by_parts(place: &Place, rest: &str, n: u64, name: &str) {
    for part in (1..=n).rev() {
        let ran = place.run(&format!(
            "run {rest} --shard {part}/{n} --output-dir {name}.parts --threads {}",
            part % 3 + 1
        ));
        assert!(ran.err.contains(&format!("part {part}/{n} has")), "{ran:?}");
    }
    place.succeed(&format!("merge {name}.parts -o {name}"));
}

#[test]
fn parts_of_games_as_they_are_are_one_run() {
    let place = Place::new();
    place.write("all.pgn", place.read("games/a.pgn").repeat(5));
    for (number, format) in ["pgn", "csv", "csv --count-by result"].iter().enumerate() {
        let one = format!("one{number}");
        place.run(&format!("run q all.pgn games --output-dir {one} --format {format}"));
        for n in [1, 2, 7, 500] {
            let name = format!("sum{number}-{n}");
            by_parts(&place, &format!("q all.pgn games --format {format}"), n, &name);
            assert_eq!(place.results(&name), place.results(&one), "{n} {format}");
        }
    }
    assert!(place.read("sum0-7/mate.pgn").contains("mate of 242 of 242"));
    // A seventh of all bytes contains about a seventh of the games.
    let ran = place.succeed("run q/mate.cql all.pgn games --shard 4/7 --output-dir sum0-7.parts2");
    assert!(ran.err.contains("part 4/7 has 1 of 9 shards"), "{ran:?}");
    let summary = place.read("sum0-7.parts2/summary.00004.csv");
    let games: u64 = (summary.lines().nth(1).and_then(|line| line.split(',').nth(1)))
        .and_then(|games| games.parse().ok())
        .expect("a number of games");
    assert!((25..45).contains(&games), "{summary}");
}

#[test]
fn a_shard_whose_games_are_left_out_is_complete() {
    let place = Place::new();
    place.write("games/c.pgn", "[Event \"x\"]\n\n1.e4 {never closed\n");
    for (number, format) in ["pgn", "csv", "csv --count"].iter().enumerate() {
        let one = format!("one{number}");
        place.run(&format!("run q games --output-dir {one} --format {format}"));
        let name = format!("sum{number}");
        by_parts(&place, &format!("q games --format {format}"), 3, &name);
        assert_eq!(place.results(&name), place.results(&one), "{format}");
    }
    place.succeed("split games -o shards --games-per-shard 7");
    let ran = place.run("run q --manifest shards/manifest.json --output-dir parts");
    assert!(ran.status == Some(1) && ran.err.contains("faulty games: 1 left out"), "{ran:?}");
    place.succeed("merge parts -o sum");
    assert_eq!(place.results("sum"), place.results("one0"));
    // Without other games, nothing is written, as in a search without shards.
    let ran = place.run("run q/check.cql games/c.pgn --shard 1/1 --output-dir alone");
    assert!(ran.err.contains("shard 1: none of 1 game could be searched"), "{ran:?}");
}

#[test]
fn packed_files_are_shards() {
    let place = Place::new();
    let text = place.read("games/a.pgn");
    let packed = zstd::encode_all(text.repeat(3).as_bytes(), 3).expect("packed");
    place.write("games/c.pgn.zst", packed);
    place.run("run q games --output-dir one");
    by_parts(&place, "q games", 4, "sum");
    assert_eq!(place.results("sum"), place.results("one"));
    let shards = files_in(&place.path("sum.parts"));
    let of_mate = shards.iter().filter(|name| name.starts_with("mate."));
    assert!(of_mate.count() > 2, "{shards:?}");
    place.succeed("split games/c.pgn.zst -o shards");
    let member = "run q shards/00001.pgn.zst --shard 2/2 --output-dir second";
    let ran = place.succeed(member);
    assert!(ran.err.contains("part 2/2 has 0 of 1 shards"), "{ran:?}");
}

#[test]
fn archives_are_cut_by_their_games() {
    let place = Place::new();
    place.write("all.pgn", place.read("games/a.pgn").repeat(60));
    // This query requires the text of all games.
    fs::remove_file(place.path("q/mate.cql")).expect("removed");
    place.write("q/plain.cql", "cql() mate comment(\"game \" gamenumber)");
    place.run("run q all.pgn games --output-dir one");
    place.succeed("index all.pgn");
    by_parts(&place, "q all.pgn games", 4, "beside");
    assert_eq!(place.results("beside"), place.results("one"));
    by_parts(&place, "q all.pgn games --no-index", 4, "text");
    assert_eq!(place.results("text"), place.results("one"));
    let first_lines = |folder: &str| {
        let text = place.read(&format!("{folder}.parts/summary.00001.csv"));
        text.lines().nth(1).map(str::to_owned)
    };
    // Blocks of 1,024 games are not divided.
    assert!(first_lines("beside").is_some_and(|line| line.contains(",1024,")));
    assert_ne!(first_lines("beside"), first_lines("text"));
    place.write("all.pgn", place.read("all.pgn") + "\n1. e4 *\n");
    place.succeed("index all.pgn");
    let run = "run q all.pgn games --shard 1/4 --output-dir beside.parts";
    place.fail(run, "on other games");
}

#[test]
fn games_that_have_changed_are_other_games() {
    let place = Place::new();
    let run = "run q/mate.cql games --output-dir parts --shard";
    place.succeed(&format!("{run} 1/2"));
    place.fail(&format!("{run} 1/3"), "on other games or other shards");
    let text = place.read("games/a.pgn");
    place.write("games/a.pgn", text.replacen("1-0", "0-1", 1));
    place.fail(&format!("{run} 2/2"), "on other games");
    place.fail("merge parts -o sum", "shards are missing");
    place.fail("merge games -o sum", "games holds no results of shards, since it has no job.json");
    place.write("games/a.pgn", &text);
    place.succeed(&format!("{run} 2/2"));
    let ran = place.succeed(&format!("{run} 2/2"));
    assert!(ran.err.contains("0 searched"), "{ran:?}");
    place.succeed("merge parts -o sum");
    place.write("games/c.pgn", "1. e4 *");
    place.fail(&format!("{run} 2/2"), "on other games");
}

#[test]
fn what_cannot_be_cut_is_refused() {
    let place = Place::new();
    let run = "run q/mate.cql --output-dir parts --shard 1/2";
    place.write("p.fen", "7k/8/8/8/8/8/8/K7 w - - 0 1\n");
    place.fail(&format!("{run} p.fen"), "p.fen is not PGN");
    place.fail(&format!("{run} -"), "`cql split`");
    place.fail(&format!("{run} missing.pgn"), "missing.pgn");
    place.fail(&format!("{run} games/none.pgn"), "games/none.pgn contains no games");
    place.fail(
        "run q/mate.cql games --shard 1/2 --output-dir games/new/parts",
        "inside the games of games",
    );
    place.write("bad.cql", "cql() mate sort \"ply\" ply");
    place.fail("run bad.cql games --shard 1/2 --output-dir parts", "E0506");
    place.fail("run q/mate.cql games --shard 1/2", "--output-dir");
    assert!(!place.path("parts").exists() && !place.path("games/new").exists());
}

#[test]
fn faults_have_the_places_of_the_whole() {
    let place = Place::new();
    place.write("games/b.pgn", format!("{}\n\n1.e4 e5 2.Ke4 *\n", "\n".repeat(99)));
    place.succeed("split games -o shards --games-per-shard 3");
    let told = |ran: Ran| {
        let lines = ran.err.lines().filter(|line| line.contains("Ke4"));
        lines.map(str::to_owned).collect::<Vec<String>>()
    };
    let one = told(place.run("run q/mate.cql games"));
    assert!(one[0].contains("games/b.pgn:102"), "{one:?}");
    let run = "run q/mate.cql --manifest shards --output-dir parts";
    assert_eq!(told(place.run(run)), one);
    let run = "run q/mate.cql games --shard 3/3 --output-dir third";
    assert_eq!(told(place.run(run)), one);
}

#[test]
fn finished_shards_stay() {
    let place = Place::new();
    place.split();
    let run = "run q/mate.cql --manifest shards --output-dir parts";
    let ran = place.succeed(&format!("{run} --shard 1/2"));
    assert!(ran.err.contains("3 of 7 shards: 3 searched, 0 done"), "{ran:?}");
    place.fail("merge parts -o sum", "4 of 7 shards are missing: 4-7");
    // A run that was killed may leave a result without its summary, and nothing else.
    place.write("parts/mate.00004.pgn", "[Event \"half\"]\n\n*\n");
    fs::write(place.path("parts/mate.00001.pgn"), "[Event \"kept\"]\n").expect("written");
    fs::remove_file(place.path("parts/summary.00002.csv")).expect("removed");
    let ran = place.succeed(run);
    assert!(ran.err.contains("7 of 7 shards: 5 searched, 2 done"), "{ran:?}");
    assert_eq!(place.read("parts/mate.00001.pgn"), "[Event \"kept\"]\n");
    assert!(!place.read("parts/mate.00004.pgn").contains("half"));
    place.succeed("merge parts -o sum");
}

#[test]
fn killed_runs_are_run_again() {
    let place = Place::new();
    place.split();
    let line = "run q --manifest shards --output-dir parts --threads 1";
    for milliseconds in [0, 5, 10, 20, 30, 40, 80] {
        let mut child = place.line(line).spawn().expect("the program runs");
        thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed");
        child.wait().expect("it ends");
    }
    place.run(line);
    place.succeed("merge parts -o sum");
    place.run("run q games --output-dir one");
    assert_eq!(place.results("sum"), place.results("one"));
}

#[test]
fn a_folder_has_the_results_of_one_job() {
    let place = Place::new();
    place.split();
    let to = "--manifest shards --output-dir parts";
    place.succeed(&format!("run q/mate.cql {to} --shard 1/7"));
    let another = "the results of a different job";
    place.fail(&format!("run q/check.cql {to}"), another);
    place.fail(&format!("run q/mate.cql {to} --format csv"), another);
    place.fail(&format!("run q/mate.cql {to} --cql wtm"), another);
    // The number of threads and the progress do not change the job.
    place.succeed(&format!("run q/mate.cql {to} --shard 2/7 --threads 1 --progress none"));
    place.write("q/mate.cql", "cql() mate wtm");
    place.fail(&format!("run q/mate.cql {to}"), "another text or option");
    place.succeed("split games -o shards --games-per-shard 8 --force");
    place.fail(&format!("run q/mate.cql {to}"), "on other games or other shards");
}

#[test]
fn wrong_parts_are_refused() {
    let place = Place::new();
    place.split();
    let run = |rest: &str| format!("run q/mate.cql --output-dir parts {rest}");
    place.fail(&run("--manifest shards --shard 0/7"), "the first is 1/7");
    place.fail(&run("--manifest shards --shard 8/7"), "no part 8 of 7");
    place.fail(&run("--manifest shards --shard x"), "such as 3/8");
    place.fail("run q/mate.cql --manifest shards", "--output-dir");
    place.fail(&run("--manifest nowhere.json"), "nowhere.json");
    place.fail(&run("--manifest games/b.pgn"), "not a manifest of shards");
    for option in ["--limit 3", "--sample 3", "--format html", "--count", "--json"] {
        place.fail(&run(&format!("--manifest shards {option}")), "shard");
    }
    assert!(!place.path("parts").exists());
}

#[test]
fn damaged_shards_are_refused() {
    let place = Place::new();
    place.split();
    let name = "shards/00003.pgn.zst";
    let whole = fs::read(place.path(name)).expect("a shard");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    place.write(name, &damaged);
    let run = "run q/mate.cql --manifest shards --output-dir parts";
    let ran = place.fail(run, "shard 3 (shards/00003.pgn.zst) is damaged");
    assert!(ran.err.contains("shards that failed: 3"), "{ran:?}");
    fs::remove_file(place.path(name)).expect("removed");
    place.fail(run, "shard 3 (shards/00003.pgn.zst) is missing");
    place.fail("merge parts -o sum", "1 of 7 shards are missing: 3");
    assert!(!place.path("parts/mate.00003.pgn").exists());
    // The other shards are done, and with this one all are.
    place.write(name, &whole);
    let ran = place.succeed(run);
    assert!(ran.err.contains("1 searched, 6 done earlier"), "{ran:?}");
    let manifest = place.read("shards/manifest.json");
    place.write("shards/manifest.json", manifest.replace("\"version\": 1", "\"version\": 7"));
    place.fail(run, "version 7");
    place.write("shards/manifest.json", manifest.replace("\"games\": 7", "\"games\": 6"));
    place.fail(run, "its text was changed");
}

#[test]
fn queries_about_all_games_are_refused() {
    let place = Place::new();
    place.split();
    let check = |text: &str, code: &str, at: &str| {
        place.write("all.cql", text);
        let run = "run all.cql q/mate.cql --manifest shards --output-dir parts --color never";
        let ran = place.fail(run, code);
        let caret = ran.err.lines().find(|line| line.contains('^'));
        let caret = caret.unwrap_or_else(|| panic!("{ran:?}"));
        let width = caret.chars().filter(|&c| c == '^').count();
        assert_eq!(width, at.len(), "{ran:?}");
        assert!(!place.path("parts").exists());
        // A single shard contains all games.
        place.succeed("split games/a.pgn -o single --force");
        place.run("run all.cql --manifest single --output-dir alone");
        assert!(place.path("alone/summary.00001.csv").exists());
        fs::remove_dir_all(place.path("alone")).expect("removed");
    };
    check("cql() check persistent Sum+=1", "E0505", "persistent");
    check("cql() mate sort \"ply\" ply", "E0506", "sort");
    place.write("all.cql", "cql(sort matchcount 1 100) check");
    let run = "run all.cql --manifest shards --output-dir parts";
    place.fail(run, "all: error[E0506]");
    place.write("all.cql", "cql() maet");
    place.fail(run, "E0201");
    assert!(!place.path("parts").exists());
}

#[test]
fn shards_are_made_of_pgn_alone() {
    let place = Place::new();
    place.write("p.fen", "7k/8/8/8/8/8/8/K7 w - - 0 1\n");
    place.fail("split p.fen -o shards", "p.fen is not PGN");
    place.fail("split missing.pgn -o shards", "missing.pgn");
    place.split();
    place.fail("split games -o shards", "--force");
    place.write("mine/thesis.txt", "mine");
    place.fail("split games -o mine", "thesis.txt");
    assert_eq!(files_in(&place.path("mine")), ["thesis.txt"]);
    place.fail("split shards/00001.pgn.zst -o shards --force", "the games are in shards");
    let ran = place.succeed("split games -o shards --force --json");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["games"], 42);
}
