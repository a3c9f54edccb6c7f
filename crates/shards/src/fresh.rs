//! New files in the folder of shards: under names that nobody knows before, so that nothing is
//! written through a link that stands there. They take their places by rename.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// How files are called until they are complete.
const UNFINISHED: (&str, &str) = ("unfinished-", ".tmp");

/// What they were called in older versions.
const OLD_UNFINISHED: &str = "unfinished.tmp";

/// Begins a file in a folder. It goes again if nothing [puts](put) it in its place.
pub(crate) fn create(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file; the system takes off what the user does not want.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Puts the complete file in its place, at once.
pub(crate) fn put(file: NamedTempFile, target: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a file of this name is what a run has left that was ended.
pub(crate) fn is_left_over(name: &str) -> bool {
    let id = name.strip_prefix(UNFINISHED.0);
    let id = id.and_then(|rest| rest.strip_suffix(UNFINISHED.1));
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name == OLD_UNFINISHED || id.is_some_and(is_id)
}
