//! Compiled queries and their diagnostics, their meaning and their layout.

use std::sync::Arc;

use engine::{
    CompileOptions, Dialect, NamedExpression, Program, Severity, compile as compile_query,
};
use ide::in_words;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use syntax::convert::{to_ascii, to_unicode};
use syntax::dialect::dialect_of;
use syntax::format::{FormatError, format as laid_out};

/// An error or a warning about a query, with its place. It can be pickled.
#[pyclass(frozen, get_all, eq, hash, module = "babson")]
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Diagnostic {
    /// A code that stays the same, such as E0201; `cql explain CODE` explains it.
    code: String,
    /// "error" or "warning".
    severity: String,
    /// The message: found, then expected.
    message: String,
    /// Advice on what to write instead, if known.
    help: Option<String>,
    /// Name of the text with the error: "query", a file, or the name of a value.
    source: String,
    /// First character of the marked range in that text, from 0.
    start: usize,
    /// End of the marked range, in characters.
    end: usize,
    /// Line of the start, from 1.
    line: usize,
    /// Column of the start, in bytes, from 1.
    column: usize,
    /// Edit that follows the help: first character, end, new text.
    edit: Option<(usize, usize, String)>,
}

#[pymethods]
impl Diagnostic {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "it is made by pickle")]
    fn new(
        code: String,
        severity: String,
        message: String,
        help: Option<String>,
        source: String,
        start: usize,
        end: usize,
        line: usize,
        column: usize,
        edit: Option<(usize, usize, String)>,
    ) -> Diagnostic {
        Diagnostic { code, severity, message, help, source, start, end, line, column, edit }
    }

    /// For pickle.
    #[expect(clippy::type_complexity, reason = "the fields in their order")]
    fn __getnewargs__(
        &self,
    ) -> (
        String,
        String,
        String,
        Option<String>,
        String,
        usize,
        usize,
        usize,
        usize,
        Option<(usize, usize, String)>,
    ) {
        (
            self.code.clone(),
            self.severity.clone(),
            self.message.clone(),
            self.help.clone(),
            self.source.clone(),
            self.start,
            self.end,
            self.line,
            self.column,
            self.edit.clone(),
        )
    }

    fn __str__(&self) -> String {
        let Diagnostic { code, severity, message, line, column, source, .. } = self;
        let mut text = format!("{source}:{line}:{column}: {severity}[{code}]: {message}");
        if let Some(help) = &self.help {
            text += "; ";
            text += help;
        }
        text
    }

    fn __repr__(&self) -> String {
        format!("<Diagnostic {}>", self.__str__())
    }
}

/// A compiled query. It does not change and may be used by several threads at once.
#[pyclass(frozen, module = "babson")]
pub(crate) struct Query {
    /// "query", or the file that contains it.
    name: String,
    /// The query as it was written.
    #[pyo3(get)]
    text: String,
    /// Warnings about parts that were probably not meant.
    #[pyo3(get)]
    warnings: Vec<Diagnostic>,
    /// Dialect that the caller named; `None` if the text determines it.
    dialect: Option<Dialect>,
    pub(crate) program: Arc<Program>,
}

#[pymethods]
impl Query {
    /// Reason why the games must be searched one after the other, in one process: the query keeps
    /// something from game to game. None for nearly all queries.
    #[getter]
    fn sequential(&self) -> Option<&'static str> {
        self.program.sequential_reason()
    }

    /// Whether the query asks for the number of all games (`lastgamenumber`), so that it cannot
    /// search shards.
    #[getter]
    fn counts_games(&self) -> bool {
        self.program.needs_last_game_number()
    }

    /// The names of the values, in order.
    #[getter]
    fn values(&self) -> Vec<String> {
        let values = self.program.values().into_iter();
        values.map(|(name, _)| name.to_owned()).collect()
    }

    /// The meaning in words, and how the query is evaluated, as `cql explain` prints it.
    fn explain(&self) -> String {
        let text = self.text.as_bytes();
        let dialect = self.dialect.unwrap_or_else(|| dialect_of(text));
        let meaning = in_words::meaning(text, dialect, in_words::WIDTH);
        format!("{meaning}\n{}", in_words::plan(&self.program.plan(), in_words::WIDTH))
    }

    fn __repr__(&self) -> String {
        format!("babson.compile({:?})", self.text)
    }
}

impl Query {
    /// The query as it was written, after its name.
    pub(crate) fn named_text(&self) -> (String, Vec<u8>) {
        (self.name.clone(), self.text.clone().into_bytes())
    }
}

