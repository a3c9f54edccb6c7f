//! A pass over games with one or several programs.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use engine::{Found, GameWorker, Program, QueryRun, QueryWorker, RowWriter, run_options};
use flow::{Output, Sources, Summary};
use input::Inputs;

use crate::lines::Lines;

/// Programs that are evaluated on the same games.
pub(crate) struct Job {
    programs: Vec<(Arc<Program>, Arc<QueryRun>)>,
    last_game_number: u64,
}

impl Job {
    pub(crate) fn new(programs: impl IntoIterator<Item = Arc<Program>>) -> Job {
        let programs = programs.into_iter();
        Job {
            programs: programs.map(|program| (program, Arc::default())).collect(),
            last_game_number: 0,
        }
    }

    /// Whether the first program takes too much on every game.
    fn is_endless(&self) -> bool {
        self.programs.iter().any(|(_, run)| run.is_endless())
    }

    /// Evaluates the programs on all games, and says how far that is. What comes of a chunk is
    /// given to `take`; `writer` makes text of the games that match.
    pub(crate) fn run(
        &mut self,
        inputs: &Inputs,
        threads: usize,
        lines: &Lines,
        writer: &(dyn Fn() -> Option<Box<dyn RowWriter>> + Sync),
        take: &mut dyn FnMut(Output<Vec<Found>>) -> io::Result<()>,
    ) -> Result<Summary, String> {
        let progress = lines.progress.clone();
        // Counting beforehand is no part of the progress.
        self.count(inputs);
        let _ = progress.meter.set(inputs.meter());
        progress
            .size
            .store(inputs.size().unwrap_or(0), Ordering::Relaxed);
        let programs = self.programs.iter().map(|(program, _)| &**program);
        let options = run_options(programs, threads, inputs.size(), lines.cancel.clone());
        let mut sink = |mut out: Output<Vec<Found>>| {
            progress.games.fetch_add(out.n_games, Ordering::Relaxed);
            out.results.resize_with(self.programs.len(), Found::default);
            let n_matches = out.results.first().map_or(0, |found| found.matches.len());
            progress
                .matches
                .fetch_add(n_matches as u64, Ordering::Relaxed);
            if self.is_endless() {
                return Err(io::Error::other(
                    "the query takes too many steps on each of the first games",
                ));
            }
            take(out)
        };
        let worker = || GameWorker::new(self.workers(writer));
        let result = flow::run(inputs.sources(), &options, worker, &mut sink);
        match result {
            Ok((summary, _)) => Ok(summary),
            Err(error) => Err(error.to_string()),
        }
    }

    fn workers(
        &self,
        writer: &(dyn Fn() -> Option<Box<dyn RowWriter>> + Sync),
    ) -> impl Iterator<Item = QueryWorker> {
        self.programs.iter().map(|(program, run)| {
            let worker = QueryWorker::new(program.clone())
                .with_last_game_number(self.last_game_number)
                .with_run(run.clone());
            match writer() {
                Some(writer) => worker.with_writer(writer),
                None => worker,
            }
        })
    }

    fn count(&mut self, inputs: &Inputs) {
        let needs = |(program, _): &(Arc<Program>, _)| program.needs_last_game_number();
        if self.programs.iter().any(needs) {
            let sources: Box<Sources<'_>> = inputs.sources();
            self.last_game_number = flow::count_games(sources);
        }
    }
}
