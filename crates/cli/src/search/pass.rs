//! One pass over the games of a search, for one query or several.

use std::io;
use std::sync::Arc;

use archived::{Screens, Stretch, Walk};
use engine::{Found, GameWorker, Program, QueryRun, QueryWorker, run_options};
use flow::{Output, RunOptions, Sink};

use super::watch::Ended;
use crate::failure::{Failure, context};
use crate::files::{FileRules, Files};
use crate::games::tell_unused;
use crate::interrupt;
use crate::programs::Asked;
use input::Inputs;
use table::Table;

/// A program with everything that its workers need.
pub(crate) struct Job {
    pub(crate) program: Arc<Program>,
    /// Converts matching games to the output format.
    pub(crate) table: Table,
    pub(crate) run: Arc<QueryRun>,
    pub(crate) last_game_number: u64,
}

impl Job {
    pub(crate) fn new(program: Arc<Program>) -> Job {
        Job { program, table: Table::default(), run: Arc::default(), last_game_number: 0 }
    }
}

/// Programs and the games on which they are evaluated.
pub(crate) struct Pass<'a> {
    pub(crate) jobs: Vec<&'a Job>,
    pub(crate) inputs: &'a Inputs,
    /// Runs of inputs, each searched through an archive or as text.
    pub(crate) stretches: &'a [Stretch<'a>],
    pub(crate) threads: usize,
    /// Whether the games that do *not* match are written (`--exclude`).
    pub(crate) exclude: bool,
    /// Rules for the files that queries may read and write.
    pub(crate) file_rules: FileRules,
    /// External programs that the queries use.
    pub(crate) programs: Option<Arc<Asked>>,
    /// Whether results go to standard output.
    pub(crate) is_stdout: bool,
    /// Description of the activity, the context of error messages.
    pub(crate) what: String,
}

impl Pass<'_> {
    /// Evaluates all programs on the games. `take` receives the results of each chunk in input
    /// order, one for each program, and returns `true` to stop the search early. Returns the first
    /// of the workers, which holds the values of persistent variables.
    pub(crate) fn run(
        &self,
        mut take: impl FnMut(Output<Vec<Found>>) -> io::Result<bool>,
    ) -> Result<Option<GameWorker>, Failure> {
        let options = self.options();
        let make_worker = || GameWorker::new(self.jobs.iter().map(|job| self.worker(job)));
        let mut is_enough = false;
        let mut sink = |mut out: Output<Vec<Found>>| {
            if is_enough {
                return Ok(());
            }
            out.results.resize_with(self.jobs.len(), Found::default);
            is_enough = take(out)?;
            if is_enough {
                options.cancel.cancel();
            }
            Ok(())
        };
        let result = self.run_stretches(&options, &make_worker, &mut sink);
        let workers = result.map_err(|error| match error.get_ref() {
            _ if self.is_closed(&error) => Failure::Closed,
            Some(inner) if inner.is::<Ended>() => Failure::Message(inner.to_string()),
            _ => context(self.what.as_str(), &error),
        })?;
        match options.cancel.is_cancelled() && !is_enough {
            true => Err(Failure::Interrupted),
            false => Ok(workers.into_iter().next()),
        }
    }

    fn run_stretches<F: Fn() -> GameWorker + Sync>(
        &self,
        options: &RunOptions,
        make_worker: &F,
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> io::Result<Vec<GameWorker>> {
        let walk = Walk { inputs: self.inputs, stretches: self.stretches };
        let programs = self.jobs.iter().map(|job| &*job.program);
        let screens = match self.exclude {
            true => Screens::open(programs),
            false => Screens::of(programs),
        };
        let walked = walk.run(&screens, options, make_worker, &mut tell_unused, sink);
        walked.map(|(_, workers)| workers)
    }

    /// Whether the error means that the reader of standard output has gone.
    pub(crate) fn is_closed(&self, error: &io::Error) -> bool {
        self.is_stdout && error.kind() == io::ErrorKind::BrokenPipe
    }

    fn options(&self) -> RunOptions {
        let programs = self.jobs.iter().map(|job| &*job.program);
        let cancel = interrupt::cancel().clone();
        run_options(programs, self.threads, self.inputs.size(), cancel)
    }

    fn worker(&self, job: &Job) -> QueryWorker {
        let mut worker = QueryWorker::new(job.program.clone())
            .with_files(Box::new(Files::new(self.file_rules.clone())))
            .with_last_game_number(job.last_game_number)
            .with_run(job.run.clone());
        if let Some(programs) = &self.programs {
            worker = worker.with_programs(programs.of_worker());
        }
        if let Some(writer) = job.table.row_writer() {
            worker = worker.with_writer(writer);
        }
        match self.exclude {
            true => worker.with_complement(),
            false => worker,
        }
    }
}
