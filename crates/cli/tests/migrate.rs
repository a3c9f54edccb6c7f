//! Queries that `cql migrate` translates find what the originals find.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const MARK: &str = "MIGRATION-MARK";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn cql(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(dir)
        .output()
        .expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Games with nothing but their tags, moves and marks.
fn marks(pgn: &str) -> String {
    let mut out = String::new();
    let mut rest = pgn;
    while let Some(start) = rest.find('{') {
        out += &rest[..start];
        let end = rest[start..]
            .find('}')
            .map_or(rest.len(), |n| start + n + 1);
        if rest[start..end].contains(MARK) {
            out += " * ";
        }
        rest = &rest[end..];
    }
    out += rest;
    let words = out.split_whitespace();
    let is_number = |w: &&str| w.ends_with('.') && w.trim_end_matches('.').parse::<u32>().is_ok();
    let words: Vec<&str> = words.filter(|w| !is_number(w)).collect();
    words.join(" ")
}

/// What a query finds, or nothing if it does not run.
fn found(dir: &Path, query: &str) -> Option<String> {
    let games = root().join("conformance/own.pgn");
    let data = root().join("conformance/data/own.pgn");
    let games = if data.is_file() { data } else { games };
    let games = games.to_str().expect("a name");
    let _ = fs::remove_file(dir.join("found.pgn"));
    let output = cql(
        dir,
        &["-i", games, "-o", "found.pgn", "-matchstring", MARK, query],
    );
    assert!(output.status.success(), "{query}: {}", text(&output.stdout));
    fs::read(dir.join("found.pgn"))
        .ok()
        .map(|pgn| marks(&text(&pgn)))
}

/// Migrates all cases of an area; at least `least` of them must go through.
fn check(area: &str, least: usize) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut cases: Vec<PathBuf> = fs::read_dir(root().join("conformance/cases").join(area))
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| !path.to_string_lossy().ends_with(".equiv.cql"))
        .collect();
    cases.sort();
    let (mut n_migrated, mut n_found, mut wrong) = (0, 0, Vec::new());
    for case in &cases {
        fs::copy(case, dir.path().join("old.cql")).expect("copied");
        let output = cql(dir.path(), &["migrate", "old.cql"]);
        if !output.status.success() {
            let said = text(&output.stderr);
            assert!(said.contains("error["), "{}: {said}", case.display());
            continue;
        }
        n_migrated += 1;
        fs::write(dir.path().join("new.cql"), &output.stdout).expect("written");
        let old = found(dir.path(), "old.cql");
        n_found += usize::from(old.as_ref().is_some_and(|old| old.contains('*')));
        if old != found(dir.path(), "new.cql") {
            wrong.push(format!("{}:\n{}", case.display(), text(&output.stdout)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(
        n_migrated >= least,
        "{area}: {n_migrated} of {}",
        cases.len()
    );
    assert!(
        n_found * 2 > n_migrated,
        "{area}: {n_found} of {n_migrated} find anything"
    );
}

#[test]
fn cql_5_means_the_same() {
    check("cql5", 86);
}

#[test]
fn classic_lists_mean_the_same() {
    check("classic", 43);
}

/// What `cql migrate` prints, and whether it succeeds.
fn migrated(query: &str) -> (bool, String) {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("q.cql"), query).expect("written");
    let output = cql(dir.path(), &["migrate", "q.cql"]);
    (output.status.success(), text(&output.stdout))
}

#[test]
fn comments_stay_in_order() {
    let old = "; first\ncql(variations)\n; second\ncountsquares 2 3 R ; third\nwtm\n  // fourth\n; last\n";
    let new =
        "// first\n// second\ncql(variations)\n{2<=#R<=3}\n// third\nwtm\n// fourth\n// last\n";
    assert_eq!(migrated(old), (true, new.into()));
}

#[test]
fn cql_6_comes_back_as_it_is() {
    let text = "cql() // 6\n  R==2   and mate\n";
    assert_eq!(migrated(text), (true, text.into()));
}

#[test]
fn what_has_no_equivalent_is_named() {
    for (query, culprit) in [
        ("cql() mate relation (mismatch 1)", "`relation`"),
        ("cql() wtm attack 2 (A a)", "`attack` with a range"),
        (
            "cql() wtm next ((check mate?)* check{0 2})",
            "a sequence that may be empty",
        ),
        ("(match (position Ra1 :shift))", "a shift"),
        (
            "(match (position Ra1) (position Ra2))",
            "a second position list",
        ),
    ] {
        let dir = tempfile::tempdir().expect("a directory");
        fs::write(dir.path().join("q.cql"), query).expect("written");
        let output = cql(dir.path(), &["migrate", "q.cql"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{query}: {said}");
        assert!(said.contains(culprit), "{query}: {said}");
        assert_eq!(text(&output.stdout), "", "{query}");
    }
}

/// Every query of the page translates or is CQL 6, as it says.
#[test]
fn the_page_on_dialects_is_true() {
    let page = fs::read_to_string(root().join("docs/src/dialects.md")).expect("the page");
    let blocks: Vec<&str> = page.split("```cql\n").skip(1).collect();
    assert!(blocks.len() >= 4 && blocks.len().is_multiple_of(2));
    for pair in blocks.chunks(2) {
        let [old, new] = [pair[0], pair[1]].map(|b| b.split("```").next().unwrap_or_default());
        assert_eq!(migrated(old), (true, new.to_string()), "{old}");
    }
}
