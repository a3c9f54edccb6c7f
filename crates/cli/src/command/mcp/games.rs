//! Searches with limited results and time.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use archived::{Games, Screens, Walk};
use engine::{
    CompileOptions, Found, GameWorker, Limits, NamesAsked, Program, QueryRun, QueryWorker,
    RowWriter, Source, compile, run_options,
};
use flow::{Cancel, GameFault, Output, RunOptions, Sink, Summary};
use serde_json::{Value, json};
use table::{Format, Table, TableOptions, Totals};

use super::asked::{Asked, Progress};
use super::queries;
use super::shown::{Teller, bounded, line};
use super::tools::{Given, Outcome};
use crate::args::Threads;
use crate::output::{Kept, cut_behind, forget_behind};
use crate::search::names::near;
use crate::search::{FAILED_EVERYWHERE, threads};

/// Maximum number of issues reported with their text.
const MOST_FAULTS: usize = 10;

/// Maximum number of groups that the text of a count lists.
const GROUPS_IN_WORDS: usize = 20;

/// Maximum time for reading the names of games that a query may have meant.
const HINT_TIME: Duration = Duration::from_millis(500);

/// Time between two looks at whether a pass is still wanted.
const TICK: Duration = Duration::from_millis(20);

/// Number of bytes in a chunk. It is small, since an incomplete chunk is lost when the time runs
/// out.
const CHUNK: usize = 32 << 10;

/// Maximum number of steps per game, far fewer than elsewhere since an assistant waits.
const STEPS: u64 = 10_000_000;

/// Compiles a query, which may not access files, for the games from `from` on.
fn program(query: &str, from: u64) -> Result<Arc<Program>, String> {
    let mut options = CompileOptions {
        limits: Limits { steps: STEPS, ..Limits::default() },
        require_header: false,
        ..CompileOptions::default()
    };
    let (first, last) = compiled(query, &options)?.game_numbers();
    if from > first {
        let number = |n: u64| i32::try_from(n).unwrap_or(i32::MAX);
        options.gamenumber = Some((number(from), last.map_or(i32::MAX, number)));
    }
    let program = compiled(query, &options)?;
    match program.required_file() {
        Some(name) => Err(format!("the query may not read {name} here")),
        None => Ok(program),
    }
}

/// Compiles a text.
pub(super) fn compiled(query: &str, options: &CompileOptions) -> Result<Arc<Program>, String> {
    let source = Source { name: "the query", text: query.as_bytes() };
    compile(&source, &[], options).program.ok_or_else(|| {
        let errors = queries::errors(query);
        errors.unwrap_or_else(|| "the query cannot be compiled".to_owned())
    })
}

/// Row writer for matching games; `None` for PGN.
type Writer = Option<Box<dyn RowWriter>>;

/// Pass over the games that ends when its time is over.
pub(super) struct Pass<'a> {
    asked: &'a Asked<'a>,
    games: &'a Games,
    program: Arc<Program>,
    cancel: Cancel,
    /// Stops the timer when it is dropped.
    _timer: Sender<()>,
}

impl<'a> Pass<'a> {
    pub(super) fn new(
        asked: &'a Asked<'a>,
        program: Arc<Program>,
        seconds: u64,
    ) -> Result<Pass<'a>, String> {
        let cancel = Cancel::default();
        Ok(Pass {
            asked,
            games: asked.games()?,
            program,
            _timer: timer(cancel.clone(), asked.cancel.clone(), seconds),
            cancel,
        })
    }

    /// Evaluates the query on the games, once for each of `writers`. It is given up under the same
    /// conditions as in a search.
    pub(super) fn run(
        &self,
        writers: &(dyn Fn() -> Vec<Writer> + Sync),
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> Result<Summary, String> {
        let (program, inputs) = (&self.program, &self.games.inputs);
        let last_game_number = match program.needs_last_game_number() {
            true => flow::count_games(inputs.sources()),
            false => 0,
        };
        let run: Arc<QueryRun> = Arc::default();
        let worker = || {
            GameWorker::new(writers().into_iter().map(|writer| {
                let query = QueryWorker::new(program.clone())
                    .with_run(run.clone())
                    .with_last_game_number(last_game_number);
                match writer {
                    Some(writer) => query.with_writer(writer),
                    None => query,
                }
            }))
        };
        // An unused archive does not change the results, so it is not reported.
        let mut tell = |_: &_| {};
        let stretches = self.games.stretches(false, &self.cancel, &mut tell);
        let walk = Walk { inputs, stretches: &stretches };
        let mut progress = Progress::new(self.asked, self.games, &stretches);
        let mut first_fault = None;
        let mut guarded = |out: Output<Vec<Found>>| {
            progress.note(&out);
            let read = (out.first_game + out.n_games).saturating_sub(1);
            run.check_after(program, read).map_err(io::Error::other)?;
            if first_fault.is_none() {
                first_fault = out.faults.first().map(fault);
            }
            sink(out)
        };
        let screens = Screens::of([&**program]);
        let n_threads = threads(Threads::Default);
        let options = RunOptions {
            chunk_bytes: CHUNK,
            ..run_options([&**program], n_threads, inputs.size(), self.cancel.clone())
        };
        let ran = walk.run(&screens, &options, &worker, &mut tell, &mut guarded);
        let (summary, _) = ran.map_err(|error| error.to_string())?;
        match first_fault.filter(|_| run.has_only_failed()) {
            Some(fault) => Err(format!("{FAILED_EVERYWHERE}; {fault}")),
            None => Ok(summary),
        }
    }
}

