//! Parses regular expressions, and checks their form and the names of their groups.

use ecma_regex::Malformed;

use super::error::{Res, code};
use super::parser::Parser;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lint::help_for_pattern;
use crate::span::Span;
use crate::token::Symbol;
use crate::tree::{Pattern, Type};

impl Parser<'_> {
    /// Parses a regular expression, if one follows: a literal, or a string in parentheses.
    pub(super) fn pattern(&mut self) -> Res<Option<Pattern>> {
        if let Some((text, span)) = self.eat_literal() {
            self.check_regex(&text, span)?;
            return Ok(Some(Pattern::Literal(text, span)));
        }
        if self.symbol() != Some(Symbol::OpenParen) {
            return Ok(None);
        }
        let outer = self.replaced.take();
        let text = self.parenthesized();
        self.replaced = outer;
        let text = self.require(text?, Type::String, "~~")?;
        self.groups.are_computed = true;
        Ok(Some(Pattern::Computed(Box::new(text))))
    }

    /// Reports a malformed regular expression.
    fn check_regex(&mut self, text: &[u8], span: Span) -> Res<()> {
        let Malformed { at, message } = match ecma_regex::check(text) {
            Ok(names) => {
                let names = names.iter().map(|(name, _)| name.clone());
                self.groups.names.extend(names);
                return Ok(());
            }
            Err(malformed) => malformed,
        };
        let shown = at.min(text.len());
        let place = span.within_quotes(text.len(), shown..shown + 1).unwrap_or(span);
        let message = format!("in this regular expression, {message}");
        match help_for_pattern(text, at) {
            Some(help) => self.fail_help(code::LITERAL, place, message, help.as_str()),
            None => self.fail(code::LITERAL, place, message),
        }
    }

    /// Reports groups that no regular expression has.
    pub(super) fn check_groups(&mut self) {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        if self.groups.are_computed || self.diagnostics.iter().any(is_error) {
            return;
        }
        let mut used = std::mem::take(&mut self.groups.used);
        used.sort_by_cached_key(|(_, span)| span.beginning());
        used.dedup_by_key(|(_, span)| span.beginning());
        for (name, span) in used {
            if !self.groups.names.iter().any(|known| **known == *name.as_bytes()) {
                let message = format!("no regular expression has a group `{name}`");
                let help = format!("a group gets its name in the pattern: `(?<{name}>…)`");
                self.report(Diagnostic::error(code::LITERAL, span, message).with_help(help));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn the_place_of_a_fault_is_a_byte_of_the_text() {
        for (pattern, at) in [("ab)", 2), ("(a", 0), ("x[b-a]", 2), ("a{2,1}", 1)] {
            let text = format!("cql() player ~~ \"{pattern}\"");
            let source = Source { name: "test.cql", text: text.as_bytes() };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let first = parsed.diagnostics.first().expect("an error");
            let start = text.len() - pattern.len() - 1 + at;
            assert_eq!(first.span.start as usize, start, "{pattern}: {first:?}");
            assert!(first.message.starts_with("in this regular expression"));
        }
    }
}
