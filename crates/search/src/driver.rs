//! Evaluates queries on games. Every front end searches with this loop.
//!
//! For all of them, and for any number of threads, the loop chooses the games to read, removes
//! everything about games after the last one needed, gives up endless queries, sets
//! `lastgamenumber`, and reports how the search ended. A front end provides the games ([`Scan`])
//! and the queries with their output ([`Query`]), and receives [chunks](Chunk) of results.

use std::error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use engine::{
    GameWorker, KnownGame, KnownWorker, Program, QueryResults, QueryRun, QueryWorker, TooManySteps,
};
use flow::{
    Bytes, Cancel, FaultKind, GameFault, GameSet, GameSource, Output, RunOptions, SourceFormat,
    SourceRange, Sources, Worker,
};
use pgn::RawGame;

use crate::query::{runs_of, worker_of};
use crate::{Prefilter, Query, UnusedArchive};

/// Games that a search reads: files and their archives, or texts in memory.
pub trait Scan {
    /// Opens the games as text.
    fn sources(&self) -> Box<Sources<'_>>;

    /// Returns the number of bytes of all games, if it is known.
    fn size(&self) -> Option<u64>;

    /// Returns the name of all games together, for messages.
    fn name(&self) -> &str {
        "the games"
    }

    /// Opens the source with this name, for reading one of its games; `None` if there is none.
    fn source(&self, name: &str) -> Option<GameSource<'_>> {
        let mut sources = self.sources().filter_map(Result::ok);
        sources.find(|source| *source.name == *name)
    }

    /// Evaluates all games, or at least those that pass the screens. The returned workers are those
    /// of the last games; they matter only if there was one worker. `unused` receives each archive
    /// whose text is read instead.
    ///
    /// # Errors
    /// Those of the sink, and a thread that cannot be created.
    fn scan<W: KnownWorker>(
        &self,
        screens: &Prefilter,
        options: &RunOptions,
        make_worker: &(impl Fn() -> W + Sync),
        unused: &mut dyn FnMut(&UnusedArchive),
        sink: &mut flow::Sink<'_, W::Results>,
    ) -> io::Result<(flow::Summary, Vec<W>)> {
        let _ = (screens, unused);
        flow::run(self.sources(), options, make_worker, sink)
    }
}

/// A search of games with one query or several, each game being read once.
pub struct Search<'a, S> {
    games: &'a S,
    queries: Vec<Query>,
    threads: usize,
    chunk_bytes: Option<usize>,
    cancel: Cancel,
    last_game_number: Option<u64>,
    chosen: Option<Arc<GameSet>>,
    is_every_game_read: bool,
    may_evaluate: Option<fn(u64) -> bool>,
}

/// Results for consecutive games of one source, without those of games after the last one needed.
pub struct Chunk<'a> {
    /// Results of each query, in their order; faults bear the index of their query.
    pub output: Output<Vec<QueryResults>>,
    /// State of each query after these games.
    pub queries: &'a [QueryState],
}

/// State of a query in a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueryState {
    /// Number of games read for the query, among those that its header selects.
    pub n_games: u64,
    /// Number of the last game read for it.
    pub last_game: u64,
    /// Number of matching games.
    pub n_matches: u64,
    /// Number of matching positions in these games.
    pub n_positions: u64,
    /// The reason why no more games are read for it; `None` while there is none.
    pub end: Option<QueryEnd>,
}

/// Location of a game, from which it can be read again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GamePlace {
    /// Name of its source.
    pub input: String,
    /// Number of the game in all sources, from 1.
    pub number: u64,
    /// Number of the game in its source, from 1.
    pub number_in_input: u64,
    /// Byte offset of its text in the source.
    pub offset: u64,
}

impl GamePlace {
    /// Returns the source from the game on, if it can be read from there.
    fn source_from<'s>(&self, source: GameSource<'s>) -> GameSource<'s> {
        let games_before = Some(self.number.saturating_sub(self.number_in_input));
        let bytes = match (source.bytes, &source.format) {
            (Bytes::Anywhere(input), SourceFormat::Pgn) => {
                let (game, offset) = (self.number_in_input, self.offset);
                Bytes::Pieces(input, vec![SourceRange::of_games(game, offset, offset)])
            }
            (bytes, _) => bytes,
        };
        GameSource { bytes, games_before, ..source }
    }
}

