//! Queries with a missing bracket: their other errors are reported as well, and nothing else.

use std::fs;
use std::path::Path;

use syntax::token::{Symbol, TokenKind};
use syntax::{ParseOptions, Severity, Source, SourceId, lex, parse};

/// Returns the codes of the errors of a query, with their locations.
fn errors(text: &[u8]) -> Vec<(&'static str, String)> {
    let source = Source { name: "", text };
    let parsed = parse(&source, &[], &ParseOptions::default());
    let found = parsed.diagnostics.iter();
    let found = found.filter(|d| d.severity == Severity::Error);
    let place = |d: &syntax::Diagnostic| {
        let place = text.get(d.span.start as usize..d.span.end as usize);
        String::from_utf8_lossy(place.unwrap_or_default()).into_owned()
    };
    found.map(|d| (d.code, place(d))).collect()
}

fn is_bracket(kind: &TokenKind) -> bool {
    let TokenKind::Symbol(symbol) = kind else {
        return false;
    };
    matches!(
        symbol,
        Symbol::OpenBrace
            | Symbol::CloseBrace
            | Symbol::OpenParen
            | Symbol::CloseParen
            | Symbol::OpenBracket
            | Symbol::CloseBracket
    )
}

#[test]
fn a_bracket_that_lacks_is_one_mistake() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let folders = fs::read_dir(cases).expect("the corpus").flatten();
    let files = folders.filter_map(|folder| fs::read_dir(folder.path()).ok());
    let files = files.flat_map(|files| files.flatten());
    let (mut n_torn, mut more) = (0, Vec::new());
    for path in files.map(|file| file.path()) {
        let is_query = path.extension().is_some_and(|extension| extension == "cql");
        let Some(text) = is_query.then(|| fs::read(&path).expect("a query")) else {
            continue;
        };
        if text.len() > 3000 || !errors(&text).is_empty() {
            continue;
        }
        for token in lex(SourceId(0), &text).tokens {
            if !is_bracket(&token.kind) {
                continue;
            }
            let mut torn = text.clone();
            torn[token.span.start as usize] = b' ';
            let found = errors(&torn);
            let is_other = |(code, _): &(&str, String)| *code != "E0017";
            assert!(!found.iter().all(is_other), "{found:?} {torn:?}");
            n_torn += 1;
            if found.iter().any(is_other) {
                more.push((String::from_utf8_lossy(&torn).into_owned(), found));
            }
        }
    }
    assert!(n_torn > 10_000, "{n_torn}");
    // The types of filters that extend over several lines may be reported wrongly.
    assert!(more.len() * 100 < n_torn, "{} {more:#?}", more.len());
}

#[test]
fn a_bracket_hides_no_other_mistake() {
    let check = |text: &str, expected: &[(&str, &str)]| {
        let found = errors(text.as_bytes());
        let found: Vec<(&str, &str)> = found.iter().map(|(c, at)| (*c, at.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    };
    check("cql() {mate stalmate", &[("E0017", "{"), ("E0201", "stalmate")]);
    check("cql() mate} stalmate", &[("E0017", "}"), ("E0201", "stalmate")]);
    check(
        "cql() flip {wtm\n(R attacks k}\nchek\nply > \"x\"",
        &[("E0017", "}"), ("E0201", "chek"), ("E0304", "ply > \"x\"")],
    );
    check(
        "cql() flip {\nR attacks k\npower mate\nchek Nf3xe5",
        &[("E0017", "{"), ("E0301", "mate"), ("E0201", "chek"), ("E0114", "Nf3xe5")],
    );
    check("{mate stalmate", &[("E0017", "{"), ("E0501", "mate"), ("E0201", "stalmate")]);
    check("cql(quiet\nstalmate", &[("E0017", "("), ("E0201", "stalmate")]);
    check("cql() {R[a1\n chek}", &[("E0201", "chek"), ("E0017", "}")]);
    check(
        "cql() function f(x) {\n  x > 1\n\nf(3) y_ = f(2) y_ > x chek",
        &[("E0017", "{"), ("E0201", "chek")],
    );
}
