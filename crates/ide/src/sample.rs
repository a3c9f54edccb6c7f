//! Parses sample texts that are built to test a construct.

use syntax::{ParseOptions, Parsed, Source};

/// Parses a sample. It may use filters for games with variations, and needs no header.
pub(crate) fn parse_sample(text: &str) -> Parsed {
    let source = Source { name: "", text: text.as_bytes() };
    let options =
        ParseOptions { variations: Some(true), require_header: false, ..ParseOptions::default() };
    syntax::parse(&source, &[], &options)
}
