//! Archives of collections, made as `cql index` makes them: beside the games.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use archive::{Builder, Lock, Manifest, Plan};
use axum::extract::{Path as InPath, State};
use axum::response::Response;
use flow::RunOptions;
use input::Inputs;
use serde_json::json;

use crate::api::Refusal;
use crate::library;
use crate::lines::{Lines, respond};
use crate::server::{App, lock};

/// Makes the archive of a collection, or brings it up to date.
pub(crate) async fn build(
    State(app): State<Arc<App>>,
    InPath(id): InPath<u32>,
) -> Result<Response, Refusal> {
    let games = lock(&app.library).place(id)?;
    let threads = app.threads;
    respond(&app, move |lines| {
        let folder = archive::beside(&games);
        let manifest = make(&games, &folder, threads, lines)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        let end = json!({ "end": { "name": name, "games": manifest.games } });
        lines.line(&end).map_err(|error| error.to_string())
    })
}

fn make(games: &Path, folder: &Path, threads: usize, lines: &Lines) -> Result<Manifest, String> {
    let failed = |error: archive::Error| {
        let name = folder.display();
        format!("the archive {name} cannot be made: {error}")
    };
    let inputs = library::games(&[games.to_owned()], &lines.cancel)?.inputs;
    let files: Option<Vec<PathBuf>> = inputs
        .paths()
        .map(|path| path.map(Path::to_owned))
        .collect();
    let files = files.ok_or("an archive needs files that can be read again later")?;
    // What there is to do must still be so when it is done.
    let _lock = Lock::take(folder).map_err(failed)?;
    match archive::plan(folder, &files, &lines.cancel).map_err(failed)? {
        Plan::Done(manifest) => Ok(*manifest),
        Plan::Build(builder) => {
            let made = read(*builder, &inputs, threads, lines).map_err(failed)?;
            made.ok_or_else(|| "the archive was stopped; it goes on from there".to_owned())
        }
    }
}

fn read(
    builder: Builder,
    inputs: &Inputs,
    threads: usize,
    lines: &Lines,
) -> Result<Option<Manifest>, archive::Error> {
    let progress = &lines.progress;
    let _ = progress.meter.set(inputs.meter());
    let size = inputs.size().unwrap_or(0);
    progress.size.store(size, Ordering::Relaxed);
    let options = RunOptions {
        threads,
        size: inputs.size(),
        ..RunOptions::new(lines.cancel.clone())
    };
    let sources = inputs.sources_from(builder.kept().first_file);
    builder.read(sources, &options, &mut |games, _| {
        progress.games.store(games, Ordering::Relaxed);
    })
}
