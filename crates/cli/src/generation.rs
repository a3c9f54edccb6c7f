//! Which generation of the language a query is written in.

use syntax::dialect::{Dialect, Ground, recognize};
use syntax::parse::{ParseOptions, Source};

/// The older generation that a search would take the text for.
pub(crate) fn older_dialect(text: &[u8]) -> Option<Dialect> {
    let is_cql5 = || syntax::cql5::parse(text, syntax::cql5::MAX_DEPTH).is_ok();
    let is_cql6 = || {
        let source = Source { name: "", text };
        syntax::parse(&source, &[], &ParseOptions::default()).is_ok()
    };
    let (dialect, ground) = recognize(text);
    let is_older = match (dialect, ground) {
        (Dialect::Cql6, _) => false,
        (Dialect::Classic, _) | (Dialect::Cql5, Ground::Pragma) => true,
        (Dialect::Cql5, Ground::Form) => is_cql5(),
        (Dialect::Cql5, Ground::Shared | Ground::Default) => !is_cql6() && is_cql5(),
    };
    is_older.then_some(dialect)
}
