//! Searching an archive gives the same bytes as searching its games, including messages.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::{Place, Ran};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Place {
    /// Creates two files with games of all kinds, some with issues, and their archive.
    fn new() -> Place {
        let place = Place::empty();
        let own = fs::read(repository().join("conformance/data/own.pgn")).expect("games");
        place.write("games/a.pgn", own);
        let mut odd = Vec::new();
        let torture = fs::read_dir(repository().join("crates/pgn/tests/torture"));
        for file in torture.expect("games") {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|end| end == "pgn") {
                odd.extend(fs::read(path).expect("games"));
                odd.extend(b"\n\n");
            }
        }
        place.write("games/b.pgn", odd);
        assert_eq!(place.run("index games -o g.cqa").status, Some(0));
        place
    }

    /// Returns the status, the messages and the output of a search in the games or the archive.
    fn found(&self, games: &str, more: &str) -> (Option<i32>, String, String, String) {
        // Counts have no format of games.
        let format = if more.contains("--count") { "--format csv" } else { "" };
        let arguments = format!("q.cql -i {games} -o out.pgn --force {format} {more}");
        let Ran { status, out, err, .. } = self.run(&arguments);
        assert!(status != Some(2) && !err.contains("error: there is no"), "{arguments}: {err}");
        let (before, behind) = out.split_once(" seconds").unwrap_or((&out, ""));
        let before = before.rsplit_once(" in ").map_or(before, |said| said.0);
        let written = fs::read(self.path("out.pgn")).unwrap_or_default();
        let _ = fs::remove_file(self.path("out.pgn"));
        let written = String::from_utf8_lossy(&written).into_owned();
        (status, format!("{before}{behind}"), err, written)
    }

    /// Damages the moves of the games in an archive.
    fn damage(&self, name: &str) {
        let files = fs::read_dir(self.path(name)).expect("a folder");
        let paths = files.map(|file| file.expect("an entry").path());
        let segment = paths.into_iter().find(|path| path.extension().is_some_and(|e| e == "arrow"));
        let segment = segment.expect("a segment");
        let mut bytes = fs::read(&segment).expect("a segment");
        let damaged: Vec<u8> = bytes.iter().map(|byte| byte ^ 1).collect();
        let end = bytes.len() - 20_000;
        bytes[1000..end].copy_from_slice(&damaged[1000..end]);
        fs::write(segment, bytes).expect("written");
    }

    #[track_caller]
    fn check(&self, query: &str, more: &str) {
        self.write("q.cql", query);
        let text = self.found("games", more);
        let archive = self.found("g.cqa", more);
        assert_eq!(archive.2, text.2, "{query} {more}");
        assert_eq!(archive, text, "{query} {more}");
    }
}

#[test]
fn queries_find_in_an_archive_what_they_find_in_its_games() {
    let place = Place::new();
    for query in [
        "cql() false",
        "cql() mate",
        "cql(quiet variations) check",
        "cql() player \"a\" btm",
        "cql() tag \"Opening\" \"a\" check",
        "cql() eventdate \"2\"",
        "cql() originalcomment \"e\"",
        "cql() nag 1",
        "cql() hhdb cooked",
        "cql() elo > 2000",
        "cql() message(\"x\" gamenumber) mate",
        "cql(gamenumber 3 20) check",
        "cql(gamenumber 100 130) check",
        "cql(gamenumber 9 9) check",
        "cql() player white \"b\" elo > 1000 result 1-0",
        "cql() event \"o\" site \"a\" eco \"B\"",
        "cql() Q attacks k #Q > 1 path -- check --",
        "cql(matchcount 0 5) Q attacks k",
        "cql() path focus -- check --",
        "cql() sort \"n\" ply check",
        "cql() persistent X += 1 initial",
        "cql() not check countmoves legal -- <= 2",
        "cql(variations) not check forced",
        "cql() echo quiet (s t) {s<t distance(s t)>=4 K==s:K k==s:k P==s:P p==s:p}",
        "cql(variations) echo (s t) {s<t distance(s t)>=4 K==s:K k==s:k t:#A<=9}",
        "cql() not Ka1 check not Ka1 (mate or Qa1 or mate)",
    ] {
        place.check(query, "--threads 1");
        place.check(query, "--threads 3");
    }
    // Games on which the query exceeds a limit are named in the same way.
    place.check("cql() x = 1 while(true) x += 1", "-limits steps=100");
    place.check("cql() check", "--exclude");
    place.check("cql(variations) mate", "--format csv --columns game,white,line,offset");
}