/// Reason why a query needs no more games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueryEnd {
    /// The query has found as many games as its limit permits.
    Limit,
    /// The query took too many steps on each of the first games.
    GivenUp,
}

/// Totals of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Number of games read, up to the last one that was wanted.
    pub n_games: u64,
    /// Number of the last of them; 0 if there is none.
    pub last_game: u64,
    /// Reason why the search ended.
    pub end: End,
    /// Totals of each query.
    pub queries: Vec<QuerySummary>,
}

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All games were read.
    Games,
    /// No query needed more games, or their receiver did not.
    Enough,
}

/// Totals of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuerySummary {
    /// Counts, and the reason for an early end.
    pub state: QueryState,
    /// Whether the query failed on every game on which it was evaluated, one or more.
    pub has_only_failed: bool,
    /// `NAME: VALUE` for each persistent variable that is to be shown.
    pub persistent: Vec<Vec<u8>>,
}

/// Reason why a search has no results, or not all of them.
#[derive(Debug)]
#[non_exhaustive]
pub enum SearchError {
    /// A query takes too many steps on each of the first games, and no other is searched.
    GivenUp,
    /// A query failed on every game on which it was evaluated; with the first fault of a query. All
    /// games were searched.
    FailedEverywhere(Option<GameFault>, Summary),
    /// The search was cancelled. The games until then were searched.
    Cancelled(Summary),
    /// A query needs `lastgamenumber`, and there is no game that it counts; with the message.
    NoLastGame(String),
    /// The receiver of the results failed, or a thread cannot be created.
    Failed(io::Error),
}

/// Message about a query that could not be evaluated on any game.
pub const FAILED_EVERYWHERE: &str = "the query failed on every game on which it was evaluated";

impl Display for SearchError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SearchError::GivenUp => TooManySteps.fmt(f),
            SearchError::FailedEverywhere(None, _) => f.write_str(FAILED_EVERYWHERE),
            SearchError::FailedEverywhere(Some(GameFault { number, message, .. }), _) => {
                write!(f, "{FAILED_EVERYWHERE}; game {number}: {message}")
            }
            SearchError::Cancelled(_) => f.write_str("the search was cancelled"),
            SearchError::NoLastGame(message) => f.write_str(message),
            SearchError::Failed(error) => error.fmt(f),
        }
    }
}

impl error::Error for SearchError {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            SearchError::Failed(error) => Some(error),
            SearchError::GivenUp
            | SearchError::FailedEverywhere(..)
            | SearchError::Cancelled(_)
            | SearchError::NoLastGame(_) => None,
        }
    }
}

/// Receives the results of consecutive games; `Break` ends the search.
pub type Receiver<'a> = dyn FnMut(Chunk<'_>) -> io::Result<ControlFlow<()>> + 'a;

impl<'a, S: Scan> Search<'a, S> {
    /// Searches all games with the queries, with a thread for each processor.
    pub fn new(games: &'a S, queries: impl IntoIterator<Item = Query>) -> Search<'a, S> {
        Search {
            games,
            queries: queries.into_iter().collect(),
            threads: 0,
            chunk_bytes: None,
            cancel: Cancel::default(),
            last_game_number: None,
            chosen: None,
            is_every_game_read: false,
            may_evaluate: None,
        }
    }

    /// Sets the number of threads; 0 stands for the number of processors.
    pub fn threads(mut self, n: usize) -> Self {
        self.threads = n;
        self
    }

    /// Sets the largest number of bytes whose results come at once.
    pub fn chunk_bytes(mut self, n: usize) -> Self {
        self.chunk_bytes = Some(n);
        self
    }

    /// Sets the handle with which the caller ends the search. The search itself never cancels it.
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Sets the number of games for `lastgamenumber`, if the caller has counted them.
    pub fn last_game_number(mut self, n: u64) -> Self {
        self.last_game_number = Some(n);
        self
    }

    /// Searches only these games; `None` stands for all.
    pub fn choosing(mut self, chosen: Option<Arc<GameSet>>) -> Self {
        self.chosen = chosen;
        self
    }

    /// Reads every game, even if a query cannot match in it, so that all positions are counted.
    pub fn every_game(mut self) -> Self {
        self.is_every_game_read = true;
        self
    }

    /// Sets a function that returns whether the game with a number may be evaluated. A game that
    /// may not is reported as a defect of the program.
    pub fn may_evaluate(mut self, may_evaluate: fn(u64) -> bool) -> Self {
        self.may_evaluate = Some(may_evaluate);
        self
    }

    /// Returns the search with rows of the matching games.
    #[cfg(feature = "files")]
    pub(crate) fn keeping_rows(&self) -> Search<'a, S> {
        let queries = self.queries.iter().map(|query| query.clone().with_rows()).collect();
        let (cancel, chosen) = (self.cancel.clone(), self.chosen.clone());
        Search { queries, cancel, chosen, ..*self }
    }

