//! `cql merge RESULTS -o FOLDER`: combines the results of shards into those of one run.

mod records;

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use table::{Family, Layout, OutputFormat};

use super::job::{ResultsManifest, listed};
use super::text;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{NewFile, Originals, Replace, Rules, replace_file, tell_replaced};
use crate::place;
use crate::search::several::summary::{QuerySummary, Status, csv};
use records::RecordTable;

/// Combine the results of shards
///
/// Combines the results of all shards, written by `cql run --manifest` or `--shard`, into those of
/// one run: a file for each query and the summary. Games and rows are concatenated; counts are
/// added up.
#[derive(clap::Args)]
pub(super) struct MergeArgs {
    /// Folder with the results of the shards
    #[arg(value_hint = clap::ValueHint::DirPath)]
    results: PathBuf,
    /// Write the combined results to FOLDER
    ///
    /// The folder is created if it is missing.
    #[arg(short, long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Replace files whatever they hold
    ///
    /// Without this option, only files with games or an earlier result are replaced.
    #[arg(long)]
    force: bool,
}

/// Combines all results.
pub(super) fn run(arguments: &MergeArgs) -> Result<(), Failure> {
    interrupt::listen();
    let folder = &arguments.results;
    let job = ResultsManifest::read(folder)?;
    let missing = job.missing(folder);
    if !missing.is_empty() {
        return Err(Failure::Message(format!(
            "{} of {} shards are missing: {}; run them first",
            missing.len(),
            job.shards,
            listed(&missing)
        )));
    }
    if format_of(&job).map(OutputFormat::family) == Some(Family::Rows(Layout::Stored)) {
        return Err(Failure::Message(
            "tables in Parquet are not merged: programs can read all files at once, as \
             'results/query.*.parquet'"
                .to_owned(),
        ));
    }
    let merge = Merge::of(&job, folder, arguments.force);
    games::refuse_stdout(&merge.originals)?;
    let summary = summary(&job, folder)?;
    place::make_folder(&arguments.output)
        .map_err(|error| context(remote::shown(&arguments.output), &error))?;
    for query in &job.queries {
        let target = remote::join(&arguments.output, &format!("{query}.{}", job.extension));
        let written = match job.count_by {
            Some(n_keys) => add_up(&job, folder, query, n_keys, &target, &merge),
            None => put_together(&job, folder, query, &target, &merge),
        };
        written.map_err(|error| context(remote::shown(&target), &error))?;
    }
    let target = remote::join(&arguments.output, "summary.csv");
    replace_file(&target, summary.as_bytes(), merge.rules(None))
        .map_err(|error| context(remote::shown(&target), &error))?;
    text::show(&summary)
}

/// Returns the format of the result files.
fn format_of(job: &ResultsManifest) -> Option<OutputFormat> {
    OutputFormat::of_extension(&job.extension)
}

/// Rules for the new files.
struct Merge {
    /// Result files of the shards, which must not be replaced.
    originals: Originals,
    force: bool,
}

impl Merge {
    fn of(job: &ResultsManifest, folder: &Path, force: bool) -> Merge {
        let mut originals = Originals::default();
        for place in 0..job.shards {
            originals.add(&ResultsManifest::summary(folder, place));
            let queries = job.queries.iter();
            queries.for_each(|query| originals.add(&job.file(folder, query, place)));
        }
        Merge { originals, force }
    }

    /// Returns the rules for a file that begins with this line.
    fn rules<'a>(&'a self, first_line: Option<&'a str>) -> Rules<'a> {
        Rules::new(Replace::results(self.force, first_line), &self.originals)
    }
}