/// The themes that an archive keeps leave out games and count others, but change nothing.
#[test]
fn themes_of_an_archive_change_no_result() {
    let place = Place::new();
    // Games fail by a limit that they had not failed by when their themes were found.
    place.write("q.cql", "cql() theme(\"passedpawn\")");
    let limited = || place.found("g.cqa", "-limits steps=20");
    let before = limited();
    assert!(before.2.contains("takes too many steps"), "{before:?}");
    let ran = place.run("index g.cqa --themes --threads 2");
    assert!(ran.status == Some(0) && ran.out.contains(", 75 themes"), "{ran:?}");
    assert_eq!(limited(), before);
    for query in [
        "cql() theme(\"fork\")",
        "cql(variations) theme \"fork\"",
        "cql() theme(\"sacrifice\") check",
        "cql() theme(\"fork\") or theme(\"advancedpawn\") mate",
        "cql(quiet) not theme(\"passedpawn\") check",
        "cql(matchcount 2 100) theme(\"passedpawn\")",
        "cql(matchcount 0) theme(\"passedpawn\")",
        "cql(gamenumber 3 50) find theme(\"advancedpawn\")",
        "cql() persistent X += 1 theme(\"passedpawn\")",
        "cql() rotate90 {theme(\"passedpawn\")}",
        "cql() import \"themes\" theme(\"rookendgame\") rookendgame()",
        "cql() sort \"n\" ply theme(\"doublecheck\") message(\"x\")",
    ] {
        place.check(query, "--threads 1");
        place.check(query, "--threads 3");
    }
    for more in [
        "--exclude",
        "--count",
        "--count-by result --count-by white",
        "--count-by ply",
        "--format csv --per game --columns game,white,positions",
    ] {
        place.check("cql() theme(\"passedpawn\")", more);
        place.check("cql(variations) theme(\"passedpawn\")", more);
    }
    for more in ["", "--variations", "--gamenumber 3-90", "--cql check"] {
        let counts = |games: &str| {
            let ran = place.run(&format!("run themes:* {games} --threads 2 {more}"));
            let err = ran.err.lines().filter(|line| !line.contains(" seconds using "));
            (ran.status, ran.out, err.map(str::to_owned).collect::<Vec<_>>())
        };
        let text = counts("games");
        assert!(text.1.lines().count() == 65, "{text:?}");
        assert_eq!(counts("g.cqa"), text, "{more}");
    }
}

/// Games that are replayed side by side match where they match one by one.
#[test]
fn games_side_by_side_are_those_of_the_text() {
    let place = Place::new();
    let fen = |fen: &str, moves: &str| format!("[Event \"x\"]\n[FEN \"{fen}\"]\n\n{moves} *\n\n");
    let starts = fen("4k3/8/8/3q4/8/8/6B1/3RK3 b - - 0 1", "Qxg2")
        + &fen("k7/8/8/8/8/8/8/K6R w - - 0 1", "Rh8+ (Ra1+) Kb7")
        + &fen("k1K5/8/8/8/8/8/8/k5KR w - - 0 1", "Rh2");
    place.write("games/c.pgn", starts);
    assert_eq!(place.run("index games -o g.cqa").status, Some(0));
    let queries = [
        "cql() check",
        "cql() not check",
        "cql(variations) A attacks k or mate",
        "cql() pin from [BR] through q to k",
        "cql() square x in [qrbn] { A attacks x >= 2 #(a attacks x)==0 }",
        "cql() isolatedpawns & P & doubledpawns wtm",
        "cql() power A - power a > 3 or #(a attacks [QR]) > 1",
        "cql() flipcolor {N attacks k N attacks q}",
        "cql(matchcount 2 20) check",
        "cql(matchcount 0 3) check",
        "cql(gamenumber 3 50) not {check or Q attacks q}",
        "cql(result 1-0) Q attacks k",
        "cql() year > 1900 player \"a\" check",
        "cql() initial A attacks a",
        "cql() N attacks k path -- check --",
        "cql() check comment(\"c\") sort \"n\" ply",
        "cql() theme(\"fork\") Q attacks k",
        "cql() A attacks k x = 1 while(true) x += 1",
    ];
    for query in queries {
        for more in [
            "--count",
            "--count-by result --count-by white --threads 3",
            "--threads 1 -limits steps=2000",
            "--format csv --per game --columns game,white,positions",
        ] {
            // A query that never ends takes seconds of each game.
            let is_endless = query.contains("while") && !more.contains("steps");
            let limits = if is_endless { "-limits steps=2000" } else { "" };
            place.check(query, &format!("{more} {limits}"));
        }
    }
    // Some of the games are needed by one of several queries alone.
    for (number, query) in queries.iter().enumerate() {
        place.write(&format!("queries/{number}.cql"), query);
    }
    let counts = |games: &str| {
        let ran = place.run(&format!("run queries {games} --threads 2 --steps 2000"));
        let err = ran.err.lines().filter(|line| !line.contains(" seconds using "));
        (ran.status, ran.out, err.map(str::to_owned).collect::<Vec<_>>())
    };
    let text = counts("games");
    assert!(text.1.lines().count() > queries.len(), "{text:?}");
    assert_eq!(counts("g.cqa"), text);
}