    /// The queries.
    pub fn queries(&self) -> &[Query] {
        &self.queries
    }

    /// Returns the number of threads: one if a query keeps values from game to game.
    pub fn n_threads(&self) -> usize {
        let mut programs = self.programs();
        if programs.any(|program| program.sequential_reason().is_some()) {
            1
        } else {
            flow::n_threads(self.threads)
        }
    }

    fn programs(&self) -> impl Clone + Iterator<Item = &Program> {
        self.queries.iter().map(|query| &**query.program())
    }

    /// Searches. `receiver` gets the results in the order of the games, on this thread. `unused`
    /// gets each archive whose text is read instead.
    ///
    /// # Errors
    /// A query is given up or fails on every game, it needs `lastgamenumber` of games without any
    /// that counts, the search is cancelled, or the receiver fails.
    pub fn run(
        &self,
        unused: &mut dyn FnMut(&UnusedArchive),
        receiver: &mut Receiver<'_>,
    ) -> Result<Summary, SearchError> {
        let (summary, fault) = self.search(true, unused, receiver)?;
        if summary.queries.iter().any(|query| query.has_only_failed) {
            Err(SearchError::FailedEverywhere(fault, summary))
        } else {
            Ok(summary)
        }
    }

    /// Searches like [`run`](Search::run), but goes on for the other queries if one is given up or
    /// fails.
    ///
    /// # Errors
    /// A query needs `lastgamenumber` of games without any that counts, the search is cancelled, or
    /// the receiver fails.
    pub fn run_each(
        &self,
        unused: &mut dyn FnMut(&UnusedArchive),
        receiver: &mut Receiver<'_>,
    ) -> Result<Summary, SearchError> {
        self.search(false, unused, receiver).map(|(summary, _)| summary)
    }

    /// Searches. Also returns the first fault of a query.
    fn search(
        &self,
        ends_if_given_up: bool,
        unused: &mut dyn FnMut(&UnusedArchive),
        receiver: &mut Receiver<'_>,
    ) -> Result<(Summary, Option<GameFault>), SearchError> {
        // The search cancels only this child, so that the caller can still use its own handle.
        let cancel = self.cancel.child();
        let runs = runs_of(&self.queries, &cancel);
        let mut progress = SearchProgress::new(&self.queries, &runs, ends_if_given_up);
        if progress.is_over {
            return Ok((progress.summary(&[]), None));
        }
        let options = RunOptions { cancel: cancel.clone(), ..self.options() };
        let make_worker = match self.worker_maker(&runs) {
            // A cancelled count has no result.
            Err(_) if self.cancel.is_cancelled() => {
                return Err(SearchError::Cancelled(progress.summary(&[])));
            }
            made => made?,
        };
        let mut sink = |mut out: Output<Vec<QueryResults>>| {
            if progress.is_over {
                return Ok(());
            }
            progress.take(&mut out);
            let received = receiver(Chunk { output: out, queries: &progress.states })?;
            progress.is_over |= received.is_break();
            if progress.is_over {
                cancel.cancel();
            }
            Ok(())
        };
        let screens = self.screens();
        let scanned = self.games.scan(&screens, &options, &make_worker, unused, &mut sink);
        let workers = scanned.map_err(SearchError::Failed)?.1;
        if ends_if_given_up && progress.is_given_up() {
            return Err(SearchError::GivenUp);
        }
        let workers = workers.first().map_or(&[][..], |gate| gate.worker.queries());
        let summary = progress.summary(workers);
        if self.cancel.is_cancelled() && summary.end == End::Games {
            Err(SearchError::Cancelled(summary))
        } else {
            Ok((summary, progress.first_fault))
        }
    }

