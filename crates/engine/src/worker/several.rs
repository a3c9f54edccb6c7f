//! Several queries on each game: it is read once and lent to one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};

use flow::{FaultKind, Output, Results, Worker, panic_message};
use pgn::RawGame;

use super::current::CurrentGame;
use super::{GameWorker, Given, Notes, QueryWorker};
use crate::found::Found;

/// Evaluates several programs on games. One for each thread.
///
/// What a query comes to stands in the order of the queries, and is what the query would come to
/// alone; its faults are those of its part ([`GameFault::part`](flow::GameFault::part)).
pub struct QueriesWorker<'p> {
    game: CurrentGame,
    queries: Vec<QueryWorker<'p>>,
    /// Makes the worker of a query, by its index.
    make: &'p (dyn Fn(usize) -> GameWorker<'p> + Sync),
    buffer: Vec<u8>,
}

impl<'p> QueriesWorker<'p> {
    /// A worker for `n` queries, each as `make` sets it up.
    pub fn new(n: usize, make: &'p (dyn Fn(usize) -> GameWorker<'p> + Sync)) -> QueriesWorker<'p> {
        QueriesWorker {
            game: CurrentGame::default(),
            queries: (0..n).map(|index| make(index).query).collect(),
            make,
            buffer: Vec::new(),
        }
    }

    /// What [`GameWorker::persistent_report`] says of a query.
    pub fn persistent_report(&self, index: usize) -> Vec<Vec<u8>> {
        let query = self.queries.get(index);
        query.map_or_else(Vec::new, QueryWorker::persistent_report)
    }
}

impl Worker for QueriesWorker<'_> {
    type Results = Vec<Found>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Vec<Found>>) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        let given = Given { raw, text, number };
        self.game.start(raw, text);
        out.results.resize_with(self.queries.len(), Found::default);
        let parts = self.queries.iter_mut().zip(&mut out.results);
        for (index, (query, found)) in parts.enumerate() {
            if !query.program.searches_game(number) {
                continue;
            }
            let n_faults = out.faults.len();
            let mut notes = Notes {
                found,
                faults: &mut out.faults,
                origin: &out.origin,
                part: Some(index),
            };
            let game = &mut self.game;
            let result = catch_unwind(AssertUnwindSafe(|| query.game(game, given, &mut notes)));
            let Notes { found, faults, .. } = &mut notes;
            match result {
                Ok(()) => found.end_game(number),
                Err(panic) => {
                    found.forget(number);
                    faults.truncate(n_faults);
                    notes.fault(given, FaultKind::Internal, panic_message(&*panic));
                    // Either may be in any state; the other queries go on.
                    *query = (self.make)(index).query;
                    self.game = CurrentGame::default();
                    self.game.start(raw, text);
                }
            }
        }
        if let Some(variant) = self.game.foreign_rules() {
            out.fault(raw, number, FaultKind::Variant, variant);
        }
        self.game.report_loss(given, out);
        self.buffer = buffer;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{CompileOptions, Hope, Source, compile};

    #[test]
    fn a_query_that_found_enough_is_not_evaluated() {
        let source = Source {
            name: "test.cql",
            text: b"cql() wtm",
        };
        let compiled = compile(&source, &[], &CompileOptions::default());
        let program = compiled.program.expect("a correct query");
        let hopes: [Arc<Hope>; 2] = Default::default();
        let make = |index: usize| GameWorker::new(&program).with_hope(hopes[index].clone());
        let mut worker = QueriesWorker::new(2, &make);
        let mut check = |expected: [u64; 2]| {
            let mut out = Output::default();
            worker.game(&RawGame::of(b"1.e4 e5 *"), 1, &mut out);
            let parts = out.results.iter();
            let found: Vec<u64> = parts.map(|part| part.n_matching_positions).collect();
            assert_eq!(found, expected);
        };
        check([2, 2]);
        hopes[0].satisfy();
        check([0, 2]);
        hopes[1].satisfy();
        check([0, 0]);
        assert!(!hopes[0].is_lost());
    }
}
