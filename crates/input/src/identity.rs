//! Identifies files independently of their names.

use std::fs::{self, Metadata};
use std::path::Path;

/// Identity of a file, equal for all of its names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Identity(#[cfg(unix)] (u64, u64), #[cfg(not(unix))] std::path::PathBuf);

impl Identity {
    /// Returns the identity of a file that was found by name.
    #[cfg(unix)]
    pub(super) fn of(_: &Path, metadata: &Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        Some(Identity((metadata.dev(), metadata.ino())))
    }

    /// Returns the identity of a file that was found by name. Does not recognize hard links.
    #[cfg(not(unix))]
    pub(super) fn of(path: &Path, _: &Metadata) -> Option<Identity> {
        path.canonicalize().ok().map(Identity)
    }

    /// Returns the identity of the file that a standard stream refers to, if it is a file.
    #[cfg(unix)]
    pub(super) fn of_stream(stream: &impl std::os::fd::AsFd) -> Option<Identity> {
        let file = fs::File::from(stream.as_fd().try_clone_to_owned().ok()?);
        let metadata = file.metadata().ok()?;
        Identity::of(Path::new(""), &metadata).filter(|_| metadata.is_file())
    }

    /// On other systems, the file of a stream is unknown.
    #[cfg(not(unix))]
    pub(super) fn of_stream<S>(_: &S) -> Option<Identity> {
        None
    }
}

/// Whether standard output is known to be a file.
#[must_use]
pub fn stdout_is_file() -> bool {
    Identity::of_stream(&std::io::stdout()).is_some()
}

/// Whether two names refer to the same existing file, or are equal addresses.
#[must_use]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    if remote::is_address(a) {
        return a == b;
    }
    let identity = |path: &Path| Identity::of(path, &fs::metadata(path).ok()?);
    matches!((identity(a), identity(b)), (Some(a), Some(b)) if a == b)
}

/// Whether two names of a file are hard links, and not just two spellings or symbolic links.
#[must_use]
pub fn is_hard_link(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(c), Ok(d)) if c != d) && is_same_file(a, b)
}
