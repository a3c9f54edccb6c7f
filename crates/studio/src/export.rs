//! Results as files, in every format that `cql` writes.
//!
//! A file is made whole before the browser asks for it, under a name that nobody can guess and that
//! is good for one time: so large results need not pass through the memory of the page.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use engine::{Found, Program, SortKey};
use serde::Deserialize;
use serde_json::json;
use table::{Format, Per, Table, TableOptions, TableWriter, Totals};

use crate::api::{Refusal, read};
use crate::guard::new_secret;
use crate::job::Job;
use crate::library::inputs;
use crate::lines::{Lines, respond};
use crate::query::Query;
use crate::server::{App, lock};

/// Files that wait to be fetched.
pub(crate) type Downloads = HashMap<String, (String, PathBuf)>;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    query: Query,
    collections: Vec<u32>,
    /// The extension of files of the format.
    format: String,
    /// A row is a game.
    #[serde(default)]
    per_game: bool,
    #[serde(default)]
    columns: Vec<String>,
    /// Games and positions are counted in groups by these columns.
    #[serde(default)]
    counts: Option<Vec<String>>,
    /// What the file is called, without its extension.
    #[serde(default)]
    name: String,
}

/// Makes a file of what is found.
pub(crate) async fn export(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let request: Request = read(&body)?;
    let paths = lock(&app.library).paths(&request.collections)?;
    let on_thread = app.clone();
    respond(&app, move |lines| {
        let app = on_thread;
        let program = request.query.compile()?;
        let (table, format) = table(&request, &program)?;
        let inputs = inputs(&paths, &lines.cancel)?;
        let secret = new_secret().map_err(|error| error.to_string())?;
        let path = app.folder.join(&secret);
        let failed = |error: io::Error| format!("the file cannot be written: {error}");
        let file = File::create_new(&path).map_err(failed)?;
        let mut output = SortedTable::new(&table, &program, file).map_err(failed)?;
        let mut job = Job::new([program]);
        let result = job.run(
            &inputs,
            app.threads,
            lines,
            &|| table.row_writer(),
            &mut |out| {
                output.take(
                    out.results.into_iter().next().unwrap_or_default(),
                    out.n_games,
                )
            },
        );
        let result = result.and_then(|summary| match summary.cancelled {
            true => Err("the export was stopped".to_owned()),
            false => output.finish().map_err(failed),
        });
        let n_bytes = result.inspect_err(|_| {
            // What is left of it goes with the folder.
            let _ = std::fs::remove_file(&path);
        })?;
        let name = file_name(&request.name, format.extension());
        lock(&app.downloads).insert(secret.clone(), (name.clone(), path));
        tell_end(lines, &name, &secret, n_bytes)
    })
}

fn tell_end(lines: &Lines, name: &str, secret: &str, n_bytes: u64) -> Result<(), String> {
    let address = format!("/download/{secret}");
    let end = json!({ "end": { "name": name, "address": address, "bytes": n_bytes } });
    lines.line(&end).map_err(|error| error.to_string())
}

fn table(request: &Request, program: &Program) -> Result<(Table, Format), String> {
    let format = match request.format.as_str() {
        "txt" => Some(Format::Count),
        format => Format::of_name(PathBuf::from(format!("x.{format}")).as_path()),
    };
    let format = format.ok_or_else(|| format!("there is no format `{}`", request.format))?;
    let options = TableOptions {
        format,
        per: if request.per_game {
            Per::Game
        } else {
            Per::Position
        },
        columns: request.columns.clone(),
        counts: request.counts.clone(),
        query: vec![(
            safe(&request.name),
            request.query.text().as_bytes().to_vec(),
        )],
    };
    let table = Table::new(program, &options).map_err(|error| error.to_string())?;
    Ok((table, format))
}

/// A name that is one everywhere.
fn safe(name: &str) -> String {
    let allowed = |c: char| {
        if c.is_alphanumeric() || "-_ ".contains(c) {
            c
        } else {
            '-'
        }
    };
    let name: String = name.trim().chars().take(80).map(allowed).collect();
    match name.is_empty() {
        true => "games".to_owned(),
        false => name,
    }
}

