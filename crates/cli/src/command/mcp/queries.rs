//! What is asked about queries and the language.

use ide::cookbook::{Recipe, recipes};
use ide::{Document, Settings};
use serde_json::{Value, json};
use syntax::diagnostic::table;
use syntax::{Dialect, Severity, SourceId};

use super::tools::Outcome;
use crate::command::{explain as explained, words as reference};
use crate::report;

/// Queries of the cookbook that are given whole.
const MOST_RECIPES: usize = 5;

/// Faults that are told.
const MOST_FAULTS: usize = 50;

/// What is wrong with a query.
pub(super) fn check(query: &str) -> Outcome {
    let document = Document::new(with_header(query), Settings::default());
    let added = document.text().len() - query.len();
    let found = document.diagnostics();
    let is_error = |severity| severity == Severity::Error;
    let told = found.iter().take(MOST_FAULTS).map(|fault| {
        let at = (fault.span.start as usize).saturating_sub(added);
        let (line, column) = engine::line_and_column(query.as_bytes(), at.min(query.len()));
        let mut told = json!({
            "severity": if is_error(fault.severity) { "error" } else { "warning" },
            "code": fault.code,
            "line": line,
            "column": column,
            "message": fault.message,
        });
        if let Some(help) = &fault.help {
            told["help"] = json!(help);
        }
        if let Some(edit) = &fault.edit
            && edit.span.source == SourceId(0)
        {
            let (from, to) = (edit.span.start as usize, edit.span.end as usize);
            told["replace"] = json!(document.text().get(from..to));
            told["by"] = json!(edit.text);
        }
        told
    });
    let told: Vec<Value> = told.collect();
    Outcome::Value(json!({
        "valid": !found.iter().any(|fault| is_error(fault.severity)),
        "diagnostics": told,
    }))
}

/// A query with a header; bodies alone are understood, too.
fn with_header(query: &str) -> String {
    let is_whole = Document::new(query, Settings::default());
    let is_body = is_whole.dialect() == Dialect::Cql6 && !query.contains("cql(");
    match is_body && !query.contains("cql (") {
        true => format!("cql()\n{query}"),
        false => query.to_owned(),
    }
}

/// What a query means.
pub(super) fn explain(query: &str) -> Outcome {
    let query = with_header(query);
    let document = Document::new(query.as_str(), Settings::default());
    let mut faults = document.diagnostics().iter();
    if let Some(fault) = faults.find(|fault| fault.severity == Severity::Error) {
        let message = format!("the query has errors: {}; `check` tells all", fault.message);
        return Outcome::Refused(message);
    }
    let older = Some(document.dialect()).filter(|dialect| *dialect != Dialect::Cql6);
    Outcome::Text(explained::meaning(query.as_bytes(), older))
}

/// What the reference says of a word.
pub(super) fn words(word: &str) -> Outcome {
    if word.is_empty() {
        let all = syntax::builtin::Keyword::ALL.iter();
        let all: Vec<&str> = all.map(|keyword| keyword.text()).collect();
        return Outcome::Text(all.join(" "));
    }
    let code = || {
        table::is_code(word)
            .then(|| report::explain(word).ok())
            .flatten()
    };
    match reference::entry(word).or_else(code) {
        Some(entry) => Outcome::Text(entry),
        None => Outcome::Refused(match reference::nearest(word) {
            Some(near) => format!("there is no word `{word}`; did you mean `{near}`?"),
            None => format!("there is no word `{word}`; without one, all are listed"),
        }),
    }
}

/// Queries of the cookbook.
pub(super) fn cookbook(find: &str) -> Outcome {
    let find = find.to_lowercase();
    let has_all = |recipe: &Recipe| {
        let text = format!("{} {} {}", recipe.theme, recipe.title, recipe.text).to_lowercase();
        find.split_whitespace().all(|word| text.contains(word))
    };
    let found: Vec<Recipe> = recipes().filter(has_all).collect();
    let whole = if find.is_empty() { 0 } else { MOST_RECIPES };
    let mut text = String::new();
    for recipe in found.iter().take(whole) {
        text += &format!(
            "## {}: {}\n\n{}\n\n```cql\n{}```\n\n",
            recipe.theme, recipe.title, recipe.text, recipe.query
        );
    }
    let others = found.get(whole..).unwrap_or_default();
    for theme in others.chunk_by(|a, b| a.theme == b.theme) {
        let titles: Vec<&str> = theme.iter().map(|recipe| recipe.title).collect();
        let name = theme.first().map_or("", |first| first.theme);
        text += &format!("{name}: {}\n", titles.join("; "));
    }
    match text.is_empty() {
        true => Outcome::Refused(format!("the cookbook has nothing with `{find}`")),
        false => Outcome::Text(text),
    }
}
