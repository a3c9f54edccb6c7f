//! Texts that are made up to see what comes of them.

use syntax::{ParseOptions, Parsed, Source};

/// Reads such a text. It may be of any games, and is a query even without a header.
pub(crate) fn parse_sample(text: &str) -> Parsed {
    let source = Source {
        name: "",
        text: text.as_bytes(),
    };
    let options = ParseOptions {
        variations: Some(true),
        require_header: false,
        ..ParseOptions::default()
    };
    syntax::parse(&source, &[], &options)
}