#[test]
fn columns_answer_what_asks_for_nothing_else() {
    let place = Place::new();
    assert_eq!(place.run("index games -o g.cqa").status, Some(0));
    for query in [
        "cql() initial",
        "cql() terminal",
        "cql(variations) terminal",
        "cql() result 1-0",
        "cql() year > 1900 result 0-1 initial player white \"a\"",
        "cql(matchcount 30 60) player black \"n\" or elo > 2500",
    ] {
        for more in [
            "--count",
            "--count-by eco",
            "--count-by result --count-by year --threads 3",
            "--count-by white --scores",
            "--count-by black_elo --limit 7",
            "--count-by fen",
            "--count-by Opening",
            "--count-by opening",
            "--count-by openingcode --count-by ply --threads 3",
            "--count-by eco --count-by opening --scores",
            "--exclude --count-by result",
            "--format csv --per game --columns game,game_in_input,offset,white,date,positions",
            "--format jsonl --per game --columns tags",
        ] {
            place.check(query, more);
        }
    }
    // Damage to columns that only some games need is found with the first of these.
    place.damage("g.cqa");
    for (query, more) in [
        ("cql() initial", "--count-by eco --threads 1"),
        ("cql(variations) terminal", "--count-by eco --threads 1"),
        ("cql() initial", "--format jsonl --per game --columns tags --threads 1"),
    ] {
        place.write("q.cql", query);
        let (text, found) = (place.found("games", more), place.found("g.cqa", more));
        assert_eq!((found.0, &found.1, &found.3), (text.0, &text.1, &text.3), "{query} {more}");
        assert!(found.2.contains("searching the text instead"), "{}", found.2);
    }
}

/// Ratings and results that the columns have as numbers and by the moves are those of the text.
#[test]
fn tags_in_other_spellings_are_those_of_the_text() {
    let place = Place::empty();
    let ratings = ["-5", "4500", "65536", "2500.5", "+2500", "-0", "", "?", "2400"];
    let game = |elo: &str| {
        format!("[White \"A\"]\n[WhiteElo \"{elo}\"]\n[BlackElo \"2400\"]\n\n1.e4 1-0\n\n")
    };
    place.write("games/a.pgn", ratings.map(game).concat());
    place.write("games/b.pgn", "[White \"B\"]\n[Result \"1/2\"]\n[Note \"n\"]\n\n1.e4 1-0\n\n");
    assert_eq!(place.run("index games -o g.cqa").status, Some(0));
    for query in ["cql() initial", "cql() true", "cql() ply == 1"] {
        for more in [
            "--count-by white",
            "--count-by white --scores",
            "--count-by white_elo",
            "--count-by WhiteElo",
            "--format csv --per game --columns WhiteElo,white_elo,result,Result,White",
            "--format jsonl --per game --columns tags",
        ] {
            place.check(query, more);
        }
    }
    let like = "8/8/8/8/4P3/8/8/8 --best 9 --format csv";
    let of_archive = place.run(&format!("like g.cqa {like}")).out;
    assert_eq!(of_archive, place.run(&format!("like games --no-index {like}")).out);
}

/// An archive in another folder reports the many issues of its file under the name of the file.
#[test]
fn the_archive_of_a_file_is_named_as_the_file_is() {
    let place = Place::new();
    assert_eq!(place.run("index games/b.pgn -o there/b.cqa").status, Some(0));
    place.write("q.cql", "cql() mate");
    let text = place.found("games/b.pgn", "");
    assert!(text.2.contains("games/b.pgn: and "), "{text:?}");
    assert_eq!(place.found("there/b.cqa", ""), text);
}

