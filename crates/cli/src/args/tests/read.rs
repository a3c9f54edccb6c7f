//! Whether the program reads each option that it accepts.
//!
//! The compiler does not tell: what clap derives, comparisons and the table of options all use
//! every field.

use std::fs;
use std::path::{Path, PathBuf};

/// Options that are accepted without effect: `cql lsp --stdio`, which editors give.
const IGNORED: [&str; 1] = ["stdio"];

/// A source file without comments and tests.
struct SourceFile {
    path: PathBuf,
    code: String,
}

/// Reads the files of a directory and those below.
fn read_files(directory: &Path, files: &mut Vec<SourceFile>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            read_files(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") && !path.ends_with("tests.rs") {
            let text = fs::read_to_string(&path).expect("a text");
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let code = code.lines().map(|line| line.split(" //").next().unwrap_or_default());
            let code = code.filter(|line| !line.trim_start().starts_with("//"));
            files.push(SourceFile { path, code: code.collect::<Vec<_>>().join("\n") });
        }
    }
}

/// A struct whose fields are options.
struct Declaration<'a> {
    file: &'a SourceFile,
    name: &'a str,
    body: &'a str,
}

/// Finds the structs that are derived from the command line, and that of the options of a search.
fn declarations(files: &[SourceFile]) -> Vec<Declaration<'_>> {
    let mut found = Vec::new();
    for file in files {
        for (at, _) in file.code.match_indices("struct ") {
            let head = &file.code[..at];
            let attributes = head.rfind(['}', ';']).map_or(head, |end| &head[end..]);
            let (name, rest) = file.code[at + 7..].split_once(' ').expect("a name");
            let is_derived =
                attributes.contains("clap::Args") || attributes.contains("clap::Parser");
            if (is_derived || name == "Options")
                && let Some((body, _)) = rest.split_once("\n}")
                && body.starts_with('{')
            {
                found.push(Declaration { file, name, body });
            }
        }
    }
    found
}

/// Returns the names of the fields, and whether each is private.
fn fields(body: &str) -> impl Iterator<Item = (&str, bool)> {
    body.lines().filter_map(|line| {
        let line = line.strip_prefix("    ")?;
        let (head, _) = line.split_once(": ")?;
        let name = head.rsplit(' ').next()?;
        let is_name = |text: &str| text.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        let is_field = is_name(name) && (head == name || head.starts_with("pub"));
        is_field.then_some((name, head == name))
    })
}

/// Whether code reads a field: `.name`, unless it is only set there.
fn reads(code: &str, name: &str) -> bool {
    code.match_indices(&format!(".{name}")).any(|(at, text)| {
        let rest = &code[at + text.len()..];
        let is_longer = rest.starts_with(|c: char| c.is_alphanumeric() || "_(".contains(c));
        let is_set = rest.starts_with(" = ") || rest.starts_with(".push(");
        let is_lent = code[..at].ends_with("put(&mut o");
        !is_longer && !is_set && !is_lent
    })
}

/// Whether code takes a struct apart by a pattern that has the field.
fn matches(code: &str, declaration: &Declaration<'_>, field: &str) -> bool {
    code.match_indices(&format!("{} {{", declaration.name)).any(|(at, text)| {
        let Some((inside, after)) = code[at + text.len()..].split_once('}') else { return false };
        let is_pattern = after.starts_with(" = ") || after.starts_with(": &");
        is_pattern && inside.split([',', ' ', ':', '\n']).any(|word| word == field)
    })
}

#[test]
fn every_option_is_read() {
    let mut files = Vec::new();
    read_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    let declarations = declarations(&files);
    assert!(declarations.len() > 30, "{} structs of options", declarations.len());
    let (mut unread, mut n_fields) = (Vec::new(), 0);
    for declaration in &declarations {
        let home = &declaration.file.path;
        let folder = home.with_extension("");
        for (field, is_private) in fields(declaration.body) {
            if IGNORED.contains(&field) {
                continue;
            }
            n_fields += 1;
            let mut visible = files.iter().filter(|file| {
                // A private field of the root of a module is seen by its children.
                !is_private || file.path == *home || file.path.starts_with(&folder)
            });
            let is_read = |file: &SourceFile| {
                reads(&file.code, field) || matches(&file.code, declaration, field)
            };
            if !visible.any(is_read) {
                unread.push(format!("{}: {} of {}", home.display(), field, declaration.name));
            }
        }
    }
    assert!(n_fields > 250, "{n_fields} fields");
    assert!(unread.is_empty(), "options that nothing reads:\n{}", unread.join("\n"));
}
