//! Files that appear when they are complete.
//!
//! Until then, a file has no name if the system supports that, so that nothing remains of it
//! whatever happens to the program. Elsewhere it is a temporary file next to its target.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flow::Cancel;
use tempfile::NamedTempFile;

use crate::together::Held;
use crate::{Replace, Rules, directory, earlier, nearest_directory, refuse_stdout, unfinished};

const BUFFER: usize = 256 << 10;

/// File that appears when it is complete.
pub struct NewFile {
    target: PathBuf,
    kind: OpenedFile,
    make_directories: bool,
    /// Contents of the file that it replaces, if they may be the user's own.
    replaced: Option<&'static str>,
}

enum OpenedFile {
    /// File without a name.
    #[cfg(target_os = "linux")]
    Unnamed(BufWriter<File>),
    Temporary(BufWriter<NamedTempFile>),
    /// Target that is no ordinary file, such as a pipe, and must not be replaced by one.
    Direct(BufWriter<File>),
    /// Target at an address.
    Remote(remote::Upload),
}

impl NewFile {
    /// Starts writing `target`, if the rules permit it. A new file gets the mode that the user has
    /// for new files; a file that replaces another gets the mode of the other.
    ///
    /// # Errors
    /// The rules forbid it, or the target cannot be written.
    pub fn create(target: &Path, rules: Rules<'_>) -> io::Result<NewFile> {
        let file = |target: &Path, kind| NewFile {
            target: target.to_owned(),
            kind,
            make_directories: rules.make_directories,
            replaced: None,
        };
        let replaced = |target: &Path| match rules.replace {
            Replace::Results(first_line) => earlier::may_be_own(target, first_line),
            _ => Ok(None),
        };
        refuse_stdout(target)?;
        if let Some(address) = target.to_str().filter(|_| remote::is_address(target)) {
            // An upload has a cancellation of its own: after a search is cancelled, the server is
            // still told to discard the parts that it has.
            let upload = remote::upload(address, &Cancel::default())?;
            rules.check(target)?;
            return Ok(NewFile {
                replaced: replaced(target)?,
                ..file(target, OpenedFile::Remote(upload))
            });
        }
        // Checked before links are followed: messages show the name that the user gave.
        rules.originals.refuse(target)?;
        // Symbolic links are followed, so that they stay links.
        let target = &target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let old = fs::metadata(target).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory"));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let direct = File::options().write(true).open(target)?;
            let direct = BufWriter::with_capacity(BUFFER, direct);
            return Ok(file(target, OpenedFile::Direct(direct)));
        }
        rules.check(target)?;
        let permissions = old.map(|old| old.permissions());
        let place = if rules.make_directories {
            nearest_directory(target)
        } else {
            directory(target).to_owned()
        };
        let new = file(target, OpenedFile::new(&place, permissions.as_ref())?);
        Ok(NewFile { replaced: replaced(target)?, ..new })
    }

    /// Returns a warning for the user if the file replaces something that may be the user's own,
    /// such as games without the comments of a search. `target` is the name that the user gave.
    #[must_use]
    pub fn warning(&self, target: &Path) -> Option<String> {
        let name = remote::shown(target);
        let replaced = self.replaced?;
        Some(format!("{name} exists and holds {replaced}: it is replaced"))
    }

    /// Completes the file and gives it its name.
    ///
    /// # Errors
    /// The rest of the file cannot be written, or it cannot get its name; an earlier file is then
    /// still there.
    pub fn finish(self) -> io::Result<()> {
        if self.make_directories && !remote::is_address(&self.target) {
            fs::create_dir_all(directory(&self.target))?;
        }
        match self.kind {
            #[cfg(target_os = "linux")]
            OpenedFile::Unnamed(file) => {
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                unnamed::put(&mut file, &self.target).map_err(without_path)
            }
            OpenedFile::Temporary(file) => {
                let file = file.into_inner().map_err(|error| without_path(error.into_error()))?;
                unfinished::put(|is_put| {
                    let temporary = file.path().to_owned();
                    file.persist(&self.target).map_err(|error| error.error)?;
                    is_put(&temporary);
                    Ok(())
                })
            }
            OpenedFile::Direct(mut file) => file.flush(),
            OpenedFile::Remote(upload) => upload.finish(),
        }
    }

    /// Completes the file and gives it its name unless another file has it by now. Returns whether
    /// the file got its name.
    ///
    /// # Errors
    /// The rest of the file cannot be written, or it cannot get its name.
    pub fn finish_new(self) -> io::Result<bool> {
        let mut held = self.hold()?;
        match unfinished::put(|is_put| held.put_new(is_put)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            put => put.map(|()| true),
        }
    }

    /// Completes and closes the file, which gets its name later, together with others.
    ///
    /// # Errors
    /// The rest of the file cannot be written.
    pub fn hold(self) -> io::Result<Held> {
        let temporary = match self.kind {
            #[cfg(target_os = "linux")]
            OpenedFile::Unnamed(file) => {
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                let place = nearest_directory(&self.target);
                let named = unnamed::name(&mut file, &place).map_err(without_path)?;
                Some(named)
            }
            OpenedFile::Temporary(file) => {
                let file = file.into_inner().map_err(|error| without_path(error.into_error()))?;
                Some(file.into_temp_path())
            }
            OpenedFile::Direct(mut file) => {
                file.flush()?;
                None
            }
            OpenedFile::Remote(upload) => {
                upload.finish()?;
                None
            }
        };
        Ok(Held::new(temporary, self.target, self.make_directories))
    }
}

