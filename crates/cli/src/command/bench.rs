//! `cql bench QUERY… GAMES…`: measures the speed of searches, and shows whether their results stay
//! the same.
//!
//! Each run is a complete search in this process, except that results are counted and not written.
//! The counts are a signature: two builds that should agree must have the same counts, whatever the
//! number of threads.

mod report;
mod usage;

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use babson::{Query, ScanPlan, Search, SearchError};
use engine::{CompileOptions, Compiled, Program};
use flow::FaultKind;
use table::counted;

use super::reading::ReadingArgs;
use super::{names, text};
use crate::failure::{Failure, context};
use crate::files::read_games;
use crate::games;
use crate::interrupt;
use crate::report::ReportStyle;
use crate::search::sources::SourceFaults;
use crate::visible::visible_json;
use report::BenchReport;

/// Measure the speed of queries and count their matches
///
/// Every query is run several times over all games; its matches are counted and not written. Times
/// are medians, rates are per second of wall time. The signature is the number of games, of
/// positions searched, of matching games, and of matching positions: it is equal for any number of
/// threads, and for any two builds that agree.
#[derive(clap::Args)]
pub(super) struct BenchArgs {
    /// Queries to measure, then games to search
    ///
    /// Games are files, directories, patterns, or - for standard input.
    #[arg(required = true, value_name = "QUERY… GAMES", value_hint = clap::ValueHint::AnyPath)]
    names: Vec<PathBuf>,
    /// Search these games, as if listed after the queries
    ///
    /// Can be repeated.
    #[arg(short, long, value_name = "GAMES",
        value_hint = clap::ValueHint::AnyPath)]
    input: Vec<PathBuf>,
    /// Run each query N times
    #[arg(long, value_name = "N", default_value = "5",
        value_parser = clap::value_parser!(u32).range(1..=10_000))]
    runs: u32,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    look: ReportStyle,
}

/// Query with the measurements of its runs.
struct Measured {
    /// Name of the query, as given by the arguments.
    query: String,
    /// Number of threads.
    threads: usize,
    /// Times of the runs; all of them have the same counts.
    runs: Vec<BenchRun>,
    totals: Totals,
    /// Peak memory of the process in bytes, if the system reports it.
    peak_memory: Option<u64>,
}

/// Counts of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Totals {
    n_games: u64,
    n_matches: u64,
    n_positions: u64,
    n_matching_positions: u64,
    /// Number of bytes of the games.
    n_bytes: u64,
}

/// Times of one run, in seconds.
struct BenchRun {
    wall: f64,
    /// Time of all threads together, if the system reports it.
    cpu: Option<f64>,
}

/// Measures one query after the other and prints the figures.
pub(super) fn run(arguments: &BenchArgs) -> Result<(), Failure> {
    interrupt::listen();
    let names = names::sort(&arguments.names, &arguments.input)?;
    let mut games = games::find_all(&names.games, arguments.reading.how()?)?;
    games::keep(&mut games)?;
    let threads = arguments.reading.threads();
    // Compiling all queries before the first run shows errors at once.
    let options =
        CompileOptions { limits: arguments.reading.limits()?.query, ..CompileOptions::default() };
    let mut programs = Vec::new();
    for path in &names.queries {
        let program = compile(path, &options, arguments.look)?;
        programs.push((path.display().to_string(), program));
    }
    let report = BenchReport::new(games.name().to_owned(), arguments.runs);
    let (mut all, mut sources) = (Vec::new(), SourceFaults::default());
    let walk = ScanPlan { inputs: &games, groups: &[] };
    for (query, program) in programs {
        let search = Repeated::new(&walk, &program, threads)?;
        let told = all.is_empty().then_some(&mut sources);
        let measured = search.measure(query, arguments.runs, told)?;
        if !arguments.reading.json {
            text::show(&report.row(&measured, all.is_empty()))?;
        }
        all.push(measured);
    }
    if arguments.reading.json {
        text::show(&visible_json(&report.json(&all)))?;
    }
    let n_left_out = sources.n_left_out();
    if n_left_out > 0 {
        let text = format!("{} left out; `cql doctor` shows why", counted(n_left_out, "game"));
        tell_line!("{}", games::advised(&text, &games));
    }
    if sources.n_failed == 0 && n_left_out == 0 { Ok(()) } else { Err(Failure::Reported) }
}

