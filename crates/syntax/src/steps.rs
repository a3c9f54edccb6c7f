//! Splits a query into its conditions, with the query up to each of them.
//!
//! All conditions must hold. So a query that ends after one of them matches wherever the whole
//! query does, and at more positions; this shows how many positions pass each condition if nothing
//! is found. The shorter queries are texts, so that they can be used like any query.
//!
//! A text is cut after a condition, and the brackets that are open there are closed. Every shorter
//! text is parsed: it must have the same conditions with the same spans, or it is not used.

mod older;

use std::cell::Cell;

use crate::dialect::Dialect;
use crate::lex::lex;
use crate::parse::{ParseOptions, Source, parse};
use crate::span::{SourceId, Span};
use crate::token::{Symbol, TokenKind};
use crate::tree::{Constituent, Filter, FilterKind, Path, Query, Repeat};

pub(crate) use older::keep;

/// A condition, with the query up to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Span of the condition, including text that opens before it, such as `flipcolor {`.
    pub span: Span,
    /// Whether the step continues the path of the previous step.
    pub is_continued: bool,
    /// The query that ends after the condition.
    pub query: Vec<u8>,
    /// The filters before the query, as far as they are needed.
    pub preamble: Vec<Vec<u8>>,
}

/// Maximum size of a text in bytes; larger ones are not split.
const LARGEST: usize = 20_000;

/// Maximum number of steps.
const MOST_STEPS: usize = 100;

/// Maximum number of bytes of all shorter texts. A path is cut after each of its tokens, so the
/// time is quadratic in its length.
const MOST_BYTES: usize = MOST_STEPS * LARGEST;

/// Returns the conditions of a query without errors, in order, after a first one that always holds.
/// `preamble` is as in [`parse`], in CQL 6 whatever the dialect of the query. The moves and filters
/// of a path are steps, too.
pub fn steps(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &ParseOptions,
    dialect: Dialect,
) -> Vec<Step> {
    if dialect != Dialect::Cql6 {
        return older::steps(query, preamble, options, dialect);
    }
    let texts: Vec<&[u8]> =
        std::iter::once(query).chain(preamble).map(|source| source.text).collect();
    if texts.iter().map(|text| text.len()).sum::<usize>() > LARGEST {
        return Vec::new();
    }
    let parsed = parse(query, preamble, options);
    if !parsed.is_ok() {
        return Vec::new();
    }
    let cutter =
        Cutter { texts, options, body: body_of(&parsed.query), left: Cell::new(MOST_BYTES) };
    let all = leaves(&parsed.query);
    let mut steps = Vec::new();
    steps.extend(cutter.head());
    for (index, leaf) in all.iter().enumerate() {
        if leaf.is_definition {
            continue;
        }
        let before = &all[..index];
        let mut start = leaf.start;
        if let Some(path) = leaf.path {
            for end in cutter.moves(before, leaf, path) {
                let span = Span { start, end, ..leaf.span };
                let step = cutter.cut(span);
                steps.extend(step.map(|step| Step { is_continued: start > leaf.start, ..step }));
                start = end;
            }
        }
        let step = cutter.cut(Span { start, ..leaf.span });
        let step = step.filter(|step| {
            let found = cutter.parse(step);
            found.is_some_and(|query| has_leaves(&query, &all[..=index]))
        });
        steps.extend(step.map(|step| Step { is_continued: start > leaf.start, ..step }));
        if steps.len() > MOST_STEPS || cutter.is_exhausted() {
            return Vec::new();
        }
    }
    steps
}

/// Returns a condition on one line, without comments. Brackets that are open before it are closed
/// after it: `flipcolor { mate }`. Brackets that only begin a list are omitted.
pub fn label(text: &str) -> String {
    let tokens = lex(SourceId(0), text.as_bytes()).tokens;
    let mut open = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Symbol(Symbol::OpenBrace) => open.push((at, '}')),
            TokenKind::Symbol(Symbol::OpenParen) => open.push((at, ')')),
            TokenKind::Symbol(Symbol::CloseBrace | Symbol::CloseParen) => {
                open.pop();
            }
            _ => {}
        }
    }
    let in_front = open.iter().enumerate();
    let n_in_front = in_front.take_while(|(n, (at, _))| n == at).count();
    let shown = tokens.iter().skip(n_in_front);
    let mut label = String::new();
    for token in shown.filter(|token| token.kind != TokenKind::TripleSlashEnd) {
        if token.space_before && !label.is_empty() {
            label.push(' ');
        }
        let span = token.span;
        label += text.get(span.start as usize..span.end as usize).unwrap_or_default();
    }
    for (at, bracket) in open.iter().skip(n_in_front).rev() {
        if *bracket == '}' && tokens.get(at + 1).is_some_and(|next| next.space_before) {
            label.push(' ');
        }
        label.push(*bracket);
    }
    label
}