/// Combines the summaries of all shards.
fn summary(job: &ResultsManifest, folder: &Path) -> Result<String, Failure> {
    let lines = job.queries.iter().map(|query| QuerySummary::new(query));
    let mut lines: Vec<QuerySummary> = lines.collect();
    for place in 0..job.shards {
        let path = ResultsManifest::summary(folder, place);
        let failed = |error: &dyn std::fmt::Display| context(remote::shown(&path), error);
        let text = place::read(&path).map_err(|error| failed(&error))?;
        let table = RecordTable::parse(&text, b',').ok_or_else(|| failed(&"it is damaged"))?;
        for row in table.rows {
            let [query, games, matches, positions, _, faults, status] = row.as_slice() else {
                return Err(failed(&"it is damaged"));
            };
            if status != Status::Complete.name() {
                return Err(Failure::Message(format!(
                    "{query} has no results of shard {}: {status}",
                    place + 1
                )));
            }
            let Some(line) = lines.iter_mut().find(|line| line.query == *query) else {
                continue;
            };
            let sums = [
                (&mut line.n_games, games),
                (&mut line.n_matches, matches),
                (&mut line.n_positions, positions),
                (&mut line.n_faulty, faults),
            ];
            for (sum, text) in sums {
                let n: u64 = text.parse().map_err(|_| failed(&"it is damaged"))?;
                *sum += n;
            }
        }
    }
    Ok(csv(&lines))
}

/// Writes the results of a query on all shards, one after the other.
fn put_together(
    job: &ResultsManifest,
    folder: &Path,
    query: &str,
    target: &Path,
    merge: &Merge,
) -> io::Result<()> {
    let has_names = format_of(job).and_then(OutputFormat::separator).is_some();
    let open = |number| in_file(&job.file(folder, query, number), place::open);
    let mut first_line = Vec::new();
    if has_names && job.shards > 0 {
        BufReader::new(open(0)?).read_until(b'\n', &mut first_line)?;
    }
    let expected = String::from_utf8_lossy(&first_line).into_owned();
    let expected = has_names.then_some(expected.as_str());
    let mut out = NewFile::create(target, merge.rules(expected))?;
    tell_replaced(&out, target);
    out.write_all(&first_line)?;
    for place in 0..job.shards {
        if interrupt::cancel().is_cancelled() {
            return Err(io::Error::other("interrupted"));
        }
        let mut file = BufReader::new(open(place)?);
        if has_names {
            let mut line = Vec::new();
            file.read_until(b'\n', &mut line)?;
            if line != first_line {
                let name = job.file(folder, query, place);
                let message = format!("{} has different columns", remote::shown(&name));
                return Err(io::Error::other(message));
            }
        }
        io::copy(&mut file, &mut out)?;
    }
    out.finish()
}

/// Writes the sums of the counts of a query on all shards.
fn add_up(
    job: &ResultsManifest,
    folder: &Path,
    query: &str,
    n_keys: usize,
    target: &Path,
    merge: &Merge,
) -> io::Result<()> {
    let separator = format_of(job).and_then(OutputFormat::separator).unwrap_or(',');
    let mut sum: Option<RecordTable> = None;
    for place in 0..job.shards {
        let path = job.file(folder, query, place);
        let text = in_file(&path, place::read)?;
        let damaged = || io::Error::other(format!("{} is damaged", remote::shown(&path)));
        let table = RecordTable::parse(&text, separator as u8).ok_or_else(damaged)?;
        sum = Some(match sum {
            None => table,
            Some(sum) => sum.plus(table).ok_or_else(damaged)?,
        });
    }
    let sum = sum.unwrap_or_default();
    let sum = sum.grouped(n_keys);
    let sum = sum.ok_or_else(|| io::Error::other("the counts are damaged"))?;
    let text = sum.to_text(separator);
    let first_line = text.lines().next();
    replace_file(target, text.as_bytes(), merge.rules(first_line))
}

/// Calls a function on a file and adds the name of the file to its error.
fn in_file<'p, T>(path: &'p Path, does: impl FnOnce(&'p Path) -> io::Result<T>) -> io::Result<T> {
    does(path).map_err(|error| io::Error::other(format!("{}: {error}", remote::shown(path))))
}
