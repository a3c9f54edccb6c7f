//! Exports results as files, in every format that `cql` writes.

use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use engine::{Found, Program};
use serde::Deserialize;
use table::{Format, Per, Table, TableOptions, TableWriter, Totals, Waiting};

use crate::pass::{Host, Pass};
use crate::query::Query;

/// Request for an export.
#[derive(Debug, Deserialize)]
pub struct Export {
    /// Query to evaluate.
    #[serde(flatten)]
    pub query: Query,
    /// Ids of the collections.
    pub collections: Vec<u32>,
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
    /// Name of the file, without its extension.
    #[serde(default)]
    name: String,
}

/// Temporary storage of games that are to be sorted.
pub trait Keeps: Read + Write + Seek {}

impl<T: Read + Write + Seek> Keeps for T {}

/// Writes the results of a query to `file` and returns the file's name. Games to be sorted are
/// stored in what `keep` returns.
///
/// # Errors
/// The query or the format is wrong, the games cannot be read, the file cannot be written, or the
/// export was cancelled.
pub fn export(
    request: &Export,
    host: &dyn Host,
    file: &mut dyn Write,
    keep: &dyn Fn() -> io::Result<Box<dyn Keeps>>,
) -> Result<String, String> {
    let program = request.query.compile()?;
    let (table, format) = table(request, &program)?;
    let failed = |error: io::Error| format!("the file cannot be written: {error}");
    let mut output = SortedTable::new(&table, &program, file, keep).map_err(failed)?;
    let summary = Pass::new([program]).run(host, &|| table.row_writer(), &mut |out| {
        let found = out.results.into_iter().next().unwrap_or_default();
        output.take(found, out.n_games)
    })?;
    if summary.cancelled {
        return Err("the export was stopped".to_owned());
    }
    output.finish().map_err(failed)?;
    Ok(file_name(&request.name, format.extension()))
}

fn table(request: &Export, program: &Program) -> Result<(Table, Format), String> {
    let format = match request.format.as_str() {
        "txt" => Some(Format::Count),
        format => Format::of_name(PathBuf::from(format!("x.{format}")).as_path()),
    };
    let format = format.ok_or_else(|| format!("there is no format `{}`", request.format))?;
    let options = TableOptions {
        format,
        per: if request.per_game { Per::Game } else { Per::Position },
        columns: request.columns.clone(),
        counts: request.counts.clone(),
        query: vec![(safe(&request.name), request.query.text().as_bytes().to_vec())],
    };
    let table = Table::new(program, &options).map_err(|error| error.to_string())?;
    Ok((table, format))
}

/// Replaces characters that are not valid in file names on every system.
fn safe(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_alphanumeric() || "-_ ".contains(c) { c } else { '-' }
    };
    let name: String = name.trim().chars().take(80).map(allowed).collect();
    match name.is_empty() {
        true => "games".to_owned(),
        false => name,
    }
}

fn file_name(name: &str, extension: &str) -> String {
    format!("{}.{extension}", safe(name))
}

/// Table whose games are in the order of the query.
struct SortedTable<'a> {
    writer: TableWriter<&'a mut dyn Write>,
    totals: Totals,
    ascending: Vec<bool>,
    /// Games that wait to be sorted; `None` if they keep their order.
    waiting: Option<Waiting<Box<dyn Keeps>>>,
}

impl<'a> SortedTable<'a> {
    fn new(
        table: &Table,
        program: &Program,
        file: &'a mut dyn Write,
        keep: &dyn Fn() -> io::Result<Box<dyn Keeps>>,
    ) -> io::Result<SortedTable<'a>> {
        let ascending = program.sort_directions();
        let waiting = match ascending.is_empty() {
            true => None,
            false => Some(Waiting::new(keep()?)),
        };
        Ok(SortedTable {
            writer: table.begin(file)?,
            totals: Totals::default(),
            ascending,
            waiting,
        })
    }

    fn take(&mut self, found: Found, n_games: u64) -> io::Result<()> {
        self.totals.n_games += n_games;
        self.totals.n_matches += found.matches.len() as u64;
        self.totals.n_positions += found.n_matching_positions;
        match &mut self.waiting {
            Some(waiting) => waiting.add(found),
            None => self.writer.chunk(&found),
        }
    }

    /// Writes the waiting games.
    fn finish(mut self) -> io::Result<()> {
        let writer = &mut self.writer;
        if let Some(waiting) = self.waiting {
            waiting.write_sorted(&self.ascending, &mut |text| writer.game(text))?;
        }
        let totals = Totals { n_written: self.totals.n_matches, ..self.totals };
        self.writer.finish(&totals)?.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_names_everywhere() {
        assert_eq!(file_name("Forks & pins/2", "csv"), "Forks - pins-2.csv");
        assert_eq!(file_name("  ", "pgn"), "games.pgn");
        assert_eq!(file_name("../../etc/passwd\r\n", "pgn"), "------etc-passwd.pgn");
    }
}
