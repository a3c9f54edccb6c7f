//! Stores the queries of the page from one start to the next.
//!
//! A change names the version that it is based on. If another window, of this server or of another
//! one, has changed the queries since, nothing is overwritten: the page receives the current state
//! and decides. The current state is that of the file, which is read under a lock.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::api_error::{ApiError, answer, read};
use crate::app::{App, lock};

/// Name of the file.
const NAME: &str = "studio.json";

/// Name of the file that is locked while the other one is read and changed.
const LOCK: &str = "studio.lock";

/// State of the page, with a version that counts its changes.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    folder: Option<PathBuf>,
    /// State as last read or written.
    kept: WorkspaceFile,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct WorkspaceFile {
    version: u64,
    state: Value,
}

impl Workspace {
    /// Creates the workspace of a folder.
    pub(crate) fn open(folder: Option<PathBuf>) -> Workspace {
        Workspace { folder, kept: WorkspaceFile::default() }
    }

    /// Reads the current state from the file. A damaged file is renamed.
    fn look(&mut self) -> io::Result<()> {
        let Some(folder) = &self.folder else {
            return Ok(());
        };
        let file = folder.join(NAME);
        self.kept = match fs::read(&file) {
            Ok(text) => match serde_json::from_slice(&text) {
                Ok(kept) => kept,
                Err(_) => {
                    keep_aside(&file)?;
                    WorkspaceFile::default()
                }
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => WorkspaceFile::default(),
            Err(error) => return Err(error),
        };
        Ok(())
    }

    /// Applies a change if it is based on the current version. Returns whether it was applied.
    fn change(&mut self, change: WorkspaceFile) -> io::Result<bool> {
        let _locked = self.folder.as_deref().map(locked).transpose()?;
        self.look()?;
        if change.version != self.kept.version {
            return Ok(false);
        }
        let changed = WorkspaceFile { version: change.version + 1, state: change.state };
        if let Some(folder) = &self.folder {
            write(folder, &serde_json::to_vec(&changed)?)?;
        }
        self.kept = changed;
        Ok(true)
    }

    fn tell(&self) -> Value {
        json!({ "version": self.kept.version, "state": self.kept.state })
    }
}

/// Locks a folder until the returned file is dropped. The folder is created if it is missing, and
/// is private.
fn locked(folder: &Path) -> io::Result<File> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        builder.mode(0o700);
        options.mode(0o600);
    }
    builder.create(folder)?;
    let file = options.open(folder.join(LOCK))?;
    // Some file systems have no locks.
    let _ = file.lock();
    Ok(file)
}

/// Renames a damaged file to an unused name.
fn keep_aside(file: &Path) -> io::Result<()> {
    let mut names = (0..).map(|n: u32| match n {
        0 => file.with_extension("json.damaged"),
        n => file.with_extension(format!("json.damaged-{n}")),
    });
    let free = names.find(|name| fs::symlink_metadata(name).is_err());
    free.map_or(Ok(()), |name| fs::rename(file, name))
}

/// Writes the file at once, readable for this user only.
fn write(folder: &Path, text: &[u8]) -> io::Result<()> {
    let mut new = tempfile::NamedTempFile::new_in(folder)?;
    new.write_all(text)?;
    new.persist(folder.join(NAME)).map_err(|error| error.error)?;
    Ok(())
}

fn cannot_be_kept(error: &io::Error) -> ApiError {
    let message = format!("cannot save the queries: {}", page::why(error));
    ApiError::new(StatusCode::INSUFFICIENT_STORAGE, message)
}

/// Returns the stored state.
pub(crate) async fn get(State(app): State<Arc<App>>) -> Result<Response, ApiError> {
    let mut workspace = lock(&app.workspace);
    workspace.look().map_err(|error| cannot_be_kept(&error))?;
    Ok(answer(&workspace.tell()))
}

/// Stores a new state.
pub(crate) async fn put(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let change: WorkspaceFile = read(&body)?;
    let mut workspace = lock(&app.workspace);
    let changed = workspace.change(change);
    let changed = changed.map_err(|error| cannot_be_kept(&error))?;
    let mut response = answer(&if changed {
        json!({ "version": workspace.kept.version })
    } else {
        workspace.tell()
    });
    if !changed {
        *response.status_mut() = StatusCode::CONFLICT;
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(version: u64, state: &str) -> WorkspaceFile {
        WorkspaceFile { version, state: json!(state) }
    }

    #[test]
    fn the_second_of_two_windows_overwrites_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let open = || Workspace::open(Some(folder.path().to_owned()));
        let seen = |mut workspace: Workspace| {
            workspace.look().expect("read");
            workspace.tell()
        };
        let mut workspace = open();
        assert!(workspace.change(change(0, "a")).expect("written"));
        assert!(!workspace.change(change(0, "b")).expect("refused"));
        assert!(workspace.change(change(1, "c")).expect("written"));
        assert_eq!(seen(open()), json!({ "version": 2, "state": "c" }));
        // the second of two servers
        let mut other = open();
        assert!(other.change(change(2, "d")).expect("written"));
        assert!(!workspace.change(change(2, "e")).expect("refused"));
        assert_eq!(workspace.tell(), json!({ "version": 3, "state": "d" }));
        assert!(workspace.change(change(3, "e")).expect("written"));
        assert_eq!(seen(other), json!({ "version": 4, "state": "e" }));
    }

    #[test]
    fn of_many_servers_each_change_is_kept_or_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let servers: Vec<_> = (0..4)
            .map(|_| {
                let mut workspace = Workspace::open(Some(folder.path().to_owned()));
                std::thread::spawn(move || {
                    let mut n_kept = 0;
                    while n_kept < 25 {
                        let version = workspace.kept.version;
                        n_kept += u64::from(workspace.change(change(version, "x")).expect("kept"));
                    }
                })
            })
            .collect();
        servers.into_iter().for_each(|server| server.join().expect("ended"));
        let mut last = Workspace::open(Some(folder.path().to_owned()));
        last.look().expect("read");
        assert_eq!(last.kept.version, 100);
    }

    #[test]
    fn damaged_files_are_kept_aside() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut workspace = Workspace::open(Some(folder.path().to_owned()));
        for (text, name) in [("{\"version\":", "json.damaged"), ("x", "json.damaged-1")] {
            fs::write(folder.path().join(NAME), text).expect("written");
            assert!(workspace.change(change(0, "a")).expect("written"));
            let aside = fs::read_to_string(folder.path().join("studio").with_extension(name));
            assert_eq!(aside.expect("kept"), text);
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join(NAME)).expect("made");
        let mut workspace = Workspace::open(Some(folder.path().to_owned()));
        assert!(workspace.look().is_err() && workspace.change(change(0, "a")).is_err());
    }
}
