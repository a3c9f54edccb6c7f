//! Compares the table of diagnostic codes with the compiler: its examples have the errors they
//! show, and every code in use is explained in the table.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use engine::{CompileOptions, NamedExpression, compile};
use syntax::diagnostic::table;
use syntax::tree::TransformFamily;
use syntax::{Severity, Source};

/// Returns the codes that the compiler reports for a query, in order.
fn codes(text: &str) -> Vec<&'static str> {
    let source = Source { name: "query.cql", text: text.as_bytes() };
    let options = CompileOptions {
        // Reported only on request.
        warn_deprecated: text.contains("R attacks k"),
        ..CompileOptions::default()
    };
    let compiled = compile(&source, &[], &options);
    let has_errors = compiled.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(compiled.program.is_none(), has_errors, "{text}");
    compiled.diagnostics.iter().map(|d| d.code).collect()
}

#[test]
fn examples_have_their_fault_and_mended_none() {
    let mut bad = Vec::new();
    for entry in table::all() {
        let Some(example) = entry.example else {
            continue;
        };
        let found = codes(example.wrong);
        if found != [entry.code] {
            bad.push(format!("{}: found {found:?}", entry.code));
        }
        let found = codes(example.mended);
        if !found.is_empty() {
            bad.push(format!("{}: found {found:?} in the mended text", entry.code));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn a_condition_without_a_header_gets_the_edits_of_cql6() {
    let found = |text: &str| {
        let source = Source { name: "query", text: text.as_bytes() };
        let options = CompileOptions { require_header: false, ..CompileOptions::default() };
        let found = compile(&source, &[], &options).diagnostics;
        found.iter().map(|d| (d.code, d.edit.is_some())).collect::<Vec<_>>()
    };
    assert_eq!(found("N on e5 or N on d5"), [("E0201", true); 2]);
    // Only CQL 5 has such variables.
    assert_eq!(found("$x on e5"), [("E0604", false)]);
    // A word that CQL 5 does not have shows that `on` is plain English.
    assert_eq!(found("cql() mate on move 12"), [("E0201", false)]);
    assert_eq!(found("cql() shifthorizontal 7 {K on"), [("E0604", false)]);
}

#[test]
fn values_that_were_meant_to_be_compared() {
    let check = |text: &str, mended: Option<&str>| {
        let source = Source { name: "query.cql", text: text.as_bytes() };
        // In a file, `elo 2600` may be CQL 5.
        let options =
            CompileOptions { dialect: Some(syntax::Dialect::Cql6), ..CompileOptions::default() };
        let compiled = compile(&source, &[], &options);
        let [diagnostic] = &compiled.diagnostics[..] else {
            panic!("{text}: {:?}", compiled.diagnostics);
        };
        let edited = diagnostic.edit.as_ref().map(|edit| {
            let mut edited = text.to_owned();
            edited.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
            edited
        });
        assert_eq!(edited.as_deref(), mended, "{text}");
        if let Some(mended) = mended {
            assert!(codes(mended).is_empty(), "{mended}");
        }
    };
    check("cql() check nag 2", Some("cql() check nag == 2"));
    check("cql() check variant \"Atomic\"", Some("cql() check variant == \"Atomic\""));
    check("cql() check elo 2600", Some("cql() check elo >= 2600"));
    check("cql() check elo white 2600", Some("cql() check elo white >= 2600"));
    check("cql() check variant 2", None);
    check("cql() check { 2 }", None);
    check("cql() check P 4", Some("cql() check P == 4"));
    check("cql() check [Pp] 4", Some("cql() check [Pp] == 4"));
    check("cql() check 4P", Some("cql() check P == 4"));
    check("cql() eval > 1.5", Some("cql() eval > 150"));
    check("cql() eval < -1.25", Some("cql() eval < -125"));
    check("cql() elo > 2600.5", Some("cql() elo > 2600"));
    check("cql() elo >= 2600.5", Some("cql() elo >= 2601"));
    check("cql() 1.5 <= eval", Some("cql() 150 <= eval"));
    check("cql() eval < 2.0", Some("cql() eval < 200"));
    check("cql() clock / 60.0 < 1", Some("cql() clock / 60 < 1"));
    check("cql() power A - power a == 1.5", None);
    check("cql() power A / 1.5 > power a", None);
    check("cql() ply > 10.5 + movenumber", None);
    check("cql() year > -1.5", None);
    check("cql() sort 2.5 mate", None);
    check("cql() date > 2020.01.01", Some("cql() date > \"2020.01.01\""));
}

#[test]
fn codes_without_an_example_are_reached_as_well() {
    let too_long = "cql() check ".to_owned() + &" ".repeat(10_000_000);
    let codes_with = |text: &str, options: &CompileOptions| {
        let source = Source { name: "query.cql", text: text.as_bytes() };
        let diagnostics = compile(&source, &[], options).diagnostics;
        let codes = diagnostics.iter().map(|d| d.code);
        codes.collect::<Vec<&str>>()
    };
    let plain = CompileOptions::default();
    let player = CompileOptions { player: Some(b"(Morphy".to_vec()), ..CompileOptions::default() };
    let rotated =
        CompileOptions { transforms: vec![TransformFamily::Rotate45], ..CompileOptions::default() };
    let classic = "(match (position :mate))";
    let with_value = |text: &str| {
        let (name, source) = ("value".to_owned(), "value".to_owned());
        let values = vec![NamedExpression { name, source, text: text.into() }];
        CompileOptions { values, ..CompileOptions::default() }
    };
    let to = with_value("to");
    for text in ["cql() currentmove P--=Q", "cql() P--=Q check"] {
        assert!(codes_with(text, &to).is_empty(), "{text}");
    }
    assert!(codes_with("cql() P--=Q", &with_value("rank k")).is_empty());
    let reached = [
        ("E0002", codes_with(&too_long, &plain)),
        ("E0504", codes_with("cql() check", &player)),
        ("E0719", {
            let text = format!("(match {}", "(position :and (".repeat(1000));
            let mut codes = codes_with(&text, &plain);
            codes.dedup();
            codes.retain(|&code| code == "E0719");
            codes
        }),
        ("E0720", codes_with(classic, &rotated)),
        ("E0801", {
            let moves = b"; dialect: cql5\ncql() flip 2 3 Ka1";
            let untranslated = syntax::migrate::migrate(moves, syntax::Dialect::Cql5);
            let untranslated = untranslated.expect_err("no equivalent");
            untranslated.iter().map(|d| d.code).collect()
        }),
        ("W0432", codes_with("cql() P--=Q", &to)),
        ("E0901", codes_with(&("cql() ".to_owned() + &"not ".repeat(5000) + "check"), &plain)),
    ];
    for (code, found) in &reached {
        assert_eq!(found, &[*code]);
    }
    // A defect of the engine: it would have been fixed if a text that leads there were known.
    let unreachable = ["E0990"];
    let bare = table::all().filter(|entry| entry.example.is_none());
    let bare: Vec<&str> = bare.map(|entry| entry.code).collect();
    // Errors of queries that are run on shards, or without tablebases.
    let of_shards = ["E0505", "E0506", "E0507"];
    let known = reached.iter().map(|(code, _)| *code).chain(unreachable);
    let mut known: Vec<&str> = known.chain(of_shards).collect();
    known.sort_unstable();
    assert_eq!(bare, known);
}

/// Returns every string literal of the sources that has the form of a code.
fn codes_in_use() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders =
        ["syntax", "compiler", "engine", "cli"].map(|name| crates.join(name).join("src")).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("diagnostic") {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(path).expect("a source");
                // Codes in test modules are made up.
                let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or("");
                let literals = text.split('"').filter(|literal| table::is_code(literal));
                codes.extend(literals.map(str::to_owned));
            }
        }
    }
    codes
}

