//! Routes of the server.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::server::{App, lock};
use crate::{assets, build, download, guard, pass, upload, workspace};

/// Maximum size of a request, in bytes; a query with its options is much shorter.
const LONGEST_REQUEST: usize = 8 << 20;

/// Reason why a request is refused.
#[derive(Debug)]
pub(crate) struct Refusal {
    status: StatusCode,
    message: String,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, message: impl Into<String>) -> Refusal {
        Refusal { status, message: message.into() }
    }

    /// Creates a refusal of a malformed request.
    pub(crate) fn bad(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, message)
    }

    pub(crate) fn missing(message: impl Into<String>) -> Refusal {
        Refusal::new(StatusCode::NOT_FOUND, message)
    }

    #[cfg(test)]
    pub(crate) fn status(&self) -> StatusCode {
        self.status
    }
}

impl From<page::Refusal> for Refusal {
    fn from(refusal: page::Refusal) -> Refusal {
        match refusal {
            page::Refusal::Bad(message) => Refusal::bad(message),
            page::Refusal::Missing(message) => Refusal::missing(message),
        }
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let mut response = answer(&json!({ "error": self.message }));
        *response.status_mut() = self.status;
        response
    }
}

/// Returns a value as a JSON response.
pub(crate) fn answer(value: &Value) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, Body::from(value.to_string())).into_response()
}

/// Parses the body of a request.
pub(crate) fn read<T: DeserializeOwned>(body: &Bytes) -> Result<T, Refusal> {
    serde_json::from_slice(body)
        .map_err(|error| Refusal::bad(format!("the request cannot be read: {error}")))
}

/// Computes an answer on a thread of its own, so that other requests do not wait.
pub(crate) async fn apart(
    work: impl FnOnce() -> Result<Value, Refusal> + Send + 'static,
) -> Result<Response, Refusal> {
    let done = tokio::task::spawn_blocking(work).await;
    let defect = |_| Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "this is a defect of cql");
    Ok(answer(&done.map_err(defect)??))
}

/// Returns all routes, with the guard before them.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/api/state", get(state))
        .route("/api/ask", post(ask))
        .route("/api/search", post(pass::search))
        .route("/api/funnel", post(pass::funnel))
        .route("/api/game", post(pass::game))
        .route("/api/holds", post(pass::holds))
        .route("/api/export", post(pass::export))
        .route("/api/collections/{id}/stats", post(pass::stats))
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
        "collections": collections,
        "book": page::contents(),
        "columns": table::column_names().collect::<Vec<&str>>(),
    }))
}

/// Answers a request about a query.
async fn ask(body: Bytes) -> Result<Response, Refusal> {
    let question = read(&body)?;
    apart(move || Ok(page::ask(question)?)).await
}

/// Returns a page of the book.
async fn book(Path(name): Path<String>) -> Result<Response, Refusal> {
    Ok(answer(&page::page(&name)?))
}
