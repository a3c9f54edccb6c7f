//! The library's front door: games that match, as plain data.
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
//!     assert_eq!(game.number, 1);
//!     assert_eq!(game.positions[0].ply, 4);
//!     assert!(game.positions[0].fen.starts_with("rnb1kbnr/pppp1ppp/8/4p3/6Pq/"));
//!     assert_eq!(game.values[0].label, "pieces");
//! }
//! ```

use pgn::{Games, Splitter};

use crate::program::Program;
use crate::run::{ChunkOutput, GameFault, SortKey, Worker};
use crate::worker::GameWorker;

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedGame {
    /// Its number in the input, from 1.
    pub number: u64,
    /// The positions that match, in the order of their ids.
    pub positions: Vec<MatchedPosition>,
    /// The values of the `sort` filters.
    pub values: Vec<SortedValue>,
    /// The game as PGN, with the comments of the query.
    pub pgn: Vec<u8>,
}

/// A position that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatchedPosition {
    /// Its id: the place in the searched part of the game tree, in pre-order.
    pub id: u32,
    /// Number of moves since the start of the game.
    pub ply: u32,
    /// Board, side to move and the rest.
    pub fen: String,
    /// What the query wrote at this position, in order.
    pub comments: Vec<Vec<u8>>,
}

/// The value of a `sort` filter in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedValue {
    /// The label.
    pub label: String,
    /// The best value in the game.
    pub value: SortKey,
}

/// Searches the games of `pgn` one after the other.
///
/// A program that shares something between games (see [`Program::sequential_reason`]) keeps it
/// for the whole iteration.
pub fn search<'a>(program: &'a Program, pgn: &'a [u8]) -> Search<'a> {
    Search {
        worker: GameWorker::new(program),
        splitter: Splitter::default(),
        rest: pgn,
        number: 0,
    }
}

/// An iterator over the games that match, made by [`search`]. Games that could not be searched
/// come as errors.
#[derive(Debug)]
pub struct Search<'a> {
    worker: GameWorker<'a>,
    splitter: Splitter,
    rest: &'a [u8],
    number: u64,
}

impl Iterator for Search<'_> {
    type Item = Result<MatchedGame, GameFault>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.splitter.offset();
            let mut games: Games<'_, '_> = self.splitter.split(self.rest, true);
            let raw = games.next()?;
            drop(games);
            self.number += 1;
            let mut out = ChunkOutput::default();
            if !raw.is_skipped() {
                self.worker.game(&raw, self.number, &mut out);
            }
            let read = (self.splitter.offset() - start) as usize;
            self.rest = self.rest.get(read..).unwrap_or_default();
            if let Some(fault) = out.faults.pop() {
                return Some(Err(fault));
            }
            if let Some(found) = out.matches.pop() {
                return Some(Ok(MatchedGame {
                    number: self.number,
                    positions: self.worker.matched_positions(),
                    values: self.worker.sort_values(found.sort_keys),
                    pgn: out.text,
                }));
            }
        }
    }
}
