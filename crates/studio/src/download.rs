//! Serves exported files to the browser, under random names that work once.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use crate::api_error::ApiError;
use crate::app::{App, lock};
use crate::folder;

/// Files that wait to be fetched: secret, file name and path.
pub(crate) type Downloads = HashMap<String, (String, PathBuf)>;

/// Sends a file, once.
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
) -> Result<Response, ApiError> {
    let missing =
        || ApiError::missing("the file was already downloaded, or the program was restarted");
    let (name, path) = lock(&app.downloads).remove(&secret).ok_or_else(missing)?;
    let file = File::open(&path).map_err(|_| missing())?;
    // The open file stays readable.
    folder::remove(&path);
    let disposition =
        format!("attachment; filename=\"{}\"", name.replace(|c: char| !c.is_ascii(), "-"));
    let mut response = Body::from_stream(DownloadStream(file)).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// File read in chunks. Reading does not block for long, since the file was just written and is
/// cached.
struct DownloadStream(File);

impl futures_core::Stream for DownloadStream {
    type Item = io::Result<Bytes>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        let mut piece = vec![0; 256 << 10];
        std::task::Poll::Ready(match self.0.read(&mut piece) {
            Ok(0) => None,
            Ok(n) => {
                piece.truncate(n);
                Some(Ok(piece.into()))
            }
            Err(error) => Some(Err(error)),
        })
    }
}