impl OpenedFile {
    /// Creates an empty file that will be in this directory.
    fn new(directory: &Path, permissions: Option<&fs::Permissions>) -> io::Result<OpenedFile> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory) {
            if let Some(permissions) = permissions {
                file.set_permissions(permissions.clone())?;
            }
            return Ok(OpenedFile::Unnamed(BufWriter::with_capacity(BUFFER, file)));
        }
        let file = temporary(directory).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound && !directory.exists() {
                let directory = directory.display();
                let message = format!("there is no directory {directory}: create it first");
                return io::Error::new(io::ErrorKind::NotFound, message);
            }
            without_path(error)
        })?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions.clone())?;
        }
        Ok(OpenedFile::Temporary(BufWriter::with_capacity(BUFFER, file)))
    }
}

/// Returns a builder with prefix and suffix of temporary files.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cql-").suffix(".tmp");
    builder
}

/// Creates a file with a temporary name.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let builder = builder();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        let mut builder = builder;
        // The mode of any new file; the system applies the user's mask.
        builder.permissions(fs::Permissions::from_mode(0o666));
        builder
    };
    unfinished::make(|| builder.tempfile_in(directory), NamedTempFile::path)
}

/// Removes the name of the temporary file from an error, since it means nothing to the user.
fn without_path(error: io::Error) -> io::Error {
    let text = error.to_string();
    match text.split_once(" at path ") {
        Some((message, _)) => io::Error::new(error.kind(), message),
        None => error,
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.kind {
            #[cfg(target_os = "linux")]
            OpenedFile::Unnamed(file) => file.write(bytes),
            OpenedFile::Temporary(file) => file.write(bytes).map_err(without_path),
            OpenedFile::Direct(file) => file.write(bytes),
            OpenedFile::Remote(upload) => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            #[cfg(target_os = "linux")]
            OpenedFile::Unnamed(file) => file.flush(),
            OpenedFile::Temporary(file) => file.flush().map_err(without_path),
            OpenedFile::Direct(file) => file.flush(),
            OpenedFile::Remote(upload) => upload.flush(),
        }
    }
}

