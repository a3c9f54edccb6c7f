//! Folder of a running studio, for files dropped on the page and for exported results.
//!
//! The folder is in the directory of temporary files, so it is private whatever the user's mask is.
//! The server removes it at its end. A killed server leaves its folder, and the next server removes
//! that: each folder has a file that is locked as long as its server runs.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

const PREFIX: &str = "cql-studio-";

/// Name of the locked file.
const LOCK: &str = "lock";

/// Maximum number of letters of the name of a file.
const LONGEST_NAME: usize = 60;

/// Private folder of this user.
pub(crate) struct Folder {
    place: TempDir,
    /// Holds the lock while it is open.
    _lock: File,
}

impl Folder {
    pub(crate) fn new_in(parent: &Path) -> io::Result<Folder> {
        let place = new_private(parent, PREFIX)?;
        let lock = create(&place.path().join(LOCK))?;
        // Without locks, abandoned folders are not found.
        let _ = lock.try_lock();
        Ok(Folder { place, _lock: lock })
    }

    pub(crate) fn path(&self) -> &Path {
        self.place.path()
    }

    /// Removes the folders of killed servers next to this one and returns their paths.
    pub(crate) fn remove_abandoned(&self) -> Vec<PathBuf> {
        let own = self.place.path();
        let entries = own.parent().and_then(|parent| fs::read_dir(parent).ok());
        let entries = entries.into_iter().flatten().flatten();
        let abandoned = entries.map(|entry| entry.path()).filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.starts_with(PREFIX) && path != own && is_abandoned(path, own)
        });
        // Links inside are removed, not followed.
        let removed = abandoned.filter(|path| fs::remove_dir_all(path).is_ok());
        removed.collect()
    }
}

/// Creates a folder that only this user can read, with a random name.
fn new_private(parent: &Path, prefix: &str) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(prefix);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o700));
    }
    builder.tempdir_in(parent)
}

/// A new file in a folder of its own, which is removed unless it is kept.
pub(crate) struct Draft {
    folder: TempDir,
    path: PathBuf,
}

impl Draft {
    /// Creates a file below `parent`.
    pub(crate) fn new(parent: &Path, name: &str) -> io::Result<(Draft, File)> {
        let folder = new_private(parent, "")?;
        let path = folder.path().join(file_name(name));
        let file = create(&path)?;
        Ok((Draft { folder, path }, file))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Keeps the file, which is complete, and returns its path.
    pub(crate) fn keep(self) -> PathBuf {
        let _ = self.folder.keep();
        self.path
    }
}

/// Returns the name that the user gave a file, as far as it is a name on every system and no
/// pattern. Its ending may tell the format of the file.
fn file_name(name: &str) -> String {
    let allowed = |c: char| if c.is_alphanumeric() || "-_. ()".contains(c) { c } else { '-' };
    let name: String = name.chars().map(allowed).collect();
    let name = name.trim_matches(['.', ' ']);
    // The end has the extension.
    let n_chars = name.chars().count();
    let name: String = name.chars().skip(n_chars.saturating_sub(LONGEST_NAME)).collect();
    // The name of an archive would be that of a folder.
    let is_folder = name.is_empty() || name.to_lowercase().ends_with(".cqa");
    if is_folder { format!("{name}games") } else { name }
}

/// Removes a file and the folder of its own. If this fails, they are removed with the folder of the
/// server.
pub(crate) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
    if let Some(folder) = path.parent() {
        let _ = fs::remove_dir(folder);
    }
}

/// Whether a folder belongs to the same user as `own`, and its server no longer runs.
fn is_abandoned(path: &Path, own: &Path) -> bool {
    is_private(path, own)
        && File::open(path.join(LOCK)).is_ok_and(|lock| match lock.try_lock() {
            Ok(()) => true,
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => false,
        })
}

/// Whether a path is a directory, not a link to one, in which only this user can write.
#[cfg(unix)]
fn is_private(path: &Path, own: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (Ok(found), Ok(own)) = (fs::symlink_metadata(path), fs::symlink_metadata(own)) else {
        return false;
    };
    found.is_dir() && found.uid() == own.uid() && found.mode() & 0o077 == 0
}

/// On other systems the directory of temporary files belongs to the user.
#[cfg(not(unix))]
fn is_private(path: &Path, _: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}

/// Creates a new file that only this user may read.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_killed_servers_leave_is_removed_and_nothing_else() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let parent = tempfile::tempdir().expect("a folder");
        let at = |name: &str| parent.path().join(name);
        let make = |name: &str, mode: u32, has_lock: bool| {
            fs::create_dir(at(name)).expect("made");
            fs::write(at(name).join("games"), "x").expect("written");
            if has_lock {
                create(&at(name).join(LOCK)).expect("made");
            }
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).expect("set");
        };
        let living = Folder::new_in(parent.path()).expect("a folder");
        make("cql-studio-dead", 0o700, true);
        // the targets of links stay
        make("mine", 0o700, true);
        symlink(at("mine"), at("cql-studio-dead").join("link")).expect("linked");
        symlink(at("mine"), at("cql-studio-link")).expect("linked");
        // of an earlier version, or writable by other users
        make("cql-studio-old", 0o700, false);
        make("cql-studio-open", 0o755, true);
        make("other-dead", 0o700, true);

        let folder = Folder::new_in(parent.path()).expect("a folder");
        assert_eq!(folder.remove_abandoned(), [at("cql-studio-dead")]);
        assert!(folder.remove_abandoned().is_empty());
        for name in [
            "mine/games",
            "cql-studio-link/games",
            "cql-studio-old",
            "cql-studio-open",
            "other-dead",
        ] {
            assert!(at(name).exists(), "{name}");
        }
        assert!(living.path().exists() && folder.path().exists());
        let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o777;
        assert_eq!(mode(folder.path()), 0o700);
        assert_eq!(mode(&folder.path().join(LOCK)), 0o600);
    }

    #[test]
    fn of_drafts_only_kept_ones_stay() {
        let parent = tempfile::tempdir().expect("a folder");
        let n_entries = || fs::read_dir(parent.path()).expect("a folder").count();
        let draft = |name: &str| Draft::new(parent.path(), name).expect("a file").0;
        drop(draft("half.pgn"));
        assert_eq!(n_entries(), 0);
        let path = draft("whole.pgn").keep();
        assert!(path.ends_with("whole.pgn") && path.exists() && n_entries() == 1);
    }
}