/// A filter that does not consist of conditions.
#[derive(Debug, Clone, Copy)]
struct Leaf<'q> {
    /// Start of the outermost filter that begins with this condition.
    start: u32,
    span: Span,
    /// Whether it defines a function, which is not a condition.
    is_definition: bool,
    /// The path, if it is one that may end earlier.
    path: Option<&'q Path>,
}

impl Leaf<'_> {
    fn is_at(&self, other: &Leaf<'_>) -> bool {
        self.span == other.span
    }
}

fn leaves(query: &Query) -> Vec<Leaf<'_>> {
    let mut leaves = Vec::new();
    for filter in &query.filters {
        collect(filter, filter.span.start, &mut leaves);
    }
    leaves
}

fn collect<'q>(filter: &'q Filter, start: u32, leaves: &mut Vec<Leaf<'q>>) {
    let start = start.min(filter.span.start);
    match &filter.kind {
        FilterKind::Block(items) | FilterKind::And(items) => {
            for (index, item) in items.iter().enumerate() {
                // The filters of several options form one block.
                let is_first = index == 0 && item.span.source == filter.span.source;
                let start = if is_first { start } else { item.span.start };
                collect(item, start, leaves);
            }
        }
        FilterKind::Transform(transform) if transform.range.is_none() => {
            collect(&transform.body, start, leaves);
        }
        FilterKind::Sort { body, .. } if path_of(body).is_some() => collect(body, start, leaves),
        _ => leaves.push(Leaf {
            start,
            span: filter.span,
            is_definition: matches!(filter.kind, FilterKind::FunctionDefinition),
            path: path_of(filter),
        }),
    }
}

/// Returns the path of a filter if it may end earlier, which excludes a required length.
fn path_of(filter: &Filter) -> Option<&Path> {
    match &filter.kind {
        FilterKind::Path(path) if path.range.is_none() && path.max.is_none() => Some(path),
        _ => None,
    }
}

fn has_leaves(query: &Query, expected: &[Leaf<'_>]) -> bool {
    let found = leaves(query);
    let mut pairs = found.iter().zip(expected);
    found.len() >= expected.len() && pairs.all(|(a, b)| a.is_at(b))
}

/// Returns the start of the query's own filters.
fn body_of(query: &Query) -> Option<u32> {
    let mut spans = query.filters.iter().map(|filter| filter.span);
    let first = spans.find(|span| span.source == SourceId(0))?;
    Some(first.start)
}

struct Cutter<'a> {
    texts: Vec<&'a [u8]>,
    options: &'a ParseOptions,
    body: Option<u32>,
    /// Remaining number of bytes for shorter texts.
    left: Cell<usize>,
}

impl Cutter<'_> {
    /// Whether the number of bytes is used up.
    fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Returns the query without its conditions.
    fn head(&self) -> Option<Step> {
        let body = self.body? as usize;
        Some(Step {
            span: Span::new(SourceId(0), body, body),
            is_continued: false,
            // The first filter may be in parentheses, which are not a filter of their own.
            query: closed(&[self.texts[0].get(..body)?, b" true"].concat()),
            preamble: Vec::new(),
        })
    }

    /// Returns the texts up to the end of a span, without parsing them.
    fn cut(&self, span: Span) -> Option<Step> {
        let source = usize::from(span.source.0);
        let end = span.end as usize;
        self.left.set(self.left.get().saturating_sub(end));
        if self.is_exhausted() {
            return None;
        }
        let text = closed(self.texts.get(source)?.get(..end)?);
        let preamble = match source {
            0 => &self.texts[1..],
            _ => &self.texts[1..source],
        };
        let mut preamble: Vec<Vec<u8>> = preamble.iter().map(|text| text.to_vec()).collect();
        let query = match source {
            0 => text,
            _ => {
                preamble.push(text);
                self.head()?.query
            }
        };
        Some(Step { span, is_continued: false, query, preamble })
    }

    fn parse(&self, step: &Step) -> Option<Query> {
        let source = |text| Source { name: "", text };
        let preamble: Vec<Source<'_>> = step.preamble.iter().map(|text| source(text)).collect();
        let parsed = parse(&source(&step.query), &preamble, self.options);
        parsed.is_ok().then_some(parsed.query)
    }

    /// Returns the ends of the parts of a path, except the last part. A part ends a shorter path if
    /// that must contain a move: a path of no moves does not match, even where the whole path does.
    fn moves(&self, before: &[Leaf<'_>], leaf: &Leaf<'_>, path: &Path) -> Vec<u32> {
        let n_parts = path.constituents.len();
        let source = leaf.span.source;
        let Some(text) = self.texts.get(usize::from(source.0)) else {
            return Vec::new();
        };
        let tokens = lex(source, text).tokens.into_iter().map(|token| token.span);
        let inside =
            tokens.filter(|token| leaf.span.start < token.start && token.end < leaf.span.end);
        // The last token after which the path has a given number of parts.
        let mut ends = vec![None; n_parts];
        for token in inside {
            let span = Span::new(source, leaf.start as usize, token.end as usize);
            let query = self.cut(span).and_then(|step| self.parse(&step));
            let Some(query) = query else { continue };
            let found = leaves(&query);
            let last = found
                .get(before.len())
                .filter(|last| last.span.start == leaf.span.start && has_leaves(&query, before));
            let parts = last.and_then(|last| last.path).map(|path| &path.constituents);
            let Some(parts) = parts.filter(|parts| are_equal(parts, &path.constituents)) else {
                continue;
            };
            if let Some(end) = ends.get_mut(parts.len().wrapping_sub(1)) {
                *end = Some(token.end);
            }
        }
        // The whole path ends with its last token.
        ends.truncate(n_parts.saturating_sub(1));
        let n_before = path.constituents.iter().take_while(|part| !has_to_move(part)).count();
        ends.into_iter().skip(n_before).flatten().collect()
    }
}

