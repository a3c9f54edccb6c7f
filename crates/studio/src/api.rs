//! Routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::middleware;
use axum::response::Response;
use axum::routing::{delete, get, post};
use serde_json::json;

use crate::api_error::{ApiError, answer, apart, read};
use crate::app::{App, lock};
use crate::{assets, build, download, engine, guard, pass, report, tree, upload, workspace};

/// Maximum size of a request, in bytes; a query with its options is much shorter.
const LONGEST_REQUEST: usize = 8 << 20;

/// Returns all routes, with the guard before them.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/state", get(state))
        .route("/api/ask", post(ask))
        .route("/api/find", post(find))
        .route("/api/moves", post(moves))
        .route("/api/passage", post(passage))
        .route("/api/tree", post(tree::tree))
        .route("/api/save", post(pass::save))
        .route("/api/search", post(pass::search))
        .route("/api/funnel", post(pass::funnel))
        .route("/api/game", post(pass::game))
        .route("/api/holds", post(pass::holds))
        .route("/api/export", post(pass::export))
        .route("/api/stats", post(pass::stats))
        .route("/api/changed", post(pass::changed))
        .route("/api/report", post(report::report))
        .route("/api/engine", post(engine::lines))
        .route("/api/collections/{id}/archive", post(build::build))
        .route("/api/collections/{id}", delete(upload::remove))
        .route("/api/workspace", get(workspace::get).put(workspace::put))
        .route("/api/book/{*page}", get(book))
        .layer(DefaultBodyLimit::max(LONGEST_REQUEST))
        // The length is not limited, since the file goes to the disk.
        .route("/api/collections", post(upload::upload).layer(DefaultBodyLimit::disable()))
        .route("/download/{id}", get(download::download))
        .fallback(assets::asset)
        .layer(middleware::from_fn_with_state(app.clone(), guard::guard))
        .with_state(app)
}

/// Returns the data that the page needs at its start.
async fn state(State(app): State<Arc<App>>) -> Response {
    let collections = lock(&app.library).describe();
    answer(&json!({
        "version": env!("CARGO_PKG_VERSION"),
        "threads": app.threads,
        "running": app.n_running(),
        "engine": app.engine.as_ref().map(|engine| engine.name()),
        "collections": collections,
        "book": page::contents(),
        "columns": table::column_names().collect::<Vec<&str>>(),
    }))
}

/// Answers a request about a query.
async fn ask(body: Bytes) -> Result<Response, ApiError> {
    let question = read(&body)?;
    apart(move || Ok(page::ask(question)?)).await
}

/// Returns the ideas that have some words.
async fn find(body: Bytes) -> Result<Response, ApiError> {
    let wish = read(&body)?;
    apart(move || Ok(page::find(&wish))).await
}

/// Returns the legal moves of a position.
async fn moves(body: Bytes) -> Result<Response, ApiError> {
    Ok(answer(&page::moves(&read(&body)?)?))
}

/// Returns the queries of a passage of a game.
async fn passage(body: Bytes) -> Result<Response, ApiError> {
    let passage = read(&body)?;
    apart(move || Ok(page::passage(&passage)?)).await
}

/// Returns a page of the book.
async fn book(Path(name): Path<String>) -> Result<Response, ApiError> {
    Ok(answer(&page::page(&name)?))
}
