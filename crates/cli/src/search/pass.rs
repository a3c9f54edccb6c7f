//! The pass over the games that a search makes, be it for one query or for several.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use engine::{Found, GameScreen, GameWorker, Program, QueryRun, QueryWorker, run_options};
use flow::{GameSource, Origin, Output, RunOptions, Sink, Sources, Unreadable};

use super::archived::{Screens, Searcher, Stretch};
use super::watch::Ended;
use crate::failure::{Failure, context};
use crate::files::{FileRules, Files};
use crate::interrupt;
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

    /// The workers are those of the last stretch: what they keep across games is asked for only
    /// where there is one.
    fn run_stretches<F: Fn() -> GameWorker + Sync>(
        &self,
        options: &RunOptions,
        make_worker: &F,
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> io::Result<Vec<GameWorker>> {
        let is_sequential = |job: &&Job| job.program.sequential_reason().is_some();
        let is_sequential = self.jobs.iter().any(is_sequential);
        let is_cut = self.stretches.len() > 1 && is_sequential;
        if is_cut || matches!(self.stretches, [] | [Stretch::Text(_)]) {
            return Ok(flow::run(self.inputs.sources(), options, make_worker, sink)?.1);
        }
        let screen = |job: &&Job| match self.exclude {
            true => GameScreen::default(),
            false => GameScreen::of(&job.program),
        };
        let screens = Screens::new(self.jobs.iter().map(screen).collect());
        let mut workers = Vec::new();
        let mut n_games = 0;
        for stretch in self.stretches {
            let is_over = options.last_game.is_some_and(|last| n_games > last);
            if is_over || options.cancel.is_cancelled() {
                break;
            }
            let before = n_games;
            let mut count = |out: Output<Vec<Found>>| {
                n_games += out.n_games;
                sink(out)
            };
            workers = match stretch {
                Stretch::Text(files) => {
                    let sources = self.sources(files, before);
                    flow::run(sources, options, make_worker, &mut count)?.1
                }
                Stretch::Archive(archived, files) => {
                    let mut damaged_at = None;
                    let mut guarded = |mut out: Output<Vec<Found>>| {
                        let is_damaged = out.failure.is_some() && archived.damage().is_some();
                        if is_damaged && !is_sequential {
                            out.failure = None;
                            damaged_at = Some(out.first_game + out.n_games);
                            if out.n_games == 0 {
                                return Ok(());
                            }
                        }
                        count(out)
                    };
                    let make_searcher = || Searcher::new(archived, before, &screens, make_worker());
                    let origin = Origin::default();
                    let ranges = archived.ranges(before);
                    let (_, searchers) =
                        flow::run_ranges(&origin, ranges, options, make_searcher, &mut guarded)?;
                    match damaged_at {
                        None => searchers.into_iter().map(Searcher::into_worker).collect(),
                        Some(next) => {
                            let (name, damage) = (archived.name(), archived.damage());
                            let damage = damage.unwrap_or_default();
                            tell_line!("{name}: {damage}; the text is searched");
                            let mut options = options.clone();
                            options.first_game = options.first_game.max(next);
                            let mut behind =
                                |mut out: Output<Vec<Found>>| match forget_before(&mut out, next) {
                                    true => count(out),
                                    false => Ok(()),
                                };
                            let sources = self.sources(files, before);
                            flow::run(sources, &options, make_worker, &mut behind)?.1
                        }
                    }
                }
            };
        }
        Ok(workers)
    }

    /// The sources of some of the inputs, if so many games come before them.
    fn sources(&self, files: &Range<usize>, before: u64) -> Box<Sources<'_>> {
        let (end, mut is_first) = (files.end, true);
        let sources = self.inputs.sources_from(files.start);
        let sources = sources.take_while(move |(file, _)| *file < end);
        Box::new(sources.map(move |(_, source)| {
            let mut source: Result<GameSource<'_>, Unreadable> = source;
            if let Ok(source) = &mut source
                && std::mem::take(&mut is_first)
            {
                source.games_before = Some(before);
            }
            source
        }))
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
        if let Some(writer) = job.table.row_writer() {
            worker = worker.with_writer(writer);
        }
        match self.exclude {
            true => worker.with_complement(),
            false => worker,
        }
    }
}

/// Leaves out the games before one, that come of another run; whether others are left.
fn forget_before(out: &mut Output<Vec<Found>>, first: u64) -> bool {
    let n_before = first.saturating_sub(out.first_game).min(out.n_games);
    if n_before > 0 && n_before == out.n_games {
        return false;
    }
    out.first_game += n_before;
    out.n_games -= n_before;
    out.faults.retain(|fault| fault.number >= first);
    true
}