/// Issues that are only counted add up as if they were described. An unusual spelling of the result
/// is one and a missing result another, however many issues came before in the same chunk.
#[test]
fn faults_that_are_not_described_are_counted_alike() {
    let place = Place::empty();
    let game = |moves: &str| format!("[White \"W\"]\n\n{moves}\n\n");
    let described = game("1. e4 e5 xx 2. Nf3 *").repeat(60);
    let counted = game("1. e4 e5 0.5-0.5").repeat(20);
    place.write("g.pgn", described + &counted);
    assert_eq!(place.run("index g.pgn -o g.cqa").status, Some(0));
    place.write("q.cql", "cql() true");
    for games in ["g.pgn", "g.cqa"] {
        let (_, _, err, _) = place.found(games, "--threads 1");
        assert!(err.contains("g.pgn: and 90 more faults"), "{err}");
    }
}

/// Every seventh query of the corpus, with game screens and without: `--exclude` cannot use them.
#[test]
fn queries_of_the_corpus_find_the_same_in_an_archive() {
    let place = Place::new();
    let areas = fs::read_dir(repository().join("conformance/cases")).expect("the cases");
    let mut n_queries = 0;
    for area in areas {
        let area = area.expect("an area").path();
        let files = fs::read_dir(&area).expect("an area");
        let mut files: Vec<PathBuf> = files.map(|file| file.expect("a case").path()).collect();
        files.retain(|path| {
            path.extension().is_some_and(|end| end == "cql")
                && !path.with_extension("args").exists()
        });
        files.sort();
        for (at, path) in files.iter().step_by(7).enumerate() {
            let query = fs::read(path).expect("a query");
            let query = String::from_utf8_lossy(&query);
            // No progress, so that no explanation of an empty result is printed: it depends on
            // timing.
            let how = ["--threads 1", "--exclude", "--count"][at % 3];
            place.check(&query, &format!("{how} --progress none"));
            n_queries += 1;
        }
    }
    assert!(n_queries > 280, "{n_queries} queries");
}

/// Games next to their archive are searched through it, unless `--no-index` is given.
#[test]
fn an_archive_beside_its_games_is_used() {
    let place = Place::new();
    fs::rename(place.path("g.cqa"), place.path("games.cqa")).expect("moved");
    assert_eq!(place.run("index games/a.pgn").status, Some(0));
    // The moves are damaged in the archive only, which shows whether it was used.
    place.write("q.cql", "cql() check");
    let text = |games: &str, more: &str| place.found(games, &format!("{more} --no-index"));
    for more in ["--threads 1", "--threads 3"] {
        assert_eq!(place.found("games", more), text("games", more));
        assert_eq!(place.found("games/a.pgn", more), text("games/a.pgn", more));
    }
    place.damage("games.cqa");
    place.damage("games/a.cqa");
    for (games, name) in [("games", "games.cqa"), ("games/a.pgn", "games/a.cqa")] {
        let text = text(games, "--threads 1");
        let found = place.found(games, "--threads 1");
        let said = format!("{name}: it is damaged: ");
        assert!(found.2.starts_with(&said), "{}", found.2);
        let (line, rest) = found.2.split_once('\n').expect("a line");
        assert!(line.ends_with("; searching the text instead"), "{line}");
        assert_eq!((found.0, &found.1, rest, &found.3), (text.0, &text.1, &*text.2, &text.3));
    }
    // An archive is not used either if its games have changed.
    fs::write(place.path("games/a.pgn"), "[White \"A\"]\n\n1.e4 *\n").expect("written");
    let found = place.found("games/a.pgn", "");
    let line = found.2.lines().next();
    assert_eq!(line, Some("games/a.cqa: its games have changed; searching the text instead"));
}