#[test]
fn the_table_has_the_codes_in_use_and_no_others() {
    let used = codes_in_use();
    let explained: BTreeSet<String> = table::all().map(|entry| entry.code.to_owned()).collect();
    let unused: Vec<_> = explained.difference(&used).collect();
    let unexplained: Vec<_> = used.difference(&explained).collect();
    assert!(unused.is_empty(), "not used by any source: {unused:?}");
    assert!(unexplained.is_empty(), "not in the table: {unexplained:?}");
}

#[test]
fn cql5_is_not_proposed_for_faults_of_texts_in_front() {
    let source = |name, text: &'static str| Source { name, text: text.as_bytes() };
    let (query, in_front) = (source("query.cql", "cql()"), source("-cql", "mat"));
    let compiled = compile(&query, &[in_front], &CompileOptions::default());
    let unknown = compiled.diagnostics.iter().find(|d| d.code == "E0201");
    let help = unknown.and_then(|d| d.help.as_deref());
    assert_eq!(help, Some("did you mean `mate`?"));
}

#[test]
fn correct_cql5_is_said_to_be_that() {
    let is_proposed = |text: &str| {
        let source = Source { name: "query.cql", text: text.as_bytes() };
        let diagnostics = compile(&source, &[], &CompileOptions::default()).diagnostics;
        let help = diagnostics.first().and_then(|d| d.help.as_deref());
        help.is_some_and(|help| help.contains("this is correct CQL 5"))
    };
    // A comment in the form of CQL 6 is valid in CQL 5, but makes the text parse as CQL 6.
    assert!(is_proposed("cql()\n// any game\nany"));
    assert!(!is_proposed("cql()\nanything"));
    assert!(!is_proposed("cql()\nany K--"));
}
