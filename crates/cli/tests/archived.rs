//! Searching an archive gives the bytes that searching its games gives, messages among them.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{Place, Ran};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

impl Place {
    /// Two files with games of all kinds, those with faults among them, and their archive.
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

    /// What a search in the games or in the archive gives: what is said, and what is written.
    fn found(&self, games: &str, more: &str) -> (Option<i32>, String, String, String) {
        let Ran {
            status, out, err, ..
        } = self.run(&format!("q.cql -i {games} -o out.pgn --force {more}"));
        let (before, behind) = out.split_once(" seconds").unwrap_or((&out, ""));
        let before = before.rsplit_once(" in ").map_or(before, |said| said.0);
        let written = fs::read(self.path("out.pgn")).unwrap_or_default();
        let _ = fs::remove_file(self.path("out.pgn"));
        let written = String::from_utf8_lossy(&written).into_owned();
        (status, format!("{before}{behind}"), err, written)
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
    ] {
        place.check(query, "--threads 1");
        place.check(query, "--threads 3");
    }
    // Games that are given up are named in the same way.
    place.check("cql() x = 1 while(true) x += 1", "-limits steps=100");
    place.check("cql() check", "--exclude");
    place.check(
        "cql(variations) mate",
        "--csv out.pgn --columns game,white,line,offset",
    );
}

/// Games that stand beside their archive are searched by it, unless that is not wanted.
#[test]
fn an_archive_beside_its_games_is_used() {
    let place = Place::new();
    fs::rename(place.path("g.cqa"), place.path("games.cqa")).expect("moved");
    assert_eq!(place.run("index games/a.pgn").status, Some(0));
    // What is only in the archive shows who was asked: here, whether its moves are damaged.
    let damage = |name: &str| {
        let files = fs::read_dir(place.path(name)).expect("a folder");
        let paths = files.map(|file| file.expect("an entry").path());
        let segment = paths
            .into_iter()
            .find(|path| path.extension().is_some_and(|e| e == "arrow"));
        let segment = segment.expect("a segment");
        let mut bytes = fs::read(&segment).expect("a segment");
        let damaged: Vec<u8> = bytes.iter().map(|byte| byte ^ 1).collect();
        let end = bytes.len() - 20_000;
        bytes[1000..end].copy_from_slice(&damaged[1000..end]);
        fs::write(segment, bytes).expect("written");
    };
    place.write("q.cql", "cql() check");
    let text = |games: &str, more: &str| place.found(games, &format!("{more} --no-index"));
    for more in ["--threads 1", "--threads 3"] {
        assert_eq!(place.found("games", more), text("games", more));
        assert_eq!(place.found("games/a.pgn", more), text("games/a.pgn", more));
    }
    damage("games.cqa");
    damage("games/a.cqa");
    for (games, name) in [("games", "games.cqa"), ("games/a.pgn", "games/a.cqa")] {
        let text = text(games, "--threads 1");
        let found = place.found(games, "--threads 1");
        let said = format!("{name}: it is damaged: ");
        assert!(found.2.starts_with(&said), "{}", found.2);
        let (line, rest) = found.2.split_once('\n').expect("a line");
        assert!(line.ends_with("; the text is searched"), "{line}");
        assert_eq!(
            (found.0, &found.1, rest, &found.3),
            (text.0, &text.1, &*text.2, &text.3)
        );
    }
    // Nor is one asked whose games are others now.
    fs::write(place.path("games/a.pgn"), "[White \"A\"]\n\n1.e4 *\n").expect("written");
    let found = place.found("games/a.pgn", "");
    let line = found.2.lines().next();
    assert_eq!(
        line,
        Some("games/a.cqa: its games have changed; the text is searched")
    );
}

#[test]
fn what_is_asked_of_the_games_is_explained() {
    let place = Place::new();
    place.write("q.cql", "cql()\nmate\n  not wtm #Q==2 Q attacks k\n");
    let ran = place.run("explain q.cql g.cqa");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let (funnel, asked) = ran
        .out
        .split_once("What the columns of g.cqa")
        .expect("a section");
    assert!(funnel.contains("What each condition leaves"), "{funnel}");
    let lines: Vec<&str> = asked.lines().map(str::trim_start).collect();
    let figure = |what: &str| -> u64 {
        let line = lines.iter().find(|line| line.ends_with(what));
        let line = line.unwrap_or_else(|| panic!("{what}: {asked}"));
        let (n, _) = line.split_once(' ').expect("a number");
        n.parse().expect("a number")
    };
    let (mates, queens) = (figure("there is a mate"), figure("white queens = 2"));
    assert!(queens > 0 && mates > queens, "{asked}");
    assert!(asked.contains("3  not wtm: "), "{asked}");
    let json = place.run("explain q.cql g.cqa --json").out;
    assert!(json.contains(&format!("\"games\": {queens}")), "{json}");
    // Nobody is asked where the text is searched.
    assert!(
        !place
            .run("explain q.cql games")
            .out
            .contains("the columns of")
    );
}

#[test]
fn several_inputs_are_each_searched_in_their_way() {
    let place = Place::new();
    assert_eq!(place.run("index games/a.pgn").status, Some(0));
    place.write("more/c.pgn", "[White \"New\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n");
    place.write(
        "more/d.pgn",
        fs::read(place.path("games/a.pgn")).expect("games"),
    );
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
            "--csv out.pgn --columns game,game_in_input,input",
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
        counted
            .unwrap_or_else(|| panic!("{line}: {ran:?}"))
            .to_owned()
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
    // Its own name brings an archive up to date.
    let more = place.path("games/a.pgn");
    let mut games = fs::read(&more).expect("games");
    games.extend(b"\n\n[White \"New\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n");
    fs::write(&more, games).expect("written");
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert!(
        ran.err
            .contains("its games have changed; the text is searched"),
        "{ran:?}"
    );
    assert_eq!(place.run("index g.cqa").status, Some(0));
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert!(!ran.err.contains("the text is searched"), "{ran:?}");
    // A folder of that name that is none is a folder; a damaged one is named.
    fs::write(
        place.path("h.cqa"),
        "[White \"A\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n",
    )
    .expect("written");
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
