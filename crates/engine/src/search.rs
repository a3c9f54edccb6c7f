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

use flow::{GameFault, GameSource, Output, Worker};
use pgn::{SplitGames, Splitter};

use crate::row::GameRow;
use crate::worker::{GameWorker, QueryRun, QueryWorker, TooManySteps};
use compiler::program::Program;

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedGame {
    /// The game as plain data.
    pub row: GameRow,
    /// The game as PGN, with the comments of the query.
    pub pgn: Vec<u8>,
}

/// Searches the games of `pgn` one after another.
///
/// A program that shares something between games (see [`Program::sequential_reason`]) keeps it
/// for the whole iteration.
pub fn search<'a>(program: &Arc<Program>, pgn: &'a [u8]) -> SearchIter<'a> {
    let run: Arc<QueryRun> = Arc::default();
    let n_games = if program.needs_last_game_number() {
        flow::count_games(GameSource::pgn("", pgn).alone())
    } else {
        0
    };
    let query = QueryWorker::new(program.clone(), run.clone());
    let query = query.with_rows().with_last_game_number(n_games);
    SearchIter {
        worker: GameWorker::new([query]),
        run,
        splitter: Splitter::default(),
        rest: pgn,
        number: 0,
    }
}

/// An iterator over the matching games, created by [`search`]. Games that cannot be searched are
/// returned as errors. If it ends early, [`SearchIter::check`] returns the reason.
#[derive(Debug)]
pub struct SearchIter<'a> {
    worker: GameWorker,
    run: Arc<QueryRun>,
    splitter: Splitter,
    rest: &'a [u8],
    number: u64,
}

impl SearchIter<'_> {
    /// Checks whether the search goes on. If a query takes too many steps on each of the first
    /// games, which are returned as errors, it is evaluated on no other games.
    ///
    /// # Errors
    /// Returns [`TooManySteps`] if the query was given up.
    pub fn check(&self) -> Result<(), TooManySteps> {
        if self.run.is_endless() { Err(TooManySteps) } else { Ok(()) }
    }
}

impl Iterator for SearchIter<'_> {
    type Item = Result<MatchedGame, GameFault>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.check().is_ok() {
            let start = self.splitter.offset();
            let mut games: SplitGames<'_, '_> = self.splitter.split(self.rest, true);
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
            let found = out.results.pop().unwrap_or_default();
            if let Some(row) = found.rows.into_iter().next() {
                return Some(Ok(MatchedGame { row, pgn: found.text }));
            }
        }
        None
    }
}
