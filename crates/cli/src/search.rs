//! Runs a search, from its options to its summary.

pub(crate) mod funnel;
pub(crate) mod names;
pub(crate) mod nothing;
pub(crate) mod pass;
mod query;
pub(crate) mod several;
pub(crate) mod sources;
mod watch;

use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use babson::{FAILED_EVERYWHERE, ScanPlan, Search, SearchError, Summary};

use crate::args::{Options, Preamble, Threads};
use crate::console::{Console, StderrSink};
use crate::failure::Failure;
use crate::files::{FileRules, read_games};
use crate::games::{self, tell_unused};
use crate::interrupt;
use crate::output::{
    Destination, Originals, OutputTarget, ProgressDisplay, ScreenWriter, Template,
};
use crate::programs::ExternalPrograms;
use crate::report::SourceText;
use crate::subcommands::Subcommands;
use crate::terminal;
use engine::Program;
use input::Inputs;
use pass::{Common, Context};
use query::{FileNames, compile};
use table::OutputFormat;
use watch::{SearchDisplay, Seen};

/// First line of every run.
pub(crate) const BANNER: &str = concat!(
    "CQL version 6.2 (build ",
    env!("CARGO_PKG_VERSION"),
    ") Babson, a Chess Query Language engine"
);

/// Line after the games on the screen.
const TO_KEEP: &str = "to keep them: -o games.pgn; a report with boards: -o report.html; \
                       a table: -o table.csv";

/// Exit status without a matching game, with `-exit-status`.
const NOTHING_FOUND: u8 = 1;

pub(crate) type Stdout = Console<Box<dyn Write>>;

/// Runs a search.
pub(crate) fn search(options: &Options, subcommands: Subcommands) -> Result<(), Failure> {
    let start = Instant::now();
    let out: Box<dyn Write> = if options.results_on_stdout() {
        crate::terminal::keep_stdout_for_results()?;
        Box::new(StderrSink)
    } else {
        // The games of other searches are in a file, and their messages on a stream that nobody wants.
        if options.board || options.check_only {
            crate::terminal::refuse_closed_stdout()?;
        }
        Box::new(BufWriter::new(io::stdout()))
    };
    let is_quiet = options.is_quiet || options.outputs.progress == Some(ProgressDisplay::None);
    let mut console = Console::new(out).quiet(is_quiet);
    options.remarks.iter().for_each(|remark| tell_line!("{remark}"));
    let result = search_on(options, subcommands, start, &mut console);
    match result {
        Err(Failure::OutputIsRead(_)) => console.discard(),
        _ => console.flush(),
    }
    result
}

