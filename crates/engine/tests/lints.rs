//! Tests the warnings for correct queries: the conformance corpus, the cookbook, and the tour.

use std::fs;
use std::path::{Path, PathBuf};

use engine::{CompileOptions, compile};
use syntax::{Severity, Source};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the files of a directory, sorted by name.
fn files(place: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(place).unwrap_or_else(|error| panic!("{place:?}: {error}"));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns all queries of the corpus that must compile, by `AREA/NAME`.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let mut queries = Vec::new();
    for area in files(&root().join("conformance/cases")) {
        // Random queries, and queries reduced from such, have no meaning.
        let area_name = name(&area);
        if area_name.ends_with("-errors") || ["random", "found"].contains(&&*area_name) {
            continue;
        }
        for file in files(&area) {
            if file.extension().is_some_and(|end| end == "cql") {
                let text = fs::read(&file).expect("a query");
                queries.push((format!("{}/{}", name(&area), name(&file)), text));
            }
        }
    }
    queries
}

/// Returns the correct queries of the book, by `PAGE:LINE`.
fn book() -> Vec<(String, Vec<u8>)> {
    let mut queries = Vec::new();
    for part in ["cookbook", "tour"] {
        for file in files(&root().join("docs/src").join(part)) {
            let page = fs::read_to_string(&file).expect("a page");
            let mut lines = page.lines().enumerate();
            while let Some((i, line)) = lines.next() {
                let is_query = line.starts_with("```cql") && !line.contains("error");
                if !is_query {
                    continue;
                }
                let body: Vec<&str> = lines
                    .by_ref()
                    .map(|(_, line)| line)
                    .take_while(|line| *line != "```")
                    .collect();
                let body = body.join("\n");
                let text = if body.contains("cql(") { body } else { format!("cql()\n{body}") };
                let place = format!("{part}/{}:{}", name(&file), i + 2);
                queries.push((place, text.into_bytes()));
            }
        }
    }
    queries
}

/// Returns each warning as `CODE TEXT`, with at most 80 bytes of the text.
fn warnings(text: &[u8]) -> Vec<String> {
    let source = Source { name: "query.cql", text };
    let found = compile(&source, &[], &CompileOptions::default()).diagnostics;
    let found = found.iter().filter(|d| d.severity == Severity::Warning);
    // An unused name deserves its warning in any query.
    let found = found.filter(|d| d.code != "W0201");
    found
        .map(|d| {
            let place = &text[d.span.start as usize..d.span.end as usize];
            let place = &place[..place.len().min(80)];
            format!("{} {}", d.code, String::from_utf8_lossy(place))
        })
        .collect()
}

