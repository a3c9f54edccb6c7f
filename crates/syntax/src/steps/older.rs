//! Splits queries of older dialects into their conditions.
//!
//! In classic CQL, words after a condition may apply to the whole list. So a text is not cut after
//! a condition: the later ones are replaced by text that always holds.

use super::{LARGEST, MOST_STEPS, Step};
use crate::dialect::Dialect;
use crate::parse::{ParseOptions, Source};
use crate::span::{SourceId, Span};
use crate::{classic, cql5};

/// A condition of a query in an older dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct OlderCondition {
    span: Span,
    /// The outermost filter that begins with this condition, which always holds without it.
    outer: Span,
    /// Text that always holds.
    always: &'static [u8],
}

/// Returns the spans of those conditions of a query in an older dialect that `is_kept` refuses to
/// keep, and the query without them. It is called with a query of each condition alone.
pub(crate) fn keep(
    text: &[u8],
    dialect: Dialect,
    is_kept: impl Fn(&[u8]) -> bool,
) -> Option<(Vec<u8>, Vec<Span>)> {
    let parts = parts(text, dialect)?;
    let is_kept = |index: usize| {
        let others = parts.iter().enumerate().filter(|(other, _)| *other != index);
        is_kept(&without(text, others.map(|(_, part)| (part.span, part.always))))
    };
    let dropped = (0..parts.len()).filter(|index| !is_kept(*index)).map(|index| parts[index]);
    let dropped: Vec<OlderCondition> = dropped.collect();
    let rest = without(text, dropped.iter().map(|part| (part.span, part.always)));
    Some((rest, dropped.iter().map(|part| part.whole()).collect()))
}

