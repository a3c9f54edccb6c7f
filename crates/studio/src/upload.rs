//! Receives files dropped on the page. A copy of each is in the folder of the server until the
//! server ends.

use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use axum::body::BodyDataStream;
use axum::extract::{self, Request, State};
use axum::http::StatusCode;
use axum::response::Response;
use futures_core::Stream;
use serde_json::json;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;

use crate::api_error::{ApiError, answer};
use crate::app::{App, lock};
use crate::folder::{self, Draft};
use crate::library;

/// Name of the header with the name of the file, percent-encoded.
const NAME: &str = "x-studio-name";

/// Receives a file of any length.
pub(crate) async fn upload(
    State(app): State<Arc<App>>,
    request: Request,
) -> Result<Response, ApiError> {
    let name = request.headers().get(NAME);
    let name = name.and_then(|name| name.to_str().ok());
    let name = decoded(name.ok_or_else(|| ApiError::bad("the file has no name"))?);
    let (draft, file) =
        Draft::new(&app.folder, &name).map_err(|error| failed(&app, &name, &error))?;
    let mut body = request.into_body().into_data_stream();
    copy(&mut body, file).await.map_err(|error| failed(&app, &name, &error))?;
    let place = library::Place::copy(draft.path().to_owned(), &name);
    let (path, others) = (draft.path().to_owned(), lock(&app.library).clone());
    let tested = tokio::task::spawn_blocking(move || {
        library::has_games(place)?;
        let is_same = |other: &Path| have_same_bytes(&path, other).unwrap_or(false);
        Ok(others.with_file(is_same))
    });
    let same = tested.await;
    let same = same
        .unwrap_or_else(|_| Err("this is a defect of cql".to_owned()))
        .map_err(|why| ApiError::bad(format!("{name} was not added: {why}")))?;
    let mut library = lock(&app.library);
    let id = same.unwrap_or_else(|| library.add(name, draft.keep(), library::Origin::Dropped));
    let is_there = same.is_some();
    Ok(answer(&json!({ "id": id, "isThere": is_there, "collections": library.describe() })))
}

fn have_same_bytes(one: &Path, other: &Path) -> io::Result<bool> {
    let (one, other) = (std::fs::File::open(one)?, std::fs::File::open(other)?);
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    let (mut one, mut other) = (BufReader::new(one), BufReader::new(other));
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let n = left.len().min(right.len());
        if n == 0 || left[..n] != right[..n] {
            return Ok(n == 0);
        }
        one.consume(n);
        other.consume(n);
    }
}

fn failed(app: &App, name: &str, error: &io::Error) -> ApiError {
    let folder = app.temporary().display();
    let message = format!("{name} was not copied to {folder}: {}", page::why(error));
    ApiError::new(StatusCode::INSUFFICIENT_STORAGE, message)
}

async fn copy(body: &mut BodyDataStream, file: std::fs::File) -> io::Result<()> {
    let mut file = File::from_std(file);
    loop {
        let next = std::future::poll_fn(|context| Pin::new(&mut *body).poll_next(context));
        match next.await {
            Some(Ok(bytes)) => file.write_all(&bytes).await?,
            Some(Err(_)) => {
                let message = "the browser sent only a part of the file";
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, message));
            }
            None => return file.flush().await,
        }
    }
}

/// Decodes percent-encoded text and removes characters that cannot be in a line.
fn decoded(name: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let digits = after.first_chunk::<2>().filter(|_| first == b'%');
        let digits = digits.and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    let name = String::from_utf8_lossy(&bytes);
    let name: String = name.chars().filter(|c| !c.is_control()).take(200).collect();
    match name.trim() {
        "" => "games".to_owned(),
        name => name.to_owned(),
    }
}

/// Removes a file that was dropped on the page.
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    extract::Path(id): extract::Path<u32>,
) -> Result<Response, ApiError> {
    let path = lock(&app.library).remove(id);
    let message = "only files dropped or saved on the page can be removed";
    let path = path.ok_or_else(|| ApiError::missing(message))?;
    folder::remove(&path);
    let collections = lock(&app.library).describe();
    Ok(answer(&json!({ "collections": collections })))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_text_in_a_line() {
        let check = |name: &str, expected: &str| assert_eq!(decoded(name), expected, "{name}");
        check("a%20b.pgn", "a b.pgn");
        check("M%C3%BCller.pgn", "Müller.pgn");
        check("100%.pgn", "100%.pgn");
        check("%0a%1b[0m", "[0m");
        check("%2", "%2");
        check("", "games");
    }
}
