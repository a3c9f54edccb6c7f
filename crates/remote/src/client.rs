//! The client: access to addresses through the library `object_store`. Its futures run on a thread
//! of their own, and no code outside this module deals with futures.

mod blocks;
mod errors;
mod guard;
mod object;
mod poll;
mod runtime;
mod store;
mod upload;

use std::io;
use std::time::Duration;

use flow::Cancel;
use futures_util::StreamExt;
use object_store::ObjectStore;
use tokio::time::timeout;

use crate::RemoteFile;
use errors::{Explained, refused};
use guard::LARGEST_OBJECT;
pub use object::{Object, open};
pub use poll::{Version, read_changed};
use store::ObjectLocation;
pub use upload::{Upload, create_new, upload};

/// Largest total size in bytes of the names of a list, enough for a few million objects.
const MOST_NAMES: usize = 256 << 20;

/// Longest time to wait for the next name of a list.
const SILENCE: Duration = Duration::from_secs(240);

/// Options for matching names with patterns.
const OPTIONS: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// Lists the objects that match a pattern (`s3://bucket/2024/*.pgn.zst`), or that are below an
/// address ending in `/`, in alphabetical order. Only object storage supports this.
///
/// # Errors
/// The list cannot be read.
pub fn list(address: &str, cancel: &Cancel) -> io::Result<Vec<RemoteFile>> {
    let pattern = address.strip_suffix('/').map_or_else(
        || address.to_owned(),
        // Objects below the folder, at any depth.
        |folder| format!("{}/**", glob::Pattern::escape(folder)),
    );
    let pattern = glob::Pattern::new(&pattern)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    let fixed = if address.ends_with('/') {
        address.len()
    } else {
        address.find(['*', '?', '[']).unwrap_or(address.len())
    };
    let folder = &address[..address[..fixed].rfind('/').map_or(0, |slash| slash + 1)];
    let place = ObjectLocation::of(folder)?;
    let prefix = place.path.clone();
    let listed = runtime::wait(cancel, async move {
        let prefix = (!prefix.as_ref().is_empty()).then_some(&prefix);
        let mut objects = place.store.list(prefix);
        let (mut found, mut n_bytes) = (Vec::new(), 0);
        // A server may send pages without names forever.
        while let Ok(object) = timeout(SILENCE, objects.next()).await {
            let Some(object) = object else {
                return Ok(found);
            };
            let object = object?;
            n_bytes += object.location.as_ref().len();
            if n_bytes > MOST_NAMES {
                let what =
                    format!("its names have more than {MOST_NAMES} bytes: use a narrower pattern");
                return Err(refused(what));
            }
            let address = format!("{}/{}", place.root, object.location);
            if pattern.matches_with(&address, OPTIONS) {
                found.push(RemoteFile {
                    address,
                    size: Some(object.size).filter(|size| *size <= LARGEST_OBJECT),
                });
            }
        }
        Err(refused("the server sends lists without end".to_owned()))
    })?;
    let mut found = listed.map_err(|error| error.explained(address))?;
    found.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(found)
}