/// Files without a name, a feature of Linux.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::io::Seek;
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use tempfile::TempPath;

    use super::*;

    /// Returns the path under which the system shows an open file: the only way to give a name to a
    /// file without one.
    fn shown(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }

    /// Creates a file without a name; `None` if the file system does not support that.
    pub(super) fn create(directory: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        // The mode of any new file; the system applies the user's mask.
        let mode = Mode::from_raw_mode(0o666);
        let file = File::from(rustix::fs::open(directory, flags, mode).ok()?);
        shown(&file).exists().then_some(file)
    }

    fn link(file: &File, name: &Path) -> io::Result<()> {
        let flags = AtFlags::SYMLINK_FOLLOW;
        Ok(rustix::fs::linkat(CWD, shown(file), CWD, name, flags)?)
    }

    /// Gives the file its name. Linking replaces nothing, so if there is an older file, the new one
    /// has a temporary name for a moment.
    pub(super) fn put(file: &mut File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Ok(()) => {
                unfinished::count();
                Ok(())
            }
            Err(_) => {
                let named = name(file, directory(target))?;
                unfinished::put(|is_put| {
                    let temporary = named.to_path_buf();
                    named.persist(target).map_err(|error| error.error)?;
                    is_put(&temporary);
                    Ok(())
                })
            }
        }
    }

    /// Gives the file a temporary name.
    pub(super) fn name(file: &mut File, place: &Path) -> io::Result<TempPath> {
        let make = || builder().make_in(place, |name| link(file, name));
        if let Ok(linked) = unfinished::make(make, |linked| linked.path()) {
            return Ok(linked.into_temp_path());
        }
        // Some file systems have no links: copy the file.
        let mut copy = temporary(place)?;
        file.rewind()?;
        io::copy(file, &mut copy)?;
        copy.as_file().set_permissions(file.metadata()?.permissions())?;
        Ok(copy.into_temp_path())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Originals, Replace};

    fn create(target: &Path, replace: Replace<'_>) -> io::Result<NewFile> {
        NewFile::create(target, Rules::new(replace, &Originals::default()))
    }

    fn files(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn games_without_comments_of_a_search_are_noticed() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        for (old, expected) in [
            ("[Event \"own\"]\n\n1. e4 *\n", true),
            ("[Event \"x\"]\n\n{Game number 3} 1. e4 *\n", false),
            ("8/8/8/8/8/5k2/5q2/5K2 w - - bm Kg1;\n", true),
            ("8/8/8/8/8/5k2/5q2/5K2 w - - id \"a game 1 ply 2\"; c0 \"A - B\";\n", false),
            ("White,Black,Result,year\n", true),
            ("", false),
            ("input,game,ply\n", false),
        ] {
            fs::write(&target, old).expect("written");
            let file = create(&target, Replace::Results(None)).expect("created");
            assert_eq!(file.warning(&target).is_some(), expected, "{old}");
        }
        let forced = create(&target, Replace::Anything).expect("created");
        assert_eq!(forced.warning(&target), None);
    }

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        for old in [None, Some("[Event \"old\"]")] {
            if let Some(old) = old {
                fs::write(&target, old).expect("written");
            }
            let mut file = create(&target, Replace::Results(None)).expect("created");
            file.write_all(b"new").expect("written");
            file.flush().expect("flushed");
            assert_eq!(fs::read(&target).ok().as_deref(), old.map(str::as_bytes));
            file.finish().expect("finished");
            assert_eq!(fs::read(&target).expect("read"), b"new");
            assert_eq!(files(dir.path()), ["out.pgn"]);
            fs::remove_file(&target).expect("removed");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn there_is_nothing_to_be_left_behind() {
        let dir = tempfile::tempdir().expect("a directory");
        if unnamed::create(dir.path()).is_none() {
            return; // a file system that has no such files
        }
        let target = dir.path().join("out.pgn");
        let mut file = create(&target, Replace::Results(None)).expect("created");
        file.write_all(b"new").expect("written");
        file.flush().expect("flushed");
        assert!(files(dir.path()).is_empty());
    }

    #[test]
    fn a_file_with_a_name_takes_the_place_as_well() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        let file = temporary(dir.path()).expect("a file");
        let mut file = NewFile {
            target: target.clone(),
            kind: OpenedFile::Temporary(BufWriter::new(file)),
            make_directories: false,
            replaced: None,
        };
        file.write_all(b"new").expect("written");
        assert_eq!(files(dir.path()).len(), 1);
        file.finish().expect("finished");
        assert_eq!(fs::read(&target).expect("read"), b"new");
        assert_eq!(files(dir.path()), ["out.pgn"]);
    }

    #[test]
    fn nothing_is_left_of_an_unfinished_file() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        let mut file = create(&target, Replace::Results(None)).expect("created");
        file.write_all(b"new").expect("written");
        drop(file);
        assert!(files(dir.path()).is_empty());
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(create(dir.path(), Replace::Anything).is_err());
        assert!(create(&dir.path().join("no/such/out.pgn"), Replace::Anything).is_err());
    }

    #[test]
    fn what_is_no_result_is_not_replaced() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        fs::write(&target, "a letter").expect("written");
        assert!(create(&target, Replace::Results(None)).is_err());
        assert_eq!(fs::read(&target).expect("read"), b"a letter");
        assert!(create(&target, Replace::Anything).is_ok());
    }

    #[test]
    fn what_is_read_is_not_replaced() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("games.pgn");
        let games = "[Event \"x\"]\n\n*\n";
        fs::write(&target, games).expect("written");
        let mut read = Originals::default();
        read.add(&target);
        let other = dir.path().join("hard.pgn");
        fs::hard_link(&target, &other).expect("linked");
        for target in [&target, &other] {
            let refused = NewFile::create(target, Rules::new(Replace::Anything, &read));
            assert!(refused.is_err() || cfg!(not(unix)));
        }
        assert_eq!(fs::read_to_string(&target).expect("read"), games);
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_special_files_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let dir = tempfile::tempdir().expect("a directory");
        let real = dir.path().join("real.pgn");
        let link = dir.path().join("link.pgn");
        fs::write(&real, "old").expect("written");
        fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).expect("set");
        symlink(&real, &link).expect("linked");
        let replace = |target: &Path, replace: Replace<'_>| {
            let mut file = create(target, replace)?;
            file.write_all(b"new")?;
            file.finish()
        };
        replace(&link, Replace::Anything).expect("replaced");
        assert_eq!(fs::read(&real).expect("read"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        let mode = fs::metadata(&real).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);

        let null = dir.path().join("null.pgn");
        symlink("/dev/null", &null).expect("linked");
        replace(&null, Replace::Results(None)).expect("written");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }

    #[test]
    fn archives_are_left_alone() {
        let dir = tempfile::tempdir().expect("a directory");
        let folder = dir.path().join("games.pgn.cqa");
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("manifest.json"), "").expect("written");
        for name in ["manifest.json", "00001.arrow", "new.pgn"] {
            assert!(create(&folder.join(name), Replace::Anything).is_err(), "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn modes_are_those_of_the_user() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().expect("a directory");
        let mode = |name: &str| {
            let metadata = fs::metadata(dir.path().join(name)).expect("there");
            metadata.permissions().mode() & 0o777
        };
        let write = |name: &str| {
            let file = create(&dir.path().join(name), Replace::Anything).expect("created");
            file.finish().expect("finished");
            mode(name)
        };
        // The mask of the process is the same for both.
        fs::write(dir.path().join("any"), "").expect("written");
        assert_eq!(write("new.pgn"), mode("any"));
        let old = dir.path().join("old.pgn");
        fs::write(&old, "").expect("written");
        for wanted in [0o600, 0o640, 0o666] {
            fs::set_permissions(&old, fs::Permissions::from_mode(wanted)).expect("set");
            assert_eq!(write("old.pgn"), wanted);
        }
        let file = create(&dir.path().join("held.pgn"), Replace::Anything).expect("created");
        let held = file.hold().expect("complete");
        crate::put_together(vec![held]).expect("put");
        assert_eq!(mode("held.pgn"), mode("any"));
    }
}
