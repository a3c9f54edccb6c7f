//! Requests of the page that need games: passes over collections, and single games.

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use archived::{Games, Screens, Unused, Walk};
use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::response::Response;
use engine::{Found, GameWorker, KnownWorker, Program};
use flow::{Cancel, RunOptions, Sink, Sources, Summary};
use page::{Counter, Counts, Export, Host, Keeps, OnCollections, OnGame, PassWorker, Reference};
use serde_json::json;

use crate::api::{Refusal, apart, read};
use crate::folder;
use crate::guard::new_secret;
use crate::library;
use crate::lines::{Lines, respond};
use crate::server::{App, lock};

/// Games on the disk, with the connection to the page.
struct Here<'a> {
    games: Games,
    threads: usize,
    lines: &'a Lines,
    begun: Instant,
}

impl<'a> Here<'a> {
    fn new(paths: &[PathBuf], threads: usize, lines: &'a Lines) -> Result<Here<'a>, String> {
        let games = library::games(paths, &lines.cancel)?;
        let _ = lines.progress.meter.set(games.inputs.meter());
        let size = games.inputs.size().unwrap_or(0);
        lines.progress.size.store(size, Ordering::Relaxed);
        Ok(Here { games, threads, lines, begun: Instant::now() })
    }
}

impl Here<'_> {
    /// Runs workers over the games, by the columns of archives that are named or next to the games.
    fn walk<W: KnownWorker>(
        &self,
        screens: &Screens,
        options: &RunOptions,
        make_worker: &(impl Fn() -> W + Sync),
        sink: &mut Sink<'_, W::Results>,
    ) -> io::Result<Summary>
    where
        W::Results: Default,
    {
        let mut not_used: Vec<Unused> = Vec::new();
        let mut tell = |unused: &Unused| not_used.push(unused.clone());
        let stretches = self.games.stretches(false, &options.cancel, &mut tell);
        let walk = Walk { inputs: &self.games.inputs, stretches: &stretches };
        let (summary, _) = walk.run(screens, options, make_worker, &mut tell, sink)?;
        not_used.iter().try_for_each(|unused| sink(unused.output()))?;
        Ok(summary)
    }
}

impl Host for Here<'_> {
    fn sources(&self) -> Box<Sources<'_>> {
        self.games.inputs.sources()
    }

    fn size(&self) -> Option<u64> {
        self.games.inputs.size()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn cancel(&self) -> Cancel {
        self.lines.cancel.clone()
    }

    fn seconds(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn tell(&self, lines: Vec<u8>) -> io::Result<()> {
        self.lines.bytes(&lines)
    }

    fn evaluate(
        &self,
        programs: &[&Program],
        options: &RunOptions,
        make_worker: &(dyn Fn() -> PassWorker + Sync),
        sink: &mut Sink<'_, Vec<Found>>,
    ) -> io::Result<Summary> {
        let screens = Screens::of(programs.iter().copied());
        self.walk(&screens, options, &make_worker, sink)
    }

    fn count(&self, options: &RunOptions, sink: &mut Sink<'_, Counts>) -> io::Result<Summary> {
        self.walk(&Screens::open([]), options, &Counter::default, sink)
    }

    fn read(&self, _: u64, n_games: u64, n_matches: u64) {
        let progress = &self.lines.progress;
        progress.games.fetch_add(n_games, Ordering::Relaxed);
        progress.matches.fetch_add(n_matches, Ordering::Relaxed);
    }
}

/// Runs a pass over some collections and streams its lines.
fn pass(
    app: &App,
    collections: &[u32],
    work: impl FnOnce(&dyn Host) -> Result<(), String> + Send + 'static,
) -> Result<Response, Refusal> {
    let paths = lock(&app.library).paths(collections)?;
    let threads = app.threads;
    respond(app, move |lines| work(&Here::new(&paths, threads, lines)?))
}

/// Searches, and streams a row for every matching game.
pub(crate) async fn search(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let OnCollections { query, collections } = read(&body)?;
    pass(&app, &collections, move |host| page::search(&query, host))
}

/// Counts the games and positions that remain after each condition.
pub(crate) async fn funnel(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let OnCollections { query, collections } = read(&body)?;
    pass(&app, &collections, move |host| page::funnel(&query, host))
}

/// Counts tags and results of a collection.
pub(crate) async fn stats(
    State(app): State<Arc<App>>,
    Path(id): Path<u32>,
) -> Result<Response, Refusal> {
    pass(&app, &[id], page::stats)
}

/// Writes the results to a file. It is complete before the browser fetches it, so that large
/// results need no memory of the page.
pub(crate) async fn export(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let request: Export = read(&body)?;
    let paths = lock(&app.library).paths(&request.collections)?;
    let on_thread = app.clone();
    respond(&app, move |lines| {
        let app = on_thread;
        let host = Here::new(&paths, app.threads, lines)?;
        let failed = |error: io::Error| format!("the file cannot be written: {error}");
        let secret = new_secret().map_err(failed)?;
        let path = app.folder.join(&secret);
        let mut file = BufWriter::new(folder::create(&path).map_err(failed)?);
        let keep = || -> io::Result<Box<dyn Keeps>> { Ok(Box::new(tempfile::tempfile()?)) };
        let name = page::export(&request, &host, &mut file, &keep).inspect_err(|_| {
            // If this fails, the file is removed with the folder.
            let _ = std::fs::remove_file(&path);
        })?;
        let n_bytes = path.metadata().map_err(failed)?.len();
        let address = format!("/download/{secret}");
        lock(&app.downloads).insert(secret, (name.clone(), path));
        let end = json!({ "end": { "name": name, "address": address, "bytes": n_bytes } });
        lines.line(&end).map_err(|error| error.to_string())
    })
}

/// Returns a whole game, with the results of the query in it.
pub(crate) async fn game(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let OnGame { query, game } = read(&body)?;
    let paths = lock(&app.library).paths(&game.collections)?;
    let cancel = app.cancel();
    apart(move || {
        let answer = page::game(&query, &|workers| evaluate(&game, &paths, &cancel, workers));
        cancel.cancel();
        Ok(answer?)
    })
    .await
}

/// Returns the positions of a game at which each condition of the query holds.
pub(crate) async fn holds(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let OnGame { query, game } = read(&body)?;
    let paths = lock(&app.library).paths(&game.collections)?;
    let cancel = app.cancel();
    apart(move || {
        let answer = page::holds(&query, &|workers| evaluate(&game, &paths, &cancel, workers));
        cancel.cancel();
        Ok(answer)
    })
    .await
}

/// Evaluates queries on a game of some files.
fn evaluate(
    game: &Reference,
    paths: &[PathBuf],
    cancel: &Cancel,
    workers: &(dyn Fn() -> GameWorker + Sync),
) -> Result<Vec<Found>, String> {
    let games = library::games(paths, cancel)?;
    let stretches = games.stretches(false, cancel, &mut |_| {});
    let source = stretches.iter().find_map(|stretch| stretch.source(&games.inputs, &game.input));
    let source = source.ok_or("the file with the game no longer exists")?;
    page::evaluate(game, source, cancel, workers)
}
