//! Creates new files in the folder of shards. Their names cannot be guessed, so that nothing is
//! written through a link of that name. A complete file is renamed to its target.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// Prefix and suffix of the names of incomplete files.
const UNFINISHED: (&str, &str) = ("unfinished-", ".tmp");

/// Name of incomplete files in older versions.
const OLD_UNFINISHED: &str = "unfinished.tmp";

/// Creates a file in a folder. The file is removed unless [`put`] renames it.
pub(crate) fn create(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // The mode of any new file; the system applies the user's mask.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Renames the complete file to its target, replacing what is there.
pub(crate) fn put(file: NamedTempFile, target: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    file.persist(target).map_err(|error| error.error)?;
    Ok(())
}

/// Whether a file of this name was left by an interrupted run.
pub(crate) fn is_left_over(name: &str) -> bool {
    let id = name.strip_prefix(UNFINISHED.0);
    let id = id.and_then(|rest| rest.strip_suffix(UNFINISHED.1));
    let is_id = |id: &str| !id.is_empty() && id.bytes().all(|byte| byte.is_ascii_alphanumeric());
    name == OLD_UNFINISHED || id.is_some_and(is_id)
}
