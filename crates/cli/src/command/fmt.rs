//! `cql fmt QUERY…`: writes queries in the canonical layout.

use std::path::{Path, PathBuf};

use syntax::convert::{to_ascii, to_unicode};
use syntax::dialect::{Dialect, dialect_of};
use syntax::format::{FormatError, format};
use syntax::span::line_and_column;

use super::text;
use crate::failure::{Failure, context};
use crate::output::{Originals, Replace, Rules, replace_file};
use crate::report::{ReportStyle, SourceText};

/// Format queries in the canonical layout
///
/// Changes the files in place; a query read from standard input goes to standard output. Comments
/// stay in place, and the meaning of a query does not change. A query with errors, or in CQL 5 or
/// older, is left unchanged, and the exit status is 1.
#[derive(clap::Args)]
pub(super) struct FmtArgs {
    /// Queries to format, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::FilePath)]
    queries: Vec<PathBuf>,
    /// List the files that would change, and change none
    ///
    /// The exit status is 1 if a file would change.
    #[arg(long, conflicts_with = "stdout")]
    check: bool,
    /// Write to standard output instead of changing the files
    #[arg(long)]
    stdout: bool,
    /// Spell queries in ASCII
    #[arg(long, conflicts_with = "unicode")]
    ascii: bool,
    /// Spell queries with Unicode symbols, such as ♔ for K
    #[arg(long)]
    unicode: bool,
    #[command(flatten)]
    look: ReportStyle,
}

/// Formats the queries one after the other.
pub(super) fn run(arguments: &FmtArgs) -> Result<(), Failure> {
    let mut result = Ok(());
    for path in &arguments.queries {
        match one(path, arguments) {
            Ok(true) => {}
            Ok(false) | Err(Failure::Reported) => result = Err(Failure::Reported),
            Err(Failure::Message(message)) => {
                tell_line!("error: {message}");
                result = Err(Failure::Reported);
            }
            Err(other) => return Err(other),
        }
    }
    result
}

/// Formats a query. With `--check` it returns whether the query is formatted already.
fn one(path: &Path, arguments: &FmtArgs) -> Result<bool, Failure> {
    let source = text::read(path)?;
    let older = match dialect_of(&source.text) {
        Dialect::Classic => Some("classic CQL"),
        Dialect::Cql5 => Some("CQL 5"),
        Dialect::Cql6 => None,
    };
    if let Some(generation) = older {
        return Err(Failure::Message(format!(
            "{} is a query in {generation}, which has no canonical layout: translate it with `cql \
             migrate` first",
            source.name
        )));
    }
    let spelled = match (arguments.ascii, arguments.unicode) {
        (true, _) => to_ascii(&source.text),
        (_, true) => to_unicode(&source.text),
        _ => source.text.clone(),
    };
    let laid_out = match format(&spelled) {
        Ok(laid_out) => laid_out,
        Err(error) => return Err(refusal(&source, &spelled, error, arguments.look)),
    };
    let is_same = laid_out == source.text;
    if arguments.check {
        if !is_same {
            text::show(&format!("{}\n", source.name))?;
        }
        return Ok(is_same);
    }
    if arguments.stdout || path == Path::new("-") {
        text::print(&laid_out)?;
    } else if !is_same {
        let file = text::file_of(path);
        // The file that was read is replaced.
        let none = Originals::default();
        replace_file(&file, &laid_out, Rules::new(Replace::Anything, &none))
            .map_err(|error| context(format!("cannot write {}", file.display()), &error))?;
    }
    Ok(true)
}

/// Reports why a query is left unchanged. The error refers to `spelled`, the query in another
/// spelling.
fn refusal(source: &SourceText, spelled: &[u8], error: FormatError, look: ReportStyle) -> Failure {
    match error {
        FormatError::Query(errors) => {
            text::complain(SourceText::new(&*source.name, spelled), &errors, look)
        }
        FormatError::Place(span, message) => {
            let (line, column) = line_and_column(spelled, span.start as usize);
            Failure::Message(format!("{}:{line}:{column}: {message}", source.name))
        }
    }
}
