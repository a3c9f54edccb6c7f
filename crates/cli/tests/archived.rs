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
    fs::write(place.path("g.cqa/manifest.json"), "{}").expect("written");
    let ran = place.run("q.cql -i g.cqa -o out.pgn");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("g.cqa: "), "{ran:?}");
}
