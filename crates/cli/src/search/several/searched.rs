//! Runs the pass of several queries and distributes its results.

use std::mem;
use std::ops::ControlFlow;
use std::path::Path;

use babson::{Query, ScanPlan, Search};
use flow::{GameFault, Output};
use input::Inputs;
use survey::puzzle::{LabelError, Labels};

use super::query::PreparedQuery;
use super::results::{CombinedTable, Running};
use super::summary::QuerySummary;
use super::view::View;
use super::{Request, Results, RunInput};
use crate::failure::{Failure, context};
use crate::games::tell_unused;
use crate::interrupt;
use crate::output::{NewFile, Replace, Rules, tell_replaced};
use crate::search::Stdout;
use crate::search::pass::{Common, Context};

/// Results of a pass.
pub(super) struct PassSummary {
    /// Summaries, one for each query.
    pub(super) lines: Vec<QuerySummary>,
    /// Number of games read.
    pub(super) n_games: u64,
    /// Number of threads.
    pub(super) threads: usize,
    /// Whether every query could be evaluated on every game of every input.
    pub(super) is_sound: bool,
}

/// Runs all queries and completes their outputs.
pub(super) fn search(
    request: &Request<'_>,
    queries: &[(&PreparedQuery, Query)],
    (walk, common, last_game_number): (&ScanPlan<'_>, &Common<'_>, u64),
    console: &mut Stdout,
) -> Result<PassSummary, Failure> {
    tell_reason_for_one_thread(queries);
    let inputs = walk.inputs;
    let read = &*common.file_rules.originals;
    let running = queries.iter();
    let running =
        running.map(|(query, wanted)| Running::new(query, wanted, request, (inputs, read)));
    let mut running = running.collect::<Result<Vec<Running<'_>>, Failure>>()?;
    let mut table = CombinedTable::new(queries, request, read)?;
    let mut view = View::new(request, inputs);
    let mut labels = match request.tag_puzzles {
        Some(_) => {
            let names = queries.iter().map(|(query, _)| query.name.clone());
            Some(Labels::new(names.collect()).map_err(untagged)?)
        }
        None => None,
    };
    let place_of_errors = Context {
        is_stdout: request.results_on_stdout(),
        what: format!("searching {}", inputs.name()),
    };
    let search = Search::new(walk, queries.iter().map(|(_, wanted)| wanted.clone()))
        .threads(request.threads)
        .last_game_number(last_game_number)
        .cancel(interrupt::cancel());
    let threads = search.n_threads();
    let searched = search.run_each(&mut tell_unused, &mut |chunk| {
        let mut out = chunk.output;
        let parts = mem::take(&mut out.results);
        let mut faults: Vec<Vec<GameFault>> = vec![Vec::new(); parts.len()];
        for fault in out.faults.extract_if(.., |fault| fault.part.is_some()) {
            faults[fault.part.unwrap_or_default()].push(fault);
        }
        let (mut rest, mut said, mut messages) = (Vec::new(), Vec::new(), Vec::new());
        let all = running.iter_mut().zip(parts).zip(faults).zip(chunk.queries);
        for (((query, found), faults), state) in all {
            let part = Output {
                first_game: out.first_game,
                n_games: out.n_games,
                origin: out.origin.clone(),
                faults,
                results: found,
                ..Output::default()
            };
            let (found, faults) = query.take(part, state, &mut messages)?;
            said.extend(faults);
            rest.push(found);
        }
        // The ends of chunks depend on the threads; the order of the texts may not.
        messages.sort_by_key(|(number, _)| *number);
        messages.iter().for_each(|(_, text)| console.print(text));
        view.see(&out, said)?;
        if let Some(labels) = &mut labels {
            labels.add(&rest);
        }
        if let Some(table) = &mut table {
            table.add(&rest)?;
        }
        view.draw(&running);
        Ok(ControlFlow::Continue(()))
    });
    let summary = searched.map_err(|error| place_of_errors.failure(error))?;
    let n_games = view.n_games();
    if let RunInput::Shard(shard) = &request.games {
        let is_all = !queries.iter().any(|(query, _)| query.has_last_game());
        let n_wanted = is_all.then_some(shard.n_games);
        view.check_whole(n_wanted).map_err(Failure::Message)?;
    }
    let (is_whole, inputs_are_sound) = (view.is_whole(), view.finish(&running)?);
    let is_sound = inputs_are_sound && !running.iter().any(Running::has_failed);
    if running.iter().any(Running::is_defect)
        && let Some(place) = crate::terminal::last_panic()
    {
        tell_line!("please report this defect of cql: {place}");
    }
    if let Some(table) = table {
        let finished = table.finish(console);
        finished.map_err(|error| place_of_errors.unwritten(&table_name(request), &error))?;
    }
    if let (Some(labels), Some(file)) = (labels, request.tag_puzzles) {
        write_labels(&labels, inputs, file, request.outputs.force)?;
    }
    let pairs = running.into_iter().zip(&summary.queries);
    let lines =
        pairs.map(|(query, totals)| query.finish(totals.has_only_failed, is_whole, console));
    let lines = lines.collect::<Result<Vec<QuerySummary>, Failure>>()?;
    for ((query, _), totals) in queries.iter().zip(&summary.queries) {
        for line in &totals.persistent {
            console.line([query.name.as_bytes(), b": ", line].concat());
        }
    }
    Ok(PassSummary { lines, n_games, threads, is_sound })
}

/// Writes the table of puzzles with their labels.
fn write_labels(
    labels: &Labels,
    inputs: &Inputs,
    target: &Path,
    force: bool,
) -> Result<(), Failure> {
    let originals = inputs.originals();
    let failed = |error| context(format!("cannot write {}", target.display()), &error);
    let written = labels.write(inputs, |head| {
        NewFile::create(target, Rules::new(Replace::results(force, Some(head)), &originals))
    });
    let file = written.map_err(|error| match error {
        LabelError::Unwritable(error) => failed(error),
        error => untagged(error),
    })?;
    tell_replaced(&file, target);
    file.finish().map_err(failed)
}

fn untagged(error: LabelError) -> Failure {
    context("--tag-puzzles", &error)
}

/// Returns the name of the common table for messages.
fn table_name(request: &Request<'_>) -> String {
    match request.results {
        Results::Table(Some(file)) => file.display().to_string(),
        _ => "standard output".to_owned(),
    }
}

/// Reports that a query requires a single thread, and why.
fn tell_reason_for_one_thread(queries: &[(&PreparedQuery, Query)]) {
    let mut reasons = queries.iter().filter_map(|(query, _)| {
        let reason = query.program.sequential_reason()?;
        Some((&query.name, reason))
    });
    if let Some((name, reason)) = reasons.next() {
        tell_line!("{name}: running single-threaded because {reason}");
    }
}
