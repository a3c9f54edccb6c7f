//! Determines which filters are allowed at an offset.
//!
//! The grammar of CQL depends on types, so only the parser can tell from the text before an offset
//! what is allowed there. It gets that text with a sample after it and with all open brackets
//! closed. If no error begins in the sample, filters like it are allowed.
//!
//! Many samples are tried. To save time, the text is not the whole query, but the filter that the
//! offset belongs to, after definitions of the names in it.

use std::collections::HashSet;

use syntax::token::{Symbol, TokenKind};
use syntax::tree::{Type, VariableKind};
use syntax::{Severity, SourceId, Span};

use crate::Document;
use crate::names::NameKind;
use crate::sample::parse_sample;
use crate::words::example;

/// Maximum length of the text before a sample, in bytes; after more, nothing is tried.
const LARGEST: usize = 20_000;

impl Document {
    /// Returns the relevant part of the text before an offset.
    pub(crate) fn context(&self, at: usize) -> String {
        let text = self.text();
        let Some(start) = self.start_of_context(at) else {
            return text.get(..at).unwrap_or_default().to_owned();
        };
        let slice = Span::new(SourceId(0), start, at);
        self.definitions_for(slice) + self.slice(slice)
    }

    /// Returns the start of the outermost filter, or of the function body, that an offset belongs
    /// to. Returns `None` within the header.
    fn start_of_context(&self, at: usize) -> Option<usize> {
        let filter = self.filter_start(at)?;
        let tokens = &self.lexed().tokens;
        // The body of a function is only parsed where the function is called, if it is.
        let functions = self.names().all.iter().filter(|name| {
            let (start, end) = (name.scope.start as usize, name.scope.end as usize);
            name.kind == NameKind::Function && filter <= start && start < at && at < end
        });
        let bodies = functions.filter_map(|function| {
            let first = tokens.partition_point(|t| t.span.start < function.definition.start);
            let mut rest = tokens[first..].iter();
            let open = rest.find(|t| t.kind == TokenKind::Symbol(Symbol::OpenBrace))?;
            Some(open.span.end as usize)
        });
        let body = bodies.filter(|&body| body <= at).max();
        Some(body.unwrap_or(filter))
    }

    /// Returns the starts of the filters outside of brackets, as far as the parser has read
    /// filters.
    pub(crate) fn find_filter_starts(&self) -> Vec<u32> {
        let mut starts = self.parsed().places_of_filters().into_iter().peekable();
        let mut depth = 0_i32;
        let mut found = Vec::new();
        for token in &self.lexed().tokens {
            let at = token.span.start;
            while starts.next_if(|start| *start < at).is_some() {}
            if depth == 0 && starts.peek() == Some(&at) {
                found.push(at);
            }
            match token.kind {
                TokenKind::Symbol(Symbol::OpenParen | Symbol::OpenBrace) => depth += 1,
                TokenKind::Symbol(Symbol::CloseParen | Symbol::CloseBrace) => depth -= 1,
                _ => {}
            }
        }
        found
    }

    /// Returns filters that define the names used in a part of the text, with their types.
    fn definitions_for(&self, part: Span) -> String {
        let names = self.names();
        let mut text = String::new();
        let mut open = vec![part];
        let mut known = HashSet::new();
        while let Some(part) = open.pop() {
            let first = names.occurrences.partition_point(|o| o.span.start < part.start);
            let inside = names.occurrences[first..].iter();
            for occurrence in inside.take_while(|o| o.span.start < part.end) {
                let name = &names.all[occurrence.name];
                let is_inside =
                    part.start <= name.definition.start && name.definition.end <= part.end;
                if is_inside || !known.insert(occurrence.name) {
                    continue;
                }
                let before = match name.kind {
                    NameKind::Function => {
                        open.push(name.scope);
                        self.slice(name.scope).to_owned()
                    }
                    NameKind::Dictionary => format!("dictionary {}", name.text),
                    NameKind::Variable | NameKind::Parameter => match self.kind_of(occurrence.name)
                    {
                        None => continue,
                        Some(VariableKind::Piece) => format!("piece {} = K", name.text),
                        Some(kind) => format!("{} = {}", name.text, example(kind.ty())),
                    },
                };
                text = format!("{before}\n{text}");
            }
        }
        text
    }
}

