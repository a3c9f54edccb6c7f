//! Counts the moves played from a position (opening tree).

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use babson::UnusedArchive;
use flow::{Output, RunOptions};
use pgn::VariantNames;
use serde::Deserialize;
use serde_json::{Value, json};
use survey::tree::{self, Options, Target};
use survey::{Collection, Watch};

use crate::app::{App, lock};
use crate::library;
use crate::lines::{LineSender, respond};
use crate::refusal::{Refusal, read};

/// Position whose moves are counted, and the games.
#[derive(Deserialize)]
struct TreeRequest {
    /// The position: a FEN, moves, or the name of an opening.
    position: String,
    collections: Vec<u32>,
}

/// Receives the progress of a count.
struct Progress<'l>(&'l LineSender);

impl Watch for Progress<'_> {
    fn read(&mut self, chunk: &Output<()>, _: survey::Progress) {
        self.0.progress.games.fetch_add(chunk.n_games, Ordering::Relaxed);
    }

    fn report(&mut self, _: &Output<()>) {}

    fn unused(&mut self, _: &UnusedArchive) {}
}

/// Counts the moves and reports them in one line at the end.
pub(crate) async fn tree(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let request: TreeRequest = read(&body)?;
    let target = Target::parse(&request.position);
    let target = target.map_err(|error| Refusal::bad(error.to_string()))?;
    let paths = lock(&app.library).paths(&request.collections)?;
    let threads = app.threads;
    respond(&app, move |lines| {
        let games = library::games(&paths, &lines.cancel)?;
        let _ = lines.progress.meter.set(games.inputs.meter());
        lines.progress.size.store(games.inputs.size().unwrap_or(0), Ordering::Relaxed);
        let stretches = games.stretches(false, &lines.cancel, &mut |_| {});
        let options = RunOptions { threads, ..RunOptions::new(lines.cancel.clone()) };
        let variants = VariantNames::default();
        let mut counted = Collection::new(&games.inputs, stretches, options, variants);
        let options = Options { depth: 1, ..Options::default() };
        let tree = tree::count(&mut counted, &target, options, &mut Progress(lines));
        let tree = tree.map_err(|error| error.to_string())?;
        let report = serde_json::to_value(tree.report(&target, 1));
        let report: Value = report.map_err(|error| error.to_string())?;
        let sent: io::Result<()> = lines.line(&json!({ "end": report }));
        sent.map_err(|error| error.to_string())
    })
}
