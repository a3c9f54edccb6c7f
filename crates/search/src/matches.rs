//! Searches games in files with several threads, and returns the matching ones as plain data.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use engine::{MatchedGame, QueryResults};
use flow::{Cancel, GameSet, SourceError};
use input::{Inputs, Meter, ReadOptions};

use crate::archives::{Games, NotFound, ScanPlan};
use crate::driver::{Chunk, Search, SearchError, Summary};
use crate::error::Error;
use crate::order::Top;
use crate::program::Program;
use crate::report::Report;
use crate::{Query, Scan, Selection, UnusedArchive};

/// Number of results that may wait for the caller; the search pauses when there are more.
const WAITING: usize = 64;

/// Options of a search of files.
#[derive(Debug, Clone, Default)]
pub struct SearchOptions {
    /// Number of threads that evaluate games; 0 uses all processors. A program that keeps values
    /// from game to game runs on one thread.
    pub threads: usize,
    /// Instructions for reading files, such as their format if it cannot be detected.
    pub how: ReadOptions,
    /// Whether archives next to their games are ignored.
    pub no_index: bool,
    /// Selection and order of the matching games.
    pub selection: Selection,
}

/// Searches games in files: PGN, positions and puzzles, compressed or not, directories, patterns
/// and archives, as the command `cql` does. A file that is named twice is searched once. Matching
/// games come in the order of the files, whatever the number of threads; those of a query with
/// `sort` come when all are found, the best first.
///
/// Archives (`games.cqa`), named or found next to their games, are searched by their columns, which
/// is many times faster and has the same results. An outdated archive is not used; the report
/// records that ([`Matches::watch`]).
///
/// # Errors
/// [`Error::Input`] if a name refers to nothing, [`Error::Search`] if no thread can be started. All
/// other errors come with the results.
pub fn search_files(
    paths: impl IntoIterator<Item = impl Into<PathBuf>>,
    program: &Program,
    options: &SearchOptions,
) -> Result<Matches, Error> {
    let names: Vec<PathBuf> = paths.into_iter().map(Into::into).collect();
    let cancel = Cancel::default();
    if names.is_empty() {
        // No names would mean standard input.
        let error = io::Error::new(io::ErrorKind::InvalidInput, "none is named").into();
        return Err(Error::Input(SourceError { name: "the files".into(), error }));
    }
    let mut games = Games::find(&names, options.how, [], &cancel).map_err(not_found)?;
    if let Some(missing) = games.inputs.missing() {
        return Err(Error::Input(missing));
    }
    let query = Query::new(program.engine().clone()).with_selection(options.selection);
    if query.program().needs_last_game_number() {
        games.inputs.keep().map_err(Error::Search)?;
    }
    let (sender, results) = mpsc::sync_channel(WAITING);
    let watch = Watch::new(&games.inputs);
    let task = Task {
        games,
        only_named: options.no_index || options.how.is_said(),
        query,
        threads: options.threads,
        cancel: cancel.clone(),
        watch: watch.clone(),
        sender,
    };
    let search = move || task.run();
    let thread =
        thread::Builder::new().name("search".to_owned()).spawn(search).map_err(Error::Search)?;
    Ok(Matches { results: Some(results), thread: Some(thread), cancel, watch })
}

fn not_found(why: NotFound) -> Error {
    Error::Input(match why {
        NotFound::Archive(name, error) => {
            SourceError { name: name.display().to_string().into(), error: error.into() }
        }
        NotFound::Cancelled => SourceError { name: "the files".into(), error: why.into() },
    })
}

/// A search on a thread of its own.
struct Task {
    games: Games,
    only_named: bool,
    query: Query,
    threads: usize,
    cancel: Cancel,
    watch: Watch,
    sender: SyncSender<Result<MatchedGame, Error>>,
}

impl Task {
    /// Searches all games and sends the results until the receiver is dropped.
    fn run(self) {
        let mut unused = |unused: &UnusedArchive| self.watch.noted().note_unused(unused);
        let groups = self.games.groups(self.only_named, &self.cancel, &mut unused);
        let walk = ScanPlan { inputs: &self.games.inputs, groups: &groups };
        let search =
            Search::new(&walk, [self.query.clone()]).threads(self.threads).cancel(&self.cancel);
        let send = |result| self.sender.send(result).map_err(|_| io::Error::other(Gone));
        // A source that cannot be read further fails after its last games.
        let mut failure: Option<Error> = None;
        let mut see = |chunk: &mut Chunk<'_>| {
            if let Some(failure) = failure.take() {
                send(Err(failure))?;
            }
            let out = &mut chunk.output;
            self.watch.noted().note(out);
            let input = out.origin.name.to_string();
            for fault in out.faults.drain(..).filter(|fault| !fault.is_searched()) {
                send(Err(Error::Game { input: input.clone(), fault }))?;
            }
            failure = out
                .failure
                .take()
                .map(|error| Error::Input(SourceError { name: out.origin.name.clone(), error }));
            Ok(())
        };
        let done = for_each_match(&search, &mut unused, &mut see, &mut |game| {
            send(Ok(game)).map(ControlFlow::Continue)
        });
        // From here on the receiver may be gone, which is no error.
        if let Some(failure) = failure {
            let _ = send(Err(failure));
        }
        let _ = match done {
            Ok(summary) => {
                self.watch.noted().note_end(&summary);
                return;
            }
            Err(SearchError::GivenUp) => send(Err(Error::TooManySteps)),
            Err(SearchError::FailedEverywhere(..)) => send(Err(Error::FailedEverywhere)),
            Err(SearchError::Cancelled(_)) => send(Err(Error::Cancelled)),
            Err(error @ SearchError::NoLastGame(_)) => {
                send(Err(Error::Search(io::Error::other(error))))
            }
            Err(SearchError::Failed(error)) => match error.get_ref() {
                Some(inner) if inner.is::<Gone>() => return,
                _ => send(Err(Error::Search(error))),
            },
        };
    }
}