fn search_on(
    options: &Options,
    subcommands: Subcommands,
    start: Instant,
    console: &mut Stdout,
) -> Result<(), Failure> {
    if options.pgn_from_stdin || !options.inputs.is_empty() {
        games::refuse_stdout_in_games(&options.inputs)?;
    }
    console.note(BANNER);
    let (program, files, query) = compile(options, subcommands, console)?;
    if options.check_only {
        console.line("no errors in the query");
        return Ok(());
    }
    interrupt::listen();
    let output = files.output.as_deref();
    let how = options.limits.how(options.input_format, options.encoding);
    let mut games = games::find_with_archives(&files.inputs, how, output)?;
    provide_file(&program, options)?;
    let secure = options.file_rules.secure;
    let asking = std::iter::once(&*program);
    let programs = ExternalPrograms::for_queries(&options.programs, secure, asking)?;
    let last_game_number =
        if program.needs_last_game_number() { last_game_number(&mut games.inputs)? } else { 0 };
    let table = options.outputs.table(&program, &query);
    let table = table.map_err(Failure::Message)?;
    let place = place_of(options, &files);
    let inputs = &games.inputs;
    let read = Arc::new(originals(options, inputs, &query, &program));
    let common = Common {
        outputs: &options.outputs,
        file_rules: FileRules { originals: read.clone(), ..options.file_rules.clone() },
        programs: programs.clone(),
    };
    let mut wanted = common.query(&program, &table);
    if files.is_on_screen {
        let (has_board, looks_for_moves) = (options.board, program.looks_for_moves());
        wanted =
            wanted.with_writer(move || Some(Box::new(ScreenWriter { has_board, looks_for_moves })));
    }
    let mut destination = Destination::new(&read, &place, &options.outputs, &table, &wanted)?;
    if let Some(reason) = program.sequential_reason() {
        console.note(format!("CQL: running single-threaded because {reason}"));
    }
    let groups = games::groups(&games, options.no_index || how.is_said());
    let walk = ScanPlan { inputs, groups: &groups };
    let search = Search::new(&walk, [wanted])
        .threads(threads(options.threads))
        .last_game_number(last_game_number)
        .cancel(interrupt::cancel());
    let threads = search.n_threads();
    let place_of_errors = Context {
        is_stdout: matches!(place, OutputTarget::Stdout),
        what: format!("searching {} to {}", inputs.name(), files.output_name()),
    };
    let mut watcher = SearchDisplay::new(options, inputs, console);
    let searched = search.run(&mut tell_unused, &mut |chunk| {
        let mut out = chunk.output;
        let found = out.results.pop().unwrap_or_default();
        watcher.see(&out, &found)?;
        destination.add(found, out.n_games)?;
        Ok(ControlFlow::Continue(()))
    });
    let summary = match searched {
        Err(SearchError::FailedEverywhere(..)) => None,
        other => Some(other.map_err(|error| place_of_errors.failure(error))?),
    };
    let seen = watcher.finish()?;
    let Some(summary) = summary else {
        tell!("{}{}", seen.faults.summary(), seen.sources.summary());
        return Err(Failure::Message(format!("{FAILED_EVERYWHERE}: no output was written")));
    };
    // An empty file would look like a result, and may replace an earlier one.
    let is_in_vain = seen.n_matches == 0
        && seen.faults.in_evaluation()
        && matches!(place, OutputTarget::File(_) | OutputTarget::Files(_));
    let n_written = if is_in_vain {
        drop(destination);
        None
    } else {
        let finished = destination.finish(console);
        finished.map_err(|error| place_of_errors.unwritten(&files.output_name(), &error))?
    };

    let output_name = (!files.is_on_screen).then(|| files.output_name());
    console.fresh_line();
    console.note("");
    console.note(summary_line(&seen, n_written, start, threads, output_name));
    tell_end(&files, &seen, &summary, console);
    if is_in_vain {
        tell_line!("no output: the query failed, and no game matches");
    } else if programs.is_none() {
        let took = start.elapsed();
        let n_matches = seen.n_matches;
        nothing::tell(options, (&program, &query), n_matches, (inputs, threads), took);
    }
    verdict(options, &seen, programs.as_deref())
}

/// Prints what follows the summary: values of variables, and issues.
fn tell_end(files: &FileNames, seen: &Seen, summary: &Summary, console: &mut Stdout) {
    if files.is_on_screen && seen.n_matches > 0 {
        if files.n_warnings > 0 {
            let n = table::counted(files.n_warnings as u64, "warning");
            console.note(format!("{n} about the query above the games"));
        }
        console.note(terminal::in_width(TO_KEEP, terminal::width()).as_bytes());
    }
    for line in summary.queries.iter().flat_map(|query| &query.persistent) {
        console.line(line);
    }
    console.flush();
    tell!("{}{}", seen.faults.summary(), seen.sources.summary());
}

/// Returns the failure of a completed search whose results or games are not as they should be.
fn verdict(
    options: &Options,
    seen: &Seen,
    programs: Option<&ExternalPrograms>,
) -> Result<(), Failure> {
    programs.iter().for_each(|programs| programs.tell_end());
    if seen.faults.in_program() {
        if let Some(place) = crate::terminal::last_panic() {
            tell_line!("please report this defect of cql: {place}");
        }
        return Err(Failure::Reported);
    }
    let is_incomplete = seen.faults.leaves_out() || seen.sources.n_failed > 0;
    let had_trouble = programs.is_some_and(|programs| programs.had_trouble());
    if seen.faults.in_query() || is_incomplete || had_trouble {
        return Err(Failure::Reported);
    }
    if options.exit_status && seen.n_matches == 0 {
        return Err(Failure::ReportedAs(NOTHING_FOUND));
    }
    Ok(())
}