/// Formats an issue of a game.
fn fault(fault: &GameFault) -> String {
    let GameFault { number, message, .. } = fault;
    format!("game {number}: {message}")
}

/// Cancels `cancel` after a time, or when `asked` is cancelled. Dropping the returned sender stops
/// the timer.
pub(super) fn timer(cancel: Cancel, asked: Cancel, seconds: u64) -> Sender<()> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let end = Instant::now() + Duration::from_secs(seconds);
        while receiver.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
            if asked.is_cancelled() || Instant::now() >= end {
                return cancel.cancel();
            }
        }
    });
    sender
}

/// Issues of the games that were read.
#[derive(Default)]
pub(super) struct Faults {
    n: u64,
    /// Texts of the first issues, and of inputs that cannot be read.
    told: Vec<String>,
}

impl Faults {
    pub(super) fn note<R>(&mut self, out: &Output<R>) {
        out.faults.iter().for_each(|one| self.tell(fault(one)));
        if let Some(failure) = &out.failure {
            self.tell(format!("{}: {failure}", out.origin.name));
        }
    }

    fn tell(&mut self, message: String) {
        self.n += 1;
        if self.told.len() < MOST_FAULTS {
            self.told.push(message);
        }
    }

    /// Returns the first issue.
    pub(super) fn first(&self) -> Option<&str> {
        self.told.first().map(String::as_str)
    }

    /// Adds the issues to the structured result and to the text.
    pub(super) fn add_to(&self, told: &mut Value, text: &mut String) {
        if let Some(first) = self.first() {
            told["faults"] = json!(self.n);
            told["first_faults"] = json!(self.told);
            *text += &format!("\n{} faults, the first: {first}", self.n);
        }
    }
}

/// Adds the warnings about the query. If it searched all games in vain, these include names of
/// the games that it may have meant.
fn add_warnings(
    pass: &Pass<'_>,
    query: &str,
    is_in_vain: bool,
    told: &mut Value,
    text: &mut String,
) {
    let mut lines = queries::warnings(query);
    if is_in_vain {
        let source = Source { name: "query", text: query.as_bytes() };
        let asked = NamesAsked::of(&source, &[]);
        lines.extend(near(&asked, &pass.games.inputs, threads(Threads::Default), HINT_TIME));
    }
    if !lines.is_empty() {
        *text += &format!("\n{}", lines.join("\n"));
        told["warnings"] = json!(lines);
    }
}

