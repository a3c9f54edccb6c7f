//! Queries in a form that tests can compare.

use syntax::{ParseOptions, Source, parse};

/// Returns the tree of a CQL 6 query as text, without spans; `None` for a text with errors.
pub fn meaning(text: &[u8]) -> Option<String> {
    // Filters that need variations are valid only if the command line enables them.
    let trees = [Some(true), None].map(|variations| {
        let options = ParseOptions { variations, ..ParseOptions::default() };
        let parsed = parse(&Source { name: "", text }, &[], &options);
        parsed.is_ok().then_some(parsed.query)
    });
    let tree = trees.into_iter().flatten().next()?;
    let shown = format!("{tree:?}");
    let mut parts = shown.split("Span { ");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        // A span holds one struct, the name of its text.
        let rest = part.split_once(", end: ").map_or(part, |(_, rest)| rest);
        out += rest.split_once(" }").map_or(part, |(_, rest)| rest);
    }
    Some(out)
}