/// Reads the file of a `similarposition` filter, if the query has one and may read it.
fn provide_file(program: &Program, options: &Options) -> Result<(), Failure> {
    let Some(name) = program.required_file() else {
        return Ok(());
    };
    let is_asked_for = |filter: &Preamble| filter.text.starts_with(b"similarposition");
    if options.file_rules.secure && !options.preamble.iter().any(is_asked_for) {
        return Err(Failure::Message(format!(
            "similarposition: --secure forbids the query to read {name}"
        )));
    }
    let pgn = read_games(&name).map_err(Failure::Message)?;
    program.provide_file(&pgn);
    Ok(())
}

/// Returns the files that the search reads.
fn originals(
    options: &Options,
    inputs: &Inputs,
    query: &[SourceText],
    program: &Program,
) -> Originals {
    let mut read = inputs.originals();
    query.iter().for_each(|text| read.add(Path::new(&text.name)));
    program.required_file().iter().for_each(|name| read.add(Path::new(name)));
    options.programs.add_store(&mut read);
    read
}

/// Returns the place of the results.
fn place_of<'f>(options: &Options, files: &'f FileNames) -> OutputTarget<'f> {
    let template = match options.outputs.format() {
        OutputFormat::Pgn => options.outputs.file().and_then(Template::of),
        _ => None,
    };
    match (&files.output, template) {
        (Some(_), Some(template)) => OutputTarget::Files(template),
        (Some(file), None) => OutputTarget::File(file),
        (None, _) if options.pgn_to_stdout => OutputTarget::Console,
        (None, _) if files.is_on_screen => OutputTarget::Screen,
        (None, _) => OutputTarget::Stdout,
    }
}

/// Counts the games of the inputs, for `lastgamenumber`.
fn last_game_number(inputs: &mut Inputs) -> Result<u64, Failure> {
    games::keep(inputs)?;
    let count = babson::last_game_number(&ScanPlan { inputs, groups: &[] });
    count.map_err(|error| Failure::Message(error.to_string()))
}

/// Returns the summary. `n_written` is given if it may differ from the number of matches; without
/// an output, the games are on the screen.
fn summary_line(
    seen: &Seen,
    n_written: Option<u64>,
    start: Instant,
    threads: usize,
    output: Option<String>,
) -> String {
    let done = if output.is_some() { "written" } else { "shown" };
    let is_read = output.is_none() || terminal::width().is_some();
    format!(
        "{} in {:.2} seconds using {threads} thread{}{}{}",
        matches_of_games(seen.n_matches, seen.n_games, is_read),
        start.elapsed().as_secs_f64(),
        if threads == 1 { "" } else { "s" },
        output.map_or(String::new(), |output| format!(" to {output}")),
        n_written.map_or(String::new(), |n| format!(" ({n} {done})")),
    )
}

/// Returns both numbers in words. Programs read the line of the reference, which has no singular;
/// people read the screen.
fn matches_of_games(n_matches: u64, n_games: u64, is_read: bool) -> String {
    let end = |n: u64, end: &'static str| if n == 1 && is_read { "" } else { end };
    format!("{n_matches} match{} of {n_games} game{}", end(n_matches, "es"), end(n_games, "s"))
}

/// Returns the number of threads that search.
pub(crate) fn threads(wanted: Threads) -> usize {
    flow::n_threads(match wanted {
        Threads::Exactly(n) => n,
        Threads::Default => 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_a_singular() {
        assert_eq!(matches_of_games(1, 1, true), "1 match of 1 game");
        assert_eq!(matches_of_games(0, 2, true), "0 matches of 2 games");
        assert_eq!(matches_of_games(1, 1, false), "1 matches of 1 games");
    }
}
