//! Files of the page, which are part of the program.

use axum::body::Body;
use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;

const ASSETS: [(&str, &str, &[u8]); 6] = [
    ("/", "text/html; charset=utf-8", include_bytes!("../assets/index.html")),
    ("/app.js", "text/javascript; charset=utf-8", include_bytes!("../assets/app.js")),
    ("/editor.js", "text/javascript; charset=utf-8", include_bytes!("../assets/editor.js")),
    ("/app.css", "text/css; charset=utf-8", include_bytes!("../assets/app.css")),
    ("/icon.svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
    ("/licenses.txt", "text/plain; charset=utf-8", include_bytes!("../assets/licenses.txt")),
];

/// Returns a file of the page.
pub(crate) async fn asset(request: Request) -> Response {
    let path = request.uri().path();
    match ASSETS.iter().find(|asset| asset.0 == path) {
        Some(&(_, kind, bytes)) => {
            ([(header::CONTENT_TYPE, kind)], Body::from(bytes)).into_response()
        }
        None => ApiError::new(StatusCode::NOT_FOUND, "there is no such page").into_response(),
    }
}
