//! Checks lists of the formats that other languages and pages have.

use std::fs;
use std::path::Path;

use table::OutputFormat;

fn read(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Returns the text between two marks.
fn between<'t>(text: &'t str, start: &str, end: &str) -> &'t str {
    let rest = text.split_once(start).unwrap_or_else(|| panic!("no {start}")).1;
    rest.split_once(end).unwrap_or_else(|| panic!("no {end}")).0
}

/// Checks that names are those of the wanted formats, in any order.
fn check<'t>(
    place: &str,
    names: impl Iterator<Item = &'t str>,
    expected: impl Iterator<Item = &'static str>,
) {
    let mut names: Vec<&str> = names.collect();
    let mut expected: Vec<&str> = expected.collect();
    names.sort_unstable();
    expected.sort_unstable();
    assert_eq!(names, expected, "{place}");
}

fn all() -> impl Iterator<Item = OutputFormat> {
    OutputFormat::ALL.iter().copied()
}

#[test]
fn the_book_has_a_row_for_each_format() {
    let page = read("docs/src/outputs.md");
    let rows = between(&page, "## Formats\n", "\nA file ");
    let rows = rows.lines().filter(|line| line.starts_with('|')).skip(2);
    let mut extensions = Vec::new();
    let mut names = Vec::new();
    for row in rows {
        let mut cells = row.split('|').skip(1);
        extensions.extend(cells.next().unwrap_or_default().split(',').map(code));
        names.extend(cells.next().unwrap_or_default().split(',').map(code));
    }
    check("--format", names.into_iter(), all().map(OutputFormat::name));
    extensions.retain(|extension| !extension.is_empty());
    let stated: Vec<Option<OutputFormat>> = extensions
        .iter()
        .map(|name| OutputFormat::of_name(Path::new(&format!("x{name}"))))
        .collect();
    assert!(stated.iter().all(Option::is_some), "{extensions:?}");
    for format in all().filter(|format| format.has_files()) {
        assert!(stated.contains(&Some(format)), "no extension of {}", format.name());
    }
}

/// Returns the text of a cell without blanks and marks of code.
fn code(cell: &str) -> &str {
    cell.trim().trim_matches('`')
}

#[test]
fn the_page_offers_each_format() {
    let source = read("web/src/dialogs.ts");
    let rows = between(&source, "const FORMATS", "];").lines().skip(1);
    let named = rows.map(|row| between(row, "[\"", "\""));
    check("FORMATS", named, all().map(OutputFormat::extension));
    let tables = between(&source, "const TABLES = [", "]").split(", ");
    let expected = all().filter(|format| format.has_columns()).map(OutputFormat::extension);
    check("TABLES", tables.map(|name| name.trim_matches('"')), expected);
}

#[test]
fn python_documents_each_format() {
    let source = read("python/babson/__init__.py");
    let list = between(&source, "The extension determines the\n    format: ", ". ");
    let expected = all().filter(|format| format.has_files()).map(OutputFormat::extension);
    check("write", list.split(", "), expected);
}