/// Does the same as [`super::steps`] for an older dialect.
pub(super) fn steps(
    query: &Source<'_>,
    preamble: &[Source<'_>],
    options: &ParseOptions,
    dialect: Dialect,
) -> Vec<Step> {
    let text = query.text;
    let Some(parts) = parts(text, dialect) else {
        return Vec::new();
    };
    let everywhere = Source { text: b"cql() true", ..*query };
    let mut steps = super::steps(&everywhere, preamble, options, Dialect::Cql6);
    // the last step is `true`
    steps.pop();
    let up_to = |n: usize| without(text, parts[n..].iter().map(|part| (part.outer, part.always)));
    let head = up_to(0);
    for step in &mut steps {
        step.query.clone_from(&head);
    }
    let preamble: Vec<Vec<u8>> = preamble.iter().map(|source| source.text.to_vec()).collect();
    steps.extend(parts.iter().enumerate().map(|(index, part)| Step {
        span: part.whole(),
        is_continued: false,
        query: up_to(index + 1),
        preamble: preamble.clone(),
    }));
    let is_query = |step: &Step| self::parts(&step.query, dialect).is_some();
    if steps.len() <= MOST_STEPS && steps.iter().all(is_query) { steps } else { Vec::new() }
}

impl OlderCondition {
    fn whole(&self) -> Span {
        Span { start: self.outer.start, ..self.span }
    }
}

/// Returns the conditions that all must hold; `None` if the query has errors, is too large, or has
/// too many conditions or such whose result depends on other ones.
fn parts(text: &[u8], dialect: Dialect) -> Option<Vec<OlderCondition>> {
    if text.len() > LARGEST {
        return None;
    }
    let mut parts = Vec::new();
    match dialect {
        Dialect::Cql6 => return None,
        Dialect::Cql5 => {
            let parsed = cql5::parse(text, cql5::MAX_DEPTH);
            if !parsed.is_ok() {
                return None;
            }
            for filter in &parsed.query.filters {
                add_filter(filter, filter.span, &mut parts);
            }
        }
        Dialect::Classic => {
            let parsed = classic::parse(SourceId(0), text, classic::MAX_DEPTH);
            if !parsed.is_ok() {
                return None;
            }
            for list in &parsed.query.lists {
                add_list(list, &mut parts)?;
            }
        }
    }
    // The callers read a text for each of them.
    (parts.len() <= MOST_STEPS).then_some(parts)
}

/// Adds the conditions of a filter. `outer` is the outermost filter that begins with this one.
fn add_filter(filter: &cql5::tree::Filter, outer: Span, parts: &mut Vec<OlderCondition>) {
    use cql5::tree::FilterKind as K;
    let items = match &filter.kind {
        K::Block(items) => items.as_slice(),
        K::Transform { range: None, body, .. } => std::slice::from_ref(&**body),
        // a loop usually contains all filters after it
        K::Loop(loop5) if !loop5.all && loop5.range.is_none() => &loop5.body,
        _ => {
            parts.push(OlderCondition { span: filter.span, outer, always: b"." });
            return;
        }
    };
    for (index, item) in items.iter().enumerate() {
        add_filter(item, if index == 0 { outer } else { item.span }, parts);
    }
}

/// Adds the conditions of a list; `None` if counts depend on all of them.
fn add_list(list: &classic::tree::List, parts: &mut Vec<OlderCondition>) -> Option<()> {
    let counts = list.transform_match_count.is_some() || !list.counters.is_empty();
    if counts || !list.sums.is_empty() {
        return None;
    }
    if list.negated {
        parts.push(OlderCondition { span: list.span, outer: list.span, always: b"(position)" });
        return Some(());
    }
    // A relation may compare the squares of the other conditions.
    let relation = list.relation.as_ref().map(|relation| relation.span.start);
    let (last, first): (Vec<Span>, Vec<Span>) =
        list.parts.iter().partition(|span| Some(span.start) == relation);
    let spans = first.into_iter().chain(last);
    parts.extend(spans.map(|span| OlderCondition { span, outer: span, always: b"" }));
    Some(())
}

/// Returns a text of the same length and lines, with other text in some places.
fn without(text: &[u8], places: impl Iterator<Item = (Span, &'static [u8])>) -> Vec<u8> {
    let mut text = text.to_vec();
    let mut last = Span::default();
    for (span, always) in places {
        if last.contains(span) {
            // the condition is gone with the one that it is a part of
            continue;
        }
        last = span;
        let part = &mut text[span.start as usize..span.end as usize];
        let mut always = always.iter();
        for byte in part.iter_mut().filter(|byte| **byte != b'\n') {
            *byte = *always.next().unwrap_or(&b' ');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps_of(query: &str, preamble: &[&str], dialect: Dialect) -> Vec<Step> {
        fn source(text: &str) -> Source<'_> {
            Source { name: "", text: text.as_bytes() }
        }
        let preamble: Vec<Source<'_>> = preamble.iter().map(|text| source(text)).collect();
        super::super::steps(&source(query), &preamble, &ParseOptions::default(), dialect)
    }

    /// Compares the texts up to each condition, without superfluous spaces.
    fn check(dialect: Dialect, query: &str, expected: &[&str]) {
        let texts = steps_of(query, &[], dialect).into_iter().map(|step| {
            assert_eq!(step.query.len(), query.len());
            let text = String::from_utf8_lossy(&step.query).into_owned();
            text.split_whitespace().collect::<Vec<_>>().join(" ")
        });
        assert_eq!(texts.collect::<Vec<_>>(), expected, "{query}");
    }

    #[test]
    fn conditions_of_cql_5() {
        check(
            Dialect::Cql5,
            "cql(silent player \"Tal\") attack (R k) ; no\n{wtm not A or B}",
            &[
                "cql(silent player \"Tal\") . ; no .",
                "cql(silent player \"Tal\") attack (R k) ; no .",
                "cql(silent player \"Tal\") attack (R k) ; no {wtm . }",
                "cql(silent player \"Tal\") attack (R k) ; no {wtm not A or B}",
            ],
        );
        check(
            Dialect::Cql5,
            "cql() flipcolor { shift {Ra1 kb2} check }",
            &[
                "cql() .",
                "cql() flipcolor { shift {Ra1 . } . }",
                "cql() flipcolor { shift {Ra1 kb2} . }",
                "cql() flipcolor { shift {Ra1 kb2} check }",
            ],
        );
        check(
            Dialect::Cql5,
            "cql() check square $x in R attack ($x k) mate",
            &[
                "cql() . .",
                "cql() check .",
                "cql() check square $x in R attack ($x k) .",
                "cql() check square $x in R attack ($x k) mate",
            ],
        );
        let whole = ["cql() .", "cql() flip 2 3 {R mate}"];
        check(Dialect::Cql5, "cql() flip 2 3 {R mate}", &whole);
        check(Dialect::Cql5, "cql() mate (", &[]);
        assert_eq!(steps_of(&format!("cql() {}", "any ".repeat(200)), &[], Dialect::Cql5), []);
    }

    #[test]
    fn conditions_of_lists() {
        check(
            Dialect::Classic,
            "(match (position Ra1 :piececount A 2 3 :flip :enpassant :markall) :result 1-0)",
            &[
                "(match (position :flip :markall) :result 1-0)",
                "(match (position Ra1 :flip :markall) :result 1-0)",
                "(match (position Ra1 :piececount A 2 3 :flip :markall) :result 1-0)",
                "(match (position Ra1 :piececount A 2 3 :flip :enpassant :markall) :result 1-0)",
            ],
        );
        check(
            Dialect::Classic,
            "(match (position :relation (:pattern) Ra1) (position Kb2 :not) (position :mate))",
            &[
                "(match (position ) (position) (position ))",
                "(match (position Ra1) (position) (position ))",
                "(match (position :relation (:pattern) Ra1) (position) (position ))",
                "(match (position :relation (:pattern) Ra1) (position Kb2 :not) (position ))",
                "(match (position :relation (:pattern) Ra1) (position Kb2 :not) (position :mate))",
            ],
        );
        // a tag without a use is an error
        check(Dialect::Classic, "(match :forany x R (position $x Kb1))", &[]);
        for counted in [":pretransformmatchcount 2 :flip", ":accumulate a", ":sumrange a 1 2"] {
            let query = format!("(match (position Ra1 {counted}) (position :accumulate a))");
            check(Dialect::Classic, &query, &[]);
        }
    }

    #[test]
    fn filters_of_options_come_first() {
        let steps = steps_of("cql() attack (R k)", &["{wtm check}", "mate"], Dialect::Cql5);
        let shown = steps.iter().map(|step| {
            let texts: Vec<_> =
                step.preamble.iter().map(|text| String::from_utf8_lossy(text)).collect();
            let query = String::from_utf8_lossy(&step.query);
            format!("{} {}", texts.join(" "), query.trim_end()).replace('\n', "")
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                " cql() .",
                "{wtm} cql() .",
                "{wtm check} cql() .",
                "{wtm check} mate cql() .",
                "{wtm check} mate cql() attack (R k)",
            ]
        );
    }

    #[test]
    fn some_conditions_are_kept() {
        let query = "cql() wtm flipcolor {square $x in R attack ($x k) check}";
        let has = |text: &[u8], word: &str| String::from_utf8_lossy(text).contains(word);
        let kept = keep(query.as_bytes(), Dialect::Cql5, |one| !has(one, "attack"));
        let (rest, dropped) = kept.expect("conditions");
        let rest = String::from_utf8_lossy(&rest).into_owned();
        assert_eq!(rest, "cql() wtm flipcolor {square $x in R .             check}");
        assert_eq!(dropped, [Span::new(SourceId(0), 10, 49)]);
        assert_eq!(keep(b"cql() mate", Dialect::Cql6, |_| true), None);
        let long = |n: usize| format!("cql() {}", "mate ".repeat(n));
        assert!(keep(long(100).as_bytes(), Dialect::Cql5, |_| true).is_some());
        assert_eq!(keep(long(101).as_bytes(), Dialect::Cql5, |_| true), None);
    }
}