    /// Evaluates the queries on one game, which is read from its place. Returns a result for each
    /// query; `None` if the game is not there any more.
    ///
    /// # Errors
    /// The game cannot be read, or there is none for `lastgamenumber`.
    pub fn on_game(&self, place: &GamePlace) -> io::Result<Option<Vec<QueryResults>>> {
        let Some(source) = self.games.source(&place.input) else {
            return Ok(None);
        };
        let options = RunOptions {
            first_game: place.number,
            last_game: Some(place.number),
            ..RunOptions::new(self.cancel.clone())
        };
        let runs = runs_of(&self.queries, &self.cancel);
        let mut results = Vec::new();
        let mut sink = |mut out: Output<Vec<QueryResults>>| {
            if out.results.iter().any(|found| !found.matches.is_empty()) {
                results.append(&mut out.results);
            }
            match out.failure {
                Some(error) if results.is_empty() => Err(error.into()),
                _ => Ok(()),
            }
        };
        let make_worker = self.worker_maker(&runs).map_err(io::Error::other)?;
        flow::run(place.source_from(source).alone(), &options, make_worker, &mut sink)?;
        Ok((!results.is_empty()).then_some(results))
    }

    /// Returns the function that makes the worker of a thread.
    fn worker_maker<'s>(
        &'s self,
        runs: &'s [Arc<QueryRun>],
    ) -> Result<impl Fn() -> Gate + Sync + use<'s, S>, SearchError> {
        let last_game_number = self.count()?;
        let (queries, may_evaluate) = (&self.queries, self.may_evaluate);
        Ok(move || Gate { worker: worker_of(queries, runs, last_game_number), may_evaluate })
    }

    /// Returns the options of the run: from the first game to the last one that a query searches.
    fn options(&self) -> RunOptions {
        let numbers = self.programs().map(Program::game_numbers);
        // `None` unless every program has a last game.
        let lasts: Option<Vec<u64>> = numbers.clone().map(|(_, last)| last).collect();
        let options = RunOptions::default();
        RunOptions {
            threads: self.n_threads(),
            first_game: numbers.map(|(first, _)| first).min().unwrap_or(1),
            last_game: lasts.and_then(|lasts| lasts.into_iter().max()),
            chunk_bytes: self.chunk_bytes.unwrap_or(options.chunk_bytes),
            size: self.games.size(),
            chosen: self.chosen.clone(),
            ..options
        }
    }

    fn screens(&self) -> Prefilter {
        let wants_others = self.queries.iter().any(Query::is_complement);
        if self.is_every_game_read || wants_others {
            Prefilter::open(self.programs())
        } else {
            Prefilter::of(self.programs())
        }
    }

    /// Counts the games, if a query needs their number.
    fn count(&self) -> Result<u64, SearchError> {
        match self.last_game_number {
            _ if !self.programs().any(Program::needs_last_game_number) => Ok(0),
            Some(n) if n > 0 => Ok(n),
            _ => last_game_number(self.games),
        }
    }
}

/// Counts the games for `lastgamenumber`, of which there must be one.
///
/// # Errors
/// There is no game with a `White` tag, perhaps because a file cannot be opened.
pub fn last_game_number(games: &impl Scan) -> Result<u64, SearchError> {
    let n = flow::count_games(games.sources());
    if n > 0 {
        return Ok(n);
    }
    let unopened = games.sources().find_map(Result::err);
    Err(SearchError::NoLastGame(match unopened {
        Some(unopened) => unopened.to_string(),
        None => format!("lastgamenumber: there is no game with a White tag in {}", games.name()),
    }))
}

/// Progress of a search.
struct SearchProgress<'q> {
    queries: &'q [Query],
    runs: &'q [Arc<QueryRun>],
    states: Vec<QueryState>,
    /// Whether a query that is given up ends the search.
    ends_if_given_up: bool,
    /// Whether no more games are needed.
    is_over: bool,
    n_games: u64,
    last_game: u64,
    /// First fault of a query.
    first_fault: Option<GameFault>,
}

