//! Searches games in files with several threads.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread::{self, JoinHandle};

use archived::{Games, NotFound, Screens, Walk};
use engine::{MatchWorker, MatchedGame, MatchedGames, QueryRun, TooManySteps, run_options};
use flow::{Cancel, Output, RunOptions, Unreadable};
use input::How;

use crate::error::Error;
use crate::program::Program;
use crate::report::Watch;

/// Number of results that may wait for the caller; the search pauses when there are more.
const WAITING: usize = 64;

/// Options of a search of files.
#[derive(Debug, Clone, Default)]
pub struct SearchOptions {
    /// Number of threads that evaluate games; 0 uses all processors. A program that keeps values
    /// from game to game runs on one thread.
    pub threads: usize,
    /// Instructions for reading files, such as their format if it cannot be detected.
    pub how: How,
    /// Whether archives next to their games are ignored.
    pub no_index: bool,
}

/// Searches games in files: PGN, positions and puzzles, compressed or not, directories, patterns
/// and archives, as the command `cql` does. A file that is named twice is searched once. Matching
/// games come in the order of the files, whatever the number of threads.
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
        return Err(Error::Input(Unreadable {
            name: "the files".into(),
            message: "none is named".to_owned(),
        }));
    }
    let games = Games::find(&names, options.how, [], &cancel).map_err(not_found)?;
    if let Some(missing) = games.inputs.missing() {
        return Err(Error::Input(missing));
    }
    let threads = match options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let engine: &engine::Program = program.engine();
    let run_options = run_options([engine], threads, games.inputs.size(), cancel.clone());
    let (sender, results) = mpsc::sync_channel(WAITING);
    let program = program.clone();
    let only_named = options.no_index || options.how.is_said();
    let watch = Watch::new(&games.inputs);
    let ours = watch.clone();
    let search = move || run((&games, only_named), &program, &run_options, &ours, &sender);
    let thread =
        thread::Builder::new().name("search".to_owned()).spawn(search).map_err(Error::Search)?;
    Ok(Matches { results: Some(results), thread: Some(thread), cancel, watch })
}

fn not_found(why: NotFound) -> Error {
    Error::Input(match why {
        NotFound::Archive(name, error) => {
            Unreadable { name: name.display().to_string().into(), message: error.to_string() }
        }
        NotFound::Cancelled => Unreadable { name: "the files".into(), message: why.to_string() },
    })
}

/// Searches all games and sends the results until the receiver is dropped.
fn run(
    (games, only_named): (&Games, bool),
    program: &Program,
    options: &RunOptions,
    watch: &Watch,
    sender: &SyncSender<Result<MatchedGame, Error>>,
) {
    let send = |result| {
        let gone = |_| io::Error::other("the receiver is gone");
        sender.send(result).map_err(gone)
    };
    let program = program.engine();
    let run: Arc<QueryRun> = Arc::default();
    let mut hand_on = |mut out: Output<MatchedGames>| {
        let input = out.origin.name.to_string();
        let read = (out.first_game + out.n_games).saturating_sub(1);
        let given_up = run.check_after(program, read);
        if given_up.is_err() {
            // Another thread may already have searched later games.
            let last = QueryRun::last_of_first(program);
            out.faults.retain(|fault| fault.number <= last);
            out.results.0.clear();
        }
        watch.note(&out);
        for fault in out.faults.into_iter().filter(|fault| !fault.is_searched()) {
            let input = input.clone();
            send(Err(Error::Game { input, fault }))?;
        }
        if let Err(why) = given_up {
            send(Err(why.into()))?;
            return Err(io::Error::other(why));
        }
        for game in out.results.0 {
            send(Ok(game))?;
        }
        match out.failure {
            Some(message) => send(Err(Error::Input(Unreadable { name: out.origin.name, message }))),
            None => Ok(()),
        }
    };
    let mut tell = |unused: &_| watch.unused(unused);
    let stretches = games.stretches(only_named, &options.cancel, &mut tell);
    let walk = Walk { inputs: &games.inputs, stretches: &stretches };
    let screens = Screens::of([&**program]);
    let worker = || MatchWorker::new(program, &run);
    let result = walk.run(&screens, options, &worker, &mut tell, &mut hand_on);
    if let Err(error) = result
        && !is_said(&error)
    {
        // The receiver may be gone, which is no error.
        let _ = send(Err(Error::Search(error)));
    }
}

/// Whether an error that ended a search has been sent already.
fn is_said(error: &io::Error) -> bool {
    let inner = error.get_ref();
    inner.is_some_and(|inner| inner.is::<TooManySteps>())
}

/// Iterator over the matching games of files, returned by [`search_files`].
///
/// Games that could not be searched and files that could not be read come as errors between the
/// games; the search continues after them. [`Error::TooManySteps`] ends it. Dropping the iterator
/// ends the search.
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
