//! Evaluates one or several programs in a pass over games.

use std::io;
use std::sync::Arc;

use engine::{
    Found, GameWorker, KnownGame, KnownWorker, Program, QueryRun, QueryWorker, RowWriter,
    TooManySteps, run_options,
};
use flow::{Cancel, FaultKind, Output, RunOptions, Sink, Sources, Summary, Worker};
use pgn::RawGame;
use serde_json::Value;

use crate::collection::{Counter, Counts};

/// Owner of the games of a pass, and receiver of its results.
pub trait Host {
    /// Returns the sources of the games.
    fn sources(&self) -> Box<Sources<'_>>;

    /// Returns the total number of bytes, if it is known.
    fn size(&self) -> Option<u64>;

    /// Returns the number of threads that evaluate games.
    fn threads(&self) -> usize;

    /// Returns the cancellation of the pass.
    fn cancel(&self) -> Cancel;

    /// Returns the number of seconds since the pass began.
    fn seconds(&self) -> f64;

    /// Receives complete lines of JSON.
    ///
    /// # Errors
    /// The receiver is gone.
    fn tell(&self, lines: Vec<u8>) -> io::Result<()>;

    /// Receives the number of further bytes and games that have been read, and of matching games
    /// among them.
    fn read(&self, n_bytes: u64, n_games: u64, n_matches: u64);

    /// Returns the number of bytes of a chunk; results are reported after each chunk.
    fn chunk_bytes(&self) -> usize {
        512 << 10
    }

    /// Evaluates programs on all games, or at least on those that one of the programs may match.
    ///
    /// # Errors
    /// Those of the sink, and threads that cannot be started.
    fn evaluate(
        &self,
        programs: &[&Program],
        options: &RunOptions,
        make_worker: &(dyn Fn() -> PassWorker + Sync),
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> io::Result<Summary> {
        let _ = programs;
        let ran = flow::run(self.sources(), options, make_worker, sink);
        ran.map(|(summary, _)| summary)
    }

    /// Counts the tags and results of all games.
    ///
    /// # Errors
    /// Those of the sink, and threads that cannot be started.
    fn count(&self, options: &RunOptions, sink: &mut Sink<'_, Counts>) -> io::Result<Summary> {
        let ran = flow::run(self.sources(), options, Counter::default, sink);
        ran.map(|(summary, _)| summary)
    }

    /// Returns a function that is called with the number of each game before it is evaluated, and
    /// that returns whether it may be. It returns `false` for a game that is known to crash the
    /// engine.
    fn before_game(&self) -> fn(u64) -> bool {
        |_| true
    }
}

/// Worker that asks the host before each game.
pub struct PassWorker {
    worker: GameWorker,
    may_evaluate: fn(u64) -> bool,
}

impl Worker for PassWorker {
    type Results = Vec<Found>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Vec<Found>>) {
        match (self.may_evaluate)(number) {
            true => self.worker.game(raw, number, out),
            false => out.fault(raw, number, FaultKind::Internal, ENDED),
        }
    }
}

impl KnownWorker for PassWorker {
    fn known_game(&mut self, game: &dyn KnownGame, number: u64, out: &mut Output<Vec<Found>>) {
        match (self.may_evaluate)(number) {
            true => self.worker.known_game(game, number, out),
            false => out.fault_at(number, game.offset(), FaultKind::Internal, ENDED.to_owned()),
        }
    }
}

/// Message for a game that may not be evaluated.
const ENDED: &str = "it ended the engine";

/// Sends a line.
pub(crate) fn tell(host: &dyn Host, value: &Value) -> Result<(), String> {
    tell_line(host, value).map_err(|error| error.to_string())
}

pub(crate) fn tell_line(host: &dyn Host, value: &Value) -> io::Result<()> {
    host.tell(format!("{value}\n").into_bytes())
}

/// Returns the default options of a pass.
pub(crate) fn options(host: &dyn Host) -> RunOptions {
    RunOptions {
        threads: host.threads(),
        size: host.size(),
        chunk_bytes: host.chunk_bytes(),
        ..RunOptions::new(host.cancel())
    }
}

/// Programs that are evaluated on the same games.
pub(crate) struct Pass {
    programs: Vec<(Arc<Program>, Arc<QueryRun>)>,
    last_game_number: u64,
}

impl Pass {
    pub(crate) fn new(programs: impl IntoIterator<Item = Arc<Program>>) -> Pass {
        let programs = programs.into_iter();
        Pass {
            programs: programs.map(|program| (program, Arc::default())).collect(),
            last_game_number: 0,
        }
    }

    /// Whether a program takes too many steps on each of the first games.
    fn is_endless(&self) -> bool {
        self.programs.iter().any(|(_, run)| run.is_endless())
    }

    /// Evaluates the programs on all games and reports the progress. `take` receives the results of
    /// each chunk; `writer` creates the writers for matching games.
    pub(crate) fn run(
        &mut self,
        host: &dyn Host,
        writer: &(dyn Fn() -> Option<Box<dyn RowWriter>> + Sync),
        take: &mut dyn FnMut(Output<Vec<Found>>) -> io::Result<()>,
    ) -> Result<Summary, String> {
        // Counting beforehand is not part of the progress.
        self.count(host);
        let mut sink = |mut out: Output<Vec<Found>>| {
            out.results.resize_with(self.programs.len(), Found::default);
            let n_matches = out.results.first().map_or(0, |found| found.matches.len());
            host.read(out.n_bytes, out.n_games, n_matches as u64);
            if self.is_endless() {
                return Err(io::Error::other(TooManySteps));
            }
            take(out)
        };
        let may_evaluate = host.before_game();
        let worker = || PassWorker { worker: GameWorker::new(self.workers(writer)), may_evaluate };
        let programs: Vec<&Program> = self.programs.iter().map(|one| &*one.0).collect();
        let result = host.evaluate(&programs, &self.options(host), &worker, &mut sink);
        result.map_err(|error| error.to_string())
    }

    fn options(&self, host: &dyn Host) -> RunOptions {
        let programs = self.programs.iter().map(|(program, _)| &**program);
        let options = run_options(programs, host.threads(), host.size(), host.cancel());
        RunOptions { chunk_bytes: host.chunk_bytes(), ..options }
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

    fn count(&mut self, host: &dyn Host) {
        let needs = |(program, _): &(Arc<Program>, _)| program.needs_last_game_number();
        if self.programs.iter().any(needs) {
            self.last_game_number = flow::count_games(host.sources());
        }
    }
}