/// Whether a part of a path contains a move that is not optional.
fn has_to_move(part: &Constituent) -> bool {
    match part {
        Constituent::Filter(_) => false,
        Constituent::Dash { repeat, .. } => !repeat.is_some_and(Repeat::allows_none),
        Constituent::Group { members, repeat, .. } => {
            !repeat.is_some_and(Repeat::allows_none) && members.iter().any(has_to_move)
        }
    }
}

/// Whether a path begins with the given parts, compared by the spans of their filters.
fn are_equal(parts: &[Constituent], whole: &[Constituent]) -> bool {
    let spans = |part: &Constituent| {
        let mut spans = Vec::new();
        part.for_each_child(&mut |filter| spans.push(filter.span));
        spans
    };
    let mut pairs = parts.iter().zip(whole);
    pairs.all(|(part, whole)| spans(part) == spans(whole))
}

/// Returns a text with the brackets closed that are open at its end.
fn closed(text: &[u8]) -> Vec<u8> {
    let mut open = Vec::new();
    for token in lex(SourceId(0), text).tokens {
        match token.kind {
            TokenKind::Symbol(Symbol::OpenBrace) => open.push(b"}"),
            TokenKind::Symbol(Symbol::OpenParen) => open.push(b")"),
            TokenKind::Symbol(Symbol::CloseBrace | Symbol::CloseParen) => {
                open.pop();
            }
            _ => {}
        }
    }
    let mut text = text.to_vec();
    text.push(b'\n');
    while let Some(bracket) = open.pop() {
        text.extend(bracket);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares the conditions, joined by `|`; each must end a query without errors.
    fn check(query: &str, preamble: &[&str], expected: &str) {
        let source = |text| Source { name: "", text };
        let in_front: Vec<Source<'_>> = preamble.iter().map(|p| source(p.as_bytes())).collect();
        let options = ParseOptions::default();
        let steps = steps(&source(query.as_bytes()), &in_front, &options, Dialect::Cql6);
        if let Some(head) = steps.first() {
            let parsed = parse(&source(&head.query), &[], &options);
            assert!(parsed.is_ok(), "{query}: {:?}", parsed.diagnostics);
        }
        let texts = steps.iter().skip(1).map(|step| {
            let preamble: Vec<Source<'_>> = step.preamble.iter().map(|p| source(p)).collect();
            assert!(
                parse(&source(&step.query), &preamble, &options).is_ok(),
                "{query}: {}",
                String::from_utf8_lossy(&step.query)
            );
            let text = match step.span.source {
                SourceId(0) => query,
                SourceId(n) => preamble_text(preamble_of(n), &in_front),
            };
            let text = &text[step.span.start as usize..step.span.end as usize];
            let sign = if step.is_continued { "... " } else { "" };
            format!("{sign}{}", text.trim())
        });
        let texts: Vec<String> = texts.collect();
        assert_eq!(texts.join(" | "), expected, "{query}");
    }

    fn preamble_of(source: u16) -> usize {
        usize::from(source) - 1
    }

    fn preamble_text<'a>(index: usize, preamble: &[Source<'a>]) -> &'a str {
        std::str::from_utf8(preamble[index].text).expect("text")
    }

    #[test]
    fn filters_are_steps() {
        check("cql() mate", &[], "mate");
        check("cql() mate btm R->k", &[], "mate | btm | R->k");
        check("cql() x=3 power A > x // no", &[], "x=3 | power A > x");
        check("cql() function f() {check} f() mate", &[], "f() | mate");
        check("cql() /// \"a\"\nmate", &[], "/// \"a\" | mate");
    }

    #[test]
    fn what_all_must_hold_is_taken_apart() {
        check("cql() {mate btm} R", &[], "{mate | btm | R");
        check("cql() mate and btm and R", &[], "mate | btm | R");
        check("cql() flipcolor { mate btm } R", &[], "flipcolor { mate | btm | R");
        check("cql() flip { shift {Ra1 kb2} mate }", &[], "flip { shift {Ra1 | kb2 | mate");
        check("cql() (mate and btm) R", &[], "mate | btm | R");
    }

    #[test]
    fn everything_else_stays_whole() {
        check("cql() mate or btm", &[], "mate or btm");
        check("cql() not {mate btm}", &[], "not {mate btm}");
        check("cql() flip count {Ra1 Kb1} > 3", &[], "flip count {Ra1 Kb1} > 3");
        check("cql() if check then {R Q}", &[], "if check then {R Q}");
        check("cql() line --> check --> mate", &[], "line --> check --> mate");
        check("cql() path 3 5 -- check", &[], "path 3 5 -- check");
        check("cql() mat", &[], "");
    }

    #[test]
    fn a_path_has_steps() {
        check(
            "cql() path -- check --{2,3} (-- R)+ mate\n\nwtm",
            &[],
            "path -- check | ... --{2,3} | ... (-- R)+ | ... mate | wtm",
        );
        check(
            "cql() btm sort \"x\" {path quiet focus R [x]Q -- --}",
            &[],
            "btm | sort \"x\" {path quiet focus R [x]Q | ... -- | ... --",
        );
        check("cql() path Q--h7(check) k--", &[], "path Q--h7(check) | ... k--");
        // A path that ends before its first move matches nothing.
        check(
            "cql() path o-o-o --* P--g4 --* P--h4",
            &[],
            "path o-o-o --* P--g4 | ... --* | ... P--h4",
        );
        check(
            "cql() path wtm (--)? (check --)+ mate",
            &[],
            "path wtm (--)? (check --)+ | ... mate",
        );
        check("cql() path check", &[], "path check");
    }

    #[test]
    fn a_path_of_very_many_parts_stays_whole() {
        let query = |n_moves: usize| format!("cql() path{} check", " --".repeat(n_moves));
        let n_steps = |text: String| {
            let text = text.as_bytes();
            steps(&Source { name: "", text }, &[], &ParseOptions::default(), Dialect::Cql6).len()
        };
        assert_eq!(n_steps(query(90)), 91);
        assert_eq!(n_steps(query(6000)), 0);
    }

    #[test]
    fn filters_of_options_come_first() {
        check("cql().", &["{mate btm\n}"], "{mate | btm | .");
        check("cql() R", &["wtm", "{check Q\n}"], "wtm | {check | Q | R");
        check("cql() power A > x", &["x=3"], "x=3 | power A > x");
    }

    #[test]
    fn conditions_are_shown_as_filters() {
        let check = |query: &str, expected: &[&str]| {
            let text = format!("cql() {query}");
            let source = Source { name: "", text: text.as_bytes() };
            let steps = steps(&source, &[], &ParseOptions::default(), Dialect::Cql6);
            let labels = steps.iter().skip(1).map(|step| {
                let (start, end) = (step.span.start, step.span.end);
                label(&text[start as usize..end as usize])
            });
            assert_eq!(labels.collect::<Vec<String>>(), expected, "{query}");
        };
        check("flipcolor { mate }", &["flipcolor { mate }"]);
        check("flipcolor {mate btm} R", &["flipcolor {mate}", "btm", "R"]);
        check("flip { shift {Ra1 kb2} }", &["flip { shift {Ra1} }", "kb2"]);
        check("{mate {btm R}}", &["mate", "btm", "R"]);
        check("(mate and btm) R", &["mate", "btm", "R"]);
        check("not {mate // no\n\tbtm}", &["not {mate btm}"]);
        check("/// \"a\" R\nmate", &["/// \"a\" R", "mate"]);
        check("player \"a  b\" { }  /* c */ check", &[]);
        check("player \"a  b\" /* c */ check", &["player \"a  b\"", "check"]);
        check("path Q--h7(check) k--\n\n#R\n  >2", &["path Q--h7(check)", "k--", "#R >2"]);
        check("sort \"k\" {path -- --}", &["sort \"k\" {path --}", "--"]);
        check("♖――♚ ∀x∊♕ x→k", &["♖――♚", "∀x∊♕ x→k"]);
    }
}
