//! Prints the measurements as a table and as JSON.

use std::path::Path;

use serde::Serialize;
use table::cut;

use super::{BenchRun, Measured};

/// Facts that all queries share.
#[derive(Serialize)]
pub(super) struct BenchReport {
    version: &'static str,
    input: String,
    runs: u32,
}

/// Measurements of one query; seconds are medians.
#[derive(Serialize)]
struct Figures<'a> {
    query: &'a str,
    threads: usize,
    wall_seconds: f64,
    cpu_seconds: Option<f64>,
    games_per_second: f64,
    positions_per_second: f64,
    bytes_per_second: f64,
    peak_memory_bytes: Option<u64>,
    bytes: u64,
    games: u64,
    positions: u64,
    matching_games: u64,
    matching_positions: u64,
}

#[derive(Serialize)]
struct JsonBench<'a> {
    #[serde(flatten)]
    report: &'a BenchReport,
    queries: Vec<Figures<'a>>,
}

impl BenchReport {
    pub(super) fn new(input: String, runs: u32) -> BenchReport {
        BenchReport { version: env!("CARGO_PKG_VERSION"), input, runs }
    }

    /// Formats a row of the table, preceded by the heading if it is the first.
    pub(super) fn row(&self, measured: &Measured, is_first: bool) -> String {
        let mut text = String::new();
        if is_first {
            let (input, runs) = (&self.input, self.runs);
            let megabytes = measured.totals.n_bytes as f64 / 1e6;
            text += &format!(
                "{input}: {megabytes:.2} MB, medians of {runs} runs\n\
                 {:16} {:>3} {:>9} {:>9} {:>9} {:>11} {:>7} {:>8}\n",
                "query", "thr", "wall s", "cpu s", "games/s", "positions/s", "MB/s", "peak MiB"
            );
        }
        let f = Figures::new(measured);
        let name = Path::new(f.query).file_stem().unwrap_or_default().to_string_lossy();
        // A query that is in no file is its own name.
        let name = if f.query.contains(' ') { f.query } else { &*name };
        text += &format!(
            "{:16} {:>3} {:>9.4} {:>9} {:>9.0} {:>11.0} {:>7.1} {:>8}\n    signature  {}/{}/{}/{}\n",
            cut(name, 16),
            f.threads,
            f.wall_seconds,
            or_dash(f.cpu_seconds, 4),
            f.games_per_second,
            f.positions_per_second,
            f.bytes_per_second / 1e6,
            or_dash(f.peak_memory_bytes.map(|n| n as f64 / 1_048_576.0), 1),
            f.games,
            f.positions,
            f.matching_games,
            f.matching_positions,
        );
        text
    }

    pub(super) fn json(&self, measured: &[Measured]) -> String {
        let all = JsonBench { report: self, queries: measured.iter().map(Figures::new).collect() };
        let json = serde_json::to_string_pretty(&all);
        json.expect("numbers and text, with text for keys") + "\n"
    }
}

impl<'a> Figures<'a> {
    fn new(measured: &'a Measured) -> Figures<'a> {
        let totals = &measured.totals;
        let wall_seconds = median(measured.runs.iter().map(|run| run.wall));
        let per_second = |n: u64| n as f64 / wall_seconds;
        let cpu: Option<Vec<f64>> = measured.runs.iter().map(|run: &BenchRun| run.cpu).collect();
        Figures {
            query: &measured.query,
            threads: measured.threads,
            wall_seconds,
            cpu_seconds: cpu.map(|seconds| median(seconds.into_iter())),
            games_per_second: per_second(totals.n_games),
            positions_per_second: per_second(totals.n_positions),
            bytes_per_second: per_second(measured.totals.n_bytes),
            peak_memory_bytes: measured.peak_memory,
            bytes: measured.totals.n_bytes,
            games: totals.n_games,
            positions: totals.n_positions,
            matching_games: totals.n_matches,
            matching_positions: totals.n_matching_positions,
        }
    }
}

fn or_dash(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

/// Returns the median, the mean of the two middle values for an even number; 0 for no values.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    let upper = values.len() / 2;
    match values.len() {
        0 => 0.0,
        n if n % 2 == 1 => values[upper],
        _ => (values[upper - 1] + values[upper]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_in_the_middle() {
        let check = |values: &[f64], expected: f64| {
            assert_eq!(median(values.iter().copied()), expected, "{values:?}");
        };
        check(&[], 0.0);
        check(&[3.0], 3.0);
        check(&[9.0, 1.0], 5.0);
        check(&[9.0, 1.0, 2.0], 2.0);
        check(&[9.0, 1.0, 2.0, 4.0], 3.0);
    }
}
