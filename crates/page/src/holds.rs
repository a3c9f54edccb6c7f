//! Finds out where the conditions of a query hold in a game: for each condition the positions that
//! satisfy the query up to it, and its value.

use std::sync::Arc;

use babson::Scan;
use engine::{CompileOptions, NamedExpression, Program};
use flow::Cancel;
use serde_json::{Value, json};
use syntax::dialect::{Dialect, dialect_of};
use syntax::steps::{Step, label, steps};
use syntax::tree::{Filter, FilterKind};
use syntax::{ParseOptions, SourceId, Span, parse};

use crate::ask::Units;
use crate::game::Reference;
use crate::query::{QueryRequest, program};
use crate::row::{IdWriter, ValueWriter};

/// Returns the positions at which each condition of a query holds in a game, with the values.
pub fn holds(query: &QueryRequest, game: &Reference, games: &impl Scan, cancel: &Cancel) -> Value {
    let text = query.text();
    let conditions = conditions(text);
    if conditions.is_empty() {
        return object! { "conditions": json!([]) };
    }
    let (values, valued) = values(text, &conditions);
    let ids = conditions.iter().map(|condition| {
        babson::Query::new(condition.program.clone()).with_writer(|| Some(Box::new(IdWriter)))
    });
    let valued_queries = values.iter().map(|program| {
        babson::Query::new(program.clone()).with_writer(|| Some(Box::new(ValueWriter)))
    });
    let queries = ids.chain(valued_queries);
    let texts: Vec<Value> = match game.evaluate(games, cancel, queries) {
        // No part of the query matches.
        Err(_) => vec![Value::Null; conditions.len()],
        Ok(results) => results
            .iter()
            .map(|found| serde_json::from_slice(&found.text).unwrap_or_default())
            .collect(),
    };
    let units = Units::of(text);
    let told = conditions.iter().zip(&texts).map(|(condition, ids)| {
        object! {
            "from": units.of_byte(condition.span.start), "to": units.of_byte(condition.span.end),
            "text": label(&text[condition.span.start as usize..condition.span.end as usize]),
            "ids": if ids.is_null() { json!([]) } else { ids.clone() },
        }
    });
    object! {
        "conditions": told.collect::<Value>(),
        "valued": valued,
        "values": texts.get(conditions.len()).cloned().unwrap_or_default(),
    }
}

/// Condition, with the query up to it.
pub(crate) struct ConditionView {
    pub(crate) span: Span,
    pub(crate) program: Arc<Program>,
    step: Step,
}

/// Returns the conditions of a query; none if the query has errors.
pub(crate) fn conditions(text: &str) -> Vec<ConditionView> {
    let source = syntax::Source { name: "the query", text: text.as_bytes() };
    let dialect = dialect_of(source.text);
    let options = CompileOptions {
        // Any number of matching positions is accepted.
        matchcount: Some((1, i32::MAX)),
        dialect: Some(dialect),
        ..CompileOptions::default()
    };
    let steps = steps(&source, &[], &parse_options(), dialect).into_iter();
    let compiled = steps.map(|step| {
        Some(ConditionView { span: step.span, program: program(&step.query, &options).ok()?, step })
    });
    compiled.collect::<Option<Vec<_>>>().unwrap_or_default()
}

/// A query may lack its header.
fn parse_options() -> ParseOptions {
    ParseOptions { require_header: false, ..ParseOptions::default() }
}

/// Returns a program with the values of the conditions that have one on their own, and the indexes
/// of these conditions.
fn values(text: &str, conditions: &[ConditionView]) -> (Option<Arc<Program>>, Vec<usize>) {
    let Some(head) = conditions.first().map(|first| &first.step.query) else {
        return (None, Vec::new());
    };
    let plain = plain_spans(text);
    let options = |values| CompileOptions {
        matchcount: Some((1, i32::MAX)),
        values,
        ..CompileOptions::default()
    };
    let slice = |span: Span| &text[span.start as usize..span.end as usize];
    let mut valued = Vec::new();
    let mut expressions = Vec::new();
    for (index, condition) in conditions.iter().enumerate().skip(1) {
        let Some(found) = plain.iter().find(|(span, _)| span.end == condition.span.end) else {
            continue;
        };
        // An expression needs the definitions of its names.
        let before = plain
            .iter()
            .filter(|(span, is_definition)| *is_definition && span.end <= found.0.start);
        let mut whole: String = before.map(|(span, _)| format!("{}\n", slice(*span))).collect();
        whole.push_str(slice(found.0));
        let expression = NamedExpression {
            name: index.to_string(),
            source: "a condition".to_owned(),
            text: whole.into_bytes(),
        };
        if program(head, &options(vec![expression.clone()])).is_ok() {
            valued.push(index);
            expressions.push(expression);
        }
    }
    match program(head, &options(expressions)) {
        Ok(program) if !valued.is_empty() => (Some(program), valued),
        _ => (None, Vec::new()),
    }
}

/// Returns the filters to which no transform applies, and whether each of them defines a name; none
/// in older dialects, since values are in CQL 6.
fn plain_spans(text: &str) -> Vec<(Span, bool)> {
    if dialect_of(text.as_bytes()) != Dialect::Cql6 {
        return Vec::new();
    }
    let source = syntax::Source { name: "the query", text: text.as_bytes() };
    let parsed = parse(&source, &[], &parse_options());
    let mut spans = Vec::new();
    for filter in &parsed.query.filters {
        collect(filter, &mut spans);
    }
    spans.retain(|(span, _)| span.source == SourceId(0));
    spans
}

fn collect(filter: &Filter, spans: &mut Vec<(Span, bool)>) {
    match &filter.kind {
        FilterKind::Block(items) | FilterKind::And(items) => {
            items.iter().for_each(|item| collect(item, spans));
        }
        FilterKind::Transform(_) => {}
        kind => {
            let is_definition =
                matches!(kind, FilterKind::Assign { .. } | FilterKind::FunctionDefinition);
            spans.push((filter.span, is_definition));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_have_values_where_no_transform_applies() {
        let check = |text: &str, expected: &[usize]| {
            let (_, valued) = values(text, &conditions(text));
            assert_eq!(valued, expected, "{text}");
        };
        check("cql() mate", &[1]);
        check("btm mate", &[1, 2]);
        check("cql() btm power A > 3", &[1, 2]);
        check("cql() flipcolor { mate btm } check", &[3]);
        check("cql() x = power A x > 3", &[1, 2]);
        check("cql() function f() { power A } f() > 3", &[1]);
        check("cql() maet", &[]);
    }
}
