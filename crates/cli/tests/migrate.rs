//! Queries that `cql migrate` translates find what the originals find.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{cql, root, text};

const MARK: &str = "MIGRATION-MARK";

/// Returns games with only their tags, moves and marks.
fn marks(pgn: &str) -> String {
    let mut out = String::new();
    let mut rest = pgn;
    while let Some(start) = rest.find('{') {
        out += &rest[..start];
        let end = rest[start..].find('}').map_or(rest.len(), |n| start + n + 1);
        if rest[start..end].contains(MARK) {
            out += " * ";
        }
        rest = &rest[end..];
    }
    out += rest;
    // Lines and comments may end with a move number.
    let words = out.split_whitespace().map(|word| {
        let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
        if rest.len() < word.len() && rest.starts_with('.') {
            rest.trim_start_matches('.')
        } else {
            word
        }
    });
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// Returns the marked games of a query, or `None` if there is no output.
fn found(dir: &Path, query: &str) -> Option<String> {
    let games = root().join("conformance/own.pgn");
    let data = root().join("conformance/data/own.pgn");
    let games = if data.is_file() { data } else { games };
    let games = games.to_str().expect("a name");
    let _ = fs::remove_file(dir.join("found.pgn"));
    let output = cql(dir, &["-i", games, "-o", "found.pgn", "-matchstring", MARK, query]);
    assert!(output.status.success(), "{query}: {}", text(&output.stdout));
    fs::read(dir.join("found.pgn")).ok().map(|pgn| marks(&text(&pgn)))
}

/// Migrates all cases of an area. At least `least` of them must be translated, including
/// `relations` that compare two positions.
fn check(area: &str, least: usize, relations: usize) {
    let dir = tempfile::tempdir().expect("a directory");
    let mut cases: Vec<PathBuf> = fs::read_dir(root().join("conformance/cases").join(area))
        .expect("the cases")
        .map(|entry| entry.expect("a case").path())
        .filter(|path| !path.to_string_lossy().ends_with(".equiv.cql"))
        .collect();
    cases.sort();
    let (mut n_migrated, mut n_relations, mut n_found, mut wrong) = (0, 0, 0, Vec::new());
    for case in &cases {
        fs::copy(case, dir.path().join("old.cql")).expect("copied");
        let output = cql(dir.path(), &["migrate", "old.cql"]);
        if !output.status.success() {
            let said = text(&output.stderr);
            assert!(said.contains("error["), "{}: {said}", case.display());
            continue;
        }
        n_migrated += 1;
        let is_relation = text(&output.stdout).contains("echo quiet (source target)");
        n_relations += usize::from(is_relation);
        fs::write(dir.path().join("new.cql"), &output.stdout).expect("written");
        let old = found(dir.path(), "old.cql");
        n_found += usize::from(old.as_ref().is_some_and(|old| old.contains('*')));
        if old != found(dir.path(), "new.cql") {
            wrong.push(format!("{}:\n{}", case.display(), text(&output.stdout)));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        n_migrated >= least && n_relations >= relations,
        "{area}: {n_migrated} of {}, {n_relations} relations",
        cases.len()
    );
    assert!(n_found * 2 > n_migrated, "{area}: {n_found} of {n_migrated} find anything");
}

#[test]
fn cql_5_means_the_same() {
    check("cql5", 106, 20);
}

#[test]
fn classic_lists_mean_the_same() {
    check("classic", 61, 12);
}

/// Returns the output of `cql migrate`, and whether it succeeds.
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

/// The examples in the manuals for `relation` and `:relation`, and match lists, on all games of the
/// corpus.
#[test]
fn translations_mean_the_same() {
    let dir = tempfile::tempdir().expect("a directory");
    let mut n_found = 0;
    for query in [
        "cql(variations) mainline square $forkingsquare in a-h1-8 \
         move from N to {$forkingsquare on _} \
         relation wtm variation A on $forkingsquare \
         (sourcesquares not $forkingsquare mismatch 0)",
        "cql(variations) mainline relation variation \
         (sourcesquares [RNBQ] targetsquares [RNBQ] match 0 64 mismatch 1) (mismatch 1)",
        "cql(variations) mainline relation variation (tomove match) \
         (sourcesquares a targetsquares _ mismatch 1) \
         (sourcesquares _ targetsquares a mismatch 1) (mismatch 2)",
        "(match (position :markall :relation (:missingpiececount A 1 100)))",
        "(match (position :markall :relation (:changesidetomove)))",
        "(match (position Ke6 be7 be4 nd5 :shift :flip :markall :relation (:pattern :shift :flip \
         :originalsamecount 0 :samesidetomove :variations)))",
        "(match (position Ke6 be7 be4 nd5 :shift :flip :markall :relation (:pattern :shift :flip \
         :originalsamecount 0 3 :samesidetomove :variations)))",
        // Like the one before, with pieces that the games have.
        "(match (position Kd4 kd6 :shift :flip :markall :relation (:pattern :shift :flip \
         :originalsamecount 0 1 :samesidetomove :variations)))",
        "(match (position :markall :promote Q))",
        "(match (position :markall :promote [Rnb]))",
        "(match :player KASP :year 1900 1990 (position :markall :check))",
    ] {
        fs::write(dir.path().join("old.cql"), query).expect("written");
        let output = cql(dir.path(), &["migrate", "old.cql"]);
        assert!(output.status.success(), "{query}: {}", text(&output.stderr));
        fs::write(dir.path().join("new.cql"), &output.stdout).expect("written");
        let old = found(dir.path(), "old.cql");
        n_found += usize::from(old.as_ref().is_some_and(|old| old.contains('*')));
        assert_eq!(old, found(dir.path(), "new.cql"), "{query}");
    }
    assert!(n_found >= 5, "{n_found} queries find anything");
}

#[test]
fn errors_of_the_query_come_first() {
    let dir = tempfile::tempdir().expect("a directory");
    for (query, code) in [
        ("cql() mate chek", "E0201"),
        ("cql() rotate45 a1", "E0402"),
        ("cql() relation (mismatch 2 1)", "E06"),
        ("(match (position Ra1-8))", "E0714"),
        ("", "E0"),
    ] {
        fs::write(dir.path().join("q.cql"), query).expect("written");
        let output = cql(dir.path(), &["migrate", "q.cql"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{query}: {said}");
        assert!(said.starts_with(&format!("error[{code}")), "{query}: {said}");
        assert_eq!(text(&output.stdout), "", "{query}");
    }
}

#[test]
fn a_translation_that_would_not_run_is_not_printed() {
    let dir = tempfile::tempdir().expect("a directory");
    let query = "(match (position [Nn]d4 :shift :flip :flipcolor \
                 :relation (:pattern :flip :missingpiececount A 0 4 :newpiececount Ae4 1 4)))";
    fs::write(dir.path().join("q.cql"), query).expect("written");
    let output = cql(dir.path(), &["migrate", "q.cql"]);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("would not run") && said.contains("limit"), "{said}");
    assert_eq!(text(&output.stdout), "");
}

#[test]
fn what_has_no_equivalent_is_named() {
    for (query, culprit) in [
        ("cql() relation (sort \"n\" lcamax 1 2)", "`sort` in a parameter of `relation`"),
        (
            "cql() flip relation echoflipvertical (mismatch 0)",
            "`echoflipvertical` inside a transform that turns the board",
        ),
        ("cql() relation (sourcesquares move from R mismatch 0)", "`move` as a set of squares"),
        ("cql() wtm attack 2 (A a)", "`attack` with a range"),
        ("cql() wtm next ((check mate?)* check{0 2})", "a sequence that may be empty"),
        ("(match (position Ra1 :shift :relation ()))", "a shift, which keeps"),
        ("(match (position Rd4 :shiftdiagonal))", "a shift along diagonals"),
        (
            "(match (position :sequence ((position) (position)) :relation (:variations)))",
            "a sequence in variations",
        ),
        ("(match (position Ra1) (position Ra2))", "a second position list"),
        ("; \u{1}5 9\u{2}\ncql() next* mate", "a query with control characters"),
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

/// Every query on the page can be translated or is CQL 6, as the page says.
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