fn compile(
    path: &Path,
    options: &CompileOptions,
    look: ReportStyle,
) -> Result<Arc<Program>, Failure> {
    let source = text::of_text(path).map_or_else(|| text::read(path), Ok)?;
    let Compiled { program, diagnostics, .. } = source.compile(&[], options);
    program.ok_or_else(|| text::complain(source, &diagnostics, look))
}

/// Search that can be repeated.
struct Repeated<'a> {
    search: Search<'a, ScanPlan<'a>>,
}

impl<'a> Repeated<'a> {
    fn new(
        walk: &'a ScanPlan<'a>,
        program: &Arc<Program>,
        threads: usize,
    ) -> Result<Repeated<'a>, Failure> {
        if let Some(name) = program.required_file() {
            let pgn = read_games(&name).map_err(Failure::Message)?;
            program.provide_file(&pgn);
        }
        // Counted once, and not in every run.
        let last_game_number = if program.needs_last_game_number() {
            babson::last_game_number(walk).map_err(|error| Failure::Message(error.to_string()))?
        } else {
            0
        };
        let search = Search::new(walk, [Query::new(program.clone())])
            .threads(threads)
            .last_game_number(last_game_number)
            .cancel(interrupt::cancel());
        Ok(Repeated { search })
    }

    /// Runs the search several times. The first run tells the issues of the files, if they are wanted.
    fn measure(
        &self,
        query: String,
        n_runs: u32,
        mut told: Option<&mut SourceFaults>,
    ) -> Result<Measured, Failure> {
        usage::forget_peak_memory();
        let (mut runs, mut result) = (Vec::new(), None);
        for _ in 0..n_runs {
            let (start, cpu) = (Instant::now(), usage::cpu_seconds());
            let mut sources = told.take();
            let found = self.search(sources.as_deref_mut());
            let found = found.map_err(|error| context(format!("measuring {query}"), &error))?;
            runs.push(BenchRun {
                wall: start.elapsed().as_secs_f64(),
                cpu: usage::cpu_seconds().zip(cpu).map(|(after, before)| after - before),
            });
            let Some(found) = found else {
                return Err(Failure::Interrupted);
            };
            if let Some(sources) = sources {
                tell!("{}{}", sources.finish()?, sources.summary());
            }
            if result.is_some_and(|before| before != found) {
                let message = format!("{query} does not find the same matches in every run");
                return Err(Failure::Message(message));
            }
            result = Some(found);
        }
        Ok(Measured {
            query,
            threads: self.search.n_threads(),
            runs,
            totals: result.unwrap_or_default(),
            peak_memory: usage::peak_memory(),
        })
    }

    /// Runs the search once and returns its counts; `None` if it was cancelled. A query that cannot
    /// be evaluated on a game ends the run with an error, since its time would mean nothing.
    fn search(&self, mut sources: Option<&mut SourceFaults>) -> io::Result<Option<Totals>> {
        let mut totals = Totals::default();
        let searched = self.search.run(&mut |_| {}, &mut |chunk| {
            let out = chunk.output;
            totals.n_games += out.n_games;
            totals.n_bytes += out.n_bytes;
            for found in &out.results {
                totals.n_matches += found.matches.len() as u64;
                totals.n_positions += found.n_positions;
                totals.n_matching_positions += found.n_matching_positions;
            }
            if let Some(sources) = &mut sources {
                tell!("{}{}", sources.begin(&out), sources.end(&out));
            }
            let faults = &mut out.faults.iter();
            let is_of_file = |kind| matches!(kind, FaultKind::Skipped | FaultKind::Variant);
            match faults.find(|fault| !fault.is_searched() && !is_of_file(fault.kind)) {
                None => Ok(ControlFlow::Continue(())),
                Some(fault) => {
                    let message = format!("game {}: {}", fault.number, fault.message);
                    Err(io::Error::other(message))
                }
            }
        });
        match searched {
            Ok(_) => Ok(Some(totals)),
            Err(SearchError::Cancelled(_)) => Ok(None),
            Err(SearchError::Failed(error)) => Err(error),
            Err(error) => Err(io::Error::other(error)),
        }
    }
}
