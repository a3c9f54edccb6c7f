//! `cql check QUERY…`: reports errors and warnings of queries without running them.

use std::io;
use std::path::{Path, PathBuf};

use engine::{CompileOptions, Severity};
use syntax::{Diagnostic, Dialect};

use super::text;
use crate::failure::Failure;
use crate::report::{self, MessageFormat, ReportStyle, Reporter};

/// Check queries without running them
///
/// Errors and warnings go to standard output, a summary to standard error. With --json each is an
/// object on a line of its own. The exit status is 1 if a query has errors or cannot be read.
#[derive(clap::Args)]
pub(super) struct CheckArgs {
    /// Queries to check, or - for standard input
    ///
    /// A query is a file, or its text: cql check 'mate castle'
    #[arg(required = true, value_hint = clap::ValueHint::FilePath)]
    queries: Vec<PathBuf>,
    #[command(flatten)]
    dialect: DialectArgument,
    /// Enable warnings that are off by default
    #[arg(long, value_enum, value_name = "WHAT")]
    warn: Vec<Warn>,
    /// Print errors and warnings as JSON
    ///
    /// Same as --message-format json.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    look: ReportStyle,
}

/// Warnings that are off by default.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Warn {
    /// Forms of older versions of CQL 6 that have a newer form
    Deprecated,
}

/// Dialect of the queries.
#[derive(clap::Args)]
pub(super) struct DialectArgument {
    /// Set the dialect of the query
    #[arg(long, value_name = "DIALECT", default_value = "auto",
        value_parser = ["auto", "cql6", "cql5", "classic"])]
    dialect: String,
}

impl DialectArgument {
    /// Returns the dialect; `None` if the text determines it.
    pub(super) fn get(&self) -> Option<Dialect> {
        Dialect::from_name(&self.dialect)
    }
}

/// Checks one query after the other.
pub(super) fn run(arguments: &CheckArgs) -> Result<(), Failure> {
    let options = CompileOptions {
        dialect: arguments.dialect.get(),
        warn_deprecated: arguments.warn.contains(&Warn::Deprecated),
        ..CompileOptions::default()
    };
    let look = if arguments.json {
        ReportStyle { format: MessageFormat::Json, ..arguments.look }
    } else {
        arguments.look
    };
    let mut n_bad = 0;
    let mut diagnostics = Vec::new();
    let are_several = arguments.queries.len() > 1;
    for (at, path) in arguments.queries.iter().enumerate() {
        match check(path, are_several.then_some(at + 1), &options, look) {
            Ok(found) => {
                n_bad += u64::from(found.iter().any(|d| d.severity == Severity::Error));
                diagnostics.extend(found);
            }
            Err(Failure::Message(message)) => {
                tell_line!("error: {message}");
                n_bad += 1;
            }
            Err(other) => return Err(other),
        }
    }
    if let Some(line) = report::more(&diagnostics, look) {
        text::print(format!("{line}\n").as_bytes())?;
    }
    let queries = match arguments.queries.len() {
        1 => "1 query".to_owned(),
        n => format!("{n} queries"),
    };
    if n_bad > 0 {
        tell_line!("errors in {n_bad} of {queries}");
        return Err(Failure::Reported);
    }
    tell_line!("no errors in {queries}");
    Ok(())
}

/// Reports the errors and warnings of a query, which has a number if it is one of several.
fn check(
    path: &Path,
    number: Option<usize>,
    options: &CompileOptions,
    look: ReportStyle,
) -> Result<Vec<Diagnostic>, Failure> {
    let mut source = text::of_text(path).map_or_else(|| text::read_or_take(path), Ok)?;
    if let Some(number) = number
        && source.is_argument()
    {
        source.name += &format!(" {number}");
    }
    let diagnostics = source.compile(&[], options).diagnostics;
    if !diagnostics.is_empty() {
        let reporter = Reporter::new(&[source], look, &io::stdout());
        let shown = reporter.reports(&diagnostics);
        let shown: String = shown.into_iter().map(|text| text + "\n").collect();
        text::print(shown.as_bytes())?;
    }
    Ok(diagnostics)
}