impl<'q> SearchProgress<'q> {
    fn new(
        queries: &'q [Query],
        runs: &'q [Arc<QueryRun>],
        ends_if_given_up: bool,
    ) -> SearchProgress<'q> {
        let state = |query: &Query| QueryState {
            end: (query.first_games() == Some(0)).then_some(QueryEnd::Limit),
            ..QueryState::default()
        };
        let states: Vec<QueryState> = queries.iter().map(state).collect();
        SearchProgress {
            queries,
            runs,
            is_over: have_ended(&states),
            states,
            ends_if_given_up,
            n_games: 0,
            last_game: 0,
            first_fault: None,
        }
    }

    /// Counts the results of a chunk, after removing those that are not needed.
    fn take(&mut self, out: &mut Output<Vec<QueryResults>>) {
        out.results.resize_with(self.queries.len(), QueryResults::default);
        // Only a query that ends here has anything to remove.
        for index in 0..self.queries.len() {
            self.take_part(index, out);
        }
        let is_given_up = self.ends_if_given_up && self.is_given_up();
        if is_given_up || have_ended(&self.states) {
            let last = self.states.iter().map(|state| state.last_game).max();
            forget_after(out, last.unwrap_or(0));
            self.is_over = true;
        }
        self.n_games += out.n_games;
        self.last_game = (out.first_game + out.n_games).saturating_sub(1);
        if self.first_fault.is_none() {
            let mut faults = out.faults.iter();
            self.first_fault = faults.find(|fault| fault.part.is_some()).cloned();
        }
    }

    /// Counts the results of a query.
    fn take_part(&mut self, index: usize, out: &mut Output<Vec<QueryResults>>) {
        let (query, run) = (&self.queries[index], &self.runs[index]);
        let (state, found) = (&mut self.states[index], &mut out.results[index]);
        let end = (out.first_game + out.n_games).saturating_sub(1);
        let is_of_query = |fault: &GameFault| fault.part == Some(index);
        if state.end.is_some() {
            *found = QueryResults::default();
            out.faults.retain(|fault| !is_of_query(fault));
            return;
        }
        let mut last = end;
        if run.check_after(query.program(), end).is_err() {
            // Another thread may already have searched later games.
            *found = QueryResults::default();
            last = QueryRun::last_of_first(query.program());
            state.end = Some(QueryEnd::GivenUp);
        } else if let Some(limit) = query.first_games()
            && let Some(game) = found.truncate(limit - state.n_matches)
        {
            run.end();
            last = game;
            state.end = Some(QueryEnd::Limit);
        }
        if state.end.is_some() {
            out.faults.retain(|fault| !is_of_query(fault) || fault.number <= last);
        }
        let (first, most) = query.program().game_numbers();
        let end = last.min(most.unwrap_or(u64::MAX));
        state.n_games += (end + 1).saturating_sub(first.max(out.first_game));
        state.last_game = last;
        state.n_matches += found.matches.len() as u64;
        state.n_positions += found.n_matching_positions;
    }

    fn is_given_up(&self) -> bool {
        self.states.iter().any(|state| state.end == Some(QueryEnd::GivenUp))
    }

    /// Returns the totals. `workers` are those of the queries, if there was one thread.
    fn summary(&self, workers: &[QueryWorker]) -> Summary {
        let pairs = self.states.iter().zip(self.runs).enumerate();
        Summary {
            n_games: self.n_games,
            last_game: self.last_game,
            end: if self.is_over { End::Enough } else { End::Games },
            queries: pairs
                .map(|(index, (state, run))| QuerySummary {
                    state: *state,
                    has_only_failed: run.has_only_failed(),
                    persistent: workers
                        .get(index)
                        .map_or(Vec::new(), QueryWorker::persistent_report),
                })
                .collect(),
        }
    }
}

/// Whether no query needs more games. A search without queries reads all games.
fn have_ended(states: &[QueryState]) -> bool {
    !states.is_empty() && states.iter().all(|state| state.end.is_some())
}

