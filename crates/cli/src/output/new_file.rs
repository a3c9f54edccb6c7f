//! Files that appear when they are complete.
//!
//! Until then such a file has no name where the system permits that, so that nothing is left of it
//! whatever happens to the program; elsewhere it is a temporary file beside its destination.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flow::Cancel;
use tempfile::NamedTempFile;

use super::earlier::{self, Replace};
use super::{BUFFER, directory};
use crate::interrupt;
use crate::place;

/// A file that appears when it is complete.
pub(crate) struct NewFile {
    target: PathBuf,
    kind: Kind,
}

enum Kind {
    /// It has no name yet.
    #[cfg(target_os = "linux")]
    Unnamed(BufWriter<File>),
    Temporary(BufWriter<NamedTempFile>),
    /// Something that is no ordinary file, such as a pipe, and must not be replaced by one.
    Direct(BufWriter<File>),
    /// It has an address.
    Remote(remote::Upload),
}

impl NewFile {
    /// Begins to write what is to become `target`, if what is there may be replaced.
    pub(crate) fn create(target: &Path, replace: Replace<'_>) -> io::Result<NewFile> {
        if let Some(address) = place::address(target) {
            // What is found may be enough, which cancels the search and not what is written. A signal
            // ends the program.
            let upload = remote::upload(address, &Cancel::default())?;
            earlier::check(target, replace)?;
            return Ok(NewFile {
                target: target.to_owned(),
                kind: Kind::Remote(upload),
            });
        }
        // Through symbolic links, so that they stay.
        let target = target.canonicalize().unwrap_or_else(|_| target.to_owned());
        let old = fs::metadata(&target).ok();
        if old.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "it is a directory",
            ));
        }
        if old.as_ref().is_some_and(|old| !old.is_file()) {
            let file = File::options().write(true).open(&target)?;
            let kind = Kind::Direct(BufWriter::with_capacity(BUFFER, file));
            return Ok(NewFile { target, kind });
        }
        earlier::check(&target, replace)?;
        let permissions = old.map(|old| old.permissions());
        let kind = Kind::new(directory(&target), permissions.as_ref())?;
        Ok(NewFile { target, kind })
    }

    /// Puts the file in its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.kind {
            #[cfg(target_os = "linux")]
            Kind::Unnamed(file) => {
                let mut file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
                unnamed::put(&mut file, &self.target).map_err(without_path)
            }
            Kind::Temporary(file) => {
                let file = file
                    .into_inner()
                    .map_err(|error| without_path(error.into_error()))?;
                let temporary = file.path().to_owned();
                file.persist(&self.target).map_err(|error| error.error)?;
                interrupt::forget(&temporary);
                Ok(())
            }
            Kind::Direct(mut file) => file.flush(),
            Kind::Remote(upload) => upload.finish(),
        }
    }
}

impl Kind {
    /// An empty file that is going to be in this directory.
    fn new(directory: &Path, permissions: Option<&fs::Permissions>) -> io::Result<Kind> {
        #[cfg(target_os = "linux")]
        if let Some(file) = unnamed::create(directory) {
            if let Some(permissions) = permissions {
                file.set_permissions(permissions.clone())?;
            }
            return Ok(Kind::Unnamed(BufWriter::with_capacity(BUFFER, file)));
        }
        let file = temporary(directory).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound && !directory.exists() {
                let directory = directory.display();
                let message = format!("there is no directory {directory}: make it first");
                return io::Error::new(io::ErrorKind::NotFound, message);
            }
            without_path(error)
        })?;
        if let Some(permissions) = permissions {
            file.as_file().set_permissions(permissions.clone())?;
        }
        interrupt::remove_if_ended(file.path());
        Ok(Kind::Temporary(BufWriter::with_capacity(BUFFER, file)))
    }
}

/// How temporary files are called.
fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cql-").suffix(".tmp");
    builder
}

