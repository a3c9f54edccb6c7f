//! The host of a pass over games, and what all passes have in common.

use std::io;
use std::sync::Arc;

use babson::{Query, Receiver, Scan, Search, SearchError, Summary, UnusedArchive};
use flow::{Cancel, GameSet, RunOptions};
use serde_json::Value;

/// Owner of the games of a pass, and receiver of its results.
pub trait Host {
    /// The games.
    type Scan: Scan;

    /// Returns the games.
    fn games(&self) -> &Self::Scan;

    /// Returns the chosen games; `None` for all.
    fn chosen(&self) -> Option<Arc<GameSet>>;

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

    /// Returns a function that is called with the number of each game before it is evaluated, and
    /// that returns whether it may be. It returns `false` for a game that is known to crash the
    /// engine.
    fn before_game(&self) -> fn(u64) -> bool {
        |_| true
    }
}

/// Sends a line.
pub(crate) fn tell<H: Host>(host: &H, value: &Value) -> io::Result<()> {
    host.tell(format!("{value}\n").into_bytes())
}

/// Returns the options of a pass that is not a search.
pub(crate) fn options<H: Host>(host: &H) -> RunOptions {
    RunOptions {
        threads: host.threads(),
        size: host.games().size(),
        chunk_bytes: host.chunk_bytes(),
        chosen: host.chosen(),
        ..RunOptions::new(host.cancel())
    }
}

/// Totals of a pass.
pub(crate) struct Passed {
    pub(crate) summary: Summary,
    /// Whether the pass was cancelled.
    pub(crate) is_cancelled: bool,
}

/// Evaluates queries on all games and reports the progress. `receiver` gets the results.
pub(crate) fn pass<H: Host>(
    host: &H,
    queries: impl IntoIterator<Item = Query>,
    unused: &mut dyn FnMut(&UnusedArchive),
    receiver: &mut Receiver<'_>,
) -> Result<Passed, SearchError> {
    let search = Search::new(host.games(), queries)
        .threads(host.threads())
        .choosing(host.chosen())
        .chunk_bytes(host.chunk_bytes())
        .cancel(&host.cancel())
        .may_evaluate(host.before_game());
    let searched = search.run(unused, &mut |chunk| {
        let out = &chunk.output;
        let n_matches = out.results.first().map_or(0, |found| found.matches.len());
        host.read(out.n_bytes, out.n_games, n_matches as u64);
        receiver(chunk)
    });
    match searched {
        Ok(summary) => Ok(Passed { summary, is_cancelled: false }),
        Err(SearchError::Cancelled(summary)) => Ok(Passed { summary, is_cancelled: true }),
        Err(error) => Err(error),
    }
}
