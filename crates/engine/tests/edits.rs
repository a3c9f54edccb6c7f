//! Tests that a proposed edit helps: it leaves fewer errors.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{CompileOptions, compile};
use syntax::diagnostic::Edit;
use syntax::{Diagnostic, Severity, Source};

/// Returns the queries of the corpus, either those of the areas with wrong queries or the others.
fn corpus(is_wrong: bool) -> Vec<(PathBuf, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance/cases");
    let mut queries = Vec::new();
    for area in fs::read_dir(root).expect("the corpus") {
        let area = area.expect("an area").path();
        if area.to_string_lossy().ends_with("-errors") != is_wrong {
            continue;
        }
        for file in fs::read_dir(area).expect("an area") {
            let file = file.expect("an entry").path();
            if file.extension().is_some_and(|end| end == "cql") {
                let text = fs::read(&file).expect("a query");
                queries.push((file, text));
            }
        }
    }
    queries.sort();
    queries
}

fn diagnostics(text: &[u8]) -> Vec<Diagnostic> {
    let source = Source { name: "query.cql", text };
    compile(&source, &[], &CompileOptions::default()).diagnostics
}

fn errors(text: &[u8]) -> Vec<Diagnostic> {
    let mut found = diagnostics(text);
    found.retain(|d| d.severity == Severity::Error);
    found
}

fn edited(text: &[u8], edit: &Edit) -> Vec<u8> {
    let (start, end) = (edit.span.start as usize, edit.span.end as usize);
    [&text[..start], edit.text.as_bytes(), &text[end..]].concat()
}

/// Applies each edit proposed for a text, and collects those that do not help. Returns the number
/// of edits.
fn check(name: &str, text: &[u8], bad: &mut Vec<String>) -> usize {
    let before = errors(text);
    let offered = before.iter().filter_map(|d| Some((d, d.edit.as_ref()?)));
    let mut n_edits = 0;
    for (diagnostic, edit) in offered {
        n_edits += 1;
        let mended = edited(text, edit);
        let mut after = errors(&mended);
        // Loops are only looked at if there are no other errors.
        if diagnostic.code != "E0208" {
            after.retain(|d| d.code != "E0208");
        }
        // A name is reported once: after the edit, its next use is reported, or an error that it hid.
        let is_next = |d: &Diagnostic| {
            d.code == diagnostic.code
                && d.span.start as usize >= edit.span.start as usize + edit.text.len()
        };
        let goes_on = after.len() == before.len() && after.iter().any(is_next);
        if after.len() >= before.len() && !goes_on {
            bad.push(format!(
                "{name}: {} {:?} -> {:?}: {} errors, then {}: {:?}\n{}",
                diagnostic.code,
                diagnostic.message,
                edit.text,
                before.len(),
                after.len(),
                after.iter().map(|d| &d.message).collect::<Vec<_>>(),
                String::from_utf8_lossy(text)
            ));
        }
    }
    n_edits
}