/// A file with a name of its own.
fn temporary(directory: &Path) -> io::Result<NamedTempFile> {
    let builder = builder();
    #[cfg(unix)]
    let builder = {
        use std::os::unix::fs::PermissionsExt;
        let mut builder = builder;
        // As any new file; the system takes off what the user does not want.
        builder.permissions(fs::Permissions::from_mode(0o666));
        builder
    };
    builder.tempfile_in(directory)
}

/// An error of the temporary file without the name of that file, which means nothing to the user.
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
            Kind::Unnamed(file) => file.write(bytes),
            Kind::Temporary(file) => file.write(bytes).map_err(without_path),
            Kind::Direct(file) => file.write(bytes),
            Kind::Remote(upload) => upload.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.kind {
            #[cfg(target_os = "linux")]
            Kind::Unnamed(file) => file.flush(),
            Kind::Temporary(file) => file.flush().map_err(without_path),
            Kind::Direct(file) => file.flush(),
            Kind::Remote(upload) => upload.flush(),
        }
    }
}

/// Files without a name, as Linux has them.
#[cfg(target_os = "linux")]
mod unnamed {
    use std::io::Seek;
    use std::os::fd::AsRawFd;

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};

    use super::*;

    /// Where the system shows an open file; the only way by which one without a name gets one.
    fn shown(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
    }

    /// Nothing where there are no such files.
    pub(super) fn create(directory: &Path) -> Option<File> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        // As any new file; the system takes off what the user does not want.
        let mode = Mode::from_raw_mode(0o666);
        let file = File::from(rustix::fs::open(directory, flags, mode).ok()?);
        shown(&file).exists().then_some(file)
    }

    fn link(file: &File, name: &Path) -> io::Result<()> {
        let flags = AtFlags::SYMLINK_FOLLOW;
        Ok(rustix::fs::linkat(CWD, shown(file), CWD, name, flags)?)
    }

    /// Gives the file its name. Linking replaces nothing, so that where there is an older file the
    /// new one has another name for a moment.
    pub(super) fn put(file: &mut File, target: &Path) -> io::Result<()> {
        match link(file, target) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let linked = builder().make_in(directory(target), |name| link(file, name));
                if let Ok(linked) = linked {
                    return linked
                        .persist(target)
                        .map(|_| ())
                        .map_err(|error| error.error);
                }
            }
            Err(_) => {}
        }
        // Not every file system has links.
        let mut copy = temporary(directory(target))?;
        file.rewind()?;
        io::copy(file, &mut copy)?;
        copy.as_file()
            .set_permissions(file.metadata()?.permissions())?;
        copy.persist(target)
            .map(|_| ())
            .map_err(|error| error.error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).expect("a directory");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let mut names: Vec<String> = names.map(|n| n.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_when_it_is_complete() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        for old in [None, Some("[Event \"old\"]")] {
            if let Some(old) = old {
                fs::write(&target, old).expect("written");
            }
            let mut file = NewFile::create(&target, Replace::Results(None)).expect("created");
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
        let mut file = NewFile::create(&target, Replace::Results(None)).expect("created");
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
            kind: Kind::Temporary(BufWriter::new(file)),
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
        let mut file = NewFile::create(&target, Replace::Results(None)).expect("created");
        file.write_all(b"new").expect("written");
        drop(file);
        assert!(files(dir.path()).is_empty());
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        let create = |target: &Path| NewFile::create(target, Replace::Anything);
        assert!(create(dir.path()).is_err());
        assert!(create(&dir.path().join("no/such/out.pgn")).is_err());
    }

    #[test]
    fn what_is_no_result_is_not_replaced() {
        let dir = tempfile::tempdir().expect("a directory");
        let target = dir.path().join("out.pgn");
        fs::write(&target, "a letter").expect("written");
        assert!(NewFile::create(&target, Replace::Results(None)).is_err());
        assert_eq!(fs::read(&target).expect("read"), b"a letter");
        assert!(NewFile::create(&target, Replace::Anything).is_ok());
    }
}
