//! Queries as the page sends them.

use std::sync::Arc;

use engine::{
    CommentLevel, CompileOptions, Diagnostic, LARGEST_OUTPUT_BUFFER, NamedExpression, Program,
    Severity, Source, WritingRules, compile,
};
use serde::Deserialize;

use crate::error::Error;

/// Query used if the text is empty: it matches every game at its start.
const EVERYTHING: &str = "cql() initial";

/// Expressions for the name and the code of a game's opening.
pub(crate) const OPENING: [&str; 2] = ["opening", "openingcode"];

/// Query with additional columns.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct QueryRequest {
    /// Text of the query; empty for all games.
    #[serde(default)]
    pub query: String,
    /// Expressions whose values are shown.
    #[serde(default)]
    pub values: Vec<String>,
    /// Whether the list has the names of openings, which are found by the moves of each game.
    #[serde(default)]
    pub openings: bool,
}

impl QueryRequest {
    /// Returns the text that is evaluated.
    pub(crate) fn text(&self) -> &str {
        match self.query.trim() {
            "" => EVERYTHING,
            _ => &self.query,
        }
    }

    /// Compiles the query.
    ///
    /// # Errors
    /// It has errors, or reads a file.
    pub fn compile(&self) -> Result<Arc<Program>, Error> {
        self.compile_with(&[], CompileOptions::default())
    }

    /// Compiles the query such that it writes no comments into games.
    pub(crate) fn compile_plain(&self) -> Result<Arc<Program>, Error> {
        let level = Some(CommentLevel::Silent);
        self.compile_with(&[], CompileOptions { level, ..CompileOptions::default() })
    }

    /// Compiles the query for the list: the values that rows have for their openings are the last
    /// ones.
    pub(crate) fn compile_list(&self) -> Result<Arc<Program>, Error> {
        let openings: &[&str] = if self.openings { &OPENING } else { &[] };
        self.compile_with(openings, CompileOptions::default())
    }

    fn compile_with(
        &self,
        others: &[&str],
        options: CompileOptions,
    ) -> Result<Arc<Program>, Error> {
        let texts = self.values.iter().map(String::as_str).chain(others.iter().copied());
        let values = texts.map(|text| NamedExpression {
            name: text.to_owned(),
            source: format!("the column `{text}`"),
            text: text.as_bytes().to_vec(),
        });
        let values = values.collect();
        // The page has no report of what was lost, so nothing is that can be kept.
        let writing =
            WritingRules { all_comments: true, keeps_letters: true, ..WritingRules::default() };
        let output_buffer = Some(LARGEST_OUTPUT_BUFFER);
        let options = CompileOptions { values, writing, output_buffer, ..options };
        program(self.text().as_bytes(), &options)
    }
}

/// Compiles a text, which may lack its header, and may not read files.
pub(crate) fn program(text: &[u8], options: &CompileOptions) -> Result<Arc<Program>, Error> {
    let source = Source { name: "the query", text };
    let options = &CompileOptions { require_header: false, ..options.clone() };
    let compiled = compile(&source, &[], options);
    let Some(program) = compiled.program else {
        return Err(Error::Query(what_is_wrong(&compiled.diagnostics, text, options)));
    };
    match program.required_file() {
        Some(name) => Err(Error::Reads(name.to_string())),
        None => Ok(program),
    }
}

/// Returns the first error and its proposal, with its line or the expression it is in.
fn what_is_wrong(diagnostics: &[Diagnostic], text: &[u8], options: &CompileOptions) -> String {
    let mut errors = diagnostics.iter();
    let Some(error) = errors.find(|found| found.severity == Severity::Error) else {
        return "the query cannot be compiled".to_owned();
    };
    let place = match usize::from(error.span.source.0).checked_sub(1) {
        None => {
            let (line, _) = engine::line_and_column(text, error.span.start as usize);
            format!("line {line}")
        }
        Some(value) => {
            let value = options.values.get(value);
            value.map_or(String::new(), |value| value.source.clone())
        }
    };
    let help = error.help.iter().map(|help| format!("; {help}"));
    format!("{place}: {}{}", error.message, help.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_with_their_places() {
        let check = |query: &str, value: Option<&str>, expected: &str| {
            let query = QueryRequest {
                query: query.to_owned(),
                values: value.map(str::to_owned).into_iter().collect(),
                openings: false,
            };
            let found = query.compile().map_or_else(|error| error.to_string(), |_| String::new());
            let is_expected = match expected {
                "" => found.is_empty(),
                expected => found.starts_with(expected),
            };
            assert!(is_expected, "{query:?}: {found}");
        };
        check("", None, "");
        check(" \n", Some("power A"), "");
        check("cql() mate", None, "");
        check("mate", None, "");
        check("cql()\nmaet", None, "line 2: ");
        check("cql() mate", Some("pwer A"), "the column `pwer A`: unknown name `pwer`; ");
        check("cql() similarposition \"a.pgn\"", None, "similarposition: ");
    }
}
