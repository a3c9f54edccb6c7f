//! Which file it is, whatever its name.

use std::fs::{self, Metadata};
use std::path::Path;

/// The same for all names of a file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity(
    #[cfg(unix)] (u64, u64),
    #[cfg(not(unix))] std::path::PathBuf,
);

impl Identity {
    /// Of a file that has been found by a name.
    #[cfg(unix)]
    pub(super) fn of(_: &Path, metadata: &Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        Some(Identity((metadata.dev(), metadata.ino())))
    }

    /// Of a file that has been found by a name. Hard links are not known to be one.
    #[cfg(not(unix))]
    pub(super) fn of(path: &Path, _: &Metadata) -> Option<Identity> {
        path.canonicalize().ok().map(Identity)
    }

    /// Of the file that a stream of this process is, if it is one.
    #[cfg(unix)]
    pub(super) fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Identity> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        let metadata = file.metadata().ok()?;
        Identity::of(Path::new(""), &metadata).filter(|_| metadata.is_file())
    }

    /// Elsewhere it is not known.
    #[cfg(not(unix))]
    pub(super) fn of_stream<S>(_: &S) -> Option<Identity> {
        None
    }
}

/// Whether standard output is a file, as far as that is known.
#[must_use]
pub fn stdout_is_file() -> bool {
    Identity::of_stream(&std::io::stdout()).is_some()
}

/// Whether two names mean the same existing file, or are the same address.
#[must_use]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    if remote::is_address(a) {
        return a == b;
    }
    let identity = |path: &Path| Identity::of(path, &fs::metadata(path).ok()?);
    matches!((identity(a), identity(b)), (Some(a), Some(b)) if a == b)
}

/// Whether two names of the same file are names of their own, rather than one name that is written
/// in two ways or reached through links.
#[must_use]
pub fn is_hard_link(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(c), Ok(d)) if c != d) && is_same_file(a, b)
}