fn file_name(name: &str, extension: &str) -> String {
    format!("{}.{extension}", safe(name))
}

/// A table in the order that the query asks for.
struct SortedTable {
    writer: TableWriter<BufWriter<File>>,
    totals: Totals,
    ascending: Vec<bool>,
    /// Games that wait for their order, in a file; nothing where they stay as they come.
    waiting: Option<Waiting>,
}

struct Waiting {
    file: BufWriter<File>,
    games: Vec<(Vec<SortKey>, Range<u64>)>,
    end: u64,
}

impl SortedTable {
    fn new(table: &Table, program: &Program, file: File) -> io::Result<SortedTable> {
        let ascending = program.sort_directions();
        let waiting = match ascending.is_empty() {
            true => None,
            false => Some(Waiting {
                file: BufWriter::new(tempfile::tempfile()?),
                games: Vec::new(),
                end: 0,
            }),
        };
        Ok(SortedTable {
            writer: table.begin(BufWriter::new(file))?,
            totals: Totals::default(),
            ascending,
            waiting,
        })
    }

    fn take(&mut self, found: Found, n_games: u64) -> io::Result<()> {
        self.totals.n_games += n_games;
        self.totals.n_matches += found.matches.len() as u64;
        self.totals.n_positions += found.n_matching_positions;
        let Some(waiting) = &mut self.waiting else {
            return self.writer.chunk(&found);
        };
        waiting.file.write_all(&found.text)?;
        for game in found.matches {
            let place = |byte: usize| waiting.end + byte as u64;
            let range = place(game.text.start)..place(game.text.end);
            waiting.games.push((game.sort_keys, range));
        }
        waiting.end += found.text.len() as u64;
        Ok(())
    }

    /// Writes what waits; the result is the size of the file.
    fn finish(mut self) -> io::Result<u64> {
        if let Some(waiting) = self.waiting {
            let mut games = waiting.games;
            games.sort_by(|a, b| SortKey::compare(&a.0, &b.0, &self.ascending));
            let mut file = waiting
                .file
                .into_inner()
                .map_err(|error| error.into_error())?;
            let mut text = Vec::new();
            for (_, range) in games {
                text.resize((range.end - range.start) as usize, 0);
                file.seek(SeekFrom::Start(range.start))?;
                file.read_exact(&mut text)?;
                self.writer.game(&text)?;
            }
        }
        let totals = Totals {
            n_written: self.totals.n_matches,
            ..self.totals
        };
        let mut file = self.writer.finish(&totals)?;
        file.flush()?;
        Ok(file.get_ref().metadata()?.len())
    }
}

/// Hands a file out, once.
pub(crate) async fn download(
    State(app): State<Arc<App>>,
    Path(secret): Path<String>,
) -> Result<Response, Refusal> {
    let missing = || Refusal::missing("this file was fetched before, or the program was restarted");
    let (name, path) = lock(&app.downloads).remove(&secret).ok_or_else(missing)?;
    let file = File::open(&path).map_err(|_| missing())?;
    // It lives as long as it is read.
    let _ = std::fs::remove_file(&path);
    let disposition = format!(
        "attachment; filename=\"{}\"",
        name.replace(|c: char| !c.is_ascii(), "-")
    );
    let mut response = Body::from_stream(Pieces(file)).into_response();
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/octet-stream"),
    );
    if let Ok(disposition) = HeaderValue::from_str(&disposition) {
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    Ok(response)
}

/// A file in pieces. They come from memory, for it has just been written.
struct Pieces(File);

impl futures_core::Stream for Pieces {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_names_everywhere() {
        assert_eq!(file_name("Forks & pins/2", "csv"), "Forks - pins-2.csv");
        assert_eq!(file_name("  ", "pgn"), "games.pgn");
        assert_eq!(
            file_name("../../etc/passwd\r\n", "pgn"),
            "------etc-passwd.pgn"
        );
    }
}
