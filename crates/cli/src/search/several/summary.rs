//! Summarizes a run, with a line for each query: as a table for people, as CSV and as JSON.

use std::path::Path;

use serde::Serialize;
use table::field;

use crate::failure::{Failure, context};
use crate::output::{Originals, Replace, Rules, replace_file};
use crate::visible::visible_json;

/// Summary of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QuerySummary {
    pub(crate) query: String,
    pub(super) status: Status,
    /// Number of games searched.
    pub(crate) n_games: u64,
    pub(crate) n_matches: u64,
    pub(crate) n_positions: u64,
    /// Number of games on which the query failed.
    pub(crate) n_faulty: u64,
}

/// Outcome of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    /// All games were searched.
    Complete,
    /// All games that could be read were searched: an input could not be read to its end.
    Incomplete,
    /// Enough games were found.
    Limited,
    /// The query took too many steps, and has no output.
    TooManySteps,
    /// The query failed on every game, and has no output.
    Failed,
    /// The query has errors, and was not run.
    Errors,
}

impl Status {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Status::Complete => "complete",
            Status::Incomplete => "input incomplete",
            Status::Limited => "limit reached",
            Status::TooManySteps => "too many steps",
            Status::Failed => "failed",
            Status::Errors => "errors in the query",
        }
    }

    pub(super) fn has_output(self) -> bool {
        matches!(self, Status::Complete | Status::Incomplete | Status::Limited)
    }
}

const NAMES: [&str; 7] = ["query", "games", "matches", "positions", "share", "faults", "status"];

impl QuerySummary {
    /// Creates the summary of a query that has just started.
    pub(crate) fn new(query: &str) -> QuerySummary {
        QuerySummary {
            query: query.to_owned(),
            status: Status::Complete,
            n_games: 0,
            n_matches: 0,
            n_positions: 0,
            n_faulty: 0,
        }
    }

    /// Creates the summary of a query that was not run.
    pub(super) fn with_errors(query: &str) -> QuerySummary {
        QuerySummary { status: Status::Errors, ..QuerySummary::new(query) }
    }

    fn cells(&self) -> [String; 7] {
        let mut cells = [
            self.query.clone(),
            self.n_games.to_string(),
            self.n_matches.to_string(),
            self.n_positions.to_string(),
            self.share(),
            self.n_faulty.to_string(),
            self.status.name().to_owned(),
        ];
        if !self.is_known() {
            cells[1..6].fill(String::new());
        }
        cells
    }

    /// Whether the counts are reported. For a query that was given up they depend on the threads.
    fn is_known(&self) -> bool {
        !matches!(self.status, Status::Errors | Status::TooManySteps)
    }

    /// Returns the share of matching games, from 0 to 1; empty if there are no games.
    fn share(&self) -> String {
        match self.n_games {
            0 => String::new(),
            n => format!("{:.6}", self.n_matches as f64 / n as f64),
        }
    }
}

/// Formats the summaries as CSV.
pub(crate) fn csv(lines: &[QuerySummary]) -> String {
    let mut text = NAMES.join(",") + "\n";
    for line in lines {
        text += &line.cells().map(|cell| field(&cell, ',')).join(",");
        text.push('\n');
    }
    text
}

/// Formats the summaries as a table for people.
pub(super) fn table(lines: &[QuerySummary]) -> String {
    let mut rows = vec![NAMES.map(str::to_owned)];
    rows.extend(lines.iter().map(QuerySummary::cells));
    for row in &mut rows {
        row[0] = row[0].replace(char::is_control, " ");
    }
    let widths: Vec<usize> = (0..NAMES.len())
        .map(|column| rows.iter().map(|row| row[column].chars().count()).max())
        .map(Option::unwrap_or_default)
        .collect();
    let mut text = String::new();
    for row in &rows {
        let cells = row.iter().zip(&widths).enumerate();
        let cells = cells.map(|(column, (cell, &width))| match column {
            0 | 6 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

/// Files of a query.
pub(super) struct OutputFiles<'a> {
    /// The file it was read from.
    pub(super) query: &'a str,
    /// The file it wrote.
    pub(super) output: Option<String>,
}

#[derive(Serialize)]
struct RunReport<'a> {
    /// Number of games read.
    games: u64,
    threads: usize,
    seconds: f64,
    queries: Vec<SummaryEntry<'a>>,
}

#[derive(Serialize)]
struct SummaryEntry<'a> {
    query: &'a str,
    file: &'a str,
    games: Option<u64>,
    matches: Option<u64>,
    positions: Option<u64>,
    faults: Option<u64>,
    status: &'static str,
    output: Option<String>,
}

/// Formats the summaries as JSON, with the files of each query and figures of the whole run.
pub(super) fn json<'a>(
    lines: &'a [QuerySummary],
    files: impl Iterator<Item = OutputFiles<'a>>,
    n_games: u64,
    threads: usize,
    seconds: f64,
) -> String {
    let entries = lines.iter().zip(files).map(|(line, files)| {
        let known = |n: u64| line.is_known().then_some(n);
        SummaryEntry {
            query: &line.query,
            file: files.query,
            games: known(line.n_games),
            matches: known(line.n_matches),
            positions: known(line.n_positions),
            faults: known(line.n_faulty),
            status: line.status.name(),
            output: files.output,
        }
    });
    let report = RunReport {
        games: n_games,
        threads,
        seconds: (seconds * 1e3).round() / 1e3,
        queries: entries.collect(),
    };
    let json = serde_json::to_string_pretty(&report);
    let json = json.expect("numbers and text, with text for keys");
    format!("{}\n", visible_json(&json))
}

/// Writes the text of a summary to a file.
pub(super) fn write(file: &Path, text: &str, force: bool, read: &Originals) -> Result<(), Failure> {
    let rules = Rules::new(Replace::results(force, None), read);
    replace_file(file, text.as_bytes(), rules)
        .map_err(|error| context(format!("cannot write {}", file.display()), &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_twice() {
        let line = |query: &str, status, n_games, n_matches| QuerySummary {
            query: query.to_owned(),
            status,
            n_games,
            n_matches,
            n_positions: 2 * n_matches,
            n_faulty: 0,
        };
        let lines = [
            line("a, b", Status::Complete, 8, 1),
            line("c", Status::TooManySteps, 0, 0),
            line("d", Status::Errors, 0, 0),
        ];
        assert_eq!(
            csv(&lines),
            "query,games,matches,positions,share,faults,status\n\
             \"a, b\",8,1,2,0.125000,0,complete\n\
             c,,,,,,too many steps\n\
             d,,,,,,errors in the query\n"
        );
        assert_eq!(
            table(&lines),
            "query  games  matches  positions     share  faults  status\n\
             a, b       8        1          2  0.125000       0  complete\n\
             c                                                   too many steps\n\
             d                                                   errors in the query\n"
        );
    }
}
