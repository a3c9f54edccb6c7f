//! Searches games in memory and returns the matching ones as plain data.
//!
//! ```
//! use engine::{CompileOptions, Source, compile, search};
//!
//! let query = Source { name: "mate.cql", text: b"cql() mate sort \"pieces\" #[Aa]" };
//! let compiled = compile(&query, &[], &CompileOptions::default());
//! let program = compiled.program.expect("a correct query");
//!
//! let pgn = b"[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n";
//! for game in search(&program, pgn) {
//!     let game = game.expect("no faults");
//!     assert_eq!(game.row.tag(b"White"), Some(&b"Fool"[..]));
//!     assert_eq!(game.row.sort_values[0].label, "pieces");
//!     let position = &game.row.positions[0];
//!     assert_eq!(position.ply, 4);
//!     assert!(position.fen.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/"));
//! }
//! ```

use std::sync::Arc;

use flow::{GameFault, Output, Results, Worker};
use pgn::{Games, RawGame, Splitter};

use crate::found::Found;
use crate::row::GameRow;
use crate::worker::{
    Form, GameWorker, Given, KnownGame, KnownWorker, QueryRun, QueryWorker, TooManySteps,
};
use compiler::program::Program;

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedGame {
    /// The game as plain data.
    pub row: GameRow,
    /// The game as PGN, with the comments of the query.
    pub pgn: Vec<u8>,
}

/// Matching games, in the order of the input.
#[derive(Debug, Default)]
pub struct MatchedGames(pub Vec<MatchedGame>);

impl Results for MatchedGames {
    fn forget(&mut self, number: u64) {
        self.0.pop_if(|game| game.row.number == number);
    }
}

/// Returns matching games as plain data. Each thread has its own worker.
#[derive(Debug)]
pub struct MatchWorker {
    worker: GameWorker,
    /// Results of a game, in memory that is reused for the next game.
    evaluated: Output<Vec<Found>>,
    buffer: Vec<u8>,
}

impl MatchWorker {
    /// Creates a worker without access to files. The workers of a run share `run`.
    pub fn new(program: &Arc<Program>, run: &Arc<QueryRun>) -> MatchWorker {
        let query = QueryWorker::new(program.clone()).with_run(run.clone());
        MatchWorker {
            worker: GameWorker::new([query]),
            evaluated: Output::default(),
            buffer: Vec::new(),
        }
    }

    fn evaluate(&mut self, given: Given<'_>, out: &mut Output<MatchedGames>) {
        let evaluated = &mut self.evaluated;
        self.worker.evaluate(given, evaluated);
        out.faults.append(&mut evaluated.faults);
        if let Some(failure) = evaluated.failure.take() {
            out.failure.get_or_insert(failure);
        }
        let found = evaluated.results.pop().unwrap_or_default();
        if found.matches.is_empty() {
            return;
        }
        if let Some(row) = self.worker.row(given, &out.origin) {
            let pgn = found.text;
            out.results.0.push(MatchedGame { row, pgn });
        }
    }
}

impl Worker for MatchWorker {
    type Results = MatchedGames;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<MatchedGames>) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let form = Form::Text(raw, raw.clean_text(&mut buffer));
        self.evaluate(Given { number, form }, out);
        self.buffer = buffer;
    }
}

impl KnownWorker for MatchWorker {
    fn known_game(&mut self, game: &dyn KnownGame, number: u64, out: &mut Output<MatchedGames>) {
        let form = Form::Known(game);
        self.evaluate(Given { number, form }, out);
    }
}

/// Searches the games of `pgn` one after another.
///
/// A program that shares something between games (see [`Program::sequential_reason`]) keeps it
/// for the whole iteration.
pub fn search<'a>(program: &Arc<Program>, pgn: &'a [u8]) -> Search<'a> {
    let run = Arc::default();
    Search {
        worker: MatchWorker::new(program, &run),
        run,
        splitter: Splitter::default(),
        rest: pgn,
        number: 0,
    }
}

/// An iterator over the matching games, created by [`search`]. Games that cannot be searched are
/// returned as errors. If it ends early, [`Search::check`] returns the reason.
#[derive(Debug)]
pub struct Search<'a> {
    worker: MatchWorker,
    run: Arc<QueryRun>,
    splitter: Splitter,
    rest: &'a [u8],
    number: u64,
}

impl Search<'_> {
    /// Checks whether the search goes on. If a query takes too many steps on each of the first
    /// games, which are returned as errors, it is evaluated on no other games.
    ///
    /// # Errors
    /// Returns [`TooManySteps`] if the query was given up.
    pub fn check(&self) -> Result<(), TooManySteps> {
        match self.run.is_endless() {
            true => Err(TooManySteps),
            false => Ok(()),
        }
    }
}

impl Iterator for Search<'_> {
    type Item = Result<MatchedGame, GameFault>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.check().is_ok() {
            let start = self.splitter.offset();
            let mut games: Games<'_, '_> = self.splitter.split(self.rest, true);
            let raw = games.next()?;
            drop(games);
            self.number += 1;
            let mut out = Output::default();
            if !raw.is_skipped() {
                self.worker.game(&raw, self.number, &mut out);
            }
            let read = (self.splitter.offset() - start) as usize;
            self.rest = self.rest.get(read..).unwrap_or_default();
            let mut faults = out.faults.into_iter();
            if let Some(fault) = faults.find(|fault| !fault.is_searched()) {
                return Some(Err(fault));
            }
            if let Some(game) = out.results.0.pop() {
                return Some(Ok(game));
            }
        }
        None
    }
}
