//! Requests of the page that need games: passes over collections, and single games.

use std::io::{self, BufWriter};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use babson::{Games, Prefilter, Scan, ScanPlan, UnusedArchive};
use engine::KnownWorker;
use flow::{Cancel, GameSet, GameSource, RunOptions, Sink, Sources, Summary};
use page::{Export, Host, OnCollections, OnGame, Selection, SpoolFile};
use serde_json::{Value, json};

use crate::api_error::{ApiError, answer, apart, read};
use crate::app::{App, lock};
use crate::folder::Draft;
use crate::guard::new_secret;
use crate::library::{self, NoGames, Origin, Place, SearchedFiles};
use crate::lines::{LineSender, respond};
use crate::wanted::WantedGames;

/// Games on the disk.
pub(crate) struct OnDisk {
    pub(crate) games: Games,
    pub(crate) cancel: Cancel,
}

impl OnDisk {
    fn new(places: &[Place], cancel: &Cancel) -> Result<OnDisk, NoGames> {
        Ok(OnDisk { games: library::games(places, cancel)?, cancel: cancel.clone() })
    }
}

impl Scan for OnDisk {
    fn sources(&self) -> Box<Sources<'_>> {
        self.games.inputs.sources()
    }

    fn size(&self) -> Option<u64> {
        self.games.inputs.size()
    }

    fn name(&self) -> &str {
        self.games.inputs.name()
    }

    fn source(&self, name: &str) -> Option<GameSource<'_>> {
        let inputs = &self.games.inputs;
        let groups = self.games.groups(false, &self.cancel, &mut |_| {});
        groups.iter().find_map(|group| group.source(inputs, name))
    }

    /// Searches by the columns of archives that are named or next to the games.
    fn scan<W: KnownWorker>(
        &self,
        screens: &Prefilter,
        options: &RunOptions,
        make_worker: &(impl Fn() -> W + Sync),
        unused: &mut dyn FnMut(&UnusedArchive),
        sink: &mut Sink<'_, W::Results>,
    ) -> io::Result<(Summary, Vec<W>)> {
        let groups = self.games.groups(false, &self.cancel, unused);
        let walk = ScanPlan { inputs: &self.games.inputs, groups: &groups };
        walk.scan(screens, options, make_worker, unused, sink)
    }
}

/// Games on the disk, with the connection to the page.
struct DiskHost<'a> {
    games: OnDisk,
    chosen: Option<Arc<GameSet>>,
    threads: usize,
    lines: &'a LineSender,
    begun: Instant,
}

impl<'a> DiskHost<'a> {
    fn new(
        wanted: &WantedGames,
        threads: usize,
        lines: &'a LineSender,
    ) -> Result<DiskHost<'a>, String> {
        let games = OnDisk { games: wanted.find(lines)?, cancel: lines.cancel.clone() };
        let chosen = wanted.chosen.clone();
        Ok(DiskHost { games, chosen, threads, lines, begun: Instant::now() })
    }
}

impl Host for DiskHost<'_> {
    type Scan = OnDisk;

    fn games(&self) -> &OnDisk {
        &self.games
    }

    fn chosen(&self) -> Option<Arc<GameSet>> {
        self.chosen.clone()
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

    fn read(&self, _: u64, n_games: u64, n_matches: u64) {
        let progress = &self.lines.progress;
        progress.games.fetch_add(n_games, Ordering::Relaxed);
        progress.matches.fetch_add(n_matches, Ordering::Relaxed);
    }
}

