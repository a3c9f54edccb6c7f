//! The client: what is behind addresses, by the library `object_store`, whose futures run in a
//! thread of their own. Nobody else here knows of futures.

mod blocks;
mod errors;
mod guard;
mod object;
mod runtime;
mod store;
mod upload;

use std::io;
use std::time::Duration;

use flow::Cancel;
use futures_util::StreamExt;
use object_store::ObjectStore;
use tokio::time::timeout;

use crate::Found;
use errors::{Explained, refused};
use guard::LARGEST_OBJECT;
pub use object::{Object, open};
use store::Place;
pub use upload::{Upload, create_new, upload};

/// Bytes of all names that a list may have, of a few million objects.
const MOST_NAMES: usize = 256 << 20;

/// How long the next name of a list is waited for.
const SILENCE: Duration = Duration::from_secs(240);

/// How patterns mean names.
const OPTIONS: glob::MatchOptions = glob::MatchOptions {
    case_sensitive: true,
    require_literal_separator: true,
    require_literal_leading_dot: true,
};

/// What a pattern means (`s3://bucket/2024/*.pgn.zst`), or what lies below an address that ends in
/// `/`, in alphabetical order. Only object storage can say that.
///
/// # Errors
/// Nobody says so.
pub fn list(address: &str, cancel: &Cancel) -> io::Result<Vec<Found>> {
    let pattern = address.strip_suffix('/').map_or_else(
        || address.to_owned(),
        // What is below, however deep.
        |folder| format!("{}/**", glob::Pattern::escape(folder)),
    );
    let pattern = glob::Pattern::new(&pattern)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))?;
    let fixed = match address.ends_with('/') {
        true => address.len(),
        false => address.find(['*', '?', '[']).unwrap_or(address.len()),
    };
    let folder = &address[..address[..fixed].rfind('/').map_or(0, |slash| slash + 1)];
    let place = Place::of(folder)?;
    let prefix = place.path.clone();
    let listed = runtime::wait(cancel, async move {
        let prefix = (!prefix.as_ref().is_empty()).then_some(&prefix);
        let mut objects = place.store.list(prefix);
        let (mut found, mut n_bytes) = (Vec::new(), 0);
        // Pages without names may follow each other forever, too.
        while let Ok(object) = timeout(SILENCE, objects.next()).await {
            let Some(object) = object else {
                return Ok(found);
            };
            let object = object?;
            n_bytes += object.location.as_ref().len();
            if n_bytes > MOST_NAMES {
                let what = format!("its names have more than {MOST_NAMES} bytes: ask for fewer");
                return Err(refused(what));
            }
            let address = format!("{}/{}", place.root, object.location);
            if pattern.matches_with(&address, OPTIONS) {
                found.push(Found {
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
