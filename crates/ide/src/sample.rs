//! Parses sample texts that are built to test a construct.

use compiler::CompileOptions;
use syntax::diagnostic::Severity;
use syntax::{Dialect, ParseOptions, Parsed, Source};

/// Parses a sample. It may use filters for games with variations, and needs no header.
pub(crate) fn parse_sample(text: &str) -> Parsed {
    let source = Source { name: "", text: text.as_bytes() };
    let options =
        ParseOptions { variations: Some(true), require_header: false, ..ParseOptions::default() };
    syntax::parse(&source, &[], &options)
}

/// Whether a sample is a query without faults, which no game is certain to stop.
pub(crate) fn is_query(text: &str) -> bool {
    let source = Source { name: "", text: text.as_bytes() };
    let dialect = Some(Dialect::Cql6);
    let options = CompileOptions { dialect, require_header: false, ..CompileOptions::default() };
    let has_errors = || {
        let found = compiler::diagnose(&source, None, &options);
        found.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    };
    parse_sample(text).diagnostics.is_empty() && !has_errors()
}
