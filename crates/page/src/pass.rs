//! A pass over games with one or several programs.

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

/// Who has the games of a pass, and hears of it.
pub trait Host {
    /// The games.
    fn sources(&self) -> Box<Sources<'_>>;

    /// How many bytes they have, if that is known.
    fn size(&self) -> Option<u64>;

    /// How many threads evaluate them.
    fn threads(&self) -> usize;

    /// What ends the pass.
    fn cancel(&self) -> Cancel;

    /// Seconds since the pass began.
    fn seconds(&self) -> f64;

    /// Is told lines of JSON that are complete.
    ///
    /// # Errors
    /// Nobody listens any more.
    fn tell(&self, lines: Vec<u8>) -> io::Result<()>;

    /// Is told that so many more bytes and games have been read, and how many of these match.
    fn read(&self, n_bytes: u64, n_games: u64, n_matches: u64);

    /// How many bytes are evaluated before something is told.
    fn chunk_bytes(&self) -> usize {
        512 << 10
    }

    /// Evaluates programs on the games: on all of them, or at least on those in which one of the
    /// programs may match.
    ///
    /// # Errors
    /// Those of the sink, and threads that cannot be made.
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

    /// Counts what all games are besides their moves.
    ///
    /// # Errors
    /// Those of the sink, and threads that cannot be made.
    fn count(&self, options: &RunOptions, sink: &mut Sink<'_, Counts>) -> io::Result<Summary> {
        let ran = flow::run(self.sources(), options, Counter::default, sink);
        ran.map(|(summary, _)| summary)
    }

    /// What is asked before a game of this number is evaluated: whether it may be. One that may
    /// not is known to be more than the program can take.
    fn before_game(&self) -> fn(u64) -> bool {
        |_| true
    }
}

/// A worker that asks before each game.
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

/// Said of a game that may not be evaluated.
const ENDED: &str = "it ended the engine";

/// Says a line.
pub(crate) fn tell(host: &dyn Host, value: &Value) -> Result<(), String> {
    tell_line(host, value).map_err(|error| error.to_string())
}

pub(crate) fn tell_line(host: &dyn Host, value: &Value) -> io::Result<()> {
    host.tell(format!("{value}\n").into_bytes())
}

/// How a pass goes where nothing else is asked.
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

    /// Whether the first program takes too much on every game.
    fn is_endless(&self) -> bool {
        self.programs.iter().any(|(_, run)| run.is_endless())
    }

    /// Evaluates the programs on all games, and says how far that is. What comes of a chunk is
    /// given to `take`; `writer` makes text of the games that match.
    pub(crate) fn run(
        &mut self,
        host: &dyn Host,
        writer: &(dyn Fn() -> Option<Box<dyn RowWriter>> + Sync),
        take: &mut dyn FnMut(Output<Vec<Found>>) -> io::Result<()>,
    ) -> Result<Summary, String> {
        // Counting beforehand is no part of the progress.
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
        let worker = || PassWorker {
            worker: GameWorker::new(self.workers(writer)),
            may_evaluate,
        };
        let programs: Vec<&Program> = self.programs.iter().map(|one| &*one.0).collect();
        let result = host.evaluate(&programs, &self.options(host), &worker, &mut sink);
        result.map_err(|error| error.to_string())
    }

    fn options(&self, host: &dyn Host) -> RunOptions {
        let programs = self.programs.iter().map(|(program, _)| &**program);
        let options = run_options(programs, host.threads(), host.size(), host.cancel());
        RunOptions {
            chunk_bytes: host.chunk_bytes(),
            ..options
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

    fn count(&mut self, host: &dyn Host) {
        let needs = |(program, _): &(Arc<Program>, _)| program.needs_last_game_number();
        if self.programs.iter().any(needs) {
            self.last_game_number = flow::count_games(host.sources());
        }
    }
}