/// The receiver of the results has been dropped.
#[derive(Debug)]
struct Gone;

impl std::fmt::Display for Gone {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the receiver of the results is gone")
    }
}

impl std::error::Error for Gone {}

/// Passes the games that match the first query to `each` as plain data, in the order of the query.
/// Games that are sorted wait in memory. `see` gets the results of each chunk before its games. A
/// `Break` of `each` ends the search.
///
/// # Errors
/// Those of [`Search::run`] and of the functions.
pub fn for_each_match<S: Scan>(
    search: &Search<'_, S>,
    unused: &mut dyn FnMut(&UnusedArchive),
    see: &mut dyn FnMut(&mut Chunk<'_>) -> io::Result<()>,
    each: &mut dyn FnMut(MatchedGame) -> io::Result<ControlFlow<()>>,
) -> Result<Summary, SearchError> {
    let search = search.keeping_rows();
    let mut top = search.queries().first().and_then(Top::of);
    let summary = search.run(unused, &mut |mut chunk| {
        see(&mut chunk)?;
        let first = chunk.output.results.into_iter().next();
        for (keys, game) in matched(first.unwrap_or_default()) {
            if let Some(top) = &mut top {
                top.add(keys, || game);
            } else if each(game)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let floor = search.queries().first().and_then(Query::floor);
        if let Some((floor, top)) = floor.zip(top.as_mut())
            && let Some(least) = top.least()
        {
            floor.raise(least);
        }
        Ok(ControlFlow::Continue(()))
    })?;
    for game in top.map_or_else(Vec::new, Top::finish) {
        if each(game).map_err(SearchError::Failed)?.is_break() {
            break;
        }
    }
    Ok(summary)
}

/// Returns the games that match the first query and that it selects. `see` gets the results of each
/// chunk.
///
/// # Errors
/// Those of [`Search::run`] and of `see`.
pub fn matching_games<S: Scan>(
    search: &Search<'_, S>,
    unused: &mut dyn FnMut(&UnusedArchive),
    see: &mut dyn FnMut(&Chunk<'_>) -> io::Result<()>,
) -> Result<GameSet, SearchError> {
    let mut top = search.queries().first().and_then(Top::of);
    let mut numbers: Vec<u64> = Vec::new();
    search.run(unused, &mut |chunk| {
        see(&chunk)?;
        let first = chunk.output.results.into_iter().next().unwrap_or_default();
        for game in first.matches {
            match &mut top {
                None => numbers.push(game.number),
                Some(top) => top.add(game.sort_keys, || game.number),
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(numbers.into_iter().chain(top.map_or_else(Vec::new, Top::finish)).collect())
}

/// Returns the matching games with their sort keys.
fn matched(found: QueryResults) -> impl Iterator<Item = (Vec<engine::SortKey>, MatchedGame)> {
    let QueryResults { text, matches, rows, .. } = found;
    matches.into_iter().zip(rows).map(move |(game, row)| {
        let pgn = text[game.text].to_vec();
        (game.sort_keys, MatchedGame { row, pgn })
    })
}

/// Progress of a search. Clones may go to other threads and outlive the search.
#[derive(Debug, Clone)]
pub struct Watch {
    report: Arc<Mutex<Report>>,
    meter: Meter,
    size: Option<u64>,
}

impl Watch {
    fn new(inputs: &Inputs) -> Watch {
        Watch { report: Arc::default(), meter: inputs.meter(), size: inputs.size() }
    }

    /// Returns the report so far. It is slightly ahead of the games that the caller has taken, and
    /// complete when there are no more.
    pub fn report(&self) -> Report {
        self.noted().clone()
    }

    /// Returns the fraction of the bytes read so far, from 0 to 1; `None` if their number is not
    /// known.
    pub fn fraction(&self) -> Option<f64> {
        let size = self.size?.max(1);
        Some((self.meter.read() as f64 / size as f64).min(1.0))
    }

    fn noted(&self) -> MutexGuard<'_, Report> {
        // A panic in another thread leaves no counter half changed.
        self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Iterator over the matching games of files, returned by [`search_files`].
///
/// Games that could not be searched and files that could not be read come as errors between the
/// games; the search continues after them. After [`Error::TooManySteps`],
/// [`Error::FailedEverywhere`] or [`Error::Cancelled`], there are no more items. Dropping the
/// iterator ends the search.
#[derive(Debug)]
pub struct Matches {
    results: Option<Receiver<Result<MatchedGame, Error>>>,
    thread: Option<JoinHandle<()>>,
    cancel: Cancel,
    watch: Watch,
}

impl Matches {
    /// Returns the handle that ends the search early; its clones may be used by other threads.
    pub fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// Returns the progress and the report of the search; clones may be used by other threads.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }
}

impl Iterator for Matches {
    type Item = Result<MatchedGame, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        self.results.as_ref()?.recv().ok()
    }
}

impl Drop for Matches {
    fn drop(&mut self) {
        self.cancel.cancel();
        // With the receiver gone, the search cannot wait for the caller.
        drop(self.results.take());
        if let Some(thread) = self.thread.take() {
            // The thread panics only because of a defect of the library.
            let _ = thread.join();
        }
    }
}