/// The warnings for correct queries, each with its justification.
const WARNINGS: &[(&str, &str, &str)] = &[
    ("board/089-power-zero", "W0403 power a", "a number by itself is what is shown"),
    (
        "castling/020-target-nested-dash",
        "W0412 comment(\"nested king\")\nor R--(castle r--(from==a8))",
        "the comment is one of the sides",
    ),
    ("castling/051-path-scope", "W0403 Q>=0", "a condition without meaning, to show its scope"),
    (
        "castling/057-path-x-from-check-direct",
        "W0402 K",
        "shows that two moves of White do not follow each other",
    ),
    ("corrections/023", "W0414 path (wtm)", "a path without a move, to show that it never matches"),
    ("corrections/025", "W0414 path (ply)", "a path without a move, to show that it never matches"),
    ("corrections/025", "W0403 ply", "any condition, in a path that never matches"),
    ("corrections/032", "W0405 b7", "a condition without meaning, to show where the path goes on"),
    (
        "corrections/170",
        "W0404 fen \"......../......../......../......../......../......../......../..K.....\"",
        "the shift has one image, which is what is shown",
    ),
    (
        "cql5/146-next-in-not",
        "W0402 not check",
        "positions before a mate, one of which cannot exist",
    ),
    (
        "lexical/098-header-result-fails-matchcount",
        "W0403 comment(\"never\")",
        "the header decides which games match",
    ),
    ("metadata/008-player-case", "W0410 player \"kramnik\"", "shows that it finds nothing"),
    (
        "metadata/023-date-order",
        "W0409 \"2009\"<date<\"2010\"",
        "dates of 2009 are after 2009, on purpose",
    ),
    ("moves/007-dash-spaces-three-filters", "W0421 --", "shows that blanks make three filters"),
    ("moves/033-dash-target-number-zero", "W0403 #q", "that 0 matches, too, is what is shown"),
    ("moves/067-promo-pawn", "W0402 --=P", "shows that it is never true"),
    ("moves/067-promo-pawn", "W0402 --=_", "shows that it is never true"),
    (
        "moves/146-dash-keyword-operand",
        "W0412 comment(\"passed promotes N\")\nor {initial passedpawns--a-h8}",
        "the comment is one of the sides",
    ),
    (
        "output/045-long-append",
        "W0403 comment(\"ABCDEFGHIJKLMNOPQRSTUVWXYZ\")",
        "shows how comments are joined",
    ),
    (
        "output/046-long-append-300",
        "W0403 comment(\"QQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQQ",
        "shows how a long comment is joined",
    ),
    (
        "output/046-long-append-300",
        "W0403 comment(\"short\")",
        "shows how a long comment is joined",
    ),
    ("positions-relations/086-colon-fail", "W0402 not true", "never matches, on purpose"),
    (
        "positions-relations/097-rel-descendant-eq-quirk",
        "W0415 curpos[>=]curpos",
        "shows that it is never true",
    ),
    (
        "positions-relations/098-rel-descendant-eq-unicode-quirk",
        "W0415 curpos≽curpos",
        "shows that it is never true",
    ),
    (
        "positions-relations/098-rel-descendant-eq-unicode-quirk",
        "W0415 curpos≽initialposition",
        "shows where it is true",
    ),
    ("relational/016-set-equality-empty", "W0301 Q==q", "equal where both are empty"),
    (
        "relational/028-tree-descendant-eq-quirk",
        "W0415 position 3 [>=] position 3",
        "shows that it is never true",
    ),
    ("relational/049-in-vs-relational", "W0303 K in a", "false wherever there is a king"),
    ("themes/063-maroczy-bind", "W0405 d5", "a mistake: the dash before it has a blank behind it"),
    ("transforms/010-flip-range-tilde", "W0404 ~A", "the same in all images"),
    ("transforms/025-rotate45-file", "W0404 file K", "the same in all images"),
    ("transforms/053-shift-diag-list", "W0405 a1", "counts the images that are on the board"),
    ("transforms/062-shift-direction", "W0404 K & up 1 P", "the same in all images"),
    ("transforms/081-notransform-inner", "W0404 notransform flip Ka1", "the same in all images"),
    ("transforms/082-notransform-numeric", "W0404 notransform power A", "the same in all images"),
    ("transforms/088-all-members-evaluated", "W0404 {z=z+1 K}", "the same in all images"),
    (
        "transforms/099-makesquare-not-transformed",
        "W0404 makesquare(1 1)",
        "the same in all images",
    ),
    ("types/053-square-element", "W0303 []", "shows that all of nothing match"),
    ("types/087-sort-max-quirk", "W0416 sort max", "shows that the least comes first"),
];

/// Correct queries of the corpus have only justified warnings, and those of the book have none.
#[test]
fn right_queries() {
    let (corpus, book) = (corpus(), book());
    assert!(corpus.len() > 1000 && book.len() > 150, "{} {}", corpus.len(), book.len());
    let mut found = Vec::new();
    for (place, text) in corpus.iter().chain(&book) {
        let warnings = warnings(text).into_iter();
        found.extend(warnings.map(|warning| (place.clone(), warning)));
    }
    // Equal warnings for a query are listed once.
    found.dedup();
    let expected = WARNINGS.iter();
    let expected: Vec<(String, String)> =
        expected.map(|(place, warning, _)| ((*place).to_owned(), (*warning).to_owned())).collect();
    assert_eq!(found, expected);
}

/// The lints know names as the reader of games makes them.
#[test]
fn names_are_warned_of_that_are_seen_otherwise() {
    let names = [
        "Smith, John",
        "Smith,John.",
        "Smith,   J,K",
        "Smith, ",
        "  Smith . .",
        "Smith. (2500)",
        "Smith,(2500)",
        "Smith (2500) (2600)",
        "Smith (234)",
        "van Smith (0000)",
        "van der Berg,  J. ",
        "van Der Berg",
        "Van Den Berg",
        "Van De Berg",
        "Vander Berg",
        "Ivan van Gogh",
    ];
    for name in names {
        let text = format!("[White \"{name}\"]\n");
        let mut index = pgn::TagIndex::default();
        index.scan(text.as_bytes());
        let seen = index.tags(text.as_bytes()).player(engine::Color::White);
        let seen = String::from_utf8_lossy(&seen).into_owned();
        let query = format!("cql() player white == \"{name}\"");
        let source = Source { name: "", text: query.as_bytes() };
        let found = compile(&source, &[], &CompileOptions::default()).diagnostics;
        let edits = found.iter().filter(|d| d.code == "W0417");
        let edits: Vec<_> = edits.filter_map(|d| d.edit.as_ref()).collect();
        let proposed: Vec<&str> = edits.iter().map(|edit| edit.text.as_str()).collect();
        if seen == name {
            assert_eq!(proposed, [""; 0], "{name}")
        } else {
            assert_eq!(proposed, [format!("\"{seen}\"")], "{name}")
        }
    }
}
