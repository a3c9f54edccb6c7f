//! Writes new files in the folder of an archive or of shards.
//!
//! The folder may come from somebody else, and links in it may lead to any file of the user. So no
//! existing file is ever opened for writing. New content is written to a file with an unpredictable
//! name and then renamed to its final name, which replaces a link instead of following it. Files
//! left over from an interrupted run are recognized by their names, and only if they are ordinary
//! files.

use std::fs::{self, DirEntry};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::Error;

/// Prefix and suffix of the names of incomplete files.
const UNFINISHED: (&str, &str) = ("unfinished-", ".tmp");

/// Name of incomplete files in older versions.
const OLD_UNFINISHED: &str = "unfinished.tmp";

/// A file that is being written. It is removed again unless it is renamed to its final name.
#[derive(Debug)]
pub struct Fresh {
    out: BufWriter<NamedTempFile>,
}

impl Fresh {
    /// Creates a file in a folder, which is created if it is missing.
    pub(crate) fn create_with_folder(folder: &Path) -> io::Result<Fresh> {
        fs::create_dir_all(folder)?;
        Fresh::create(folder)
    }

    /// Creates a file in a folder.
    ///
    /// # Errors
    /// The file cannot be created.
    pub fn create(folder: &Path) -> io::Result<Fresh> {
        let mut builder = tempfile::Builder::new();
        builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new file; the system applies the user's umask.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let file = builder.tempfile_in(folder)?;
        Ok(Fresh { out: BufWriter::with_capacity(1 << 18, file) })
    }

    /// Renames the complete file to its final name in a folder.
    pub(crate) fn put_in(self, folder: &Path, name: &str) -> Result<(), Error> {
        let target = folder.join(name);
        self.put(&target).map_err(|error| Error::of_file(&target, error))
    }

    /// Renames the complete file to its final name, atomically, replacing what is there.
    ///
    /// # Errors
    /// The file cannot be written completely or renamed.
    pub fn put(self, target: &Path) -> io::Result<()> {
        let file = self.out.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.as_file().sync_all()?;
        file.persist(target).map_err(|error| error.error)?;
        Ok(())
    }

    /// Whether a file of this name was left by an interrupted run.
    #[must_use]
    pub fn is_left_over(name: &str) -> bool {
        let id = name.strip_prefix(UNFINISHED.0);
        let id = id.and_then(|rest| rest.strip_suffix(UNFINISHED.1));
        let is_id =
            |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
        name == OLD_UNFINISHED || id.is_some_and(is_id)
    }
}

impl Write for Fresh {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Kind of an ordinary file that an archive wrote, recognized by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ours {
    /// A segment or a text.
    Part,
    /// Columns of themes.
    Themes,
    /// An incomplete file of an interrupted run.
    LeftOver,
}

impl Ours {
    pub(crate) fn of(entry: &DirEntry) -> Option<Ours> {
        // The file type of an entry does not follow links.
        let is_ordinary = entry.file_type().is_ok_and(|kind| kind.is_file());
        let name = entry.file_name();
        Ours::named(name.to_str().filter(|_| is_ordinary)?)
    }

    fn named(name: &str) -> Option<Ours> {
        if Fresh::is_left_over(name) {
            return Some(Ours::LeftOver);
        }
        let (stem, kind) = name.rsplit_once('.')?;
        let kind = match kind {
            "arrow" | "zst" => Ours::Part,
            "themes" => Ours::Themes,
            _ => return None,
        };
        let (number, sum) = stem.split_once('-')?;
        let is_part = number.len() >= 5
            && number.bytes().all(|byte| byte.is_ascii_digit())
            && sum.len() == 8
            && sum.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_part.then_some(kind)
    }
}

/// Whether a folder has parts of an archive.
pub(crate) fn has_parts(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| Ours::of(&entry) == Some(Ours::Part))
}

/// Removes the files that interrupted runs left over. The caller must hold the lock of the folder.
pub(crate) fn remove_left_overs(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if Ours::of(&entry) == Some(Ours::LeftOver) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        let check = |name: &str, expected: Option<Ours>| {
            assert_eq!(Ours::named(name), expected, "{name}");
        };
        check("00000-12345678.arrow", Some(Ours::Part));
        check("123456-abcdef01.zst", Some(Ours::Part));
        check("00001-12345678.themes", Some(Ours::Themes));
        check("unfinished-a1B2c3.tmp", Some(Ours::LeftOver));
        check("unfinished.tmp", Some(Ours::LeftOver));
        for name in [
            "games.pgn.zst",
            "2024-12345678.zst",
            "00000-1234567.arrow",
            "00000-12345678.pgn",
            "unfinished-.tmp",
            "unfinished-my work.tmp",
            "notes.tmp",
            "manifest.json",
            "my.themes",
        ] {
            check(name, None);
        }
    }

    #[test]
    fn a_file_that_is_not_put_in_its_place_is_gone() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("g.cqa");
        let mut fresh = Fresh::create_with_folder(&folder).expect("begun");
        fresh.write_all(b"x").expect("written");
        drop(fresh);
        assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
        let mut fresh = Fresh::create(&folder).expect("begun");
        fresh.write_all(b"x").expect("written");
        fresh.put_in(&folder, "a").expect("put");
        assert_eq!(fs::read(folder.join("a")).expect("a file"), b"x");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_replaced_and_what_it_leads_to_stays() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().expect("a folder");
        let (folder, precious) = (place.path(), place.path().join("precious.txt"));
        fs::write(&precious, "precious").expect("written");
        symlink(&precious, folder.join("manifest.json")).expect("a link");
        symlink(&precious, folder.join("unfinished.tmp")).expect("a link");
        symlink(&precious, folder.join("00000-12345678.zst")).expect("a link");
        remove_left_overs(folder).expect("removed");
        assert!(folder.join("unfinished.tmp").is_symlink(), "it is not ours");
        let mut fresh = Fresh::create(folder).expect("begun");
        fresh.write_all(b"{}").expect("written");
        fresh.put_in(folder, "manifest.json").expect("put");
        assert_eq!(fs::read(&precious).expect("a file"), b"precious");
        let put = folder.join("manifest.json");
        assert!(!put.is_symlink());
        let other = folder.join("other");
        fs::write(&other, "").expect("written");
        let mode = |path: &Path| path.metadata().expect("a file").permissions().mode();
        assert_eq!(mode(&put), mode(&other), "that of any new file");
    }
}
