//! The queries of the page, kept from one start to the next.
//!
//! The page says which state its change is based on. If another window has changed the same since,
//! nothing is overwritten: the page is given what is there, and decides.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api::{Refusal, answer, read};
use crate::server::{App, lock};

/// What the file is called.
const NAME: &str = "studio.json";

/// What the page keeps, and how often it was changed.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    file: Option<PathBuf>,
    kept: Kept,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Kept {
    version: u64,
    state: Value,
}

impl Workspace {
    /// What was kept in a folder. A file that cannot be read is kept aside.
    pub(crate) fn open(folder: Option<PathBuf>) -> Workspace {
        let file = folder.map(|folder| folder.join(NAME));
        let kept = file.as_ref().and_then(|file| {
            let text = fs::read(file).ok()?;
            let kept = serde_json::from_slice(&text).ok();
            if kept.is_none() {
                let _ = fs::rename(file, file.with_extension("json.damaged"));
            }
            kept
        });
        Workspace {
            file,
            kept: kept.unwrap_or_default(),
        }
    }

    /// Takes a change of a certain version; whether that is the one that is there.
    fn change(&mut self, change: Kept) -> io::Result<bool> {
        if change.version != self.kept.version {
            return Ok(false);
        }
        let changed = Kept {
            version: change.version + 1,
            state: change.state,
        };
        if let Some(file) = &self.file {
            write(file, &serde_json::to_vec(&changed)?)?;
        }
        self.kept = changed;
        Ok(true)
    }

    fn tell(&self) -> Value {
        json!({ "version": self.kept.version, "state": self.kept.state })
    }
}

/// Writes a file that is there completely or not at all, for nobody else to read.
fn write(file: &Path, text: &[u8]) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text)?;
    new.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// What is kept.
pub(crate) async fn get(State(app): State<Arc<App>>) -> Response {
    answer(&lock(&app.workspace).tell())
}

/// Keeps something else.
pub(crate) async fn put(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let change: Kept = read(&body)?;
    let mut workspace = lock(&app.workspace);
    let changed = workspace.change(change).map_err(|error| {
        let message = format!("the queries cannot be kept: {error}");
        Refusal::new(StatusCode::INSUFFICIENT_STORAGE, message)
    })?;
    let mut response = answer(&match changed {
        true => json!({ "version": workspace.kept.version }),
        false => workspace.tell(),
    });
    if !changed {
        *response.status_mut() = StatusCode::CONFLICT;
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(version: u64, state: &str) -> Kept {
        Kept {
            version,
            state: json!(state),
        }
    }

    #[test]
    fn the_second_of_two_windows_overwrites_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Workspace::open(Some(folder.path().to_owned()));
        let mut workspace = open();
        assert!(workspace.change(change(0, "a")).expect("written"));
        assert!(!workspace.change(change(0, "b")).expect("refused"));
        assert!(workspace.change(change(1, "c")).expect("written"));
        assert_eq!(open().tell(), json!({ "version": 2, "state": "c" }));
    }

    #[test]
    fn a_damaged_file_is_kept_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join(NAME), "{\"version\":").expect("written");
        let mut workspace = Workspace::open(Some(folder.path().to_owned()));
        assert!(workspace.change(change(0, "a")).expect("written"));
        let aside = fs::read_to_string(folder.path().join("studio.json.damaged"));
        assert_eq!(aside.expect("kept"), "{\"version\":");
    }
}
