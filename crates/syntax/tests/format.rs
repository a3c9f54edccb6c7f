//! Formats all queries of the repository, and variants with other white space. The result is a
//! query with the same meaning, and formatting it again changes nothing.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::*;
use syntax::format::{FormatError, format};
use syntax::{ParseOptions, Source, SourceId, parse};

/// Returns the tree of a query without its spans; `None` if the text is not a query.
fn meaning(text: &[u8]) -> Option<String> {
    let source = Source { name: "", text };
    let trees = [Some(true), None].map(|variations| {
        let options = ParseOptions { variations, ..ParseOptions::default() };
        let parsed = parse(&source, &[], &options);
        parsed.is_ok().then_some(parsed.query)
    });
    let tree = trees.into_iter().flatten().next()?;
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span { ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A span contains a single struct: the ID of its text.
        let rest = part.split_once(", end: ").map_or(part, |(_, rest)| rest);
        out += rest.split_once(" }").map_or(part, |(_, rest)| rest);
    }
    Some(out)
}

/// Whether the text is a query. If so, its layout is checked.
fn check(name: &str, text: &[u8]) -> bool {
    let before = meaning(text);
    let shown = || String::from_utf8_lossy(text);
    let once = match format(text) {
        Ok(once) => once,
        Err(FormatError::Query(_)) => {
            assert!(before.is_none(), "{name}: refused: {}", shown());
            return false;
        }
        Err(FormatError::Place(span, message)) => {
            panic!("{name}: {span:?}: {message}\n{}", shown())
        }
    };
    let laid_out = String::from_utf8_lossy(&once);
    assert_eq!(meaning(&once), before, "{name}:\n{}\n->\n{laid_out}", shown());
    let twice = format(&once).expect("a query");
    let again = String::from_utf8_lossy(&twice);
    assert_eq!(again, laid_out, "{name} is not stable:\n{}", shown());
    true
}

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

/// All queries of the repository, and of a larger corpus if there is one next to the repository.
static CORPUS: LazyLock<Vec<(String, Vec<u8>)>> = LazyLock::new(|| {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for dir in ["conformance", "examples", "../shared/conformance"] {
        queries(&root.join(dir), &mut found);
    }
    found.sort();
    let read = |path: PathBuf| (path.display().to_string(), fs::read(path).expect("read"));
    found.into_iter().map(read).collect()
});

#[test]
fn layout_keeps_the_meaning_of_all_queries() {
    let sound = CORPUS.iter().filter(|(name, text)| check(name, text));
    let n_sound = sound.count();
    assert!(n_sound > 500, "{n_sound} of {}", CORPUS.len());
}

/// Returns the text with other white space between its tokens. Blanks stay blanks, and blank lines
/// stay blank lines.
fn respaced(text: &[u8], spaces: &[usize]) -> Vec<u8> {
    const SPACES: [&str; 7] =
        [" ", "\n", "  \t", "\r\n   ", " /* c */ ", " // c\n", "\n/* c */\n  "];
    let lexed = syntax::lex(SourceId(0), text);
    let mut out = Vec::new();
    let mut end = 0;
    let mut spaces = spaces.iter().cycle();
    for token in &lexed.tokens {
        let (from, to) = (token.span.start as usize, token.span.end as usize);
        let gap = &text[end..from];
        let is_plain = gap.iter().all(u8::is_ascii_whitespace) && !gap.contains(&b'\n');
        if gap.is_empty() || !is_plain {
            out.extend_from_slice(gap);
        } else {
            let space = spaces.next().map_or(" ", |&n| SPACES[n % SPACES.len()]);
            out.extend_from_slice(space.as_bytes());
        }
        out.extend_from_slice(&text[from..to]);
        end = to;
    }
    out.extend_from_slice(&text[end..]);
    out
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn layout_keeps_the_meaning_however_it_is_spaced(
        query in any::<prop::sample::Index>(),
        spaces in prop::collection::vec(0..7_usize, 1..40),
    ) {
        let (name, text) = query.get(&CORPUS);
        check(name, &respaced(text, &spaces));
    }

    /// Truncated texts, most of which are not queries; none may cause a panic.
    #[test]
    fn texts_that_end_anywhere_have_a_layout_or_errors(
        query in any::<prop::sample::Index>(),
        cut in any::<prop::sample::Index>(),
    ) {
        let (name, text) = query.get(&CORPUS);
        check(name, &text[..cut.index(text.len() + 1)]);
    }
}