/// Compiles a query. Returns None in its place if it has errors. `values` are expressions with
/// names.
#[pyfunction]
#[pyo3(signature = (name, text, values, dialect, variations))]
pub(crate) fn compile(
    py: Python<'_>,
    name: String,
    text: String,
    values: Vec<(String, String)>,
    dialect: Option<&str>,
    variations: Option<bool>,
) -> PyResult<(Option<Query>, Vec<Diagnostic>)> {
    let dialect = match dialect {
        None => None,
        Some(name) => Some(Dialect::from_name(name).ok_or_else(|| {
            PyValueError::new_err(format!(
                "dialect must be 'cql6', 'cql5' or 'classic', not {name:?}"
            ))
        })?),
    };
    if let Some((name, _)) = values.iter().find(|value| table::hides_column(&value.0)) {
        let message = format!("a value named {name:?} would hide the column of that name");
        return Err(PyValueError::new_err(message));
    }
    let named = values.iter().map(|(name, text)| NamedExpression {
        name: name.clone(),
        source: format!("value {name}"),
        text: text.clone().into_bytes(),
    });
    let options = CompileOptions {
        variations,
        dialect,
        values: named.collect(),
        require_header: false,
        ..CompileOptions::default()
    };
    let source = engine::Source { name: &name, text: text.as_bytes() };
    let compiled = py.detach(|| compile_query(&source, &[], &options));
    let diagnostics: Vec<Diagnostic> = compiled
        .diagnostics
        .iter()
        .map(|diagnostic| told(diagnostic, (&name, &text), &values))
        .collect();
    let Some(program) = compiled.program else {
        return Ok((None, diagnostics));
    };
    if program.required_file().is_some() {
        let message = "the library does not support `similarposition`; use the command `cql`";
        return Err(PyValueError::new_err(message));
    }
    let query = Query { name, text, warnings: diagnostics.clone(), dialect, program };
    Ok((Some(query), diagnostics))
}

/// Lays out a query. Returns None in its place if it has errors. `unicode` spells it with Unicode
/// symbols or without them; None keeps the spelling.
#[pyfunction]
#[pyo3(signature = (name, text, unicode))]
pub(crate) fn fmt(
    name: &str,
    text: &str,
    unicode: Option<bool>,
) -> PyResult<(Option<String>, Vec<Diagnostic>)> {
    let bytes = text.as_bytes();
    if dialect_of(bytes) != Dialect::Cql6 {
        let message = format!("{name} is in an older dialect, which has no canonical layout");
        return Err(PyValueError::new_err(message));
    }
    let spelled = match unicode {
        None => bytes.to_vec(),
        Some(true) => to_unicode(bytes),
        Some(false) => to_ascii(bytes),
    };
    match laid_out(&spelled) {
        Ok(text) => Ok((Some(String::from_utf8_lossy(&text).into_owned()), Vec::new())),
        Err(FormatError::Query(errors)) => {
            let spelled = String::from_utf8_lossy(&spelled);
            let errors = errors.iter().map(|error| told(error, (name, &spelled), &[]));
            Ok((None, errors.collect()))
        }
        Err(FormatError::Place(span, message)) => {
            let (line, column) = engine::line_and_column(&spelled, span.start as usize);
            Err(PyValueError::new_err(format!("{name}:{line}:{column}: {message}")))
        }
    }
}

/// Converts a diagnostic; its places become characters of its text.
fn told(
    diagnostic: &engine::Diagnostic,
    query: (&str, &str),
    values: &[(String, String)],
) -> Diagnostic {
    let span = diagnostic.span;
    let value = (span.source.0 as usize).checked_sub(1);
    let (source, text) = match value.and_then(|index| values.get(index)) {
        Some((name, text)) => (format!("value {name}"), text.as_str()),
        None => (query.0.to_owned(), query.1),
    };
    let characters = |byte: u32| {
        let before = text.as_bytes().get(..byte as usize).unwrap_or(text.as_bytes());
        String::from_utf8_lossy(before).chars().count()
    };
    let (line, column) = engine::line_and_column(text.as_bytes(), span.start as usize);
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let edit = diagnostic.edit.as_ref().map(|edit| {
        let (start, end) = (characters(edit.span.start), characters(edit.span.end));
        (start, end, edit.text.clone())
    });
    Diagnostic {
        code: diagnostic.code.to_owned(),
        severity: severity.to_owned(),
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        source,
        start: characters(span.start),
        end: characters(span.end),
        line,
        column,
        edit,
    }
}