#[test]
fn what_is_asked_of_the_games_is_explained() {
    let place = Place::new();
    place.write("q.cql", "cql()\nmate\n  not wtm #Q==2 Q attacks k\n");
    let ran = place.run("explain q.cql g.cqa");
    // Some of the games are left out, and the status says so, as that of a search does.
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let (funnel, asked) =
        ran.out.split_once("\nGames of g.cqa that remain after a test").expect("a section");
    assert!(funnel.contains("that remain after each condition"), "{funnel}");
    let lines: Vec<&str> = asked.lines().map(str::trim_start).collect();
    let figure = |what: &str| -> u64 {
        let line = lines.iter().find(|line| line.ends_with(what));
        let line = line.unwrap_or_else(|| panic!("{what}: {asked}"));
        let (n, _) = line.split_once(' ').expect("a number");
        n.parse().expect("a number")
    };
    let queens = figure("the number of white queens is 2 and there are black kings");
    let mates = figure("there is a mate");
    assert!(queens > 0 && mates > queens, "{asked}");
    assert!(asked.contains("3  not wtm: "), "{asked}");
    let json = place.run("explain q.cql g.cqa --json").out;
    assert!(json.contains(&format!("\"games\": {queens}")), "{json}");
    // A search of the text reads no columns.
    assert!(!place.run("explain q.cql games").out.contains("the columns of"));
}

#[test]
fn several_inputs_are_each_searched_in_their_way() {
    let place = Place::new();
    assert_eq!(place.run("index games/a.pgn").status, Some(0));
    place.write("more/c.pgn", "[White \"New\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n");
    place.write("more/d.pgn", fs::read(place.path("games/a.pgn")).expect("games"));
    assert_eq!(place.run("index more/d.pgn").status, Some(0));
    for query in [
        "cql() mate",
        "cql(gamenumber 3 400) check",
        "cql() message(\"x\" gamenumber) mate",
        "cql() persistent X += 1 initial",
        "cql() sort \"n\" ply check",
    ] {
        place.write("q.cql", query);
        for more in [
            "--threads 1",
            "--threads 3",
            "--limit 3",
            "--format csv --columns game,game_in_input,input",
        ] {
            let more = format!("-i more {more}");
            let text = place.found("games", &format!("{more} --no-index"));
            assert_eq!(place.found("games", &more), text, "{query} {more}");
        }
    }
}

#[test]
fn whoever_reads_games_takes_an_archive_for_its_files() {
    let place = Place::new();
    place.write("q.cql", "cql() mate");
    let ran = |line: &str| {
        let ran = place.run(line);
        assert!(ran.status.is_some(), "{line}: {ran:?}");
        ran
    };
    let counted = |line: &str| {
        let ran = ran(line);
        let counted = ran.out.lines().find(|line| line.contains("games"));
        counted.unwrap_or_else(|| panic!("{line}: {ran:?}")).to_owned()
    };
    assert_eq!(counted("stats g.cqa"), counted("stats games"));
    let rows = |line: &str| {
        ran(line);
        let table = fs::read_to_string(place.path("all.csv")).expect("a table");
        table.lines().count()
    };
    let rows = (
        rows("run q.cql -i games -o all.csv --force"),
        rows("run q.cql -i g.cqa -o all.csv --force"),
    );
    assert_eq!(rows.0, rows.1);
    assert!(rows.0 > 1);
    // `cql index` with the name of an archive brings it up to date.
    let more = place.path("games/a.pgn");
    let mut games = fs::read(&more).expect("games");
    games.extend(b"\n\n[White \"New\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n");
    fs::write(&more, games).expect("written");
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert!(ran.err.contains("its games have changed; searching the text instead"), "{ran:?}");
    assert_eq!(place.run("index g.cqa").status, Some(0));
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert!(!ran.err.contains("searching the text instead"), "{ran:?}");
    // A folder that is named like an archive is searched as a folder. A damaged archive is an
    // error.
    fs::write(place.path("h.cqa"), "[White \"A\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n").expect("written");
    let ran = place.run("q.cql -i h.cqa -o out.pgn --force");
    assert!(ran.out.contains("1 matches of 1 games"), "{ran:?}");
    place.write("i.cqa/a.pgn", "[White \"A\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n");
    let ran = place.run("q.cql -i i.cqa -o out.pgn --force");
    assert!(ran.out.contains("1 matches of 1 games"), "{ran:?}");
    fs::write(place.path("g.cqa/manifest.json"), "{}").expect("written");
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("g.cqa: "), "{ran:?}");
}