#[test]
fn edits_of_wrong_queries_help() {
    let mut bad = Vec::new();
    let mut n_edits = 0;
    for (file, text) in corpus(true) {
        n_edits += check(&file.to_string_lossy(), &text, &mut bad);
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
    assert!(n_edits > 10, "{n_edits} edits");
}

#[test]
fn edits_of_warnings_make_no_errors() {
    let mut n_edits = 0;
    let more = ["check {comment(\"n\")} or mate comment(\"m\")"];
    let more = more.map(|text| (PathBuf::from(text), format!("cql() {text}").into_bytes()));
    for (file, text) in corpus(false).into_iter().chain(more) {
        let found = diagnostics(&text);
        for edit in found.iter().filter_map(|warning| warning.edit.as_ref()) {
            n_edits += 1;
            let mended = edited(&text, edit);
            let after = errors(&mended);
            assert_eq!(after, [], "{}: {}", file.display(), String::from_utf8_lossy(&mended));
        }
    }
    assert!(n_edits > 10, "{n_edits} edits");
}

#[test]
fn one_edit_is_enough() {
    let check = |query: &str, expected: &str| {
        let found = |text: &str| {
            let texts = ["cql().", text];
            let texts = texts.map(|text| Source { name: "-cql", text: text.as_bytes() });
            compile(&texts[0], &texts[1..], &CompileOptions::default()).diagnostics
        };
        let whole = format!("cql() {query}");
        for diagnostics in [found(query), diagnostics(whole.as_bytes())] {
            let [error] = &diagnostics[..] else { panic!("{query}: {diagnostics:?}") };
            let edit = error.edit.as_ref().expect("an edit");
            let text = if edit.span.source.0 == 0 { &whole } else { query };
            let after = String::from_utf8_lossy(&edited(text.as_bytes(), edit)).into_owned();
            assert_eq!(after.trim_start_matches("cql() "), expected);
        }
        assert_eq!(found(expected), [], "{expected}");
    };
    check("clock white < 1:00", "{btm clock < 60}");
    check("mate clock black < 0:01:30 wtm", "mate {wtm clock < 90} wtm");
    check("elapsed white > \"1:00\"", "{btm elapsed > 60}");
    check("eval white > .5", "eval > 50");
    check("eval black > 1.5", "eval < -150");
    check("clock < 1:00", "clock < 60");
    check("eval white > 1", "eval > 100");
    check("e4 Nf3", "path P--e4 -- N--f3");
    check("c5 Nf3", "path p--c5 N--f3");
    check("Nf6 c4 e6", "path n--f6 P--c4 p--e6");
    check("e4 e5 Qh5 Nc6 Qxf7+", "path P--e4 p--e5 Q--h5 n--c6 Q[x]f7(check)");
    check("R and P vs R", "material \"KRPKR\"");
    check("B+N v nothing", "material \"BN:\"");
    check("e4xd5", "Pe4[x]d5");
    check("e7-e5", "pe7--e5");
    check("e5xd6 e.p.", "Pe5--d6(enpassant)");
    check("not check, not mate", "not check not mate");
    check("1. e4 e5 1-0", "san \"1.e4 e5\" result 1-0");
    check("1. e4 e5 *", "san \"1.e4 e5\"");
}

/// Returns the start and end of each word.
fn words(text: &str) -> Vec<(usize, usize)> {
    let is_inside = |c: char| c.is_ascii_alphabetic();
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(is_inside) {
        let start = at + start;
        let end = text[start..].find(|c| !is_inside(c));
        at = end.map_or(text.len(), |end| start + end);
        words.push((start, at));
    }
    words
}

/// Returns texts with one mistake each. The number determines the wrong word.
fn mistakes(text: &str, number: usize) -> Vec<String> {
    let words = words(text);
    let mut mistakes = Vec::new();
    let mut change = |salt: usize, change: &dyn Fn(&str) -> String| {
        let Some(&(start, end)) = words.get((number * 7 + salt * 13) % words.len().max(1)) else {
            return;
        };
        let word = change(&text[start..end]);
        mistakes.push(format!("{}{word}{}", &text[..start], &text[end..]));
    };
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    change(1, &capital);
    change(2, &|word| word.to_ascii_uppercase());
    change(3, &|word| word[1..].to_owned());
    change(4, &|word| word.to_owned() + &word[word.len() - 1..]);
    change(5, &|word| word.chars().rev().collect());
    change(6, &|word| format!("{word} Nbd2"));
    change(7, &|word| format!("{word} = "));
    change(8, &|_| "!".to_owned());
    change(9, &|_| "1.e4 e5 2.Nf3".to_owned());
    for (sign, other) in [
        ("==", "="),
        (" and ", " && "),
        (" or ", " || "),
        ("\"", "'"),
        ("--", "-"),
        ("cql(", "("),
        (")", ""),
        ("}", ""),
    ] {
        if text.contains(sign) {
            mistakes.push(text.replacen(sign, other, 1));
        }
    }
    mistakes
}

#[test]
fn edits_of_right_queries_with_a_mistake_help() {
    let mut bad = Vec::new();
    let mut n_edits = 0;
    for (number, (file, text)) in corpus(false).iter().enumerate() {
        let Ok(text) = std::str::from_utf8(text) else {
            continue;
        };
        for mistake in mistakes(text, number) {
            n_edits += check(&file.to_string_lossy(), mistake.as_bytes(), &mut bad);
        }
    }
    assert!(bad.is_empty(), "{} edits: {}", bad.len(), bad.join("\n"));
    assert!(n_edits > 1000, "{n_edits} edits");
}
