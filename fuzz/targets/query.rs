//! Any text as a query in each dialect: it is compiled or refused with errors that point into it,
//! and layout, other spellings and translations keep its meaning.

#![no_main]

use engine::{CompileOptions, Dialect, Severity, Source, compile};
use fuzz::{mutate, queries::meaning};
use libfuzzer_sys::{fuzz_mutator, fuzz_target};
use syntax::diagnostic::table;
use syntax::format::{FormatError, format};
use syntax::{convert, explain, migrate};

const DIALECTS: [Option<Dialect>; 4] =
    [None, Some(Dialect::Cql6), Some(Dialect::Cql5), Some(Dialect::Classic)];

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    mutate::change(data, size, max_size, seed)
});

fuzz_target!(|text: &[u8]| {
    for dialect in DIALECTS {
        compiles_or_is_refused(text, dialect);
    }
    layout_keeps_the_meaning(text);
    spellings_mean_the_same(text);
    let _ = convert::html(text, "query");
    for dialect in [Dialect::Cql5, Dialect::Classic] {
        if let Ok(translation) = migrate::migrate(text, dialect) {
            let shown = || String::from_utf8_lossy(&translation.text);
            assert!(meaning(&translation.text).is_some(), "no query: {}", shown());
        }
    }
    if meaning(text).is_some() {
        let source = Source { name: "", text };
        let query = syntax::parse(&source, &[], &syntax::ParseOptions::default()).query;
        let _ = explain::header(&query.header);
        let _ = explain::filters(&query);
    }
});

fn compiles_or_is_refused(text: &[u8], dialect: Option<Dialect>) {
    let options = CompileOptions { dialect, ..CompileOptions::default() };
    let compiled = compile(&Source { name: "query", text }, &[], &options);
    for diagnostic in &compiled.diagnostics {
        let span = diagnostic.span;
        assert!(table::is_code(diagnostic.code), "{diagnostic:?}");
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{diagnostic:?}");
    }
    let mut severities = compiled.diagnostics.iter().map(|d| d.severity);
    let has_errors = severities.any(|severity| severity == Severity::Error);
    assert_eq!(compiled.program.is_none(), has_errors, "{dialect:?}");
    if let Some(program) = compiled.program {
        let _ = program.plan();
    }
}

fn layout_keeps_the_meaning(text: &[u8]) {
    let before = meaning(text);
    match format(text) {
        Ok(once) => {
            let shown = || String::from_utf8_lossy(&once);
            assert_eq!(meaning(&once), before, "{}", shown());
            assert_eq!(format(&once).as_ref(), Ok(&once), "{}", shown());
        }
        Err(FormatError::Query(_)) => assert_eq!(before, None),
        Err(FormatError::Place(span, message)) => {
            assert!(message.contains("too deep"), "{span:?}: {message}");
        }
    }
}

fn spellings_mean_the_same(text: &[u8]) {
    // A spelling may leave out pieces or squares if it means all of them.
    let unsaid = |text: &[u8]| {
        let meaning = meaning(text)?.replace("has_pieces: true", "has_pieces: false");
        Some(meaning.replace("has_squares: true", "has_squares: false"))
    };
    for other in [convert::to_unicode(text), convert::to_ascii(text)] {
        let shown = || String::from_utf8_lossy(&other);
        assert_eq!(unsaid(&other), unsaid(text), "{}", shown());
    }
}
