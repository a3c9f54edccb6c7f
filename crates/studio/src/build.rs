//! Builds archives of collections next to the games, as `cql index` does.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use archive::Manifest;
use axum::body::Bytes;
use axum::extract::{Path as InPath, State};
use axum::response::Response;
use babson::{KeepText, KeepThemes, MakeOptions, UnusedReason};
use flow::RunOptions;
use serde::Deserialize;
use serde_json::json;
use syntax::library::Theme;

use crate::api_error::{ApiError, read};
use crate::app::{App, lock};
use crate::library;
use crate::lines::{LineSender, respond};

/// Request for an archive.
#[derive(Deserialize)]
struct BuildRequest {
    /// Whether the archive stores which games have the themes of the library; `None` if it stores
    /// those that it already has.
    themes: Option<bool>,
}

/// Builds the archive of a collection, or brings it up to date.
pub(crate) async fn build(
    State(app): State<Arc<App>>,
    InPath(id): InPath<u32>,
    body: Bytes,
) -> Result<Response, ApiError> {
    let BuildRequest { themes } = read(&body)?;
    let games = lock(&app.library).place(id)?;
    let threads = app.threads;
    respond(&app, move |lines| {
        let folder = archive::beside(&games);
        let themes = match themes {
            Some(true) => KeepThemes::With(Theme::all().collect()),
            Some(false) => KeepThemes::No,
            None => KeepThemes::AsBefore,
        };
        let make_options = MakeOptions { themes, ..MakeOptions::default() };
        let manifest = make(&games, &folder, make_options, threads, lines)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let unused = UnusedReason::of(&manifest).map(|reason| reason.to_string());
        let end = json!({ "end": { "name": name, "games": manifest.games, "unused": unused } });
        lines.line(&end).map_err(|error| error.to_string())
    })
}

fn make(
    games: &Path,
    folder: &Path,
    make_options: MakeOptions,
    threads: usize,
    lines: &LineSender,
) -> Result<Manifest, String> {
    let inputs = library::games(&[library::Place::new(games.to_owned())], &lines.cancel)?.inputs;
    let progress = &lines.progress;
    let _ = progress.meter.set(inputs.meter());
    let size = inputs.size().unwrap_or(0);
    progress.size.store(size, Ordering::Relaxed);
    let options =
        RunOptions { threads, size: inputs.size(), ..RunOptions::new(lines.cancel.clone()) };
    // Without the text of a compressed file, no search could use the archive.
    let ending = games.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_packed = games.is_file() && input::COMPRESSED.contains(&&*ending);
    let text = if is_packed { KeepText::Yes } else { make_options.text };
    let made = babson::make(
        &inputs,
        folder,
        MakeOptions { text, ..make_options },
        &options,
        &mut |heard| {
            progress.games.store(heard.games, Ordering::Relaxed);
        },
    );
    let made = made.map_err(|error| {
        let name = folder.display();
        format!("cannot build the archive {name}: {error}")
    })?;
    let made = made.ok_or("the build was stopped; a new one resumes it")?;
    Ok(made.manifest)
}
