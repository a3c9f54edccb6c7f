//! A search from its options to its summary.

mod query;
mod watch;

use std::io::{self, BufWriter};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use engine::run::{ChunkOutput, Input, RunOptions, Summary};
use engine::{GameWorker, Hope, Program};

use crate::args::{Options, Threads};
use crate::console::Console;
use crate::failure::{Failure, context};
use crate::files::Files;
use crate::input::Games;
use crate::interrupt;
use crate::output::Destination;
use query::{FileNames, compile};
use watch::{Ended, Watcher};

/// The line that every run begins with.
pub(crate) const BANNER: &str = concat!(
    "CQL version 6.2 (build ",
    env!("CARGO_PKG_VERSION"),
    ") Babson, a Chess Query Language engine"
);

pub(crate) type Stdout = Console<BufWriter<io::Stdout>>;

/// Carries out a search.
pub(crate) fn search(options: &Options) -> Result<(), Failure> {
    let start = Instant::now();
    let mut console = Console::new(BufWriter::new(io::stdout()));
    let result = search_on(options, start, &mut console);
    console.flush();
    result
}

fn search_on(options: &Options, start: Instant, console: &mut Stdout) -> Result<(), Failure> {
    console.line(BANNER);
    let (mut program, files) = compile(options, console)?;
    if options.check_only {
        console.line("no errors in the query");
        return Ok(());
    }
    interrupt::listen();
    let games = match &files.input {
        Some(path) => Games::open(path),
        None => Games::from_stdin(),
    };
    let games =
        games.map_err(|error| context(format!("cannot read {}", files.input_name()), &error))?;
    if let Some(name) = program.required_file() {
        let pgn = std::fs::read(&name)
            .map_err(|error| context(format!("similarposition: cannot read {name}"), &error))?;
        program.provide_file(&pgn);
    }
    let last_game_number = match program.needs_last_game_number() {
        true => last_game_number(&games, &program, &files)?,
        false => 0,
    };
    let mut destination =
        Destination::new(files.input.as_deref(), files.output.as_deref(), &program)?;

    let threads = match program.sequential_reason() {
        Some(reason) => {
            console.line(format!("CQL: running single-threaded because {reason}"));
            1
        }
        None => threads(options.threads),
    };
    let mut run_options = RunOptions::new(interrupt::cancel_flag());
    run_options.threads = threads;
    if let Some((first, last)) = program.settings().gamenumber {
        run_options.first_game = u64::try_from(first).unwrap_or(0).max(1);
        run_options.last_game = Some(u64::try_from(last).unwrap_or(0));
    }

    let mut watcher = Watcher::new(options, &files, games.size(), console);
    let hope: Arc<Hope> = Arc::default();
    let make_worker = || {
        GameWorker::new(&program)
            .with_files(Box::<Files>::default())
            .with_last_game_number(last_game_number)
            .with_hope(hope.clone())
    };
    let mut sink = |out: ChunkOutput| {
        watcher.see(&out)?;
        if hope.is_lost() {
            return Err(io::Error::other(Ended::TooManySteps));
        }
        destination.add(out)
    };
    let (summary, workers) = engine::run::run(&games, &run_options, make_worker, &mut sink)
        .map_err(|error| match error.get_ref() {
            Some(inner) if inner.is::<Ended>() => Failure::Message(inner.to_string()),
            _ => context(
                format!(
                    "searching {} to {}",
                    files.input_name(),
                    files.output_name()
                ),
                &error,
            ),
        })?;
    if summary.cancelled {
        return Err(Failure::Interrupted);
    }
    let faults = watcher.finish();
    destination
        .finish(&program.sort_directions(), console)
        .map_err(|error| context(format!("cannot write {}", files.output_name()), &error))?;

    console.fresh_line();
    console.print(b"\n");
    console.line(summary_line(summary, start, threads, &files.output_name()));
    if let Some(worker) = workers.first() {
        for line in worker.persistent_report() {
            console.line(line);
        }
    }
    console.flush();
    eprint!("{}", faults.summary());
    if faults.in_program() {
        if let Some(place) = crate::last_panic() {
            eprintln!("please report this defect of cql: {place}");
        }
        return Err(Failure::Reported);
    }
    match faults.in_query() {
        true => Err(Failure::Reported),
        false => Ok(()),
    }
}

/// What `lastgamenumber` yields: the number of games, at most the last that is searched.
fn last_game_number(games: &Games, program: &Program, files: &FileNames) -> Result<u64, Failure> {
    let count = engine::count_games(games)
        .map_err(|error| context(format!("cannot read {}", files.input_name()), &error))?;
    if count == 0 {
        let input = files.input_name();
        return Err(Failure::Message(format!(
            "lastgamenumber: there is no game with a White tag in {input}"
        )));
    }
    let last = program.settings().gamenumber.map(|(_, last)| last);
    Ok(last.map_or(count, |last| count.min(u64::try_from(last).unwrap_or(0))))
}

fn summary_line(summary: Summary, start: Instant, threads: usize, output: &str) -> String {
    format!(
        "{} matches of {} games in {:.2} seconds using {threads} thread{} to {output}",
        summary.n_matches,
        summary.n_games,
        start.elapsed().as_secs_f64(),
        if threads == 1 { "" } else { "s" },
    )
}

fn threads(wanted: Threads) -> usize {
    match wanted {
        Threads::Exactly(n) => n,
        Threads::Default => thread::available_parallelism().map_or(1, usize::from),
    }
}