/// A location in a text where samples are tried.
pub(crate) struct Trial<'t> {
    /// The text before the location.
    before: &'t str,
    /// Text that closes all brackets open there; `None` if samples cannot be tried, since the text is too
    /// long or its brackets are not in order.
    closing: Option<String>,
}

impl<'t> Trial<'t> {
    /// Creates a trial at the end of a text.
    pub(crate) fn behind(before: &'t str) -> Trial<'t> {
        Trial { before, closing: if before.len() <= LARGEST { closing(before) } else { None } }
    }

    /// Whether a sample is allowed there. Returns `true` if samples cannot be tried.
    pub(crate) fn admits(&self, sample: &str) -> bool {
        self.admits_before(sample, "")
    }

    /// Whether a sample followed by `more` is allowed there.
    fn admits_before(&self, sample: &str, more: &str) -> bool {
        let Some(closing) = &self.closing else {
            return true;
        };
        let text = format!("{}{sample} {more}{closing}", self.before);
        let parsed = parse_sample(&text);
        let (start, end) = (self.before.len(), self.before.len() + sample.len());
        let last = self.before.trim_end().len();
        let found = format!("found `{sample}`");
        !parsed.diagnostics.iter().any(|d| {
            let at = d.span.start as usize;
            // An operator reports wrong operands at its own location.
            let is_of_operator = d.code == "E0102" && d.span.end as usize == last;
            // So does a word if it cannot be followed by the sample.
            let is_named = at < start && d.message.ends_with(&found);
            let is_inside = start <= at && at < end;
            d.severity == Severity::Error && (is_inside || is_of_operator || is_named)
        })
    }

    /// Returns the types of filters that may begin there.
    pub(crate) fn types(&self) -> Vec<Type> {
        let all = [Type::Boolean, Type::Set, Type::Numeric, Type::String, Type::Position];
        // The parser counts operands before it checks them, and mostly requires two.
        let is_first = self.before.ends_with('(');
        let admitted = all.into_iter().filter(|&ty| {
            let sample = example(ty);
            self.admits_before(sample, if is_first { sample } else { "" })
        });
        admitted.collect()
    }
}

/// Returns the text that closes all brackets open at the end of a text; `None` if brackets do not
/// match.
pub(crate) fn closing(text: &str) -> Option<String> {
    let mut open = Vec::new();
    for token in syntax::lex(SourceId(0), text.as_bytes()).tokens {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        match symbol {
            Symbol::OpenBrace => open.push(Symbol::CloseBrace),
            Symbol::OpenParen => open.push(Symbol::CloseParen),
            Symbol::OpenBracket => open.push(Symbol::CloseBracket),
            Symbol::CloseBrace | Symbol::CloseParen | Symbol::CloseBracket => {
                open.pop().filter(|expected| *expected == symbol)?;
            }
            _ => {}
        }
    }
    // The text starts with a line end: the text before it may end in a comment.
    let closing = open.into_iter().rev().map(Symbol::text);
    Some(std::iter::once("\n").chain(closing).collect())
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

    #[test]
    fn what_matters_is_the_filter_and_its_names() {
        let check = |text: &str, expected: &str| {
            let at = text.find('^').expect("a mark");
            let document = Document::new(text.replacen('^', "", 1), crate::Settings::default());
            assert_eq!(document.context(at), expected, "{text}");
        };
        check("cql() mate power ^", "power ");
        check("cql() mate flip {btm power ^}", "flip {btm power ");
        check("cql(var^)", "cql(var");
        check("cql() x = 3 y = R x + ^", "x = ply\nx + ");
        check("cql() x = 3 flip {^ mate)", "cql() x = 3 flip {");
        check(
            "cql() x = 3 function f(y) {y + x} mate f(2) > ^",
            "x = ply\nfunction f(y) {y + x}\nf(2) > ",
        );
        check("cql() function f(y) {y + ^ 3} f(2)", "y = ply\ny + ");
        check("cql() piece x = K mate x--^", "piece x = K\nx--");
    }
}