/// Games of a pipe, which can be read once, count although an archive after them is damaged.
#[test]
fn a_damaged_archive_does_not_cost_the_games_of_a_pipe() {
    let place = Place::new();
    for archive in ["g.cqa", "d.cqa"] {
        assert_eq!(place.run(&format!("index games -o {archive}")).status, Some(0));
    }
    place.damage("d.cqa");
    let games = "1.h3 *\n\n[Event \"b\"]\n\n1.h3 *\n";
    for command in ["stats -", "tree -", "dedup -"] {
        let expected = place.run_on(&format!("{command} g.cqa"), games);
        let ran = place.run_on(&format!("{command} d.cqa"), games);
        // An archive stores the full names of its files.
        let given = |text: &str| text.replace(&format!("{}/", place.dir().display()), "");
        assert_eq!((ran.status, given(&ran.out)), (expected.status, expected.out), "{command}");
        let err = given(&ran.err);
        let (line, rest) = err.split_once('\n').expect("a line");
        assert!(line.starts_with("d.cqa: it is damaged: "), "{line}");
        assert_eq!(rest, expected.err, "{command}");
    }
}

/// `cql stats` and `cql dedup` read the columns of an archive, and report the same as for its text.
#[test]
fn games_are_counted_and_compared_by_columns() {
    let place = Place::new();
    let historic = fs::read_to_string(repository().join("examples/historic.pgn"));
    let historic = historic.expect("games");
    place.write("games/c.pgn", &historic);
    let some = historic.len() / 3;
    let some = some + historic[some..].find("[Event ").expect("a game");
    place.write("games/d.pgn", &historic[some..]);
    assert_eq!(place.run("index games -o g.cqa").status, Some(0));
    let said = |command: &str, games: &str| {
        let ran = place.run(&command.replace("GAMES", games));
        let written = fs::read(place.path("out.pgn")).unwrap_or_default();
        let _ = fs::remove_file(place.path("out.pgn"));
        (ran.status, ran.out, ran.err, written)
    };
    let commands = [
        "stats GAMES --threads 1",
        "stats GAMES --json --top 1000 --threads 3",
        "dedup GAMES --json --threads 1",
        "dedup GAMES --moves-only --keep first --threads 3",
        "dedup GAMES -o out.pgn --near",
    ];
    let by_text = commands.map(|command| said(command, "games"));
    assert!(by_text[2].1.contains("\"kind\":\"equal\""), "{}", by_text[2].1);
    assert!(!by_text[4].3.is_empty());
    for (command, expected) in commands.iter().zip(&by_text) {
        assert_eq!(&said(command, "g.cqa"), expected, "{command}");
    }
    // Other names in the text, but not in the archive, show which one is read.
    let file = place.path("games/c.pgn");
    let modified = fs::metadata(&file).and_then(|data| data.modified());
    fs::write(&file, historic.replace("Morphy", "Mxrphy")).expect("written");
    let open = fs::File::options().write(true).open(&file);
    open.and_then(|open| open.set_modified(modified?)).expect("set");
    let [stats, compared] = [1, 2].map(|at| said(commands[at], "g.cqa"));
    assert!(stats.1.contains("Morphy") && !stats.1.contains("Mxrphy"), "{}", stats.1);
    assert_eq!(compared, by_text[2]);
    fs::write(&file, &historic).expect("written");
    assert_eq!(place.run("index games -o g.cqa").status, Some(0));
    // The damage is reported once, and the text is read.
    place.damage("g.cqa");
    for (command, expected) in commands.iter().zip(&by_text).take(4) {
        let (status, out, err, _) = said(command, "g.cqa");
        // An archive stores the full names of its files.
        let [out, err] =
            [out, err].map(|text| text.replace(&format!("{}/", place.dir().display()), ""));
        let (line, rest) = err.split_once('\n').expect("a line");
        assert!(line.starts_with("g.cqa: it is damaged: "), "{line}");
        assert!(line.ends_with("; reading the text instead"), "{line}");
        assert_eq!((status, &*out, rest), (expected.0, &*expected.1, &*expected.2), "{command}");
    }
}

