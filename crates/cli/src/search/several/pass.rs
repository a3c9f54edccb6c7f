//! The pass over the games.

use std::io;
use std::mem;

use engine::{Found, GameWorker, QueriesWorker};
use flow::{GameFault, Output, RunOptions};

use super::query::Ready;
use super::results::{Running, Table};
use super::summary::Line;
use super::view::View;
use super::{Request, Results};
use crate::failure::{Failure, context};
use crate::files::{FileRules, Files};
use crate::interrupt;
use crate::output::forget_behind;
use crate::search::Stdout;
use crate::search::watch::Ended;
use input::Inputs;

/// Queries and the games that they are run on.
pub(super) struct Pass<'a> {
    pub(super) request: &'a Request<'a>,
    pub(super) inputs: &'a Inputs,
    pub(super) queries: &'a [&'a Ready],
    /// How far the queries are trusted with files.
    pub(super) file_rules: FileRules,
}

/// What a pass came to.
pub(super) struct Passed {
    /// One for each query.
    pub(super) lines: Vec<Line>,
    /// Games read.
    pub(super) n_games: u64,
    pub(super) threads: usize,
    /// Every query could be evaluated on every game of every input.
    pub(super) is_sound: bool,
}

impl Pass<'_> {
    /// Runs all queries and puts their outputs in place.
    pub(super) fn run(&self, console: &mut Stdout) -> Result<Passed, Failure> {
        let queries = self.queries;
        let options = self.options();
        let running = queries
            .iter()
            .map(|query| Running::new(query, self.request));
        let mut running = running.collect::<Result<Vec<Running<'_>>, Failure>>()?;
        let mut table = Table::new(queries, self.request)?;
        let mut view = View::new(self.request, self.inputs);
        let make = |index: usize| self.worker(index);
        let make_worker = || QueriesWorker::new(queries.len(), &make);
        let mut is_enough = false;
        let mut sink = |mut out: Output<Vec<Found>>| {
            if is_enough {
                return Ok(());
            }
            let mut parts = mem::take(&mut out.results);
            parts.resize_with(running.len(), Found::default);
            let mut faults: Vec<Vec<GameFault>> = vec![Vec::new(); running.len()];
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
            is_enough = running.iter().all(Running::is_over);
            if is_enough {
                options.cancel.cancel();
                let last = running.iter().map(Running::last_game).max();
                forget_behind(&mut out, last.unwrap_or(0));
            }
            view.see(&out)?;
            view.say(&said);
            if let Some(table) = &mut table {
                table.add(&rest)?;
            }
            view.draw(&running);
            Ok(())
        };
        let is_stdout = matches!(self.request.results, Results::Table(None));
        let closed = |error: &io::Error| is_stdout && error.kind() == io::ErrorKind::BrokenPipe;
        let result = flow::run(self.inputs.sources(), &options, make_worker, &mut sink);
        let (summary, workers) = result.map_err(|error| match error.get_ref() {
            _ if closed(&error) => Failure::Closed,
            Some(inner) if inner.is::<Ended>() => Failure::Message(inner.to_string()),
            _ => context(format!("searching {}", self.inputs.name()), &error),
        })?;
        if summary.cancelled && !is_enough {
            return Err(Failure::Interrupted);
        }
        let n_games = view.n_games();
        let inputs_are_sound = view.finish(&running)?;
        let is_sound = inputs_are_sound && !running.iter().any(Running::has_failed);
        if running.iter().any(Running::is_defect)
            && let Some(place) = crate::last_panic()
        {
            tell_line!("please report this defect of cql: {place}");
        }
        if let Some(table) = table {
            table
                .finish(console)
                .map_err(|error| match closed(&error) {
                    true => Failure::Closed,
                    false => context(format!("cannot write {}", self.table_name()), &error),
                })?;
        }
        let lines = running.into_iter().map(|query| query.finish(console));
        let lines = lines.collect::<Result<Vec<Line>, Failure>>()?;
        if let Some(worker) = workers.first() {
            for (index, query) in queries.iter().enumerate() {
                for line in worker.persistent_report(index) {
                    console.line([query.name.as_bytes(), b": ", &line].concat());
                }
            }
        }
        Ok(Passed {
            lines,
            n_games,
            threads: options.threads,
            is_sound,
        })
    }

    /// The table of all queries, as messages name it.
    fn table_name(&self) -> String {
        match self.request.results {
            Results::Table(Some(file)) => file.display().to_string(),
            _ => "standard output".to_owned(),
        }
    }

    fn options(&self) -> RunOptions {
        let mut options = RunOptions::new(interrupt::cancel().clone());
        options.threads = self.threads();
        options.size = self.inputs.size();
        let numbers = self
            .queries
            .iter()
            .map(|query| query.program.game_numbers());
        options.first_game = numbers.clone().map(|(first, _)| first).min().unwrap_or(1);
        // if every query has a last game
        let lasts: Option<Vec<u64>> = numbers.map(|(_, last)| last).collect();
        options.last_game = lasts.and_then(|lasts| lasts.into_iter().max());
        options
    }

    /// How many threads search; one if a query cannot do with more.
    fn threads(&self) -> usize {
        let mut queries = self.queries.iter();
        let reason = queries.find_map(|query| {
            let reason = query.program.sequential_reason()?;
            Some((&query.name, reason))
        });
        match reason {
            Some((name, reason)) => {
                tell_line!("{name}: running single-threaded because {reason}");
                1
            }
            None => self.request.threads,
        }
    }

    /// A worker for the query of this index.
    fn worker(&self, index: usize) -> GameWorker<'_> {
        let query = self.queries[index];
        let mut worker = GameWorker::new(&query.program)
            .with_files(Box::new(Files::new(self.file_rules.clone())))
            .with_last_game_number(query.last_game_number)
            .with_hope(query.hope.clone());
        if let Some(rows) = &query.rows {
            worker = worker.with_writer(rows.writer());
        }
        match self.request.outputs.exclude {
            true => worker.with_complement(),
            false => worker,
        }
    }
}