/// Returns the first games that match, or the best ones if the query sorts them.
pub(super) fn search(given: &Given<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let program = program(given.text("query"), given.number("from"))?;
    let limit = given.number("limit");
    let ascending = program.sort_directions();
    Teller::new(&program)?;
    let pass = Pass::new(asked, program.clone(), given.number("seconds"))?;
    let mut kept = Kept::new(limit);
    let (mut n_matches, mut searched, mut is_enough) = (0, 0, false);
    let mut faults = Faults::default();
    let mut sink = |mut out: Output<Vec<Found>>| {
        if is_enough {
            return Ok(());
        }
        let mut found = out.results.pop().unwrap_or_default();
        // With a sort key, the best game may come last.
        if ascending.is_empty()
            && let Some(last) = cut_behind(&mut found, limit - n_matches)
        {
            forget_behind(&mut out, last);
            is_enough = true;
            pass.cancel.cancel();
        }
        searched = (out.first_game + out.n_games).saturating_sub(1);
        faults.note(&out);
        n_matches += found.matches.len() as u64;
        for game in &found.matches {
            kept.add_best(game, &found.text[game.text.clone()], &ascending);
        }
        Ok(())
    };
    let writers = || vec![teller(&program)];
    let summary = pass.run(&writers, &mut sink)?;
    let mut games: Vec<Value> = Vec::new();
    let taken = kept.finish(&ascending, &mut |text| {
        games.push(serde_json::from_slice(text)?);
        Ok(())
    });
    taken.map_err(|error| error.to_string())?;
    let mut told = json!({ "games": games, "searched_up_to": searched });
    let n_shown = games.len();
    let order = if ascending.is_empty() { "first" } else { "best" };
    let mut text = match (summary.cancelled, is_enough) {
        (true, true) => {
            told["ended_by"] = json!("limit");
            told["next"] = json!(searched + 1);
            let next = searched + 1;
            format!("the first {n_shown} matching games; continue the search with `from` {next}")
        }
        (true, false) => {
            told["ended_by"] = json!("time");
            told["matches_so_far"] = json!(n_matches);
            told["next"] = json!(searched + 1);
            format!("time ran out after game {searched}; {n_matches} games match so far")
        }
        (false, _) => {
            told["total"] = json!(n_matches);
            format!("{n_matches} games match; the {order} {n_shown}:")
        }
    };
    for game in &games {
        text += &format!("\n{}", line(game));
    }
    faults.add_to(&mut told, &mut text);
    let is_in_vain = n_matches == 0 && !summary.cancelled;
    add_warnings(&pass, given.text("query"), is_in_vain, &mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Returns the row writer; the program is known to have its columns.
fn teller(program: &Program) -> Writer {
    let teller = Teller::new(program).ok()?;
    Some(Box::new(teller))
}

/// Counts matching games and positions.
pub(super) fn count(given: &Given<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let program = program(given.text("query"), 1)?;
    let by = given.texts("by");
    let options =
        TableOptions { format: Format::Jsonl, counts: Some(by.clone()), ..TableOptions::default() };
    let table = Table::new(&program, &options).map_err(|error| error.to_string())?;
    let mut groups = table.begin(Vec::new()).map_err(|error| error.to_string())?;
    let (mut n_matches, mut n_positions) = (0, 0);
    let mut faults = Faults::default();
    let mut sink = |out: Output<Vec<Found>>| {
        faults.note(&out);
        let found = out.results.into_iter().next().unwrap_or_default();
        n_matches += found.matches.len() as u64;
        n_positions += found.n_matching_positions;
        groups.chunk(&found)
    };
    let pass = Pass::new(asked, program, given.number("seconds"))?;
    let summary = pass.run(&|| vec![table.row_writer()], &mut sink)?;
    let n_searched = summary.n_games;
    let mut told = json!({
        "games": n_matches, "positions": n_positions, "searched": n_searched,
    });
    let mut text = format!("{n_matches} of {n_searched} games match, in {n_positions} positions");
    if summary.cancelled {
        told["ended_by"] = json!("time");
        text += "; time ran out before the last game";
    }
    if !by.is_empty() {
        let lines = groups.finish(&Totals::default());
        let lines = lines.map_err(|error| error.to_string())?;
        add_groups(&lines, given.number("limit"), &mut told, &mut text);
    }
    faults.add_to(&mut told, &mut text);
    let is_in_vain = n_matches == 0 && !summary.cancelled;
    add_warnings(&pass, given.text("query"), is_in_vain, &mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Adds the groups of a count, one per line, to the result, those with the most games first.
fn add_groups(lines: &[u8], limit: u64, told: &mut Value, text: &mut String) {
    let lines = lines.split(|&byte| byte == b'\n');
    let mut groups: Vec<Value> =
        lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let size = |group: &Value| (group["games"].as_u64(), group["positions"].as_u64());
    groups.sort_by_key(|group| std::cmp::Reverse(size(group)));
    told["total_groups"] = json!(groups.len());
    *text += &format!("; {} groups", groups.len());
    groups.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
    let groups: Vec<Value> = groups.into_iter().map(bounded).collect();
    for group in groups.iter().take(GROUPS_IN_WORDS) {
        *text += &format!("\n{group}");
    }
    if groups.len() > GROUPS_IN_WORDS {
        *text += "\n…";
    }
    told["groups"] = groups.into();
}
