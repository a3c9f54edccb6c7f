//! Queries of the conformance corpus: their names are found in the tokens as the parser finds them,
//! and no question panics on a prefix of a query.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use compiler::CompileOptions;
use ide::names::NameKind;
use ide::{Document, Settings};
use syntax::tree::{Filter, FilterKind, Query};
use syntax::{Dialect, ParseOptions, Source, SourceId, Span};

/// Returns all queries of the corpus and of the examples, with their paths.
fn queries() -> Vec<(PathBuf, String)> {
    fn collect(place: &Path, queries: &mut Vec<(PathBuf, String)>) {
        let mut entries: Vec<PathBuf> = fs::read_dir(place)
            .expect("a directory")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        entries.sort();
        for path in entries {
            if path.is_dir() {
                collect(&path, queries);
            } else if path.extension().is_some_and(|extension| extension == "cql") {
                let text = fs::read(&path).expect("a query");
                queries.extend(String::from_utf8(text).ok().map(|text| (path, text)));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut queries = Vec::new();
    collect(&root.join("conformance/cases"), &mut queries);
    collect(&root.join("examples"), &mut queries);
    queries
}

/// Returns the names that the parser knows, without the hidden variables of calls.
fn known(query: &Query) -> BTreeSet<String> {
    let variables = query.variables.iter().map(|variable| &variable.name);
    let dictionaries = query.dictionaries.iter().map(|dictionary| &dictionary.name);
    let names = variables.chain(dictionaries);
    names.filter(|name| !name.contains('<')).cloned().collect()
}

/// Returns the names that occur only after `isbound`, and so have no definition.
fn only_asked_for(query: &Query) -> BTreeSet<String> {
    fn visit(filter: &Filter, asked: &mut Vec<u32>, used: &mut BTreeSet<u32>) {
        match &filter.kind {
            FilterKind::IsBound(Some(id)) => asked.push(id.0),
            FilterKind::Variable(id) | FilterKind::Assign { variable: id, .. } => {
                used.insert(id.0);
            }
            _ => {}
        }
        filter.for_each_child(&mut |child| visit(child, asked, used));
    }
    let (mut asked, mut used) = (Vec::new(), BTreeSet::new());
    for filter in &query.filters {
        visit(filter, &mut asked, &mut used);
    }
    let asked = asked.into_iter().filter(|id| !used.contains(id));
    let names = asked.map(|id| query.variables[id as usize].name.clone());
    names.collect()
}

#[test]
fn every_name_that_the_parser_knows_is_found() {
    let (mut n_names, mut n_older) = (0, 0);
    for (path, text) in queries() {
        let document = Document::new(text, Settings::default());
        let found = |kinds: &[NameKind]| -> BTreeSet<String> {
            let names = document.names().all.iter();
            let names = names.filter(|name| kinds.contains(&name.kind));
            names.map(|name| name.text.clone()).collect()
        };
        let path = path.display();
        match document.dialect() {
            Dialect::Cql6 => {
                let source = Source { name: "", text: document.text().as_bytes() };
                let options = ParseOptions { variations: Some(true), ..ParseOptions::default() };
                let parsed = syntax::parse(&source, &[], &options);
                if !parsed.is_ok() {
                    continue;
                }
                let found = found(&[NameKind::Variable, NameKind::Dictionary]);
                let known = known(&parsed.query);
                let asked = only_asked_for(&parsed.query);
                let missing: Vec<_> = known.difference(&found).collect();
                assert!(missing.iter().all(|name| asked.contains(*name)), "{path}: {missing:?}");
                // The parser does not know names in functions that are never called.
                if !document.text().contains("function") {
                    let invented: Vec<_> = found.difference(&known).collect();
                    assert!(invented.is_empty(), "{path}: {invented:?}");
                }
                n_names += known.len();
            }
            Dialect::Cql5 => {
                let parsed = syntax::cql5::parse(document.text().as_bytes(), 200);
                let variables = parsed.query.variables.iter().map(|variable| &variable.name);
                let known: BTreeSet<String> =
                    variables.filter(|name| name.starts_with('$')).cloned().collect();
                if parsed.is_ok() {
                    assert_eq!(found(&[NameKind::Variable]), known, "{path}");
                    n_older += known.len();
                }
            }
            Dialect::Classic => assert_eq!(found(&[NameKind::Variable]), BTreeSet::new()),
        }
    }
    assert!(n_names > 500, "{n_names}");
    assert!(n_older > 5, "{n_older}");
}

/// Renaming every name leaves a query without errors.
#[test]
fn other_names_leave_a_query_what_it_is() {
    let mut n = 0;
    for (path, text) in queries() {
        let mut document = Document::new(text, Settings::default());
        if document.dialect() != Dialect::Cql6 || !document.diagnostics().is_empty() {
            continue;
        }
        for index in 0..document.names().all.len() {
            let name = &document.names().all[index];
            let edits = document.rename(name.definition.start as usize, &format!("name_{index}_"));
            let mut edits = edits.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            edits.sort_by_key(|edit| std::cmp::Reverse(edit.span));
            for edit in edits {
                let range = edit.span.start as usize..edit.span.end as usize;
                document.replace(range, &edit.text);
            }
            n += 1;
        }
        let path = path.display();
        assert_eq!(document.diagnostics(), [], "{path}: {}", document.text());
    }
    assert!(n > 300, "{n}");
}

/// The diagnostics of a document do not depend on what it has cached.
#[test]
fn the_mistakes_are_those_that_a_search_names() {
    let mut n_wrong = 0;
    let mut check = |document: &Document, path: &Path| {
        let options = CompileOptions { optimize: false, ..CompileOptions::default() };
        let source = Source { name: "query", text: document.text().as_bytes() };
        let mut expected = compiler::compile(&source, &[], &options).diagnostics;
        expected.sort_by_key(|d| (d.span.start, d.span.end));
        n_wrong += usize::from(expected.iter().any(|d| d.edit.is_some()));
        let text = document.text();
        assert_eq!(document.diagnostics(), expected, "{}: {text}", path.display());
    };
    for (index, (path, text)) in queries().into_iter().enumerate() {
        let mut document = Document::new(text, Settings::default());
        check(&document, &path);
        // Two letters of a word are swapped, as in a typing error.
        let words = document.text().match_indices(|c: char| c.is_ascii_lowercase());
        let places: Vec<usize> = words.map(|(at, _)| at).collect();
        let Some(&at) = places.get(index * 7919 % places.len().max(1)) else {
            continue;
        };
        let Some(two) = document.text().get(at..at + 2) else {
            continue;
        };
        let turned: String = two.chars().rev().collect();
        document.replace(at..at + 2, &turned);
        check(&document, &path);
    }
    assert!(n_wrong > 100, "{n_wrong}");
}

/// Asks every question at the end of a text.
fn ask(text: &str, dialect: Option<Dialect>) {
    let settings = Settings { dialect, warn_deprecated: true, ..Settings::default() };
    let document = Document::new(text, settings);
    let whole = Span::new(SourceId(0), 0, text.len());
    let end = text.len();
    let _ = document.diagnostics();
    let _ = document.hover(end);
    let _ = document.completions(end);
    let _ = document.signature(end);
    let _ = document.references(end);
    let _ = document.rename(end, "name_");
    let _ = document.symbols();
    let _ = document.folds();
    let _ = document.semantic_tokens();
    let _ = document.hints(whole);
    let _ = document.actions(whole);
    let _ = document.format();
    let _ = document.explain();
}

/// No question panics on a prefix of a query. The fuzz target `ide` takes all prefixes of all
/// queries, and more.
#[test]
fn half_a_query_is_a_text_like_others() {
    let mut n = 0;
    for (index, (_, text)) in queries().iter().enumerate() {
        // A few prefixes of each query, of different lengths.
        let mut end = index % 13;
        while end < text.len() && n < 3_000 {
            // Skips offsets within a character.
            if let Some(prefix) = text.get(..end) {
                ask(prefix, None);
            }
            n += 1;
            end = end * 2 + 17;
        }
    }
    assert!(n > 1_000, "{n}");
}
