//! Reads, evaluates and writes one game at a time.
//!
//! Data of the game ([`current`]) are separate from data of a query ([`query`]), so that several
//! queries can share a game: it is read once and lent to one query after another.

mod columns;
mod current;
mod glance;
mod known;
mod lost;
mod query;
mod rivals;
mod run;

use std::panic::{AssertUnwindSafe, catch_unwind};

use flow::{FaultKind, GameFault, Origin, Output, Results, Worker, panic_message};
use pgn::RawGame;

use crate::found::QueryResults;
use crate::record::KnownGame;
use current::CurrentGame;
use current::{GameData, GameInput};
pub use known::KnownWorker;
pub use lost::report_lost_moves;
pub use query::QueryWorker;
pub use run::{QueryRun, TooManySteps};

/// Evaluates programs on games. Each thread has its own worker.
///
/// Results are in the order of the queries. Each query has the result that it would have alone; its
/// faults bear its index ([`GameFault::part`]).
#[derive(Debug)]
pub struct GameWorker {
    game: CurrentGame,
    queries: Vec<QueryWorker>,
    buffer: Vec<u8>,
}

/// Receives the results of a query for a game.
#[derive(Debug)]
struct GameLog<'o> {
    found: &'o mut QueryResults,
    faults: &'o mut Vec<GameFault>,
    origin: &'o Origin,
    /// Index of the query.
    part: usize,
}

impl GameLog<'_> {
    /// Records a fault of the game, located at its beginning.
    fn fault(&mut self, given: GameInput<'_>, kind: FaultKind, message: impl Into<String>) {
        self.faults.push(GameFault {
            number: given.number,
            line: 0,
            offset: given.offset(),
            kind,
            message: message.into(),
            part: Some(self.part),
        });
    }
}

impl GameWorker {
    /// Creates a worker for these queries.
    pub fn new(queries: impl IntoIterator<Item = QueryWorker>) -> GameWorker {
        GameWorker {
            game: CurrentGame::default(),
            queries: queries.into_iter().collect(),
            buffer: Vec::new(),
        }
    }

    /// Returns the queries.
    pub fn queries(&self) -> &[QueryWorker] {
        &self.queries
    }

    /// Does all that is to be done for a game of which the only query needs nothing but columns.
    /// Returns `false` if that is impossible.
    fn answer_at_once(
        &mut self,
        given: GameInput<'_>,
        out: &mut Output<Vec<QueryResults>>,
    ) -> bool {
        let [query] = &mut self.queries[..] else {
            return false;
        };
        if !query.searches_game(given.number) {
            return false;
        }
        // Faults are injected by a tag.
        #[cfg(feature = "fault-injection")]
        {
            self.game.start(given);
            if self.game.tags(given).raw(b"InjectedFault").is_some() {
                return false;
            }
        }
        make_room(&mut out.results, 1);
        let mut notes = GameLog {
            found: &mut out.results[0],
            faults: &mut out.faults,
            origin: &out.origin,
            part: 0,
        };
        query.answer_at_once(given, &mut notes)
    }

    fn evaluate(&mut self, given: GameInput<'_>, out: &mut Output<Vec<QueryResults>>) {
        let number = given.number;
        self.game.start(given);
        make_room(&mut out.results, self.queries.len());
        let parts = self.queries.iter_mut().zip(&mut out.results);
        for (index, (query, found)) in parts.enumerate() {
            if !query.searches_game(number) {
                continue;
            }
            let n_faults = out.faults.len();
            let mut notes =
                GameLog { found, faults: &mut out.faults, origin: &out.origin, part: index };
            let game = &mut self.game;
            let result = catch_unwind(AssertUnwindSafe(|| query.game(game, given, &mut notes)));
            match result {
                Ok(Ok(())) => notes.found.end_game(number),
                Ok(Err(error)) => {
                    notes.found.forget(number);
                    notes.faults.truncate(n_faults);
                    out.failure.get_or_insert(error);
                    return;
                }
                Err(panic) => {
                    notes.found.forget(number);
                    notes.faults.truncate(n_faults);
                    notes.fault(given, FaultKind::Internal, panic_message(&*panic));
                    // Both the query and the game may be in an inconsistent state; the other
                    // queries go on.
                    query.renew();
                    self.game = CurrentGame::default();
                    self.game.start(given);
                }
            }
        }
        self.game.report_loss(given, out);
    }
}

