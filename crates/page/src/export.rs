//! Exports results as files, in every format that `cql` writes.

use std::io::{self, Read, Seek, Write};
use std::ops::ControlFlow;

use babson::{QueryState, SearchError, Sorter};
use engine::Program;
use serde::Deserialize;
use table::{OutputFormat, Per, Table, TableOptions, Totals};

use crate::error::Error;
use crate::fault::FaultReporter;
use crate::games::Selection;
use crate::pass::{Host, pass};
use crate::query::QueryRequest;

/// Request for an export.
#[derive(Debug, Deserialize)]
pub struct Export {
    /// Query to evaluate.
    #[serde(flatten)]
    pub query: QueryRequest,
    /// Games to evaluate it on.
    #[serde(flatten)]
    pub selection: Selection,
    /// Format, by its file extension.
    format: String,
    /// Whether a row is a game.
    #[serde(default)]
    per_game: bool,
    #[serde(default)]
    columns: Vec<String>,
    /// Columns to group by, if games and positions are counted.
    #[serde(default)]
    counts: Option<Vec<String>>,
    /// Maximum number of games, the first ones in the order of the query.
    #[serde(default)]
    limit: Option<u64>,
    /// Whether games are written as they are, without the comments of the query.
    #[serde(default)]
    plain: bool,
    /// Name of the file, without its extension.
    #[serde(default)]
    pub name: String,
}

/// A file that was written.
#[derive(Debug)]
pub struct Exported {
    /// Its name.
    pub name: String,
    /// Number of issues of games, which the page has received.
    pub n_faults: u64,
    /// Number of games among them that could not be searched, and of files that could not be read
    /// to their end: the file is without these games.
    pub n_left_out: u64,
}

/// Temporary storage of games that are to be sorted.
pub trait SpoolFile: Read + Write + Seek {}

impl<T: Read + Write + Seek> SpoolFile for T {}

/// Writes the results of a query to `file`. Games to be sorted are stored in what `keep` returns.
/// Issues of games are reported as those of a search.
///
/// # Errors
/// The query or the format is wrong, the games cannot be read, the file cannot be written, or the
/// export was cancelled.
pub fn export<H: Host>(
    request: &Export,
    host: &H,
    file: &mut dyn Write,
    keep: &dyn Fn() -> io::Result<Box<dyn SpoolFile>>,
) -> Result<Exported, Error> {
    let program =
        if request.plain { request.query.compile_plain() } else { request.query.compile() };
    let program = program?;
    let (table, format) = table(request, &program)?;
    let query = babson::Query::new(program).with_table(&table).with_limit(request.limit);
    let mut writer = table.begin(file).map_err(Error::Unwritable)?;
    let mut sorter = Sorter::new(&query, keep).map_err(Error::Unwritable)?;
    let mut faults = FaultReporter::new(host);
    let mut unused = Vec::new();
    let passed = pass(host, [query], &mut |one| unused.push(one.clone()), &mut |chunk| {
        faults.tell(&chunk.output)?;
        let found = chunk.output.results.into_iter().next().unwrap_or_default();
        sorter.add(found, &mut |found| writer.chunk(&found))?;
        Ok(ControlFlow::Continue(()))
    });
    let passed = passed.map_err(|error| match error {
        SearchError::Failed(error) => Error::Unwritable(error),
        other => Error::Search(other),
    })?;
    if passed.is_cancelled {
        return Err(Error::Stopped);
    }
    unused.iter().try_for_each(|unused| faults.tell_unused(unused))?;
    sorter.finish(&mut |text| writer.game(text)).map_err(Error::Unwritable)?;
    let QueryState { n_matches, n_positions, .. } = passed.summary.queries[0].state;
    let n_games = passed.summary.n_games;
    let n_games = host.chosen().map_or(n_games, |chosen| chosen.len_up_to(n_games));
    let totals = Totals { n_games, n_matches, n_positions, n_written: n_matches };
    writer.finish(&totals).and_then(|file| file.flush()).map_err(Error::Unwritable)?;
    let FaultReporter { n_faults, n_left_out, .. } = faults;
    Ok(Exported { name: file_name(&request.name, format.extension()), n_faults, n_left_out })
}

fn table(request: &Export, program: &Program) -> Result<(Table, OutputFormat), Error> {
    let mut formats = OutputFormat::ALL.iter().copied();
    let format = formats
        .find(|format| format.extension() == request.format)
        .ok_or_else(|| Error::UnknownFormat(request.format.clone()))?;
    let options = TableOptions {
        format,
        per: if request.per_game { Per::Game } else { Per::Position },
        columns: request.columns.clone(),
        counts: request.counts.clone(),
        query: vec![(safe(&request.name), request.query.text().as_bytes().to_vec())],
        ..TableOptions::default()
    };
    Ok((Table::new(program, &options)?, format))
}

/// Replaces characters that are not valid in file names on every system.
fn safe(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_alphanumeric() || "-_, ".contains(c) { c } else { '-' }
    };
    let name: String = name.trim().chars().take(80).map(allowed).collect();
    if name.is_empty() { "games".to_owned() } else { name }
}

fn file_name(name: &str, extension: &str) -> String {
    format!("{}.{extension}", safe(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_names_everywhere() {
        assert_eq!(file_name("Forks & pins/2", "csv"), "Forks - pins-2.csv");
        assert_eq!(file_name("Carlsen, to 2020", "pgn"), "Carlsen, to 2020.pgn");
        assert_eq!(file_name("  ", "pgn"), "games.pgn");
        assert_eq!(file_name("../../etc/passwd\r\n", "pgn"), "------etc-passwd.pgn");
    }
}
