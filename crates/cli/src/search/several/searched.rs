//! Runs the pass of several queries and distributes its results.

use std::mem;

use engine::GameWorker;
use flow::{GameFault, Output};

use super::labels::Labels;
use super::query::Ready;
use super::results::{Running, Table};
use super::summary::Line;
use super::view::View;
use super::{Request, Results, Wanted};
use crate::failure::{Failure, context};
use crate::output::forget_behind;
use crate::search::Stdout;
use crate::search::pass::Pass;

/// Results of a pass.
pub(super) struct Passed {
    /// Summaries, one for each query.
    pub(super) lines: Vec<Line>,
    /// Number of games read.
    pub(super) n_games: u64,
    /// Whether every query could be evaluated on every game of every input.
    pub(super) is_sound: bool,
}

/// Runs all queries and completes their outputs.
pub(super) fn search(
    request: &Request<'_>,
    queries: &[&Ready],
    pass: &Pass<'_>,
    console: &mut Stdout,
) -> Result<Passed, Failure> {
    let read = &*pass.file_rules.originals;
    let running = queries.iter();
    let running = running.map(|query| Running::new(query, request, read));
    let mut running = running.collect::<Result<Vec<Running<'_>>, Failure>>()?;
    let mut table = Table::new(queries, request, read)?;
    let mut view = View::new(request, pass.inputs);
    let mut labels = match request.tag_puzzles {
        Some(_) => {
            let names = queries.iter().map(|query| query.name.clone());
            Some(Labels::new(names.collect())?)
        }
        None => None,
    };
    let worker = pass.run(|mut out| {
        let parts = mem::take(&mut out.results);
        let mut faults: Vec<Vec<GameFault>> = vec![Vec::new(); parts.len()];
        for fault in out.faults.extract_if(.., |fault| fault.part.is_some()) {
            faults[fault.part.unwrap_or_default()].push(fault);
        }
        let (mut rest, mut said) = (Vec::new(), String::new());
        for ((query, found), faults) in running.iter_mut().zip(parts).zip(faults) {
            let part = Output {
                first_game: out.first_game,
                n_games: out.n_games,
                origin: out.origin.clone(),
                faults,
                results: found,
                ..Output::default()
            };
            let (found, faults) = query.take(part, console)?;
            said += &faults;
            rest.push(found);
        }
        let is_enough = running.iter().all(Running::is_over);
        if is_enough {
            let last = running.iter().map(Running::last_game).max();
            forget_behind(&mut out, last.unwrap_or(0));
        }
        view.see(&out)?;
        view.say(&said);
        if let Some(labels) = &mut labels {
            labels.add(&rest);
        }
        if let Some(table) = &mut table {
            table.add(&rest)?;
        }
        view.draw(&running);
        Ok(is_enough)
    })?;
    let n_games = view.n_games();
    if let Wanted::Shard(shard) = &request.games {
        let is_all = !queries.iter().any(|query| query.has_last_game());
        let n_wanted = is_all.then_some(shard.n_games);
        view.check_whole(n_wanted).map_err(Failure::Message)?;
    }
    let inputs_are_sound = view.finish(&running)?;
    let is_sound = inputs_are_sound && !running.iter().any(Running::has_failed);
    if running.iter().any(Running::is_defect)
        && let Some(place) = crate::last_panic()
    {
        tell_line!("please report this defect of cql: {place}");
    }
    if let Some(table) = table {
        table.finish(console).map_err(|error| match pass.is_closed(&error) {
            true => Failure::Closed,
            false => context(format!("cannot write {}", table_name(request)), &error),
        })?;
    }
    if let (Some(labels), Some(file)) = (labels, request.tag_puzzles) {
        labels.write(pass.inputs, file, request.outputs.force)?;
    }
    let lines = running.into_iter().map(|query| query.finish(console));
    let lines = lines.collect::<Result<Vec<Line>, Failure>>()?;
    let of_worker = worker.iter().flat_map(GameWorker::queries);
    for (query, worker) in queries.iter().zip(of_worker) {
        for line in worker.persistent_report() {
            console.line([query.name.as_bytes(), b": ", &line].concat());
        }
    }
    Ok(Passed { lines, n_games, is_sound })
}

/// Returns the name of the common table for messages.
fn table_name(request: &Request<'_>) -> String {
    match request.results {
        Results::Table(Some(file)) => file.display().to_string(),
        _ => "standard output".to_owned(),
    }
}

/// Returns the number of threads: 1 if a query requires it, which is reported.
pub(super) fn threads(queries: &[&Ready], request: &Request<'_>) -> usize {
    let reason = queries.iter().find_map(|query| {
        let reason = query.job.program.sequential_reason()?;
        Some((&query.name, reason))
    });
    match reason {
        Some((name, reason)) => {
            tell_line!("{name}: running single-threaded because {reason}");
            1
        }
        None => request.threads,
    }
}