impl Worker for GameWorker {
    type Results = Vec<QueryResults>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Vec<QueryResults>>) {
        let mut buffer = std::mem::take(&mut self.buffer);
        let text = raw.clean_text(&mut buffer);
        let data = GameData::Text(raw, text);
        self.evaluate(GameInput { number, data }, out);
        self.buffer = buffer;
    }
}

/// Makes room for the results of each query, unless an earlier game has done so.
fn make_room(results: &mut Vec<QueryResults>, n_queries: usize) {
    if results.len() < n_queries {
        results.resize_with(n_queries, QueryResults::default);
    }
}

impl KnownWorker for GameWorker {
    fn known_game(
        &mut self,
        game: &dyn KnownGame,
        number: u64,
        out: &mut Output<Vec<QueryResults>>,
    ) {
        let given = GameInput { number, data: GameData::Known(game) };
        if !self.answer_at_once(given, out) {
            self.evaluate(given, out);
        }
    }

    fn uses_moves(&self) -> bool {
        self.queries.iter().any(QueryWorker::uses_moves)
    }

    fn needs_only_count(&self, query: usize) -> bool {
        self.queries.get(query).is_some_and(QueryWorker::needs_only_count)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::known::RequestedParts;
    use super::*;
    use crate::eval::{Evaluator, State};
    use crate::positions::Positions;
    use crate::{CompileOptions, Program, Source, compile};

    fn program(text: &[u8]) -> Arc<Program> {
        let source = Source { name: "test.cql", text };
        let compiled = compile(&source, &[], &CompileOptions::default());
        compiled.program.expect("a correct query")
    }

    #[test]
    fn nothing_is_left_of_a_game_that_an_evaluator_has_been_at_work_on() {
        let program = program(b"cql() x = 1 comment(\"y\") settag(\"A\" \"b\")");
        let mut state = State::new(&program, &flow::Cancel::default());
        let mut game = CurrentGame::default();
        let raw = RawGame::of(b"1.e4 e5 *");
        let given = GameInput { number: 1, data: GameData::Text(&raw, raw.text) };
        game.start(given);
        let is_read = game.read_moves(given, RequestedParts::default(), program.settings());
        assert!(matches!(is_read, Ok(true)), "{is_read:?}");
        for _ in 0..2 {
            state.start_game(&program);
            assert_eq!((state.matched.len(), state.notes.len()), (0, 0));
            assert!(state.tags.is_empty());
            let (positions, record) = (Positions::new(game.searched(false)), game.record(given));
            Evaluator::new(&program, positions, &record, &mut state).search(None);
            assert_eq!((state.matched.len(), state.tags.len()), (3, 1));
        }
    }

    #[test]
    fn a_query_that_found_enough_is_not_evaluated() {
        let program = program(b"cql() wtm");
        let runs: [Arc<QueryRun>; 2] = Default::default();
        let query = |run: &Arc<QueryRun>| QueryWorker::new(program.clone(), run.clone());
        let mut worker = GameWorker::new(runs.iter().map(query));
        let mut check = |expected: [u64; 2]| {
            let mut out = Output::default();
            worker.game(&RawGame::of(b"1.e4 e5 *"), 1, &mut out);
            let parts = out.results.iter();
            let found: Vec<u64> = parts.map(|part| part.n_matching_positions).collect();
            assert_eq!(found, expected);
        };
        check([2, 2]);
        runs[0].end();
        check([0, 2]);
        runs[1].end();
        check([0, 0]);
        assert!(!runs[0].is_endless());
    }
}
