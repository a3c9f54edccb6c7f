//! Counts the moves played from a position (opening tree).

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use page::Selection;
use serde::Deserialize;
use serde_json::json;
use survey::target::Target;
use survey::tree::{self, TreeOptions};

use crate::api_error::{ApiError, read};
use crate::app::App;
use crate::lines::respond;
use crate::wanted::WantedGames;
use crate::watcher::Watcher;

/// Position whose moves are counted, and the games.
#[derive(Deserialize)]
struct TreeRequest {
    /// The position: a FEN, moves, or the name of an opening.
    position: String,
    #[serde(flatten)]
    selection: Selection,
}

/// Counts the moves and reports them in one line at the end.
pub(crate) async fn tree(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let request: TreeRequest = read(&body)?;
    let target = Target::parse(&request.position);
    let target = target.map_err(|error| ApiError::bad(error.to_string()))?;
    let wanted = WantedGames::of(&app, &request.selection)?;
    let threads = app.threads;
    respond(&app, move |lines| {
        let games = wanted.find(lines)?;
        let mut watcher = Watcher::new(lines);
        let mut counted = watcher.collection(&games, &wanted, threads);
        let options = TreeOptions { depth: 1, ..TreeOptions::default() };
        let tree = tree::count(&mut counted, &target, options, &mut watcher);
        let tree = tree.map_err(|error| error.to_string())?;
        let report = serde_json::to_value(tree.report(&target, 1));
        let mut report = report.map_err(|error| error.to_string())?;
        report["notes"] = json!(watcher.notes);
        lines.line(&json!({ "end": report })).map_err(|error| error.to_string())
    })
}
