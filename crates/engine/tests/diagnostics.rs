//! The table of diagnostic codes against the compiler: examples have the faults they show, and no
//! code is used that the table does not explain.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use engine::{CompileOptions, compile};
use syntax::diagnostic::table;
use syntax::{Severity, Source};

/// Codes of a query, in order, as the compiler reports them.
fn codes(text: &str) -> Vec<&'static str> {
    let source = Source {
        name: "query.cql",
        text: text.as_bytes(),
    };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let has_errors = compiled
        .diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error);
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
            bad.push(format!(
                "{}: found {found:?} in the mended text",
                entry.code
            ));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Every string literal of the sources that has the form of a code.
fn codes_in_use() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders = ["syntax", "engine", "cli"]
        .map(|name| crates.join(name).join("src"))
        .to_vec();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() && !path.ends_with("diagnostic") {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                let text = fs::read_to_string(path).expect("a source");
                // What stands behind the tests of a module is made up.
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
