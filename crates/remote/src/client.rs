//! The client: what is behind addresses, by the library `object_store`, whose futures run in a
//! thread of their own. Nobody else here knows of futures.

mod blocks;
mod errors;
mod object;
mod runtime;
mod store;
mod upload;

use std::io;

use flow::Cancel;
use futures_util::TryStreamExt;
use object_store::ObjectStore;

use crate::Found;
use errors::Explained;
pub use object::{Object, open};
use store::Place;
pub use upload::{Upload, create_new, upload};

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
        let objects = place.store.list(prefix).try_collect::<Vec<_>>().await;
        objects.map(|objects| (objects, place.root))
    })?;
    let (objects, root) = listed.map_err(|error| error.explained(address))?;
    let options = glob::MatchOptions {
        case_sensitive: true,
        require_literal_separator: true,
        require_literal_leading_dot: true,
    };
    let found = objects.into_iter().map(|object| Found {
        address: format!("{root}/{}", object.location),
        size: Some(object.size),
    });
    let mut found: Vec<Found> = found
        .filter(|found| pattern.matches_with(&found.address, options))
        .collect();
    found.sort_by(|a, b| a.address.cmp(&b.address));
    Ok(found)
}
