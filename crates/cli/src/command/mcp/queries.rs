//! Answers requests about queries and the language.

use engine::{CompileOptions, Source, compile};
use ide::cookbook::recipes;
use ide::ideas::IdeaKind;
use ide::{Document, Settings, in_words, manual};
use serde_json::{Value, json};
use syntax::diagnostic::table;
use syntax::dialect::dialect_of;
use syntax::{Severity, SourceId};

use super::call::Outcome;
use crate::command::cookbook::titles;
use crate::command::{ideas, words as reference};
use crate::report;
use crate::subcommands::Subcommands;

/// Maximum number of recipes that are returned with their text.
const MOST_RECIPES: usize = 5;

/// Maximum number of diagnostics that `check` reports.
const MOST_FAULTS: usize = 50;

/// Maximum number of diagnostics reported for a query that is to be evaluated.
const MOST_TOLD: usize = 5;

/// Reports the errors and warnings of a query.
pub(super) fn check(query: &str) -> Outcome {
    let found = diagnostics(query);
    let is_valid = !found.iter().any(is_error);
    let verdict = match (is_valid, found.len()) {
        (true, 0) => "the query is correct".to_owned(),
        (true, _) => "the query is correct, with warnings:".to_owned(),
        (false, n) if n > MOST_FAULTS => format!("the first {MOST_FAULTS} of {n} faults:"),
        (false, _) => "the query has errors:".to_owned(),
    };
    let told = found.get(..MOST_FAULTS).unwrap_or(&found);
    let lines: Vec<String> = std::iter::once(verdict).chain(told.iter().map(line)).collect();
    let value = json!({ "valid": is_valid, "total": found.len(), "diagnostics": told });
    Outcome::Value(value, lines.join("\n"))
}

/// Returns the errors that keep a query from being evaluated, with their quick fixes; `None` if
/// there are none.
pub(super) fn errors(query: &str) -> Option<String> {
    let found = diagnostics(query);
    let errors = found.iter().filter(|fault| is_error(fault));
    let told: Vec<String> = errors.take(MOST_TOLD).map(line).collect();
    (!told.is_empty()).then(|| format!("the query has errors:\n{}", told.join("\n")))
}

/// Returns the warnings about a correct query, one per line.
pub(super) fn warnings(query: &str) -> Vec<String> {
    let found = diagnostics(query);
    let mut lines: Vec<String> = found.iter().take(MOST_TOLD).map(line).collect();
    let source = Source { name: "query", text: query.as_bytes() };
    let options = CompileOptions { require_header: false, ..CompileOptions::default() };
    let header = compile(&source, &[], &options).header;
    if header.input.is_some() {
        lines.push(
            "the `input` of the header is not read: only the games of the server are searched"
                .to_owned(),
        );
    }
    if header.output.is_some() {
        lines.push("the `output` of the header is not written".to_owned());
    }
    lines
}

fn is_error(fault: &Value) -> bool {
    fault["severity"] == "error"
}

/// Formats a diagnostic as a line.
fn line(fault: &Value) -> String {
    let text = |name: &str| fault[name].as_str().unwrap_or_default();
    let mut line = format!(
        "{}:{}: {}[{}]: {}",
        fault["line"],
        fault["column"],
        text("severity"),
        text("code"),
        text("message")
    );
    if fault["help"].is_string() {
        line += &format!("; {}", text("help"));
    }
    if fault["by"].is_string() {
        line += &match text("replace") {
            "" => format!("; insert `{}`", text("by")),
            replaced => format!("; write `{}` for `{replaced}`", text("by")),
        };
    }
    line
}

/// Returns all diagnostics of a query.
fn diagnostics(query: &str) -> Vec<Value> {
    let settings = Settings { header_is_optional: true, ..Settings::default() };
    let document = Document::new(query, settings);
    let told = document.diagnostics().iter().map(|fault| {
        let at = fault.span.start as usize;
        let (line, column) = engine::line_and_column(query.as_bytes(), at);
        let mut told = json!({
            "severity": match fault.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
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
    told.collect()
}

/// Explains a query in words.
pub(super) fn explain(query: &str) -> Outcome {
    if let Some(errors) = errors(query) {
        return Outcome::Refused(errors);
    }
    let dialect = dialect_of(query.as_bytes());
    Outcome::Text(in_words::meaning(query.as_bytes(), dialect, in_words::WIDTH))
}

/// Returns the entry of the reference for a word.
pub(super) fn words(word: &str) -> Outcome {
    if word.is_empty() {
        let all = syntax::builtin::Keyword::ALL.iter();
        let all: Vec<&str> = all.map(|keyword| keyword.text()).collect();
        return Outcome::Text(all.join(" "));
    }
    let code = || table::is_code(word).then(|| report::explain(word).ok()).flatten();
    match reference::entry(word).or_else(code) {
        Some(entry) => Outcome::Text(entry),
        None => Outcome::Refused(match reference::nearest(word) {
            Some(near) => format!("there is no word `{word}`; did you mean `{near}`?"),
            None => format!("there is no word `{word}`; omit it to list all words"),
        }),
    }
}

/// Returns recipes of the cookbook, the best first.
pub(super) fn cookbook(find: &str, subcommands: Subcommands) -> Outcome {
    if find.is_empty() {
        return Outcome::Text(titles(recipes()));
    }
    let index = ideas::index(subcommands);
    let (found, lacking) = index.answer(find);
    let found_recipes = found.iter().filter_map(|idea| match idea.kind {
        IdeaKind::Recipe(recipe) => Some(recipe),
        _ => None,
    });
    let mut text = String::new();
    for recipe in found_recipes.clone().take(MOST_RECIPES) {
        text += &format!(
            "## {}: {}\n\n{}\n\n```cql\n{}```\n\n",
            recipe.theme, recipe.title, recipe.text, recipe.query
        );
    }
    text += &titles(found_recipes.skip(MOST_RECIPES));
    let themes =
        found.iter().filter(|idea| matches!(idea.kind, IdeaKind::Theme(_) | IdeaKind::Query));
    for idea in themes {
        text += &format!("{}: {} ({})\n", idea.title, idea.line, idea.kind.name());
    }
    if text.is_empty() {
        Outcome::Refused(format!("the cookbook has no recipe with `{find}`"))
    } else {
        Outcome::Text(ideas::lacks(&lacking) + &manual::installed(&text))
    }
}
