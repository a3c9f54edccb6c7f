//! Explanations of all queries of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use syntax::explain::{Sentence, filters, header};
use syntax::{ParseOptions, Source, parse};

fn queries(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            queries(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cql") {
            found.push(path);
        }
    }
}

/// Checks that a sentence has text without unfilled placeholders.
fn check(name: &str, sentence: &Sentence) {
    let text = &sentence.text;
    assert!(!text.is_empty(), "{name}: a sentence without words");
    let words = text.split('"').step_by(2).collect::<Vec<_>>().join("\"");
    for hole in ["  ", "( ", " )", "()", "not not"] {
        assert!(!words.contains(hole), "{name}: {text}");
    }
    // A set has its squares as its value; that there are none, or some and others, is a claim.
    let is_claim = words.contains("there are no ") || words.contains(" and ");
    assert!(is_claim || !words.contains("whether there are"), "{name}: {text}");
    let is_open = words.ends_with(':');
    assert!(!is_open || !sentence.below.is_empty(), "{name}: {text}");
    sentence.below.iter().for_each(|below| check(name, below));
}

#[test]
fn every_query_has_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for dir in ["conformance", "examples", "../shared/conformance"] {
        queries(&root.join(dir), &mut found);
    }
    let mut n = 0;
    for path in found {
        let text = fs::read(&path).expect("read");
        let source = Source { name: "", text: &text };
        let parsed = parse(&source, &[], &ParseOptions::default());
        if !parsed.is_ok() {
            continue;
        }
        n += 1;
        let name = path.display().to_string();
        let sentences = filters(&parsed.query);
        assert_eq!(sentences.len(), parsed.query.filters.len(), "{name}");
        sentences.iter().for_each(|sentence| check(&name, sentence));
        assert!(header(&parsed.query.header).iter().all(|line| !line.is_empty()));
    }
    assert!(n > 500, "{n} queries");
}