/// Runs a pass over some games and streams its lines.
fn pass(
    app: &App,
    selection: &Selection,
    work: impl FnOnce(&DiskHost<'_>) -> Result<(), page::Error> + Send + 'static,
) -> Result<Response, ApiError> {
    let wanted = WantedGames::of(app, selection)?;
    let threads = app.threads;
    respond(app, move |lines| {
        work(&DiskHost::new(&wanted, threads, lines)?).map_err(|error| error.to_string())
    })
}

/// Searches, and streams a row for every matching game. The first line has the state of the files.
pub(crate) async fn search(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let OnCollections { query, selection } = read(&body)?;
    let on_thread = app.clone();
    pass(&app, &selection, move |host| {
        let stamp = SearchedFiles::note(&on_thread.searched, &host.games.games);
        host.lines.line(&json!({ "stamp": stamp }))?;
        page::search(&query, host)
    })
}

/// Counts the games and positions that remain after each condition.
pub(crate) async fn funnel(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let OnCollections { query, selection } = read(&body)?;
    pass(&app, &selection, move |host| page::funnel(&query, host))
}

/// Counts tags and results.
pub(crate) async fn stats(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let selection: Selection = read(&body)?;
    pass(&app, &selection, |host| page::stats(host))
}

/// Tells whether files have changed since a search, and which are no longer there.
pub(crate) async fn changed(
    State(app): State<Arc<App>>,
    body: Bytes,
) -> Result<Response, ApiError> {
    let selection: Selection = read(&body)?;
    // A collection that was removed has changed, too.
    let Ok(places) = lock(&app.library).places(&selection.collections) else {
        return Ok(answer(&json!({ "changed": true, "gone": [] })));
    };
    let files = lock(&app.searched).of(selection.stamp.as_deref().unwrap_or_default());
    let cancel = app.cancel();
    apart(move || {
        let stamp = library::games(&places, &cancel).map(|games| library::stamp(&games)).ok();
        cancel.cancel();
        let is_changed = stamp != selection.stamp;
        let gone = if is_changed { library::gone(&files) } else { Vec::new() };
        Ok(json!({ "changed": is_changed, "gone": gone }))
    })
    .await
}

/// Writes the results to a file. It is complete before the browser fetches it, so that large
/// results need no memory of the page.
pub(crate) async fn export(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    written(&app, &body, |app, name, draft| offer(app, &name, draft))
}

/// Offers a file to the browser. Returns what the page needs to fetch it.
pub(crate) fn offer(app: &App, name: &str, draft: Draft) -> io::Result<Value> {
    let n_bytes = draft.path().metadata()?.len();
    let secret = new_secret()?;
    let address = format!("/download/{secret}");
    lock(&app.downloads).insert(secret, (name.to_owned(), draft.keep()));
    Ok(json!({ "name": name, "address": address, "bytes": n_bytes }))
}

/// Writes the results to a file, and adds it to the collections.
pub(crate) async fn save(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    written(&app, &body, |app, name, draft| {
        let mut library = lock(&app.library);
        let id = library.add(name, draft.keep(), Origin::Saved);
        Ok(json!({ "id": id, "collections": library.describe() }))
    })
}

/// Writes the results to a file in the folder of the server, and answers with what `take` makes of
/// its name and of the file.
fn written(
    app: &Arc<App>,
    body: &Bytes,
    take: impl FnOnce(&App, String, Draft) -> io::Result<Value> + Send + 'static,
) -> Result<Response, ApiError> {
    let request: Export = read(body)?;
    let wanted = WantedGames::of(app, &request.selection)?;
    let on_thread = app.clone();
    respond(app, move |lines| {
        let app = on_thread;
        let host = DiskHost::new(&wanted, app.threads, lines)?;
        // A file has no place to say that games are missing from it.
        if let Some(missing) = host.games.games.inputs.unreadable() {
            return Err(format!("{missing}; turn its collection off to write the other games"));
        }
        let (draft, file) =
            Draft::new(&app.folder, &request.name).map_err(|error| unwritable(&app, &error))?;
        let keep = || -> io::Result<Box<dyn SpoolFile>> { Ok(Box::new(tempfile::tempfile()?)) };
        let written =
            page::export(&request, &host, &mut BufWriter::new(file), &keep).map_err(|error| {
                match error {
                    page::Error::Unwritable(error) => unwritable(&app, &error),
                    other => other.to_string(),
                }
            })?;
        let taken = take(&app, written.name, draft);
        let mut end = taken.map_err(|error| unwritable(&app, &error))?;
        end["faults"] = json!(written.n_faults);
        end["leftOut"] = json!(written.n_left_out);
        lines.line(&json!({ "end": end })).map_err(|error| error.to_string())
    })
}

/// Says why a file in the folder of the server cannot be written.
pub(crate) fn unwritable(app: &App, error: &io::Error) -> String {
    format!("the file cannot be written in {}: {}", app.temporary().display(), page::why(error))
}

/// Returns a whole game, with the results of the query in it.
pub(crate) async fn game(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    on_game(&app, &body, |on, games, cancel| page::game(&on.query, &on.game, games, cancel)).await
}

/// Returns the positions of a game at which each condition of the query holds.
pub(crate) async fn holds(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    on_game(&app, &body, |on, games, cancel| Ok(page::holds(&on.query, &on.game, games, cancel)))
        .await
}

/// Answers a request about one game.
async fn on_game(
    app: &App,
    body: &Bytes,
    answer: impl FnOnce(&OnGame, &OnDisk, &Cancel) -> Result<Value, page::RequestError> + Send + 'static,
) -> Result<Response, ApiError> {
    let on: OnGame = read(body)?;
    let places = lock(&app.library).places(&on.game.collections)?;
    let cancel = app.cancel();
    apart(move || {
        let games = OnDisk::new(&places, &cancel)
            .map_err(|error| page::RequestError::Missing(error.into()));
        let told = games.and_then(|games| answer(&on, &games, &cancel));
        // The request is over, whatever its answer.
        cancel.cancel();
        Ok(told?)
    })
    .await
}
