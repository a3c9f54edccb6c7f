//! What can stand at a place.
//!
//! The grammar of CQL depends on types, so nobody can tell from the words around a place what may
//! stand there but the parser. It is asked: a sample is put there, brackets that are open are
//! closed, and where no error begins in the sample, its like may stand there.

use syntax::token::{Symbol, TokenKind};
use syntax::tree::Type;
use syntax::{ParseOptions, Severity, Source, SourceId};

use crate::words::example;

/// Behind more bytes than this nothing is tried.
const LARGEST: usize = 20_000;

/// A place of a text at which things are tried.
pub(crate) struct Trial<'t> {
    /// The text up to the place.
    before: &'t str,
    /// What closes the brackets that are open there.
    closing: String,
    /// Whether trying makes sense.
    is_possible: bool,
}

impl<'t> Trial<'t> {
    /// At the end of a text.
    pub(crate) fn behind(before: &'t str) -> Trial<'t> {
        let closing = match before.len() <= LARGEST {
            true => closing(before),
            false => None,
        };
        Trial {
            before,
            closing: closing.clone().unwrap_or_default(),
            is_possible: closing.is_some(),
        }
    }

    /// Whether a sample may stand there. What cannot be tried may.
    pub(crate) fn admits(&self, sample: &str) -> bool {
        self.admits_before(sample, "")
    }

    /// The same with something behind it.
    fn admits_before(&self, sample: &str, more: &str) -> bool {
        if !self.is_possible {
            return true;
        }
        let text = format!("{}{sample} {more}{}", self.before, self.closing);
        let source = Source {
            name: "",
            text: text.as_bytes(),
        };
        let options = ParseOptions {
            variations: Some(true),
            require_header: false,
            ..ParseOptions::default()
        };
        let parsed = syntax::parse(&source, &[], &options);
        let (start, end) = (self.before.len(), self.before.len() + sample.len());
        let last = self.before.trim_end().len();
        let found = format!("found `{sample}`");
        !parsed.diagnostics.iter().any(|d| {
            let at = d.span.start as usize;
            // An operator complains about its operands in its own place.
            let is_of_operator = d.code == "E0102" && d.span.end as usize == last;
            // A word does so too, of what it does not go on with.
            let is_named = at < start && d.message.ends_with(&found);
            let is_inside = start <= at && at < end;
            d.severity == Severity::Error && (is_inside || is_of_operator || is_named)
        })
    }

    /// The types of filters that may begin there.
    pub(crate) fn types(&self) -> Vec<Type> {
        let all = [
            Type::Boolean,
            Type::Set,
            Type::Numeric,
            Type::String,
            Type::Position,
        ];
        // Operands are counted before they are looked at, and there are mostly two.
        let is_first = self.before.ends_with('(');
        let admitted = all.into_iter().filter(|&ty| {
            let sample = example(ty);
            self.admits_before(sample, if is_first { sample } else { "" })
        });
        admitted.collect()
    }
}

/// What closes the brackets that are open at the end of a text; `None` if they are in disorder.
pub(crate) fn closing(text: &str) -> Option<String> {
    let mut open = Vec::new();
    for token in syntax::lex(SourceId(0), text.as_bytes()).tokens {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        let is_in_order = match symbol {
            Symbol::CloseBrace => open.pop() == Some('}'),
            Symbol::CloseParen => open.pop() == Some(')'),
            Symbol::CloseBracket => open.pop() == Some(']'),
            _ => true,
        };
        if !is_in_order {
            return None;
        }
        open.extend(match symbol {
            Symbol::OpenBrace => Some('}'),
            Symbol::OpenParen => Some(')'),
            Symbol::OpenBracket => Some(']'),
            _ => None,
        });
    }
    // What follows is on a line of its own: a comment may be open.
    let closing = open.into_iter().rev();
    Some(std::iter::once('\n').chain(closing).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use Type::{Boolean, Numeric, Position, Set, String};

    #[test]
    fn the_parser_says_what_may_stand_where() {
        let check = |before: &str, expected: &[Type]| {
            assert_eq!(Trial::behind(before).types(), expected, "{before}");
        };
        let all = [Boolean, Set, Numeric, String, Position];
        check("", &all);
        check("cql() ", &all);
        check("cql() mate {", &all);
        check("cql() power ", &[Set]);
        check("cql() abs ", &[Numeric]);
        check("cql() x = ply + ", &[Numeric]);
        check("cql() between(A ", &[Set]);
        check("cql() if distance(", &[Position]);
        check("cql() x = ", &[Set, Numeric, String, Position]);
        check("cql() R -> ", &[Set]);
        check("cql() R--", &[Set]);
        check("cql(", &[]);
        check("cql() mate)", &all);
    }
}
