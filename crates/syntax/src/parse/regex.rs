//! Whether a regular expression is well formed, and where it is not.

use ecma_regex::Malformed;

use super::Parser;
use super::error::{Res, code};
use crate::span::Span;

impl Parser<'_> {
    /// Complains about a malformed regular expression.
    pub(super) fn check_regex(&mut self, (text, span): &(Vec<u8>, Span)) -> Res<()> {
        let Err(Malformed { at, message }) = ecma_regex::check(text) else {
            return Ok(());
        };
        let quoted = (span.end - span.start) as usize == text.len() + 2;
        let place = if quoted {
            let start = span.start as usize + 1 + at.min(text.len());
            Span::new(span.source, start, (start + 1).min(span.end as usize))
        } else {
            *span
        };
        let message = format!("in this regular expression, {message}");
        self.fail(code::LITERAL, place, message)
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn the_place_of_a_fault_is_a_byte_of_the_text() {
        for (pattern, at) in [("ab)", 2), ("(a", 0), ("x[b-a]", 2), ("a{2,1}", 1)] {
            let text = format!("cql() player ~~ \"{pattern}\"");
            let source = Source {
                name: "test.cql",
                text: text.as_bytes(),
            };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let first = parsed.diagnostics.first().expect("an error");
            let start = text.len() - pattern.len() - 1 + at;
            assert_eq!(first.span.start as usize, start, "{pattern}: {first:?}");
            assert!(first.message.starts_with("in this regular expression"));
        }
    }
}