/// `cql explain QUERY GAMES` counts the games after each condition by columns.
#[test]
fn conditions_are_counted_by_columns() {
    let place = Place::new();
    for query in [
        "cql() mate btm",
        "cql(quiet variations) path -- check -- mate",
        "cql() player \"a\" originalcomment \"e\" check",
        "cql() persistent X += 1 check",
        "cql(gamenumber 3 50) check #Q==3",
    ] {
        place.write("q.cql", query);
        for more in ["--json --threads 1", "--threads 3"] {
            let left = |games: &str| {
                let ran = place.run(&format!("explain q.cql {games} {more}"));
                // Games that are left out show in the status; the header asks for none of them.
                let status = i32::from(!query.contains("gamenumber"));
                assert_eq!(ran.status, Some(status), "{query}: {ran:?}");
                // The part about archives follows the counts, and starts with their names.
                let (_, left) = ran.out.split_once("conditions\"").unwrap_or(("", &ran.out));
                let end = left
                    .find("\"archives\"")
                    .or(left.find("\nGames of g.cqa that remain after a test"));
                let left =
                    left[..end.unwrap_or(left.len())].trim_end_matches(['\n', ' ', ',', '}']);
                (left.replace("g.cqa", "games"), ran.err)
            };
            assert_eq!(left("g.cqa"), left("games"), "{query} {more}");
        }
    }
}

#[test]
fn how_far_a_search_is_goes_by_games_where_the_text_is_not_read() {
    let place = Place::new();
    place.write("q.cql", "cql() mate");
    for what in ["q.cql -i g.cqa -o out.pgn --force", "stats g.cqa"] {
        let ran = place.run(&format!("{what} --progress json"));
        let done = ran.err.lines().find(|line| line.contains("\"done\""));
        let done: Value = serde_json::from_str(done.expect("a last line")).expect("JSON");
        assert!(done["total_bytes"].as_u64() > Some(100_000), "{done}");
        assert_eq!(done["bytes"], done["total_bytes"], "{what}");
    }
}

/// A skipped game starts where the one before it ends, and two of them may have the same issue.
#[test]
fn a_search_goes_on_behind_damaged_games() {
    let place = Place::empty();
    let games =
        |name: &str| fs::read_to_string(repository().join("examples").join(name)).expect("games");
    let damaged = "\n[Event \"x\"]\n\n1.e4 {open\n\n[Event \"y\"]\n\n1.d4 } d5 {open 1-0\n\n";
    place.write("games.pgn", games("historic.pgn") + damaged + &games("miniatures.pgn"));
    let ran = place.run("index games.pgn -o g.cqa");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    place.write("q.cql", "cql() mate");
    let text = place.found("games.pgn", "");
    assert!(text.1.contains("20 matches of 60 games"), "{text:?}");
    assert_eq!(place.found("g.cqa", ""), text);
    let ran = place.run("index --check g.cqa");
    assert!(ran.out.ends_with("no faults\n"), "{ran:?}");
}

/// Wherever an archive is damaged, the games are those of the text, and the next update mends it.
#[test]
fn damage_anywhere_in_an_archive_changes_no_result() {
    let place = Place::empty();
    let games = fs::read(repository().join("examples/historic.pgn")).expect("games");
    place.write("g.pgn", games.repeat(5));
    assert_eq!(place.run("index g.pgn").status, Some(0));
    let segment = fs::read_dir(place.path("g.cqa")).expect("a folder");
    let segment = segment.map(|file| file.expect("an entry").path());
    let segment = { segment }.find(|path| path.extension().is_some_and(|e| e == "arrow"));
    let segment = segment.expect("a segment");
    let whole = fs::read(&segment).expect("a segment");
    let search = |more: &str| {
        let ran = place.run(&format!("g.pgn -cql mate --format csv -o - {more}"));
        (ran.out, ran.err)
    };
    let (want, _) = search("-no-index");
    let mut n_damaged = 0;
    for at in (0..whole.len()).step_by(whole.len() / 60) {
        let mut bytes = whole.clone();
        let end = bytes.len().min(at + 13);
        bytes[at..end].iter_mut().for_each(|byte| *byte ^= 0x55);
        fs::write(&segment, bytes).expect("written");
        let (out, err) = search("");
        assert_eq!(out, want, "damaged at {at}: {err}");
        let is_told = err.contains("it is damaged");
        n_damaged += u32::from(is_told);
        let ran = place.run("index g.pgn");
        assert_eq!(ran.status, Some(0), "{ran:?}");
        // Nobody reads some bytes, such as those that pad a column.
        let is_mended = fs::read(&segment).expect("a segment") == whole;
        assert!(is_mended || !is_told, "damaged at {at}: {ran:?}");
        fs::write(&segment, &whole).expect("written");
    }
    assert!(n_damaged > 10, "{n_damaged}");
    fs::remove_file(&segment).expect("removed");
    assert_eq!(place.run("index g.pgn").status, Some(0));
    assert!(fs::read(&segment).expect("a segment") == whole);
}
