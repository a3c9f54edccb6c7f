//! What a correct query says that it surely does not mean: names that nobody uses, conditions that
//! can never be met.
//!
//! Only what is certain is said: a false alarm is worse than none.

mod conditions;
mod deprecated;
mod names;

use crate::diagnostic::Diagnostic;
use crate::span::SourceId;
use crate::tree::Query;
pub use deprecated::deprecated;

/// Warnings for a query without errors, in the order of their places.
pub fn lint(text: &[u8], query: &Query) -> Vec<Diagnostic> {
    let tokens = crate::lex::lex(SourceId(0), text).tokens;
    let mut warnings = Vec::new();
    names::unused(&tokens, &mut warnings);
    conditions::header(&tokens, query, &mut warnings);
    conditions::impossible(&query.filters, &mut warnings);
    conditions::numbers(&query.filters, &mut warnings);
    warnings.retain(|warning| warning.span.source == SourceId(0));
    warnings.sort_by_key(|warning| (warning.span.start, warning.code));
    warnings.dedup_by_key(|warning| (warning.span, warning.code));
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, Source, parse};

    /// Warnings as `CODE "TEXT"`.
    fn check(text: &str, expected: &str) {
        let source = Source {
            name: "test",
            text: text.as_bytes(),
        };
        let parsed = parse(&source, &[], &ParseOptions::default());
        assert_eq!(parsed.diagnostics, [], "{text}");
        let found: Vec<String> = lint(text.as_bytes(), &parsed.query)
            .iter()
            .map(|d| {
                let place = &text[d.span.start as usize..d.span.end as usize];
                format!("{} {place:?}", d.code)
            })
            .collect();
        assert_eq!(found.join(", "), expected, "{text}");
    }

    #[test]
    fn names_that_nobody_uses() {
        check("cql() x = 3 check", "W0201 \"x\"");
        check("cql() x = 3 x == 3", "");
        check("cql() x = 3 isbound \"x\"", "");
        check("cql() persistent x = 3", "");
        check("cql() persistent quiet x = 3", "");
        check("cql() piece x = K check", "W0201 \"x\"");
        check("cql() square x in R check", "");
        check("cql() x = 3 x += 1 check", "");
        check("cql() function f(y) {y > 3} check", "W0201 \"f\"");
        check("cql() function f(y) {y > 3} f(4)", "");
        check("cql() // x\nx = 3 // x\n x > 2", "");
    }

    #[test]
    fn conditions_that_are_never_met() {
        check("cql() wtm btm", "W0402 \"btm\"");
        check("cql() wtm or btm", "");
        check("cql() {check wtm stalemate}", "W0402 \"stalemate\"");
        check("cql() check and not check", "W0402 \"not check\"");
        check("cql() mate stalemate R", "W0402 \"stalemate\"");
        check("cql() wtm path -- btm", "");
        check("cql() wtm find btm", "");
        check("cql() result 1-0 result 0-1", "W0402 \"result 0-1\"");
        check("cql() not wtm not btm", "");
        check("cql() not true", "W0402 \"not true\"");
        check("cql() #R > 64", "W0402 \"#R > 64\"");
        check("cql() R < 0", "W0402 \"R < 0\"");
        check("cql() #R >= 0", "W0403 \"#R >= 0\"");
        check("cql() 0 <= #R", "W0403 \"0 <= #R\"");
        check("cql() R >= 1 #R == 64", "");
        check("cql() R & k", "W0402 \"R & k\"");
        check("cql() Ra1 & Rb1", "W0402 \"Ra1 & Rb1\"");
        check("cql() [Rr] & a1-8", "");
        check("cql() flip {Ra1 & Rb1}", "W0402 \"Ra1 & Rb1\"");
    }

    #[test]
    fn numbers_by_themselves() {
        check("cql() #R check", "W0403 \"#R\"");
        check("cql() check power A", "W0403 \"power A\"");
        check("cql() {ply check}", "W0403 \"ply\"");
        check("cql() check and gamenumber", "W0403 \"gamenumber\"");
        check("cql() #R > 1 ply < 9 gamenumber == 3", "");
        // Not every game has these.
        check("cql() year elo", "");
        check("cql() comment(#R) sort \"n\" #R", "");
        check("cql() x = {check #R} x > 3", "");
    }

    #[test]
    fn sets_that_are_never_equal() {
        check("cql() R == k", "W0301 \"R == k\"");
        check("cql() Ra1 == Rb1", "W0301 \"Ra1 == Rb1\"");
        check("cql() R == [Rr]", "");
        check("cql() R == 3", "");
        check("cql() x = K x == R", "");
    }

    #[test]
    fn forms_of_older_versions() {
        let check = |text: &str, expected: &[&str]| {
            let source = Source {
                name: "test",
                text: text.as_bytes(),
            };
            let parsed = parse(&source, &[], &ParseOptions::default());
            assert_eq!(parsed.diagnostics, [], "{text}");
            let found: Vec<&str> = deprecated(text.as_bytes(), &parsed.query)
                .iter()
                .map(|d| &text[d.span.start as usize..d.span.end as usize])
                .collect();
            assert_eq!(found, expected, "{text}");
        };
        check("cql() path -- check", &[]);
        check("cql() line --> check --> mate", &["line"]);
        check("cql() move from R", &["move"]);
        check("cql() R attacks k", &["attacks"]);
        check("cql() R attack k", &["attack"]);
        check("cql() ray attack (R k)", &[]);
        check("cql() R -> k", &[]);
        check("cql() k attackedby R", &["attackedby"]);
        check("cql() k attacked by R", &["attacked"]);
        check("cql() ancestor(parent currentposition)", &["ancestor"]);
        check("cql() descendant(child curpos)", &["descendant", "curpos"]);
        check("cql() colortype Ra1 == 4", &["colortype"]);
        check("cql() hascomment \"x\"", &["hascomment"]);
        check(
            "cql() dihedral Ra1 flipdihedral Rb1",
            &["dihedral", "flipdihedral"],
        );
        check("cql() flip 2 Ra1", &["flip 2 Ra1"]);
        check("cql() flip count Ra1 > 1", &[]);
        check("cql() comment(\"line move\") // attacks", &[]);
    }

    #[test]
    fn ranges_of_the_header() {
        check("cql(gamenumber 5 2) check", "W0501 \"gamenumber\"");
        check("cql(matchcount 5 2) check", "W0501 \"matchcount\"");
        check("cql(sort matchcount 2 5) check", "");
    }
}