/// Removes everything about games after `number`: neither their issues nor those of the rest of
/// their source are needed.
fn forget_after<R>(out: &mut Output<R>, number: u64) {
    out.n_games = out.n_games.min((number + 1).saturating_sub(out.first_game));
    out.faults.retain(|fault| fault.number <= number);
    out.failure = None;
}

/// Worker that checks before each game whether it may be evaluated.
struct Gate {
    worker: GameWorker,
    /// `None` if every game may.
    may_evaluate: Option<fn(u64) -> bool>,
}

/// Message for a game that may not be evaluated.
const ENDED: &str = "it ended the engine";

impl Gate {
    fn is_open(&self, number: u64) -> bool {
        self.may_evaluate.is_none_or(|may_evaluate| may_evaluate(number))
    }
}

impl Worker for Gate {
    type Results = Vec<QueryResults>;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Vec<QueryResults>>) {
        if self.is_open(number) {
            self.worker.game(raw, number, out)
        } else {
            out.fault(raw, number, FaultKind::Internal, ENDED)
        }
    }
}

impl KnownWorker for Gate {
    fn known_game(
        &mut self,
        game: &dyn KnownGame,
        number: u64,
        out: &mut Output<Vec<QueryResults>>,
    ) {
        if self.is_open(number) {
            self.worker.known_game(game, number, out)
        } else {
            out.fault_at(number, game.offset(), FaultKind::Internal, ENDED.to_owned())
        }
    }

    fn uses_moves(&self) -> bool {
        self.worker.uses_moves()
    }

    fn needs_only_count(&self, query: usize) -> bool {
        self.worker.needs_only_count(query)
    }
}

#[cfg(test)]
mod tests {
    use engine::{CompileOptions, Source, compile};

    use super::*;

    struct Nothing;

    impl Scan for Nothing {
        fn sources(&self) -> Box<Sources<'_>> {
            Box::new(std::iter::empty())
        }

        fn size(&self) -> Option<u64> {
            Some(7)
        }
    }

    fn query(text: &str) -> Query {
        let source = Source { name: "q", text: text.as_bytes() };
        let compiled = compile(&source, &[], &CompileOptions::default());
        Query::new(compiled.program.expect("a query"))
    }

    #[test]
    fn games_that_one_of_the_queries_asks_for_are_read() {
        let check = |texts: &[&str], expected: (usize, u64, Option<u64>)| {
            let search = Search::new(&Nothing, texts.iter().map(|text| query(text))).threads(4);
            let options = search.options();
            let got = (options.threads, options.first_game, options.last_game);
            assert_eq!((got, options.size), (expected, Some(7)), "{texts:?}");
        };
        check(&[], (4, 1, None));
        check(&["cql() mate"], (4, 1, None));
        check(&["cql(gamenumber 5 9) mate"], (4, 5, Some(9)));
        check(&["cql(gamenumber 5 9) mate", "cql(gamenumber 3 4) mate"], (4, 3, Some(9)));
        check(&["cql(gamenumber 5 9) mate", "cql() mate"], (4, 1, None));
        check(&["cql() mate", "cql() persistent x+=1"], (1, 1, None));
    }

    #[test]
    fn a_limit_does_not_cancel_the_handle_of_the_caller() {
        struct One;
        impl Scan for One {
            fn sources(&self) -> Box<Sources<'_>> {
                let games = b"[White \"a\"]\n\n*\n\n[White \"b\"]\n\n*\n".as_slice();
                GameSource::pgn("games", games).alone()
            }

            fn size(&self) -> Option<u64> {
                None
            }
        }
        let cancel = Cancel::default();
        let search = |limit| {
            let query = query("cql() true").with_limit(limit);
            let search = Search::new(&One, [query]).cancel(&cancel);
            search.run(&mut |_| {}, &mut |_| Ok(ControlFlow::Continue(())))
        };
        let summary = search(Some(1)).expect("a summary");
        assert_eq!((summary.n_games, summary.end), (1, End::Enough));
        assert!(!cancel.is_cancelled());
        assert_eq!(search(None).expect("a summary").end, End::Games);
        cancel.cancel();
        assert!(matches!(search(None), Err(SearchError::Cancelled(_))));
    }
}
