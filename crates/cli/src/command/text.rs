//! Reads queries and prints results for the subcommands.

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{CompileOptions, Program};
use serde::Serialize;
use syntax::diagnostic::Diagnostic;
use table::cut;

use crate::closed::Stdout;
use crate::failure::{Failure, context};
use crate::games;
use crate::report::{self, ReportStyle, Reporter, SourceText, tell_colored};
use crate::terminal;
use crate::visible::{visible_json, visible_text};

/// Maximum size of a query text, in bytes.
const LARGEST_QUERY: u64 = 10_000_000;

/// Reads the query in a file, or on standard input if the name is `-`.
///
/// A name without an extension may refer to a file ending in `.cql`, as in a search.
pub(super) fn read(path: &Path) -> Result<SourceText, Failure> {
    let path = file_of(path);
    games::refuse_stdout_in_query(&path)?;
    if path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("pgn")) {
        let name = path.display();
        return Err(Failure::Message(format!("{name} is a file of games, not of a query")));
    }
    let (name, result) = if path == Path::new("-") {
        ("standard input".to_owned(), read_all(io::stdin().lock()))
    } else {
        let text = File::open(&path).and_then(read_all);
        (path.display().to_string(), text)
    };
    match result {
        Ok(text) if text.len() as u64 > LARGEST_QUERY => Err(Failure::Message(format!(
            "{name} is too large for a query: more than {LARGEST_QUERY} bytes"
        ))),
        Ok(text) => Ok(SourceText::new(name, text)),
        Err(error) => Err(context(format!("cannot read {name}"), &error)),
    }
}

/// Reads the query in a file. A name that no file has, without a folder and an ending, is a query itself:
/// a line says that it is read as one.
pub(super) fn read_or_take(path: &Path) -> Result<SourceText, Failure> {
    let is_plain = path.components().count() == 1 && path.extension().is_none();
    match path.to_str() {
        Some(words) if is_plain && words != "-" && !file_of(path).exists() => {
            tell_line!("there is no file '{words}' or '{words}.cql'; it is read as a query");
            Ok(SourceText::argument("query", words))
        }
        _ => read(path),
    }
}

/// Returns the query that an argument is itself, such as `mate`: it names no file, and has no
/// errors, or signs that no file has.
pub(super) fn of_words(words: &Path) -> Option<SourceText> {
    if file_of(words).exists() || words.extension().is_some_and(|ending| ending == "cql") {
        return None;
    }
    let words = words.to_str()?;
    let source = SourceText::argument("query", words);
    if words.contains(['<', '>', '"', '{', '}', '|']) || words.contains(" = ") {
        return Some(source);
    }
    source.compile(&[], &CompileOptions::default()).program.map(|_| source)
}

/// Returns the query that an argument is itself, even if it has errors: it names no file, and has a
/// blank, or a sign that names of files seldom have.
pub(super) fn of_text(text: &Path) -> Option<SourceText> {
    of_words(text).or_else(|| {
        let in_folder = text.parent().is_some_and(|folder| folder.is_dir());
        let is_file = file_of(text).exists() || text.extension().is_some_and(|end| end == "cql");
        let words = text.to_str().filter(|_| !is_file && !in_folder)?;
        let is_query = words.trim().contains([' ', '\n', '(', ')', '#', '&', '=', '~']);
        is_query.then(|| SourceText::argument("query", words))
    })
}

/// Returns the file that an argument refers to.
pub(super) fn file_of(path: &Path) -> PathBuf {
    if path.extension().is_none() && !path.exists() {
        let with_extension = path.with_extension("cql");
        if with_extension.is_file() {
            return with_extension;
        }
    }
    path.to_owned()
}

fn read_all(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(LARGEST_QUERY + 1).read_to_end(&mut text)?;
    Ok(text)
}

/// Writes a text to standard output, without control characters for the terminal.
pub(super) fn show(text: &str) -> Result<(), Failure> {
    print(visible_text(text).as_bytes())
}

/// Writes the lines of a table like [`show`]. On a terminal, the ends of longer lines are left out.
pub(super) fn show_table(table: &str) -> Result<(), Failure> {
    let table = visible_text(table);
    match terminal::width() {
        Some(width) => print(cut_lines(&table, width).as_bytes()),
        None => print(table.as_bytes()),
    }
}

fn cut_lines(table: &str, width: usize) -> String {
    table.lines().map(|line| cut(line, width).into_owned() + "\n").collect()
}

/// Returns a result as JSON in lines, without control characters.
pub(super) fn json(result: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string_pretty(result);
    let json = json.map_err(|error| context("cannot write JSON", &error))?;
    Ok(visible_json(&json).into_owned() + "\n")
}

/// Writes a result to standard output as it is; a closed output is not an error.
pub(super) fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = Stdout::new();
    match out.write_all(text).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(context("cannot write to standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Compiles a query, the first text, with the filters in front of it. Prints its errors and
/// warnings.
pub(super) fn compile(
    sources: &[SourceText],
    options: &CompileOptions,
    look: ReportStyle,
) -> Result<Arc<Program>, Failure> {
    let preamble: Vec<_> = sources[1..].iter().map(SourceText::as_source).collect();
    let compiled = sources[0].compile(&preamble, options);
    let reported = complain_all(sources, &compiled.diagnostics, look);
    compiled.program.ok_or(reported)
}

/// Reports the errors and warnings of a query on standard error.
pub(super) fn complain(
    source: SourceText,
    diagnostics: &[Diagnostic],
    look: ReportStyle,
) -> Failure {
    complain_all(&[source], diagnostics, look)
}

/// Reports the errors and warnings of a query and the filters in front of it.
pub(super) fn complain_all(
    sources: &[SourceText],
    diagnostics: &[Diagnostic],
    look: ReportStyle,
) -> Failure {
    let reporter = Reporter::new(sources, look, &io::stderr());
    for text in reporter.reports(diagnostics) {
        tell_colored(&text);
    }
    if let Some(line) = report::more(diagnostics, look) {
        tell_line!("{line}");
    }
    Failure::Reported
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_no_wider_than_the_terminal() {
        let table = "move  games\ne4    12  White – Black, 1-0\n";
        assert_eq!(cut_lines(table, 14), "move  games\ne4    12  Whi…\n");
        assert_eq!(cut_lines(table, 80), table);
    }
}
