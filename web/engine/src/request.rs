//! Requests of the page, and their answers.

use std::io::{self, Cursor};

use flow::Cancel;
use page::{Export, OnCollections, OnGame, RequestError, Selection, SpoolFile};
use serde_json::{Value, json};

use crate::here::{File, Files, MemoryHost};
use crate::outside::{self, EventKind};

/// Handles a request. Returns the rest of the answer, after the lines that were already sent.
pub(crate) fn carry_out(files: &mut Vec<File>, request: Vec<u8>) -> Result<Vec<u8>, String> {
    let end = request.iter().position(|&byte| byte == b'\n');
    let end = end.unwrap_or(request.len());
    let path = String::from_utf8_lossy(&request[..end]).into_owned();
    let start = (end + 1).min(request.len());
    if let Some(named) = path.strip_prefix("add ") {
        let (id, name) = named.split_once(' ').unwrap_or((named, "games"));
        files.push(File {
            id: id.parse().map_err(|_| "a file has a number")?,
            name: name.into(),
            request,
            start,
        });
        return Ok(Vec::new());
    }
    let body = &request[start..];
    let told = |done: Result<(), page::Error>| match done {
        Ok(()) => Ok(Vec::new()),
        Err(error) => Err(error.to_string()),
    };
    match path.as_str() {
        "/api/state" => Ok(text(&state())),
        "/api/ask" => answer(page::ask(read(body)?)),
        "/api/moves" => answer(page::moves(&read(body)?)),
        "/api/find" => Ok(text(&page::find(&read(body)?))),
        "/api/search" => {
            let OnCollections { query, selection } = read(body)?;
            told(page::search(&query, &MemoryHost::new(files, &selection)?))
        }
        "/api/funnel" => {
            let OnCollections { query, selection } = read(body)?;
            told(page::funnel(&query, &MemoryHost::new(files, &selection)?))
        }
        "/api/stats" => {
            let selection: Selection = read(body)?;
            told(page::stats(&MemoryHost::new(files, &selection)?))
        }
        "/api/export" => export(files, &read(body)?),
        "/api/game" => {
            let OnGame { query, game } = read(body)?;
            let files = Files::new(files, &game.collections)?;
            answer(page::game(&query, &game, &files, &Cancel::default()))
        }
        "/api/holds" => {
            let OnGame { query, game } = read(body)?;
            let files = Files::new(files, &game.collections)?;
            Ok(text(&page::holds(&query, &game, &files, &Cancel::default())))
        }
        path => match path.strip_prefix("/api/book/") {
            Some(name) => answer(page::page(name)),
            None => Err(format!("there is no {path}")),
        },
    }
}

fn read<T: serde::de::DeserializeOwned>(body: &[u8]) -> Result<T, String> {
    serde_json::from_slice(body).map_err(|error| format!("the request cannot be read: {error}"))
}

fn text(value: &Value) -> Vec<u8> {
    value.to_string().into_bytes()
}

fn answer(answer: Result<Value, RequestError>) -> Result<Vec<u8>, String> {
    match answer {
        Ok(value) => Ok(text(&value)),
        Err(RequestError::Bad(message) | RequestError::Missing(message)) => Err(message),
    }
}

/// Returns the state that the page starts with, without the games, which the page has.
fn state() -> Value {
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "threads": 1,
        "book": page::contents(),
        "columns": table::column_names().collect::<Vec<&str>>(),
    })
}

fn export(files: &[File], request: &Export) -> Result<Vec<u8>, String> {
    let here = MemoryHost::new(files, &request.selection)?;
    let mut file = Vec::new();
    let keep = || -> io::Result<Box<dyn SpoolFile>> { Ok(Box::new(Cursor::new(Vec::new()))) };
    let written = page::export(request, &here, &mut file, &keep);
    let written = written.map_err(|error| error.to_string())?;
    outside::tell(EventKind::File, &file);
    let end = json!({ "end": {
        "name": written.name, "bytes": file.len(),
        "faults": written.n_faults, "leftOut": written.n_left_out,
    } });
    Ok(format!("{end}\n").into_bytes())
}
