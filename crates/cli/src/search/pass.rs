//! The pass over the games that a search makes, be it for one query or for several.

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

/// A program that is ready to run, with what its workers are given.
pub(crate) struct Job {
    pub(crate) program: Arc<Program>,
    /// What becomes of the games that match.
    pub(crate) table: Table,
    pub(crate) run: Arc<QueryRun>,
    pub(crate) last_game_number: u64,
}

impl Job {
    pub(crate) fn new(program: Arc<Program>) -> Job {
        Job {
            program,
            table: Table::default(),
            run: Arc::default(),
            last_game_number: 0,
        }
    }
}

/// Programs and the games that they are run on.
pub(crate) struct Pass<'a> {
    pub(crate) jobs: Vec<&'a Job>,
    pub(crate) inputs: &'a Inputs,
    /// By what they are searched.
    pub(crate) stretches: &'a [Stretch<'a>],
    pub(crate) threads: usize,
    /// Games are written that do not match.
    pub(crate) exclude: bool,
    /// How far the queries are trusted with files.
    pub(crate) file_rules: FileRules,
    /// The programs that they ask.
    pub(crate) programs: Option<Arc<Asked>>,
    /// Standard output is for results.
    pub(crate) is_stdout: bool,
    /// What is done, as messages say it.
    pub(crate) what: String,
}

impl Pass<'_> {
    /// Evaluates all programs on the games. What comes of a chunk is given to `take` in the order of
    /// the games, with a result for each program; it says whether that is enough. The first of the
    /// workers comes back, for what it keeps across games.
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
        let walk = Walk {
            inputs: self.inputs,
            stretches: self.stretches,
        };
        let programs = self.jobs.iter().map(|job| &*job.program);
        let screens = match self.exclude {
            true => Screens::open(programs),
            false => Screens::of(programs),
        };
        let walked = walk.run(&screens, options, make_worker, &mut tell_unused, sink);
        walked.map(|(_, workers)| workers)
    }

    /// Whether an error says that nobody reads the results any more.
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
